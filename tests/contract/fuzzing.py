"""Hostile servers against every operation of both clients: `python tests/contract/fuzzing.py`.

A seed is a scenario (`harness/hostile_scenarios.py`): one call, and a server that does what it
likes with its requests. What must not come of it is in `harness/hostile_runs.py`. A failure prints
its seed and the command that repeats it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys

from harness.hostile_runs import check, elsewhere, run
from harness.hostile_scenarios import scenario


def _checked(seed: int) -> tuple[int, list[str]]:
    return seed, check(seed)


def main(arguments: list[str] | None = None) -> int:
    """Try seeds; the exit status is 1 where anything goes wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=2000, help="how many (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the first one (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--show", action="store_true", help="print each scenario, and its end")
    options = parser.parse_args(arguments)
    seeds = range(options.first, options.first + options.seeds)
    if options.show:
        for seed in seeds:
            given = scenario(seed, elsewhere().origin)
            print(given, run(given), sep="\n")
    failed = 0
    with multiprocessing.Pool(options.jobs) as pool:
        for seed, found in pool.imap_unordered(_checked, seeds, chunksize=20):
            failed += bool(found)
            for each in found:
                print(f"seed {seed}: {each}")
                print(f"  again: python tests/contract/fuzzing.py --first {seed} --seeds 1 --show")
    print(f"{len(seeds)} seeds, {failed} of them fail")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
