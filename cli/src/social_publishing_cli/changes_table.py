"""Shows what changes, for people: a table where all of it fits, and blocks where it does not.

What changes is never cut. Of a long text the beginning and the end that stay may be left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, takewhile
from typing import Any, TextIO

from rich.cells import cell_len
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .output import console_of, visible

_CONTEXT = 20  # characters that are shown of what stays
_NAME = 12  # cells that a table has for the name of a post, at least
_MARKS = {"\n": "↵", "\r": r"\r", "\t": r"\t"}
_VALUES = ("before", "now", "after")
_LABELS = {"before": "exported", "now": "now", "after": "sheet"}


def write_changes(lines: Iterable[Mapping[str, Any]], to: TextIO) -> None:
    """Write changes, then all warnings.

    Args:
        lines: One for each field: its `row`, `id`, `name`, `field`, `before`, `after` and
            `warning`; in a conflict also `now`, what the service has, and `before` is what was
            exported.
        to: Where to; its width decides between a table and blocks.
    """
    lines = [*lines]
    shown = [_shown(line) for line in lines]
    console = console_of(to)
    table = _table(lines, shown, console.width)
    if table:
        console.print(table)
    else:
        for _, group in groupby(zip(lines, shown, strict=True), lambda pair: pair[0]["id"]):
            pairs = [*group]
            _heading(pairs[0][0], console)
            for line, values in pairs:
                _field(line["field"], values, console)
    for line in lines:
        if line["warning"]:
            text = f"warning: row {line['row']}: {visible(line['warning'])}"
            console.print(Text(text, style="yellow", overflow="fold"))


def compared(*values: str) -> list[Text]:
    """Return texts so that a person sees what differs, also where that is a space or a tab."""
    start = _shared(values)
    while start and any(_joins(value[start : start + 1]) for value in values):
        start -= 1
    end = _shared([value[start:][::-1] for value in values])
    middles = [value[start : len(value) - end] for value in values]
    look_alike = len({_as_seen(middle) for middle in middles}) < len(set(middles))
    texts = []
    for value, middle in zip(values, middles, strict=True):
        head, tail = value[:start], value[len(value) - end :]
        if len(head) > 2 * _CONTEXT:
            cut = len(head) - _CONTEXT
            head = "…" + head[head.rfind(" ", 0, cut) + 1 if " " in head[cut - 20 : cut] else cut :]
        if len(tail) > 2 * _CONTEXT:
            tail = tail[:_CONTEXT] + "…"
        marked = ascii(middle)[1:-1].replace(" ", "␣") if look_alike else _marked(middle)
        text = Text(overflow="fold").append(_marked(head)).append(marked, "bold")
        text.append(_marked(tail))
        texts.append(_with_ends(text) if text else Text("(empty)", style="dim"))
    return texts


def _shared(values: Sequence[str]) -> int:
    """Return how many characters all texts begin with."""
    return sum(1 for _ in takewhile(lambda chars: len({*chars}) == 1, zip(*values, strict=False)))


def _joins(char: str) -> bool:
    """Whether a character is drawn together with the one before it."""
    return bool(char) and (
        unicodedata.category(char) in ("Mn", "Me", "Mc", "Sk") or char == "\u200d"
    )


def _as_seen(text: str) -> str:
    shown = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return re.sub(r"[^\S\n\r\t]+", " ", unicodedata.normalize("NFC", shown))


def _marked(text: str) -> str:
    return visible(re.sub("[\n\r\t]", lambda match: _MARKS[match[0]], text))


def _with_ends(text: Text) -> Text:
    """Make spaces at the beginning and at the end visible."""
    content = text.plain
    left, right = len(content) - len(content.lstrip(" ")), len(content) - len(content.rstrip(" "))
    middle = text[left : len(content) - right] if left < len(content) else Text()
    return Text("␣" * left, overflow="fold") + middle + Text("␣" * (right if middle else 0))


def _shown(line: Mapping[str, Any]) -> dict[str, Text]:
    names = [name for name in _VALUES if name in line]
    return dict(zip(names, compared(*(line[name] for name in names)), strict=True))


def _table(
    lines: Sequence[Mapping[str, Any]], shown: Sequence[Mapping[str, Text]], width: int
) -> Table | None:
    """Return a table of one line a change; None where the width is not enough for it."""
    if not lines:
        return None
    values = [name for name in _VALUES if any(name in each for each in shown)]
    heads = ["row", "id", "name", "field", *values]
    labels = _LABELS if "now" in values else {}
    table = Table(box=None, pad_edge=False, header_style="bold", show_edge=False)
    rows = [
        [
            *(Text(visible(str(line[name]))) for name in heads[:4]),
            *(texts.get(name, Text("")) for name in values),
        ]
        for line, texts in zip(lines, shown, strict=True)
    ]
    widest = [
        max(cell_len(labels.get(head, head)), *(row[at].cell_len for row in rows))
        for at, head in enumerate(heads)
    ]
    room = width - sum(widest) + widest[2] - 2 * (len(heads) - 1)
    if room < min(widest[2], _NAME):
        return None
    for head in heads:
        table.add_column(labels.get(head, head), no_wrap=True)
    for row in rows:
        row[2].truncate(room, overflow="ellipsis")
        table.add_row(*row)
    return table


def _heading(line: Mapping[str, Any], console: Any) -> None:
    head = f"row {line['row']}  {line['id']}"
    name = visible(line["name"])
    if cell_len(head) + 2 + cell_len(name) <= console.width:
        head, name = f"{head}  {name}".rstrip(), ""
    for text in filter(None, (head, name)):
        console.print(Text(text, style="bold"), no_wrap=True, overflow="ellipsis")


def _field(name: str, values: Mapping[str, Text], console: Any) -> None:
    before, *_, after = values.values()
    if "now" not in values:
        line = Text.assemble(f"  {name}: ", before, " → ", after)
        if line.cell_len <= console.width:
            console.print(line)
            return
    console.print(Text(f"  {name}", overflow="fold"))
    labels = _LABELS if "now" in values else {"before": "-", "after": "+"}
    for key, value in values.items():
        label = labels[key] + ("" if len(labels[key]) == 1 else ":")
        console.print(
            Padding(Text.assemble(f"{label} ", value, overflow="fold"), (0, 0, 0, 4), expand=False)
        )
