"""A plugin of pytest: writes down the first test that fails, and how long each module took."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

__all__ = ["FOLDER", "Failure", "failure", "seconds"]

FOLDER = "FAULTS_NOTES"
"""The variable of the environment that names the folder for it."""

_seconds: Counter[str] = Counter()


class Failure(dict[str, str]):
    """What failed first: `test`, and what it `said`."""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[report.nodeid.partition("::")[0]] += report.duration
    if report.failed:
        _note(report.nodeid, str(report.longrepr))


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _note(report.nodeid, str(report.longrepr))


def pytest_sessionfinish() -> None:
    (_folder() / "seconds.json").write_text(json.dumps(_seconds), encoding="utf-8")


def failure(folder: Path) -> Failure | None:
    """Return what failed first; None where nothing has."""
    path = folder / "failure.json"
    return Failure(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def seconds(folder: Path) -> dict[str, float]:
    """Return how long each module took."""
    path = folder / "seconds.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def _folder() -> Path:
    return Path(os.environ[FOLDER])


def _note(test: str, said: str) -> None:
    path = _folder() / "failure.json"
    if not path.exists():
        path.write_text(json.dumps({"test": test, "said": said}), encoding="utf-8")
