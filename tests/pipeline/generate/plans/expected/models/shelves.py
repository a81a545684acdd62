class ShelfWoodChange(RequestModel, kw_only=True):
    """What is to change of the wood.

    Attributes:
        kind: The kind of wood.
    """

    kind: str | UnsetType = UNSET

class ShelfChange(RequestModel, kw_only=True):
    """What is to change of a shelf.

    Attributes:
        label: Its label.
        wood: What is to change of the wood.
        rows: What stands in a row. Others are lost.
    """

    label: str | UnsetType = UNSET
    wood: ShelfWoodChange | UnsetType = UNSET
    rows: Mapping[str, str] | UnsetType = UNSET

class ShelfReplacement(RequestModel, kw_only=True):
    """A shelf as it shall be.

    Attributes:
        label: Its label.
        height: Its height.
    """

    label: str
    height: int | None | UnsetType = UNSET

class ShelfWood(ResponseModel, kw_only=True):
    """Of what it is made.

    Attributes:
        kind: The kind of wood.
        grain: How it looks.
    """

    kind: Maybe[str] = UNSET
    grain: Maybe[str] = UNSET

class Shelf(ResponseModel, kw_only=True):
    """A shelf.

    Attributes:
        label: Its label.
        height: Its height.
        shelf_id: Its id.
        wood: Of what it is made.
        rows: What stands in a row.
    """

    label: Maybe[str] = UNSET
    height: Maybe[int] = UNSET
    shelf_id: int = field(name="shelf-id")
    wood: Maybe[ShelfWood] = UNSET
    rows: Maybe[dict[str, str]] = UNSET
