"""A package, before and now: what installs with it, and what it installs.

Nothing is built for that: a wheel holds the modules of its project, byte for byte, and the metadata
of its `pyproject.toml`, as `build` makes sure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from release.changes.change import Change, Level
from release.changes.sides import Package, Side
from release.contents import entry_points_of, modules_of

_MARGIN: Final = 0.1  # a change of size below it is not worth a word
_PYTHONS: Final = [Version(f"3.{minor}") for minor in range(40)]


@dataclass(frozen=True)
class Installed:
    """Contents and metadata of an installable package.

    Attributes:
        python: the versions of Python that it allows.
        requirements: what it needs, by name and marker.
        extras: the names of its extras.
        commands: entry points, `group: name` with what they call.
        page: its long description.
        files: the contents of each file, with the version left out.
    """

    python: str
    requirements: Mapping[tuple[str, str], str]
    extras: frozenset[str]
    commands: Mapping[str, str]
    page: bytes
    files: Mapping[str, bytes]


def compare(before: Side, after: Side) -> list[Change]:
    """Return what differs in the packages of two sides."""
    found: list[Change] = []
    for name in sorted(before.packages.keys() | after.packages.keys()):
        old, new = before.packages.get(name), after.packages.get(name)
        if old is None or new is None:
            level: Level = "feature" if new else "breaking"
            sentence = "is a new package" if new else "is not released any more"
            found.append(_change(level, "package", name, sentence))
        elif old.files != new.files:
            found += differences(name, read(old, before.version), read(new, after.version))
    return found


def read(package: Package, version: Version) -> Installed:
    """Return what a package of a version installs."""
    project = package.data["project"]
    points = entry_points_of(project)
    return Installed(
        python=project.get("requires-python", ""),
        requirements=dict(_requirements(project)),
        extras=frozenset(project.get("optional-dependencies", {})),
        commands={
            f"{group}: {name}": target
            for group, entries in points.items()
            for name, target in entries.items()
        },
        page=package.files.get("README.md", b""),
        files={
            name: package.files[path].replace(str(version).encode(), b"")
            for name, path in modules_of(package.name, package.data, package.files).items()
        },
    )


def _requirements(project: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], str]]:
    extras = project.get("optional-dependencies", {})
    for extra, texts in {"": project.get("dependencies", []), **extras}.items():
        for each in map(Requirement, texts):
            if extra:
                own = f"({each.marker}) and " if each.marker else ""
                each.marker = Marker(f'{own}extra == "{extra}"')
            yield (each.name.lower(), str(each.marker or "")), str(each)


def _change(level: Level, kind: str, name: str, sentence: str) -> Change:
    return Change(level, kind, (f"`{name}`",), sentence)


def differences(name: str, old: Installed, new: Installed) -> Iterator[Change]:
    """Yield what differs in what two versions of a package install."""
    yield from _needs(name, old, new)
    for extra in sorted(new.extras - old.extras):
        yield _change("feature", "extra-added", name, f"has the extra `{extra}`")
    for extra in sorted(old.extras - new.extras):
        yield _change("breaking", "extra-removed", name, f"has no extra `{extra}` any more")
    for command in sorted(new.commands.keys() - old.commands.keys()):
        yield _change("feature", "command-added", name, f"has the entry point `{command}`")
    for command in sorted(old.commands.keys() - new.commands.keys()):
        sentence = f"has no entry point `{command}` any more"
        yield _change("breaking", "command-removed", name, sentence)
    yield from _contents(name, old.files, new.files)
    if old.page != new.page:
        yield _change("patch", "page-changed", name, "is described in other words")
    before, after = (sum(map(len, each.files.values())) for each in (old, new))
    if abs(after - before) > _MARGIN * before:
        sentence = f"has {after / 1000:.0f} KB of modules (was {before / 1000:.0f} KB)"
        yield _change("none", "size-changed", name, sentence)


def _contents(name: str, old: Mapping[str, bytes], new: Mapping[str, bytes]) -> Iterator[Change]:
    if come := sorted(new.keys() - old.keys()):
        yield _change("patch", "files-added", name, f"has the new files {_named(come)}")
    if gone := sorted(old.keys() - new.keys()):
        yield _change("patch", "files-removed", name, f"has no files {_named(gone)} any more")
    if other := [path for path in sorted(old.keys() & new.keys()) if old[path] != new[path]]:
        yield _change("patch", "code-changed", name, f"has other contents in {_named(other)}")


def _named(files: list[str]) -> str:
    shown = ", ".join(f"`{file}`" for file in files[:4])
    return f"{shown} and {len(files) - 4} more" if len(files) > 4 else shown


def _needs(name: str, old: Installed, new: Installed) -> Iterator[Change]:
    was, now = old.python, new.python
    if was != now:
        lost = any(each in SpecifierSet(was) and each not in SpecifierSet(now) for each in _PYTHONS)
        any_version = "of any version"
        sentence = f"needs Python {now or any_version} (was {was or any_version})"
        yield _change("breaking" if lost else "feature", "python-changed", name, sentence)
    before, after = old.requirements, new.requirements
    for key in sorted(after.keys() - before.keys()):
        yield _change("patch", "dependency-added", name, f"needs `{after[key]}`")
    for key in sorted(before.keys() - after.keys()):
        sentence = f"does not need `{before[key]}` any more"
        yield _change("patch", "dependency-removed", name, sentence)
    for key in sorted(before.keys() & after.keys()):
        if before[key] != after[key]:
            sentence = f"needs `{after[key]}` (was `{before[key]}`)"
            yield _change("patch", "dependency-changed", name, sentence)
