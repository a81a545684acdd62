"""A plugin of pytest: writes down which test runs, and the first one that fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import Phase, settings

__all__ = ["FOLDER", "PROFILE", "failed", "running"]

PROFILE = "faults"
"""The profile of property tests: no failure is made smaller, for that takes long."""
settings.register_profile(
    PROFILE, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate]
)

FOLDER = "FAULTS_NOTES"
"""The variable of the environment that names the folder for it."""


def pytest_runtest_logstart(nodeid: str) -> None:
    _note("running", nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    pytest_collectreport(report)


def pytest_collectreport(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.failed and not failed(Path(os.environ[FOLDER])):
        _note("failed", report.nodeid)


def failed(folder: Path) -> str:
    """Return the test that failed first; empty where none has."""
    return _noted(folder / "failed")


def running(folder: Path) -> str:
    """Return the test that ran last; empty where none has."""
    return _noted(folder / "running")


def _note(name: str, test: str) -> None:
    Path(os.environ[FOLDER], name).write_text(test, encoding="utf-8")


def _noted(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
