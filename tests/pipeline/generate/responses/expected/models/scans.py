class ProgressModel(ResponseModel, kw_only=True):
    """How far a scan is."""

    percent: int = MISSING
    """Of the whole."""

class Scan(ResponseModel, kw_only=True):
    """A scan."""

    id: str = MISSING
    """Its name."""
