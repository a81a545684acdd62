"""A server on the loopback that costs next to nothing: it throws bodies away, and has responses."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

from benchmarks import samples
from benchmarks.measuring import ROOT


@contextmanager
def running() -> Iterator[str]:
    """Run a server in a process of its own, which prints its port; yield the base address."""
    command = [sys.executable, "-m", "benchmarks.server"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as child:
        assert child.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(child.stdout.readline())}/v1"
        finally:
            child.terminate()


def serve() -> None:
    """Print the port, then respond until the process is ended."""
    responses = {
        b"/v1/groups/1": _response(samples.group()),
        b"/v1/groups/2": _response(samples.small_group()),
        b"/v1/labels": _response(samples.label()),
        b"/v1/posts": _response(samples.page()),
        b"/v1/upload": _response(b'{"id":"1"}'),
        b"/api/v1/upload": _response(b'{"id":"1"}'),
    }
    samples.posts([])  # what it is made of is ready
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        while True:
            connection, _ = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Thread(target=_talk, args=(connection, responses), daemon=True).start()


def _talk(connection: socket.socket, responses: dict[bytes, bytes]) -> None:
    buffer = memoryview(bytearray(1 << 20))
    # The other side may be killed.
    with suppress(ConnectionResetError), connection, connection.makefile("rb") as stream:
        while line := stream.readline():
            length = 0
            while (field := stream.readline()) not in (b"\r\n", b""):
                name, _, value = field.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            while length:
                length -= stream.readinto(buffer[: min(length, len(buffer))]) or length
            path, _, query = line.split(b" ")[1].partition(b"?")
            connection.sendall(responses[path] if path in responses else _posts(query))


def _posts(query: bytes) -> bytes:
    """Return the posts that are asked for, however their identifiers are written in the query."""
    return _response(samples.posts(re.findall(rb"\d+", query.replace(b"%2C", b","))))


def _response(body: bytes) -> bytes:
    fields = {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **samples.rate_headers(),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return b"HTTP/1.1 200 OK\r\n" + head.encode() + b"\r\n" + body


if __name__ == "__main__":
    serve()
