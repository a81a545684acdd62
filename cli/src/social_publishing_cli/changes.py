"""Shows changes to people: warnings, then the changes, by post and field.

A wide terminal gets a table; others get a heading for each post, and a line for each field.
Unchanged text around a change may be left out. Of a long changed text, the beginning and the end
are shown, and how long it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from typing import Any, TextIO

from rich import box
from rich.cells import cell_len
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .characters import one_line, shared, shortened, visible
from .names import Names
from .output import console_of, with_weekday
from .plans.model import Plan
from .sheets.columns import EDITABLE, shown

_WIDE = 110  # columns; a narrower terminal has no room for a table
_CONTEXT = 20  # characters that are shown of what stays
_LONGEST_WORD = 30
_MARKS = {"\n": "↵", "\r": r"\r", "\t": r"\t"}


def write_changes(lines: Iterable[Mapping[str, Any]], to: TextIO, whole: bool = False) -> None:
    """Write all warnings, then all changes.

    Args:
        lines: One for each field: its `row` (None without a sheet), `id`, `name`, `field`,
            `before`, `after` and `warning`; in a conflict also `now`, the value on the service,
            while `before` is the exported value. Of times also their `timezone`.
        to: Where to.
        whole: Whether long texts are shown whole.
    """
    for line in changes_shown(lines, to, whole):
        print(line, file=to)


def changes_shown(lines: Iterable[Mapping[str, Any]], to: TextIO, whole: bool = False) -> list[str]:
    """Return the lines that `write_changes` writes."""
    lines = [*lines]
    console = console_of(to)
    with console.capture() as shown:
        for line in lines:
            if line["warning"]:
                place = f"row {line['row']}" if line["row"] else line["id"]
                text = f"warning: {place}: {one_line(line['warning'])}"
                console.print(Text(text, style="yellow", overflow="fold"))
        posts = [[*group] for _, group in groupby(lines, lambda line: line["id"])]
        if posts and console.width >= _WIDE:
            console.print(_table(posts, whole, console.width // 3))
        else:
            for changes in posts:
                _heading(changes[0], console)
                for line in changes:
                    _field(line, console, whole)
    return str(shown.get()).splitlines()


def lines_of(made: Plan, names: Names | None = None) -> Iterator[dict[str, Any]]:
    """Yield a line for each field; with `names`, identifiers have theirs beside them."""
    for change in made.changes:
        zone = change.clocks
        warnings = "; ".join(change.warnings)
        for name, step in change.fields.items():
            kind = EDITABLE[name].kind
            now: Any = {"now": step.now} if name in change.conflicts else {}
            values = {"before": step.before, "after": step.after, **now}
            if names is not None and kind == "ids":
                values = {each: names.labels(value) for each, value in values.items()}
            zoned = {"timezone": change.zone or "UTC"} if kind == "moment" else {}
            yield {
                "row": change.row or None,
                "id": change.id,
                "name": change.name,
                "field": name,
                **{moment: shown(value, kind, zone) for moment, value in values.items()},
                **zoned,
                "warning": warnings,
            }
            warnings = ""


def in_words(line: Mapping[str, Any], whole: bool = False) -> str:
    """Return the values that a line of `lines_of` has, before and after, on one line."""
    before, *_, after = _values(line, whole)
    return f"{before.plain} → {after.plain}"


def compared(*values: str, whole: bool = False) -> list[Text]:
    """Return texts that show their differences, even in spaces and tabs; whole words are marked.

    Args:
        whole: Whether long texts are shown whole.
    """
    start = shared(values)
    while start and any(_joins(value[start : start + 1]) for value in values):
        start -= 1
    end = shared([value[start:][::-1] for value in values])
    middles = [value[start : len(value) - end] for value in values]
    look_alike = len({_as_seen(middle) for middle in middles}) < len(set(middles))
    if not look_alike:  # mark whole words
        after = [value[start : start + 1] for value in values]
        start -= _word(values[0][:start][::-1], after)
        before = [value[: len(value) - end][-1:] for value in values]
        end -= _word(values[0][len(values[0]) - end :], before)
        middles = [value[start : len(value) - end] for value in values]
    texts = []
    for value, middle in zip(values, middles, strict=True):
        head, tail = value[:start], value[len(value) - end :]
        if len(head) > 2 * _CONTEXT:
            cut = len(head) - _CONTEXT
            head = "…" + head[head.rfind(" ", 0, cut) + 1 if " " in head[cut - 20 : cut] else cut :]
        if len(tail) > 2 * _CONTEXT:
            tail = tail[:_CONTEXT] + "…"
        middle = middle if whole else shortened(middle)
        marked = ascii(middle)[1:-1].replace(" ", "␣") if look_alike else _marked(middle)
        text = Text(overflow="fold").append(_marked(head)).append(marked, "bold")
        text.append(_marked(tail))
        texts.append(_with_ends(text) if text else Text("(empty)", style="dim"))
    return texts


def _word(beside: str, edges: Sequence[str]) -> int:
    """Return how many characters beside a change belong to the word that it is in.

    Args:
        beside: What all texts share, away from the change.
        edges: The characters of the change that are next to it.
    """
    if not any(map(_is_in_word, edges)):
        return 0
    return sum(1 for _ in takewhile(_is_in_word, beside[:_LONGEST_WORD]))


def _is_in_word(char: str) -> bool:
    """Return whether a character is part of a word or a time; not in scripts without blanks."""
    return bool(char) and (
        char in "-:'’_" or (char.isalnum() and unicodedata.category(char) != "Lo")
    )


def _joins(char: str) -> bool:
    """Return whether a character is drawn together with the one before it."""
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


def _table(posts: Iterable[Sequence[Mapping[str, Any]]], whole: bool, most: int) -> Table:
    """Return a table with a section for each post and a row for each field.

    Args:
        most: How many columns the name of a post may take.
    """
    table = Table(box=box.HORIZONTALS, pad_edge=False, show_edge=False, header_style="bold")
    table.add_column("row", justify="right", no_wrap=True)
    table.add_column("post", no_wrap=True, overflow="ellipsis", max_width=most)
    table.add_column("field", overflow="fold", max_width=32)
    for title in ("before", "after"):
        table.add_column(title, overflow="fold", min_width=20)
    for changes in posts:
        first = changes[0]
        about = [Text(first["id"], style="bold"), Text(one_line(first["name"]))]
        if len(changes) == 1:
            about = [Text("\n").join(each for each in about if each)]
        about += [Text()] * (len(changes) - len(about))
        for line, post in zip(changes, about, strict=False):
            zone = line.get("timezone")
            values = _values(line, whole)
            if len(values) == 3:
                *before, after = _labelled(values)
                values = [Text("\n").join(before), after]
            field = f"{line['field']}\n({zone})" if zone else line["field"]
            row = str(first["row"] or "") if line is first else ""
            table.add_row(row, post, Text(field), *values)
        table.add_section()
    return table


def _values(line: Mapping[str, Any], whole: bool) -> list[Text]:
    """Return the values of a field, before and after, with their differences marked."""
    values = [line[name] for name in ("before", "now", "after") if name in line]
    shown = (with_weekday(each) if line.get("timezone") else each for each in values)
    return compared(*shown, whole=whole)


def _labelled(values: Sequence[Text]) -> list[Text]:
    """Say of each value where it is from."""
    labels = ("-", "+") if len(values) == 2 else ("exported:", "now:", "sheet:")
    return [
        Text.assemble(f"{label} ", value, overflow="fold")
        for label, value in zip(labels, values, strict=True)
    ]


def _heading(line: Mapping[str, Any], console: Any) -> None:
    head = f"row {line['row']}  {line['id']}" if line["row"] else line["id"]
    name = one_line(line["name"])
    if cell_len(head) + 2 + cell_len(name) <= console.width:
        head, name = f"{head}  {name}".rstrip(), ""
    for text in filter(None, (head, name)):
        console.print(Text(text, style="bold"), no_wrap=True, overflow="ellipsis")


def _field(line: Mapping[str, Any], console: Any, whole: bool) -> None:
    zone = line.get("timezone")
    values = _values(line, whole)
    field = f"{line['field']} ({zone})" if zone else line["field"]
    text = Text.assemble(f"  {field}: ", values[0], " → ", values[-1])
    if len(values) == 2 and text.cell_len <= console.width:
        console.print(text)
        return
    console.print(Text(f"  {field}", overflow="fold"))
    for text in _labelled(values):
        console.print(Padding(text, (0, 0, 0, 4), expand=False))
