"""Imports of libraries that no Ctrl-C breaks off."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module


def load(library: str) -> None:
    """Import a library whole: in a thread of its own, where no KeyboardInterrupt is raised.

    Imported once more after it broke off halfway, a library of C code may crash the process. What
    keeps it from being imported, the import that follows raises.
    """
    if library in sys.modules:
        return
    from threading import Thread

    thread = Thread(target=_load, args=(library,), name=f"import {library}")
    try:
        thread.start()
    except RuntimeError:  # there are no threads, as in a browser, or no more of them
        _load(library)
    else:
        thread.join()


def _load(library: str) -> None:
    with suppress(Exception):
        import_module(library)
