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

    kind: str | None = MISSING
    """The kind of wood."""

    grain: str | None = MISSING
    """How it looks."""

class Shelf(ResponseModel, kw_only=True):
    """A shelf."""

    label: str | None = MISSING
    """Its label."""

    height: int | None = MISSING
    """Its height."""

    shelf_id: int = field(default=MISSING, name="shelf-id")
    """Its id."""

    wood: ShelfWood | None = MISSING
    """Of what it is made."""

    rows: dict[str, str] | None = MISSING
    """What stands in a row."""
