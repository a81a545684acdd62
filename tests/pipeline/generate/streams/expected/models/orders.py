class OrderBodyDetail(TextCode):
    """How much to report."""

    BRIEF = "brief"
    FULL = "full"

class OrderBody(RequestModel, kw_only=True):
    """An order."""

    dish: str
    """What to cook."""

    stream: bool | UnsetType = UNSET
    """Whether to report each step. Left out, it is False."""

    detail: OrderBodyDetail | UnsetType = UNSET
    """How much to report."""
