"""The rooms of the command: imports run downwards, and what is slow to load is loaded when used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from cli_support import environment

import social_publishing_cli

ROOT = Path(social_publishing_cli.__file__).parent
ROOMS = (
    *(
        "files",
        "statuses",
        "profiles",
        "names",
        "sheets",
        "output",
        "session",
        "operations",
        "pages",
        "metrics",
    ),
    *("plans", "changes", "mcp", "command", "commands", "__main__"),
)
"""The lowest first. A room may import from those before it."""


def imports(path: Path) -> set[str]:
    """The rooms that a module imports, wherever the import stands."""
    package = path.relative_to(ROOT).parts[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = package[: len(package) - node.level + 1]
            names = [*above, *(node.module or "").split(".")]
            rest = [name for name in names if name]
            found |= {rest[0]} if rest else {alias.name for alias in node.names}
    return found


def test_imports_run_downwards() -> None:
    upwards = []
    for path in ROOT.rglob("*.py"):
        room = path.relative_to(ROOT).with_suffix("").parts[0]
        if room == "__init__":
            continue
        later = ROOMS[ROOMS.index(room) + 1 :]
        upwards += [(room, each) for each in imports(path) if each in later]
    assert not upwards


def test_it_stands_on_public_names_alone() -> None:
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            named = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            named += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            for name in named:
                top, *rest = name.split(".")
                if top in ("social_publishing", "social_publishing_sandbox"):
                    assert not any(part.startswith("_") for part in rest), (path, name)
                assert top not in ("pipeline", "release"), (path, name)


def test_help_loads_nothing_that_is_slow() -> None:
    program = (
        "import sys; from social_publishing_cli.command import main; main(['--help']); "
        "slow = {'social_publishing', 'mcp', 'msgspec', 'rich', 'openpyxl', 'yaml', 'jq'}; "
        "sys.exit(', '.join(slow & sys.modules.keys()) or 0)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True
    )
    assert (ended.returncode, ended.stderr) == (0, "")
