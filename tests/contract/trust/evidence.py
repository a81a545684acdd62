"""A plugin of pytest: notes what passed tests have the sandbox do, in the file TRUST_NOTES."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from social_publishing_sandbox.api.request_log.entry import Entry
from social_publishing_sandbox.api.request_log.ring import RequestLog

_seen: dict[str, set[tuple[str, int, tuple[str, ...]]]] = {}
_add = RequestLog.add


def _noting(log: RequestLog, entry: Entry) -> None:
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if entry.operation and entry.status and not entry.fault:
        _seen.setdefault(test, set()).add((entry.operation, entry.status, tuple(entry.cites)))
    _add(log, entry)


RequestLog.add = _noting  # type: ignore[method-assign]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Forget what a test did that failed."""
    if report.failed:
        _seen.pop(report.nodeid, None)


def pytest_sessionfinish() -> None:
    """Write the notes."""
    notes = sorted((test, *each) for test, entries in _seen.items() for each in entries)
    Path(os.environ["TRUST_NOTES"]).write_text(json.dumps(notes))
