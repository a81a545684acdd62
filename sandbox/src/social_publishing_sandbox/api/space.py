"""A full disk, or the end of what the sandbox may use of it."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from social_publishing_sandbox.api.media.storing import NoSpace

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def is_full(error: Exception) -> bool:
    """Return whether this error means that there is no space left."""
    if isinstance(error, sqlite3.OperationalError):
        # Past a limit on the size of files, sqlite knows of an error in writing only.
        return error.sqlite_errorcode in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE)
    return isinstance(error, NoSpace) or (isinstance(error, OSError) and error.errno in _FULL)


@contextmanager
def raising_no_space() -> Iterator[None]:
    """Raise `NoSpace` for any error that means a full disk."""
    try:
        yield
    except (sqlite3.OperationalError, OSError) as error:
        if not is_full(error):
            raise
        raise NoSpace(f"the sandbox has no space left: {error}") from error
