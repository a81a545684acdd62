"""`python -m release`."""

import sys

from pipeline.commands import started

sys.exit(started("release.cli"))
