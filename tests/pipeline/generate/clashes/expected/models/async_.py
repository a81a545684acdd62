class VoteInput(ResponseModel, kw_only=True):
    """A vote that is none."""

    vote: Vote | None = MISSING
    """A vote as it is read."""
