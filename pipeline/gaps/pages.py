"""The register as people read it: a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pipeline.gaps.register import Register
from pipeline.gaps.rows import Row, rows
from pipeline.openapi.documents import Document
from pipeline.openapi.overlay.model import Change
from pipeline.openapi.wording import visible

_HEADINGS: Final = ("Gap", "What is not documented", "Decision", "Action", "Where it lands")
_SHOWN: Final = 4  # places of one gap that are listed; of more, all but the first are counted


def markdown(
    register: Register,
    documents: Mapping[str, Document],
    changes: Mapping[str, Sequence[Change]],
    root: Path = Path(),
) -> str:
    """Return the register with its decisions as a page, one table a part.

    Files are shown as they are called from the folder `root`.
    """
    shown = rows(register, documents, changes, root)
    lines = [
        "# Gaps",
        "",
        "What the service does not document, and what was decided about it. An assumption says "
        "what it",
        "rests on: *seen* in an example, by *analogy* with something that is shown, or by",
        "*convention*. A confirmed gap is known, with its evidence. An open one stays as it is.",
        "",
        _summary(shown),
    ]
    for heading, entries in _sections(shown, documents):
        lines += ["", f"## {_cell(heading)}", ""]
        lines += [f"| {' | '.join(_HEADINGS)} |", "|---" * len(_HEADINGS) + "|"]
        for row in entries:
            targets = [f"{_code(file)}: {_code(target)}" for file, target in row.actions]
            decision = _cell(row.decision)
            cells = [
                f"{_code(row.gap.id)}{' (named)' if row.gap.named else ''}",
                _cell(row.gap.missing),
                f"**{decision.replace(':', ':**', 1)}" if row.state == "confirmed" else decision,
                "<br>".join(_shortened(targets)) or "none",
                "<br>".join(_shortened([f"{_cell(name)} {_code(at)}" for name, at in row.places]))
                or "none",
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return visible("\n".join(lines)) + "\n"


def _summary(shown: Sequence[Row]) -> str:
    """Return the counts in one sentence."""
    states = [row.state for row in shown]
    counts = [
        f"{states.count('assumed')} filled by an assumption",
        f"{states.count('confirmed')} confirmed",
        f"{states.count('open')} left open",
    ]
    if "undecided" in states:
        counts.append(f"{states.count('undecided')} undecided")
    named = sum(row.gap.named for row in shown)
    return f"{len(shown)} gaps: {', '.join(counts)}. The service itself names {named} of them."


def _sections(
    shown: Iterable[Row], documents: Mapping[str, Document]
) -> list[tuple[str, list[Row]]]:
    """Return the rows of each section of the specification, with a heading, in order."""
    titles: dict[str, Any] = {}
    for document in reversed(list(documents.values())):
        if isinstance(document.data, dict) and isinstance(document.data.get("x-sections"), dict):
            titles.update(document.data["x-sections"])
    grouped: dict[str, list[Row]] = {}
    for row in shown:
        grouped.setdefault(row.gap.section, []).append(row)

    def number(section: str) -> list[tuple[int, str]]:
        return [(int(piece) if piece.isdecimal() else -1, piece) for piece in section.split(".")]

    return [
        (f"§{name}: {titles[name]}" if name in titles else f"§{name}", grouped[name])
        for name in sorted(grouped, key=number)
    ]


def _shortened(items: Sequence[str]) -> list[str]:
    if len(items) <= _SHOWN:
        return list(items)
    return [*items[: _SHOWN - 1], f"and {len(items) - _SHOWN + 1} more"]


def _cell(text: str) -> str:
    """Return text for a cell of a table: in one line, and without a bar that ends the cell."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _code(text: str) -> str:
    text = " ".join(text.split()).replace("|", "\\|")
    return f"`` {text} ``" if "`" in text else f"`{text}`"
