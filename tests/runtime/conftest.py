"""The runtime is tested where it stands, as the package `runtime`."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parents[2] / "templates"))

settings.register_profile("runtime", deadline=None)  # a busy machine is no failure
settings.load_profile("runtime")
