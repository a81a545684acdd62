"""Carry the versions of `constraints.txt` to every file that repeats one of them exactly."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
FILES: Final = ("pyproject.toml", ".pre-commit-config.yaml", "tests/contract/foreign.py")
_PIN: Final = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.-]*)(?P<extra>\[[^]]*\])?==(?P<version>[\w.+!-]+)"
)


def versions(root: Path = ROOT) -> dict[str, str]:
    """Return the pinned versions by the names of their packages."""
    text = (root / "constraints.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return {_normal(name): version for name, _, version in (line.partition("==") for line in lines)}


def carried(text: str, known: Mapping[str, str]) -> str:
    """Return a text with every `name==version` as it is pinned; others stay as they are."""

    def pinned(found: re.Match[str]) -> str:
        version = known.get(_normal(found["name"]), found["version"])
        return f"{found['name']}{found['extra'] or ''}=={version}"

    return _PIN.sub(pinned, text)


def carry(root: Path = ROOT) -> list[str]:
    """Write the pinned versions into the files, and return the names of those that changed."""
    known, changed = versions(root), []
    for name in FILES:
        path = root / name
        before = path.read_text(encoding="utf-8")
        after = carried(before, known)
        if after != before:
            path.write_text(after, encoding="utf-8", newline="\n")
            changed.append(name)
    return changed


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    for each in carry():
        print(f"{each}: pins of constraints.txt", file=sys.stderr)
