class SoldColour(IntCode):
    """The colour of the label."""

    RED = 1
    LIGHT_BLUE = 2

class Sold(ResponseModel, kw_only=True):
    """A sale. The discriminator goes by the name of this schema."""

    price: float | Literal[1] | Literal["free"] | None = MISSING
    """What was paid."""

    colour: SoldColour | None = MISSING
    """The colour of the label."""

    type: Literal["Sold"] = MISSING

class Moved(ResponseModel, kw_only=True, gc=True):
    """A move."""

    type: Literal["animal.moved"] = MISSING
    """What happened."""

    related: "list[OneOf[Born | Moved | Sold]] | None" = MISSING
    """What it caused."""

    name: str | None = MISSING
    """The place."""

class Born(ResponseModel, kw_only=True, gc=True):
    """A birth."""

    type: Literal["animal.born"] = MISSING
    """What happened."""

    related: "list[OneOf[Born | Moved | Sold]] | None" = MISSING
    """What it caused."""

    name: str | None = MISSING
    """The name."""
