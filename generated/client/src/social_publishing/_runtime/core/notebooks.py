"""Shows models as tables in notebooks; loaded when a notebook shows the first one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import partial
from html import escape
from itertools import chain, islice, repeat
from typing import Any

import msgspec
from msgspec import UNSET

from .type_guards import is_list, is_object

_ROWS, _COLUMNS, _TEXT = 50, 40, 100  # at most; characters of a cell
_OTHERS = ("_id", "_ids")
_NOTHING: tuple[Any, ...] = (None, UNSET, "", [], (), {})


def model_as_html(model: msgspec.Struct) -> str:
    """Return a table of the fields that have a value; a page shows its items."""
    rows = [(name, value) for name, value in _fields(model).items() if value not in _NOTHING]
    items = next((value for _, value in rows if _are_models(value)), None)
    if items is not None and len(rows) <= 4:  # a page: items, links, and what is said of them
        return items_as_html(items, f"{type(model).__name__}: ")
    return _table([], ([name, value] for name, value in rows), type(model).__name__)


def text_as_html(text: str) -> str:
    """Return a sentence in the place of a table."""
    return f"<p>{escape(text)}</p>"


def items_as_html(
    items: Iterable[Any], title: str = "", names: Sequence[str] = (), more: str = ""
) -> str:
    """Return a table with a row for each item, 50 at most, and the fields that one of them has.

    Args:
        names: what stands before each row, such as the keys of a dict.
        more: what the title says after the number of items.
    """
    every = [*items]
    shown = every[:_ROWS]
    fields: dict[str, None] = {}
    for item in shown:
        for name, value in _fields(item).items():
            if value not in _NOTHING:
                fields[name] = None
    order = {name: at for item in shown for at, name in enumerate(_fields(item))}
    # Identifiers of other things come last: people look for names, texts and times first.
    columns = sorted(fields, key=lambda name: (name.endswith(_OTHERS), order[name]))[:_COLUMNS]
    left = more + (f", the first {_ROWS}" if len(every) > _ROWS else "")
    left += f", {_COLUMNS} of {len(fields)} fields" if len(fields) > _COLUMNS else ""
    keys = chain(names, repeat(""))
    rows = [
        [*([key] if names else ()), *map(_fields(item).get, columns)]
        for key, item in zip(keys, shown, strict=False)
    ]
    heads = [*([""] if names else []), *columns]
    return _table(heads, rows, f"{title}{len(every):,} item{'s' * (len(every) != 1)}{left}")


def _fields(item: Any) -> dict[str, Any]:
    if isinstance(item, msgspec.Struct):
        read: Any = getattr(item, "stored", partial(getattr, item))
        return {name: read(name) for name in item.__struct_fields__}
    return {"value": item}


def _are_models(value: Any) -> bool:
    return is_list(value) and bool(value) and isinstance(value[0], msgspec.Struct)


def _table(heads: Sequence[str], rows: Iterable[Sequence[Any]], what: str) -> str:
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    cells = (
        "".join(f'<td style="text-align:left">{_cell(each)}</td>' for each in row) for row in rows
    )
    title = f'<tr><th colspan="{len(heads) or 2}" style="text-align:left">{escape(what)}</th></tr>'
    return (
        '<div style="overflow-x:auto"><table>'
        f"<thead>{title}{f'<tr>{head}</tr>' if head else ''}</thead>"
        f"<tbody>{''.join(f'<tr>{row}</tr>' for row in cells)}</tbody></table></div>"
    )


def _cell(value: Any) -> str:
    text = _text(value)
    return escape(text if len(text) <= _TEXT else f"{text[: _TEXT - 1]}…")


def _text(value: Any) -> str:
    if value is None or value is UNSET:
        return ""
    if isinstance(value, Enum):
        return str(value.name)
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, msgspec.Struct):
        known = (getattr(value, name, None) for name in ("name", "title", "id"))
        return next((str(each) for each in known if each), type(value).__name__)
    if is_list(value):
        return ", ".join(_text(item) for item in islice(value, _TEXT))
    if is_object(value):
        entries: Mapping[Any, Any] = value
        return ", ".join(f"{_text(key)}: {_text(item)}" for key, item in entries.items())
    return str(value)
