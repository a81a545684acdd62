"""What the cases have reached of the documents, and whether that is enough at the end of a run.

The measure is made of the documents alone, see `coverage_goals`. What no case can show stands in
`REASONS`; anything else that is missing when all contract tests have run makes the run fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harness.coverage_goals import (
    COLUMNS,
    Goal,
    Member,
    Sight,
    Walk,
    broken_rules,
    kept_rules,
    present,
)
from tests.support.documents import Document, Json, Operation, Response, Schema, Values
from tests.support.wire import given


@dataclass(frozen=True)
class Reason:
    """Why no case can show some of the documents.

    Attributes:
        pattern: what the texts of the goals have in common, as a regular expression.
    """

    pattern: str
    why: str

    def __contains__(self, goal: Goal) -> bool:
        return re.search(self.pattern, str(goal)) is not None


REASONS: tuple[Reason, ...] = ()


class Tally:
    """How often the cases have shown what a document says."""

    def __init__(self, document: Document) -> None:
        self.name = document.name
        sent, read = Walk(document, "sent"), Walk(document, "read")
        self._requests = {
            each.id: _Requests.of(each, sent) for each in document.operations.values()
        }
        self._responses = {
            (each.id, status): _Responses.of(each, status, node, read)
            for each in document.operations.values()
            for status, node in each.node["responses"].items()
            if not status.startswith("x-")
        }
        goals = [goal for each in self._requests.values() for goal in each.goals()]
        goals += [goal for each in self._responses.values() for goal in each.goals()]
        self.counts = dict.fromkeys([*goals, *sent.goals(), *read.goals()], 0)

    def sent(self, operation: Operation, values: Values) -> None:
        self._count(self._requests[operation.id].kept(values))

    def refused(self, operation: Operation, values: Values) -> None:
        """Counts where one place is wrong: of two nobody knows which was found."""
        found = list(self._requests[operation.id].broken(values))
        if len(found) == 1:
            self._count(found[0])

    def received(
        self, operation: Operation, status: int, body: Json, headers: Mapping[str, str]
    ) -> None:
        for key in (str(status), f"{status // 100}XX", "default"):
            if responses := self._responses.get((operation.id, key)):
                return self._count(responses.kept(body, headers))

    @property
    def reached(self) -> bool:
        """Whether anything was."""
        return any(self.counts.values())

    def add(self, counts: Iterable[int]) -> None:
        """Count what another process has counted, in the order of the goals."""
        for goal, count in zip(self.counts, counts, strict=True):
            self.counts[goal] += count

    def missing(self) -> list[Goal]:
        return [goal for goal, count in self.counts.items() if not count]

    def _count(self, goals: Iterator[Goal] | Sequence[Goal]) -> None:
        for goal in goals:
            self.counts[goal] += 1


@dataclass
class _Requests:
    """What the requests of an operation can show."""

    operation: Operation
    sent: Goal
    members: dict[str, Member]
    rules: list[tuple[Goal, Sight]]
    breaks: list[tuple[Goal, Sight]]

    @classmethod
    def of(cls, operation: Operation, walk: Walk) -> _Requests:
        members = {}
        for key, argument in operation.arguments.items():
            column = "body properties" if argument.location == "body" else "parameters"
            place, optional = f"{operation.id} {key}", not argument.required
            # A file is no JSON: what can be said of it stands in rules.
            node = {} if argument.location == "form" else argument.schema
            members[key] = walk.member(column, place, node, optional=optional)
        kept = [(walk.goal("values", operation.id, s[0]), s) for s in kept_rules(operation)]
        broken = [
            (walk.goal("values", operation.id, f"{s[0]}, refused"), s)
            for s in broken_rules(operation)
        ]
        goal = walk.goal("operations", operation.id, "sent")
        return cls(operation, goal, members, kept, broken)

    def goals(self) -> Iterator[Goal]:
        yield self.sent
        for member in self.members.values():
            yield from member.goals()
        yield from (goal for goal, _ in (*self.rules, *self.breaks))

    def kept(self, values: Values) -> Iterator[Goal]:
        yield self.sent
        yield from (goal for goal, (_, holds) in self.rules if holds(values))
        yield from present(
            self.members,
            {key for key in values if given(self.operation.arguments[key], values)},
        )
        for key, value in values.items():
            yield from self.members[key].shape.kept(value)

    def broken(self, values: Values) -> Iterator[Sequence[Goal]]:
        """Yield what is wrong with the values; with the whole where every value is right."""
        found = [g for key, value in values.items() for g in self.members[key].shape.broken(value)]
        if found:
            yield from found
        else:
            yield from ([goal] for goal, (_, holds) in self.breaks if holds(values))


@dataclass
class _Responses:
    """What the responses of an operation with one status can show."""

    came: Goal
    headers: dict[str, Goal]
    body: Member | None

    @classmethod
    def of(cls, operation: Operation, status: str, node: Schema, walk: Walk) -> _Responses:
        document, place = operation.document, f"{operation.id} {status}"
        node = document.resolve(node)
        content = node.get("content", {}).get("application/json")
        return cls(
            walk.goal("statuses", place, "answered"),
            {name: walk.goal("statuses", place, name) for name in node.get("headers", {})},
            content and walk.member("statuses", f"{place} body", content["schema"], optional=False),
        )

    def goals(self) -> Iterator[Goal]:
        yield from (self.came, *self.headers.values())
        if self.body:
            yield from self.body.goals()

    def kept(self, body: Json, headers: Mapping[str, str]) -> Iterator[Goal]:
        yield self.came
        names = {name.lower() for name in headers}
        yield from (goal for name, goal in self.headers.items() if name.lower() in names)
        if self.body:
            yield self.body.given
            yield from self.body.shape.kept(body)


# The tallies of a run

_tallies: dict[Document, Tally] = {}


def watched(document: Document) -> Tally:
    """Return the tally of a document; from now on it is kept."""
    if document not in _tallies:
        _tallies[document] = Tally(document)
    return _tallies[document]


@contextmanager
def watching(document: Document) -> Iterator[Tally]:
    """Yield the tally of a document that is of no more interest afterwards."""
    tally = watched(document)
    try:
        yield tally
    finally:
        del _tallies[document]


def sent(operation: Operation, values: Values) -> None:
    """A request of these values left the client, and was right."""
    if tally := _tallies.get(operation.document):
        tally.sent(operation, values)


def refused(operation: Operation, values: Values) -> None:
    """The client has refused a request that the documents forbid."""
    if tally := _tallies.get(operation.document):
        tally.refused(operation, values)


def received(
    operation: Operation, response: Response, body: Json, headers: Mapping[str, str]
) -> None:
    """The client has read a response of this documented response, and was right."""
    if tally := _tallies.get(operation.document):
        tally.received(operation, response.status, body, headers)


@dataclass(frozen=True)
class Summary:
    """What a run has reached, as people read it.

    Attributes:
        figures: a table.
        reasons: what no case can show.
        failures: what is missing without a reason, and reasons that are none.
    """

    figures: list[str]
    reasons: list[str]
    failures: list[str]


def summary(tallies: Sequence[Tally], reasons: Sequence[Reason] = REASONS) -> Summary:
    """Put what these tallies have counted together."""
    rows = [(tally.name, *_figures(tally)) for tally in tallies]
    found = Summary([_row(each) for each in (("", *COLUMNS), *rows)], [], [])
    missing = [goal for tally in tallies for goal in tally.missing()]
    for goal in missing:
        if reason := next((each for each in reasons if goal in each), None):
            found.reasons.append(f"cannot be reached: {goal} ({reason.why})")
        else:
            found.failures.append(f"not reached: {goal}")
    for reason in reasons:
        if not any(goal in reason for goal in missing):
            found.failures.append(f"no reason any more, all is reached: {reason.pattern}")
    return found


def _row(cells: Sequence[str]) -> str:
    return "".join(f"{cell:<22}" for cell in cells).rstrip()


def _figures(tally: Tally) -> Iterator[str]:
    for column in COLUMNS:
        counts = [count for goal, count in tally.counts.items() if goal.column == column]
        reached = sum(map(bool, counts))
        yield f"{reached}/{len(counts)} {100 * reached // max(len(counts), 1)} %"


class Measuring:
    """A plugin of pytest. A run of all contract tests fails where something is not reached.

    With pytest-xdist, the workers count and the process that started them judges.

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
        everything = set(self._folder.glob("test_*.py")) <= self._collected
        shown = session.config.getoption("collectonly")
        self._whole = everything and not (parts or shown or self._left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self._whole, counts = getattr(node, "workeroutput", {}).get("reached", (False, ()))
        for tally, more in zip(self._tallies, counts, strict=False):
            tally.add(more)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if hasattr(session.config, "workeroutput"):
            counts = [list(tally.counts.values()) for tally in self._tallies]
            session.config.workeroutput["reached"] = (self._whole, counts)
            return
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
