"""Keeps what a long reading has read, so that `--resume` goes on where it was interrupted."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from .files import make_folder


class Readings:
    """What one command has read so far, such as groups and posts, in a file of lines of JSON.

    A file that cannot be written keeps nothing; a line that was cut is read again.
    """

    def __init__(self, path: Path, resumes: bool) -> None:
        """Open the readings of a command.

        Args:
            path: The file, which only its owner can read.
            resumes: Whether to take over what an earlier run has read; else to begin anew.
        """
        self._path = path
        self._known: dict[str, dict[str, Any]] = {}
        if resumes:
            with suppress(OSError):
                self._read(path.read_bytes())
        else:
            self.forget()

    @property
    def counts(self) -> dict[str, int]:
        """How many of each kind are read, such as `{"group": 3}`."""
        return {kind: len(known) for kind, known in self._known.items()}

    def get(self, kind: str, identifier: str) -> Any:
        """Return one of a kind as JSON; None if it is not read yet."""
        return self._known.get(kind, {}).get(identifier)

    def keep(self, kind: str, identifier: str, value: Any) -> None:
        """Keep one of a kind, which JSON can hold."""
        self._known.setdefault(kind, {})[identifier] = value
        with suppress(OSError):
            make_folder(self._path.parent)
            self._path.touch(mode=0o600)
            with self._path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(f"{json.dumps([kind, identifier, value])}\n")

    def forget(self) -> None:
        """Remove the file: the reading is complete."""
        with suppress(OSError):
            self._path.unlink()
            self._path.parent.rmdir()  # unless another command keeps something there

    def _read(self, content: bytes) -> None:
        for line in content.splitlines():
            with suppress(ValueError, TypeError, RecursionError):
                kind, identifier, value = json.loads(line)
                self._known.setdefault(str(kind), {})[str(identifier)] = value
