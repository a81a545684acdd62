"""`python tests/contract/trust`: the folder is run, and its parts belong to its package."""

import sys
from pathlib import Path

CONTRACT = Path(__file__).parents[1]
ROOT = CONTRACT.parents[1]
FOLDERS = (CONTRACT, ROOT, ROOT / "generated/client/src", ROOT / "sandbox/src")
sys.path[:1] = map(str, FOLDERS)

from trust.command import main  # noqa: E402  (where it lies is known only now)

sys.exit(main())
