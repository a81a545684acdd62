class Metal(RequestModel, kw_only=True):
    """A key of metal.

    Attributes:
        teeth: How many. At least 1.
    """

    teeth: Annotated[int, Meta(ge=1)]

Key = Metal | Annotated[int, Meta(ge=1)]

"""Metal or a number."""

Label = Annotated[str, Meta(min_length=1, pattern="^[^\"']*$")]

"""Words without quotes."""

class Box(RequestModel, kw_only=True):
    """A box.

    Attributes:
        label: Words without quotes. At least 1 character.
        files: Several. At most 2 items.
        key: Metal or a number.
    """

    label: Label
    files: Ids | UnsetType = UNSET
    key: Key | UnsetType = UNSET
