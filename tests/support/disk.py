"""A disk that is full, as far as this process can tell (POSIX)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

__all__ = ["files_of_at_most"]


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let no file grow further than so many bytes; Python ignores the signal that says so."""
    resource = pytest.importorskip("resource")
    writes_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # or half of a module
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        sys.dont_write_bytecode = writes_bytecode
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
