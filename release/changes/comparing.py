"""Two sides, compared at all levels."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from pipeline.openapi.problems import Finding, PipelineError
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
    chosen = base or git.last_release(release.root, release.version)
    is_first = chosen is None
    words = chosen or "the last commit, since nothing was released yet"
    with tempfile.TemporaryDirectory(prefix="changes-") as folder:
        before = sides.revision(release, chosen or "HEAD", Path(folder, "before"))
        if base is None and chosen:
            _check_tag(chosen, before)
        after = (
            sides.working_tree(release)
            if to is None
            else sides.revision(release, to, Path(folder, "after"))
        )
        report = between(before, after, words, is_first)
        final = before.version.is_prerelease and git.last_final(release.root, chosen or "HEAD")
        if not final:
            return report
        released = sides.revision(release, final, Path(folder, "final"))
        _check_tag(final, released)
        return replace(report, since_final=between(released, after, final, is_first))


def between(before: Side, after: Side, words: str, is_first: bool = False) -> Report:
    """Return the report of two sides, of which the first is called by some words."""
    return Report(
        base=words,
        base_version=before.version,
        current=after.version,
        name=after.name,
        documents=tuple(documents.compare(before.documents, after.documents)),
        python=tuple(_python(before, after)),
        packages=tuple(packages.compare(before, after)),
        gaps=tuple(gaps.compare(before.documents, after.documents)),
        is_first=is_first,
    )


def _check_tag(tag: str, side: Side) -> None:
    """Refuse the tag of a release whose tree has another version: no such release was made."""
    wanted = git.tagged(tag)
    if wanted != side.version:
        reason = f"stands on a commit whose version is {side.version}, not {wanted}"
        advice = (
            f"delete it with `git tag -d {tag}` (and where it was pushed, `git push --delete"
            f" origin {tag}`), and tag the commit whose version is {wanted}"
        )
        raise PipelineError(Finding(f"tag {tag} {reason}: {advice}"))


def _python(before: Side, after: Side) -> list[Change]:
    """Return what differs in the public Python of packages that both sides have."""
    from release.changes import python  # griffe takes its time

    changes = []
    for name in sorted(before.packages.keys() & after.packages.keys()):
        old, new = before.packages[name], after.packages[name]
        if old.files == new.files:
            continue
        for module in sorted({*old.modules} & {*new.modules}):
            was, now = (python.surface(module, each.sources, each.plugins) for each in (old, new))
            changes += python.compare(was, now)
    return changes
