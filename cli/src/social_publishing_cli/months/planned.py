"""A plan as a page: where its posts stand in the calendar before and after, and every change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec

from ..characters import cut, shared, visible
from ..html import rendered
from ..output import with_weekday
from ..plans.model import Change, Plan
from ..sheets.cells import on_clocks_of
from ..sheets.exporting import ENDS, Month
from ..sheets.reading import Sheet
from .reading import weeks_of
from .words import clock, legend, short

MARKS: Final = {"gone": "−", "new": "+", "changed": "✎", "same": "·"}
"""What happens to a post on a day: it leaves, it arrives, it changes, nothing."""

_LABEL = 60  # characters


class Place(NamedTuple):
    """A post on a day of the calendar.

    Attributes:
        moment: When it goes out, on the clocks of its group.
        kind: One of `MARKS`.
        id: The identifier of the post.
        row: Its row in the sheet; 0 where there is none.
    """

    moment: datetime
    kind: str
    id: str
    row: int
    name: str
    networks: tuple[str, ...]


class PlannedMonth(NamedTuple):
    """A month that a plan touches."""

    first: date
    end: date
    places: Sequence[Place]
    starts: int

    @property
    def weeks(self) -> Iterator[list[date]]:
        """The weeks of the month."""
        return weeks_of(self.first, self.end, self.starts)

    def on(self, day: date) -> list[Place]:
        """Return what is on a day, by time."""
        return [each for each in self.places if each.moment.date() == day]


def page_of(
    plan: Plan,
    lines: Iterable[Mapping[str, Any]],
    *,
    others: Iterable[Place] | None = None,
    saved: bool = True,
    in_host: bool = False,
) -> bytes:
    """Return a page of a plan, which needs no script and no other host.

    Args:
        lines: Each changed field, as people read it, as for `changes.write_changes`.
        others: The posts that the plan does not change; None where they are not known.
        saved: Whether it can be applied by its identifier.
        in_host: Whether an assistant's program shows it: there is no sheet then.
    """
    rehearsal = plan.rehearsal or None
    found = rehearsal.found if rehearsal else ()
    places = [*(others or ()), *(place for change in plan.changes for place in _places(change))]
    places.sort(key=lambda place: (place.moment.replace(tzinfo=None), place.moment.fold))
    dated = ((f"{place.moment:%Y-%m}".zfill(7), place.kind) for place in places)
    touched = {
        each for each, kind in dated if kind != "same" and not (kind == "gone" and each in ENDS)
    }
    months = [Month(each) for each in sorted(touched)]
    return rendered(
        "plan.html.jinja",
        {
            "short": short,
            "clock": clock,
            "legend": legend,
            "visible": visible,
            "moment": with_weekday,
            "blanks": blanks,
        },
        plan=plan,
        expires=plan.expires.astimezone(UTC),
        zones=sorted({change.zone or "UTC" for change in plan.changes}),
        months=[PlannedMonth(each.first, each.end, places, plan.starts or 0) for each in months],
        marks=MARKS,
        shorts=[network for place in places for network in place.networks],
        cards=[[*card] for _, card in groupby(lines, lambda line: line["id"])],
        networks={change.id: change.networks or () for change in plan.changes},
        warnings={change.id: change.warnings for change in plan.changes},
        flagged={each.id for each in plan.changes if each.warnings} | {each.id for each in found},
        is_whole=others is not None,
        in_host=in_host,
        found=found,
        rehearsal=rehearsal,
        saved=saved,
        is_over=plan.is_over(datetime.now(UTC)),
        parted=parted,
    )


def others_of(sheet: Sheet, plan: Plan) -> Iterator[Place]:
    """Yield the posts of a sheet that a plan does not change, as they were when it was exported."""
    changed = {change.id for change in plan.changes}
    for row in sheet.rows():
        known = row.memory.values if row.memory else {}
        moment = known.get("publication_date")
        local = on_clocks_of(row.zone, moment) if isinstance(moment, str) else None
        if row.memory and row.id not in changed and local:
            name = cut(known.get("name") or known.get("content"), _LABEL)
            yield Place(local, "same", row.id, row.number, name, row.memory.networks)


def parted(before: str, after: str) -> tuple[str, str, str, str]:
    """Return what two texts begin with, what is in the one and in the other, and how both end.

    No word is parted.
    """
    start = _at_word(shared((before, after)), before, after)
    left = before[start:][::-1], after[start:][::-1]
    end = _at_word(shared(left), *left)
    return (
        before[:start],
        before[start : len(before) - end],
        after[start : len(after) - end],
        before[len(before) - end :],
    )


def blanks(text: str) -> str:
    """Return a text with marks for its line breaks, tabs, and blanks at both ends."""
    ends = re.sub("^ +| +$", lambda match: "␣" * len(match[0]), text)
    return ends.replace("\t", r"\t").replace("\n", "↵\n")


def _at_word(count: int, *texts: str) -> int:
    """Return the last end of a word, in all of these texts, among their first characters."""
    return next(at for at in range(count, -1, -1) if all(_ends(text, at) for text in texts))


def _ends(text: str, at: int) -> bool:
    return at in (0, len(text)) or text[at].isspace() or text[at - 1].isspace()


def _places(change: Change) -> Iterator[Place]:
    step = change.fields.get("publication_date")
    before: Any = None if change.date is msgspec.UNSET else change.date
    after = before
    if step:
        before, after = step.before if step.now is msgspec.UNSET else step.now, step.after
    for moment, kind in (
        ((before, "gone"), (after, "new")) if before != after else ((after, "changed"),)
    ):
        if local := on_clocks_of(change.clocks, moment):
            name, networks = cut(change.name, _LABEL), change.networks or ()
            yield Place(local, kind, change.id, change.row, name, networks)
