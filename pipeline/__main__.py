"""`python -m pipeline`."""

import gc
import sys

from pipeline.cli import main

# Nearly everything that a run makes is there until it ends, which is soon: to look through all of
# it for cycles, again and again, would take a quarter of the time and free nothing.
gc.disable()
sys.exit(main())
