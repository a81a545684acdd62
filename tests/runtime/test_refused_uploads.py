"""A service that refuses an upload early, and closes: both clients read its response."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from runtime.core.errors import StatusError
from runtime.engine.client import AsyncClient, Client
from runtime.request.multipart import File, FilePart
from runtime.transport import connections
from runtime_support import at, options, request

from tests.support import tls
from tests.support.both import EVERYWHERE, awaited, run
from tests.support.server import Peer, Response, Server, serve

TIMES = 8


def refuse(peer: Peer) -> None:
    """Respond to the head of a request, and leave without reading the rest."""
    peer.send(bytes(Response(status=401, json={"message": "no"}, headers={"Connection": "close"})))
    peer.leave()


@pytest.fixture(params=["http", "https"])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(connections, "_tls", lambda _: tls.for_client())
    context = tls.for_server() if request.param == "https" else None
    with serve(lambda _: refuse, at="head", tls=context) as server:
        yield server


def as_path(data: bytes, folder: Path) -> Path:
    path = folder / "a.mp4"
    path.write_bytes(data)
    return path


CONTENTS: dict[str, Callable[[bytes, Path], Any]] = {
    "bytes": lambda data, _: data,
    "path": as_path,
    "open file": lambda data, _: io.BytesIO(data),
}


@pytest.mark.parametrize("backend", EVERYWHERE)
@pytest.mark.parametrize("size", [1 << 10, 1 << 18, 1 << 20, 15 << 20])
@pytest.mark.parametrize("content", CONTENTS)
def test_an_early_refusal_is_read(
    server: Server, backend: str, size: int, content: str, tmp_path: Path
) -> None:
    file = File(CONTENTS[content](bytes(size), tmp_path), "a.mp4")
    made = request(
        "POST", files=[FilePart("file", file, "file")], returns=int, retry_safety="unsafe"
    )
    found: list[int] = []

    async def main() -> None:
        kind = Client if backend == "sync" else AsyncClient
        async with awaited(kind(at(server.url("/v1")), options(timeout=20), None)) as client:
            for _ in range(TIMES):
                with pytest.raises(StatusError) as caught:
                    await client.send(made)
                found.append(caught.value.status)

    run(backend, main)
    assert found == [401] * TIMES
    assert len(server.requests) == TIMES
