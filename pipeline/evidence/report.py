"""Report on traffic, as text for people."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from pipeline.commands import count
from pipeline.evidence.facts import Fact
from pipeline.evidence.proposing import Proposals, texts, times
from pipeline.evidence.routes import Call
from pipeline.evidence.verdicts import STATES, Seen, Verdict

_SHOWN: Final = 4  # things that were seen, of one gap
_FACTS: Final = "Contradicted: the service does not do what is documented"
_ASK: Final = "ask the provider; if the service is right, correct the document"
_AGAINST: Final = ("refuted", "contradictory")
_BRIEF: Final = 60  # characters of what is assumed
_HARD: Final = "\N{NO-BREAK SPACE}"
_TITLES: Final = {
    "refuted": "Refuted: the service does not do what is assumed",
    "contradictory": "Contradictory: the traffic shows what is assumed, and something else, too",
    "confirmed": "Confirmed: responses show what is assumed",
    "answered": "Answered: left open until now, and shown by the traffic",
    "consistent": "Consistent: nothing contradicts it, but nothing proves it",
    "not seen": "Not seen",
}


@dataclass(frozen=True, repr=False)  # it would be all documents and all traffic
class Report:
    """All that traffic shows.

    So many exchanges are `matched`, to so many `operations`; others were `passed` over, by the
    reason. `own` says in words whose traffic it counts as. `known` has every operation with its
    method and path, `homes` where the overlays of each document are kept, `lacking` why none is
    proposed for a gap.
    """

    files: Sequence[str]
    exchanges: int
    matched: int
    operations: int
    passed: Mapping[str, int]
    own: str
    verdicts: Sequence[Verdict]
    facts: Sequence[Fact]
    calls: Sequence[Call]
    known: Mapping[str, str]
    proposals: Proposals
    lacking: Mapping[str, str]
    homes: Mapping[str, Path]

    @property
    def counts(self) -> dict[str, int]:
        """How many verdicts are of each state."""
        return {state: sum(each.state == state for each in self.verdicts) for state in STATES}

    @property
    def speaks_against(self) -> bool:
        """Whether something that is assumed is refuted, or that is documented contradicted."""
        return bool(self.counts["refuted"] or self.counts["contradictory"] or self.facts)

    def overlays(self, gap: str, width: int = 100) -> Iterator[tuple[Path, str]]:
        """Yield the files that would confirm a gap, with their texts."""
        for name, by_gap in self.proposals.items():
            if gap in by_gap:
                file = self.homes.get(name, Path(name)) / f"{gap}.yaml"
                yield file, texts({name: {gap: by_gap[gap]}}, (), width)[name]


def text(report: Report, width: int, *, every: bool = True) -> str:
    """Return lines of at most `width` characters (60 at the least); ids stay whole.

    Without `every`, a gap that nothing speaks against has the first that was seen of it, and no
    overlay.
    """
    width = max(width, 60)
    lines = [*_wrapped(_read(report), width), "", *_wrapped(_summary(report), width)]
    for state in STATES:
        if state == "confirmed" and report.facts:
            title = f"{_FACTS} ({len(report.facts)})"
            lines += ["", *_wrapped(title, width), "-" * min(len(title), width)]
            for fact in report.facts:
                lines += entry(report, fact, width)
        verdicts = [each for each in report.verdicts if each.state == state]
        if not verdicts:
            continue
        title = f"{_TITLES[state]} ({len(verdicts)})"
        lines += ["", *_wrapped(title, width), "-" * min(len(title), width)]
        if state in ("consistent", "not seen"):
            lines += _by_reason(verdicts, width)
        else:
            is_whole = every or state in _AGAINST
            for verdict in verdicts:
                lines += (entry if is_whole else _brief)(report, verdict, width)
    return "\n".join(lines) + "\n"


def _read(report: Report) -> str:
    read = f"{count(report.exchanges, 'exchange')}: {report.matched} of "
    read += f"{count(report.operations, 'operation')}"
    rest = report.exchanges - report.matched - sum(report.passed.values())
    if rest:
        read += f", {rest} of no operation"
    if report.passed:
        passed = [f"{number} {reason}" for reason, number in sorted(report.passed.items())]
        read += f"; passed over: {', '.join(passed)}"
    read += "."
    return f"{read} {report.own}"


def _summary(report: Report) -> str:
    counts = [f"{number} {state}" for state, number in report.counts.items() if number]
    facts = f" {count(len(report.facts), 'documented fact')} contradicted." if report.facts else ""
    return f"{count(len(report.verdicts), 'gap')}: {', '.join(counts)}.{facts}"


def against(report: Report) -> Iterator[Verdict | Fact]:
    """Yield the gaps that traffic refutes, and the documented facts that it contradicts."""
    yield from (one for one in report.verdicts if one.state in _AGAINST)
    yield from report.facts


def entry(report: Report, one: Verdict | Fact, width: int) -> Iterator[str]:
    """Yield the lines of what traffic says of a gap, or against a documented fact."""
    called = _names(report)
    if isinstance(one, Fact):
        yield f"{one.name}{f' (§{one.section})' if one.section else ''}"
        yield from _wrapped(f"says     {one.documented}", width, 2, 11)
    else:
        yield one.gap.id
        if one.assumed:
            yield from _wrapped(f"assumed  {one.assumed}", width, 2, 11)
    if not isinstance(one, Fact) and one.gap.shown_by:
        fields = ", ".join(f"{value.text} ({value.count})" for value in one.seen)
        yield from _wrapped(f"seen     {one.gap.shown_by} in {fields}", width, 2, 11)
        one = replace(one, seen=())
    for value in one.seen[:_SHOWN]:
        yield from _wrapped(f"seen     {_once(value, called)}", width, 2, 11)
    if len(one.seen) > _SHOWN:
        yield f"           and {len(one.seen) - _SHOWN} more"
    if isinstance(one, Fact):
        yield from _fact(report, one, width)
        return
    told = any(one.gap.id == each.gap.id for fact in report.facts for each in fact.gaps[:1])
    files = [*_confirmation(report, one.gap.id, width)] if one.state != "confirmed" else []
    if one.places and (files or one.state in _AGAINST):
        yield from _wrapped(f"written  {', '.join(map(str, one.places))}", width, 2, 11)
    yield from () if told else files


def _brief(report: Report, one: Verdict, width: int) -> Iterator[str]:
    """Yield a gap in few lines: what is assumed of it, and the first that was seen."""
    assumed = textwrap.shorten(one.assumed, _BRIEF, placeholder=" …")
    kind = f"{one.gap.shown_by} in " if one.gap.shown_by else ""
    more = f"; and {len(one.seen) - 1} more" if len(one.seen) > 1 else ""
    seen = f"{kind}{_once(one.seen[0], _names(report))}{more}"
    head = f"{one.gap.id} ({assumed})" if assumed else one.gap.id
    yield from _wrapped(f"{head}: {seen}", width, 0, 4)


def _once(value: Seen, called: Mapping[str, str]) -> str:
    """Return one thing that was seen, how often, and where first; no line ends in a request."""
    spot = value.first
    place = f"{called[spot.file]}, {spot.number}: {spot.request.replace(' ', _HARD)}"
    return f"{value.text}, {times(value.count)}; {place}"


def _confirmation(report: Report, gap: str, width: int) -> Iterator[str]:
    """Yield the overlays that would confirm a gap, or why there is none."""
    before = ""
    for file, overlay in report.overlays(gap, width - 4):
        yield f"  confirm  {file}:{' the same' if overlay == before else ''}"
        yield from textwrap.indent(overlay if overlay != before else "", "    ").splitlines()
        before = overlay
    if gap in report.lacking:
        yield from _wrapped(f"confirm  no overlay: {report.lacking[gap]}", width, 2, 11)


def _fact(report: Report, fact: Fact, width: int) -> Iterator[str]:
    """Yield where a fact is written, the gaps at its place, and what is to be done."""
    places = [fact.position, *(place for each in fact.gaps for place in each.places[1:])]
    yield from _wrapped(f"written  {', '.join(map(str, dict.fromkeys(places)))}", width, 2, 11)
    for each in fact.gaps:
        assumed = f" Assumed: {each.assumed}." if each.assumed else ""
        yield from _wrapped(f"gap      {each.gap.id}: {each.gap.missing}{assumed}", width, 2, 11)
    other = ", or confirm the gap" if fact.gaps else ""
    yield from _wrapped(f"next     {_ASK}{_remedy(fact)}{other}", width, 2, 11)
    for gap in (each.gap.id for each in fact.gaps[:1]):
        before = report.facts[: report.facts.index(fact)]
        alike = (each for each in before if gap in [one.gap.id for one in each.gaps[:1]])
        if above := next((each for each in alike if fact.operations <= each.operations), None):
            yield from _wrapped(f"confirm  as {above.name}, by one overlay", width, 2, 11)
        else:
            yield from _confirmation(report, gap, width)


def _remedy(fact: Fact) -> str:
    """Return with what a document is corrected, where its reader could not guess it."""
    if fact.written:
        form = f"x-datetime-format: '{fact.written}' in place of format"
        return f" with {form} (responses are read as text then)"
    if fact.sightings[0].problem == "header":
        return " with required: false at this header"
    return ""


def _by_reason(verdicts: Iterable[Verdict], width: int) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for verdict in verdicts:
        lacking = ", ".join(verdict.lacking[:_SHOWN])
        if len(verdict.lacking) > _SHOWN:
            lacking += f" and {len(verdict.lacking) - _SHOWN} more"
        id = f"{verdict.gap.id} ({lacking})" if lacking else verdict.gap.id
        reasons.setdefault(verdict.why, []).append(id)
    for why, ids in sorted(reasons.items(), key=lambda item: (-len(item[1]), item[0])):
        yield from _wrapped(f"{why}:", width, 0, 4)
        yield from _wrapped(", ".join(ids), width, 4, 4)


def _names(report: Report) -> dict[str, str]:
    """Return what each file is called: by its name alone, where no other has it."""
    names = [Path(file).name for file in report.files]
    return {
        file: name if names.count(name) == 1 else file
        for file, name in zip(report.files, names, strict=True)
    }


def _wrapped(text: str, width: int, indent: int = 0, hanging: int = 0) -> list[str]:
    lines = textwrap.wrap(
        text, width, initial_indent=" " * indent, subsequent_indent=" " * hanging,
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip
    return [line.replace(_HARD, " ") for line in lines]
