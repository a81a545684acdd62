"""Following a stream of events over as many connections as it takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from ..core.errors import ClientError, ResponseTooLarge, TransportError
from ..limits.retries import drawn_pause
from ..response.decode import decode
from ..response.events import EventReader, ServerEvent

if TYPE_CHECKING:
    from ..request.request import Request
    from ..transport.streaming import AsyncStreamedResponse, StreamedResponse
    from .options import Options

__all__ = ["Following"]

STREAM = "text/event-stream"


class Following:
    """State of a stream of events: where it is, and whether it goes on.

    Args:
        type_: what the data of an event is decoded to; None stands for what the documents say.
        end: the data that ends the stream, such as `[DONE]`.
    """

    def __init__(
        self, request: Request[Any], options: Options, type_: Any, end: str | None
    ) -> None:
        self._request = request
        self._options = options
        self._type = request.events if type_ is None else type_
        self._end = end
        self._reader = EventReader()
        self._failures = 0
        self._has_events = False
        self.is_over = False

    @property
    def request(self) -> Request[Any]:
        """The request of the next connection, which goes on after the last event."""
        self._reader.begin()
        headers = dict(self._request.headers)
        if self._is_resumable:
            headers["Last-Event-ID"] = self._reader.last_id
        return msgspec.structs.replace(self._request, accept=STREAM, headers=headers)

    @property
    def _is_resumable(self) -> bool:
        return bool(re.fullmatch("[!-~]+(?: +[!-~]+)*", self._reader.last_id))

    def check(self, response: StreamedResponse | AsyncStreamedResponse) -> None:
        """See to it that a response is a stream of events; one of 204 ends it.

        Raises:
            ClientError: it is something else.
        """
        said = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        self.is_over = response.status == 204
        if said != STREAM and not self.is_over:
            raise ClientError(
                f"{response.exchange}: responded with {said or 'nothing'}, not events"
            )

    def events(
        self, chunk: bytes, response: StreamedResponse | AsyncStreamedResponse
    ) -> Iterator[ServerEvent[Any]]:
        """Yield the events that a piece of a response completes.

        Raises:
            DecodeError: the data of one is not what it should be.
            ResponseTooLarge: one is longer than a response may be.
        """
        for event in self._reader.feed(chunk):
            self._failures, self._has_events = 0, True
            if event.data == self._end:
                self.is_over = True
                return
            yield event if self._type is str else self._decoded(event, response)
        if self._reader.pending > self._options.max_response_bytes:
            text = f"an event of more than {self._options.max_response_bytes} bytes"
            raise ResponseTooLarge(f"{response.exchange}: {text}", response.exchange)

    def _decoded(
        self, event: ServerEvent[str], response: StreamedResponse | AsyncStreamedResponse
    ) -> ServerEvent[Any]:
        request = msgspec.structs.replace(self._request, returns=self._type, by_status={})
        exchange = response.exchange._replace(body=event.data.encode())
        data = decode(request, exchange, response.redact, self._options.watch)
        return ServerEvent(data, event.event, event.id)

    def pause(self, error: TransportError | None) -> float | None:
        """Return the seconds until the next connection; None where the stream has ended.

        A stream that broke off goes on if no event is lost or comes twice. One that ended in order
        goes on only if the service has given identifiers, by which it can.

        Args:
            error: what broke it off; it is raised again where the stream does not go on.
        """
        again = self._request.retry_safety == "safe" and (
            self._is_resumable or (error is not None and not self._has_events)
        )
        self._failures += 1
        if self.is_over or not again or self._failures >= self._options.retries.attempts:
            if error is not None:
                raise error
            return None
        asked = self._reader.retry
        pause = drawn_pause(self._options.retries, self._failures) if asked is None else asked
        return min(pause, self._options.retries.longest_wait)
