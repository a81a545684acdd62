"""Serve ASGI applications on real ports, in one background event loop per process."""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import FrameType
from typing import Any, Final, Self, TypeVar

import uvicorn

from social_publishing_sandbox.api.protocol import MAX_HEAD, Reachable
from social_publishing_sandbox.api.transport import App

T = TypeVar("T")

log = logging.getLogger("social_publishing_sandbox")

_REMEMBERED: Final = 10_000  # ports; a system has some 28,000 to choose from
_GRACE: Final = 5.0  # seconds that requests get to end when a server stops
_STEP: Final = 0.001

SILENCE: Final = 60.0
"""Seconds for which a client may leave a request that it has begun."""


class _Background:
    """A daemon thread with an event loop; started when the first server needs it."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    def loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = _new_loop()
                threading.Thread(
                    target=self._loop.run_forever, name="social-publishing-sandbox", daemon=True
                ).start()
            return self._loop

    def forget(self) -> None:
        """Forget the parent's thread: a forked process has none."""
        self._loop = None
        self._lock = threading.Lock()


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:  # not made for every system
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


_background: Final = _Background()
if hasattr(os, "register_at_fork"):  # there is none on Windows, and no fork either
    os.register_at_fork(after_in_child=_background.forget)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Carry out a coroutine in the event loop of all servers, and wait for its result."""
    return asyncio.run_coroutine_threadsafe(work, _background.loop()).result()


_chosen: Final[deque[int]] = deque(maxlen=_REMEMBERED)  # the ports that were had


class Server:
    """One application on one port.

    Args:
        port: the port, or 0 for a free one.
        options: of uvicorn, besides those of a sandbox.

    Attributes:
        host, port: what it has, once it is bound or started.

    Raises:
        OSError: from `bind` and `start`, if the port is not available.
    """

    def __init__(self, app: App, host: str = "127.0.0.1", port: int = 0, **options: Any) -> None:
        self._app = app
        self.host = host
        self.port = port
        self._options = options
        self._listener: socket.socket | None = None
        self._server: uvicorn.Server | None = None
        self._tasks: list[asyncio.Task[Any]] = []

    @property
    def is_listening(self) -> bool:
        """Whether it was started, and not stopped since."""
        return self._server is not None

    def bind(self) -> None:
        """Take the port, without listening yet."""
        self._listener = listen(self.host, self.port)
        self.host, self.port = self._listener.getsockname()[:2]

    def start(self, every: Callable[[], None] | None = None, seconds: float = 0.25) -> None:
        """Listen, unless it does already.

        Args:
            every: called in the loop every `seconds`, for what happens without a request.
        """
        if self._server:
            return
        if self._listener is None:
            self.bind()
        listener, self._listener = self._listener, None
        assert listener is not None
        run(self._start(listener, every, seconds))

    async def _start(
        self, listener: socket.socket, every: Callable[[], None] | None, seconds: float
    ) -> None:
        options = {
            "http": Reachable,
            "ws": "none",
            "lifespan": "off",
            "log_config": None,
            "access_log": False,
            "server_header": False,
            "backlog": 4096,
            "timeout_keep_alive": 75,
            "h11_max_incomplete_event_size": MAX_HEAD,
        }
        config = uvicorn.Config(self._app, **{**options, **self._options})
        config.load()
        server = self._server = uvicorn.Server(config)
        server.lifespan = config.lifespan_class(config)
        await server.startup(sockets=[listener])
        self._tasks = [
            asyncio.create_task(server.main_loop()),
            asyncio.create_task(_repeat(self._close_silent, SILENCE / 6)),
        ]
        if every:
            self._tasks.append(asyncio.create_task(_repeat(every, seconds)))

    def _close_silent(self) -> None:
        """End connections on which a request was begun and not gone on with.

        Else some hundred of them would use up what the process may open.
        """
        if self._server:
            for connection in list(self._server.server_state.connections):
                if isinstance(connection, Reachable) and connection.silence() > SILENCE:
                    connection.transport.close()

    def stop(self) -> None:
        """Let requests end for a moment, then close everything."""
        if self._listener:
            self._listener.close()
            self._listener = None
        if self._server:
            run(self._stop(self._server))
            self._server = None

    async def _stop(self, server: uvicorn.Server) -> None:
        for task in self._tasks:
            task.cancel()
        for listening in server.servers:
            listening.close()
        connections = server.server_state.connections
        for connection in list(connections):
            connection.shutdown()
        loop = asyncio.get_running_loop()
        last = loop.time() + _GRACE
        while connections and loop.time() < last:
            await asyncio.sleep(_STEP)
        for connection in list(connections):
            transport = connection.transport
            if transport:
                transport.abort()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task


def listen(host: str, port: int) -> socket.socket:
    """Return a socket on this port; on one that no earlier server of this process had, if it is 0.

    A client that kept the address of a server that has ended must not reach another one.
    """
    rejected: list[socket.socket] = []
    try:
        while True:
            listener = _bound(host, port)
            chosen = listener.getsockname()[1]
            if port or chosen not in _chosen:
                break
            rejected.append(listener)
    finally:
        for listening in rejected:
            listening.close()
    _chosen.append(chosen)
    return listener


def _bound(host: str, port: int) -> socket.socket:
    host.encode("idna")  # or a UnicodeError, which `bind` makes a TypeError of
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


class Interrupt:
    """Ctrl-C, SIGTERM and SIGHUP: the first asks for an end, the second makes one.

    Attributes:
        waits: somebody waits for the question; until then the first one makes an end, too.
    """

    def __init__(self) -> None:
        self.waits = False
        self._asked = threading.Event()
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._ask)
        # There is none on Windows; and under nohup it has to stay.
        hangup = getattr(signal, "SIGHUP", None)
        if hangup and signal.getsignal(hangup) is not signal.SIG_IGN:
            self._before[hangup] = signal.signal(hangup, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def wait(self) -> None:
        """Return when the end was asked for."""
        while not self._asked.wait(0.5):  # an endless wait hears no Ctrl-C on Windows
            pass

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if not self.waits:
            # An exception could be lost, or shown as a traceback, in what a library calls back.
            atexit._run_exitfuncs()
            os._exit(128 + number)
        if self._asked.is_set():
            os._exit(128 + number)
        self._asked.set()


async def _repeat(every: Callable[[], None], seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            every()
        except Exception:
            # A full disk, for one: it is logged, and tried again.
            log.exception("a background task failed")
