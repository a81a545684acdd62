"""Responses that are read piece by piece."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from ..core.errors import (
    ArgumentError,
    ArgumentProblem,
    ClientError,
    DeadlineExceeded,
    Exchange,
    RequestTimedOut,
    ResponseTooLarge,
)
from ..core.type_guards import is_count
from ..response.raw import ResponseHead
from ..response.redaction import Redaction
from .http import DeadlineGuard, Meter, translated

if TYPE_CHECKING:
    from ..core.deadline import Deadline


class _Streamed(ResponseHead):
    """A response with success whose body is still to be read.

    Attributes:
        redact: takes the token out of errors that it goes into.
    """

    def __init__(
        self, exchange: Exchange, attempts: int, response: Any, deadline: Deadline
    ) -> None:
        super().__init__(exchange, attempts)
        self._response = response
        self._deadline = deadline
        self.redact: Redaction = Redaction("")

    def _check(self, size: int | None, limit: int | None) -> None:
        problems = tuple(
            ArgumentProblem(name, f"expected a whole number from {least}, got {value!r}")
            for name, value, least in (("size", size, 1), ("limit", limit, 0))
            if value is not None and (not is_count(value) or value < least)
        )
        if problems:
            raise ArgumentError(self.exchange.operation, problems)

    def _too_late(self) -> DeadlineExceeded:
        return self._deadline.exceeded(self.exchange.operation, "reading the response")

    def _failure(self, error: Exception) -> Exception:
        """Our error for one that came while it was read; any other error as it is.

        It is raised outside of what handles `error`, which would come back as its context.
        """
        import httpx2

        if isinstance(error, (httpx2.StreamConsumed, httpx2.StreamClosed)):
            return ClientError(
                f"{self.exchange}: the body was already read, or its `with` block has ended"
            )
        if isinstance(error, ResponseTooLarge):
            return self.redact.error(error)
        broken = translated(error, self.exchange)
        if broken is None:
            return error
        broken.__cause__ = error
        self.redact.error(broken)
        if not (isinstance(broken, RequestTimedOut) and self._deadline.is_over):
            return broken
        late = self._too_late()
        late.__cause__ = broken
        return late


class StreamedResponse(_Streamed):
    """A response with success whose body is read piece by piece."""

    def iter_bytes(self, size: int | None = None, *, limit: int | None = None) -> Generator[bytes]:
        """Yield the body, decompressed, in pieces of `size` bytes, or as they come; only once.

        Args:
            size: bytes of each piece but the last.
            limit: the longest body that is read, in bytes; None for any length.

        Raises:
            ResponseTooLarge: the body is longer than `limit`.
            TransportError: it broke off.
            DeadlineExceeded: the time of the call is over.
            ArgumentError: the size is no whole number from 1, or the limit none from 0.
        """
        self._check(size, limit)
        try:
            meter = Meter(limit, self.exchange)
            chunks = self._response.iter_bytes(size)
            while (chunk := self._next(chunks)) is not None:
                meter.count(chunk)
                yield chunk
            return
        except Exception as error:
            failure = self._failure(error)
        raise failure

    def _next(self, chunks: Iterator[bytes]) -> bytes | None:
        with DeadlineGuard(self._deadline):
            chunk = next(chunks, None)
        if chunk is not None and self._deadline.is_over:
            raise self._too_late()
        return chunk

    def close(self) -> None:
        """Read no more of it. The end of the `with` block does this."""
        self._response.close()


class AsyncStreamedResponse(_Streamed):
    """The same for the asynchronous client."""

    async def iter_bytes(
        self, size: int | None = None, *, limit: int | None = None
    ) -> AsyncGenerator[bytes]:
        """Return the body, decompressed; arguments and errors are those of `StreamedResponse`."""
        self._check(size, limit)
        try:
            meter = Meter(limit, self.exchange)
            async with aclosing(self._response.aiter_bytes(size)) as chunks:
                while (chunk := await self._next(chunks)) is not None:
                    meter.count(chunk)
                    yield chunk
            return
        except Exception as error:
            failure = self._failure(error)
        raise failure

    async def _next(self, chunks: AsyncIterator[bytes]) -> bytes | None:
        from anyio import move_on_after

        chunk: bytes | None = None
        with move_on_after(self._deadline.left):
            chunk = await anext(chunks, None)
        if self._deadline.is_over:
            raise self._too_late()
        return chunk

    async def close(self) -> None:
        """Read no more of it. The end of the `async with` block does this."""
        await self._response.aclose()
