"""The figures: kept as JSON with their history, compared, and shown as tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from trust import matrix

__all__ = ["FIGURES", "FILE", "FOLDER", "Figure", "fallen", "figures", "load", "pages", "save"]

FOLDER: Final = Path(__file__).parents[3] / "docs" / "trust"
FILE: Final = "results.json"
_LONGEST: Final = 80  # characters of a piece of code in a table
_COMMAND: Final = "nox -s trust -- {}"

Parts = Mapping[str, Any]


class Figure(NamedTuple):
    """A number of the page.

    Attributes:
        part: the part of `trust` that makes it, which is a heading of the page, too.
        words: what is counted.
        better: whether more is better, or fewer; nothing where each run asks something else.
    """

    part: str
    words: str
    better: str = "more"


FIGURES: Final = {
    "cells": Figure("matrix", "calls under a fault, of both clients"),
    "reported_wrongly": Figure("matrix", "calls that report what is not so", "fewer"),
    "written_twice": Figure("matrix", "writes that were carried out twice", "fewer"),
    "mutation_kinds": Figure("mutations", "kinds of changes of a response"),
    "mutated": Figure("mutations", "changed responses"),
    "misread": Figure("mutations", "changed responses that are misread", "fewer"),
    "statuses_shown": Figure("parity", "documented responses that a test has the sandbox give"),
    "sections_shown": Figure("parity", "sections of the specification with a test"),
    "assumed": Figure("parity", "gaps that an assumption fills", "fewer"),
    "unknown": Figure("parity", "gaps that are open", "fewer"),
    "planted": Figure("faults", "faults that can be planted"),
    "caught": Figure("faults", "faults that a test has caught"),
    "survived": Figure("faults", "faults that no test has caught", "fewer"),
    "seeds": Figure("seeds", "hostile servers, by seed"),
    "seeds_failed": Figure("seeds", "hostile servers that broke a promise", "fewer"),
    "steps": Figure("simulation", "steps of simulated runs"),
    "promises": Figure("simulation", "promises that were held against them"),
    "promises_broken": Figure("simulation", "simulated runs that broke a promise", "fewer"),
    "drawn": Figure("survivors", "small changes of the code, drawn by the date", ""),
    "noticed": Figure("survivors", "small changes that a test of their room notices", ""),
}


def figures(parts: Parts) -> dict[str, int]:
    """Return the figures of the parts that there are."""
    found: dict[str, int] = {}
    if cells := [matrix.Cell(*each) for each in parts.get("matrix", ())]:
        found["cells"] = len(cells)
        found["reported_wrongly"] = sum(each.is_wrong for each in cells)
        found["written_twice"] = sum(each.twice for each in cells)
    if tallies := parts.get("mutations", ()):
        found["mutation_kinds"] = len(tallies)
        found["mutated"] = sum(each["responses"] for each in tallies)
        found["misread"] = sum(len(each["wrong"]) for each in tallies)
    if parity := parts.get("parity"):
        found["statuses_shown"] = sum(len(each["shown"]) for each in parity["operations"])
        sections = parity["sections"].values()
        found["sections_shown"] = sum(each["tests"] > 0 for each in sections)
        found["assumed"] = sum(each["assumed"] for each in sections)
        found["unknown"] = sum(each["unknown"] for each in sections)
    if faults := parts.get("faults", {}):
        found["planted"] = len(faults)
        found["caught"] = sum(each["outcome"] == "caught" for each in faults.values())
        found["survived"] = sum(
            fault["outcome"] not in ("caught", "not asked") for fault in faults.values()
        )
    if run := parts.get("simulation"):
        found["steps"], found["promises"] = run["steps"], len(run["promises"])
        found["promises_broken"] = run["failed"]
    if drawn := parts.get("survivors", ()):
        found["drawn"] = len(drawn)
        found["noticed"] = sum(each["outcome"] == "caught" for each in drawn)
    return found | parts.get("seeds", {})


def fallen(before: Mapping[str, int], now: Mapping[str, int]) -> Iterator[str]:
    """Report the figures that are worse than before, or are no more."""
    for name, old in before.items():
        new = now.get(name)
        worse = {"more": new is None or new < old, "fewer": new is None or new > old, "": False}
        if name in FIGURES and worse[FIGURES[name].better]:
            yield f"{FIGURES[name].words}: {new}, and were {old}"


def load(folder: Path = FOLDER) -> dict[str, Any]:
    """Return what was kept: `parts`, and `history`, the newest last."""
    path = folder / FILE
    if not path.exists():
        return {"parts": {}, "history": []}
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return kept


def save(kept: Mapping[str, Any], folder: Path = FOLDER) -> None:
    """Write the JSON, and the tables of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(f"{_lines(kept, 3)}\n", encoding="utf-8")
    for name, text in pages(kept).items():
        (folder / name).write_text(text, encoding="utf-8")


def _lines(value: Any, depth: int) -> str:
    """Return JSON with a line for each entry, down to a depth."""
    if depth and isinstance(value, dict):
        inner = [f"{json.dumps(name)}: {_lines(each, depth - 1)}" for name, each in value.items()]
        return "{\n" + ",\n".join(inner) + "\n}"
    if depth and isinstance(value, list):
        return "[\n" + ",\n".join(_lines(each, 0) for each in value) + "\n]"
    return json.dumps(value, ensure_ascii=False)


# Tables


def pages(kept: Mapping[str, Any]) -> dict[str, str]:
    """Return the tables of the page by the names of their files."""
    parts = kept["parts"]
    cells = [matrix.Cell(*each) for each in parts.get("matrix", ())]
    return {
        "figures.md": _table("figure | now | before | better | made by", _figures(kept)),
        "matrix.md": matrix.table(cells),
        "legend.md": matrix.legend(),
        "mutations.md": _table(
            "change | responses | read | an error | misread",
            (
                [
                    mutation["kind"],
                    mutation["responses"],
                    mutation["read"],
                    mutation["refused"],
                    len(mutation["wrong"]),
                ]
                for mutation in parts.get("mutations", ())
            ),
        ),
        "operations.md": _table(
            "operation | § | responses shown | tests | rests on | assumed | unknown",
            map(_operation, parts.get("parity", {}).get("operations", ())),
        ),
        "sections.md": _table(
            "§ | tests | assumed | unknown", _sections(parts.get("parity", {}).get("sections", {}))
        ),
        "faults.md": _table(
            "subject | planted | caught | survived | not asked", _faults(parts.get("faults", {}))
        ),
        "simulation.md": _table(
            "promise | times held", parts.get("simulation", {"promises": {}})["promises"].items()
        ),
        "survivors.md": "\n".join(
            (
                _table("drawn on | room | changes | noticed", _noticed(parts)),
                _table(
                    "drawn on | room | in | stands there | instead | outcome", _survivors(parts)
                ),
            )
        ),
    }


def _table(head: str, rows: Any) -> str:
    lines = [f"| {head} |", "|---" * (head.count("|") + 1) + "|"]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows)]) + "\n"


def _figures(kept: Mapping[str, Any]) -> Iterator[list[Any]]:
    now = figures(kept["parts"])
    before = kept["history"][-2]["figures"] if len(kept["history"]) > 1 else {}
    for name, (part, words, better) in FIGURES.items():
        if name in now:
            command = f"[`{_COMMAND.format(part)}`](#{part})"
            yield [words, now[name], before.get(name, ""), better, command]


def _operation(row: Mapping[str, Any]) -> list[Any]:
    missing = [str(each) for each in row["documented"] if each not in row["shown"]]
    shown = f"{len(row['shown'])} of {len(row['documented'])}"
    return [
        f"`{row['operation']}`",
        row["section"],
        f"{shown} (not {', '.join(missing)})" if missing else shown,
        row["tests"],
        " ".join(row["cited"]),
        len(row["assumed"]),
        len(row["unknown"]),
    ]


def _sections(sections: Mapping[str, Mapping[str, int]]) -> Iterator[list[Any]]:
    for name, counts in sections.items():
        if any(counts.values()):
            yield [f"§{name}", counts["tests"], counts["assumed"], counts["unknown"]]


def _faults(verdicts: Mapping[str, Mapping[str, str]]) -> Iterator[list[Any]]:
    counts: dict[str, Counter[str]] = {}
    for verdict in verdicts.values():
        counts.setdefault(verdict["subject"], Counter())[verdict["outcome"]] += 1
    for subject, one in sorted(counts.items()):
        others = one.total() - one["caught"] - one["not asked"]
        yield [subject, one.total(), one["caught"], others, one["not asked"]]


def _noticed(parts: Parts) -> Iterator[list[Any]]:
    counts: dict[tuple[str, str], Counter[str]] = {}
    for each in parts.get("survivors", ()):
        counts.setdefault((each.get("seed", ""), each["room"]), Counter())[each["outcome"]] += 1
    for (seed, room), one in sorted(counts.items()):
        yield [seed, room, one.total(), one["caught"]]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _survivors(parts: Parts) -> Iterator[list[str]]:
    """Yield the changes that no test has noticed."""
    for each in parts.get("survivors", ()):
        if each["outcome"] != "caught":
            texts = (_cut(each[name]).replace("|", r"\|") for name in ("in", "find", "replace"))
            where = [each.get("seed", ""), each["room"]]
            yield [*where, *(f"`{text}`" for text in texts), each["outcome"]]
