"""Whether an attempt has left: what never did spends nothing, and cannot have been carried out."""

from __future__ import annotations


class SendState:
    """Whether anything of an attempt may have left, in whatever middleware makes of it.

    Where nothing says how far a sending has come, it counts as one that has left.
    """

    __slots__ = ("_before", "_now")

    def __init__(self) -> None:
        self._before = False
        self._now = False

    @property
    def sent(self) -> bool:
        """Whether anything may have left, in this sending or in one before it."""
        return self._before or self._now

    def begin(self) -> None:
        """Begin a sending."""
        self._before, self._now = self.sent, True

    def stay(self) -> None:
        """Note that nothing of this sending has left: there is no connection yet."""
        self._now = False

    def leave(self) -> None:
        """Note that it leaves now."""
        self._now = True
