class ShelfReplacement(RequestModel, kw_only=True):
    """A shelf as it shall be.

    Attributes:
        label: Its label.
        height: Its height.
    """

    label: str
    height: int | None | UnsetType = UNSET

class Shelf(ResponseModel, kw_only=True):
    """A shelf.

    Attributes:
        label: Its label.
        height: Its height.
    """

    label: Maybe[str] = UNSET
    height: Maybe[int] = UNSET
