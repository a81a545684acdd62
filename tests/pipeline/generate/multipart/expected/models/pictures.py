class AddPictureBody(RequestModel, kw_only=True):
    """Without a description.

    Attributes:
        title: Its name. At most 20 characters.
        year: When it was made.
        tags: Words for it.
    """

    title: Annotated[str, Meta(max_length=20)]
    year: int | UnsetType = UNSET
    tags: Sequence[str] | UnsetType = UNSET

class Picture(ResponseModel, kw_only=True):
    """A picture.

    Attributes:
        id: Its id.
    """

    id: UUID
