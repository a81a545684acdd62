class VoteInput(ResponseModel, kw_only=True):
    """A vote that is none.

    Attributes:
        vote: A vote as it is read.
    """

    vote: Maybe[Vote] = UNSET
