"""The wheel of a package, before and now: what installs with it, and what it installs."""

from __future__ import annotations

import configparser
import email.parser
import hashlib
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from release.changes.change import Change, Level
from release.changes.sides import Package, Side

_MARGIN: Final = 0.1  # a change of size below it is not worth a word
_PYTHONS: Final = [Version(f"3.{minor}") for minor in range(40)]


@dataclass(frozen=True)
class Wheel:
    """A built wheel.

    Attributes:
        files: a digest of each file, with the version left out of names and contents.
        about: its metadata.
        commands: entry points, `group: name` with what they call.
        size: in bytes.
    """

    files: Mapping[str, str]
    about: Message
    commands: Mapping[str, str]
    size: int


def compare(before: Side, after: Side) -> list[Change]:
    """Return what differs in the wheels of two sides; build nothing where sources are equal."""
    found: list[Change] = []
    for name in sorted(before.packages.keys() | after.packages.keys()):
        old, new = before.packages.get(name), after.packages.get(name)
        if old is None or new is None:
            level: Level = "feature" if new else "breaking"
            sentence = "is a new package" if new else "is not released any more"
            found.append(_change(level, "package", name, sentence))
        elif old.files != new.files:
            found += differences(name, _wheel(old, before.version), _wheel(new, after.version))
    return found


def read(file: Path, version: Version) -> Wheel:
    """Read a wheel of a version."""
    label = str(version).encode()
    with zipfile.ZipFile(file) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    top = next(name.partition("/")[0] for name in contents if name.endswith(".dist-info/METADATA"))
    points = configparser.ConfigParser(delimiters=("=",))
    points.read_string(contents.get(f"{top}/entry_points.txt", b"").decode())
    files = {
        name: hashlib.sha256(data.replace(label, b"")).hexdigest()
        for name, data in contents.items()
        if not name.startswith(f"{top}/")
    }
    return Wheel(
        files=files,
        about=email.parser.BytesParser().parsebytes(contents[f"{top}/METADATA"]),
        commands={
            f"{group}: {name}": points[group][name]
            for group in points.sections()
            for name in points[group]
        },
        size=file.stat().st_size,
    )


def _wheel(package: Package, version: Version) -> Wheel:
    from release.building import build_wheel

    with tempfile.TemporaryDirectory(prefix="changes-") as folder:
        return read(build_wheel(package.path, Path(folder)), version)


def _change(level: Level, kind: str, name: str, sentence: str) -> Change:
    return Change(level, kind, (f"`{name}`",), sentence)


def differences(name: str, old: Wheel, new: Wheel) -> Iterator[Change]:
    """Yield what differs in two wheels of a package."""
    yield from _requirements(name, old.about, new.about)
    before, after = ({*_all(each.about, "Provides-Extra")} for each in (old, new))
    for extra in sorted(after - before):
        yield _change("feature", "extra-added", name, f"has the extra `{extra}`")
    for extra in sorted(before - after):
        yield _change("breaking", "extra-removed", name, f"has no extra `{extra}` any more")
    for command in sorted(new.commands.keys() - old.commands.keys()):
        yield _change("feature", "command-added", name, f"has the entry point `{command}`")
    for command in sorted(old.commands.keys() - new.commands.keys()):
        sentence = f"has no entry point `{command}` any more"
        yield _change("breaking", "command-removed", name, sentence)
    yield from _contents(name, old, new)
    if old.about.get_payload() != new.about.get_payload():
        yield _change("patch", "page-changed", name, "is described in other words")
    if abs(new.size - old.size) > _MARGIN * old.size:
        sentence = f"has {new.size / 1000:.0f} KB (was {old.size / 1000:.0f} KB)"
        yield _change("none", "size-changed", name, sentence)


def _contents(name: str, old: Wheel, new: Wheel) -> Iterator[Change]:
    if come := sorted(new.files.keys() - old.files.keys()):
        yield _change("patch", "files-added", name, f"has the new files {_named(come)}")
    if gone := sorted(old.files.keys() - new.files.keys()):
        yield _change("patch", "files-removed", name, f"has no files {_named(gone)} any more")
    both = sorted(old.files.keys() & new.files.keys())
    if other := [path for path in both if old.files[path] != new.files[path]]:
        yield _change("patch", "code-changed", name, f"has other contents in {_named(other)}")


def _named(files: list[str]) -> str:
    shown = ", ".join(f"`{file}`" for file in files[:4])
    return f"{shown} and {len(files) - 4} more" if len(files) > 4 else shown


def _requirements(name: str, old: Message, new: Message) -> Iterator[Change]:
    was, now = old.get("Requires-Python", ""), new.get("Requires-Python", "")
    if was != now:
        lost = any(each in SpecifierSet(was) and each not in SpecifierSet(now) for each in _PYTHONS)
        any_version = "of any version"
        sentence = f"needs Python {now or any_version} (was {was or any_version})"
        yield _change("breaking" if lost else "feature", "python-changed", name, sentence)
    before, after = _needed(old), _needed(new)
    for key in sorted(after.keys() - before.keys()):
        yield _change("patch", "dependency-added", name, f"needs `{after[key]}`")
    for key in sorted(before.keys() - after.keys()):
        sentence = f"does not need `{before[key]}` any more"
        yield _change("patch", "dependency-removed", name, sentence)
    for key in sorted(before.keys() & after.keys()):
        if before[key] != after[key]:
            sentence = f"needs `{after[key]}` (was `{before[key]}`)"
            yield _change("patch", "dependency-changed", name, sentence)


def _needed(about: Message) -> dict[tuple[str, str], str]:
    found = [Requirement(each) for each in _all(about, "Requires-Dist")]
    return {(each.name.lower(), str(each.marker or "")): str(each) for each in found}


def _all(about: Message, field: str) -> list[str]:
    values: list[Any] = about.get_all(field) or []
    return [str(value) for value in values]
