class LogInBody(RequestModel, kw_only=True):
    """Without a description.

    Attributes:
        user: Who.
        stay: Whether to stay.
    """

    user: str
    stay: bool | UnsetType = UNSET
