"""The catalogue of commands: what a command line needs to know of each method, as JSON.

And that of the tools for assistants, which use these methods.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from pipeline.codegen import prose
from pipeline.codegen.ir import Api
from pipeline.codegen.views.plans import PYTHON_ONLY
from pipeline.codegen.views.view_models import (
    ArgumentView,
    OperationView,
    PlanView,
    ResourceView,
)
from pipeline.openapi.extensions import Cli, CliShows


def commands(groups: Iterable[ResourceView]) -> dict[str, Any]:
    """Return the commands of all resources.

    A method is left out if it needs what cannot be written on a command line, such as an object
    that was read.
    """
    groups = [*groups]
    paths = _paths(groups)
    known = {f"{group.name}.{method.name}" for group in groups for method in group.methods}
    return {
        group.name: {
            "doc": group.doc,
            "commands": {
                method.name: _command(operation, method, paths, known)
                for operation in group.operations
                for method in operation.methods
                if not any(each.required and not each.value for each in method.arguments)
            },
        }
        for group in groups
    }


def tools(apis: Iterable[Api], groups: Iterable[ResourceView]) -> dict[str, Any]:
    """Return the tools of all documents, each with its methods.

    A tool is left out if one of its operations is.
    """
    paths = _paths(groups)
    return {
        name: _without_empty(
            {
                "does": tool.does,
                "methods": [paths[each] for each in tool.operations],
                "arguments": dict(tool.arguments or {}),
            }
        )
        for api in apis
        for name, tool in (api.words.tools or {}).items()
        if paths.keys() >= {*tool.operations}
    }


def _paths(groups: Iterable[ResourceView]) -> dict[str, str]:
    return {
        operation_id: f"{group.name}.{operation.name}"
        for group in groups
        for operation in group.operations
        for operation_id in operation.operation_ids
    }


def _command(
    operation: OperationView,
    method: OperationView | PlanView,
    paths: Mapping[str, str],
    known: Collection[str],
) -> dict[str, Any]:
    is_deletion, word = operation.http.startswith("DELETE "), operation.command or Cli()
    command = {
        "summary": method.summary,
        "description": _as_commands(method.description, known),
        "http": operation.http,
        "changes": operation.retry_safety != "safe",
        "confirm": word.confirm or (prose.sentence(method.summary) if is_deletion else ""),
        "shows": _shows(word.shows, paths),
        "columns": [*(word.columns or ())],
        "partly": [*(word.partly or ())],
        "hidden": bool(word.hidden),
        "any_of": [*operation.any_of],
        "arguments": [_argument(each, known) for each in method.arguments if each.value],
    }
    return _without_empty(command)


def _shows(word: CliShows | None, paths: Mapping[str, str]) -> dict[str, Any]:
    if word is None:
        return {}
    related = word.related and {
        "method": paths[word.related.operation],
        "ids": word.related.ids,
        "column": word.related.column,
        **({"stays": asdict(word.related.stays)} if word.related.stays else {}),
    }
    shows = {"method": paths[word.operation], "columns": [*word.columns], "related": related or {}}
    return _without_empty(shows)


def _as_commands(text: str, known: Collection[str]) -> str:
    """Return a text of a docstring without what concerns Python, its methods as commands."""
    for python in PYTHON_ONLY:
        text = text.replace(python, "")

    def command(match: re.Match[str]) -> str:
        path = match[1]
        words = path.replace(".", " ").replace("_", "-")
        return f"`{words}`" if path in known else match[0]

    return re.sub(r"`([\w.]+)`", command, text)


def _argument(argument: ArgumentView, known: Collection[str]) -> dict[str, Any]:
    assert argument.value is not None
    return _without_empty(
        {
            "name": argument.name,
            "doc": _as_commands(argument.doc, known),
            "kind": argument.value.kind,
            "many": argument.value.many,
            "nullable": argument.value.nullable,
            "required": argument.required,
            "positional": argument.positional,
            "choices": dict(argument.value.choices),
        }
    )


def _without_empty(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value not in (False, "", [], {})}
