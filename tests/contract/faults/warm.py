"""`python -m faults.warm`: imports what tests need once, then runs modules in forks of itself.

Each line that comes in is a module with its arguments, and the file that takes what it says. Its
process is reported, the head of a group of its own, and then its exit status.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import sys
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points

LIBRARIES = (
    *("griffe", "httpx2", "hypothesis.stateful", "icalendar", "jinja2", "mcp", "pypdf", "redis"),
    *("openapi_python_client", "openapi_schema_validator", "openpyxl", "rich.progress", "yaml"),
)
"""The slowest to import of those that tests import, beside the plugins of pytest."""


def main() -> None:
    """Fork for each line that comes in, until the last one."""
    for plugin in entry_points(group="pytest11"):
        plugin.load()
    for name in LIBRARIES:
        with suppress(ImportError):
            import_module(name)
    gc.freeze()  # what is there for all is looked through by none
    while asked := sys.stdin.readline():
        if not (process := os.fork()):
            return _run(**json.loads(asked))
        print(process, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)


def _run(command: list[str], output: str) -> None:
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for stream in (1, 2):
        os.dup2(os.open(output, os.O_WRONLY | os.O_APPEND), stream)
    module, *sys.argv[1:] = command
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
