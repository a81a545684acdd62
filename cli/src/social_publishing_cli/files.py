"""Writes files atomically, and keeps other processes out of them."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def is_stream(path: Path) -> bool:
    """Return whether a path is a device, a pipe, or anything else that is no file and no folder."""
    return path.exists() and not (path.is_file() or path.is_dir())


def make_folder(path: Path) -> None:
    """Make a folder that only the user can read, and those above it that are missing."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    for each in reversed(missing):
        give(each)


def give(path: Path) -> None:
    """Let root, as under sudo, give what it made to the owner of the folder, who needs it later."""
    if sys.platform != "win32" and os.geteuid() == 0:
        owner = path.parent.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


@contextmanager
def replacing(path: Path, mode: int | None = None) -> Iterator[Path]:
    """Yield a new file that takes the place of the old one if the block ends well.

    A device or a pipe cannot be replaced: it gets what the new file holds.

    The new file's name cannot be guessed, and it is made exclusively, so no link that somebody
    else laid in a shared folder is followed. If `path` is a link, the file behind it is replaced.

    Args:
        mode: The permissions; by default those of the file that is replaced, or the usual ones.
    """
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    streams = is_stream(path)
    folder = None if streams else target.parent
    handle, name = tempfile.mkstemp(path.suffix, f".{target.name[:100]}.", folder)
    os.close(handle)
    new = Path(name)
    try:
        if streams:
            yield new
            with path.open("wb") as stream:
                stream.write(new.read_bytes())
            return
        new.chmod(_usual_mode(target) if mode is None else mode)
        yield new
        new.replace(target)
    except OSError as error:
        if error.filename in (None, name):  # that name says nothing to anybody
            error.filename = str(path)
        raise
    finally:
        new.unlink(missing_ok=True)


def exclusively(guard: Path, wait: float = 0) -> sqlite3.Connection:
    """Lock a file, until the result is closed or this process ends; only one at a time has it.

    Args:
        wait: How long to wait for another one, in seconds.

    Raises:
        BlockingIOError: Another process has it.
        sqlite3.Error: The file cannot be used.
    """
    is_new = not guard.exists()
    guard.touch(0o600)
    if is_new:
        give(guard)
    lock = sqlite3.connect(guard, isolation_level=None, timeout=wait)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        if is_busy(error):
            raise BlockingIOError from None
        raise
    return lock


def is_busy(error: sqlite3.Error) -> bool:
    """Return whether a database cannot be used because another process uses it."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _usual_mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
