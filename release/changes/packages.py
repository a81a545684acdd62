"""A package, before and now: what installs with it, and what it installs.

Nothing is built for that: a wheel holds the modules of its project, byte for byte, and the metadata
of its `pyproject.toml`, as `build` makes sure.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from typing import Any, Final

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from pipeline.codegen.write import MANIFEST
from release.changes.change import Change, Kind, Level, listed
from release.changes.sides import Package, Side
from release.contents import modules_of

_PYTHONS: Final = [Version(f"3.{minor}.{micro}") for minor in range(40) for micro in range(40)]


def compare(before: Side, after: Side) -> list[Change]:
    """Return what differs in the packages of two sides."""
    changes: list[Change] = []
    siblings = {canonicalize_name(each.name) for each in after.packages.values()}
    for name in sorted(before.packages.keys() | after.packages.keys()):
        old, new = before.packages.get(name), after.packages.get(name)
        if old is None or new is None:
            level: Level = "feature" if new else "breaking"
            sentence = "is a new package" if new else "is no longer released"
            changes.append(_change(level, name, sentence))
        elif old.files != new.files:
            changes += differences(old, new, before.version, after.version, siblings)
    return changes


def _installed(package: Package, version: Version) -> dict[str, bytes]:
    """Return the modules that a package of a version installs, without that version.

    Hashes of what was generated are left out: they are other ones whenever the version is.
    """
    return {
        name: package.files[path].replace(str(version).encode(), b"")
        for name, path in modules_of(package.name, package.data, package.files).items()
        if not path.endswith(f"/{MANIFEST}")
    }


def _commands(project: Mapping[str, Any]) -> set[str]:
    points = {
        "console_scripts": project.get("scripts", {}),
        "gui_scripts": project.get("gui-scripts", {}),
        **project.get("entry-points", {}),
    }
    return {f"{group}: {name}" for group in points for name in points[group]}


def _requirements(
    project: Mapping[str, Any], siblings: Container[str]
) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield what a package needs; a pin to a package of its own release without the version."""
    extras = project.get("optional-dependencies", {})
    for extra, texts in {"": project.get("dependencies", []), **extras}.items():
        for requirement in map(Requirement, texts):
            name = canonicalize_name(requirement.name)
            is_pin = [each.operator for each in requirement.specifier] == ["=="]
            if is_pin and name in siblings:
                requirement.specifier = SpecifierSet()
            if extra:
                own = f"({requirement.marker}) and " if requirement.marker else ""
                requirement.marker = Marker(f'{own}extra == "{extra}"')
            yield (name, str(requirement.marker or "")), str(requirement)


def _change(level: Level, name: str, sentence: str, kind: Kind = "") -> Change:
    return Change(level, (f"`{name}`",), sentence, kind=kind)


def differences(
    old: Package, new: Package, before: Version, after: Version, siblings: Collection[str] = ()
) -> Iterator[Change]:
    """Yield what differs in what two versions of a package install.

    Args:
        siblings: canonical names of the packages of the release. They have one version, so that it
            is another one in what they need of each other is no change.
    """
    name, (was_project, project) = new.name, (each.data["project"] for each in (old, new))
    yield from _python(name, was_project, project)
    needs = [dict(_requirements(each, siblings)) for each in (was_project, project)]
    yield from _needs(name, *needs)
    extras = (set(each.get("optional-dependencies", {})) for each in (was_project, project))
    for what, (gone_of, added_of) in (
        ("extra", extras),
        ("entry point", map(_commands, (was_project, project))),
    ):
        for added in sorted(added_of - gone_of):
            yield _change("feature", name, f"has the {what} `{added}`")
        for gone in sorted(gone_of - added_of):
            yield _change("breaking", name, f"has no {what} `{gone}` any more")
    was, now = _installed(old, before), _installed(new, after)
    others = {path for path in was.keys() | now.keys() if was.get(path) != now.get(path)}
    if others:
        shown = listed([f"`{path}`" for path in sorted(others)])
        yield _change("patch", name, f"has other contents in {shown}", "inside")
    if old.files.get("README.md") != new.files.get("README.md"):
        yield _change("patch", name, "has another description", "inside")


def _python(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    was, now = (each.get("requires-python", "") for each in (old, new))
    if was != now:
        lost = any(each in SpecifierSet(was) and each not in SpecifierSet(now) for each in _PYTHONS)
        any_version = "of any version"
        sentence = f"needs Python {now or any_version} (was {was or any_version})"
        yield _change("breaking" if lost else "feature", name, sentence)


def _needs(
    name: str, before: Mapping[tuple[str, str], str], after: Mapping[tuple[str, str], str]
) -> Iterator[Change]:
    for key in sorted(before.keys() | after.keys()):
        was_needed, needed = before.get(key), after.get(key)
        if was_needed == needed:
            continue
        sentence = f"needs `{needed}` (was `{was_needed}`)"
        if needed is None:
            sentence = f"does not need `{was_needed}` any more"
        elif was_needed is None:
            sentence = f"needs `{needed}`"
        yield _change("patch", name, sentence)
