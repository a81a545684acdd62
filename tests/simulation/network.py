"""The network between the clients and the sandbox: requests on their way."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, MutableMapping
from email.utils import formatdate
from functools import cache
from typing import TYPE_CHECKING, Any

import anyio
import httpx2

from social_publishing_sandbox import Sandbox
from tests.support.both import Stream
from tests.support.clock import EPOCH

from .fates import FATES, LATE, PASSES, REFUSED, Fate

if TYPE_CHECKING:
    from .promises import Call, Promises
    from .scheduler import Scheduler

__all__ = ["Network", "Packet"]


class Packet:
    """A request on its way.

    Attributes:
        call: what it was sent for.
        result: the response, or the error in its place, once it is back.
        on_back: called when it is.
    """

    def __init__(self, request: httpx2.Request, call: Call, fate: Fate, number: int) -> None:
        self.request = request
        self.call = call
        self.fate = fate
        self.seen = call.seen  # when it leaves
        self.is_given_up = False
        self.number = number
        self.result: httpx2.Response | Exception | None = None
        self.on_back: Callable[[], object] = lambda: None


class Network:
    """Carries requests to the sandbox.

    Args:
        seed: decides what happens to each.
        trouble: the share of requests to which something happens.
        spared: numbers of requests to which nothing happens all the same.

    Attributes:
        troubled: numbers of the requests to which something happened.
        open: how many responses nobody has closed.
        lines: what happened, a line each.
    """

    def __init__(
        self,
        world: Scheduler,
        sandbox: Sandbox,
        promises: Promises,
        seed: str,
        trouble: float,
        spared: frozenset[str],
    ) -> None:
        self.world = world
        self.sandbox = sandbox
        self.promises = promises
        self.troubled: list[str] = []
        self.open = 0
        self.lines: list[str] = []
        self._seed = seed
        self._trouble = trouble
        self._spared = spared

    def say(self, text: str) -> None:
        """Note what happened."""
        self.lines.append(f"{self.world.time:9.3f} {text}")

    def leave(self, request: httpx2.Request) -> Packet:
        """Let a request leave.

        Raises:
            httpx2.ConnectError: nobody can be reached.
        """
        call = self.promises.call()
        call.requests += 1
        name = f"{call.name}.{call.requests}"
        draw = random.Random(f"{self._seed} {name}")
        fate = PASSES
        if draw.random() < self._trouble and name not in self._spared:
            fate = draw.choice(FATES)
            if fate is LATE and not call.may_be_late:
                fate = PASSES
            self.troubled.append(name)
        packet = Packet(request, call, fate, call.requests)
        self.say(f"{name} {request.method} {request.url.path}: {fate.name}")
        if fate is REFUSED:
            raise httpx2.ConnectError("refused", request=request)
        back = draw.uniform(*fate.back)
        arrives = self.world.time + draw.uniform(*fate.there)
        self.world.at(arrives, lambda: self._arrive(packet, name, back))
        return packet

    def _arrive(self, packet: Packet, name: str, back: float) -> None:
        fault = self.sandbox.add_fault(**packet.fate.fault) if packet.fate.fault else None
        try:
            packet.result = self._carried(packet.request)
        finally:
            if fault is not None:
                self.sandbox.remove_fault(fault.id)
        entry = self.sandbox.requests(newest_first=True, limit=1)[0]
        self.say(f"{name} arrived: {entry.status}")
        self.promises.served(packet, entry)
        self.world.at(self.world.time + back, lambda: packet.on_back())

    def _carried(self, request: httpx2.Request) -> httpx2.Response | Exception:
        body = b"".join(request.stream)  # type: ignore[arg-type]
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": request.method,
            "path": request.url.path,
            "raw_path": request.url.raw_path,
            "query_string": request.url.query,
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
        }
        sent: list[MutableMapping[str, Any]] = []

        async def receive() -> MutableMapping[str, Any]:
            return {"type": "http.request", "body": body}

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)

        async def serve() -> None:
            await self.sandbox.app(scope, receive, send)

        cut: Exception | None = None
        try:
            asyncio.run_coroutine_threadsafe(serve(), _loop()).result()
        except httpx2.HTTPError as error:
            cut = error
        if not sent:
            assert cut is not None
            return cut
        stream = _Body(self, b"".join(message.get("body", b"") for message in sent[1:]), cut)
        now = formatdate(int(EPOCH + self.world.time), usegmt=True).encode()  # as servers add it
        headers = [*sent[0]["headers"], (b"date", now)]
        return httpx2.Response(sent[0]["status"], headers=headers, stream=stream)

    def client(self) -> httpx2.Client:
        """Return an HTTP client of this network."""
        return httpx2.Client(transport=_Transport(self), trust_env=False)

    def async_client(self) -> httpx2.AsyncClient:
        """Return one to be awaited."""
        return httpx2.AsyncClient(transport=_AsyncTransport(self), trust_env=False)

    def opened(self, packet: Packet) -> httpx2.Response:
        """Return what came back.

        Raises:
            Exception: what came instead.
        """
        if isinstance(packet.result, Exception):
            raise packet.result
        assert packet.result is not None
        self.open += 1
        return packet.result


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of the sandbox; while it serves a request, nobody else runs."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop


class _Body(Stream):
    def __init__(self, network: Network, content: bytes, cut: Exception | None) -> None:
        super().__init__(content, *([] if cut is None else [cut]))
        self._network = network

    def close(self) -> None:
        self._network.open -= not self.closed
        super().close()


class _Transport(httpx2.BaseTransport):
    def __init__(self, network: Network) -> None:
        self._network = network

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        world, is_back = self._network.world, [False]
        packet = self._network.leave(request)
        packet.on_back = lambda: is_back.append(True)
        world.block(lambda: is_back[-1], world.time + request.extensions["timeout"]["read"])
        if not is_back[-1]:
            packet.is_given_up = True
            raise httpx2.ReadTimeout("no response", request=request)
        return self._network.opened(packet)


class _AsyncTransport(httpx2.AsyncBaseTransport):
    def __init__(self, network: Network) -> None:
        self._network = network

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        loop, event = asyncio.get_running_loop(), asyncio.Event()
        packet = self._network.leave(request)

        def on_back() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

        packet.on_back = on_back
        with anyio.move_on_after(request.extensions["timeout"]["read"]):
            await event.wait()
        if not event.is_set():
            packet.is_given_up = True
            raise httpx2.ReadTimeout("no response", request=request)
        return self._network.opened(packet)
