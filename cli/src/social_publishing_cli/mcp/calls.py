"""The journal of calls: the tool, the outcome and the cost of each, one per line."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..files import make_folder
from .results import Problem

_LONGEST = 2000  # characters of the arguments of one call
_MOST = 20_000_000  # bytes after which a new file is begun


class Stopped(Exception):
    """The call was cancelled."""


@dataclass
class Call:
    """One call of a tool.

    Attributes:
        tool: The tool.
        progress: Reports progress to the caller: done, total, and the current step.
        requests: Number of requests sent so far.
        stopped: True once the call is cancelled; it ends before its next request.
    """

    number: str = ""
    tool: str = ""
    progress: Callable[[float, float | None, str], object] = lambda *_: None
    requests: int = 0
    stopped: bool = False

    def report(self, done: float, total: float | None, text: str) -> None:
        """Report progress."""
        if self.stopped:
            raise Stopped
        self.progress(done, total, text)


CALL: ContextVar[Call] = ContextVar("call", default=Call())  # noqa: B039  (it is never written to)
"""The current call."""


class Calls:
    """The journal of calls, in a file beside the plans."""

    def __init__(self, path: Path, redact: Callable[[str], str]) -> None:
        self._path, self._redact = path, redact
        self._lock = threading.Lock()

    def begin(self, call: Call, arguments: Mapping[str, Any]) -> None:
        """Write the start of a call; on disk when this returns."""
        given = json.dumps(arguments, ensure_ascii=False, default=str)
        if len(given) > _LONGEST:
            given = given[: _LONGEST - 1] + "…"
        try:
            self._write({"call": call.number, "tool": call.tool, "arguments": given})
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise Problem(f"The journal of calls cannot be written: {reason}.") from None

    def end(self, call: Call, outcome: str, text: str = "") -> None:
        """Write how a call ended: done, asked, refused, failed or cancelled."""
        size = len(text.encode())
        with suppress(OSError):  # what was done, is done; the journal of the plan has it
            self._write(
                {"call": call.number, "ended": outcome, "requests": call.requests, "bytes": size}
            )

    def _write(self, entry: Mapping[str, Any]) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = self._redact(json.dumps({"at": now, **entry}, ensure_ascii=False))
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        with self._lock:
            make_folder(self._path.parent)
            handle = os.open(self._path, flags, 0o600)
            with os.fdopen(handle, "ab") as file:
                file.write(line.encode("utf-8", "backslashreplace") + b"\n")
                is_full = file.tell() > _MOST
            if is_full:
                self._path.replace(self._path.with_suffix(".old.jsonl"))
