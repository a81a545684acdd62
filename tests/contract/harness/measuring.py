"""The end of a run: what was reached of the documents, and whether that is enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from harness.coverage import REASONS, Reason, Summary, summary, watched
from harness.documents import Document


class Measuring:
    """A plugin of pytest. A run of all contract tests fails where something is not reached.

    Args:
        folder: where the contract tests are.
        documents: what is to be reached.
        asked: whether a test belongs to what is tested; what does not may be missing.
    """

    def __init__(
        self,
        folder: Path,
        documents: Iterable[Document],
        asked: Callable[[pytest.Item], bool],
        reasons: Sequence[Reason] = REASONS,
    ) -> None:
        self._folder = folder
        self._tallies = [watched(each) for each in documents]
        self._asked = asked
        self._reasons = reasons
        self._whole = False
        self._left_out = False
        self._collected: set[Path] = set()
        self._found: Summary | None = None

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        ours = [each for each in items if self._folder in each.path.parents]
        self._left_out |= any(map(self._asked, ours))
        self._collected |= {each.path for each in ours}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._collected |= {each.path for each in session.items}
        parts = any("::" in each for each in session.config.args)
        plugins = session.config.pluginmanager
        several = plugins.has_plugin("dsession") or hasattr(session.config, "workerinput")
        everything = set(self._folder.glob("test_*.py")) <= self._collected
        shown = session.config.getoption("collectonly")
        self._whole = everything and not (parts or several or shown or self._left_out)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        self._whole &= exitstatus == pytest.ExitCode.OK
        if self._whole or any(tally.reached for tally in self._tallies):
            self._found = summary(self._tallies, self._reasons)
            if self._whole and self._found.failures:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        verbose = terminalreporter.config.getoption("verbose") > 0
        if self._found is None or not (self._whole or verbose):
            return
        terminalreporter.section("reached of the documents")
        for line in self._found.figures:
            terminalreporter.write_line(line)
        if not self._whole:
            terminalreporter.write_line("Not all contract tests have passed: this is no verdict.")
        for line in self._found.reasons:
            terminalreporter.write_line(line)
        for line in self._found.failures:
            terminalreporter.write_line(line, red=True)
