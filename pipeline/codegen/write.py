"""Folders that are generated as a whole: written, or compared with what would be written."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from pipeline.codegen.merged import Digests, merge_of_runs
from pipeline.openapi.files import naming, put, staging
from pipeline.openapi.problems import Finding, PipelineError

MANIFEST: Final = "MANIFEST.json"
"""The file of the folder that has, under `outputs`, the files that a run made, and their hashes."""

_SHOWN: Final = 40  # lines of a difference
# What running, testing and building the package leaves behind.
_LEFTOVERS: Final = frozenset(
    {"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", "build", "dist"}
)
_CUSTOM: Final = re.compile("(client/src/[^/]+/)custom(?:/|$)")  # what people add to a package
_HASHED: Final = re.compile(rb'"([^"\n]+)": "([0-9a-f]{64})"')
_CONFLICT: Final = re.compile(rb"^<{7} ", re.M)


def digests(files: Mapping[str, str]) -> dict[str, str]:
    """Return the hash of each file, as a manifest lists it."""
    return {path: digest(text.encode()) for path, text in sorted(files.items())}


def write(
    folders: Mapping[Path, Mapping[str, str]], force: bool = False
) -> dict[Path, tuple[list[str], list[str]]]:
    """Make each folder hold its files, and remove what only an earlier run had made.

    What people keep in `custom/` of a package is not touched.

    The result has a line for each file that was changed, and for each that was left alone.

    Files that are right already stay untouched. Everything new is laid beside the folder first;
    each file then comes in by one rename, so that a reader never sees half of one. Files that no
    run made are left alone, and named.

    Args:
        force: also replace and remove what somebody edited.

    Raises:
        PipelineError: a folder holds somebody else's files, or a place for a file is taken by a
            folder or a link, or somebody edited a file that would be replaced or removed; nothing
            was written, in any of the folders.
    """
    problems = [each for folder, files in folders.items() for each in _problems(files, folder)]
    if not problems and not force:
        edited = [each for folder, files in folders.items() for each in _edited(files, folder)]
        problems = [*edited, _GOING_ON] if edited else []
    if problems:
        raise PipelineError(*problems)
    return {folder: _write(files, folder) for folder, files in folders.items()}


def _write(files: Mapping[str, str], folder: Path) -> tuple[list[str], list[str]]:
    lines, left_alone = [], []
    folder.mkdir(parents=True, exist_ok=True)
    old = _made_before(folder)
    if old is None and folder.joinpath(MANIFEST).exists():
        left_alone.append(
            f"{folder / MANIFEST} could not be read: what somebody edited is replaced, and what "
            "earlier runs made and this one does not is left alone"
        )
    elif old and not any(old.values()):
        left_alone.append(
            f"{folder / MANIFEST} had no hashes: what somebody edited was replaced; from now on "
            "it is refused"
        )
    with staging(folder.parent) as beside:
        changed = []
        for number, (path, text) in enumerate(files.items()):
            state = _state(folder / path, text)
            if state:
                staged = beside / str(number)
                with naming(folder / path):
                    staged.write_bytes(text.encode())
                changed.append((staged, folder / path))
                lines.append(f"{state} {folder / path}")
        for staged, target in changed:
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(staged, target)
    for path in _others(files, folder):
        if path not in (old or {}):
            left_alone.append(f"left alone {folder / path}: not written by `generate`")
            continue
        (folder / path).unlink()
        lines.append(f"removed {folder / path}")
        for parent in (folder / path).parents:
            if parent == folder or any(parent.iterdir()):
                break
            parent.rmdir()
    return lines, left_alone


def write_file(path: Path, text: str) -> bool:
    """Let a file have a text, or remove it where there is none; return whether that is new."""
    state = _state(path, text)
    if not text:
        path.unlink(missing_ok=True)
        return state == "changed"
    if state:
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path, text.encode())
    return bool(state)


def compare(files: Mapping[str, str], folder: Path) -> list[str]:
    """Return what differs between these files and the folder, as lines to print.

    Differences are unified, and cut after 40 lines a file.
    """
    if folder.exists() and not folder.is_dir():
        return [f"{folder} is not a folder"]
    lines = []
    for path, text in files.items():
        state = _state(folder / path, text)
        if state == "added":
            lines.append(f"missing {folder / path}")
        elif state:
            lines += [f"differs {folder / path}", *_difference(folder / path, text)]
    lines += [f"left over {folder / path}" for path in _others(files, folder)]
    return lines


def other_tools(files: Mapping[str, str], folder: Path) -> str:
    """Return which other tools made a folder, such as "PyYAML 6.0.2 (here 6.0.3)"."""
    here = json.loads(files[MANIFEST]).get("tools", {}) if MANIFEST in files else {}
    try:
        there = json.loads((folder / MANIFEST).read_bytes())["tools"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""
    others = [n for n in here if isinstance(there, dict) and there.get(n, here[n]) != here[n]]
    return ", ".join(f"{name} {there[name]} (here {here[name]})" for name in others)


def _state(target: Path, text: str | None) -> str:
    try:
        return "" if text is not None and target.read_bytes() == text.encode() else "changed"
    except OSError:
        return "added"


def _difference(target: Path, text: str) -> list[str]:
    before = target.read_bytes().decode("utf-8", "replace").splitlines()
    lines = list(
        difflib.unified_diff(before, text.splitlines(), "is", "would be", n=1, lineterm="")
    )
    more = len(lines) - _SHOWN
    return lines[:_SHOWN] + ([f"… {more} more lines"] if more > 0 else [])


def _others(files: Mapping[str, str], folder: Path) -> Iterator[str]:
    """Yield files of the folder that this run does not make."""
    for path in sorted(folder.rglob("*")):
        below = path.relative_to(folder)
        ours = not _LEFTOVERS & set(below.parts) and below.as_posix() not in files
        if ours and (path.is_file() or path.is_symlink()):
            package = _CUSTOM.match(below.as_posix())
            if not (package and (f"{package[1]}__init__.py" in files or not files)):
                yield below.as_posix()


def _made_before(folder: Path) -> Digests | None:
    """Return what the last run made, by its manifest; None where it cannot be read."""
    try:
        return _outputs((folder / MANIFEST).read_bytes())
    except OSError:
        return None


def _outputs(manifest: bytes) -> Digests | None:
    """Return the files that a manifest lists; of one with a conflict, the hashes of both sides."""
    try:
        outputs = json.loads(manifest)["outputs"]
        if isinstance(outputs, dict):
            return {path: frozenset({known}) for path, known in outputs.items()}
        return {path: frozenset() for path in outputs if isinstance(path, str)}
    except (ValueError, KeyError, TypeError, RecursionError):
        if not _CONFLICT.search(manifest):
            return None
        found: dict[str, frozenset[str]] = {}
        for path, known in _HASHED.findall(manifest):
            found[path.decode()] = found.get(path.decode(), frozenset()) | {known.decode()}
        return found


_GOING_ON: Final = Finding(
    "to go on: move your work to modules in `custom/` of the package, into an overlay or into a "
    "template; then `generate --force` replaces these files. `git diff` shows what was edited. "
    "After a merge of two branches, look at `git diff`, and run `generate --force`",
    rule="edited",
)


def _edited(files: Mapping[str, str], folder: Path) -> Iterator[Finding]:
    """Yield a finding for each file that would be replaced or removed, and that no run wrote.

    It may have other line ends, and be what git merged of the files of several runs.
    """
    old = _made_before(folder)
    if old is None:
        return
    is_merge = merge_of_runs(folder, MANIFEST, lambda each: _outputs(each) or {}, _is_written)
    for path in (*files, *(path for path in _others(files, folder) if path in old)):
        target = folder / path
        if path == MANIFEST or not target.is_file() or not _state(target, files.get(path)):
            continue
        known, content = old.get(path), target.read_bytes()
        if known is not None and (not known or _is_written(content, known)):
            continue
        if is_merge(path):
            continue
        if known is None:
            text = "was not written by `generate`, which would replace it"
        elif _CONFLICT.search(content):
            text = "has the marks of a conflict that a merge left"
        else:
            lost = "replace" if path in files else "remove"
            text = f"was edited after `generate` wrote it, which would {lost} it"
        yield Finding(f"{target}: {text}", rule="edited")


def _is_written(content: bytes, known: frozenset[str]) -> bool:
    """Return whether content has one of these hashes, with its line ends or with those of a run."""
    return not known.isdisjoint({digest(content), digest(content.replace(b"\r\n", b"\n"))})


def digest(content: bytes) -> str:
    """Return the hash of what a file has."""
    return hashlib.sha256(content).hexdigest()


def _problems(files: Mapping[str, str], folder: Path) -> list[Finding]:
    """Return what speaks against writing the folder: something could be lost, or is in the way."""
    problems = []
    if any(os.path.lexists(place) and not place.is_dir() for place in (folder, *folder.parents)):
        problems.append("is not a folder")
    elif any(_others({}, folder)) and not (folder / MANIFEST).is_file():
        problems.append(
            f"is not empty, and contains no {MANIFEST} of an earlier run: choose another output "
            "folder, bring the file back if it was removed, or empty this folder"
        )
    else:
        for path in files:
            target = folder / path
            if target.is_dir():
                problems.append(f"{path} is a folder")
            for place in (target, *target.parents):
                if place == folder:
                    break
                if place.is_symlink():
                    problems.append(f"{place.relative_to(folder).as_posix()} is a link")
    return [Finding(f"{folder}: {text}", rule="output") for text in dict.fromkeys(problems)]
