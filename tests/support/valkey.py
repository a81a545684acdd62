"""A Valkey or Redis server for a test or a benchmark, on a free port of this machine."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PROGRAM = shutil.which("valkey-server") or shutil.which("redis-server")
SECONDS = 10.0  # until it listens


class ValkeyServer:
    """A server that keeps nothing when it ends.

    Args:
        folder: where its files are.
        options: of the command line, such as `--requirepass`; they may say where it listens.
        port: where it listens, if they do.

    Attributes:
        port: where it listens.
    """

    def __init__(self, folder: Path, *options: str, port: int | None = None) -> None:
        if port is None:
            port = free_port()
            options = (*options, "--port", f"{port}")
        self.port = port
        self._folder = folder
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        assert PROGRAM is not None
        self._process = subprocess.Popen(
            [PROGRAM, *self._options, "--bind", "127.0.0.1", "--save", ""],
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
        )
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.01)
        self.stop()
        raise AssertionError(f"the server did not start: {self._process.args!r}")

    def stop(self) -> None:
        """End it, and forget all that it has."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(SECONDS)


@contextmanager
def valkey_server(folder: Path, *options: str, port: int | None = None) -> Iterator[ValkeyServer]:
    """Run a server meanwhile."""
    server = ValkeyServer(folder, *options, port=port)
    try:
        server.start()
        yield server
    finally:
        server.stop()


def free_port() -> int:
    """Return a port of this machine that nobody uses now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
