class Metal(RequestModel, kw_only=True):
    """A key of metal."""

    teeth: Annotated[int, Meta(ge=1)]
    """How many. At least 1."""

Key = Metal | Annotated[int, Meta(ge=1)]

"""Metal or a number."""

Label = Annotated[str, Meta(min_length=1, pattern="^[^\"']*$")]

"""Words without quotes."""

class Box(RequestModel, kw_only=True):
    """A box."""

    label: Label
    """Words without quotes. At least 1 character."""

    files: Ids | UnsetType = UNSET
    """Several. At most 2 items."""

    key: Key | UnsetType = UNSET
    """Metal or a number."""
