"""`python -m demo`: play the month once; with `--keep`, leave the sandbox running after it."""

import sys

from pipeline.commands import started

sys.exit(started("demo.cli"))
