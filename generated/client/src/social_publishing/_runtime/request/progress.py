"""How far an upload is: what is called meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeAlias

# Called with the bytes of the files that were sent so far, and with their number in all, or None
# while that is not known: once with 0, after each chunk, and in the end with both the same.
# An upload that is tried again begins at 0 again. An error raised in it ends the upload.
Progress: TypeAlias = Callable[[int, int | None], object]

# What calls a callback elsewhere and waits for it, where a thread sends for a task; else None.
reporting: ContextVar[Callable[[Progress, int, int | None], None] | None] = ContextVar(
    "reporting", default=None
)
