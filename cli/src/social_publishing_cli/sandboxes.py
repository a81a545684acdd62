"""The sandbox of `--sandbox` that a server keeps open: other commands use it through its ports.

The lock of the database says who has it. The address beside it only counts while somebody does, so
one that a killed server has left behind is harmless.
"""

from __future__ import annotations

import json
import shutil
import socket
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .files import exclusively, is_busy, replacing

if TYPE_CHECKING:
    from social_publishing_sandbox import Sandbox

ASIDE = ".sandbox-"
"""What the names of folders begin with that a reset makes, and removes at its end."""

_PATIENCE = 5  # seconds that a sandbox has for a whole response
_LONGEST = 4096  # bytes of an address
_LARGEST = 64_000_000  # bytes of a response
_NO_SANDBOX = (OSError, HTTPException, ValueError, KeyError, TypeError, RecursionError)
_KNOWN = ("base_url", "media_url", "token", "control_url", "control_token")


class SandboxInUseError(Exception):
    """Another process has the sandbox open, and does not share it."""

    documentation = "docs/command-line.md#the-sandbox"

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path}: another command, or a server of assistants, uses the sandbox: try again once "
            "it has ended"
        )


class Running:
    """The sandbox of another process, as far as a command asks for it."""

    resumed = True

    def __init__(self, path: Path, known: dict[str, str]) -> None:
        self._path = path
        self.base_url, self.media_url, self.token, self._url, self._token = (
            known[name] for name in _KNOWN
        )
        self.now = datetime.fromisoformat(self._asked("clock")["now"])

    def find(self, kind: str) -> list[dict[str, Any]]:
        """Return all objects of a kind.

        Raises:
            SandboxInUseError: Whatever is at the address is no sandbox.
        """
        with suppress(*_NO_SANDBOX):
            return [{**each} for each in self._asked(kind)]
        raise SandboxInUseError(self._path)

    def _asked(self, path: str) -> Any:
        url = urlsplit(f"{self._url}/{path}")
        with closing(HTTPConnection(url.netloc, timeout=_PATIENCE)) as connection:
            connection.connect()
            # A timeout is of one read: what comes byte by byte would keep us waiting for ever.
            end = threading.Timer(_PATIENCE, _cut, [connection.sock])
            end.start()
            try:
                headers = {"Authorization": f"Bearer {self._token}"}
                connection.request("GET", url.path, headers=headers)
                response = connection.getresponse()
                if response.status != 200:
                    raise HTTPException(response.reason)
                return json.loads(response.read(_LARGEST))
            finally:
                end.cancel()


def _cut(connection: socket.socket) -> None:
    with suppress(OSError):  # it has ended by itself
        connection.shutdown(socket.SHUT_RDWR)


def running(path: Path) -> Running | None:
    """Return the sandbox that another process keeps in a file, if it can be used."""
    with suppress(*_NO_SANDBOX):
        address = _address(path)
        if stat.S_ISREG(address.lstat().st_mode):  # a pipe would keep us waiting
            return Running(path, json.loads(address.read_bytes()[:_LONGEST]))
    return None


@contextmanager
def shared(path: Path, sandbox: Sandbox) -> Iterator[None]:
    """Let other processes use a sandbox in the block."""
    known = {name: getattr(sandbox, name) for name in _KNOWN}
    _address(path).unlink(missing_ok=True)  # a link would lead to somebody's file
    with replacing(_address(path), 0o600) as new:
        new.write_text(json.dumps(known), encoding="utf-8", newline="\n")
    try:
        yield
    finally:
        _address(path).unlink(missing_ok=True)


@contextmanager
def resetting(path: Path) -> Iterator[None]:
    """Let no other process reset a sandbox in the block, and clear what a killed one has left.

    Raises:
        SandboxInUseError: Another process resets it.
    """
    guard = path.with_name(f"{path.name}.lock")
    try:
        lock = exclusively(guard)
    except BlockingIOError:
        raise SandboxInUseError(path) from None
    except sqlite3.Error as error:
        raise OSError(f"{guard}: {error}") from None
    with closing(lock):
        for left in path.parent.glob(f"{ASIDE}*"):
            shutil.rmtree(left, ignore_errors=True)
        yield


def clear(path: Path) -> None:
    """Clear what a killed reset has left beside a sandbox."""
    if any(path.parent.glob(f"{ASIDE}*")):
        with suppress(SandboxInUseError), resetting(path):
            pass


def check_free(path: Path) -> None:
    """See that no process has a sandbox open.

    Raises:
        SandboxInUseError: One has.
    """
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(path, timeout=1)) as base:
            base.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.DatabaseError as error:  # a damaged one is nobody's
        if is_busy(error):
            raise SandboxInUseError(path) from None


def _address(path: Path) -> Path:
    return path.with_name(f"{path.name}.address")
