"""Whether the contract notices a change of the documents, with the client held fixed."""

from __future__ import annotations

from typing import Any

from harness import coverage, edges
from harness.changing import Change, Use
from harness.documents import METHODS, Document, Operation, Schema
from harness.failing import ContractFailure, failure
from harness.requests import judged
from harness.response_checks import check_answer, check_refusal
from harness.surface import check_surface


def noticed(document: Document, change: Change) -> str | None:
    """What the contract says of a changed document; None where it finds nothing wrong."""
    data = excerpt(change.edit(document.data), change.use.operation)
    changed = Document(document.name, data)
    try:
        _hold(changed.operations[change.use.operation], change.use)
    except ContractFailure as found:
        return str(found)
    return None


def _hold(operation: Operation, use: Use) -> None:
    """Hold the client to what one operation says of one argument, or of one answer."""
    check_surface(operation)
    if use.side == "request":
        _hold_requests(operation, use)
    else:
        _hold_answers(operation, use)


def _hold_requests(operation: Operation, use: Use) -> None:
    only = use.key if use.key in operation.arguments else ""
    with coverage.watching(operation.document) as tally:
        for values in edges.requests(operation, only):
            judged(operation, values)
    wanted = {f"{operation.id} {only}": "given"} if only else {operation.id: "sent"}
    for goal in tally.missing():
        if wanted.get(goal.place) == goal.what:
            raise failure(
                operation,
                title="The documents allow nothing that the client can send.",
                expected=str(goal),
                came="nothing of what was tried",
            )


def _hold_answers(operation: Operation, use: Use) -> None:
    for response in edges.responses(operation):
        if response.place.endswith(f".{use.key}"):
            fullest = max(edges.answers(operation, response), key=lambda case: len(repr(case)))
            check = check_answer if response.status < 300 else check_refusal
            check(operation, response, fullest)


def excerpt(data: Schema, operation_id: str) -> Schema:
    """A document with one operation, and with the components that it needs."""
    paths = {
        path: {method: node}
        for path, item in data["paths"].items()
        for method, node in item.items()
        if method in METHODS and node["operationId"] == operation_id
    }
    needed: dict[str, dict[str, Any]] = {"schemas": {}}
    _gather(data, paths, needed)
    components = {**needed, "securitySchemes": data["components"]["securitySchemes"]}
    return {**data, "paths": paths, "components": components}


def _gather(data: Schema, node: Any, needed: dict[str, dict[str, Any]]) -> None:
    if isinstance(node, list):
        for each in node:
            _gather(data, each, needed)
    elif isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            kind, name = node["$ref"].split("/")[2:]
            if name not in needed.setdefault(kind, {}):
                needed[kind][name] = data["components"][kind][name]
                _gather(data, needed[kind][name], needed)
        for each in node.values():
            _gather(data, each, needed)
