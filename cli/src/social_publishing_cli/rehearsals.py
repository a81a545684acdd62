"""Shows a rehearsal to people, network by network, and to programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any, TextIO
from zoneinfo import ZoneInfo

import msgspec
from rich.padding import Padding
from rich.text import Text

from .catalogues import network_title
from .characters import one_line
from .output import console_of, counted
from .plans.model import Found, Plan, Rehearsed
from .sheets.columns import read_by_people

if TYPE_CHECKING:
    from .plans.rehearsing import Finding, Rehearsal

COLUMNS = ("network", "account", "row", "id", "name", "weekday", "when", "kind", "reason")
_MANY = {
    "fails": "fail",
    "is skipped": "are skipped",
    "misses its review": "miss their review",
    "does not go out": "do not go out",
    "collides": "collide",
    "stays as it is": "stay as they are",
}


def rows(rehearsal: Rehearsal) -> Iterator[dict[str, Any]]:
    """Yield the findings as programs read them: times are ISO 8601 on the group's clocks."""
    for finding in rehearsal.findings:
        local = finding.when.astimezone(ZoneInfo(finding.timezone)) if finding.when else None
        yield {
            **finding._asdict(),
            "weekday": f"{local:%a}" if local else None,
            "when": local.isoformat(timespec="minutes") if local else None,
        }


def summary(rehearsal: Rehearsal) -> str:
    """Say how many go out as planned, and how many of each kind do not."""
    kinds = Counter(finding.kind for finding in rehearsal.findings)
    words = [f"{n:,} {kind if n == 1 else _MANY[kind]}" for kind, n in kinds.most_common()]
    out = f"{rehearsal.published:,} of {counted(rehearsal.planned, 'publication')} go out"
    return f"rehearsal: {'; '.join([out, ', '.join(words) or 'nothing found'])}"


def in_words(finding: Finding) -> str:
    """Return a finding as a sentence."""
    where = f"{network_title(finding.network)}, {finding.account}, " if finding.network else ""
    return f"{where}{_moment(finding)}: {finding.kind}: {_reason(finding)}"


def with_findings(plan: Plan, rehearsal: Rehearsal) -> Plan:
    """Return a plan with what a rehearsal of it found: who is asked about it sees that, too."""
    found = tuple(
        Found(each.id, each.row, each.name, in_words(each)) for each in rehearsal.findings
    )
    return msgspec.structs.replace(
        plan, rehearsal=Rehearsed(summary(rehearsal), found, rehearsal.notes)
    )


def kept_lines(plan: Plan, only: Container[str] | None = None) -> Iterator[str]:
    """Yield a line for each finding that a plan has kept; with `only`, for those of these posts."""
    for each in plan.rehearsal.found if plan.rehearsal else ():
        if only is None or each.id in only:
            place = f"row {each.row}" if each.row else each.id
            yield one_line(f"rehearsal: {place} {each.name}: {each.text}")


def write_kept(plan: Plan, to: TextIO) -> None:
    """Write what a plan has kept of its rehearsal."""
    for line in kept_shown(plan, to):
        print(line, file=to)


def kept_shown(plan: Plan, to: TextIO) -> list[str]:
    """Return the lines that `write_kept` writes."""
    if not plan.rehearsal:
        return []
    console = console_of(to)
    with console.capture() as shown:
        console.print(Text(one_line(plan.rehearsal.summary), overflow="fold"))
        for line in (*map(one_line, plan.rehearsal.notes), *kept_lines(plan)):
            console.print(Text(line, style="yellow", overflow="fold"))
    return str(shown.get()).splitlines()


def write_rehearsal(rehearsal: Rehearsal, to: TextIO) -> None:
    """Write the findings under a heading for each network."""
    console = console_of(to)
    for network, findings in groupby(rehearsal.findings, lambda each: each.network):
        console.print()
        console.print(Text(one_line(network_title(network) or "The plan"), style="bold"))
        for finding in findings:
            row = f"row {finding.row}" if finding.row else finding.id
            parts = (_moment(finding), row, finding.account, finding.name)
            head = Text("  ".join(one_line(each) for each in parts if each), overflow="fold")
            text = Text(f"{finding.kind}: {one_line(_reason(finding))}", style="yellow")
            console.print(Padding(head, (0, 0, 0, 2), expand=False))
            console.print(Padding(text, (0, 0, 0, 4), expand=False))


def _moment(finding: Finding) -> str:
    if not finding.when:
        return "without a date"
    zone = ZoneInfo(finding.timezone)
    return f"{read_by_people(finding.when.isoformat(), 'moment', zone)} ({finding.timezone})"


def _reason(finding: Finding) -> str:
    return finding.reason + (f" (assumed: {finding.gap})" if finding.gap else "")
