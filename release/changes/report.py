"""Report of a comparison, as people read it, and what the changes make of the version."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from packaging.version import Version

from release.changes.change import Change, Level, highest, listed, merged

_GROUPS: Final[tuple[tuple[str, str], ...]] = (
    ("breaking", "Breaking"),
    ("deprecated", "Deprecated"),
    ("feature", "New"),
    ("patch", "Changed"),
)
_WORDS: Final[Mapping[Level, str]] = {
    "none": "no changes",
    "patch": "small changes",
    "feature": "new features",
    "breaking": "breaking changes",
}
_WIDTH: Final = 100


@dataclass(frozen=True)
class Report:
    """Changes from one side to another, at three levels, and in the register of gaps.

    `is_first` is true before the first release, to whose version any change belongs. Where the
    base is a pre-release, `since_final` is the report from the last final one: the version must do
    for what the next final one will hold, too.
    """

    base: str
    base_version: Version
    current: Version
    name: str
    documents: tuple[Change, ...]
    python: tuple[Change, ...]
    packages: tuple[Change, ...]
    gaps: tuple[Change, ...]
    is_first: bool = False
    since_final: Report | None = None

    @property
    def level(self) -> Level:
        """Return the highest level of all changes."""
        return highest([*self.documents, *self.python, *self.packages, *self.gaps])

    @property
    def proposed(self) -> Version:
        """Return the lowest version that may hold these changes."""
        following = proposed(self.base_version, self.level)
        final = self.since_final.proposed if self.since_final else None
        if final is None or Version(following.base_version) >= final:
            return following
        return Version(f"{final}{self.current.pre[0]}1") if self.current.pre else final

    @property
    def too_low(self) -> bool:
        """Return whether the version of the tree is lower than the changes want."""
        level: Level = "none" if self.is_first else self.level
        by_final = self.since_final is not None and self.since_final.too_low
        return by_final or too_low(self.base_version, self.current, level)

    def text(self) -> str:
        """Return the report for a terminal; it ends with a line feed."""
        lines = [f"{self.name} ({self.current}), compared with {self.base} ({self.base_version})."]
        for title, changes in (
            ("The documents", self.documents),
            ("Python", self.python),
            ("Packages", self.packages),
            ("Gaps", self.gaps),
        ):
            shown = [f"  {each.level:<8}  {each}{_gaps(each)}" for each in merged(changes)]
            lines += ["", title, *shown] if shown else []
        return "\n".join([*lines, "", self.verdict(), ""])

    def verdict(self) -> str:
        """Return what the changes mean for the version."""
        if self.level == "none" and not self.too_low:
            return "Nothing changes for users."
        if self.is_first and not self.too_low:
            return f"Nothing was released yet, so {self.current} may have any changes."
        why = _WORDS[self.level]
        if self.since_final and self.since_final.too_low:
            why = f"{_WORDS[self.since_final.level]} since {self.since_final.base}"
        lowest = f"The changes need at least version {self.proposed} ({why})"
        if self.too_low:
            return f"{lowest}; {self.current} is too low."
        return f"{lowest}; {self.current} is high enough."

    def entry(self) -> str:
        """Return the entry of the changelog, in users' words; "" where nothing changes for them."""
        changes = self._once()
        lines: list[str] = []
        decided = {gap for change in self.gaps for gap in change.gaps}
        for level, title in _GROUPS:
            own = [each for each in changes if _group(each) == level]
            items = dict.fromkeys(_item(str(each) + _gaps(each, decided)) for each in own)
            lines += ["", f"### {title}", "", *items] if items else []
        gaps = [_item(str(each)) for each in self.gaps]
        lines += ["", "### Gaps", "", *gaps] if gaps else []
        return "\n".join([*lines[1:], ""]) if lines else ""

    def _once(self) -> list[Change]:
        """Return each change once: by the Python level where it shows there."""
        python, others = [*self.python], []
        for change in self.documents:
            mirrors = [
                index
                for index, twin in enumerate(python)
                if twin.about & change.about and highest([twin, change]) == twin.level
            ]
            for index in mirrors:
                gaps = tuple(sorted({*python[index].gaps, *change.gaps}))
                python[index] = replace(python[index], gaps=gaps)
            if not mirrors:
                others.append(change)
        changes = [*python, *others]
        packages = [each for each in self.packages if each.kind != "inside"]
        if not changes and not packages and not self.gaps:
            packages = list(self.packages)
        return merged([*changes, *packages])


def _group(change: Change) -> str:
    """Return the section of a change: its level's, or that of deprecations."""
    return "deprecated" if change.kind == "deprecated" else change.level


def _item(text: str) -> str:
    """Return an item of a list, with its full stop."""
    return textwrap.fill(
        f"- {text}.", _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _gaps(change: Change, among: set[str] | None = None) -> str:
    gaps = [gap for gap in change.gaps if among is None or gap in among]
    if not gaps or change.kind == "gap":
        return ""
    return f" (gap{'s' * (len(gaps) > 1)} {listed([f'`{gap}`' for gap in gaps])})"


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
