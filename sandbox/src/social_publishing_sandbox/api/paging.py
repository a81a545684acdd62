"""Paged lists with full links and counts (§2.12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, quote

from social_publishing_sandbox.state.documents import Document, Json, Operation
from social_publishing_sandbox.state.refusals import invalid
from social_publishing_sandbox.state.service import Call, Service
from social_publishing_sandbox.state.store import Table

_AROUND = 2  # pages beside the current one that get a link of their own
_LONGEST = 16  # digits of a number of entries


def page(
    service: Service,
    call: Call,
    table: Table,
    show: Callable[[list[Json]], list[Json]],
    condition: str,
    values: Sequence[Any],
) -> Json:
    """Return the page of a list that was asked for; one beyond the last is empty.

    Args:
        show: makes of objects what is shown of them.
        condition, values: which objects of the table, as SQL: those that the user may see, as
            `access.in_groups` has it for what belongs to a group.
    """
    name, *others = _parameters(call)
    skips = _skips(call, name)
    first = 1 if skips else _first(call, name)
    given = call.values.get(name)
    sizes = [call.values[each] for each in others if isinstance(call.values.get(each), int)]
    per_page = max(1, *sizes) if sizes else service.assume.get("perPage", {}).get("default", 25)
    total = table.count(condition, values)
    if skips:
        before = _skipped(name, given)
        current = first + before // per_page
    else:
        current = first if given is None else given
        before = (current - first) * per_page
    last = max(first, current + (total - before - 1) // per_page)
    data: list[Json] = []
    if before < total:
        order = "DESC" if newest_first(service) else "ASC"
        paged = f"{condition} ORDER BY key {order} LIMIT ? OFFSET ?"
        data = show(table.where(paged, [*values, per_page, before]))

    pairs = [(key, value) for key, value in parse_qsl(call.query, True) if key != name]

    def url(number: int) -> str | None:
        if not first <= number <= last:
            return None
        asked = max(0, before + (number - current) * per_page) if skips else number
        query = "&".join(
            f"{quote(key, safe='')}={quote(value, safe=',')}"
            for key, value in (*pairs, (name, str(asked)))
        )
        return f"{call.address}?{query}"

    links = [{"url": url(current - 1), "label": "&laquo; Previous", "active": False}]
    for number in _numbers(first, current, last):
        if number is None:
            links.append({"url": None, "label": "...", "active": False})
        else:
            links.append({"url": url(number), "label": str(number), "active": number == current})
    links.append({"url": url(current + 1), "label": "Next &raquo;", "active": False})
    shown = {
        "data": data,
        "links": links,
        "meta": {
            "current_page": current,
            "from": before + 1 if data else None,
            "last_page": last,
            "per_page": per_page,
            "to": before + len(data) if data else None,
            "total": total,
            "first_page_url": url(first),
            "last_page_url": url(last),
            "next_page_url": url(current + 1),
            "path": call.address,
            "prev_page_url": url(current - 1),
        },
    }
    return without_nulls(call.operation, shown)


def without_nulls(operation: Operation, page: Json) -> Json:
    """Leave out what has no value where the documents allow no null (`page.nulls`)."""
    for name in ("links", "meta"):
        parts = page[name] if isinstance(page[name], list) else [page[name]]
        needed = _without_null(operation.document, operation.id, name)
        for part in parts:
            for key in [each for each in needed & part.keys() if part[each] is None]:
                del part[key]
    return page


@lru_cache(maxsize=64)
def _without_null(document: Document, operation_id: str, name: str) -> frozenset[str]:
    """Return the members of a part of a page for which the document allows no null."""
    operation = document.operations[operation_id]
    schema = document.resolve(operation.responses[operation.success].schema or {})
    node = document.resolve(schema.get("properties", {}).get(name, {}))
    known = document.resolve(node.get("items", node)).get("properties", {})
    return frozenset(
        key for key, each in known.items() if "null" not in document.resolve(each).get("type", ())
    )


def newest_first(service: Service) -> bool:
    """Return the order of lists (`lists.order` in the register of gaps)."""
    return bool(service.assume.get("listOrder") == "newest first")


def _parameters(call: Call) -> list[str]:
    """Return the name of the parameter that asks for a page, then of those that say how long it is.

    All of them fill the gaps of paging.
    """
    named = call.operation.raw.get("x-paging", {}).get("page")
    filling = []
    for each in call.operation.parameters:
        raw = each.raw
        gaps = [*raw.get("x-assumed", []), *raw.get("x-confirmed", []), raw.get("x-gap")]
        if "paging.parameters" in gaps or "paging.perPage" in gaps:
            filling.append(each.name)
    return sorted(filling, key=lambda each: each != named) or ["page"]


def _skips(call: Call, name: str) -> bool:
    """Return whether the parameter says what to skip: an offset, or a text of the service's own."""
    word = call.operation.raw.get("x-paging", {})
    schemas = (each.schema for each in call.operation.parameters if each.name == name)
    return name == word.get("offset") or any("string" in each.get("type", ()) for each in schemas)


def _skipped(name: str, given: Any) -> int:
    """Return how many entries come before those that were asked for.

    Raises:
        Refusal: it is a text that no address of a page has had.
    """
    text = str(given or 0)
    if not (text.isascii() and text.isdecimal() and len(text) < _LONGEST):
        raise invalid({name: [f"The {name} is none that a page gave."]}, cites="paging.parameters")
    return int(text)


def _first(call: Call, name: str) -> int:
    """Return the number of the first page: 0 where the parameter is said to begin there, else 1."""
    schemas = (each.schema for each in call.operation.parameters if each.name == name)
    return 0 if any(0 in (each.get("minimum"), each.get("default")) for each in schemas) else 1


def _numbers(first: int, current: int, last: int) -> Iterator[int | None]:
    """Yield the numbers of the pages that get a link, with None for a run that is left out."""
    before = first - 1
    for number in range(first, last + 1):
        if number in (first, last) or abs(number - current) <= _AROUND:
            if number - before > 1:
                yield None
            yield number
            before = number
