"""A plugin of pytest: a test that skips for a reason that nobody expects has failed.

`nox -s tests` and `nox -s contract` ask for it in CI: a program that a runner has no more would
silence all tests that need it, and the run stay green.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Generator
from typing import Any, Final

import pytest

__all__ = [
    "EXPECTED",
    "is_expected",
    "pytest_addoption",
    "pytest_make_collect_report",
    "pytest_runtest_makereport",
]

_OPTION: Final = "--only-expected-skips"

_POSIX: Final = (
    *("there is no fork", "there are no pipes with names", "needs a pseudo-terminal"),
    *("POSIX signals", "BROWSER is no program", "could not import 'pty'"),
    "could not import 'resource'",
)
_LINUX: Final = (
    *("descriptors cannot be counted", "what a process holds is read from /proc"),
    *("there is no such device", "there is no such folder", "another day needs libfaketime"),
)
EXPECTED: Final = {
    "linux": (),
    "darwin": _LINUX,
    "win32": (*_POSIX, *_LINUX),
}
"""What a system is without, in words of the reasons; on Linux, all tests can be run."""

_ANYWHERE: Final = (
    r"trio has no cancel of a task",
    r"there is no IPv6",  # which a container may be without
    r"goldens are being written",
    r"is documented now",  # what a test is about has been confirmed
)
_ELSEWHERE: Final = ("contract/test_live.py", "contract/test_recordings.py")
"""Modules that are run for other services and recordings, and skip what those are without."""


def is_expected(node: str, reason: str, system: str = sys.platform) -> bool:
    """Return whether a module or test may skip for a reason on a system."""
    words = (*_ANYWHERE, *EXPECTED.get(system, ()))
    return any(each in node for each in _ELSEWHERE) or any(re.search(w, reason) for w in words)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        _OPTION,
        action="store_true",
        help="fail where a test skips that tests/support/skips.py does not expect to",
    )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    _checked(item.config, (yield).get_result())


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, None]:
    _checked(collector.config, (yield).get_result())


def _checked(config: pytest.Config, report: Any) -> None:
    is_asked = config.getoption(_OPTION) and report.outcome == "skipped"
    if not is_asked or hasattr(report, "wasxfail"):
        return
    told = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    reason = str(told).removeprefix("Skipped: ")
    if not is_expected(report.nodeid, reason):
        report.outcome = "failed"
        report.longrepr = (
            f"{report.nodeid} skips: {reason}\n"
            "Install what it needs, or name the reason in tests/support/skips.py."
        )
