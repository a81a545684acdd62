"""`changes`: report what changed for users, raise the version, and write the changelog's entry."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from packaging.version import Version

from pipeline.openapi.problems import Position
from pipeline.stages import step
from release import git
from release.changes import changelog, raising
from release.changes.comparing import compare
from release.changes.report import Report
from release.config import Release

HELP: Final = "Report what changed since the last release, raise the version, write the changelog."


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `changes`."""
    add = parser.add_argument
    base = "compare with this revision (default: the last release)"
    add("base", nargs="?", metavar="BASE", help=base)
    to = "compare this revision instead of the working tree; writes nothing"
    add("to", nargs="?", metavar="TO", help=to)
    against = (
        "compare the generated client with that of FOLDER, or of a revision; needs no "
        "[tool.release], and writes nothing"
    )
    add("--against", metavar="FOLDER", help=against)
    check = "write nothing; fail if the version or the changelog is wrong"
    add("--check", action="store_true", help=check)


def run(options: argparse.Namespace, release: Release) -> int:
    """Compare, print the report, and write or check version and changelog."""
    with step(f"Comparing with {options.base or 'the last release'}"):
        report = compare(release, options.base, options.to)
    print(report.text(), end="")
    if options.to is not None and not options.check:
        return 0
    reasons = problems(report, release) if options.check else []
    for problem in reasons:
        print(problem, file=sys.stderr)
    if not options.check:
        _write(report, release)
    return 1 if reasons else 0


def _write(report: Report, release: Release) -> None:
    """Raise the version where it is too low, in all packages, and write the entry."""
    version = report.proposed if report.too_low else report.current
    if not owes(report) and not raising.sibling_pins(release, version):
        return
    never = leftovers(report, release, version)
    text = changelog.written(release.changelog, str(version), report.entry(), never)
    with step(f"Writing {version} and its entry"):
        lines = raising.write(release, version, text)
    for line in lines:
        print(line)
    for skipped in never:
        print(f"{skipped} was never released: its changelog entry now belongs to {version}.")
    raised = f" (raised from {report.current})" if report.too_low else ""
    print(f"The version is {version}{raised}, and {release.changelog} has its entry.")


_ADVICE: Final = "run `nox -s changes`"


def problems(report: Report, release: Release) -> list[str]:
    """Return what keeps the tree from being released: a sentence each, with what to do."""
    if report.too_low:
        reason = f"version {report.current} is too low; at least {report.proposed} is needed"
        return [f"{release.file}: {reason}: {_ADVICE}"]
    due = owes(report)
    advice = _ADVICE if due else "name it `## Unreleased`, or take it out"
    sentences = [
        f"{place}: this section is of {version}, which was never released: {advice}"
        for version, place in leftovers(report, release, report.current).items()
    ]
    sentences += [
        f"{file}: it needs a package of this release in another version than {report.current}:"
        f" {_ADVICE}"
        for file in raising.sibling_pins(release, report.current)
    ]
    return sentences + (_entry_problems(report, release) if due else [])


def _entry_problems(report: Report, release: Release) -> list[str]:
    entry = changelog.block(release.changelog, str(report.current)) or ""
    if entry == report.entry():
        return []
    state = "is out of date" if entry else "is missing"
    return [f"{release.changelog}: the entry of {report.current} {state}: {_ADVICE}"]


def leftovers(report: Report, release: Release, version: Version) -> dict[Version, Position]:
    """Return sections of the changelog for versions after the base that were never released."""
    sections = changelog.above(release.changelog, report.base_version)
    return {
        section_version: place
        for section_version, place in sections.items()
        if section_version != version and not git.is_tagged(release.root, section_version)
    }


def owes(report: Report) -> bool:
    """Return whether the changelog needs an entry: not where nothing came after the base.

    People write of the first release what it has.
    """
    is_due = report.proposed > report.base_version and not report.is_first
    return is_due or report.current > report.base_version
