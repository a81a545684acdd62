"""The command line: all measurements, or those named."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from benchmarks.harness import CLIENT, Row, Skipped, table

NAMES = (
    "importing",
    "first_answer",
    "generating",
    "calling",
    "coding",
    "concurrency",
    "drifting",
    "overlaying",
    "pacing",
    "sandbox",
    "uploading",
)


def main() -> int:
    """Measure and print one table. A missed target is shown; it is no failure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)}")
    names: list[str] = parser.parse_args().names or list(NAMES)
    if unknown := [name for name in names if name not in NAMES]:
        parser.error(f"no measurement is called {', '.join(unknown)}; there are {', '.join(NAMES)}")
    sys.path.insert(0, str(CLIENT))
    rows: list[Row] = []
    for name in names:
        print(f"{name} …", file=sys.stderr, flush=True)
        try:
            rows += import_module(f"benchmarks.{name}").measure()
        except Skipped as reason:
            print(f"{name}: skipped, {reason}", file=sys.stderr)
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
