"""A plugin of pytest: writes down which lines of some functions a run has executed.

To trace all of Python would take many times as long. `WALKED` is a file that names the functions,
as `{path: [[first line, last line], …]}`; what was executed of them takes its place, as
`[[path, line], …]`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

_FILE = Path(os.environ["WALKED"])
_SPANS: dict[str, list[tuple[int, int]]] = json.loads(_FILE.read_text(encoding="utf-8"))
_executed: set[tuple[str, int]] = set()


@cache
def _is_wanted(code: CodeType) -> bool:
    """Return whether a function is one of those, or is inside of one."""
    spans = _SPANS.get(code.co_filename, ())
    return any(first <= code.co_firstlineno <= last for first, last in spans)


def _entered(frame: FrameType, event: str, argument: Any) -> Any:
    return _traced if _is_wanted(frame.f_code) else None


def _traced(frame: FrameType, event: str, argument: Any) -> Any:
    if event == "line":
        _executed.add((frame.f_code.co_filename, frame.f_lineno))
    return _traced


threading.settrace(_entered)
sys.settrace(_entered)


def pytest_sessionfinish() -> None:
    sys.settrace(None)
    _FILE.write_text(json.dumps(sorted(_executed)), encoding="utf-8")
