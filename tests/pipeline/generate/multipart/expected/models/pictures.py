class AddPictureBody(RequestModel, kw_only=True):
    """Without a description."""

    title: Annotated[str, Meta(max_length=20)]
    """Its name. At most 20 characters."""

    year: int | UnsetType = UNSET
    """When it was made."""

    tags: Sequence[str] | UnsetType = UNSET
    """Words for it."""

class Picture(ResponseModel, kw_only=True):
    """A picture."""

    id: UUID = MISSING
    """Its id."""
