"""What was caught, as people read it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from faults.catalogue import FOLDER, Fault
from faults.catching import SUITE, Verdict

__all__ = ["REPORT", "line", "report", "summary"]

REPORT = FOLDER / "CAUGHT.md"

_MARKS = {"caught": "caught  ", "survived": "SURVIVED", "hung": "HUNG    ", "wrong": "WRONG   "}


def line(verdict: Verdict) -> str:
    """One line for one fault."""
    place = f"{verdict.place}: " if verdict.place else ""
    by = verdict.by.removeprefix(f"{SUITE}/")
    return (
        f"  {_MARKS[verdict.outcome]} {verdict.fault.id:34} {verdict.seconds:5.1f} s  {place}{by}"
    )


def summary(verdicts: Sequence[Verdict], seconds: float) -> str:
    """How many of them were caught; and all about those that were not."""
    counts = Counter(each.outcome for each in verdicts)
    by_gate = sum(each.place == "gate" for each in verdicts)
    lines = [
        "",
        f"{counts['caught']} of {len(verdicts)} faults were caught, "
        f"{by_gate} of them by the frozen corpus, in {seconds / 60:.1f} minutes.",
    ]
    for each in verdicts:
        if not each.is_good:
            lines += ["", f"{each.fault.id} ({each.fault.place}): {each.outcome}, {each.by}"]
            lines.append(f"  {each.fault.what}")
    return "\n".join(lines)


def report(known: Mapping[str, Fault], verdicts: Sequence[Verdict]) -> str:
    """The table that is kept with the catalogue; what was not tried keeps what it has there."""
    now = {each.fault.id: _Row.of(each) for each in verdicts}
    rows = {**_kept(), **now}
    found = {name: rows.get(name, _UNTRIED) for name in known}
    places = Counter(each.place for each in found.values())
    lines = [
        "# What catches the planted faults",
        "",
        "Written by `python tests/contract/faults --write`; see CONTRIBUTING.md. Named is the "
        "first test that fails.",
        "",
        f"{places['gate'] + places['suite']} of {len(found)} are caught: {places['gate']} by the "
        f"gate, which is the frozen corpus, and {places['suite']} by the rest of the suite.",
    ]
    for subject, group in groupby(known.values(), key=lambda fault: fault.subject):
        lines += ["", f"## {subject}", ""]
        lines += ["| fault | what goes wrong | caught by | |", "|---|---|---|---|"]
        for fault in group:
            row = found[fault.id]
            cells = [f"`{fault.id}`", fault.what, row.by, row.place]
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


class _Row(NamedTuple):
    """What stands in the table about a fault."""

    by: str
    place: str

    @classmethod
    def of(cls, verdict: Verdict) -> _Row:
        if not verdict.is_good:
            return cls(f"**{verdict.outcome}**", "")
        return cls(f"`{verdict.by.removeprefix(f'{SUITE}/')}`", verdict.place)


_UNTRIED = _Row("not tried", "")


def _kept() -> dict[str, _Row]:
    """What stands in the table by now."""
    text = REPORT.read_text(encoding="utf-8") if REPORT.exists() else ""
    rows = re.findall(r"^\| `([^`]+)` \| .* \| ([^|]+) \| (\w*) \|$", text, re.MULTILINE)
    return {name: _Row(by, place) for name, by, place in rows}
