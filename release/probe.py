"""Import a distribution where it is installed; run alone, there: `python -I -W error probe.py X`.

It knows the standard library only, since nothing else of this project is there.
"""

import importlib
import sys
from importlib.metadata import distribution


def main(name: str) -> None:
    """Import the top-level packages of a distribution, and load what its entry points name."""
    installed = distribution(name)
    files = installed.files or []
    for package in sorted({path.parts[0] for path in files if path.name == "__init__.py"}):
        importlib.import_module(package)
    for entry in installed.entry_points:
        entry.load()


if __name__ == "__main__":
    main(sys.argv[1])
