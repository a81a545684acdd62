"""Write files so that a run that fails or is ended leaves none cut."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_PREFIX: Final = ".generate-"
_SECONDS: Final = 600  # a folder that nothing has come into for so long is no run's any more


def put(path: Path, content: bytes) -> None:
    """Let a file have its content as a whole: where that fails, it keeps what it had.

    Raises:
        OSError: the file cannot be written; it names the file.
    """
    target = path.resolve()  # a link stays one
    with naming(path):
        if path.exists() and not path.is_file():  # a device, which has no room beside it
            path.write_bytes(content)
            return
        with staging(target.parent) as folder:
            staged = folder / "new"
            staged.write_bytes(content)
            if target.exists():
                shutil.copymode(target, staged)
            os.replace(staged, target)


@contextmanager
def staging(parent: Path) -> Iterator[Path]:
    """Make a folder for files that are renamed into place; remove those that killed runs left."""
    for left in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):  # another run was faster
            if left.stat().st_mtime < time.time() - _SECONDS:
                shutil.rmtree(left)
    with tempfile.TemporaryDirectory(dir=parent, prefix=_PREFIX) as folder:
        ignored = Path(folder, ".gitignore")
        with naming(ignored):
            ignored.write_text("*\n")  # so that nobody commits what a killed run left
        yield Path(folder)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an error of the system name a file: that of a full disk names none."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise
