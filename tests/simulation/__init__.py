"""Clients, rate stores, journals and the sandbox in one process, on one clock, by one seed.

A run is a `Scenario`. Whatever it draws comes from its seed, so that it happens again exactly, and
can be made smaller where it fails: `python tests/simulation --first SEED --seeds 1 --show`.
"""

import sys
from pathlib import Path

for _folder in (".", "generated/client/src", "sandbox/src", "cli/src"):
    sys.path.insert(0, str(Path(__file__).parents[2] / _folder))
