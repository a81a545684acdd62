"""The call that is being carried out: it tells how far it is, and can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass


class Stopped(Exception):
    """The call was cancelled."""


@dataclass
class Call:
    """One call of a tool.

    Attributes:
        progress: Tells whoever called how far it is: done, of how many, and what it does.
        stopped: Whether it was cancelled; then it ends before its next request.
    """

    progress: Callable[[float, float | None, str], object] = lambda *_: None
    stopped: bool = False

    def report(self, done: float, total: float | None, text: str) -> None:
        """Tell how far it is."""
        if self.stopped:
            raise Stopped
        self.progress(done, total, text)


CALL: ContextVar[Call] = ContextVar("call", default=Call())  # noqa: B039  (it is never written to)
"""The call that is being carried out."""
