"""`python tests/contract/generality`: the folder is run, and its parts belong to its package."""

import sys
from pathlib import Path

CONTRACT = Path(__file__).parents[1]
sys.path[:1] = [str(CONTRACT), str(CONTRACT.parents[1])]

from generality.command import main  # noqa: E402  (where it lies is known only now)

sys.exit(main())
