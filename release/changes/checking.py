"""Checks of version and changelog before a release."""

from __future__ import annotations

from typing import Final

from packaging.version import Version

from pipeline.openapi.problems import PipelineError, Position
from release import git
from release.changes import changelog
from release.changes.report import Report
from release.config import Release

_ADVICE: Final = "run `nox -s changes`"


def problems(report: Report, release: Release) -> list[str]:
    """Return what keeps the tree from being released: a sentence each, with what to do."""
    if report.too_low:
        reason = f"version {report.current} is too low, at least {report.proposed} is needed"
        return [f"{release.file}: {reason}: {_ADVICE}"]
    due = owes(report)
    advice = _ADVICE if due else "name it `## Unreleased`, or take it out"
    sentences = [
        f"{place}: this section is of {version}, which was never released: {advice}"
        for version, place in leftovers(report, release, report.current).items()
    ]
    return sentences + (_entry_problems(report, release) if due else [])


def _entry_problems(report: Report, release: Release) -> list[str]:
    entry = changelog.block(release.changelog, str(report.current)) or ""
    if entry == report.entry():
        return []
    state = "is not current" if entry else "is missing"
    return [f"{release.changelog}: the entry of {report.current} {state}: {_ADVICE}"]


def leftovers(report: Report, release: Release, version: Version) -> dict[Version, Position]:
    """Return sections of the changelog for versions after the base that were never released."""
    sections = changelog.above(release.changelog, report.base_version)
    return {
        section_version: place
        for section_version, place in sections.items()
        if section_version != version and not _is_tagged(release, section_version)
    }


def _is_tagged(release: Release, version: Version) -> bool:
    """Return whether a version was released, perhaps after the base that was chosen."""
    try:
        git.resolve(release.root, f"refs/tags/v{version}")
    except PipelineError:
        return False
    return True


def owes(report: Report) -> bool:
    """Return whether the changelog needs an entry: not where nothing came after the base."""
    return report.level != "none" or report.current > report.base_version
