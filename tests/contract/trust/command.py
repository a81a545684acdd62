"""The command: make figures anew, compare them with those that are kept, keep them."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from faults.catalogue import PROJECT, faults
from faults.catching import remembered
from trust import figures, matrix, mutations, parity, survivors

__all__ = ["main"]

_SEEDS: Final = 2000
_STEPS: Final = 1_000_000
_DAYS: Final = 3  # whose survivors the page shows
_NOTICED: Final = 0.92  # of the small changes of these days


def _matrix() -> Any:
    with matrix.served() as sandbox:
        return [list(each) for each in matrix.cells(sandbox)]


def _mutations() -> Any:
    return [each._asdict() for each in mutations.tallies()]


def _parity() -> Any:
    evidence = parity.noted()
    rows = [each._asdict() for each in parity.rows(evidence)]
    return {"operations": rows, "sections": parity.sections(evidence)}


def _faults() -> Any:
    """Return the catalogue, with what the last `nox -s faults` came to."""
    last = remembered()
    words = {None: "not asked", "": "survived"}
    return {
        name: {"subject": fault.subject, "outcome": words.get(last.get(name), "caught")}
        for name, fault in faults().items()
    }


def _seeds() -> Any:
    _, match = _said(f"contract/fuzzing.py --seeds {_SEEDS}", r"(\d+) seeds, (\d+) of them fail")
    return {"seeds": int(match[1]), "seeds_failed": int(match[2])}


def _simulation() -> Any:
    end = r"steps of (\d+) seeds, .*; (\d+) failed"
    said, match = _said(f"simulation --steps {_STEPS}", end)
    held = re.findall(r"^ +([\d,]+)  (.+)$", said, re.MULTILINE)
    promises = {promise: int(times.replace(",", "")) for times, promise in held}
    return {"steps": _STEPS, "of": int(match[1]), "failed": int(match[2]), "promises": promises}


def _survivors() -> Any:
    """Return the changes that the date draws, beside those of the last days that are kept.

    What was drawn once is not drawn again: tests may have been mended for it.
    """
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    kept = [each for each in figures.load()["parts"].get("survivors", ()) if each.get("seed")]
    days = sorted({*map(_day, kept)})
    if today in days:
        print(f"The changes of {today} were drawn before, and are kept.", flush=True)
        return kept
    shown = [each for each in kept if _day(each) in days[1 - _DAYS :]]
    return [*shown, *survivors.survivors(today)]


def _said(command: str, end: str) -> tuple[str, re.Match[str]]:
    """Return what a command below tests/ said, and the line that it ended with."""
    words = [sys.executable, *f"tests/{command}".split()]
    done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True)
    match = re.search(end, done.stdout)
    if match is None:
        raise RuntimeError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout, match


PARTS: Final[dict[str, Callable[[], Any]]] = {
    "matrix": _matrix,
    "mutations": _mutations,
    "parity": _parity,
    "faults": _faults,
    "seeds": _seeds,
    "simulation": _simulation,
    "survivors": _survivors,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the figures of docs/trust.md anew; the exit status is 1 where one has fallen."""
    parser = argparse.ArgumentParser(prog="python tests/contract/trust", description=main.__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--check", action="store_true", help="compare alone; keep nothing")
    parser.add_argument("--redraw", action="store_true", help="only the tables, from the JSON")
    parser.add_argument("--because", metavar="TEXT", help="keep figures that have fallen")
    given = parser.parse_args(arguments)
    if unknown := sorted({*given.parts} - {*PARTS}):
        parser.error(f"there is no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    kept = figures.load()
    before = kept["history"][-1]["figures"] if kept["history"] else {}
    for name in () if given.redraw else given.parts or PARTS:
        print(f"{name} …", flush=True)
        kept["parts"][name] = PARTS[name]()
    now = figures.figures(kept["parts"])
    print("\n".join(f"{now[name]:>8}  {figures.FIGURES[name].words}" for name in now))
    worse = list(figures.fallen(before, now))
    print("".join(f"fallen: {each}\n" for each in worse), end="", file=sys.stderr)
    if given.check and _too_few_noticed(kept["parts"].get("survivors", ())):
        worse.append("too few small changes were noticed")
        print(f"{worse[-1]}: fewer than {_NOTICED:.0%}", file=sys.stderr)
    if given.check or (worse and not given.because):
        return 1 if worse else 0
    if now != before or not kept["history"]:
        entry = {"commit": _git("--format=%h"), "date": _git("--format=%cs"), "figures": now}
        kept["history"].append(entry | ({"because": given.because} if worse else {}))
    figures.save(kept)
    return 0


def _too_few_noticed(rows: Sequence[Mapping[str, str]]) -> bool:
    """Return whether tests have noticed too few of the changes of the last day."""
    day = max((_day(each) for each in rows), default="")
    drawn = [each for each in rows if _day(each) == day]
    return sum(each["outcome"] == "caught" for each in drawn) < _NOTICED * len(drawn)


def _day(row: Mapping[str, str]) -> str:
    """Return the day of a seed, which may have a word beside it."""
    return row.get("seed", "").partition(" ")[0]


def _git(form: str) -> str:
    command = ["git", "log", "-1", form]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True).stdout.strip()
