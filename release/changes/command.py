"""`changes`: what changed for users, the version that it wants, and the changelog's entry."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from release.changes.report import Report
    from release.config import Release

HELP: Final = "tell what changed since the last release, raise the version, write the changelog"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add = parser.add_argument
    base = "compare with this revision (default: the last release)"
    add("base", nargs="?", metavar="BASE", help=base)
    to = "compare this revision instead of the working tree; writes nothing"
    add("to", nargs="?", metavar="TO", help=to)
    check = "write nothing; fail where version or changelog are not what they should be"
    add("--check", action="store_true", help=check)
    markdown = "write the report as Markdown, too"
    add("--markdown", type=Path, metavar="FILE", help=markdown)


def run(options: argparse.Namespace, release: Release) -> int:
    """Compare, print the report, and write or check version and changelog."""
    from release.changes.comparing import compare

    report = compare(release, options.base, options.to)
    print(report.text(), end="")
    if options.markdown is not None:
        options.markdown.write_text(report.markdown(), encoding="utf-8", newline="\n")
    if options.to is not None and not options.check:
        return 0
    problems = _problems(report, release) if options.check else []
    for problem in problems:
        print(problem, file=sys.stderr)
    if not options.check:
        _write(report, release)
    return 1 if problems else 0


def _write(report: Report, release: Release) -> None:
    """Raise the version where it is too low, and write the entry."""
    from release.changes import changelog, raising

    if not _owes(report):
        return
    version = report.proposed if report.too_low else report.current
    text = changelog.written(release.changelog, str(version), report.entry())
    for line in raising.write(release, version, text):
        print(line)
    raised = f" (raised from {report.current})" if report.too_low else ""
    print(f"The version is {version}{raised}, and {release.changelog} has its entry.")


def _problems(report: Report, release: Release) -> list[str]:
    """What keeps the tree from being released as it is."""
    from release.changes import changelog

    advice = "run `nox -s changes`"
    if report.too_low:
        reason = f"version {report.current} is too low, at least {report.proposed} is needed"
        return [f"{release.file}: {reason}: {advice}"]
    if not _owes(report):
        return []
    found = changelog.block(release.changelog, str(report.current)) or ""
    if found == report.entry():
        return []
    state = "is not current" if found else "is missing"
    return [f"{release.changelog}: the entry of {report.current} {state}: {advice}"]


def _owes(report: Report) -> bool:
    """Whether the changelog is to be written: not where nothing came after the base."""
    return report.level != "none" or report.current > report.base_version
