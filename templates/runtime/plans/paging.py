"""Lists that come page by page."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import SplitResult, parse_qsl, quote, urljoin, urlsplit

import msgspec
from msgspec import UNSET

from ..core.callers import warn
from ..core.errors import ClientError, Exchange, PagingError
from ..core.models import ResponseModel
from ..core.type_guards import is_items
from ..engine.effects import Steps
from ..engine.execute import execute
from ..request.progress import ProgressReport
from ..request.styles import plain_text
from ..response.paths import attribute, check_kind

if TYPE_CHECKING:
    from ..core.deadline import Deadline
    from ..engine.client import AsyncClient, Client
    from ..engine.context import Context
    from ..request.request import Caution, Request
    from ..response.raw import RawResponse
    from ..response.redaction import Redaction

T = TypeVar("T")
PageT = TypeVar("PageT")

# What may stand in a query string; all else is percent-encoded, and what is so already stays.
_OF_QUERIES = "%/?:@!$&'()*+,;=-._~[]"

# The target of a link of the header field (RFC 8288) whose relation is `next`.
_NEXT_LINK = re.compile(
    r'<([^<>]*)>(?=[^<]*;\s*rel\s*=\s*(?:next\b|"(?:[^"]*\s)?next[\s"]))', re.IGNORECASE
)


class Pages(msgspec.Struct, Generic[T, PageT], frozen=True):
    """A list that comes page by page, as a value: its first request, and how it goes on.

    Attributes:
        items: the attribute of a page that has its items; a path with dots, as all of these. A
            page is a list itself where it is None.
        next: the attribute that has the address of the next page, or the cursor of it.
        current: the attribute that has the number of the page.
        last: the attribute that has the number of the last page.
        page: the query parameter that takes the number of a page.
        cursor: the query parameter that takes what `next` has.
        offset: the query parameter that takes how many items come before a page.
        first: the number of the first page, for which the parameter may be left out.
        total: the attribute that has the number of all items.
        more: the attribute that is false on the last page.
        link: whether the header field `Link` has the address of the next page.
        keep: whether an item is one that the caller wants; all are without it.
    """

    request: Request[PageT]
    items: str | None = None
    next: str | None = None
    current: str | None = None
    last: str | None = None
    page: str | None = None
    cursor: str | None = None
    offset: str | None = None
    first: int = 1
    total: str | None = None
    more: str | None = None
    link: bool = False
    keep: Callable[[T], bool] | None = None

    @property
    def operation(self) -> str:
        """The method that it stands for."""
        return self.request.operation

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """Warnings for the caller."""
        return self.request.cautions

    def items_of(self, page: PageT) -> Sequence[T]:
        """Return the items of a page."""
        items = page if self.items is None else attribute(page, self.items)
        return items if is_items(items) else ()

    def wanted(self, page: PageT) -> Sequence[T]:
        """Return those items of a page that the caller wants."""
        items = self.items_of(page)
        return items if self.keep is None else [item for item in items if self.keep(item)]

    def check(self, page: PageT, raw: RawResponse[PageT]) -> None:
        """See to it that a page has a list of items, or says nothing of any."""
        if self.items is not None:
            check_kind(page, self.items, raw)

    def number(self, request: Request[Any]) -> int | None:
        """Return the number of the page that a request asks for, which may leave out the first."""
        for name, value in parse_qsl(request.query):
            if name == self.page and value.isdecimal():
                return int(value)
        return self.first if self.page is not None and request is self.request else None

    def place(self, request: Request[Any]) -> tuple[tuple[str, str], ...]:
        """Return what a request asks for, however it is written; the first page may be left out."""
        query = parse_qsl(request.query, keep_blank_values=True)
        for parameter, first in ((self.page, str(self.first)), (self.offset, "0")):
            if parameter is not None and all(name != parameter for name, _ in query):
                query.append((parameter, first))
        return tuple(sorted(query))

    def after(
        self, page: PageT, request: Request[PageT], base: str, headers: Mapping[str, str]
    ) -> Request[PageT] | None:
        """Return the request of the next page; None after the last one.

        Args:
            headers: the header fields of the page, names in lower case.

        Raises:
            PagingError: the address of the next page leads away from the base address, or is none;
                or it is null on a page that is not the last one, or there is one on the last page.
        """
        if self.more is not None and attribute(page, self.more) is False:
            return None
        said = UNSET if self.next is None else attribute(page, self.next)
        if self.link:
            match = _NEXT_LINK.search(headers.get("link", ""))
            return self._followed(match[1], request, base) if match else None
        if self.cursor is not None:
            if said in (None, UNSET, ""):
                return None
            value = quote(plain_text(said), safe="")
            return _with_query(request, f"{quote(self.cursor, safe='[]')}={value}")
        current, last = self._numbers(page)
        are_numbers = isinstance(current, int) and isinstance(last, int)
        if isinstance(said, str) and said:
            if are_numbers and current >= last:
                reason = f"has an address, though page {current} of {last} is the last one"
                raise self._refused(reason, said, request, base)
            return self._followed(said, request, base)
        if said is None or said == "":
            if are_numbers and current < last:
                reason = f"has no address, though it follows page {current} of {last}"
                raise self._refused(reason, f"{self.page}={current + 1}", request, base)
            return None
        return self.counted(page, request)

    def _numbers(self, page: PageT) -> tuple[Any, Any]:
        """Return the number of a page, and that of the last page; UNSET where it has none."""
        names = (self.current, self.last)
        current, last = (UNSET if name is None else attribute(page, name) for name in names)
        return current, last

    def counted(self, page: PageT, request: Request[PageT]) -> Request[PageT] | None:
        """Return the request of the next page by its number; None if none is known."""
        if self.offset is not None:
            return self._skipping(page, request)
        if self.page is None or not self.items_of(page):
            return None
        current, last = self._numbers(page)
        if not isinstance(current, int):
            known = isinstance(last, int) or self.current is None
            current = self.number(request) if known else None
        if current is None or (isinstance(last, int) and current >= last):
            return None
        return _with_query(request, f"{quote(self.page, safe='[]')}={current + 1}")

    def _skipping(self, page: PageT, request: Request[PageT]) -> Request[PageT] | None:
        """Return the request of the items that follow those of a page; None if there are none."""
        query = dict(parse_qsl(request.query))
        before = query.get(self.offset or "", "0")
        skipped = (int(before) if before.isdecimal() else 0) + len(self.items_of(page))
        total = self.total_of(page)
        if not self.items_of(page) or (total is not None and skipped >= total):
            return None
        return _with_query(request, f"{quote(self.offset or '', safe='[]')}={skipped}")

    def total_of(self, page: PageT) -> int | None:
        """Return the number of all items; None where a page does not say it."""
        total = UNSET if self.total is None else attribute(page, self.total)
        return total if isinstance(total, int) else None

    def _followed(self, said: str, request: Request[PageT], base: str) -> Request[PageT]:
        """Return the request of an address, which must not lead away from the base address.

        Only its query string is taken: whatever it says, nothing is sent to anywhere else.
        """
        try:
            address, home = urlsplit(urljoin(base + request.target, said)), urlsplit(base)
            same = _origin(address) == _origin(home) and "@" not in address.netloc
            query = quote(address.query, safe=_OF_QUERIES)
        except ValueError:
            raise self._refused("is not a valid address", said, request, base) from None
        if not same:
            raise self._refused("leads to another origin, and is not followed", said, request, base)
        if address.path != home.path + request.path:
            raise self._refused("leads to another path, and is not followed", said, request, base)
        return _with_query(request, query)

    @staticmethod
    def _refused(reason: str, said: str, request: Request[PageT], base: str) -> PagingError:
        return PagingError(
            reason, said, Exchange(request.operation, request.method, base + request.target)
        )


def _origin(address: SplitResult) -> tuple[str, str | None, int | None]:
    port = address.port or {"http": 80, "https": 443}.get(address.scheme)
    return address.scheme, address.hostname, port


def _with_query(request: Request[PageT], query: str) -> Request[PageT]:
    """Return the request with this query string, and its own parameters that it leaves out.

    Some services forget what a list is limited to when they say where it goes on.
    """
    said = _names(query)
    kept = [part for part in request.query.split("&") if part and not _names(part) & said]
    return msgspec.structs.replace(request, query="&".join([*kept, *([query] if query else [])]))


def _without_token(request: Request[PageT], redact: Redaction) -> Request[PageT]:
    """Return the request without parameters in which the service has repeated the token.

    It is sent in its header field; addresses are shown in errors and logs.
    """
    kept = [part for part in request.query.split("&") if redact.text(part) == part]
    return msgspec.structs.replace(request, query="&".join(kept))


def _names(query: str) -> set[str]:
    """Return the names of parameters; one of several values may have brackets behind it."""
    return {name.partition("[")[0] for name, _ in parse_qsl(query, keep_blank_values=True)}


class _Walk(Generic[T, PageT]):
    """One passage through the pages, as a call that fetches the page that is next, if one is."""

    def __init__(self, pages: Pages[T, PageT]) -> None:
        self.operation = pages.operation
        self.cautions: tuple[Caution, ...] = ()  # the list itself has warned
        self._request: Request[PageT] | None = pages.request
        # The page whose successor is not known yet. No bound method: what holds itself, and a page
        # with it, would be freed by nothing but the garbage collector.
        self._latest: tuple[PageT, RawResponse[PageT], Request[PageT], str] | None = None
        self._pages = pages
        self._deadline: Deadline | None = None
        self._seen: set[tuple[tuple[str, str], ...]] = set()
        self._items: list[T] = []
        self._read: list[Sequence[T]] = []  # the items of each page
        self._done = 0
        self._refused: PagingError | None = None

    def goes_on(self) -> bool:
        """Return whether there is another page; what is wrong with it is said now, not before."""
        has_more = self.request is not None
        if self._refused is not None:
            raise self._refused
        return has_more

    def steps(self, context: Context[Any], deadline: Deadline) -> Steps[PageT]:
        """Fetch the page that is next, and find out which one follows.

        The deadline that the first page was given is that of the whole passage.
        """
        request = self.request
        assert request is not None
        self._deadline = self._deadline or deadline
        raw = yield from execute(request.raw, context, self._deadline)
        page = raw.parse()
        self._pages.check(page, raw)
        base = context.settings.addresses[request.server]
        self._latest = page, raw, request, base
        report = context.options.on_progress
        following = self.request if self._read or report else None
        if report:
            total = self._pages.total_of(page) if following else self._done
            report(ProgressReport(self.operation, "items", self._done, total))
        return page

    @property
    def request(self) -> Request[PageT] | None:
        """The request of the page that is next; found out when it is asked for."""
        latest, self._latest = self._latest, None
        if latest is not None:
            self._request = self._go_on_after(*latest)
        return self._request

    def _go_on_after(
        self, page: PageT, raw: RawResponse[PageT], request: Request[PageT], base: str
    ) -> Request[PageT] | None:
        """Note what a page has; return the request of the one that follows."""
        items = self._pages.items_of(page)
        if items and isinstance(items[0], ResponseModel):
            if items in self._read:
                exchange = raw.redact(
                    Exchange(request.operation, request.method, base + request.target)
                )
                reason = "has the items of a page that was already read"
                raise PagingError(reason, request.target, exchange, tuple(self._items))
            self._read.append(items)
        self._items += self._pages.wanted(page)
        self._done += len(items)
        self._seen.add(self._pages.place(request))
        try:
            following = self._pages.after(page, request, base, raw.headers)
            return self._unseen(following, base, raw.redact)
        except PagingError as error:
            # The page itself is good; its items must not get lost.
            said, exchange = raw.redact.text(error.next_page), raw.redact(error.exchange)
            self._refused = PagingError(error.reason, said, exchange, tuple(self._items))
            counted = self._pages.counted(page, request)
            return None if counted is None or self._is_seen(counted) else counted

    def _unseen(
        self, request: Request[PageT] | None, base: str, redact: Redaction
    ) -> Request[PageT] | None:
        """Return the request of the next page, as it is sent."""
        if request is None:
            return None
        request = _without_token(request, redact)
        if self._is_seen(request):
            exchange = Exchange(request.operation, request.method, base + request.target)
            raise PagingError("was already read", request.target, exchange)
        return request

    def _is_seen(self, request: Request[PageT]) -> bool:
        return self._pages.place(request) in self._seen


class _Pager(Generic[T, PageT]):
    """Common base of the lists of both clients."""

    def __init__(self, client: Any, pages: Pages[T, PageT]) -> None:
        warn(pages.operation, pages.cautions)
        self._client = client
        self._pages = pages
        self._next: Request[PageT] | None = pages.request

    @property
    def next_page(self) -> int | None:
        """The number of the next page of the latest iteration, to resume from after an error.

        Items that were read, and not taken before you stopped, are on the page before it.
        `list(…, page=pager.next_page)` does. None at the end, and if pages have no numbers.
        """
        return None if self._next is None else self._pages.number(self._next)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._pages.operation}>"

    def _repr_html_(self) -> str:
        from ..core.notebooks import text_as_html

        reading = "await pager.first_page()", "[item async for item in pager]"
        return text_as_html(f"{self!r}: {reading[0]} reads the first page, {reading[1]} all")


class Pager(_Pager[T, PageT]):
    """A list that is fetched page by page as you iterate.

    `for item in pager` iterates over all items, `for page in pager.pages()` over the pages. Each
    iteration starts again, and the client's deadline is for a whole iteration.
    """

    _client: Client

    def pages(self) -> Iterator[PageT]:
        """Iterate over the pages.

        Raises:
            PagingError: the address of the next page leads away from the base address, or to a
                page that was already read, is null before the last page, or is there on the last
                one; or a page has the items of one that was already read. It comes after the page
                that has the address, and its `items` are all that was read.

        Also raises the errors of a single request.
        """
        walk = _Walk(self._pages)
        self._next = walk.request
        while walk.goes_on():
            page = self._client.send(walk)
            self._next = walk.request
            yield page

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from self._pages.wanted(page)

    def first_page(self) -> PageT:
        """Fetch only the first page."""
        return self._client.send(_Walk(self._pages))

    def _repr_html_(self) -> str:
        """Return the first page as a table; a request reads it, when a notebook shows the list."""
        from ..core.notebooks import items_as_html, text_as_html

        walk = _Walk(self._pages)
        try:
            items = self._pages.wanted(self._client.send(walk))
        except ClientError as error:
            return text_as_html(f"{self!r}: {error}")
        more = " of the first page" if walk.request is not None else ""
        return items_as_html(items, f"{self._pages.operation}: ", more=more)


class AsyncPager(_Pager[T, PageT]):
    """A list that is fetched page by page as you iterate.

    `async for item in pager` iterates over all items, `async for page in pager.pages()` over the
    pages. Each iteration starts again, and the client's deadline is for a whole iteration.
    """

    _client: AsyncClient

    def pages(self) -> AsyncIterator[PageT]:
        """Iterate over the pages; raises the errors of `Pager.pages`."""
        return self._through()

    def __aiter__(self) -> AsyncIterator[T]:
        return self._items()

    # Editors that infer types, jedi among them, do not look into asynchronous generators.
    async def _through(self) -> AsyncIterator[PageT]:
        walk = _Walk(self._pages)
        self._next = walk.request
        while walk.goes_on():
            page = await self._client.send(walk)
            self._next = walk.request
            yield page

    async def _items(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in self._pages.wanted(page):
                yield item

    async def first_page(self) -> PageT:
        """Fetch only the first page."""
        return await self._client.send(_Walk(self._pages))
