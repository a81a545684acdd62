class Page(RequestModel, kw_only=True):
    """How pages look."""

    width: int | UnsetType = UNSET
    """In millimetres."""

class AddPictureBody(RequestModel, kw_only=True):
    """Without a description."""

    title: Annotated[str, Meta(max_length=20)]
    """Its name. At most 20 characters."""

    year: int | UnsetType = UNSET
    """When it was made."""

    tags: Sequence[str] | UnsetType = UNSET
    """Words for it."""

class NameAlbumBody(RequestModel, kw_only=True):
    """Without a description."""

    name: str
    """Its name."""

class AddAlbumBody(RequestModel, kw_only=True):
    """Without a description."""

    stamp: str | UnsetType = UNSET
    """A stamp as text."""

    texts: str | UnsetType = UNSET
    """Words."""

    page: Page | UnsetType = UNSET
    """How pages look."""

    numbers: Sequence[int] | UnsetType = UNSET
    """Their numbers."""

class Picture(ResponseModel, kw_only=True):
    """A picture."""

    id: UUID = MISSING
    """Its id."""
