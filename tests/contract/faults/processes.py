"""Processes that end: in their time, or with us."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Timer
from typing import NamedTuple

__all__ = ["Processes", "Run", "Stopped"]


class Stopped(Exception):
    """Everything was told to end."""


class Run(NamedTuple):
    """How a process ended.

    Attributes:
        status: its exit status; None where it had to be ended.
        output: all that it said.
    """

    status: int | None
    output: str


class Processes:
    """Runs modules of Python one after the other, each with whatever it starts as a group."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._warm = subprocess.Popen(
            [sys.executable, "-m", "faults.warm"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )
        self._running = self._warm.pid

    def run(self, command: Sequence[str], seconds: float) -> Run:
        """Run a module with its arguments to its end, or to the end of its time.

        Raises:
            Stopped: everything was told to end.
        """
        assert self._warm.stdin and self._warm.stdout
        late = Event()
        # A file and no pipe: nothing that was started and forgotten can hold it open.
        with tempfile.NamedTemporaryFile() as output:
            line = json.dumps({"command": command, "output": output.name})
            try:
                print(line, file=self._warm.stdin, flush=True)
                self._running = process = int(self._warm.stdout.readline())

                def end() -> None:
                    late.set()
                    _end(process)

                timer = Timer(seconds, end)
                timer.start()
                try:
                    status = int(self._warm.stdout.readline())
                finally:
                    timer.cancel()
                    _end(process)
                    self._running = self._warm.pid
            except (OSError, ValueError):
                raise Stopped from None
            return Run(None if late.is_set() else status, output.read().decode(errors="replace"))

    def stop(self) -> None:
        """End all of them, and begin no other."""
        _end(self._running)
        _end(self._warm.pid)
        self._warm.wait()


def _end(group: int) -> None:
    """End a process with all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
