"""Resources and their operations: each with its request, its answer, its errors and an example."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from pipeline import names, prose
from pipeline.annotations import Imports, literal, words
from pipeline.ir import Operation
from pipeline.problems import Finding, PipelineError
from pipeline.views import descriptions
from pipeline.views.answers import answer
from pipeline.views.catalog import Catalog, resource_name
from pipeline.views.errors import documented_errors
from pipeline.views.examples import example
from pipeline.views.requests import body_fields, request
from pipeline.views.shapes import OperationView, ResourceView

_RUNTIME = {
    "Parameter": "request",
    "Window": "request",
    "FilePart": "request",
    "FileInput": "files",
    "Meta": "models",
    "UNSET": "models",
    "UnsetType": "models",
    "written_as": "models",
}


def resources(
    catalog: Catalog, models: str, path_of: Callable[[str], str]
) -> tuple[ResourceView, ...]:
    """All resources, in the order of the documents.

    Args:
        models: the module that a caller imports classes from.
        path_of: the path of a document, by its name, for the banner.

    Raises:
        PipelineError: a word of an operation does not fit; all of it is named.
    """
    grouped: dict[str, list[tuple[Operation, OperationView]]] = {}
    findings: list[Finding] = []
    for operation in catalog.operations:
        try:
            view = _operation(catalog, operation, models)
        except PipelineError as error:
            findings += error.findings
        else:
            grouped.setdefault(view.resource, []).append((operation, view))
    if findings:
        raise PipelineError(*findings)
    return tuple(
        ResourceView(
            name=name,
            class_name=names.pascal(name) + "Resource",
            doc=_resource_doc(catalog, name, [operation for operation, _ in found]),
            source=path_of(found[0][0].source),
            imports=tuple(_imports(catalog, [view for _, view in found])),
            operations=tuple(view for _, view in found),
        )
        for name, found in grouped.items()
    )


def _resource_doc(catalog: Catalog, name: str, found: Iterable[Operation]) -> str:
    """The first description of a tag that the operations have."""
    used = {(each.source, tag) for each in found for tag in each.raw.get("tags", [])[:1]}
    for api in catalog.apis:
        for tag in api.raw.get("tags", []):
            if (api.source, tag.get("name")) in used and tag.get("description", "").strip():
                return prose.sentence(" ".join(tag["description"].split()))
    return f"Operations of `{name}`."


def _imports(catalog: Catalog, operations: Iterable[OperationView]) -> list[str]:
    imports = Imports()
    imports.need(".._runtime.request", "Request", "prepare")
    imports.need(".._runtime.methods", "AsyncMethod", "AsyncResource", "Method", "Resource")
    for each in operations:
        code = [*each.declarations, each.returns, *(value for _, value in each.prepare)]
        text = " ".join(code)
        imports.note(text)
        for word in words(text):
            if word in _RUNTIME:
                imports.need(f".._runtime.{_RUNTIME[word]}", word)
            if word in catalog.homes:
                imports.need(f"..models.{catalog.homes[word]}", word)
    return imports.lines()


def _operation(catalog: Catalog, operation: Operation, models: str) -> OperationView:
    raw = operation.raw
    resource = resource_name(operation)
    name = raw.get("x-python-name") or names.snake(raw.get("operationId", operation.path))
    name += "_" if name == "client" else ""  # every resource has an attribute of that name
    safety = raw.get("x-retry-safety") or _default_safety(operation.method)
    sent = request(catalog, operation)
    read = answer(catalog, operation)
    call = example(catalog, operation, sent.arguments, models)
    marks = descriptions.marks([raw, *_flattened(catalog, operation)], catalog.decided)
    view = OperationView(
        resource=resource,
        name=name,
        http=f"{operation.method} {operation.path}",
        server=operation.source,
        summary=prose.sentence(" ".join(raw.get("summary", "").split())),
        description="Deprecated. " * (raw.get("deprecated") is True) + raw.get("description", ""),
        part=raw.get("x-part", ""),
        arguments=tuple(sent.arguments),
        returns=read.returns,
        answer_doc=read.doc,
        errors=documented_errors(operation),
        assumed=marks.assumed,
        unknown=marks.unknown,
        retry_safety=safety,
        prepare=(
            ("operation", literal(f"{resource}.{name}")),
            ("server", literal(operation.source)),
            ("method", literal(operation.method)),
            ("path", literal(operation.path)),
            *sent.prepare,
            *read.prepare,
            ("retry_safety", literal(safety)),
        ),
        docstring="",
        example=call.arguments,
        example_imports=call.imports,
    )
    return replace(view, docstring=descriptions.of_operation(view))


def _flattened(catalog: Catalog, operation: Operation) -> list[Mapping[str, Any]]:
    """The schemas of the body whose fields are arguments of the operation."""
    found = body_fields(catalog, operation.body)
    if operation.body is None or found is None:
        return []
    return [operation.body.type.node.schema, *(each.node.schema for each in found)]


def _default_safety(method: str) -> Literal["safe", "idempotent", "unsafe"]:
    if method in ("GET", "HEAD", "OPTIONS", "TRACE"):
        return "safe"
    return "idempotent" if method in ("PUT", "DELETE") else "unsafe"
