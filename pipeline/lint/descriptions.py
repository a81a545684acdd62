"""Report what has no description for readers of the document and of the client."""

from __future__ import annotations

from typing import Any, Final

from pipeline.lint.python_names import enumerated
from pipeline.lint.run import Rule, Run
from pipeline.openapi.documents import Pointer
from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.wording import has_text

_ENUMERATION: Final = "the enumeration"
_VALUES: Final = {"enum", "x-extensible-enum"}  # a schema has one of them


def _objects(run: Run) -> None:
    """Operations, parameters, headers and responses say what they are."""
    for node in run.of("operation", "parameter", "header", "response"):
        known = [node.value.get("description")]
        if node.kind == "operation":
            known.append(node.value.get("summary"))
        if "$ref" not in node.value and not any(map(has_text, known)):
            text = f"{run.title(node.pointer)} has no description"
            run.report(node.pointer, text, "description", run.house)


def _schemas(run: Run) -> None:
    """Component schemas and properties say what they are.

    In a document of one's own, enumerations inside others do so too: each becomes a class.
    """
    for node in run.of("schema"):
        what = _title(run, node.pointer, node.value)
        if what and not _is_described(run, node.pointer, node.value):
            text, word = f"{what} has no description", _VALUES & node.value.keys()
            shown = (*node.pointer, *word) if what == _ENUMERATION else ()
            run.report(node.pointer, text, "description", run.house, shown=shown)


def _title(run: Run, pointer: Pointer, schema: dict[str, Any]) -> str | None:
    """Return what to call a schema that needs a description; None for one that does not."""
    if pointer[:-1] == ("components", "schemas"):
        return f"schema {pointer[-1]}"
    if pointer[-2:-1] == ("properties",) and run.kinds.get(pointer[:-2]) == "schema":
        return f"property {pointer[-1]}"
    values = enumerated(schema.get("enum", schema.get("x-extensible-enum")))
    return _ENUMERATION if run.house == "error" and values else None


def _is_described(run: Run, pointer: Pointer, schema: dict[str, Any]) -> bool:
    """Return whether a schema has a description, or what it refers to, alone or with null."""
    if has_text(schema.get("description")):
        return True
    if "$ref" in schema:
        at = run.target(schema["$ref"])
        end = None if at is None else run.ends.get(at, at)
        return end is not None and has_text(as_dict(run.get(end)).get("description"))
    for key in ("anyOf", "oneOf", "allOf"):
        parts = [part for part in as_list(schema.get(key)) if part != {"type": "null"}]
        if len(parts) == 1 and isinstance(parts[0], dict):
            only = parts[0]
            return has_text(only.get("description")) or (
                "$ref" in only and _is_described(run, pointer, only)
            )
    return False


RULES: Final[tuple[Rule, ...]] = (_objects, _schemas)
