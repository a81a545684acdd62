"""Responses that come as a stream, read over one connection."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from ..core.callers import warn
from ..core.errors import ClientError, ResponseTooLarge, TransportError
from ..response.decode import decode
from ..response.events import EventReader, ServerEvent
from ..response.items import ItemReader

if TYPE_CHECKING:
    from typing import Self

    from ..engine.client import AsyncClient, Client
    from ..request.request import Request
    from ..transport.streaming import AsyncStreamedResponse, StreamedResponse

T = TypeVar("T")

EVENTS = "text/event-stream"
# The names of one thing: services do not agree on them.
LINES = tuple(
    f"application/{name}" for name in ("jsonl", "x-jsonl", "x-jsonlines", "ndjson", "x-ndjson")
)
DONE = "[DONE]"  # what many services end a stream of JSON with; it is no JSON itself


class _Streamed(Generic[T]):
    """A response that comes as a stream, as a value: its request, and that of each single value."""

    def __init__(self, request: Request[Any], type: Any, media_type: str) -> None:
        self.request: Request[Any] = msgspec.structs.replace(request, accept=media_type)
        self.each: Request[Any] = msgspec.structs.replace(
            self.request, returns=type, by_status={}, keyed_by=None
        )

    def reader(self) -> EventReader | ItemReader:
        """Return what reads the pieces of the response."""
        raise NotImplementedError

    def fits(self, media_type: str) -> bool:
        """Return whether a response of this media type can be read."""
        return media_type == bare(self.request.accept)

    def is_end(self, piece: Any) -> bool:
        """Return whether what a reader has found ends the stream."""
        return False

    def value(self, piece: Any, decoded: Callable[[bytes], Any]) -> T:
        """Return what a reader has found as a caller gets it; `decoded` reads JSON."""
        raise NotImplementedError


class StreamedEvents(_Streamed[ServerEvent[T]]):
    """Server-sent events, as a value.

    Args:
        type: what the data of an event is: JSON of a type, or `str`.
        end: the data that ends the stream; with JSON `[DONE]` does, if nothing else is given.
    """

    def __init__(self, request: Request[Any], type: Any, *, end: str | None = None) -> None:
        super().__init__(request, type, EVENTS)
        self._end = DONE if end is None and type is not str else end

    def reader(self) -> EventReader | ItemReader:
        return EventReader()

    def is_end(self, piece: ServerEvent[str]) -> bool:
        return piece.data == self._end

    def value(self, piece: ServerEvent[str], decoded: Callable[[bytes], Any]) -> ServerEvent[T]:
        data: Any = piece.data
        if self.each.returns is not str:
            data = decoded(data.encode())
        return ServerEvent(data, piece.event, piece.id)


class StreamedItems(_Streamed[T]):
    """JSON values one after the other, as a value: as lines, or after record separators."""

    def __init__(self, request: Request[Any], type: Any, media_type: str) -> None:
        super().__init__(request, type, media_type)
        self._has_marks = bare(media_type).endswith("json-seq")

    def reader(self) -> EventReader | ItemReader:
        return ItemReader(has_marks=self._has_marks)

    def fits(self, media_type: str) -> bool:
        return super().fits(media_type) or (not self._has_marks and media_type in LINES)

    def value(self, piece: bytes, decoded: Callable[[bytes], Any]) -> T:
        value: T = decoded(piece)
        return value


def bare(media_type: str) -> str:
    """Return a media type without its parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


class _OpenStream(Generic[T]):
    """Common base of the streams of both clients."""

    def __init__(self, client: Any, streamed: _Streamed[T]) -> None:
        self._request = streamed.request
        warn(self._request.operation, self._request.cautions)
        self._client = client
        self._streamed = streamed
        self._reader = streamed.reader()
        self._response: StreamedResponse | AsyncStreamedResponse | None = None
        self._chunks: Any = None
        self._found = deque[Any]()
        self._is_over = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._request.operation}>"

    def _begin(self, response: StreamedResponse | AsyncStreamedResponse) -> None:
        """Begin to read a response; one of 204 is an empty stream."""
        self._response, self._chunks = response, response.iter_bytes()
        said = bare(response.headers.get("content-type", ""))
        if response.status != 204 and not self._streamed.fits(said):
            wanted = self._request.accept
            raise ClientError(
                f"{response.exchange}: responded with {said or 'nothing'}, not {wanted}"
            )

    def _feed(self, chunk: bytes | None) -> None:
        """Take a piece of the response, or None at its end."""
        self._is_over = chunk is None
        for piece in self._reader.finish() if chunk is None else self._reader.feed(chunk):
            if self._streamed.is_end(piece):
                self._is_over = True
                return
            self._found.append(piece)
        longest = self._client.options.max_response_bytes
        if self._reader.pending > longest and self._response is not None:
            exchange = self._response.exchange
            text = f"{exchange}: a piece of the stream has more than {longest} bytes"
            raise ResponseTooLarge(text, exchange)

    def _take(self) -> T:
        """Return what was found first."""
        return self._streamed.value(self._found.popleft(), self._decoded)

    def _decoded(self, data: bytes) -> Any:
        response = self._response
        assert response is not None
        exchange = response.exchange._replace(body=data)
        return decode(self._streamed.each, exchange, response.redact, self._client.options.watch)

    def _note(self, error: BaseException) -> None:
        if isinstance(error, TransportError) and self._chunks is not None:
            error.add_note("the stream broke off: call the method again for a new one")

    def _end(self) -> None:
        self._is_over = True
        self._found.clear()


class _Stream(_OpenStream[T]):
    """A stream that is read while it is gone through, once."""

    def __init__(self, client: Client, streamed: _Streamed[T]) -> None:
        super().__init__(client, streamed)
        self._open = ExitStack()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        while not self._found:
            if self._is_over:
                raise StopIteration
            self._read()
        return self._take()

    def _read(self) -> None:
        """Read a piece; send the request first, where that is still to be done."""
        try:
            if not self._chunks:
                self._begin(self._open.enter_context(self._client.stream(self._request)))
            self._feed(next(self._chunks, None))
        except BaseException as error:
            self._note(error)
            self.close()
            raise
        if self._is_over:
            self._open.close()

    def close(self) -> None:
        """Read no more of it, and give the connection up. The end of a `with` block does this."""
        self._end()
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class EventStream(_Stream[ServerEvent[T]]):
    """Server-sent events, read while they are gone through: `for event in stream`, once.

    The first `next` sends the request. A stream that breaks off is not taken up again: call the
    method again for a new one. All of it is read within the client's deadline. Close it, or use it
    in a `with` block, if you do not read it to its end.

    `next` raises:

    - StatusError: the service responded with a status outside 200 to 299.
    - TransportError: the stream broke off.
    - DeadlineExceeded: the time of the call is over.
    - DecodeError: the data of an event is not of its type; the next `next` goes on after it.
    - ResponseTooLarge: one event is longer than `max_response_bytes`.
    """


class ItemStream(_Stream[T]):
    """JSON values that come one after the other: `for item in stream`, once; as `EventStream`."""


class _AsyncStream(_OpenStream[T]):
    """A stream that is read while it is gone through, once."""

    def __init__(self, client: AsyncClient, streamed: _Streamed[T]) -> None:
        super().__init__(client, streamed)
        self._open = AsyncExitStack()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        while not self._found:
            if self._is_over:
                raise StopAsyncIteration
            await self._read()
        return self._take()

    async def _read(self) -> None:
        """Read a piece; send the request first, where that is still to be done."""
        try:
            if not self._chunks:
                opened = self._client.stream(self._request)
                self._begin(await self._open.enter_async_context(opened))
            self._feed(await anext(self._chunks, None))
        except BaseException as error:
            self._note(error)
            await self.close()
            raise
        if self._is_over:
            await self._open.aclose()

    async def close(self) -> None:
        """Read no more, and give the connection up. The end of an `async with` block does this."""
        self._end()
        await self._open.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncEventStream(_AsyncStream[ServerEvent[T]]):
    """Server-sent events: `async for event in stream`; all else is as for `EventStream`."""


class AsyncItemStream(_AsyncStream[T]):
    """JSON values that come one after the other: `async for item in stream`; as `ItemStream`."""
