"""A rate store in a file: for all processes of one machine, without a server."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import ConfigurationError
from ..core.forks import restart_after_fork
from .ledger import RateStore

if TYPE_CHECKING:
    from .ledger import OnLost

BUSY_SECONDS = 5.0  # how long another process may take with the file
KEPT_SECONDS = 86_400.0  # after which a user who sent nothing is forgotten

_HEAD = b"SQLite format 3\0"
_TABLE = "CREATE TABLE IF NOT EXISTS rates (key TEXT PRIMARY KEY, ledger BLOB, seen REAL)"
_READ = "SELECT ledger FROM rates WHERE key = ?"
_WRITE = "INSERT OR REPLACE INTO rates VALUES (?, ?, ?)"
_FORGET = "DELETE FROM rates WHERE abs(seen - ?) > ?"


class FileRates(RateStore):
    """One rate limit for all processes of a machine, kept in a SQLite file.

    The time is that of the machine since it was started, so it makes no difference when somebody
    sets the clock. A file on a network drive does not work: its locks cannot be trusted.

    Args:
        path: the file; it is made if it is missing, and other files are made beside it.
        on_lost: what a process may send while the file cannot be used; see `RateStore`.
        now: another clock in seconds, for tests; the same for all processes.

    Raises:
        ConfigurationError: the folder of the file does not exist, the file is a folder or no SQLite
            file, or `on_lost` is no such value.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        on_lost: OnLost = "small",
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(on_lost, now)
        self._path = Path(path).absolute()
        if not self._path.parent.is_dir():
            raise ConfigurationError(f"path: there is no folder {self._path.parent}")
        if self._path.is_dir():
            raise ConfigurationError(f"path: {self._path} is a folder; name a file in it")
        if _is_of_another_kind(self._path):
            raise ConfigurationError(f"path: {self._path} is no SQLite file; name one of its own")
        self._start()
        restart_after_fork(self)

    def restart(self) -> None:
        """Begin anew after a fork: a connection is of no use to another process."""
        _LEFT.append(self._file)
        self._start()

    def _start(self) -> None:
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None

    def change(self, key: str, change: Callable[[bytes | None], bytes]) -> None:
        """Change what is kept of a user; see `RateStore.change`."""
        with self._transaction() as file:
            row = file.execute(_READ, (key,)).fetchone()
            kept = None if row is None else row[0]
            if kept is None:
                file.execute(_FORGET, (self.now(), KEPT_SECONDS))
            file.execute(_WRITE, (key, change(kept), self.now()))

    @contextmanager
    def _transaction(self) -> Generator[sqlite3.Connection]:
        """Keep the file to ourselves meanwhile; after an error it is opened anew."""
        with self._lock:
            try:
                file = self._open()
                file.execute("BEGIN IMMEDIATE")
                yield file
                file.execute("COMMIT")
            except BaseException:
                self._close()
                raise

    def _open(self) -> sqlite3.Connection:
        if self._file is not None and self._opened == _identity(self._path):
            return self._file
        self._close()  # somebody has put another file there, or none
        self._file = sqlite3.connect(
            self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = OFF")  # who loses power begins a new count
        self._file.execute(_TABLE)
        self._opened = _identity(self._path)
        return self._file

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()


def _is_of_another_kind(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(len(_HEAD))
    except OSError:
        return False  # there is none, or it cannot be used now
    return head not in (b"", _HEAD)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


_LEFT: list[object] = []  # connections of the parent, which SQLite forbids a child even to close
