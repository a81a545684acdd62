"""The command line: `python -m release changes`, `build`, `install-check`, `publish`."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from pathlib import Path

from pipeline.commands import Parser, chosen, status, steady

# Each module has `HELP`, `arguments(parser)` and `run(options, release) -> int`.
_COMMANDS = {
    "changes": "release.changes.command",
    "build": "release.building",
    "install-check": "release.installing",
    "publish": "release.publishing",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and return its exit status; errors go to standard error.

    0: success. 1: an error. 2: wrong usage.
    """
    steady()
    return status(lambda: _run(chosen(_parser(), arguments)))


def _run(options: argparse.Namespace) -> int:
    if getattr(options, "against", None) is not None:
        from release.changes.against import run

        return run(options)
    from release.config import load_release

    result: int = options.run(options, load_release(options.config))
    return result


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m release", description="Release the generated packages.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, home in _COMMANDS.items():
        module = importlib.import_module(home)
        sub = commands.add_parser(name, help=module.HELP, description=module.HELP)
        sub.add_argument(
            "--config", type=Path, default=Path("pyproject.toml"), metavar="FILE",
            help="TOML file with [tool.release] and [tool.pipeline] (default: %(default)s)",
        )  # fmt: skip
        module.arguments(sub)
        sub.set_defaults(run=module.run)
    return parser
