"""Report what was caught."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from faults.catching import SUITE, Verdict

__all__ = ["line", "summary"]

_MARKS = {"caught": "caught  ", "survived": "SURVIVED", "hung": "HUNG    ", "wrong": "WRONG   "}


def line(verdict: Verdict) -> str:
    """One line for one fault."""
    place = f"{verdict.place}: " if verdict.place else ""
    by = verdict.by.removeprefix(f"{SUITE}/")
    return (
        f"  {_MARKS[verdict.outcome]} {verdict.fault.id:34} {verdict.seconds:5.1f} s  {place}{by}"
    )


def summary(verdicts: Sequence[Verdict], seconds: float) -> str:
    """Return how many of them were caught; and all about those that were not."""
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
