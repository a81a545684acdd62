"""`python -m faults.importing PACKAGE BEGINNING`: imports the modules that a fault may break."""

import pkgutil
import sys
from importlib import import_module

_, package, beginning = sys.argv
for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
    if module.name.startswith(beginning) and not module.name.endswith("__main__"):
        import_module(module.name)
