"""A plugin of pytest: writes down the first test that fails, and what it failed at."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

__all__ = ["FILE", "Failure", "read"]

FILE = "FIRST_FAILURE"


class Failure(dict[str, str]):
    """What failed first: `test`, and the last line of what was `said`."""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _note(report.nodeid, str(report.longrepr))


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _note(report.nodeid, str(report.longrepr))


def read(path: Path) -> Failure | None:
    """What failed first; None where nothing has."""
    return Failure(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def _note(test: str, said: str) -> None:
    path = Path(os.environ[FILE])
    if not path.exists():
        path.write_text(json.dumps({"test": test, "said": said}), encoding="utf-8")
