"""`python tests/simulation`: runs scenarios by their seeds, and makes smaller what fails."""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from pathlib import Path

sys.path[:1] = [str(Path(__file__).parents[2])]

from tests.simulation.promises import HELD  # noqa: E402
from tests.simulation.scenarios import run, scenario, shrunk  # noqa: E402

AGAIN = "python tests/simulation --first {} --seeds 1 --show"


def main(arguments: list[str] | None = None) -> int:
    """Run seeds, and return 1 where a promise is broken."""
    parser = argparse.ArgumentParser(prog="python tests/simulation", description=__doc__)
    parser.add_argument("--steps", type=int, default=20_000, help="how many (%(default)s)")
    parser.add_argument("--seeds", type=int, help="how many, instead of steps")
    parser.add_argument("--first", type=int, default=0, help="the first seed (%(default)s)")
    parser.add_argument("--show", action="store_true", help="print what happens")
    options = parser.parse_args(arguments)
    steps = seeds = failed = 0
    began = time.monotonic()
    for seed in itertools.count(options.first):
        if seeds >= options.seeds if options.seeds is not None else steps >= options.steps:
            break
        given = scenario(seed)
        result = run(given)
        steps, seeds = steps + result.steps, seeds + 1
        if result.failure is not None:
            failed += 1
            print(f"seed {seed}: {result.failure}\n  again: {AGAIN.format(seed)}", flush=True)
            if options.show:
                given, result = shrunk(given)
        if options.show:
            print(*result.lines, given, f"{result.steps} steps: {result.failure}", sep="\n")
    seconds = time.monotonic() - began
    speed = f"{steps / max(seconds, 0.001):,.0f} a second"
    print(*(f"{times:>12,}  {promise}" for promise, times in sorted(HELD.items())), sep="\n")
    print(f"{steps:,} steps of {seeds} seeds, {speed}; {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
