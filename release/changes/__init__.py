"""Changes between two revisions: in the documents, in Python, in the packages.

It proposes the next version by semantic versioning, and writes the changelog's entry.
"""

from __future__ import annotations

from release.changes.command import problems
from release.changes.comparing import compare
from release.changes.report import Report

__all__ = ["Report", "compare", "problems"]
