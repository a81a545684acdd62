"""Work that a thread of its own does for a task: uploads of the asynchronous client.

A service may refuse an upload early, and close. An event loop gives the connection up when it fails
to write, together with the response that it has not read; a thread can still read it.

To wake a thread for each chunk that is read, and the event loop for each that is sent, costs more
than the chunks themselves. One thread that reads and sends, as the client that waits does, is
woken by its socket alone.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..core.clock import from_other_threads
from ..core.errors import RequestTimedOut
from ..request.progress import Progress, reporting
from .http import guard

if TYPE_CHECKING:
    import socket

T = TypeVar("T")
Trace: TypeAlias = "Callable[[str, dict[str, Any]], None]"

# Seconds that a cancel waits for a thread whose connection was cut. It is at its end by then, or a
# file keeps it waiting.
LAST_WAIT = 1.0
NAME = "upload"  # of the threads
OFTEN = 0.05  # seconds; to report every chunk of a fast upload takes as long as to send it

# Seconds that a thread waits for a connection before it looks whether it has been given up. After
# these, TCP tries again by itself.
CONNECT_SLICE = 0.9
# So often it does; a server that takes longer to respond than a slice can be reached after that.
CONNECT_SLICES = 10

_MADE = ("connect_tcp.complete", "connect_unix_socket.complete")


async def in_upload_thread(work: Callable[[Trace], T], close: Callable[[], object]) -> T:
    """Let a thread of its own make a connection and use it; what it returns or raises.

    A cancel cuts the connection, and waits for the end of the thread. A thread that is still
    connecting is not waited for: it ends within a second, and sends nothing. Progress is reported
    by the task: the beginning and the end of a file, and what lies between every now and then.

    Args:
        work: takes what the HTTP library is to call at every stage of its one request. It is done
            again if no connection comes about in a part of its time.
        close: called by the thread in the end.
    """
    return await _Upload(close).do(work)


class _Upload:
    """A task and the thread that works for it."""

    def __init__(self, close: Callable[[], object]) -> None:
        from anyio import Event

        self._close = close
        self._connects_until: float | None = None
        self._slices = 0

        self._soon = from_other_threads()
        self._turn = Event()  # it is the task's turn: there is something to report, or all is done
        self._lock = Lock()
        self._given_up = False
        self._connection: socket.socket | None = None
        self._reported_at = -OFTEN
        self._reporting: tuple[Future[None], Callable[[], object]] | None = None

    async def do(self, work: Callable[[Trace], T]) -> T:
        done: Future[T] = Future()
        context = copy_context()
        context.run(reporting.set, self._report)
        # A daemon: the program's end does not wait for one that is still connecting.
        target, arguments = context.run, (self._work, work, done)
        Thread(target=target, args=arguments, name=NAME, daemon=True).start()
        try:
            while not done.done():
                await self._next_turn()
                self._report_now()
        except BaseException:
            if self._cut_off():
                await self._end_of(done)
            raise
        return done.result()

    async def _next_turn(self) -> None:
        from anyio import Event

        await self._turn.wait()
        self._turn = Event()

    async def _end_of(self, done: Future[T]) -> None:
        from anyio import move_on_after

        with move_on_after(LAST_WAIT, shield=True):
            while not done.done():
                await self._next_turn()

    def _report_now(self) -> None:
        """Call the callback that the thread waits for."""
        reporting, self._reporting = self._reporting, None
        if reporting is None:
            return
        reported, call = reporting
        try:
            call()
        except BaseException as error:
            reported.set_exception(error)
        else:
            reported.set_result(None)

    def _cut_off(self) -> bool:
        """End what the thread is doing; whether it does more than connecting."""
        with self._lock:
            self._given_up = True
            if self._reporting is not None:
                self._reporting[0].cancel()
            return self._cut()

    def _cut(self) -> bool:
        import socket

        if self._connection is None:
            return False
        with suppress(OSError):  # the other end was faster
            self._connection.shutdown(socket.SHUT_RDWR)
        return True

    # What the thread calls

    def _work(self, work: Callable[[Trace], T], done: Future[T]) -> None:
        try:
            try:
                result = self._done(work)
            finally:
                self._close()
                self._forget()
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(result)
        with suppress(RuntimeError):  # the event loop has ended
            self._soon(self._wake)

    def _done(self, work: Callable[[Trace], T]) -> T:
        while True:
            try:
                return work(self._trace)
            except RequestTimedOut:
                until = self._connects_until
                has_time = until is not None and monotonic() < until
                if self._given_up or self._connection is not None or not has_time:
                    raise

    def _wake(self) -> None:
        self._turn.set()

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        guard(event, info)
        if event.endswith("connect_tcp.started") and info["timeout"] is not None:
            now = monotonic()
            until: float = self._connects_until or now + info["timeout"]
            self._connects_until = until
            self._slices += 1
            left = max(0.001, until - now)
            info["timeout"] = min(left, CONNECT_SLICE) if self._slices <= CONNECT_SLICES else left
        if not event.endswith(_MADE):
            return
        with self._lock:
            # TLS takes the socket over. A duplicate reaches the same connection, whatever becomes
            # of the socket meanwhile.
            self._connection = info["return_value"].get_extra_info("socket").dup()
            if self._given_up:
                self._cut()

    def _forget(self) -> None:
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _report(self, callback: Progress, sent: int, total: int | None) -> None:
        """Let the task call a callback, and wait for it; between the ends not too often."""
        now = monotonic()
        if 0 < sent != total and now < self._reported_at + OFTEN:
            return
        self._reported_at = now
        reported: Future[None] = Future()
        with self._lock:
            if self._given_up:
                reported.cancel()
            self._reporting = reported, lambda: callback(sent, total)
        self._soon(self._wake)
        reported.result()
