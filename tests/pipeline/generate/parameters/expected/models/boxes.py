class FilterMade(RequestModel, kw_only=True):
    """The year."""

    gte: int | UnsetType = UNSET
    """From this one on."""

class Filter(RequestModel, kw_only=True):
    """What boxes hold."""

    kind: str | UnsetType = UNSET
    """The kind of fruit."""

    made: FilterMade | UnsetType = UNSET
    """The year."""
