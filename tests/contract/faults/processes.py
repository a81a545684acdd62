"""Processes that end: in their time, or with us."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
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
    """Runs processes, each with whatever it starts as a group of its own."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False

    def run(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str], seconds: float
    ) -> Run:
        """Run a command to its end, or to the end of its time.

        Raises:
            Stopped: everything was told to end.
        """
        # A file and no pipe: nothing that was started and forgotten can hold it open.
        with tempfile.TemporaryFile() as output:
            with self._lock:
                if self._stopped:
                    raise Stopped
                process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
                self._running.add(process)
            status: int | None = None
            try:
                with suppress(subprocess.TimeoutExpired):
                    status = process.wait(seconds)
            finally:
                _end(process)
                with self._lock:
                    self._running.discard(process)
            if self._stopped:
                raise Stopped
            output.seek(0)
            return Run(status, output.read().decode(errors="replace"))

    def stop(self) -> None:
        """End all of them, and begin no other."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
