"""Writes results: a table for people, JSON lines for programs, and other formats."""

from __future__ import annotations

import csv
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from .characters import cut, visible
from .files import is_stream

FORMATS = ("table", "json", "jsonl", "csv")

Record = Mapping[str, Any]

NARROW = 60  # columns, below which names do not stand beside what they name
_LINE = 30  # columns that a text of several lines needs in a table

_UTC = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)(?:\.\d+)?Z")
_WALL = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?([+-]\d\d:\d\d)?")
_READ = re.compile(r"\w+ \d{4}-\d\d-\d\d \d\d:\d\d\S* ([\w/+-]+)")


def tell(text: str, to: TextIO | None = None) -> None:
    """Write a text for a person, on standard error; in a terminal no word is broken over lines."""
    to = to or sys.stderr
    text = visible(text)
    if to.isatty():
        text = "\n".join(wrapped(line, width_of(to)) for line in text.split("\n"))
    print(text, file=to)


def wrapped(text: str, width: int, indent: str = "", pattern: str = r"\s+") -> str:
    """Return a line as several that are no wider than this; a word that is wider stays whole.

    Args:
        indent: What every line after the first begins with.
        pattern: Where a line may end.
    """
    lines, line = [], ""
    for match in re.finditer(rf"(.*?)({pattern}|$)", text, re.DOTALL):
        word = match[0]
        if word and line.strip() and cells_of((line + word).rstrip()) > width:
            lines.append(line.rstrip())
            line = indent
        line += word
    return "\n".join([*lines, line.rstrip()])


def cells_of(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # slow to load

    return cell_len(text)


def width_of(to: TextIO) -> int:
    """Return how wide a terminal is."""
    try:
        columns = os.get_terminal_size(to.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return _given("COLUMNS") or columns or 80


def height_of(to: TextIO) -> int:
    """Return how many lines a terminal has; 0 if it does not say so."""
    try:
        return _given("LINES") or os.get_terminal_size(to.fileno()).lines
    except (OSError, ValueError):
        return 0


def _given(variable: str) -> int:
    """Return a size that the environment sets; 0 where it sets none that can be used."""
    text = os.environ.get(variable, "")
    return int(text) if text.isdecimal() else 0


def counted(number: int, what: str) -> str:
    """Return a number of things in words."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def left_out(deleted: int) -> str:
    """Say that deleted posts are left out, where there are some."""
    return f"{counted(deleted, 'deleted post')} left out" if deleted else ""


class FormatError(Exception):
    """The output cannot be written in this form."""

    documentation = "docs/command-line.md"


class FilterError(FormatError):
    """The filter of jq is none."""


class ColumnError(FormatError):
    """There is no such column."""


class TargetError(Exception):
    """A file to write exists already, or cannot be written."""


class SourceError(TargetError):
    """A file to write is the one that is read."""


def check_target(path: Path | None, force: bool, source: Path | None = None) -> None:
    """Check that a file can be written, before the work that it reports.

    Args:
        source: A file that is read, and not to be replaced.
    """
    if path is None or is_stream(path):
        return
    is_there = path.exists()
    if is_there and source and source.exists() and path.samefile(source):
        raise SourceError(f"{path} is read here, and not to be replaced: choose another name")
    if path.is_file() and not force:
        raise TargetError(f"{path} already exists: choose another name, or replace it with --force")
    try:
        path.open("ab").close()
        if not is_there:
            path.unlink()
    except OSError as error:
        raise TargetError(f"{path}: cannot be written: {error.strerror or error}") from None


def abandon(stream: TextIO) -> None:
    """Discard the rest of a stream that is closed or full."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def write(
    data: Iterable[Any],
    *,
    to: TextIO | None = None,
    form: str | None = None,
    columns: Sequence[str] = (),
    preferred: Sequence[str] = (),
    jq: str | None = None,
    single: bool = False,
    fields: Iterable[str] = (),
    uncut: Sequence[str] = (),
) -> int:
    """Write results as they come.

    Args:
        data: JSON values; a table and CSV take objects.
        to: Where to; standard output where it is left out.
        form: One of `FORMATS`; where left out, a table in a terminal and JSON lines elsewhere, and
            what a filter gives one to a line, its texts without quotes.
        columns: The fields to write, with dots for those inside others.
        preferred: The columns of a table where none are named.
        jq: A filter of jq that each value passes.
        single: Whether it is one object, and not a list.
        fields: Fields that may be named, besides those that the first value has.
        uncut: Columns of a table that take as many lines as their texts need.

    Returns:
        How many values were written.

    Raises:
        FilterError: The filter is none.
        FormatError: The filter fails.
        ColumnError: A column is not there; nothing was written.
    """
    to = to or sys.stdout
    form = form or fitting(to, jq)
    values: Iterable[Any] = _filtered(data, jq) if jq else data
    if form == "table":
        values = map(_for_people, values)
    if columns and not jq:
        values = _picked(values, columns, fields)
    if form in ("jsonl", "raw"):
        return _lines(values, to, form == "raw")
    if form == "csv":
        return _csv(values, to)
    every = list(values)
    if form == "json":
        shown = every[0] if single and len(every) == 1 else every
        json.dump(shown, to, ensure_ascii=False, indent=2)
        to.write("\n")
    elif single and len(every) == 1 and isinstance(every[0], Mapping):
        _sheet(every[0], to)
    else:
        _table(every, columns or preferred, to, uncut)
    return len(every)


def fitting(to: TextIO, jq: str | None = None) -> str:
    """Return the default format of a stream."""
    return "raw" if jq else "table" if to.isatty() else "jsonl"


def flattened(value: Record, prefix: str = "") -> dict[str, Any]:
    """Return an object whose inner objects have become names with dots; lists stay as JSON."""
    flat: dict[str, Any] = {}
    for name, member in value.items():
        if isinstance(member, Mapping) and member:
            flat |= flattened(member, f"{prefix}{name}.")
        else:
            flat[prefix + name] = member
    return flat


def with_weekday(moment: str) -> str:
    """Return a time of ISO 8601 with its weekday before it; any other text as it is."""
    try:
        return f"{datetime.fromisoformat(moment):%a} {moment}" if _WALL.match(moment) else moment
    except ValueError:
        return moment


def _for_people(value: Any, zone: str = "") -> Any:
    """Return a value with its times as people read them: weekday, minutes, and the zone."""
    if isinstance(value, Mapping):
        named = value.get("timezone")
        clocks = named if isinstance(named, str) else ""
        return {name: _for_people(each, clocks) for name, each in value.items()}
    if isinstance(value, list):
        return [_for_people(each, zone) for each in value]
    if not isinstance(value, str):
        return value
    if utc := _UTC.fullmatch(value):
        seconds = "" if utc[3] == ":00" else utc[3]
        return with_weekday(f"{utc[1]} {utc[2]}{seconds}") + " UTC"
    return f"{with_weekday(value)} {zone}" if zone and _WALL.fullmatch(value) else value


def _filtered(values: Iterable[Any], program: str) -> Iterable[Any]:
    import jq

    try:
        compiled = jq.compile(program)
    except ValueError as error:
        reason = str(error).strip().splitlines()[0]
        raise FilterError(f"--jq: {reason}") from None
    for value in values:
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
            raise ColumnError("--columns: the results are not objects")
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
    inner: Any = value
    for name in path.split("."):
        inner = inner.get(name) if isinstance(inner, Mapping) else None
    return inner


def _lines(values: Iterable[Any], to: TextIO, raw: bool) -> int:
    count = 0
    for value in values:
        count += 1
        if raw and isinstance(value, str):
            line = visible(value) if to.isatty() else value
        else:
            line = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        to.write(line + "\n")
        to.flush()
    return count


def _csv(values: Iterable[Any], to: TextIO) -> int:
    rows: list[dict[str, str]] = []
    try:
        for value in values:
            record = flattened(value if isinstance(value, Mapping) else {"value": value})
            rows.append({name: _cell(each, guard=True) for name, each in record.items()})
    finally:  # what was read before an error is kept
        if rows:
            writer = csv.DictWriter(to, dict.fromkeys(name for row in rows for name in row), "")
            writer.writeheader()
            writer.writerows(rows)
    return len(rows)


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
            str(item.get("name") or item.get("id") or "…") if isinstance(item, dict) else str(item)
            for item in value
        )
    return _cell(value)


def console_of(to: TextIO) -> Any:
    """Return the console of rich that writes for people, as wide as the terminal."""
    from rich.console import Console

    forced = os.environ.get("CLICOLOR_FORCE", "0") != "0" or None
    # Rich would take a size of 0 from the environment as it stands, and fail over others.
    is_unusable = any(os.environ.get(each) and not _given(each) for each in ("COLUMNS", "LINES"))
    width, height = (width_of(to), height_of(to) or 25) if is_unusable else (None, None)
    return Console(
        file=to,
        highlight=False,
        soft_wrap=False,
        force_terminal=forced,
        width=width,
        height=height,
    )


def line_of(text: str, style: str = "", wraps: bool = False) -> Any:
    """Return a text of rich without line breaks; if too wide, it is cut or goes on below."""
    from rich.text import Text

    text = visible(re.sub(r"[\n\r\t]+", " ", text))
    return Text(text, style, no_wrap=not wraps, overflow="fold" if wraps else "ellipsis")


def _table(
    values: Sequence[Any], columns: Sequence[str], to: TextIO, uncut: Sequence[str] = ()
) -> None:
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    records = [value if isinstance(value, Mapping) else {"value": value} for value in values]
    if not records:
        return
    names = list(columns) or list(dict.fromkeys(name for each in records for name in each))
    console = console_of(to)
    table = Table(box=None, pad_edge=False, header_style="bold", show_edge=False)
    shown, needed = [], -2
    for name in names:
        is_number = all(isinstance(_at(each, name), int | float | None) for each in records)
        texts = [_shown(_at(each, name)) for each in records]
        title, texts, are_times = _titled(name, texts)
        cells = texts if name in uncut else [cut(text, 120) for text in texts]
        shown.append([Text(visible(cell), no_wrap=name not in uncut) for cell in cells])
        widest = max(map(cell_len, cells))
        # Identifiers are there to be copied, and times to be compared: they are never cut.
        is_first = name == names[0] and widest <= 30  # it says what a row is about
        is_uncut = name == "id" or name.endswith("_id") or are_times or widest < 13 or is_first
        full = max(*map(cell_len, title.splitlines()), widest)
        needed += (full if is_uncut else min(full, _LINE if name in uncut else 6)) + 2
        table.add_column(
            Text(visible(title)),
            no_wrap=is_uncut,
            justify="right" if is_number else "left",
            overflow="fold" if name in uncut else "ellipsis",
            max_width=None if is_uncut or name in uncut else 60,
        )
    if needed > console.width:
        for record in records:
            _sheet({name: _at(record, name) for name in names}, to)
            to.write("\n")
        return
    for row in zip(*shown, strict=True):
        table.add_row(*row)
    console.print(table)


def _titled(name: str, texts: list[str]) -> tuple[str, list[str], bool]:
    """Return the head of a column, its texts, and whether they are times.

    Of times in one zone, the head has it, below the name.
    """
    zones = {read[1] if (read := _READ.fullmatch(text)) else "" for text in texts if text}
    if len(zones) != 1 or "" in zones:
        return name, texts, bool(zones) and "" not in zones
    (zone,) = zones
    return f"{name}\n({zone})", [text.removesuffix(f" {zone}") for text in texts], True


def _sheet(value: Record, to: TextIO) -> None:
    """Write one object: a line for each field that has a value."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = console_of(to)
    members = [each for each in flattened(value).items() if each[1] not in (None, [], {}, "")]
    if console.width < NARROW:
        for name, member in members:
            console.print(Text(visible(name), style="bold"))
            console.print(Padding(Text(visible(_shown(member)), overflow="fold"), (0, 0, 0, 2)))
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, member in members:
        table.add_row(Text(visible(name)), Text(visible(_shown(member))))
    console.print(table)
