"""Report what was caught."""

from __future__ import annotations

from collections.abc import Sequence

from faults.catching import SUITE, Verdict

__all__ = ["line", "summary"]

_MARKS = {"caught": "caught  ", "survived": "SURVIVED", "hung": "HUNG    ", "wrong": "WRONG   "}


def line(verdict: Verdict) -> str:
    """One line for one fault."""
    by = verdict.by.removeprefix(f"{SUITE}/")
    return f"  {_MARKS[verdict.outcome]} {verdict.fault.id:34} {verdict.seconds:5.1f} s  {by}"


def summary(verdicts: Sequence[Verdict], seconds: float) -> str:
    """Return how many of them were caught; and all about those that were not."""
    caught = sum(each.is_good for each in verdicts)
    lines = ["", f"{caught} of {len(verdicts)} faults were caught in {seconds / 60:.1f} minutes."]
    for verdict in verdicts:
        if not verdict.is_good:
            lines += [
                "",
                f"{verdict.fault.id} ({verdict.fault.place}): {verdict.outcome}, {verdict.by}",
            ]
            lines.append(f"  {verdict.fault.what}")
    return "\n".join(lines)
