"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """Give a new file, which takes the place of the old one where the block ends well."""
    new = path.with_name(f".{path.name}.{os.getpid()}.part{path.suffix}")
    try:
        new.touch(mode)
        yield new
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
