class ShelfWoodChange(RequestModel, kw_only=True):
    """What is to change of the wood."""

    kind: str | UnsetType = UNSET
    """The kind of wood."""

class ShelfChange(RequestModel, kw_only=True):
    """What is to change of a shelf."""

    label: str | UnsetType = UNSET
    """Its label."""

    wood: ShelfWoodChange | UnsetType = UNSET
    """What is to change of the wood."""

    rows: Mapping[str, str] | UnsetType = UNSET
    """What stands in a row. Others are lost."""

class ShelfReplacement(RequestModel, kw_only=True):
    """A shelf as it shall be."""

    label: str
    """Its label."""

    height: int | None | UnsetType = UNSET
    """Its height."""

class ShelfWood(ResponseModel, kw_only=True):
    """Of what it is made."""

    kind: Maybe[str] = UNSET
    """The kind of wood."""

    grain: Maybe[str] = UNSET
    """How it looks."""

class Shelf(ResponseModel, kw_only=True):
    """A shelf."""

    label: Maybe[str] = UNSET
    """Its label."""

    height: Maybe[int] = UNSET
    """Its height."""

    shelf_id: int = field(name="shelf-id")
    """Its id."""

    wood: Maybe[ShelfWood] = UNSET
    """Of what it is made."""

    rows: Maybe[dict[str, str]] = UNSET
    """What stands in a row."""
