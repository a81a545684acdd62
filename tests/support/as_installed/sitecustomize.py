"""Read by every Python that has this folder in its path: it has no more than its readers install.

trio comes with the tests. The HTTP library imports it where it finds it, and that takes a third of
the time of a command.
"""

import sys

sys.modules["trio"] = None  # type: ignore[assignment]
