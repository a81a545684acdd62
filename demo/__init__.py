"""A month of an agency, shown in a terminal: the generated client at work against the sandbox.

`python -m demo` runs it. `month.py` is to be copied: it knows nothing but the client.
"""

import sys
from pathlib import Path

# All packages are used from where they stand in this repository, not installed.
for _folder in ("generated/client/src", "sandbox/src", "cli/src"):
    sys.path.insert(0, str(Path(__file__).parents[1] / _folder))
