"""A plan: the changes of a sheet, the values before them, and the account."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from ..catalogues import catalogue
from ..files import replacing
from ..sheets.cells import Value

if TYPE_CHECKING:
    from social_publishing.models import Group

FORMAT = "social-publishing-plan/2"
CHUNK = 50  # posts that are read again right before they are written


class PlanError(Exception):
    """A plan cannot be made or used. Nothing was sent."""

    documentation = "docs/month-from-a-spreadsheet.md#apply"


class StalePlanError(PlanError):
    """A plan is no longer valid: it has expired, was edited, or is for another account."""


class Step(msgspec.Struct, frozen=True):
    """The change of one field.

    Attributes:
        before: The value on the service when the plan was made; in a conflict, when the sheet was
            exported. Times are ISO 8601 in UTC.
        now: Only in a conflict: the value on the service when the plan was made.
    """

    before: Value
    after: Value
    now: Value | msgspec.UnsetType = msgspec.UNSET


class Found(msgspec.Struct, frozen=True):
    """What a rehearsal found of a post, as a sentence.

    Attributes:
        row: Its row in the sheet; None where it is not there.
    """

    id: str
    row: int | None
    name: str
    text: str


class Rehearsed(msgspec.Struct, frozen=True):
    """What a rehearsal of a plan found, for who is asked about it.

    Attributes:
        summary: All of it in one sentence.
        notes: What was left out of it.
    """

    summary: str
    found: tuple[Found, ...]
    notes: tuple[str, ...]


class Change(msgspec.Struct, frozen=True):
    """The changes of one post.

    Attributes:
        row: The row of the sheet; the header is row 1. 0 where there is no sheet.
        name: The post's name or the beginning of its text, for people.
        zone: The time zone in which its times are shown; empty for UTC.
        status: The code of its status when the plan was made.
        fields: The change of each field, by the argument of `posts.update`.
        warnings: What a person should check before applying.
        date: When the post was to go out when the plan was made, UTC; left out if it had no date.
        networks: The networks of the post when the plan was made.
        updated: When the service had last changed the post, by its own clock, when the plan was
            made; left out if the service did not say.
    """

    row: int
    id: str
    name: str
    zone: str
    status: int | None
    fields: dict[str, Step]
    warnings: tuple[str, ...] = ()
    updated: datetime | msgspec.UnsetType = msgspec.UNSET
    date: datetime | msgspec.UnsetType = msgspec.UNSET
    networks: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def clocks(self) -> ZoneInfo | None:
        """The time zone in which its times are shown; None for UTC."""
        return ZoneInfo(self.zone) if self.zone else None

    @property
    def place(self) -> str:
        """What people find it by: its row, or its post where there is no sheet."""
        return f"row {self.row}" if self.row else f"post {self.id}"

    @property
    def conflicts(self) -> list[str]:
        """The fields that were edited both in the sheet and on the service."""
        return [name for name, step in self.fields.items() if step.now is not msgspec.UNSET]


class Plan(msgspec.Struct, frozen=True, dict=True):
    """Changes of posts, to check before they are applied.

    Attributes:
        made: When it was made, UTC.
        expires: When it expires, UTC.
        account: The account of the posts: the organization.
        rows: How many rows the sheet has; 0 where there is none.
        changes: The changed posts, in the order of the sheet.
        undoes: The identifier of the plan that this one undoes.
        starts: The first day of a week in its groups, where they agree; 0 is Monday.
        rehearsal: What a rehearsal of it found, if there was one.
    """

    made: datetime
    expires: datetime
    account: dict[str, str]
    source: str
    rows: int
    changes: tuple[Change, ...]
    undoes: str | None = None
    starts: int | msgspec.UnsetType = msgspec.UNSET
    rehearsal: Rehearsed | msgspec.UnsetType = msgspec.UNSET

    @cached_property
    def id(self) -> str:
        """The identifier: a digest of the whole plan."""
        return "sha256:" + hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()

    @property
    def short_id(self) -> str:
        """The first twelve digits of the identifier."""
        return self.id.removeprefix("sha256:")[:12]

    def is_named(self, plan_id: str) -> bool:
        """Return whether an identifier, or the beginning of one, is that of the plan."""
        return self.id.removeprefix("sha256:").startswith(plan_id.removeprefix("sha256:"))

    @property
    def conflicts(self) -> int:
        """The number of fields that were edited both in the sheet and on the service."""
        return sum(len(change.conflicts) for change in self.changes)

    def cost(self, limit: int, left: int | None = None) -> Cost:
        """Return the cost of applying the plan, if nothing else changes.

        Args:
            limit: Requests a minute that the service allows.
            left: Requests that are left in this minute. Default: all.
        """
        writes = len(self.changes)
        requests = writes + -(-writes // CHUNK)
        waiting = max(0, requests - (limit if left is None else left))
        return Cost(requests, timedelta(minutes=-(-waiting // limit)))

    def save(self, path: str | Path) -> None:
        """Write the plan as JSON, atomically, readable only by the user.

        Raises:
            PlanError: The file cannot be written.
        """
        path = Path(path)
        content = {"format": FORMAT, "id": self.id, **msgspec.to_builtins(self)}
        text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
        try:
            with replacing(path, 0o600) as new:
                new.write_text(text, encoding="utf-8", newline="\n", errors="backslashreplace")
        except OSError as error:
            reason = error.strerror or error
            raise PlanError(f"{path.name}: cannot be written: {reason}") from None

    @classmethod
    def load(cls, path: str | Path) -> Plan:
        """Read a plan.

        Raises:
            PlanError: The file cannot be read, or is not a plan.
            StalePlanError: The plan was changed by hand.
        """
        path = Path(path)
        try:
            content = json.loads(path.read_bytes())
        except OSError as error:
            reason = error.strerror or error
            raise PlanError(f"{path.name}: cannot be read: {reason}") from None
        except (ValueError, RecursionError):
            raise PlanError(
                f"{path.name}: is not a plan: a plan is a file that social-publishing plan SHEET "
                "-o FILE has saved"
            ) from None
        if not isinstance(content, Mapping) or content.get("format") != FORMAT:
            raise PlanError(f"{path.name}: is not a plan ({FORMAT})")
        stated: Any = content.get("id")
        try:
            plan = msgspec.convert(content, cls)
        except msgspec.ValidationError as error:
            raise StalePlanError(f"{path.name}: was changed by hand: {error}") from None
        if plan.id != stated:
            raise StalePlanError(
                f"{path.name}: was changed by hand. Edit the sheet instead, and make a new plan"
            )
        return plan

    @property
    def again(self) -> str:
        """What to do where it cannot be applied any more."""
        return f"make a new one{' of the sheet' * bool(self.rows)}"

    def is_over(self, now: datetime) -> bool:
        """Return whether the plan has expired."""
        return now >= self.expires

    def check(self, now: datetime, account: Mapping[str, str]) -> None:
        """Check that the plan can be applied now, to this account.

        Raises:
            StalePlanError: The plan has expired, or is for another account.
        """
        if self.is_over(now):
            when = self.expires.astimezone(UTC)
            raise StalePlanError(f"the plan has expired ({when:%Y-%m-%d %H:%M} UTC): {self.again}")
        for name, value in self.account.items():
            if account.get(name, value) != value:
                what = name.replace("_", " ")
                raise StalePlanError(
                    f"the plan is for another {what}: {value}, not {account[name]}"
                )


def check_single_fields() -> None:
    """See that the service keeps what an update does not send: a plan writes single fields.

    Raises:
        PlanError: It empties the rest.
    """
    if _rules().get("unsent") == "emptied":
        raise PlanError(
            "the service empties each field that an update does not send (updatePost.unsent), and "
            "a plan writes single fields; nothing was sent. Send whole posts with posts.update"
        )


def adds(name: str) -> bool:
    """Return whether the service puts a list of an update behind the one that is there."""
    return _rules().get("labelIds" if name == "label_ids" else "lists") == "added"


def _rules() -> Mapping[str, Any]:
    rules: Mapping[str, Any] = catalogue("assumed")["main"]["x-assume"].get("updatePost", {})
    return rules


def week_start(group: Group) -> int:
    """Return the first day of a group's week; 0 is Monday, also where the service does not say."""
    day = group.week_start_day
    return 0 if day is None else (int(day) - 1) % 7


class Cost(NamedTuple):
    """The cost of applying a plan.

    Attributes:
        requests: Number of requests, including reads.
        time: The longest time they have to wait for the rate limit, in whole minutes.
    """

    requests: int
    time: timedelta

    def __str__(self) -> str:
        minutes = self.time // timedelta(minutes=1)
        takes = f"up to {minutes} min" if minutes else "less than a minute"
        return f"{self.requests} request{'s' * (self.requests != 1)}, {takes}"
