"""Writes files atomically."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path, mode: int | None = None) -> Iterator[Path]:
    """Yield a new file that takes the place of the old one if the block ends well.

    The new file's name cannot be guessed, and it is made exclusively, so no link that somebody
    else laid in a shared folder is followed. If `path` is a link, the file behind it is replaced.

    Args:
        mode: The permissions; by default those of the file that is replaced, or the usual ones.
    """
    target = path.resolve() if path.is_symlink() else path
    handle, name = tempfile.mkstemp(path.suffix, f".{target.name[:100]}.", target.parent)
    os.close(handle)
    new = Path(name)
    try:
        new.chmod(_usual_mode(target) if mode is None else mode)
        yield new
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)


def _usual_mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
