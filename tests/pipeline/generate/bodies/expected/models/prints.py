class Size(RequestModel, kw_only=True):
    """How large a sheet is."""

    width: int
    """In millimetres."""

class LogInBody(RequestModel, kw_only=True):
    """Without a description."""

    user: str
    """Who."""

    stay: bool | UnsetType = UNSET
    """Whether to stay."""

class OrderBody(RequestModel, kw_only=True):
    """Without a description."""

    sheets: Sequence[str]
    """Which."""

    size: Size
    """How large a sheet is."""

    marks: Mapping[str, str]
    """Notes for each."""

    colours: Sequence[str] | UnsetType = UNSET
    """In which colours."""
