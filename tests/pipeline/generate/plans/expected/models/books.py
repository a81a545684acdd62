class BookChangeContents(RequestModel, kw_only=True):
    """Its chapters.

    Attributes:
        chapter1: First.
    """

    chapter1: str | UnsetType = UNSET

class RemarksChange(RequestModel, kw_only=True):
    """Changed remarks.

    Attributes:
        by_reader: By the reader.
    """

    by_reader: Sequence[str] | UnsetType = field(default=UNSET, name="byReader")

class BookChange(RequestModel, kw_only=True):
    """Changes of a book.

    Attributes:
        title: Its title.
        tag_ids: Its tags.
        contents: Its chapters.
        remarks: Changed remarks.
        shelf: Where to.
        secret: A secret.
    """

    title: str | None | UnsetType = UNSET
    tag_ids: Sequence[str] | UnsetType = field(default=UNSET, name="tagIds")
    contents: BookChangeContents | UnsetType = UNSET
    remarks: RemarksChange | UnsetType = UNSET
    shelf: str | UnsetType = UNSET
    secret: str | UnsetType = UNSET

class ShelveBooksBody(RequestModel, kw_only=True):
    """Without a description.

    Attributes:
        shelf: Where to.
        book_ids: Which ones.
        emma: Whether it is that.
    """

    shelf: int
    book_ids: Sequence[str] = field(name="bookIds")
    emma: bool | UnsetType = UNSET

class MetaModel(ResponseModel, kw_only=True):
    """Where a page stands.

    Attributes:
        next_url: The next page.
        current_page: This page.
        last_page: The last one.
    """

    next_url: Maybe[str] = field(default=UNSET, name="nextUrl")
    current_page: Maybe[int] = field(default=UNSET, name="current-page")
    last_page: Maybe[int] = field(default=UNSET, name="lastPage")

class Tag(ResponseModel, kw_only=True):
    """A tag.

    Attributes:
        tag_id: Its id.
    """

    tag_id: Maybe[str] = field(default=UNSET, name="tagId")

class Remarks(ResponseModel, kw_only=True):
    """Remarks.

    Attributes:
        by_reader: By the reader.
    """

    by_reader: Maybe[dict[str, str]] = field(default=UNSET, name="byReader")

class Book(ResponseModel, kw_only=True):
    """A book.

    Attributes:
        book_id: Its id.
        title: Its title.
        tags: Its tags.
        chapters: Its chapters.
        remarks: Remarks.
        shelf: Where it stands.
        read_at: When.
    """

    book_id: str = field(name="bookId")
    title: Maybe[str] = UNSET
    tags: Maybe[list[Tag]] = UNSET
    chapters: Maybe[list[str]] = UNSET
    remarks: Maybe[Remarks] = UNSET
    shelf: Maybe[list[str]] = UNSET
    read_at: Maybe[AwareDatetime] = UNSET

class BookPage(ResponseModel, kw_only=True):
    """A page of books.

    Attributes:
        book_list: The books.
        meta: Where a page stands.
    """

    book_list: Maybe[list[Book]] = field(default=UNSET, name="bookList")
    meta: Maybe[MetaModel] = UNSET

class Shelving(ResponseModel, kw_only=True):
    """What was done.

    Attributes:
        done: The books.
        partial: Whether some were left.
    """

    done: Maybe[list[str]] = UNSET
    partial: Maybe[bool] = UNSET

class ShelvingOfAll(Shelving, kw_only=True, omit_defaults=True):
    """One `Shelving` made of the responses of all requests.

    Attributes:
        unmentioned: What was sent, and is in none of `done`.
    """

    unmentioned: tuple[str, ...] = ()
