"""The journal of a plan, on disk: what was sent, and its result."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from ..sheets.cells import Value
from .model import Change, Plan, PlanError, StalePlanError

State = str
"""One of: waiting, sending, unknown, done, conflict, failed."""

FINISHED = ("done", "conflict", "failed")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS plan (id TEXT PRIMARY KEY, content BLOB NOT NULL, begun TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entry (
    post TEXT PRIMARY KEY, place INTEGER NOT NULL, state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '', wrote INTEGER NOT NULL DEFAULT 0,
    sends INTEGER NOT NULL DEFAULT 0, at TEXT, replaced TEXT NOT NULL DEFAULT '{}'
);
"""


class JournalError(PlanError):
    """The journal cannot be read or written; nothing more was sent."""


class Entry(NamedTuple):
    """The result of one change.

    Attributes:
        state: waiting, sending (a request may be on its way), unknown (its response was lost),
            done, conflict, or failed.
        reason: Why it is in this state; may be empty.
        wrote: True if this plan changed the post; False where it unchanged.
        sends: Number of requests sent for it.
        at: When the last request was sent, UTC; if its outcome is unknown, the latest possible
            time.
        replaced: The values that were overwritten, by field; an undo writes them back.
    """

    change: Change
    state: State
    reason: str
    wrote: bool
    sends: int
    at: datetime | None
    replaced: Mapping[str, Value] = {}


def journal_path(plan: Plan, folder: Path | None = None) -> Path:
    """Return the path of a plan's journal.

    Args:
        folder: The folder of journals. Default: a folder of the user account.
    """
    return plans_folder(folder) / f"{plan.short_id}.journal"


def plan_path(plan_id: str, folder: Path | None = None) -> Path:
    """Return the path of a saved plan.

    Args:
        plan_id: The identifier, whole or its first twelve digits.
        folder: The folder of journals. Default: a folder of the user account.

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
        PlanError: There is no such plan.
        StalePlanError: The plan was changed after it was made.
    """
    path = plan_path(plan_id, folder)
    if not path.exists():
        raise PlanError(f"there is no plan {path.stem}")
    plan = Plan.load(path)
    if not plan.id.removeprefix("sha256:").startswith(plan_id.removeprefix("sha256:")):
        raise StalePlanError(f"plan {path.stem} was changed after it was made: make a new plan")
    return plan


def journals(folder: Path | None = None) -> Iterator[Path]:
    """Yield all journals, the newest first."""
    folder = plans_folder(folder)
    paths = folder.glob("*.journal") if folder.is_dir() else ()
    yield from sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True)


def check_not_taken_back(journal: Journal, folder: Path | None = None) -> None:
    """Check that a plan that was applied on this machine has not been undone since.

    Raises:
        StalePlanError: It was.
    """
    plan = journal.plan
    if not any(entry.state in FINISHED for entry in journal.entries()):
        return
    for path in journals(folder):
        with Journal(path, read_only=True) as other:
            if other.plan.undoes == plan.id and any(entry.wrote for entry in other.entries()):
                raise StalePlanError(
                    f"plan {plan.short_id} was applied and then undone: to apply it again, make a "
                    "new plan from the sheet"
                )


def plans_folder(folder: Path | None = None) -> Path:
    """Return the folder of plans and journals: the given one, or the user's."""
    import platformdirs

    return folder or platformdirs.user_state_path("social-publishing") / "plans"


class Journal:
    """The journal of one plan, open in this process only."""

    def __init__(self, path: Path, plan: Plan | None = None, *, read_only: bool = False) -> None:
        """Open the journal of a plan; make it where there is none.

        Args:
            plan: The plan; may be left out where the journal exists.
            read_only: Only look, also while another process is applying the plan.

        Raises:
            JournalError: It cannot be opened, is of another plan, or is in use.
        """
        self.path = path
        with self._refusing():
            if read_only:
                if not path.exists():
                    raise JournalError(f"{path}: there is no such journal")
                self._lock = None
            else:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                path.touch(0o600)  # what it holds are drafts
                self._lock = self._locked()
            self._base = sqlite3.connect(path, isolation_level=None, timeout=10)
            if not read_only:
                self._base.execute("PRAGMA journal_mode = WAL")
                self._base.execute("PRAGMA synchronous = FULL")
                self._base.executescript(_SCHEMA)
        try:
            self.plan = self._begun(plan)
        except BaseException:
            self.close()
            raise

    def _locked(self) -> sqlite3.Connection:
        """Keep others out, for as long as this process lives and has it open."""
        Path(f"{self.path}.lock").touch(0o600)
        lock = sqlite3.connect(f"{self.path}.lock", isolation_level=None, timeout=0)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lock.close()
            if "locked" in str(error):
                raise JournalError("this plan is being applied by another process") from None
            raise
        return lock

    def _begun(self, plan: Plan | None) -> Plan:
        with self._refusing():
            row = self._base.execute("SELECT id, content FROM plan").fetchone()
        if row:
            try:
                known = msgspec.json.decode(row[1], type=Plan)
            except msgspec.MsgspecError:
                raise JournalError(f"{self.path}: is damaged") from None
            if known.id != row[0]:
                raise JournalError(f"{self.path}: was changed by hand")
            if plan and plan.id != row[0]:
                raise JournalError(f"{self.path}: is the journal of another plan")
            return known
        if plan is None:
            raise JournalError(f"{self.path}: is empty")
        with self._refusing(), self._transaction():
            begun = datetime.now(UTC).isoformat(timespec="seconds")
            content = msgspec.json.encode(plan)
            self._base.execute("INSERT INTO plan VALUES (?, ?, ?)", (plan.id, content, begun))
            self._base.executemany(
                "INSERT INTO entry (post, place, state) VALUES (?, ?, 'waiting')",
                [(change.id, place) for place, change in enumerate(plan.changes)],
            )
        return plan

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._base.execute("BEGIN IMMEDIATE")
        with self._base:  # which commits, or rolls back
            yield

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise JournalError(f"{self.path}: the journal cannot be written: {error}") from None

    def entries(self) -> list[Entry]:
        """Return the result of every change, in the order of the plan."""
        with self._refusing():
            rows = self._base.execute(
                "SELECT place, state, reason, wrote, sends, at, replaced FROM entry ORDER BY place"
            ).fetchall()
        return [
            Entry(
                self.plan.changes[place],
                state,
                reason,
                bool(wrote),
                sends,
                datetime.fromisoformat(at) if at else None,
                json.loads(replaced),
            )
            for place, state, reason, wrote, sends, at, replaced in rows
        ]

    def sending(self, post: str, replaced: Mapping[str, Value]) -> None:
        """Write that a request is about to be sent; on disk when this returns."""
        now = datetime.now(UTC).isoformat()
        with self._refusing():
            self._base.execute(
                "UPDATE entry SET state='sending', sends=sends+1, at=?, reason='', replaced=? "
                "WHERE post=?",
                (now, json.dumps(dict(replaced)), post),
            )

    def note(self, post: str, state: State, reason: str = "", *, wrote: bool | None = None) -> None:
        """Write the result of a change; on disk when this returns.

        A request with an unknown outcome may have been sent as late as now: the client may have
        waited for the rate limit, or retried.

        Args:
            state: The new state.
            wrote: Whether this plan changed it; None keeps the earlier value.
        """
        at = datetime.now(UTC).isoformat() if state == "unknown" else None
        with self._refusing():
            self._base.execute(
                "UPDATE entry SET state=?, reason=?, wrote=coalesce(?, wrote), at=coalesce(?, at) "
                "WHERE post=?",
                (state, reason, None if wrote is None else int(wrote), at, post),
            )

    def close(self) -> None:
        """Close the journal, so that others can open it."""
        if hasattr(self, "_base"):
            self._base.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def dumped(entry: Entry) -> dict[str, object]:
    """Return an entry as JSON."""
    change = json.loads(msgspec.json.encode(entry.change))
    moment = entry.at.isoformat() if entry.at else None
    return {
        **change,
        "state": entry.state,
        "reason": entry.reason,
        "wrote": entry.wrote,
        "at": moment,
    }
