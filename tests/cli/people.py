"""Two people and an assistant at one month: random edits, exports, plans, applies and undos.

    python tests/cli/people.py [SEEDS] [--first N]

The service is a table in memory that knows who wrote what, and refuses every write of the command
that nobody asked for: a cell that was not edited, a value that somebody else wrote since, an undo
of what the plan did not write. The sheets, the plans and the journals are real files. An apply or
undo may be killed before or after any write of a post or of its journal; journals are damaged, and
clocks are set back. Responses that are lost on the way are tried in `tests/simulation`.
"""

from __future__ import annotations

import argparse
import csv
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

ROOT = Path(__file__).parents[2]
for folder in ("generated/client/src", "cli/src"):
    sys.path.insert(0, str(ROOT / folder))

from social_publishing import SocialPublishing, models  # noqa: E402

from social_publishing_cli import plans  # noqa: E402
from social_publishing_cli.mcp import writing  # noqa: E402
from social_publishing_cli.plans import journal as journals  # noqa: E402
from social_publishing_cli.plans.model import PlanError  # noqa: E402
from social_publishing_cli.sheets.cells import Value, zone_named  # noqa: E402
from social_publishing_cli.sheets.columns import shown, value_of  # noqa: E402
from social_publishing_cli.sheets.exporting import posts_of  # noqa: E402
from social_publishing_cli.sheets.writing import write_sheet  # noqa: E402

BERLIN = zone_named("Europe/Berlin")
START = datetime(2024, 12, 1, 9, tzinfo=UTC)
FAST = datetime(2124, 12, 1, 9, tzinfo=UTC)  # what a clock shows that is set wrong
FIELDS: dict[str, Callable[[random.Random], Any]] = {
    "name": lambda rng: rng.choice(["a", "b", "c\u202e", "=1+1", "007", ""]),
    "content": lambda rng: rng.choice(["x", "y\r\nz", "_x0041_", "two\nlines", "🥐"]),
    "content[threads]": lambda rng: rng.choice([None, "t", "u\nv", "=1"]),
    "content[facebook]": lambda rng: rng.choice([None, "f"]),
    "publication_date": lambda rng: START + timedelta(hours=rng.randint(30, 600)),
    "publication_delay_between": lambda rng: rng.choice([0, 5, 10]),
    "visible_for_client": lambda rng: rng.choice([True, False]),
    "yt_video_tags": lambda rng: rng.choice([[], ["a"], ["b, c", "=d"]]),
    "li_poll[question]": lambda rng: rng.choice([None, "which?", "when?"]),
    "li_poll[option_1]": lambda rng: rng.choice([None, "rye", "oats"]),
}
KINDS = {"publication_date": "moment", "visible_for_client": "flag", "yt_video_tags": "texts"}


def post_of(id: str, values: dict[str, Any], **more: Any) -> models.Post:
    """Return a post with these values of columns."""
    own = {n: v for n, v in values.items() if n.startswith("content[")}
    poll = {n[8:-1]: v for n, v in values.items() if n.startswith("li_poll[") and v is not None}
    customized = {name[8:-1]: {"content": text} for name, text in own.items() if text is not None}
    plain = {name: value for name, value in values.items() if "[" not in name}
    entries: Any = {
        models.Network(network): models.PostCustomization(**each)
        for network, each in customized.items()
    }
    question: Any = models.LinkedInPoll(**poll) if poll else None
    return models.Post(id=id, customized=entries, li_poll=question, **plain, **more)


class WrittenError(AssertionError):
    """Something was written that nobody asked for."""


class Killed(BaseException):
    """The process ends here."""


Cell = tuple[str, str]


@dataclass
class Paper:
    """A sheet, with what its cells said when it was exported, and what was edited in it."""

    path: Path
    exported: dict[Cell, Value]
    wishes: dict[Cell, Value] = field(default_factory=dict)


@dataclass
class Attempt:
    """Who writes now, and what may be written.

    Attributes:
        left: Requests that may have left before a process was killed. Nobody can tell their values
            from the same ones that somebody else wrote.
    """

    plan: plans.Plan
    wishes: dict[Cell, Value]
    expected: dict[Cell, Value]
    forced: bool
    written: dict[Cell, Value]
    own: dict[Cell, tuple[Value, datetime]]
    left: dict[Cell, Value]

    def is_own(self, cell: Cell, there: Value) -> bool:
        """Whether a value is what an earlier plan of this machine wrote last; not for an undo."""
        value, made = self.own.get(cell, (object(), START))
        is_earlier = made < self.plan.made <= datetime.now(UTC)  # by clocks that agree
        return not self.plan.undoes and is_earlier and value == there


class Kill:
    """When a process is to end: at the nth moment of a kind; never, unless told."""

    def __init__(self, kind: str = "", moment: int = 0) -> None:
        self.kind, self.left = kind, moment

    def here(self, kind: str) -> None:
        if kind == self.kind:
            self.left -= 1
            if self.left == 0:
                raise Killed

    @contextmanager
    def in_journals(self) -> Iterator[None]:
        """Let it come between two statements of a journal, too."""
        change = journals._Base.change

        def changed(base: Any, *arguments: Any) -> Any:
            self.here("journal")
            return change(base, *arguments)

        with patch.object(journals._Base, "change", changed):
            yield


class Service:
    """The posts, and everything that the command asks of the client."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.now: dict[Cell, Any] = {
            (post, name): make(rng) for post in ("11", "12", "13") for name, make in FIELDS.items()
        }
        self.attempt: Attempt | None = None
        self.kill = Kill()
        self.client = cast(SocialPublishing, self)
        self.posts = self.groups = self

    def post(self, id: str) -> models.Post:
        values = {name: self.now[id, name] for name in FIELDS}
        more: Any = {"status": models.PostStatus.SCHEDULED, "organization_id": "1"}
        return post_of(id, values, selected_account_ids=["5"], **more)

    def value(self, cell: Cell) -> Value:
        return value_of(self.post(cell[0]), cell[1])

    def get(self, group: str, include: Any = ()) -> Any:
        return models.Group(id=group, timezone="Europe/Berlin", social_accounts=[])

    def list(self, group_id: str, include: Any = ()) -> list[models.Post]:
        return [self.post(id) for id in ("11", "12", "13")]

    def get_many(self, ids: list[str]) -> list[models.Post]:
        return [self.post(id) for id in ids]

    def update(self, post: str, **arguments: Any) -> models.Post:
        attempt = self.attempt
        assert attempt is not None
        if (own := arguments.pop("customized", None)) is not None:
            arguments |= self._changed(
                post, "content", lambda part: own.get(part, {}).get("content")
            )
        if (poll := arguments.pop("li_poll", None)) is not None:
            arguments |= self._changed(post, "li_poll", poll.get)
        cells = {(post, name): value for name, value in arguments.items()}
        for cell in cells:
            self._check(cell, attempt, value_of(post_of("7", {cell[1]: cells[cell]}), cell[1]))
        attempt.left |= {cell: self.value(cell) for cell in cells}
        self.kill.here("before")
        for cell, value in cells.items():
            attempt.written[cell] = self.value(cell)
            self.now[cell] = value
            attempt.own[cell] = self.value(cell), attempt.plan.made
        self.kill.here("after")
        return self.post(post)

    def _changed(self, post: str, of: str, there: Callable[[str], Any]) -> dict[str, Any]:
        """Return the parts of an argument that get another value."""
        names = [each for each in FIELDS if each.startswith(f"{of}[")]
        parts = {name: there(name[len(of) + 1 : -1]) for name in names}
        return {name: value for name, value in parts.items() if value != self.now[post, name]}

    def _check(self, cell: Cell, attempt: Attempt, value: Value) -> None:
        there = self.value(cell)
        if cell not in attempt.wishes or attempt.wishes[cell] != value:
            raise WrittenError(f"{cell}: {value!r} is no wish, but {attempt.wishes.get(cell)!r}")
        is_known = there == attempt.expected[cell] or attempt.is_own(cell, there)
        if not attempt.forced and not is_known:
            raise WrittenError(
                f"{cell}: {there!r} was written over, {attempt.expected[cell]!r} known"
            )


class World:
    """One random course of things."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.rng = random.Random(seed)
        self.folder = folder
        self.service = Service(self.rng)
        self.papers: list[Paper] = []
        self.plans: list[tuple[plans.Plan, Paper]] = []
        self.attempts: dict[tuple[str, str], Attempt] = {}
        self.own: dict[str, dict[Cell, tuple[Value, datetime]]] = {"one": {}, "two": {}}
        self.damaged: set[str] = set()
        self.time = START

    def moment(self) -> datetime:
        """Return the time; it is a second later each time, unless a clock is set or wrong."""
        self.time += timedelta(seconds=1)
        if self.rng.random() < 0.05:
            self.time -= timedelta(hours=self.rng.randint(1, 48))
        return self.time + (FAST - START) * (self.rng.random() < 0.03)

    def run(self) -> None:
        """Do what people do."""
        self.export()
        actions = [self.colleague, self.colleague, self.export, self.edit, self.edit, self.plan]
        actions += [self.apply, self.apply, self.apply, self.undo, self.undo, self.ask]
        actions += [self.damage] if self.rng.random() < 0.2 else []
        for _ in range(self.rng.randint(8, 24)):
            self.rng.choice(actions)()

    def colleague(self) -> None:
        cell = self.rng.choice([*self.service.now])
        self.service.now[cell] = FIELDS[cell[1]](self.rng)

    def export(self) -> None:
        path = self.folder / f"{len(self.papers)}.{self.rng.choice(['csv', 'csv', 'xlsx'])}"
        write_sheet(path, posts_of(self.service.client, ["7"], None))
        exported = {cell: self.service.value(cell) for cell in self.service.now}
        self.papers.append(Paper(path, exported))

    def edit(self) -> None:
        paper = self.rng.choice(self.papers)
        if paper.path.suffix == ".xlsx":
            return self._edit_workbook(paper)
        with paper.path.open(encoding="utf-8-sig", newline="") as file:
            rows = [*csv.DictReader(file)]
        self.rng.shuffle(rows)
        row = self.rng.choice(rows)
        name, text, value = self._wish(paper, row["id"])
        for each in rows:  # a column that no post had a text for is added
            each.setdefault(name, "")
        row[name] = text
        paper.wishes[row["id"], name] = value
        with paper.path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, [*rows[0]])
            writer.writeheader()
            writer.writerows(rows)

    def _edit_workbook(self, paper: Paper) -> None:
        import openpyxl

        book = openpyxl.load_workbook(paper.path)
        head, *rows = book.active.iter_rows()
        names = [cell.value for cell in head]
        row = self.rng.choice(rows)
        post = row[names.index("id")].value
        name, text, value = self._wish(paper, post)
        at = names.index(name) if name in names else len(names)
        book.active.cell(1, at + 1, name)
        book.active.cell(row[0].row, at + 1, text)
        paper.wishes[post, name] = value
        book.save(paper.path)

    def _wish(self, paper: Paper, post: str) -> tuple[str, str, Value]:
        name = self.rng.choice([*FIELDS])
        if name in ("name", "content") or "[" in name:
            text = self.rng.choice(["a", "b", "x", f"edited {self.rng.random()}"])
            return name, text, text
        value = value_of(models.Post(**{name: FIELDS[name](self.rng)}), name)
        return name, shown(value, KINDS.get(name, "number"), BERLIN), value

    def plan(self) -> None:
        paper = self.rng.choice(self.papers)
        machine = self.machine()
        sheet = plans.read_sheet(paper.path)
        folder = self.folder / machine
        made = plans.make(self.service.client, sheet, now=self.moment(), folder=folder)
        for change in made.changes:
            for name in change.fields:
                if paper.wishes.get((change.id, name)) == paper.exported[change.id, name]:
                    raise WrittenError(f"{change.id}.{name} is planned, and says what was exported")
        paper = Paper(paper.path, paper.exported, dict(paper.wishes))
        self.plans.append((made, paper))

    def ask(self) -> None:
        """Let an assistant plan what somebody asks it for in words."""
        paper = Paper(self.folder / "assistant", {})
        posts = self.rng.sample(("11", "12", "13"), self.rng.randint(1, 3))
        rows = []
        for number, post in enumerate(posts, 1):
            name, text, value = self._wish(paper, post)
            paper.wishes[post, name] = value
            rows.append(plans.Row(number, post, BERLIN, {name: text}, {name: value}, None, "7"))
        asked = writing._Asked(paper.path, None, None, (), BERLIN, (), 0, asked=tuple(rows))
        folder = self.folder / self.machine()
        made = plans.make(
            self.service.client, asked, against_now=True, now=self.moment(), folder=folder
        )
        if made.changes:
            self.plans.append((made, paper))

    def damage(self) -> None:
        """Damage the journal of a machine, which then knows of nothing that it did."""
        machine = self.machine()
        for path in {plans.journal_path(made, self.folder / machine) for made, _ in self.plans}:
            if not path.exists():
                continue
            content = path.read_bytes()
            cut, other = content[: len(content) // 2], content.replace(b'": "', b'": "-')
            path.write_bytes(self.rng.choice([b"", b"no journal", cut, other]))
            if self.rng.random() < 0.3:
                path.write_bytes(content)
                with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as base, base:
                    base.execute("UPDATE entry SET state = 'waiting', replaced = '{}'")
        self.damaged.add(machine)

    def apply(self) -> None:
        if self.plans:
            made, paper = self.rng.choice(self.plans)
            choice = self.rng.choice([None, "skip", "ours", "abort"])
            expected = {
                (change.id, name): step.before
                for change in made.changes
                for name, step in change.fields.items()
            }
            self._apply(made, paper.wishes, expected, choice, self.machine())

    def undo(self) -> None:
        machine = self.machine()
        reports = [*plans.reports(self.folder / machine)]
        if not reports:
            return
        report = self.rng.choice(reports)
        folder = self.folder / machine
        done = self.attempts[machine, report.plan.id]
        begun = next(
            (e for e in plans.reports(folder, undoes=report.plan.id) if not e.finished), None
        )
        if begun:  # as the command does
            known = self.attempts[machine, begun.plan.id]
            self._apply(begun.plan, known.wishes, known.expected, None, machine)
            return
        if report.count("sending", "unknown"):
            path = plans.journal_path(report.plan, folder)
            with plans.Journal(path, report.plan) as journal:
                report, _ = plans.settle(self.service.client, report.plan, journal, 0)
        back = plans.reversed_plan(report, self.moment())
        for change in back.changes:
            for name in change.fields:
                if (change.id, name) not in done.left:
                    raise WrittenError(f"undo of {change.id}.{name}, which was not written")
        expected = {
            (change.id, name): step.before
            for change in back.changes
            for name, step in change.fields.items()
        }
        self._apply(back, {**done.left, **done.written}, expected, None, machine)

    def machine(self) -> str:
        """Return a machine; most things are done at the same one."""
        return self.rng.choice(["one", "one", "two"])

    def _apply(
        self,
        made: plans.Plan,
        wishes: dict[Cell, Value],
        expected: dict[Cell, Value],
        choice: Any,
        machine: str,
    ) -> None:
        known = self.attempts.get((machine, made.id))
        written = known.written if known else {}
        own = self.own[machine]
        left = known.left if known else {}
        attempt = Attempt(made, wishes, expected, choice == "ours", written, own, left)
        self.attempts[machine, made.id] = self.service.attempt = attempt
        there = {cell: self.service.value(cell) for cell in expected}
        is_own = {cell: attempt.is_own(cell, there[cell]) for cell in expected}
        kinds = ["before", "after", "journal"] if self.rng.random() < 0.5 else [""]
        kill = self.service.kill = Kill(self.rng.choice(kinds), self.rng.randint(1, 6))
        path = plans.journal_path(made, self.folder / machine)
        try:
            with kill.in_journals(), plans.Journal(path, made) as journal:
                report = plans.apply(
                    self.service.client, made, journal, on_conflict=choice, now=START, quiet=0
                )
        except (PlanError, Killed):
            return
        finally:
            self.service.attempt, self.service.kill = None, Kill()
        if machine in self.damaged:
            return  # what it reports is of what its journal still knows
        for entry in report.entries:
            cells = {(entry.change.id, name): s.after for name, s in entry.change.fields.items()}
            foreign = any(
                there[cell] not in (expected[cell], cells[cell]) and not is_own[cell]
                for cell in cells
            )
            ends = ("conflict", False) if foreign else ("done", True)
            is_so = all(self.service.value(cell) == cells[cell] for cell in cells)
            if known is None and choice in (None, "skip") and (entry.state, is_so) != ends:
                raise WrittenError(f"{entry.change.id} is {entry.state}, and not {ends[0]}")
            touched = any(cell in attempt.left for cell in cells)
            if entry.wrote and not touched:
                raise WrittenError(f"{entry.change.id} is reported as written, and was not")
            if entry.state == "done" and not entry.wrote and attempt.written.keys() & cells.keys():
                raise WrittenError(f"{entry.change.id} was written, and is not reported so")


def run(seed: int) -> None:
    """Play one seed.

    Raises:
        AssertionError: Something was written, or reported, that is not so.
    """
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as name:
        World(seed, Path(name)).run()


def main() -> int:
    """Play seeds, and return 0 where nothing went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", nargs="?", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    wrong = 0
    for seed in range(arguments.first, arguments.first + arguments.seeds):
        try:
            run(seed)
        except Exception as error:
            wrong += 1
            print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)
    print(f"{arguments.seeds} seeds, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
