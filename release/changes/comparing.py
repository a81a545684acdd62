"""Two sides, compared at all levels."""

from __future__ import annotations

import tempfile
from pathlib import Path

from release import git
from release.changes import documents, gaps, packages, sides
from release.changes.change import Change
from release.changes.report import Report
from release.changes.sides import Side
from release.config import Release


def compare(release: Release, base: str | None = None, to: str | None = None) -> Report:
    """Compare a revision with the working tree, or with another revision.

    Args:
        release: the configuration of the tree; the layout of every revision is taken from it.
        base: a revision; where it is None, the last release, and before the first one the last
            commit.
        to: the other revision, instead of the working tree.
    """
    base = words = base or git.last_release(release.root, release.version)
    is_first = base is None
    if base is None:
        base, words = "HEAD", "the last commit, since nothing was released yet"
    with tempfile.TemporaryDirectory(prefix="changes-") as folder:
        before = sides.revision(release, base, Path(folder, "before"))
        after = (
            sides.working_tree(release)
            if to is None
            else sides.revision(release, to, Path(folder, "after"))
        )
        return Report(
            base=words or base,
            base_version=before.version,
            current=after.version,
            name=after.name,
            documents=tuple(documents.compare(before.documents, after.documents)),
            python=tuple(python_changes(before, after)),
            packages=tuple(packages.compare(before, after)),
            gaps=tuple(gaps.compare(before.documents, after.documents)),
            is_first=is_first,
        )


def python_changes(before: Side, after: Side) -> list[Change]:
    """Return what differs in the public Python of packages that both sides have."""
    from release.changes import python  # griffe takes its time

    changes = []
    for name in sorted(before.packages.keys() & after.packages.keys()):
        old, new = before.packages[name], after.packages[name]
        if old.files == new.files and old.plugins == new.plugins:
            continue
        for module in sorted({*old.modules} & {*new.modules}):
            was, now = (python.surface(module, each.sources, each.plugins) for each in (old, new))
            changes += python.compare(was, now)
    return changes
