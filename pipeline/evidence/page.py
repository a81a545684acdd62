"""The report on traffic as a page: each operation, what was sent, what came, what is against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from pipeline.evidence.report import Report, against, entry, text

_HEAD: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>What traffic shows</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
div { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; min-width: 56rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; }
tr { border-top: 1px solid #8886; }
pre, code { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .6rem; background: #8881; }
.against { color: light-dark(#b00020, #ff8a80); }
</style>
"""


def page(report: Report, never: Mapping[str, str]) -> str:
    """Return a report as a page of HTML that holds no value of a request or a response.

    Args:
        never: why an operation was not asked, by its id, as far as that is known.
    """
    lines = text(report, 100).partition("\n\n")
    found = [*against(report)]
    html = f"{_HEAD}<h1>What traffic shows</h1>\n<p>{escape(' '.join(lines[0].split()))}</p>\n"
    html += "<div><table><thead><tr><th>Operation<th>Sent<th>Came<th>Against it</thead>\n"
    html += (
        "".join(f"<tr>{''.join(row)}</tr>\n" for row in _rows(report, never)) + "</table></div>\n"
    )
    html += f"<h2>Against what is assumed or documented ({len(found)})</h2>\n"
    for one in found:
        html += f"<pre>{escape(chr(10).join(entry(report, one, 100)))}</pre>\n"
    return f"{html}<h2>All gaps</h2>\n<pre>{escape(lines[2])}</pre>\n"


def _rows(report: Report, never: Mapping[str, str]) -> Iterator[list[str]]:
    wrong = [seen for one in against(report) for seen in one.seen if seen.against]
    for title, route in report.known.items():
        calls = [call for call in report.calls if call.operation.title == title]
        lines = Counter((call.line, call.exchange.status) for call in calls)
        by_line: dict[str, list[str]] = {}
        for (line, status), count in sorted(lines.items()):
            by_line.setdefault(line, []).append(f"{status} × {count}")
        reason = never.get(title, "no traffic")
        shown = by_line or {route: [f"not asked: {reason}"]}
        texts = [escape(seen.text) for seen in wrong if title in seen.operations]
        for at, (line, came) in enumerate(shown.items()):
            row = [f"<td><code>{escape(line)}</code>", f"<td>{escape(', '.join(came))}"]
            if at == 0:
                span = f' rowspan="{len(shown)}"'
                row.insert(0, f"<th{span}>{escape(title)}")
                row.append(f'<td class="against"{span}>{"<br>".join(texts)}')
            yield row
