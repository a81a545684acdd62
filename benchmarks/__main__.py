"""The command line: all measurements, or those named."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import Final

from benchmarks.figures import table
from benchmarks.measuring import CLIENT, ROOT
from pipeline.openapi.problems import PipelineError

NAMES: Final = ("importing", "calling", "coding", "uploading", "generating")
DOCS: Final = ROOT / "docs" / "benchmarks"


def main() -> int:
    """Measure, and print a table for each benchmark. A missed target is shown; it is no failure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)}")
    parser.add_argument("--docs", action="store_true", help="write into the documentation, too")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in NAMES]:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(NAMES)}")
    sys.path.insert(0, str(CLIENT))
    failed = False
    for name in arguments.names or NAMES:
        print(f"{name} …", file=sys.stderr, flush=True)
        try:
            measured = table(import_module(f"benchmarks.{name}").measure())
        except (OSError, RuntimeError, PipelineError) as error:
            print(f"{name} failed: {error}", file=sys.stderr)
            failed = True
            continue
        print(measured, flush=True)
        if arguments.docs:
            (DOCS / f"{name}.md").write_text(measured, encoding="utf-8", newline="\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
