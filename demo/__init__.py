"""A month of an agency, shown in a terminal: the generated client at work against the sandbox.

`python -m demo` runs it. `month.py` and `patience.py` are to be copied: they know nothing but the
client. `stage.py` prepares by control what the service itself has no operation for.
"""

import sys
from pathlib import Path

# Both packages are used from where they stand in this repository, not installed.
for _folder in ("generated/client/src", "sandbox/src"):
    sys.path.insert(0, str(Path(__file__).parents[1] / _folder))
