"""`python tests/contract/faults`: the folder is run, and its parts belong to the package of it."""

import sys
from pathlib import Path

CONTRACT = Path(__file__).parents[1]
sys.path[:1] = [str(CONTRACT), str(CONTRACT.parents[1])]

from faults.command import main  # noqa: E402  (where it lies is known only now)

sys.exit(main())
