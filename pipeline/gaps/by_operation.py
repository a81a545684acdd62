"""The register as a page by operation: what is documented, assumed, confirmed, or left open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final

from pipeline.gaps.register import Register
from pipeline.gaps.rows import Row, rows
from pipeline.openapi.documents import Document, pointer_text
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.overlay.model import Change
from pipeline.openapi.wording import visible

_STATES: Final = {
    "confirmed": "●", "assumed": "◐", "open": "○", "undecided": "?"
}  # fmt: skip
_HEAD: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What is known of each operation</title>
<style>
{style}</style></head><body>
"""
_TABLE: Final = """<table><thead>
<tr><th>Gap</th><th>What is not documented</th><th>Decision</th></tr>
</thead><tbody>
{rows}</tbody></table>
"""


def page(
    register: Register,
    documents: Mapping[str, Document],
    changes: Mapping[str, Sequence[Change]],
    root: Path = Path(),
) -> str:
    """Return a page of HTML, which needs no script: each operation with the gaps that it meets.

    An operation meets those of everything that it refers to. Gaps that none meets come last.
    """
    shown = rows(register, documents, changes, root)
    left = {row.gap.id: row for row in shown}
    operations: list[tuple[str, list[Row]]] = []
    for name, document in documents.items():
        model = DocumentModel(document)
        for each in model.operations:
            parameters = {node.pointer: node.value for node in each.parameters}
            used = model.components([each.value, *parameters.values()])
            own = {pointer_text(at) for at in (each.pointer, *parameters, *used)}
            met = [row for row in shown if any(_is_in(name, at, own) for at in row.places)]
            for row in met:
                left.pop(row.gap.id, None)
            operations.append((f"{name}: {each.route}", met))
    counts = {state: sum(row.state == state for row in shown) for state in _STATES}
    legend = ", ".join(
        f'<span class="{state}">{mark} {state}</span> ({counts[state]})'
        for state, mark in _STATES.items()
        if counts[state]
    )
    whole = sum(not met for _, met in operations)
    style = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
    every = [*operations, *([("beside all operations", [*left.values()])] if left else [])]
    overview = "".join(
        f'<tr><th scope="row"><a href="#{at}"><code>{escape(title)}</code></a></th>'
        f"<td>{_bar(met)}</td></tr>\n"
        for at, (title, met) in enumerate(every)
    )
    page = "".join(
        [
            f"{_HEAD.format(style=style)}<main><h1>What is known of each operation</h1>\n",
            f"<p>{len(shown)} gaps: {legend}. {whole} of {len(operations)} operations are ",
            f"documented as a whole.</p>\n<table><tbody>\n{overview}</tbody></table>\n",
            *(_section(at, *each) for at, each in enumerate(every)),
            "</main></body></html>\n",
        ]
    )
    return visible(page)


def _is_in(name: str, place: tuple[str, str], own: set[str]) -> bool:
    document, at = place
    return document == name and any(at == each or at.startswith(f"{each}/") for each in own)


def _bar(met: Sequence[Row]) -> str:
    """Return how many gaps are in which state, as a bar and in words."""
    if not met:
        return '<span class="soft">documented as a whole</span>'
    states = [(state, sum(row.state == state for row in met)) for state in _STATES]
    bars = "".join(
        f'<span class="{state}" style="width:{100 * count / len(met):.1f}%"></span>'
        for state, count in states
    )
    said = ", ".join(f"{count} {state}" for state, count in states if count)
    return f'<div class="bar" aria-hidden="true">{bars}</div><span class="soft">{said}</span>'


def _prose(text: str) -> str:
    """Return a sentence as HTML, with code where it has backticks."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _section(at: int, title: str, met: Sequence[Row]) -> str:
    cells = "".join(
        f'<tr><th scope="row"><code>{escape(row.gap.id)}</code></th>'
        f"<td>{_prose(row.gap.missing)} (§{escape(row.gap.section)})</td>"
        f'<td><span class="{row.state}">{_STATES[row.state]}</span> '
        f"{_prose(row.decision)}</td></tr>\n"
        for row in sorted(met, key=lambda row: (list(_STATES).index(row.state), row.gap.id))
    )
    table = _TABLE.format(rows=cells) if met else ""
    return f'<h2 id="{at}"><code>{escape(title)}</code></h2>\n{_bar(met)}\n{table}'
