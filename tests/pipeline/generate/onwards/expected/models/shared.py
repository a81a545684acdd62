class LetterMap(ResponseModel, kw_only=True):
    """Where it was written."""

    place: str = MISSING
    """The place."""
