"""The catalogue of commands: what a command line needs to know of each method, as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pipeline.codegen import prose
from pipeline.codegen.views.view_models import (
    ArgumentView,
    OperationView,
    PlanView,
    ResourceView,
)


def commands(groups: Iterable[ResourceView]) -> dict[str, Any]:
    """Return the commands of all resources.

    A method is left out if it needs what cannot be written on a command line, such as an object
    that was read.
    """
    return {
        group.name: {
            "doc": group.doc,
            "commands": {
                method.name: _command(operation, method)
                for operation in group.operations
                for method in operation.methods
                if not any(each.required and not each.value for each in method.arguments)
            },
        }
        for group in groups
    }


def _command(operation: OperationView, method: OperationView | PlanView) -> dict[str, Any]:
    is_deletion = operation.http.startswith("DELETE ")
    found = {
        "summary": method.summary,
        "description": method.description,
        "http": operation.http,
        "changes": operation.retry_safety != "safe",
        "confirm": operation.command.confirm
        or (prose.sentence(method.summary) if is_deletion else ""),
        "columns": list(operation.command.columns),
        "hidden": operation.command.hidden,
        "arguments": [_argument(each) for each in method.arguments if each.value],
    }
    return _without_empty(found)


def _argument(each: ArgumentView) -> dict[str, Any]:
    assert each.value is not None
    return _without_empty(
        {
            "name": each.name,
            "doc": each.doc,
            "kind": each.value.kind,
            "many": each.value.many,
            "nullable": each.value.nullable,
            "required": each.required,
            "positional": each.positional,
            "choices": dict(each.value.choices),
        }
    )


def _without_empty(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if value not in (False, "", [], {})}
