"""Writes what became of a plan: a table for a spreadsheet, a page to send on, or JSON."""

from __future__ import annotations

import csv
import html
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from ..sheets.cells import guarded
from ..sheets.columns import EDITABLE, shown
from .applying import Report
from .journal import Entry, dumped
from .making import zone_of
from .model import PlanError

_NAMES = ("row", "id", "name", "state", "field", "before", "after", "reason")

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }}
body {{ margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }}
div {{ overflow-x: auto; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: left; vertical-align: top; padding: .4rem .6rem;
          border-bottom: 1px solid #8886; }}
.conflict, .failed, .unknown, .sending {{ font-weight: 600; }}
</style>
<h1>{title}</h1>
<p>{summary}</p>
<div><table><thead><tr>{head}</tr></thead><tbody>
{rows}
</tbody></table></div>
</html>
"""


def _rows(report: Report) -> Iterator[tuple[Entry, tuple[str, ...]]]:
    for entry in report.entries:
        change = entry.change
        for name, step in change.fields.items():
            kind, zone = EDITABLE[name].kind, zone_of(change)
            cells = (str(change.row), change.id, change.name, entry.state, name)
            values = shown(step.before, kind, zone), shown(step.after, kind, zone)
            yield entry, (*cells, *values, entry.reason)


def _csv(report: Report, path: Path) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(_NAMES)
        for _, cells in _rows(report):
            writer.writerow(map(guarded, cells))


def _json(report: Report, path: Path) -> None:
    data = {"plan": report.plan.id, "entries": [dumped(entry) for entry in report.entries]}
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _html(report: Report, path: Path) -> None:
    states = {state: report.count(state) for state in ("done", "conflict", "failed")}
    left = len(report.entries) - sum(states.values())
    summary = ", ".join(f"{count} {state}" for state, count in {**states, "left": left}.items())
    rows = (
        f'<tr class="{entry.state}">'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for entry, cells in _rows(report)
    )
    page = _PAGE.format(
        title=html.escape(f"{report.plan.source}: plan {report.plan.short_id}"),
        summary=html.escape(summary),
        head="".join(f"<th>{name}</th>" for name in _NAMES),
        rows="\n".join(rows),
    )
    path.write_text(page, encoding="utf-8")


REPORTS: dict[str, Callable[[Report, Path], None]] = {".csv": _csv, ".html": _html, ".json": _json}
"""By the ending of the file."""


def save(report: Report, path: Path) -> None:
    """Write what became of a plan; the ending of the file decides the format."""
    try:
        REPORTS[path.suffix.lower()](report, path)
    except KeyError:
        raise PlanError(f"{path.name}: known endings are {', '.join(REPORTS)}") from None
    except OSError as error:
        raise PlanError(f"{path.name}: cannot be written: {error.strerror or error}") from None
