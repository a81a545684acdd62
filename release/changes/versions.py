"""Semantic versioning: what a change makes of a version."""

from __future__ import annotations

from packaging.version import Version

from release.changes.change import Level


def proposed(base: Version, level: Level) -> Version:
    """Return the lowest version that may hold changes of a level, after another version.

    Below 1.0.0 a breaking change raises the minor number, anything else the last one. From 1.0.0 on
    it is major, minor, last. A pre-release promises nothing yet: the next one follows it.
    """
    if level == "none":
        return base
    if base.dev is not None:
        return Version(f"{str(base).partition('.dev')[0]}.dev{base.dev + 1}")
    if base.pre is not None:
        letter, number = base.pre
        return Version(f"{base.base_version}{letter}{number + 1}")
    major, minor, last = base.major, base.minor, base.micro
    if level == "breaking" and major:
        return Version(f"{major + 1}.0.0")
    if (level == "breaking") if not major else (level == "feature"):
        return Version(f"{major}.{minor + 1}.0")
    return Version(f"{major}.{minor}.{last + 1}")


def too_low(base: Version, current: Version, level: Level) -> bool:
    """Return whether a version is lower than its changes want; a pre-release of it is enough."""
    if level == "none":
        return current < base
    wanted = Version(proposed(base, level).base_version)
    return Version(current.base_version) < wanted or current <= base
