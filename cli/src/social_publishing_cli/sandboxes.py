"""The sandbox of `--sandbox` that a server keeps open: other commands use it through its ports.

The lock of the database says who has it. The address beside it only counts while somebody does, so
one that a killed server has left behind is harmless.
"""

from __future__ import annotations

import json
import sqlite3
import stat
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .files import replacing

if TYPE_CHECKING:
    from social_publishing_sandbox import Sandbox

_PATIENCE = 5  # seconds that a sandbox has to say what time it is
_LONGEST = 4096  # bytes of an address
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


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Leads nowhere: a token is for one address."""

    def redirect_request(self, *_: Any) -> None:
        """Refuse it."""


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
        request = urllib.request.Request(
            f"{self._url}/{path}", headers={"Authorization": f"Bearer {self._token}"}
        )
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect())
        with direct.open(request, timeout=_PATIENCE) as response:
            return json.load(response)


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
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise SandboxInUseError(path) from None
    except sqlite3.DatabaseError:
        return  # a damaged one is nobody's


def _address(path: Path) -> Path:
    return path.with_name(f"{path.name}.address")
