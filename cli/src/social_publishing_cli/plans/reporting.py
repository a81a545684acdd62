"""Writes the results of a plan, as data and as a table for a spreadsheet."""

from __future__ import annotations

import csv
import json
from datetime import UTC
from pathlib import Path

import msgspec

from ..files import replacing
from ..sheets.cells import guarded
from ..sheets.columns import EDITABLE, read_by_people, shown
from .journal import Entry, Report
from .model import PlanError

_NAMES = ("row", "id", "name", "state", "field", "before", "after", "timezone", "reason")


def dumped(entry: Entry) -> dict[str, object]:
    """Return an entry as JSON; what people edit as times is on the clocks of `timezone`."""
    change, zone = entry.change, entry.change.clocks
    members = json.loads(msgspec.json.encode(change))
    for name, step in members["fields"].items():
        if EDITABLE[name].kind == "moment":
            step.update({each: shown(value, "moment", zone) for each, value in step.items()})
    is_open = entry.in_doubt or entry.state in ("sending", "unknown")
    at = f"{entry.at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if entry.at else None
    return {
        **{"timezone" if name == "zone" else name: value for name, value in members.items()},
        "row": change.row or None,
        "state": entry.state,
        "reason": entry.reason,
        "wrote": entry.wrote or (None if is_open else False),
        "at": at,
    }


def save(report: Report, path: Path) -> None:
    """Write the results of a plan as CSV, one row per field."""
    try:
        with replacing(path) as new, new.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(_NAMES)
            for entry in report.entries:
                change = entry.change
                for name, step in change.fields.items():
                    kind, zone = EDITABLE[name].kind, change.clocks
                    cells = (str(change.row or ""), change.id, change.name, entry.state, name)
                    values = [read_by_people(v, kind, zone) for v in (step.before, step.after)]
                    times = (change.zone or "UTC") if kind == "moment" else ""
                    writer.writerow(map(guarded, (*cells, *values, times, entry.reason)))
    except OSError as error:
        raise PlanError(f"{path.name}: cannot be written: {error.strerror or error}") from None
