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

from release.changes.change import Change, Level, listed
from release.changes.sides import Package, Side
from release.contents import modules_of

_MARGIN: Final = 0.1  # a change of size below it is not worth a word
_PYTHONS: Final = [Version(f"3.{minor}") for minor in range(40)]


@dataclass(frozen=True)
class Installed:
    """Contents and metadata of an installable package."""

    python: str
    requirements: Mapping[tuple[str, str], str]
    extras: frozenset[str]
    commands: frozenset[str]
    page: bytes
    files: Mapping[str, bytes]


def compare(before: Side, after: Side) -> list[Change]:
    """Return what differs in the packages of two sides."""
    changes: list[Change] = []
    for name in sorted(before.packages.keys() | after.packages.keys()):
        old, new = before.packages.get(name), after.packages.get(name)
        if old is None or new is None:
            level: Level = "feature" if new else "breaking"
            sentence = "is a new package" if new else "is not released any more"
            changes.append(_change(level, "package", name, sentence))
        elif old.files != new.files:
            changes += differences(name, read(old, before.version), read(new, after.version))
    return changes


def read(package: Package, version: Version) -> Installed:
    """Return what a package of a version installs."""
    project = package.data["project"]
    points = {
        "console_scripts": project.get("scripts", {}),
        "gui_scripts": project.get("gui-scripts", {}),
        **project.get("entry-points", {}),
    }
    return Installed(
        python=project.get("requires-python", ""),
        requirements=dict(_requirements(project)),
        extras=frozenset(project.get("optional-dependencies", {})),
        commands=frozenset(f"{group}: {name}" for group in points for name in points[group]),
        page=package.files.get("README.md", b""),
        files={
            name: package.files[path].replace(str(version).encode(), b"")
            for name, path in modules_of(package.name, package.data, package.files).items()
        },
    )


def _requirements(project: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], str]]:
    extras = project.get("optional-dependencies", {})
    for extra, texts in {"": project.get("dependencies", []), **extras}.items():
        for requirement in map(Requirement, texts):
            if extra:
                own = f"({requirement.marker}) and " if requirement.marker else ""
                requirement.marker = Marker(f'{own}extra == "{extra}"')
            yield (requirement.name.lower(), str(requirement.marker or "")), str(requirement)


def _change(level: Level, kind: str, name: str, sentence: str) -> Change:
    return Change(level, kind, (f"`{name}`",), sentence)


def differences(name: str, old: Installed, new: Installed) -> Iterator[Change]:
    """Yield what differs in what two versions of a package install."""
    yield from _needs(name, old, new)
    for what, kind, before, after in (
        ("extra", "extra", old.extras, new.extras),
        ("entry point", "command", old.commands, new.commands),
    ):
        for added in sorted(after - before):
            yield _change("feature", f"{kind}-added", name, f"has the {what} `{added}`")
        for gone in sorted(before - after):
            yield _change("breaking", f"{kind}-removed", name, f"has no {what} `{gone}` any more")
    was, now = old.files, new.files
    for kind, paths, words in (
        ("files-added", now.keys() - was.keys(), "has the new files {}"),
        ("files-removed", was.keys() - now.keys(), "has no files {} any more"),
        ("code-changed", {path for path in was.keys() & now.keys() if was[path] != now[path]},
         "has other contents in {}"),
    ):  # fmt: skip
        if paths:
            shown = listed([f"`{path}`" for path in sorted(paths)])
            yield _change("patch", kind, name, words.format(shown))
    if old.page != new.page:
        yield _change("patch", "page-changed", name, "is described in other words")
    before_size, after_size = (sum(map(len, each.files.values())) for each in (old, new))
    if abs(after_size - before_size) > _MARGIN * before_size:
        sizes = f"{after_size / 1000:.0f} KB of modules (was {before_size / 1000:.0f} KB)"
        yield _change("none", "size-changed", name, f"has {sizes}")


def _needs(name: str, old: Installed, new: Installed) -> Iterator[Change]:
    was, now = old.python, new.python
    if was != now:
        lost = any(each in SpecifierSet(was) and each not in SpecifierSet(now) for each in _PYTHONS)
        any_version = "of any version"
        sentence = f"needs Python {now or any_version} (was {was or any_version})"
        yield _change("breaking" if lost else "feature", "python-changed", name, sentence)
    before, after = old.requirements, new.requirements
    for key in sorted(before.keys() | after.keys()):
        was_needed, needed = before.get(key), after.get(key)
        if was_needed == needed:
            continue
        kind, sentence = "changed", f"needs `{needed}` (was `{was_needed}`)"
        if needed is None:
            kind, sentence = "removed", f"does not need `{was_needed}` any more"
        elif was_needed is None:
            kind, sentence = "added", f"needs `{needed}`"
        yield _change("patch", f"dependency-{kind}", name, sentence)
