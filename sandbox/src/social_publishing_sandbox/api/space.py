"""A full disk, or a disk quota of the sandbox that is used up."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from social_publishing_sandbox.state.errors import SandboxError

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class NoSpace(SandboxError):
    """The disk is full; the message says so."""


def no_space(error: Exception) -> NoSpace | None:
    """Return the error as `NoSpace` if it means a full disk, else None."""
    if isinstance(error, NoSpace):
        return error
    if isinstance(error, sqlite3.OperationalError):
        # Past a limit on the size of files, sqlite knows of an error in writing only.
        full = error.sqlite_errorcode in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE)
    else:
        full = isinstance(error, OSError) and error.errno in _FULL
    return NoSpace(f"the sandbox has no space left: {error}") if full else None


@contextmanager
def raising_no_space() -> Iterator[None]:
    """Raise `NoSpace` for any error that means a full disk."""
    try:
        yield
    except (sqlite3.OperationalError, OSError) as error:
        if (full := no_space(error)) is None:
            raise
        raise full from error
