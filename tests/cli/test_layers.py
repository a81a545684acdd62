"""The command stands on public names, and loads what is slow when it is used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from cli_support import environment

import social_publishing_cli

ROOT = Path(social_publishing_cli.__file__).parent


def test_it_stands_on_public_names_alone() -> None:
    paths = [*ROOT.rglob("*.py")]
    assert paths
    for path in paths:
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
