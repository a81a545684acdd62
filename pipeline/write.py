"""A folder that is generated as a whole: written, or compared with what would be written."""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

_SHOWN = 40  # lines of a difference


def write(files: Mapping[str, str], folder: Path) -> list[str]:
    """Make the folder hold exactly these files. Files that are right already stay untouched.

    Everything new is laid beside the folder first; each file then comes in by one rename, so that
    a reader never sees half of one.

    Returns:
        A line for each file that was added, changed or removed.
    """
    said = []
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".generate-") as staging:
        changed = []
        for number, (path, text) in enumerate(files.items()):
            state = _state(folder / path, text)
            if state:
                staged = Path(staging, str(number))
                staged.write_bytes(text.encode())
                changed.append((staged, folder / path))
                said.append(f"{state} {path}")
        for staged, target in changed:
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(staged, target)
    for path in _stale(files, folder):
        (folder / path).unlink()
        said.append(f"removed {path}")
        for parent in (folder / path).parents:
            if parent == folder or any(parent.iterdir()):
                break
            parent.rmdir()
    return said


def compare(files: Mapping[str, str], folder: Path) -> list[str]:
    """What differs between these files and the folder, as lines to print; empty when nothing does.

    Differences are unified, and cut after 40 lines a file.
    """
    said = []
    for path, text in files.items():
        state = _state(folder / path, text)
        if state == "added":
            said.append(f"missing {path}")
        elif state:
            said += [f"differs {path}", *_difference(folder / path, text)]
    said += [f"left over {path}" for path in _stale(files, folder)]
    return said


def _state(target: Path, text: str) -> str:
    try:
        return "" if target.read_bytes() == text.encode() else "changed"
    except OSError:
        return "added"


def _difference(target: Path, text: str) -> list[str]:
    before = target.read_bytes().decode("utf-8", "replace").splitlines()
    lines = list(
        difflib.unified_diff(before, text.splitlines(), "is", "would be", n=1, lineterm="")
    )
    more = len(lines) - _SHOWN
    return lines[:_SHOWN] + ([f"… {more} more lines"] if more > 0 else [])


def _stale(files: Mapping[str, str], folder: Path) -> Iterator[str]:
    """Files of the folder that no run would write; what running the package leaves is not ours."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        ours = not {"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", "dist"} & set(
            path.relative_to(folder).parts
        )
        if ours and name not in files and (path.is_file() or path.is_symlink()):
            yield name
