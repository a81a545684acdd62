class LogInBody(RequestModel, kw_only=True):
    """Without a description."""

    user: str
    """Who."""

    stay: bool | UnsetType = UNSET
    """Whether to stay."""
