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
from types import MappingProxyType
from typing import Any

from ..files import make_folder
from .results import Problem

_LONGEST = 2000  # characters of the arguments of one call
_MOST = 20_000_000  # bytes after which a new file is begun
_MOST_WRITES = 5_000_000  # bytes of calls that changed something, which the new file begins with
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT
_WRITES, _MARKS = b'"writes": true, ', 100  # which stands among the first bytes of a line


class Stopped(Exception):
    """The call was cancelled."""


Asked = tuple[str, Mapping[str, Any]]
"""A tool, and the arguments of a call."""


@dataclass
class Call:
    """One call of a tool.

    Attributes:
        tool: The tool.
        shows_pages: Whether the program of the assistant shows pages.
        writes: Whether a person has agreed that it changes something.
        requests: Number of requests sent so far.
        stopped: True once the call is cancelled; it ends before its next request.
        done: How many steps are done.
        total: How many steps there are; None if unknown.
        step: The current step.
        asked: The tool and the arguments whose result it is; those of the first call, where a
            cursor goes on.
        remark: What its result says besides.
    """

    number: str = ""
    tool: str = ""
    shows_pages: bool = False
    writes: bool = False
    requests: int = 0
    stopped: bool = False
    done: float = 0
    total: float | None = None
    step: str = ""
    asked: Asked = ("", MappingProxyType({}))
    remark: str = ""

    def report(self, done: float, total: float | None, step: str) -> None:
        """Note progress."""
        if self.stopped:
            raise Stopped
        self.done, self.total, self.step = done, total, step


CALL: ContextVar[Call] = ContextVar("call", default=Call())  # noqa: B039  (it is never written to)
"""The current call."""


class Calls:
    """The journal of calls, in a file beside the plans."""

    def __init__(self, path: Path, redact: Callable[[str], str], person: str = "") -> None:
        self._path, self._redact = path, redact
        self._of = {"person": person} if person else {}
        self._lock = threading.Lock()

    def begin(self, call: Call, arguments: Mapping[str, Any]) -> None:
        """Write the start of a call; on disk when this returns."""
        given = json.dumps(arguments, ensure_ascii=False, default=str)
        if len(given) > _LONGEST:
            given = given[: _LONGEST - 1] + "…"
        try:
            self._write(call, {"tool": call.tool, "arguments": given})
        except OSError as error:
            raise _unwritten(error) from None

    def agreed(self, call: Call, plan_id: str) -> None:
        """Write that a person has agreed to a plan; on disk when this returns."""
        call.writes = True
        try:
            self._write(call, {"agreed": plan_id})
        except OSError as error:
            raise _unwritten(error) from None

    def end(self, call: Call, outcome: str, text: str = "") -> None:
        """Write how a call ended: done, asked, refused, failed or cancelled."""
        size = len(text.encode())
        with suppress(OSError):  # what was done, is done; the journal of the plan has it
            self._write(call, {"ended": outcome, "requests": call.requests, "bytes": size})

    def _write(self, call: Call, entry: Mapping[str, Any]) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        marks = {"at": now, "call": call.number, **({"writes": True} if call.writes else {})}
        marks |= self._of
        line = self._redact(json.dumps({**marks, **entry}, ensure_ascii=False))
        with self._lock:
            make_folder(self._path.parent)
            handle = os.open(self._path, _FLAGS, 0o600)
            with os.fdopen(handle, "ab") as file:
                file.write(line.encode("utf-8", "backslashreplace") + b"\n")
                is_full = file.tell() > _MOST
            if is_full:
                self._begin_anew()

    def _begin_anew(self) -> None:
        """Begin a new file with the last calls that changed something: no others push them out."""
        old = self._path.with_suffix(".old.jsonl")
        kept: dict[bytes, None] = {}
        for path in (old, self._path):  # another process may have written to the old one since
            with suppress(OSError), path.open("rb") as file:
                kept |= dict.fromkeys(line for line in file if _WRITES in line[:_MARKS])
        self._path.replace(old)
        size, last = 0, []
        for line in reversed(kept):
            size += len(line)
            if size > _MOST_WRITES:
                break
            last.append(line)
        with os.fdopen(os.open(self._path, _FLAGS, 0o600), "ab") as file:
            file.writelines(reversed(last))


def _unwritten(error: OSError) -> Problem:
    reason = error.strerror or type(error).__name__
    return Problem(f"The journal of calls cannot be written: {reason}.")
