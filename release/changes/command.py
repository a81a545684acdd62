"""`changes`: what changed for users, the version that it wants, and the changelog's entry."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from pipeline.commands import writable
from release.changes import changelog, raising
from release.changes.checking import leftovers, owes, problems
from release.changes.comparing import compare
from release.changes.report import Report
from release.config import Release

HELP: Final = "report what changed since the last release, raise the version, write the changelog"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `changes`."""
    add = parser.add_argument
    base = "compare with this revision (default: the last release)"
    add("base", nargs="?", metavar="BASE", help=base)
    to = "compare this revision instead of the working tree; writes nothing"
    add("to", nargs="?", metavar="TO", help=to)
    check = "write nothing; fail if the version or the changelog is wrong"
    add("--check", action="store_true", help=check)
    add("--markdown", type=writable, metavar="FILE", help="also write the report as Markdown")


def run(options: argparse.Namespace, release: Release) -> int:
    """Compare, print the report, and write or check version and changelog."""
    report = compare(release, options.base, options.to)
    print(report.text(), end="")
    if options.markdown is not None:
        options.markdown.write_text(report.markdown(), encoding="utf-8", newline="\n")
    if options.to is not None and not options.check:
        return 0
    reasons = problems(report, release) if options.check else []
    for problem in reasons:
        print(problem, file=sys.stderr)
    if not options.check:
        _write(report, release)
    return 1 if reasons else 0


def _write(report: Report, release: Release) -> None:
    """Raise the version where it is too low, and write the entry."""
    if not owes(report):
        return
    version = report.proposed if report.too_low else report.current
    never = leftovers(report, release, version)
    text = changelog.written(release.changelog, str(version), report.entry(), never)
    for line in raising.write(release, version, text):
        print(line)
    for skipped in never:
        print(f"{skipped} was never released: what stood there belongs to {version} now.")
    raised = f" (raised from {report.current})" if report.too_low else ""
    print(f"The version is {version}{raised}, and {release.changelog} has its entry.")
