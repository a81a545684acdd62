class BookChangeContents(RequestModel, kw_only=True):
    """Its chapters."""

    chapter1: str | UnsetType = UNSET
    """First."""

class RemarksChange(RequestModel, kw_only=True):
    """Changed remarks."""

    by_reader: Sequence[str] | UnsetType = field(default=UNSET, name="byReader")
    """By the reader."""

class BookChange(RequestModel, kw_only=True):
    """Changes of a book."""

    title: str | None | UnsetType = UNSET
    """Its title."""

    tag_ids: Sequence[str] | UnsetType = field(default=UNSET, name="tagIds")
    """Its tags."""

    contents: BookChangeContents | UnsetType = UNSET
    """Its chapters."""

    remarks: RemarksChange | UnsetType = UNSET
    """Changed remarks."""

    shelf: str | UnsetType = UNSET
    """Where to."""

    secret: str | UnsetType = UNSET
    """A secret."""

class ShelveBooksBody(RequestModel, kw_only=True):
    """Without a description."""

    shelf: int
    """Where to."""

    book_ids: Sequence[str] = field(name="bookIds")
    """Which ones."""

    emma: bool | UnsetType = UNSET
    """Whether it is that."""

class MetaModel(ResponseModel, kw_only=True):
    """Where a page stands."""

    next_url: Maybe[str] = field(default=UNSET, name="nextUrl")
    """The next page."""

    current_page: Maybe[int] = field(default=UNSET, name="current-page")
    """This page."""

    last_page: Maybe[int] = field(default=UNSET, name="lastPage")
    """The last one."""

class Tag(ResponseModel, kw_only=True):
    """A tag."""

    tag_id: Maybe[str] = field(default=UNSET, name="tagId")
    """Its id."""

class Remarks(ResponseModel, kw_only=True):
    """Remarks."""

    by_reader: Maybe[dict[str, str]] = field(default=UNSET, name="byReader")
    """By the reader."""

class Book(ResponseModel, kw_only=True):
    """A book."""

    book_id: str = field(name="bookId")
    """Its id."""

    title: Maybe[str] = UNSET
    """Its title."""

    tags: Maybe[list[Tag]] = UNSET
    """Its tags."""

    chapters: Maybe[list[str]] = UNSET
    """Its chapters."""

    remarks: Maybe[Remarks] = UNSET
    """Remarks."""

    shelf: Maybe[list[str]] = UNSET
    """Where it stands."""

    read_at: Maybe[AwareDatetime] = UNSET
    """When."""

class BookPage(ResponseModel, kw_only=True):
    """A page of books."""

    book_list: Maybe[list[Book]] = field(default=UNSET, name="bookList")
    """The books."""

    meta: Maybe[MetaModel] = UNSET
    """Where a page stands."""

class Shelving(ResponseModel, kw_only=True):
    """What was done."""

    done: Maybe[list[str]] = UNSET
    """The books."""

    partial: Maybe[bool] = UNSET
    """Whether some were left."""

class ShelvingOfAll(Shelving, kw_only=True, omit_defaults=True):
    """One `Shelving` made of the responses of all requests."""

    unmentioned: tuple[str, ...] = ()
    """What was sent, and is in none of `done`."""
