class Scan(ResponseModel, kw_only=True):
    """A scan."""

    id: str = MISSING
    """Its name."""
