"""Writes files atomically."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """Open a new file that replaces the old one if the block ends without an error."""
    new = path.with_name(f".{path.name}.{os.getpid()}.part{path.suffix}")
    try:
        new.touch(mode)
        yield new
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
