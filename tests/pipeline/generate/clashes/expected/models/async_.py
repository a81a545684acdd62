class VoteInput(ResponseModel, kw_only=True):
    """A vote that is none."""

    vote: Vote2 | None = MISSING
    """A vote as it is read."""
