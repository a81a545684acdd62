"""The command line: all measurements, or those named."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from benchmarks import results, tables
from benchmarks.charts import chart, course, overview
from benchmarks.measuring import CLIENT, ROOT
from pipeline.openapi.problems import PipelineError
from release.tree import place

NAMES: Final = (
    "importing",
    "first_response",
    "calling",
    "concurrency",
    "coding",
    "uploading",
    "generating",
    "overlaying",
    "sandbox",
    "commanding",
    "sharing",
)
LONG: Final = ("soaking",)
"""Measured only when they are named."""

DOCS: Final = ROOT / "docs" / "benchmarks"


def main() -> int:
    """Measure, and print a table for each benchmark. A missed target is shown; it is no failure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"one of {', '.join(NAMES)}; or, as it takes long and is measured only when it is "
        f"named, {', '.join(LONG)}",
    )
    place_of = parser.add_mutually_exclusive_group()
    place_of.add_argument(
        "--into",
        type=Path,
        default=ROOT / ".bench" / "results",
        metavar="FOLDER",
        help="where results.json, the tables and the charts go (default: .bench/results)",
    )
    place_of.add_argument(
        "--docs", action="store_const", const=DOCS, dest="into", help="into the documentation"
    )
    parser.add_argument(
        "--redraw", action="store_true", help="measure nothing: show what was measured before"
    )
    arguments = parser.parse_args()
    known = (*NAMES, *LONG)
    if unknown := [name for name in arguments.names if name not in known]:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(known)}")
    sys.path.insert(0, str(CLIENT))
    found = results.load(arguments.into)
    if arguments.redraw:
        if missing := [name for name in arguments.names if name not in found]:
            parser.error(f"{', '.join(missing)}: not measured into {arguments.into} yet")
        for name in arguments.names or found:
            print(tables.terminal(found[name]))
    failed = [] if arguments.redraw else _measure(arguments.names or NAMES, found, arguments.into)
    draw(_ordered(found), arguments.into)
    print(f"results.json, tables and charts: {arguments.into}")
    return 1 if failed else 0


def draw(found: Mapping[str, results.Result], folder: Path) -> None:
    """Write the tables and the charts of results into a folder."""
    for name, text in drawn(found).items():
        place(folder / name, text.encode())


def drawn(found: Mapping[str, results.Result]) -> dict[str, str]:
    """Return the tables and the charts of results, by the names of their files."""
    files = {"summary.md": tables.summary(found), "targets.md": tables.targets(found)}
    lines = {each.title: tables.headline(name, each) for name, each in found.items()}
    if picture := overview({title: line for title, line in lines.items() if line}):
        files["summary.svg"] = picture
    for name, result in found.items():
        files[f"{name}.md"] = tables.markdown(result)
        if picture := chart(result):
            files[f"{name}.svg"] = picture
        if picture := course(result):
            files[f"{name}-over-time.svg"] = picture
    return files


def _ordered(found: Mapping[str, results.Result]) -> dict[str, results.Result]:
    return {name: found[name] for name in (*NAMES, *LONG) if name in found}


def _measure(names: Sequence[str], found: dict[str, results.Result], folder: Path) -> list[str]:
    """Measure one after the other; return the names of those that failed."""
    failed = []
    for name in names:
        print(f"{name} …", file=sys.stderr, flush=True)
        module = import_module(f"benchmarks.{name}")
        try:
            found[name] = results.result(module.TITLE, module.measure())
        except (OSError, RuntimeError, PipelineError) as error:
            print(f"{name} failed: {error}", file=sys.stderr)
            failed.append(name)
            continue
        # After each: a long run that is interrupted keeps what was measured.
        results.save(folder, _ordered(found))
        print(tables.terminal(found[name]), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
