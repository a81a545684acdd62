SHELVE_BOOKS_BODY = WriteBack(ShelveBooksBody, {"emma": From("title", equals="Emma")})

BOOK_CHANGE = WriteBack(
    BookChange,
    {
        "tag_ids": From("tags", pick="tag_id"),
        "contents": From("chapters", numbered="chapter", loses="their length"),
        "shelf": Lost("the shelf is read without its room", field="shelf"),
        "secret": Lost("it is never told"),
        "remarks.by_reader": From("by_reader", values=True, loses="who said it"),
    },
    ignored=frozenset({"book_id", "read_at"}),
)

def build_list(shelf: int, *, page: int | UnsetType = UNSET) -> Request[BookPage]:
    return prepare(
        operation="books.list",
        server="document",
        method="GET",
        path="/books",
        query=[
            Parameter("shelf", shelf, int, "shelf"),
            Parameter("pageNumber", page, Annotated[int, Meta(ge=1)], "page"),
        ],
        returns=BookPage,
        retry_safety="safe",
    )

def plan_list(
    shelf: int,
    *,
    page: int | UnsetType = UNSET,
    title: str | Sequence[str] | UnsetType = UNSET,
    read_since: dt.datetime | UnsetType = UNSET,
    read_until: dt.datetime | UnsetType = UNSET,
) -> Pages[Book, BookPage]:
    return Pages(
        build_list(shelf, page=page),
        items="book_list",
        next="meta.next_url",
        current="meta.current_page",
        last="meta.last_page",
        page="pageNumber",
        keep=keeping(
            "books.list",
            Keep("title", title, "title", "equal", type=str),
            Keep("read_since", read_since, "read_at", "from"),
            Keep("read_until", read_until, "read_at", "before"),
        ),
    )

def build_get_many(book_ids: Sequence[str]) -> Request[list[Book]]:
    return prepare(
        operation="books.get_many",
        server="document",
        method="GET",
        path="/books/many",
        query=[
            Parameter(
                "bookIds",
                book_ids,
                Annotated[Sequence[str], Meta(min_length=1, max_length=50)],
                "book_ids",
                explode=False,
            )
        ],
        returns=list[Book],
        retry_safety="safe",
    )

def plan_get_many(book_ids: Iterable[str]) -> Call[Found[Book]]:
    return Batches(
        "books.get_many",
        lambda book_ids: build_get_many(book_ids),
        "book_ids",
        book_ids,
        size=50,
        merge=found_by("book_id"),
    )

def plan_get_one(book_id: str) -> Call[Book]:
    return Single(
        "books.get_one",
        lambda book_ids: build_get_many(book_ids),
        "book_ids",
        ("book_id", book_id),
        key="book_id",
    )

def build_shelve_many(
    *,
    shelf: int,
    book_ids: Sequence[str],
    emma: bool | UnsetType = UNSET,
) -> Request[Shelving]:
    return prepare(
        operation="books.shelve_many",
        server="document",
        method="POST",
        path="/books/many",
        json=ShelveBooksBody(shelf=shelf, book_ids=book_ids, emma=emma),
        returns=Shelving,
        retry_safety="unsafe",
        probe=lambda: Probe(
            for_slices(lambda book_ids: build_get_many(book_ids), book_ids, 50),
            SHELVE_BOOKS_BODY,
            key="book_id",
            ids=book_ids,
            of="book_ids",
            done="done",
        ),
    )

def plan_shelve_many(
    *,
    shelf: int,
    book_ids: Iterable[str],
    emma: bool | UnsetType = UNSET,
) -> Call[ShelvingOfAll]:
    return Batches(
        "books.shelve_many",
        lambda book_ids: build_shelve_many(shelf=shelf, book_ids=book_ids, emma=emma),
        "book_ids",
        book_ids,
        size=20,
        merge=with_unmentioned(ShelvingOfAll, "done"),
        sends_none=True,
    )

def build_remove_many(
    book_ids: Sequence[str],
    *,
    burn: bool | UnsetType = UNSET,
    drown: bool | UnsetType = UNSET,
) -> Request[None]:
    return prepare(
        operation="books.remove_many",
        server="document",
        method="DELETE",
        path="/books/many",
        query=[
            Parameter(
                "bookIds",
                book_ids,
                Annotated[Sequence[str], Meta(max_length=50)],
                "book_ids",
                explode=False,
            ),
            Parameter("burn", burn, bool, "burn"),
            Parameter("drown", drown, bool, "drown"),
        ],
        cautions=[
            (burn, Caution(LimitationWarning, "what was burnt cannot be mended")),
            (
                burn,
                Caution(
                    AssumedNameWarning,
                    "burn is sent as burn, and that name is assumed (removeBooks.burn). A service that does not know it may report success without doing it: check the result. An overlay in overlays/confirmed that confirms the name ends this warning.",
                ),
            ),
        ],
        returns=None,
        retry_safety="idempotent",
    )

def plan_remove_many(
    book_ids: Iterable[str],
    *,
    burn: bool | UnsetType = UNSET,
    drown: bool | UnsetType = UNSET,
) -> Call[None]:
    return Batches(
        "books.remove_many",
        lambda book_ids: build_remove_many(book_ids, burn=burn, drown=drown),
        "book_ids",
        book_ids,
        size=10,
        merge=nothing,
    )

def build_update(
    book_id: str,
    *,
    title: str | None | UnsetType = UNSET,
    tag_ids: Sequence[str] | UnsetType = UNSET,
    contents: BookChangeContents | UnsetType = UNSET,
    remarks: RemarksChange | UnsetType = UNSET,
    shelf: str | UnsetType = UNSET,
    secret: str | UnsetType = UNSET,
) -> Request[Book]:
    return prepare(
        operation="books.update",
        server="document",
        method="PATCH",
        path="/books/{book}",
        path_parameters=[Parameter("book", book_id, str, "book_id")],
        json=BookChange(
            title=title,
            tag_ids=tag_ids,
            contents=contents,
            remarks=remarks,
            shelf=shelf,
            secret=secret,
        ),
        returns=Book,
        retry_safety="unsafe",
        probe=lambda: Probe([build_get_many([book_id])], BOOK_CHANGE, key="book_id", ids=[book_id]),
    )

class BooksResource(Resource):
    """Books and what is known of them."""

    @cached_property
    def with_raw_response(self) -> BooksResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return BooksResourceWithRawResponse(self._client)

    def list(
        self,
        shelf: int,
        *,
        page: int | UnsetType = UNSET,
        title: str | Sequence[str] | UnsetType = UNSET,
        read_since: dt.datetime | UnsetType = UNSET,
        read_until: dt.datetime | UnsetType = UNSET,
    ) -> Pager[Book, BookPage]:
        """List books.

        Gives the books of a shelf, a page at a time.

        The next page is read when the items of the one before are used up.

        `title`, `read_since` and `read_until` are applied by the client, not by the service. So
        every page is read, since the order of the list is not documented, and `.pages()` gives
        whole pages.

        Args:
            shelf: Number of the shelf.
            page: Number of the page. At least 1.
            title: Keeps only those whose `title` is this, or one of these.
            read_since: Keeps only those whose `read_at` is this moment or later. Needs a time zone.
            read_until: Keeps only those whose `read_at` is before this moment. Needs a time zone.

        Returns:
            An iterable of the items of all pages, from `page` on; its `.pages()` gives whole pages,
            and `.next_page` is the number of the page to resume from after an error.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.
            PagingError: The next page leads elsewhere, or to one that was read; `items` has what
                was read.

        Example:
            >>> for book in client.books.list(7):
            ...     print(book)

        GET /books.
        """
        return Pager(
            self._client,
            plan_list(shelf, page=page, title=title, read_since=read_since, read_until=read_until),
        )

    def get_many(self, book_ids: Iterable[str]) -> Found[Book]:
        """Read books.

        Reads several.

        This method takes any number: more than 50 are sent in several requests, up to 4 at a time.

        Args:
            book_ids: Which ones. Any number of them, from any iterable; each is sent once. Without
                any, nothing is sent.

        Returns:
            The books. In the order in which they were asked for; `.missing` names those that were
            not found.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            NotFoundError: There are none (404).
            StatusError: Another status outside 200 to 299.
            PartialFailure: Some of the requests failed; it holds the responses of the others.

        Example:
            >>> client.books.get_many(["a", "b"])

        GET /books/many.
        """
        return self._client.send(plan_get_many(book_ids))

    def get_one(self, book_id: str) -> Book:
        """Read a book.

        Asks with `books.get_many` for this one; one request.

        Args:
            book_id: Its identifier.

        Returns:
            What has this identifier.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.
            NotFoundError: There is none of this identifier (404).

        Example:
            >>> client.books.get_one("a")

        GET /books/many.
        """
        return self._client.send(plan_get_one(book_id))

    def shelve_many(
        self,
        *,
        shelf: int,
        book_ids: Iterable[str],
        emma: bool | UnsetType = UNSET,
    ) -> ShelvingOfAll:
        """Put books on a shelf.

        Shelves several.

        This method takes any number: more than 20 are sent in several requests, up to 4 at a time.

        Args:
            shelf: Where to.
            book_ids: Which ones. Any number of them, from any iterable; each is sent once. Without
                any, one request is sent all the same.
            emma: Whether it is that.

        Returns:
            What was done. The responses of several requests become one. `.unmentioned` names what
            was sent and no list of it names.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.
            PartialFailure: Some of the requests failed; it holds the responses of the others.
            OutcomeUnknown: No response came, or a 5xx; it may have been done: `reconcile()` finds
                out.

        Example:
            >>> client.books.shelve_many(shelf=7, book_ids=["a", "b"])

        POST /books/many.
        """
        return self._client.send(plan_shelve_many(shelf=shelf, book_ids=book_ids, emma=emma))

    def remove_many(
        self,
        book_ids: Iterable[str],
        *,
        burn: bool | UnsetType = UNSET,
        drown: bool | UnsetType = UNSET,
    ) -> None:
        """Remove books.

        Removes several.

        This method takes any number: more than 10 are sent in several requests, up to 4 at a time.

        Args:
            book_ids: Which ones. Any number of them, from any iterable; each is sent once. Without
                any, nothing is sent.
            burn: True burns them (assumed). Warns: what was burnt cannot be mended. Warns as long
                as its name is assumed.
            drown: True drowns them.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.
            PartialFailure: Some of the requests failed; it holds the responses of the others.

        Example:
            >>> client.books.remove_many(["a"])

        DELETE /books/many.
        """
        self._client.send(plan_remove_many(book_ids, burn=burn, drown=drown))

    def update(
        self,
        book_id: str,
        *,
        title: str | None | UnsetType = UNSET,
        tag_ids: Sequence[str] | UnsetType = UNSET,
        contents: BookChangeContents | UnsetType = UNSET,
        remarks: RemarksChange | UnsetType = UNSET,
        shelf: str | UnsetType = UNSET,
        secret: str | UnsetType = UNSET,
    ) -> Book:
        """Change a book.

        Changes what is sent.

        Args:
            book_id: The book.
            title: Its title.
            tag_ids: Its tags.
            contents: Its chapters.
            remarks: Changed remarks.
            shelf: Where to.
            secret: A secret.

        Returns:
            The book.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.
            OutcomeUnknown: No response came, or a 5xx; it may have been done: `reconcile()` finds
                out.

        Example:
            >>> client.books.update("a", title="Emma")

        PATCH /books/{book}.
        """
        return self._client.send(
            build_update(
                book_id,
                title=title,
                tag_ids=tag_ids,
                contents=contents,
                remarks=remarks,
                shelf=shelf,
                secret=secret,
            )
        )

    @staticmethod
    def update_arguments(book: Book) -> Arguments:
        """The arguments of `update` that write what was read.

        `client.books.update(…, **client.books.update_arguments(book))` writes it back, or onto
        another one. What was absent stays away; what cannot be written is left out.

        Args:
            book: What was read.

        Returns:
            A dictionary of arguments; its `lost` names what got lost, and why.
        """
        return arguments(BOOK_CHANGE, book)
