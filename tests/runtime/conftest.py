"""The runtime is tested where it stands, as the package `runtime`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "templates"))
