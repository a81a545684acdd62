"""Counting the pages of a PDF, in a process of its own.

A PDF can be made to keep its reader busy for ever, or to fill the memory. A thread cannot be
stopped; a process can. This file is also that process's program.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Final

SECONDS: Final = 10
MAX_MEMORY: Final = 1 << 30


class BrokenDocument(Exception):
    """The pages cannot be counted; the message says why."""


def page_count(path: Path, seconds: float = SECONDS) -> int | None:
    """Return how many pages a PDF has; None when it is encrypted in a way that hides them, or when
    Python cannot be started with this file (packed into an executable, for one).
    """
    if not (sys.executable and Path(__file__).is_file()):
        return None
    try:
        # -P: this folder must not come before the standard library's.
        output = subprocess.run(
            [sys.executable, "-P", __file__, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        ).stdout.strip()
    except subprocess.TimeoutExpired as error:
        raise BrokenDocument(f"The PDF cannot be read within {seconds:g} seconds.") from error
    if output == b"encrypted":
        return None
    if not output.isdigit():
        raise BrokenDocument("The file has the extension of a PDF, but cannot be read as one.")
    return int(output)


def _main(path: str) -> None:
    _limit_memory()
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, FileNotDecryptedError

    with open(path, "rb") as file:
        try:
            print(len(PdfReader(file).pages))
        except (DependencyError, FileNotDecryptedError):
            print("encrypted")


def _limit_memory() -> None:
    # Windows has no such limits, and macOS refuses this one: there the time alone is bounded.
    if sys.platform == "win32":
        return
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


if __name__ == "__main__":
    _main(sys.argv[1])
