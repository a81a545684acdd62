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

    next_url: str | None = field(default=MISSING, name="nextUrl")
    """The next page."""

    current_page: int | None = field(default=MISSING, name="current-page")
    """This page."""

    last_page: int | None = field(default=MISSING, name="lastPage")
    """The last one."""

class Tag(ResponseModel, kw_only=True):
    """A tag."""

    tag_id: str | None = field(default=MISSING, name="tagId")
    """Its id."""

class Remarks(ResponseModel, kw_only=True):
    """Remarks."""

    by_reader: dict[str, str] | None = field(default=MISSING, name="byReader")
    """By the reader."""

class Book(ResponseModel, kw_only=True):
    """A book."""

    book_id: str = field(default=MISSING, name="bookId")
    """Its id."""

    title: str | None = MISSING
    """Its title."""

    tags: list[Tag] | None = MISSING
    """Its tags."""

    chapters: list[str] | None = MISSING
    """Its chapters."""

    remarks: Remarks | None = MISSING
    """Remarks."""

    shelf: list[str] | None = MISSING
    """Where it stands."""

    read_at: AwareDatetime | None = MISSING
    """When."""

class BookPage(ResponseModel, kw_only=True):
    """A page of books."""

    book_list: list[Book] | None = field(default=MISSING, name="bookList")
    """The books."""

    meta: MetaModel | None = MISSING
    """Where a page stands."""

class Shelving(ResponseModel, kw_only=True):
    """What was done."""

    done: list[str] | None = MISSING
    """The books."""

    partial: bool | None = MISSING
    """Whether some were left."""

class ShelvingOfAll(Shelving, kw_only=True, omit_defaults=True):
    """One `Shelving` made of the responses of all requests."""

    unmentioned: tuple[str, ...] = ()
    """What was sent, and is in none of `done`."""
