"""Writes what a command found: a table for people, JSON lines for programs, and other formats."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TextIO

__all__ = ["FORMATS", "ColumnError", "FormatError", "fitting", "flattened", "write"]

FORMATS = ("table", "json", "jsonl", "csv", "yaml")

Record = Mapping[str, Any]


class FormatError(Exception):
    """The output cannot be written as was asked for."""


class ColumnError(FormatError):
    """A column was named that is not there."""


def write(
    found: Iterable[Any],
    *,
    to: TextIO | None = None,
    form: str | None = None,
    columns: Sequence[str] = (),
    preferred: Sequence[str] = (),
    jq: str | None = None,
    single: bool = False,
    fields: Iterable[str] = (),
) -> int:
    """Write what was found, as it comes.

    Args:
        found: JSON values; a table and CSV take objects.
        to: Where to; standard output where it is left out.
        form: One of `FORMATS`; a table in a terminal and JSON lines elsewhere where left out.
        columns: The fields to write, with dots for those inside others.
        preferred: The columns of a table where none are named.
        jq: A filter of jq that each value passes.
        single: Whether it is one object, and not a list.
        fields: Fields that may be named, besides those that the first value has.

    Returns:
        How many values were written.

    Raises:
        FormatError: The filter is none, or fails.
        ColumnError: A column is not there; nothing was written.
    """
    to = to or sys.stdout
    form = form or fitting(to, jq)
    values: Iterable[Any] = _filtered(found, jq) if jq else found
    if columns and not jq:
        values = _picked(values, columns, fields)
    if form == "jsonl":
        return _lines(values, to)
    if form == "csv":
        return _csv(values, to)
    every = list(values)
    if form == "json":
        shown = every[0] if single and len(every) == 1 else every
        json.dump(shown, to, ensure_ascii=False, indent=2)
        to.write("\n")
    elif form == "yaml":
        import yaml

        shown = every[0] if single and len(every) == 1 else every
        # Line ends that YAML would fold stay only if they are escaped.
        readable = not re.search("[\x85\u2028\u2029]", json.dumps(shown, ensure_ascii=False))
        yaml.safe_dump(shown, to, allow_unicode=readable, sort_keys=False)
    elif single and len(every) == 1 and isinstance(every[0], Mapping):
        _sheet(every[0], to)
    else:
        _table(every, columns or preferred, to)
    return len(every)


def fitting(to: TextIO, jq: str | None = None) -> str:
    """Return the format that fits where none was asked for."""
    return "table" if to.isatty() and not jq else "jsonl"


def flattened(value: Record, prefix: str = "") -> dict[str, Any]:
    """Return an object whose inner objects have become names with dots; lists stay as JSON."""
    found: dict[str, Any] = {}
    for name, each in value.items():
        if isinstance(each, Mapping) and each:
            found |= flattened(each, f"{prefix}{name}.")
        else:
            found[prefix + name] = each
    return found


def _filtered(found: Iterable[Any], program: str) -> Iterable[Any]:
    import jq

    try:
        compiled = jq.compile(program)
    except ValueError as error:
        reason = str(error).strip().splitlines()[0]
        raise FormatError(f"--jq: {reason}") from None
    for value in found:
        try:
            yield from compiled.input_value(value)
        except ValueError as error:
            raise FormatError(f"--jq: {error}") from None


def _picked(
    values: Iterable[Any], columns: Sequence[str], fields: Iterable[str]
) -> Iterator[dict[str, Any]]:
    """Yield these columns of each value; the first value says what there is."""
    for at, value in enumerate(values):
        if not isinstance(value, Mapping):
            raise ColumnError("--columns: what was found are no objects")
        if at == 0:
            _check(columns, [*dict.fromkeys([*value, *fields])])
        yield {name: _at(value, name) for name in columns}


def _check(columns: Sequence[str], known: Sequence[str]) -> None:
    for name in columns:
        if name not in known and name.partition(".")[0] not in known:
            import difflib

            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise ColumnError(f"--columns: there is no field {name!r}; {hint}")


def _at(value: Record, path: str) -> Any:
    """Return the value at a path with dots; None where there is nothing on the way."""
    if path in value:
        return value[path]
    found: Any = value
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def _lines(values: Iterable[Any], to: TextIO) -> int:
    count = 0
    for value in values:
        count += 1
        to.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")
        to.flush()
    return count


def _csv(values: Iterable[Any], to: TextIO) -> int:
    count, writer = 0, None
    for value in values:
        count += 1
        record = flattened(value if isinstance(value, Mapping) else {"value": value})
        if writer is None:
            writer = csv.DictWriter(to, list(record), restval="", extrasaction="ignore")
            writer.writeheader()
        writer.writerow({name: _cell(each, guard=True) for name, each in record.items()})
    return count


def _cell(value: Any, guard: bool = False) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        from .sheets.cells import guarded

        return guarded(value) if guard else value
    if isinstance(value, bool):
        return "yes" if value else "no"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)


def _shown(value: Any) -> str:
    """Return a cell of a table for people: of objects in a list, what they are known by."""
    if isinstance(value, list):
        return ", ".join(
            str(each.get("name") or each.get("id") or "…") if isinstance(each, dict) else str(each)
            for each in value
        )
    return _cell(value)


def _console(to: TextIO) -> Any:
    from rich.console import Console

    return Console(file=to, highlight=False, soft_wrap=False)


def _table(values: Sequence[Any], columns: Sequence[str], to: TextIO) -> None:
    from rich.table import Table
    from rich.text import Text

    records = [value if isinstance(value, Mapping) else {"value": value} for value in values]
    if not records:
        return
    names = list(columns) or list(dict.fromkeys(name for each in records for name in each))
    table = Table(box=None, pad_edge=False, header_style="bold", show_edge=False)
    shown = []
    for name in names:
        is_number = all(isinstance(_at(each, name), int | float | None) for each in records)
        cells = [_short(_shown(_at(each, name))) for each in records]
        shown.append([Text(cell, no_wrap=True) for cell in cells])
        # Identifiers are there to be copied, and times to be compared: they are never cut.
        whole = name == "id" or name.endswith(("_id", "_at", "_date")) or max(map(len, cells)) < 13
        table.add_column(
            name,
            no_wrap=whole,
            justify="right" if is_number else "left",
            overflow="fold" if whole else "ellipsis",
            max_width=None if whole else 60,
        )
    for row in zip(*shown, strict=True):
        table.add_row(*row)
    _console(to).print(table)


def _sheet(value: Record, to: TextIO) -> None:
    """Write one object: a line for each field that has a value."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, each in flattened(value).items():
        if each not in (None, [], {}, ""):
            table.add_row(name, Text(_shown(each)))
    _console(to).print(table)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 120 else line[:119] + "…"
