"""What begins anew in a process that was forked."""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class Restarting(Protocol):
    """Something that a forked process cannot share with the one that it comes from."""

    def restart(self) -> None: ...


def restart_after_fork(what: Restarting) -> None:
    """Call its `restart` in every process that is forked from this one while it is there."""
    _ALL.add(what)


def _restart_all() -> None:
    for what in list(_ALL):
        what.restart()


_ALL: WeakSet[Restarting] = WeakSet()
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_restart_all)
