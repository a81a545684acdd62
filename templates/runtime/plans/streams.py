"""Responses that come as a stream, followed over as many connections as it takes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import msgspec

from ..core.callers import warn
from ..core.errors import ClientError, ResponseTooLarge, TransportError
from ..core.named_tuples import NamedTuple
from ..engine.effects import Pause, Steps
from ..limits.retries import jittered_backoff
from ..response.decode import decode
from ..response.events import EventReader, ServerEvent
from ..response.items import ItemReader

if TYPE_CHECKING:
    from typing import Self

    from ..core.deadline import Deadline
    from ..engine.client import AsyncClient, Client
    from ..engine.context import Context
    from ..engine.options import Options
    from ..request.request import Caution, Request
    from ..transport.streaming import AsyncStreamedResponse, StreamedResponse

T = TypeVar("T")

EVENTS = "text/event-stream"
# The names of one thing: services do not agree on them.
LINES = tuple(
    f"application/{name}" for name in ("jsonl", "x-jsonl", "x-jsonlines", "ndjson", "x-ndjson")
)
DONE = "[DONE]"  # what many services end a stream of JSON with; it is no JSON itself


class _Reader(Protocol):
    """Reads what comes in pieces."""

    @property
    def last_id(self) -> str: ...
    @property
    def retry(self) -> float | None: ...
    @property
    def pending(self) -> int: ...
    def begin(self) -> None: ...
    def feed(self, chunk: bytes) -> Iterator[Any]: ...
    def finish(self) -> Iterator[Any]: ...


class _Streamed(Generic[T]):
    """A response that comes as a stream, as a value: its request, and that of each single value."""

    def __init__(self, request: Request[Any], type: Any, media_type: str) -> None:
        self.request = msgspec.structs.replace(request, accept=media_type)
        self.each = msgspec.structs.replace(self.request, returns=type, by_status={}, keyed_by=None)

    def reader(self) -> _Reader:
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

    def reader(self) -> _Reader:
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

    def reader(self) -> _Reader:
        return ItemReader(has_marks=self._has_marks)

    def fits(self, media_type: str) -> bool:
        return super().fits(media_type) or (not self._has_marks and media_type in LINES)

    def value(self, piece: bytes, decoded: Callable[[bytes], Any]) -> T:
        value: T = decoded(piece)
        return value


def bare(media_type: str) -> str:
    """Return a media type without its parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


class _Following(Generic[T]):
    """State of a stream: where it is, and whether it goes on."""

    def __init__(self, streamed: _Streamed[T], options: Options) -> None:
        self._streamed = streamed
        self._options = options
        self._reader = streamed.reader()
        self._response: StreamedResponse | AsyncStreamedResponse | None = None
        self._failures = 0
        self._has_found = False
        self.found = deque[Any]()
        self.is_over = False

    @property
    def request(self) -> Request[Any]:
        """The request of the next connection, which goes on after the last event."""
        self._reader.begin()
        request = self._streamed.request
        if not self._is_resumable:
            return request
        headers = {**request.headers, "Last-Event-ID": self._reader.last_id}
        return msgspec.structs.replace(request, headers=headers)

    @property
    def _is_resumable(self) -> bool:
        return bool(re.fullmatch("[!-~]+(?: +[!-~]+)*", self._reader.last_id))

    def begin(self, response: StreamedResponse | AsyncStreamedResponse) -> None:
        """Begin a connection; a response of 204 ends the stream."""
        self._response = response
        said = bare(response.headers.get("content-type", ""))
        self.is_over = response.status == 204
        if not self.is_over and not self._streamed.fits(said):
            wanted = self._streamed.request.accept
            raise ClientError(
                f"{response.exchange}: responded with {said or 'nothing'}, not {wanted}"
            )

    def feed(self, chunk: bytes | None) -> bool:
        """Take a piece of a response, or None at its end; return whether there is more to read."""
        for piece in self._reader.finish() if chunk is None else self._reader.feed(chunk):
            self._failures, self._has_found = 0, True
            if self._streamed.is_end(piece):
                self.is_over = True
                return False
            self.found.append(piece)
        longest = self._options.max_response_bytes
        if self._reader.pending > longest and self._response is not None:
            exchange = self._response.exchange
            text = f"{exchange}: a piece of the stream has more than {longest} bytes"
            raise ResponseTooLarge(text, exchange)
        return chunk is not None

    def take(self) -> T:
        """Return what was found first."""
        return self._streamed.value(self.found.popleft(), self._decoded)

    def _decoded(self, data: bytes) -> Any:
        response = self._response
        assert response is not None
        exchange = response.exchange._replace(body=data)
        return decode(self._streamed.each, exchange, response.redact, self._options.watch)

    def pause(self, error: TransportError | None) -> float | None:
        """Return the seconds until the next connection; None where the stream has ended.

        A stream that broke off goes on if nothing is lost or comes twice. One that ended in order
        goes on only if the service has given identifiers, by which it can.

        Args:
            error: what broke it off; it is raised again where the stream does not go on.
        """
        again = self._streamed.request.retry_safety == "safe" and (
            self._is_resumable or (error is not None and not self._has_found)
        )
        self._failures += 1
        if self.is_over or not again or self._failures >= self._options.retries.attempts:
            self.is_over = True
            if error is not None:
                raise error
            return None
        asked = self._reader.retry
        pause = jittered_backoff(self._options.retries, self._failures) if asked is None else asked
        return min(pause, self._options.retries.longest_wait)


class _Paused(NamedTuple):
    """The time until the next connection, as a call."""

    seconds: float
    operation: str
    cautions: tuple[Caution, ...] = ()

    def steps(self, context: Context[Any], deadline: Deadline) -> Steps[None]:
        yield Pause(self.seconds, self.operation, "retry")


class _OpenStream(Generic[T]):
    """Common base of the streams of both clients."""

    def __init__(self, client: Any, streamed: _Streamed[T]) -> None:
        warn(streamed.request.operation, streamed.request.cautions)
        self._client = client
        self._operation = streamed.request.operation
        self._following = _Following(streamed, client.options)
        self._chunks: Any = None
        self._pause: float | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._operation}>"

    def _end(self) -> None:
        self._following.is_over = True
        self._following.found.clear()


class _Stream(_OpenStream[T]):
    """A stream that is read while it is gone through, once."""

    def __init__(self, client: Client, streamed: _Streamed[T]) -> None:
        super().__init__(client, streamed)
        self._open = ExitStack()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        while not self._following.found:
            if self._following.is_over:
                raise StopIteration
            self._read()
        return self._following.take()

    def _read(self) -> None:
        """Read a piece, over a new connection where there is none."""
        following = self._following
        failure: TransportError | None = None
        try:
            if self._chunks is None:
                if self._pause:
                    self._client.send(_Paused(self._pause, self._operation))
                response = self._open.enter_context(self._client.stream(following.request))
                following.begin(response)
                self._chunks = response.iter_bytes()
            if following.feed(next(self._chunks, None)):
                return
        except TransportError as error:
            failure = error
        except BaseException:
            self.close()
            raise
        self._disconnect()
        self._pause = following.pause(failure)

    def _disconnect(self) -> None:
        self._chunks = None
        self._open.close()

    def close(self) -> None:
        """Read no more of it, and give the connection up. The end of a `with` block does this."""
        self._end()
        self._disconnect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class EventStream(_Stream[ServerEvent[T]]):
    """Server-sent events, read while they are gone through: `for event in stream`, once.

    The first `next` sends the request. A stream that breaks off goes on where it was, if the
    operation is safe to repeat and the service has given identifiers (`Last-Event-ID`). Each
    connection has the client's whole deadline. Close it, or use it in a `with` block, if you do
    not read it to its end.

    `next` raises:

    - StatusError: the service responded with a status outside 200 to 299.
    - TransportError: the stream broke off, and cannot go on.
    - DecodeError: the data of an event is not of its type; the next `next` goes on after it.
    - ResponseTooLarge: one event is longer than `max_response_bytes`.
    """


class ItemStream(_Stream[T]):
    """JSON values that come one after the other: `for item in stream`, once.

    As `EventStream`; a stream that breaks off after its first item does not go on.
    """


class _AsyncStream(_OpenStream[T]):
    """A stream that is read while it is gone through, once."""

    def __init__(self, client: AsyncClient, streamed: _Streamed[T]) -> None:
        super().__init__(client, streamed)
        self._open = AsyncExitStack()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        while not self._following.found:
            if self._following.is_over:
                raise StopAsyncIteration
            await self._read()
        return self._following.take()

    async def _read(self) -> None:
        """Read a piece, over a new connection where there is none."""
        following = self._following
        failure: TransportError | None = None
        try:
            if self._chunks is None:
                if self._pause:
                    await self._client.send(_Paused(self._pause, self._operation))
                opened = self._client.stream(following.request)
                response = await self._open.enter_async_context(opened)
                following.begin(response)
                self._chunks = response.iter_bytes()
            if following.feed(await anext(self._chunks, None)):
                return
        except TransportError as error:
            failure = error
        except BaseException:
            await self.close()
            raise
        await self._disconnect()
        self._pause = following.pause(failure)

    async def _disconnect(self) -> None:
        self._chunks = None
        await self._open.aclose()

    async def close(self) -> None:
        """Read no more, and give the connection up. The end of an `async with` block does this."""
        self._end()
        await self._disconnect()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncEventStream(_AsyncStream[ServerEvent[T]]):
    """Server-sent events: `async for event in stream`; all else is as for `EventStream`."""


class AsyncItemStream(_AsyncStream[T]):
    """JSON values that come one after the other: `async for item in stream`; as `ItemStream`."""
