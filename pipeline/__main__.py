"""`python -m pipeline`."""

import sys

from pipeline.cli import command

sys.exit(command())
