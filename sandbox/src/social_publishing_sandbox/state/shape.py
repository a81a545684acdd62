"""What is wrong with a value that does not have the shape that a schema says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from social_publishing_sandbox.compiled import jsonschema_rs
from social_publishing_sandbox.state.reading import Path
from social_publishing_sandbox.state.wording import nearest, rule

Json = dict[str, Any]

Reason = Callable[[jsonschema_rs.ValidationError, Path], str | None]
"""Gives the reason of an error at a place in words of its own; None for the usual ones."""


class Shape:
    """A schema whose objects name their properties where they are."""

    def __init__(
        self, schema: Json, reason: Reason, formats: dict[str, Callable[[str], bool]] | None = None
    ) -> None:
        self._schema, self._reason = schema, reason
        self._validator = jsonschema_rs.Draft202012Validator(
            schema, validate_formats=True, formats=formats
        )

    def problems(self, value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
        """Yield what is wrong with a value: places, each with a clause without a full stop."""
        if self._validator.is_valid(value):
            return
        by_place: dict[Path, str] = {}
        # Of what is said about one place, the values that it may have say most.
        errors = sorted(
            self._validator.iter_errors(value), key=lambda error: error.kind.name != "enum"
        )
        for error in errors:
            where, facts = (*path, *error.instance_path), error.kind.as_dict()
            if error.kind.name == "additionalProperties":
                for name in facts["unexpected"]:
                    by_place[*where, name] = _unknown(name, self._members(error))
            elif error.kind.name == "required":
                by_place[*where, facts["property"]] = "is missing"
            elif error.kind.name == "propertyNames":
                inner = facts["error"]
                known = inner.kind.as_dict().get("options")
                said = _unknown(inner.instance, known) if known else self._said(inner, where)
                by_place[*where, inner.instance] = said
            else:
                by_place.setdefault(where, self._said(error, where))
        yield from by_place.items()

    def _said(self, error: jsonschema_rs.ValidationError, where: Path) -> str:
        return self._reason(error, where) or rule(error) or str(error.message)

    def _members(self, error: jsonschema_rs.ValidationError) -> list[str]:
        node: Any = self._schema
        for step in error.schema_path[:-1]:
            node = node[step]
        return list(node["properties"])


def _unknown(name: str, known: list[str]) -> str:
    return f"is not known here{nearest(name, known)}"
