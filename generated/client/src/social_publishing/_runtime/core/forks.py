"""What begins anew in a process that was forked, and what is to be imported before."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final, Protocol
from weakref import WeakSet

_ROOT: Final = __name__.removesuffix(".core.forks").removesuffix("._runtime")
# Imported by calls only, some by the libraries that they are made with.
_LIBRARIES: Final = ("httpx2", "anyio", "msgspec", "ssl")


class Restarting(Protocol):
    """Something that a forked process cannot share with the one that it comes from."""

    def restart(self) -> None: ...


def restart_after_fork(what: Restarting) -> None:
    """Call its `restart` in every process that is forked from this one while it is there."""
    _ALL.add(what)


def import_before_forks() -> None:
    """Import all that calls import before this process is forked beside other threads.

    One of them may be in the midst of its first call. The lock of what it imports would never be
    free in the child.
    """
    global _is_used
    _is_used = True


def _import_all() -> None:
    from threading import active_count

    if _is_used and active_count() > 1:
        with _logging_unlocked():
            for name in (*_modules(), *_LIBRARIES):
                with suppress(Exception):  # what keeps it from being imported, a call says
                    import_module(name)


@contextmanager
def _logging_unlocked() -> Generator[None]:
    """Let go of the lock that logging takes before each fork, maybe earlier than we come.

    Libraries make their loggers as they are imported: we would wait for a thread that waits for us.
    """
    lock: Any = getattr(sys.modules.get("logging"), "_lock", None)
    try:
        lock.release()
    except (AttributeError, RuntimeError):  # it is not imported, or its turn comes later
        yield
        return
    try:
        yield
    finally:
        lock.acquire()


def _modules() -> Iterator[str]:
    """Yield the names of all modules of this package, unless somebody has removed it."""
    from pkgutil import walk_packages

    if _ROOT in sys.modules:
        yield _ROOT
        folders = sys.modules[_ROOT].__path__
        yield from (each.name for each in walk_packages(folders, f"{_ROOT}.", lambda _: None))


def _restart_all() -> None:
    for what in list(_ALL):
        what.restart()


_ALL: WeakSet[Restarting] = WeakSet()
_is_used = False
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_import_all, after_in_child=_restart_all)
