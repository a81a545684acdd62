"""Writes the results of a plan as a table for a spreadsheet."""

from __future__ import annotations

import csv
from pathlib import Path

from ..sheets.cells import guarded
from ..sheets.columns import EDITABLE, read_by_people
from .journal import Report
from .making import zone_of
from .model import PlanError

_NAMES = ("row", "id", "name", "state", "field", "before", "after", "timezone", "reason")


def save(report: Report, path: Path) -> None:
    """Write the results of a plan as CSV, one row per field."""
    try:
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(_NAMES)
            for entry in report.entries:
                change = entry.change
                for name, step in change.fields.items():
                    kind, zone = EDITABLE[name].kind, zone_of(change)
                    cells = (str(change.row), change.id, change.name, entry.state, name)
                    values = [read_by_people(v, kind, zone) for v in (step.before, step.after)]
                    times = (change.zone or "UTC") if kind == "moment" else ""
                    writer.writerow(map(guarded, (*cells, *values, times, entry.reason)))
    except OSError as error:
        raise PlanError(f"{path.name}: cannot be written: {error.strerror or error}") from None
