"""The journal of an account: which plan sent what to which post, and what came back, on disk.

All plans for one account share a journal, so that a request of one plan whose response was lost is
known to every other plan before it writes to the same post.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..files import exclusively, give, make_folder, replacing
from ..sheets.cells import Value
from .model import Change, Plan, PlanError, StalePlanError
from .writers import are_same, writer

State = str
"""One of: waiting, sending, unknown, done, conflict, failed."""

FINISHED = ("done", "conflict", "failed")
IN_DOUBT = "the response was lost"
"""Why a change failed of which nobody can know whether it was carried out."""

_SCHEMA = """
CREATE TABLE plan (
    id TEXT PRIMARY KEY, content BLOB NOT NULL, sheet TEXT, undoes TEXT, used INTEGER NOT NULL
);
CREATE TABLE entry (
    plan TEXT NOT NULL, place INTEGER NOT NULL, post TEXT NOT NULL, state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '', wrote INTEGER NOT NULL DEFAULT 0,
    sends INTEGER NOT NULL DEFAULT 0, at TEXT, replaced TEXT NOT NULL DEFAULT '{}',
    kept TEXT NOT NULL DEFAULT '{}', turn INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (plan, place)
);
CREATE INDEX by_post ON entry (post);
"""
_ROWS = {
    "entry": "plan, place, post, state, reason, wrote, sends, at, replaced, kept, turn, by",
    "plan": "id, sheet, undoes, used",
}
"""What the checksum of a row is of, by its table; the content of a plan has its identifier."""
_COLUMNS = "plan, place, state, reason, wrote, sends, at, replaced, kept"
_ADDED = {"entry": ("by TEXT NOT NULL DEFAULT ''", "sum INTEGER"), "plan": ("sum INTEGER",)}
"""The columns that journals of first versions do not have."""
_IN_THE_WAY = "post = ? AND plan != ? AND state"
_BUSY = 10.0  # seconds that a process waits for another one's step
_SUFFIX = ".account"
_OF_ONE_PLAN = ".journal"  # a file for each plan, as first versions wrote them
_BESIDE = ("", "-journal", "-wal", "-shm")  # the files of a database


class JournalError(PlanError):
    """The journal cannot be read or written; nothing more was sent.

    Attributes:
        may_be_done: Whether changes were sent before.
    """

    may_be_done = False


class _DamagedError(JournalError):
    """A file is no journal, or a part of it is lost."""


class Entry(NamedTuple):
    """The result of one change.

    Attributes:
        plan: The identifier of the plan that wants the change.
        state: waiting, sending (a request may be on its way), unknown (its response was lost),
            done, conflict, or failed.
        reason: Why it is in this state, where there is something to say.
        wrote: Whether it was this plan that changed the post; False if it had the value already.
        sends: How many requests were sent for it.
        at: When the last one was sent, UTC; of one whose outcome is unknown, the latest moment.
        replaced: What the requests wrote over, by field: what an undo writes.
        kept: What the service made of a value, by field, where that is not what was sent.
        by: Who sent the last request, as `writers.writer` says it; empty where nobody knows.
    """

    plan: str
    change: Change
    state: State
    reason: str
    wrote: bool
    sends: int
    at: datetime | None
    replaced: Mapping[str, Value] = {}
    kept: Mapping[str, Value] = {}
    by: str = ""

    @property
    def in_doubt(self) -> bool:
        """Whether it may have been carried out, and no read can tell."""
        return self.state in ("failed", "conflict") and IN_DOUBT in self.reason

    @property
    def written(self) -> dict[str, Value]:
        """What the posts' fields have since this plan wrote them."""
        after = {name: self.change.fields[name].after for name in self.replaced}
        return {**after, **self.kept} if self.wrote else {}


class Written(NamedTuple):
    """What a person wrote last to a field, on this machine.

    Attributes:
        made: When the plan was made that wanted it, UTC.
    """

    value: Value
    made: datetime


@dataclass(frozen=True)
class Report:
    """What became of a plan.

    Attributes:
        entries: What became of each change, in the order of the sheet.
    """

    plan: Plan
    entries: Sequence[Entry]

    def count(self, *states: str) -> int:
        """Count the changes in these states."""
        return sum(entry.state in states for entry in self.entries)

    @property
    def others(self) -> list[str]:
        """Who else sent something of it, besides the user of this system."""
        return sorted({each.by for each in self.entries if not are_same(each.by, writer())})

    @property
    def complete(self) -> bool:
        """Whether every change of the plan is done."""
        return self.count("done") == len(self.entries)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to send or to find out."""
        return self.count(*FINISHED) == len(self.entries)


Note = Callable[[str], object]
"""Tells a person something about a journal."""


def plans_folder(folder: Path | None = None) -> Path:
    """Return the folder of plans and journals: the one that is named, or that of the user."""
    import platformdirs

    return folder or platformdirs.user_state_path("social-publishing") / "plans"


def journal_path(plan: Plan, folder: Path | None = None) -> Path:
    """Return the path of the journal of a plan's account.

    Args:
        folder: The folder of journals; by default that of the user.
    """
    return _path_of(plan.account, folder)


def _path_of(account: Mapping[str, str], folder: Path | None = None) -> Path:
    known_by = "/".join(account[name] for name in sorted(account)) or "unknown"
    is_plain = re.fullmatch("[0-9a-z]{1,40}", known_by)
    name = known_by if is_plain else hashlib.sha256(known_by.encode()).hexdigest()[:20]
    return plans_folder(folder) / f"{name}{_SUFFIX}"


def forget(account: Mapping[str, str], folder: Path | None = None, note: Note = str) -> None:
    """Leave no trace of what was applied to an account that begins anew, as a sandbox does."""
    path = _path_of(account, folder)
    try:
        if path.exists():
            with closing(_locked(path, wait=_BUSY)):
                for ending in _BESIDE:
                    path.with_name(path.name + ending).unlink(missing_ok=True)
    except (JournalError, OSError) as error:
        note(f"{path}: the plans that were applied are not forgotten: {error}")


def plan_path(plan_id: str, folder: Path | None = None) -> Path:
    """Return the path of a saved plan.

    Args:
        plan_id: The identifier, whole or its first twelve digits.
        folder: The folder of journals; by default that of the user.

    Raises:
        PlanError: This is not the identifier of a plan.
    """
    digits = plan_id.removeprefix("sha256:")
    if not re.fullmatch("[0-9a-f]{12,64}", digits):
        raise PlanError("is not the identifier of a plan, such as 3f9a0c12b7d4")
    return plans_folder(folder) / f"{digits[:12]}.plan"


def kept_plan(plan_id: str, folder: Path | None = None) -> Plan:
    """Read a plan by its identifier.

    Raises:
        PlanError: There is no such plan, or it cannot be read.
        StalePlanError: The plan was changed after it was made.
    """
    path = plan_path(plan_id, folder)
    if not path.exists():
        raise PlanError(f"there is no plan {path.stem}")
    changed = StalePlanError(f"plan {path.stem} was changed after it was made: make a new plan")
    try:
        plan = Plan.load(path)
    except StalePlanError:
        raise changed from None
    except PlanError:
        raise PlanError(f"plan {path.stem} cannot be read: make a new plan") from None
    if not plan.is_named(plan_id):
        raise changed
    return plan


def reports(
    folder: Path | None = None,
    note: Note = str,
    *,
    plan_id: str = "",
    undoes: str | None = None,
    sheet: str | None = None,
) -> Iterator[Report]:
    """Yield what became of the plans that were applied on this machine, the last used first.

    Args:
        folder: The folder of journals; by default that of the user.
        note: Called with a text for each journal that cannot be read; the others are.
        plan_id: The beginning of an identifier; only plans that have it.
        undoes: The identifier of a plan; only plans that take it back.
        sheet: The digest of a sheet; only plans that were applied with it.
    """
    query = """
        SELECT id, used FROM plan WHERE substr(id, 8, length(?1)) = ?1
        AND (?2 IS NULL OR undoes = ?2) AND (?3 IS NULL OR sheet = ?3)
    """
    begins = plan_id.removeprefix("sha256:")
    with ExitStack() as stack:
        found = []
        for base in _bases(plans_folder(folder), note):
            stack.enter_context(closing(base))
            rows = base.rows(query, begins, undoes, sheet)
            found += [(used, plan, base) for plan, used in rows]
        found.sort(key=lambda each: each[:2], reverse=True)
        for _, plan, base in found:
            try:
                report = Report(base.plan(plan), base.entries_of(plan))
            except JournalError as error:
                note(f"{error}; plan {plan[7:19]} is left out")
            else:
                yield report


def written(
    posts: Iterable[str], folder: Path | None = None, by: str = ""
) -> dict[tuple[str, str], Value]:
    """Return what a person wrote last on this machine, by post and field.

    Args:
        by: The person; by default the user of this system.
    """
    wanted = [*posts]
    found: dict[tuple[str, str], Value] = {}
    for base in _bases(plans_folder(folder), str):
        with closing(base):
            for post in wanted:
                last = base.written(post, by or writer())
                found |= {(post, name): each.value for name, each in last.items()}
    return found


def undone(plan: Plan, known: Sequence[Report]) -> int:
    """Count the changes of a plan that were taken back, and are not there again.

    Args:
        known: What became of all plans.
    """
    back = _back(plan, lambda of: (each for each in known if each.plan.undoes == of.id))
    return len({post for post, _ in back})


def taken_back(plan: Plan, folder: Path | None = None) -> set[tuple[str, str]]:
    """Return the posts and fields of a plan that were taken back on this machine, and not put
    back by an undo of that undo.
    """
    return _back(plan, lambda of: reports(folder, undoes=of.id))


def _back(plan: Plan, undos_of: Callable[[Plan], Iterable[Report]]) -> set[tuple[str, str]]:
    back: set[tuple[str, str]] = set()
    for each in undos_of(plan):
        written = {(entry.change.id, name) for entry in each.entries for name in entry.written}
        back |= written - _back(each.plan, undos_of)
    return back


def set_aside(plan: Plan, folder: Path | None = None) -> list[Path]:
    """Return the damaged journals of a plan's account, which other ones took the place of."""
    return _damaged(journal_path(plan, folder))


def _damaged(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.damaged-*"))


def check_not_taken_back(plan: Plan, folder: Path | None = None) -> None:
    """See that nothing of a plan that was applied on this machine was taken back since.

    Raises:
        StalePlanError: It was, or is under way.
    """
    undos = reports(folder, undoes=plan.id)
    if any(e.sends and e.state not in FINISHED for undo in undos for e in undo.entries):
        raise StalePlanError(
            f"an undo of plan {plan.short_id} was interrupted: social-publishing undo "
            f"{plan.short_id} continues it"
        )
    if taken_back(plan, folder):
        raise StalePlanError(
            f"plan {plan.short_id} was applied and then undone: to apply it again, {plan.again}"
        )


class Journal:
    """The journal of an account, open for one plan in this process and in no other one.

    Other processes may have it open for other plans.

    Attributes:
        lost: When the last damaged journal was written that stood in the place of this one;
            requests that only that one knew of may have left until then.
    """

    def __init__(
        self,
        path: Path,
        plan: Plan,
        *,
        sheet: str | None = None,
        note: Note = str,
        by: str = "",
        durable: bool = True,
    ) -> None:
        """Open the journal of an account for a plan; make it if there is none.

        A file that is no journal, or a damaged one, is kept under another name.

        Args:
            path: What `journal_path` returns.
            sheet: A digest of the sheet that is applied, if the plan was not saved.
            note: Called with a text if a file was set aside.
            by: Who applies the plan, as `writers.writer` says it; by default the user of this
                system.
            durable: Whether it outlives a crash of the system; a rehearsal's need not.

        Raises:
            JournalError: It cannot be opened, or is in use.
        """
        self.plan, self.by = plan, by or writer()
        self._lock = _locked(_lock_path(path, plan.id))
        try:
            _take_over(path.parent, note)
            with closing(_locked(path, wait=_BUSY)):
                _set_aside_damaged(path, note)
                self.lost = _lost(path)
                _create(path)
            self._base = _Base(path)
            if not durable:
                self._base.change("PRAGMA synchronous = OFF")
            self._base.begin(plan, sheet)
        except BaseException:
            self.close()
            raise

    def entries(self) -> list[Entry]:
        """Return what became of every change of the plan, in its order."""
        return self._base.entries_of(self.plan.id)

    def entry(self, known: Entry) -> Entry:
        """Return what became of a change by now."""
        [now] = self._base.entries("plan = ? AND post = ?", known.plan, known.change.id)
        return now

    def unsettled(self, post: str) -> list[Entry]:
        """Return the changes of other plans to a post whose outcome is not known."""
        return self._base.entries(f"{_IN_THE_WAY} IN ('sending', 'unknown')", post, self.plan.id)

    def written(self, post: str) -> dict[str, Written]:
        """Return what the person who applies the plan wrote last to a post here, by field."""
        return self._base.written(post, self.by)

    def forget_unsent(self) -> None:
        """Leave no trace of the plan if nothing of it was sent."""
        if not any(entry.sends for entry in self.entries()):
            with self._base.transaction():  # half of it would be a damaged journal
                self._base.change("DELETE FROM entry WHERE plan = ?", self.plan.id)
                self._base.change("DELETE FROM plan WHERE id = ?", self.plan.id)

    def find_killed(self) -> None:
        """Note of requests under way that no process waits for their responses any more.

        Nobody knows when they left: the client may have waited for the rate limit. So now counts.
        Nor is it known of one that left later than now, by a clock that was set back since.
        """
        now = datetime.now(UTC).isoformat()
        self._base.change("UPDATE entry SET at=? WHERE state='unknown' AND at>?", now, now)
        for [plan] in self._base.rows("SELECT DISTINCT plan FROM entry WHERE state='sending'"):
            if plan == self.plan.id or not _is_locked(_lock_path(self._base.path, plan)):
                self._base.change(
                    "UPDATE entry SET state='unknown', reason=?, at=? "
                    "WHERE state='sending' AND plan=?",
                    "the program ended before the response came",
                    datetime.now(UTC).isoformat(),
                    plan,
                )

    def turn(self) -> int:
        """Return how many requests left so far: an order that no clock can set back."""
        [[turn]] = self._base.rows("SELECT coalesce(max(turn), 0) FROM entry")
        return int(turn)

    def sending(self, post: str, replaced: Mapping[str, Value], turn: int | None = None) -> bool:
        """Note that a request is about to leave; on disk when this returns.

        Args:
            replaced: What it writes over, by field.
            turn: What `turn` returned before the post was read; by default what it returns now.

        Returns:
            Whether it may leave: no other plan has sent a request to the post since it was read,
            and none waits for the outcome of one.
        """
        with self._base.transaction():
            last = self.turn()
            since = last if turn is None else turn
            where = (
                f"({_IN_THE_WAY} IN ('sending', 'unknown') OR post = ? AND plan != ? AND turn > ?)"
            )
            if self._base.entries(where, post, self.plan.id, post, self.plan.id, since):
                return False
            self._base.change_one(
                "UPDATE entry SET state='sending', sends=sends+1, at=?, turn=?, reason='', "
                "replaced=?, kept='{}', by=? WHERE post=? AND plan=?",
                datetime.now(UTC).isoformat(),
                last + 1,
                json.dumps(dict(replaced)),
                self.by,
                post,
                self.plan.id,
            )
            self._base.use(self.plan.id)
        return True

    def note(
        self,
        entry: Entry,
        state: State,
        reason: str = "",
        *,
        wrote: bool | None = None,
        replaced: Mapping[str, Value] | None = None,
        kept: Mapping[str, Value] | None = None,
    ) -> None:
        """Note what became of a change; on disk when this returns.

        A request with an unknown outcome may have been sent as late as now: the client may have
        waited for the rate limit, or retried.

        Args:
            entry: The change, of this plan or of another one.
            state: The state that it is in now.
            wrote: Whether its plan changed the post; by default that stays as it is.
            replaced: What was written over; by default what was noted when the request left.
            kept: What the service made of the values, if that is not what was sent.
        """
        at = datetime.now(UTC).isoformat() if state == "unknown" else None
        self._base.change_one(
            "UPDATE entry SET state=?, reason=?, wrote=coalesce(?, wrote), at=coalesce(?, at), "
            "replaced=coalesce(?, replaced), kept=coalesce(?, kept) WHERE post=? AND plan=?",
            state,
            reason,
            None if wrote is None else int(wrote),
            at,
            None if replaced is None else json.dumps(dict(replaced)),
            None if kept is None else json.dumps(dict(kept)),
            entry.change.id,
            entry.plan,
        )

    def close(self) -> None:
        """Let other processes open it."""
        if hasattr(self, "_base"):
            self._base.close()
        self._lock.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Base:
    """The file of a journal."""

    def __init__(self, path: Path) -> None:
        """Open the file of a journal; only to read, where the system allows no more.

        Raises:
            JournalError: It cannot be opened, is no journal, or is damaged.
        """
        self.path = path
        self._plans: dict[str, Plan] = {}
        with self._refusing("read"):
            uri = f"{path.absolute().as_uri()}?mode=rw"
            self._base = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_BUSY)
        self._base.create_function("checksum", -1, _checksum, deterministic=True)
        try:
            self.change("PRAGMA synchronous = FULL")
            self._has_sums = "sum" in [row[1] for row in self.rows("PRAGMA table_info(entry)")]
            for table, columns in _ROWS.items():
                columns = columns if self._has_sums else columns.removesuffix(", by")
                self.rows(f"SELECT {columns} FROM {table} LIMIT 1")
            self.rows("SELECT content FROM plan LIMIT 1")
            if self._has_sums:
                self._sum()
        except JournalError:
            self.close()
            raise

    def _sum(self) -> None:
        """Let every row that this process writes get its checksum, in the same transaction."""
        for table, columns in _ROWS.items():
            for event in ("INSERT", "UPDATE"):
                with self._refusing("read"):
                    self._base.execute(
                        f"CREATE TEMP TRIGGER {table}_{event} AFTER {event} ON main.{table} BEGIN "
                        f"UPDATE {table} SET sum = checksum({columns}) WHERE rowid = NEW.rowid; END"
                    )

    def _begin_sums(self) -> None:
        """Give a journal checksums that a first version wrote without them."""
        for table, columns in _ROWS.items():
            for column in _ADDED[table]:
                self.change(f"ALTER TABLE {table} ADD COLUMN {column}")
            self.change(f"UPDATE {table} SET sum = checksum({columns})")
        self._sum()
        self._has_sums = True

    def check(self) -> None:
        """See that all of the file can be read, and is what was written.

        Raises:
            JournalError: A part is lost, or has another value.
        """
        if self.rows("PRAGMA integrity_check") != [("ok",)]:
            raise _DamagedError(f"{self.path}: is damaged")
        for table, columns in _ROWS.items() if self._has_sums else ():
            if self.rows(f"SELECT 1 FROM {table} WHERE sum IS NOT checksum({columns}) LIMIT 1"):
                raise _DamagedError(f"{self.path}: is damaged: a value is not what was written")

    def begin(
        self, plan: Plan, sheet: str | None = None, entries: Sequence[Entry] = (), used: int = 0
    ) -> None:
        """Note a plan, whole, unless it is known already."""
        entries = entries or [
            Entry(plan.id, change, "waiting", "", False, 0, None) for change in plan.changes
        ]
        with self.transaction():
            if not self._has_sums:
                self._begin_sums()
            if self.rows("SELECT 1 FROM plan WHERE id = ?", plan.id):
                return
            used = used or self._now()
            content = msgspec.json.encode(plan)
            self.change(
                f"INSERT INTO plan ({_ROWS['plan']}, content) VALUES (?, ?, ?, ?, ?)",
                plan.id,
                sheet,
                plan.undoes,
                used,
                content,
            )
            for place, entry in enumerate(entries):
                self.change(
                    f"INSERT INTO entry ({_ROWS['entry']}) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '')",
                    plan.id,
                    place,
                    entry.change.id,
                    *entry[2:6],
                    entry.at.isoformat() if entry.at else None,
                    json.dumps(dict(entry.replaced)),
                    json.dumps(dict(entry.kept)),
                )

    def use(self, plan_id: str) -> None:
        """Note that a plan is in use: something of it is sent."""
        self.change("UPDATE plan SET used = ? WHERE id = ?", self._now(), plan_id)

    def _now(self) -> int:
        """Return a moment after all that are noted, even where a clock was set back."""
        [[last]] = self.rows("SELECT coalesce(max(used), 0) FROM plan")
        return max(time.time_ns(), int(last) + 1)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Carry out all changes of a block, or none."""
        with self._refusing("written"):
            self._base.execute("BEGIN IMMEDIATE")
            with self._base:  # which commits, or rolls back
                yield

    def plan(self, plan_id: str) -> Plan:
        """Return a plan that is known here."""
        if plan_id not in self._plans:
            rows = self.rows("SELECT content FROM plan WHERE id = ?", plan_id)
            self._plans[plan_id] = _decoded(self.path, plan_id, rows[0][0] if rows else b"")
        return self._plans[plan_id]

    def entries(self, where: str, *values: object, order: str = "plan, place") -> list[Entry]:
        """Return what became of changes, by default in the order of their plan."""
        by = "by" if self._has_sums else "''"
        query = f"SELECT {_COLUMNS}, {by} FROM entry WHERE {where} ORDER BY {order}"
        rows = self.rows(query, *values)
        try:
            found = [
                Entry(plan, self.plan(plan).changes[place], *_read(*rest))
                for plan, place, *rest in rows
            ]
            if any({*each.replaced, *each.kept} - {*each.change.fields} for each in found):
                raise ValueError("a change has a field that its plan does not have")
            return found
        except (ValueError, TypeError, IndexError) as error:
            raise _DamagedError(f"{self.path}: is damaged: {error}") from None

    def entries_of(self, plan_id: str) -> list[Entry]:
        """Return what became of every change of a plan, in its order."""
        found = self.entries("plan = ?", plan_id)
        if len(found) != len(self.plan(plan_id).changes):
            raise _DamagedError(
                f"{self.path}: is damaged, and has lost changes of plan {plan_id[7:19]}: move the "
                "file away to go on without it"
            )
        return found

    def written(self, post: str, by: str) -> dict[str, Written]:
        """Return what a person wrote last to a post, by field; not what somebody else wrote over.

        Args:
            by: The person.
        """
        found: dict[str, Written | None] = {}
        for entry in self.entries("post = ? AND wrote", post, order="turn, at"):
            made, is_own = self.plan(entry.plan).made, are_same(entry.by, by)
            for name, value in entry.written.items():
                found[name] = Written(value, made) if is_own else None
        return {name: last for name, last in found.items() if last}

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return what a query finds."""
        with self._refusing("read"):
            return self._base.execute(query, values).fetchall()

    def change(self, statement: str, *values: object) -> None:
        """Carry out one change; on disk when this returns."""
        with self._refusing("written"):
            self._base.execute(statement, values)

    def change_one(self, statement: str, *values: object) -> None:
        """Carry out a change of one row, which must be there."""
        with self._refusing("written"):
            changed = self._base.execute(statement, values).rowcount
        if changed != 1:
            raise _DamagedError(f"{self.path}: is damaged: it has lost a change that it had")

    def close(self) -> None:
        """Let the file go."""
        self._base.close()

    @contextmanager
    def _refusing(self, done: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            if "user-defined function" in str(error):
                # Only an interruption ends `_checksum`, and SQLite says no more of it.
                raise KeyboardInterrupt from None
            is_foreign = str(error).startswith(("no such table", "no such column"))
            if is_foreign or type(error) is sqlite3.DatabaseError:
                raise _DamagedError(f"{self.path}: is no journal, or is damaged: {error}") from None
            raise JournalError(
                f"{self.path}: the journal cannot be {done}: {_why(error, self.path)}"
            ) from None


def _why(error: Exception, path: Path | None = None) -> str:
    """Return why a file cannot be used, and what to do where it is that of another user."""
    is_foreign = isinstance(error, PermissionError)
    with suppress(OSError):
        is_foreign |= bool(path and path.exists() and not os.access(path, os.R_OK | os.W_OK))
    reason = "permission denied" if is_foreign else str(error)
    advice = "it is another user's, as after sudo: take it over, or choose --journals FOLDER"
    return f"{reason}; {advice}" if is_foreign else reason


def _checksum(*values: object) -> int:
    return zlib.crc32(repr(values).encode("utf-8", "surrogatepass"))


def _read(
    state: str,
    reason: str,
    wrote: int,
    sends: int,
    at: str | None,
    replaced: str,
    kept: str,
    by: str = "",
) -> tuple[Any, ...]:
    moment = datetime.fromisoformat(at) if at else None
    return state, reason, bool(wrote), sends, moment, json.loads(replaced), json.loads(kept), by


def _decoded(path: Path, plan_id: str, content: bytes) -> Plan:
    try:
        plan = msgspec.json.decode(content, type=Plan)
    except msgspec.MsgspecError:
        raise _DamagedError(f"{path}: is damaged") from None
    if plan.id != plan_id:
        reason = "was changed by hand: move it away to go on without it"
        raise JournalError(f"{path}: {reason}")
    return plan


def _create(path: Path) -> None:
    """Make an empty journal, whole or not at all; leave one that is there."""
    if path.exists():
        return
    try:
        with replacing(path, 0o600) as new, closing(sqlite3.connect(new)) as base:  # of drafts
            base.executescript(_SCHEMA)
        give(path)
    except (sqlite3.Error, OSError) as error:
        raise JournalError(f"{path}: the journal cannot be written: {error}") from None


def _lock_path(journal: Path, plan_id: str) -> Path:
    return journal.with_name(plan_id[7:19])


def _is_locked(path: Path) -> bool:
    try:
        _locked(path).close()
    except JournalError:
        return True
    return False


def _locked(path: Path, wait: float = 0) -> sqlite3.Connection:
    """Keep other processes out of a file, for as long as this one lives and does not close this."""
    guard = path.with_name(f"{path.name}.lock")
    try:
        make_folder(path.parent)
        return exclusively(guard, wait)
    except BlockingIOError:
        raise JournalError("this plan is being applied by another process") from None
    except (sqlite3.Error, OSError) as error:
        raise JournalError(f"{guard}: the journal cannot be locked: {_why(error)}") from None


def _bases(folder: Path, note: Note) -> Iterator[_Base]:
    """Yield the journals of a folder, open; one that cannot be read is told of."""
    try:
        if not any(os.scandir(folder)):
            return
    except FileNotFoundError:
        return
    except OSError as error:
        note(f"{folder}: the journals cannot be read: {_why(error)}; their plans are left out")
        return
    _take_over(folder, note)
    for path in sorted(folder.glob(f"[!.]*{_SUFFIX}")):
        try:
            base = _Base(path)
            try:
                base.check()
            except JournalError:
                base.close()
                raise
        except JournalError as error:
            note(f"{error}; its plans are left out")
        else:
            yield base


def _lost(path: Path) -> datetime | None:
    """Return when the last journal was written that was set aside.

    One that was written later than now, by a clock that was set right since, counts as of now.
    """
    last, now = None, time.time()
    for each in _damaged(path):
        written = each.stat().st_mtime
        if written > now:
            with suppress(OSError):
                os.utime(each, (now, now))
        last = max(last or 0, min(written, now))
    return None if last is None else datetime.fromtimestamp(last, UTC)


def _set_aside_damaged(path: Path, note: Note) -> None:
    """Give a file that is no journal another name.

    The files of a database that belong to no journal any more would spoil a new one, and go along.
    """
    is_damaged = path.exists()
    if is_damaged:
        with suppress(_DamagedError), closing(_Base(path)) as base:
            base.check()
            return
    moved = ""
    number = 1
    while path.with_name(f"{path.name}.damaged-{number}").exists():
        number += 1
    try:
        for each in (path.with_name(path.name + ending) for ending in _BESIDE):
            if each.exists():
                moved = f"{each.name}.damaged-{number}"
                each.rename(each.with_name(moved))
    except OSError as error:
        raise JournalError(f"{path}: is damaged, and cannot be set aside: {error}") from None
    if is_damaged:
        note(f"{path}: is no journal, or is damaged; kept as {moved}, and a new one begins")


def _take_over(folder: Path, note: Note) -> None:
    """Move the journals of single plans into those of their accounts."""
    for path in sorted(folder.glob(f"[!.]*{_OF_ONE_PLAN}")):
        try:
            with closing(_locked(path)):
                plan, entries, used = _of_one_plan(path)
                target = journal_path(plan, folder)
                with closing(_locked(target, wait=_BUSY)):
                    _create(target)
                with closing(_Base(target)) as base:
                    base.begin(plan, entries=entries, used=used)
            path.rename(path.with_name(f"{path.name}.taken-over"))
            path.with_name(f"{path.name}.lock").unlink(missing_ok=True)
        except (JournalError, OSError) as error:
            note(f"{error}; its plan is left out. Move {path.name} away if nothing is to be read")


def _of_one_plan(path: Path) -> tuple[Plan, list[Entry], int]:
    """Read the journal of one plan, as first versions wrote it."""
    columns = "place, state, reason, wrote, sends, at, replaced, '{}'"
    try:
        used = path.stat().st_mtime_ns
        with closing(sqlite3.connect(path)) as base:
            [[plan_id, content]] = base.execute("SELECT id, content FROM plan").fetchall()
            rows = base.execute(f"SELECT {columns} FROM entry ORDER BY place").fetchall()
        plan = _decoded(path, plan_id, content)
        entries = [Entry(plan_id, plan.changes[place], *_read(*rest)) for place, *rest in rows]
    except (sqlite3.Error, OSError, ValueError, TypeError, IndexError) as error:
        raise _DamagedError(f"{path}: is no journal, or is damaged: {error}") from None
    return plan, entries, used
