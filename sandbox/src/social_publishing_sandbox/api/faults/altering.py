"""Add undocumented codes and fields to a response, following its schema."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, Final

from social_publishing_sandbox.state.documents import Json

Resolve = Callable[[Json], Json]
"""The schema itself, or what its reference points to."""

_UNDOCUMENTED: Final = "undocumented"
_EXTRA_VALUES: Final = ("text", 1, True, None, [1, 2], {"name": "text"}, 0.5)


def unknown_values(value: Any, schema: Json, resolve: Resolve, field: str | None = None) -> Any:
    """Return the value with every code, also of a closed set, replaced by an undocumented one.

    With `field`, change only fields of that name, including the items of a list in such a field.
    """

    def replaced(value: Any, branches: list[Json], inside: str | None) -> Any:
        if isinstance(value, dict) or value is None or field not in (None, inside):
            return value
        codes = [code for branch in branches for code in _codes(branch)]
        return _another(value, codes) if codes else value

    return _altered(value, [schema], resolve, replaced)


def unknown_fields(value: Any, schema: Json | None, resolve: Resolve, count: int = 1) -> Any:
    """Return the value with `count` more members in every object.

    An object that is a map, with keys that are data, has no members to add to.
    """
    values = itertools.islice(itertools.cycle(_EXTRA_VALUES), count)
    extra = {f"{_UNDOCUMENTED}_{n}": each for n, each in enumerate(values, 1)}

    def extended(value: Any, branches: list[Json], inside: str | None) -> Any:
        is_map = any("additionalProperties" in p and "properties" not in p for p in branches)
        return value | extra if isinstance(value, dict) and not is_map else value

    return _altered(value, [schema] if schema else [], resolve, extended)


def _altered(
    value: Any,
    schemas: list[Json],
    resolve: Resolve,
    change: Callable[[Any, list[Json], str | None], Any],
    inside: str | None = None,
) -> Any:
    """Return the value with all in it changed that is no list, from the inside out.

    Args:
        change: takes a value, its schemas, and the name of the member that it is in.
    """
    branches = list(_branches(schemas, resolve))
    if isinstance(value, list):
        items = _of_items(branches)
        return [_altered(each, items, resolve, change, inside) for each in value]
    if isinstance(value, dict):
        value = {
            key: _altered(member, _of_member(branches, key), resolve, change, key)
            for key, member in value.items()
        }
    return change(value, branches, inside)


def _branches(schemas: list[Json], resolve: Resolve) -> Iterator[Json]:
    """Yield the schemas and, for those that are made of others, these."""
    for schema in schemas:
        resolved = resolve(schema)
        yield resolved
        for word in ("anyOf", "oneOf", "allOf"):
            yield from _branches(resolved.get(word, []), resolve)


def _of_member(branches: list[Json], key: str) -> list[Json]:
    schemas = [
        branch["properties"][key] for branch in branches if key in branch.get("properties", {})
    ]
    if schemas:
        return schemas
    others = (branch.get("additionalProperties") for branch in branches)
    return [each for each in others if isinstance(each, dict)]


def _of_items(branches: list[Json]) -> list[Json]:
    return [branch["items"] for branch in branches if isinstance(branch.get("items"), dict)]


def _codes(branch: Json) -> list[Any]:
    codes: list[Any] = branch.get("enum") or branch.get("x-extensible-enum") or []
    return codes


def _another(value: Any, codes: list[Any]) -> Any:
    """Return a value of the same type that is none of the codes."""
    if isinstance(value, str):
        return next(
            text
            for n in itertools.count(1)
            if (text := _UNDOCUMENTED + (f"_{n}" if n > 1 else "")) not in codes
        )
    numbers = [code for code in codes if isinstance(code, int | float)]
    return max([*numbers, value]) + 1
