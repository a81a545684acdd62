class VoteInput(ResponseModel, kw_only=True):
    """A vote that is none."""

    vote: Maybe[Vote] = UNSET
    """A vote as it is read."""
