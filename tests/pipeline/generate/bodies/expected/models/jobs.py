class Job(RequestModel, kw_only=True):
    """What is to be printed."""

    drawing: str
    """The drawing."""

    title: str
    """Its name."""

class AddJobBody(RequestModel, kw_only=True):
    """Without a description."""

    sheets: Sequence[str]
    """Which."""

class AddJobFormDataBody(RequestModel, kw_only=True):
    """Without a description."""

    title: str | UnsetType = UNSET
    """Its name."""
