"""Resources and their operations: each with request, response, errors and an example."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipeline.codegen import code as py
from pipeline.codegen import names, prose
from pipeline.codegen.code import Code, import_lines, joined, literal
from pipeline.codegen.ir import Operation
from pipeline.codegen.names import resource_name
from pipeline.codegen.views import descriptions
from pipeline.codegen.views.alternatives import with_alternatives
from pipeline.codegen.views.catalog import Catalog
from pipeline.codegen.views.errors import documented_errors
from pipeline.codegen.views.examples import example
from pipeline.codegen.views.lookup import Lookup, Made
from pipeline.codegen.views.plans import add_multi_request_methods
from pipeline.codegen.views.requests import body_fields, request
from pipeline.codegen.views.responses import response, response_doc
from pipeline.codegen.views.security import Security
from pipeline.codegen.views.streams import with_stream
from pipeline.codegen.views.view_models import OperationView, Prefix, ResourceView
from pipeline.codegen.views.write_backs import arguments_of, write_back
from pipeline.openapi.problems import made_of_each
from pipeline.openapi.retry_safety import retry_safety


def resources(
    catalog: Catalog, security: Security, models: str, path_of: Callable[[str], str]
) -> tuple[ResourceView, ...]:
    """Return all resources, in the order of the documents.

    `models` is the module that a caller imports classes from, `path_of` the path of a document by
    name.
    """
    made = made_of_each(
        catalog.operations, lambda each: Made(each, _operation(catalog, security, each, models))
    )
    lookup = Lookup(
        catalog, {(e.operation.source, e.operation.raw.get("operationId", "")): e for e in made}
    )
    made = made_of_each(
        made, lambda each: replace(each, view=add_multi_request_methods(lookup, each))
    )
    made = made_of_each(made, lambda each: replace(each, view=with_stream(lookup, each)))
    made = made_of_each(made, lambda each: replace(each, view=with_alternatives(lookup, each)))
    grouped: dict[str, list[Made]] = {}
    for entry in made:
        grouped.setdefault(entry.view.resource, []).append(entry)
    return tuple(
        _resource(catalog, lookup, name, group, path_of) for name, group in grouped.items()
    )


def _resource(
    catalog: Catalog,
    lookup: Lookup,
    name: str,
    made: Sequence[Made],
    path_of: Callable[[str], str],
) -> ResourceView:
    backs = [back for each in made if (back := write_back(lookup, each))]
    arguments = [view for each in made if (view := arguments_of(lookup, each))]
    resource = ResourceView(
        name=name,
        class_name=names.resource_class(name),
        doc=_resource_doc(catalog, name, [each.operation for each in made]),
        source=path_of(made[0].operation.source),
        imports=(),
        operations=tuple(each.view for each in made),
        write_backs=tuple(dict.fromkeys(backs)),
        arguments_of=tuple(arguments),
    )
    return replace(resource, imports=tuple(_imports(catalog, resource)))


def _resource_doc(catalog: Catalog, name: str, operations: Iterable[Operation]) -> str:
    """Return the first description of a tag that the operations have."""
    used = {(each.source, tag) for each in operations for tag in each.raw.get("tags", [])[:1]}
    for api in catalog.apis:
        for tag in api.raw.get("tags", []):
            if (api.source, tag.get("name")) in used and tag.get("description", "").strip():
                return prose.sentence(" ".join(tag["description"].split()))
    return f"Operations of `{name}`."


def _imports(catalog: Catalog, resource: ResourceView) -> list[str]:
    """Return the import statements of a resource's module."""
    prefixes: tuple[Prefix, ...] = ("", "Async")
    code = [py.REQUEST, py.PREPARE, py.RESOURCE, py.ASYNC_RESOURCE]
    code += [py.CACHED_PROPERTY]
    for method in (*resource.methods, *resource.raw_methods):
        code += [py.DEPRECATED] if method.deprecated else []
        for prefix in prefixes:
            code += [method.definition(prefix, resource.names), method.statement(prefix)]
    code += [value for _, value in resource.write_backs]
    code += [piece for each in resource.operations for piece in each.code_pieces]
    code += [piece for each in resource.operations for e in each.plans for piece in e.code_pieces]
    for made in resource.arguments_of:
        code += [py.ARGUMENTS, py.TO_ARGUMENTS, made.model]
    return import_lines(joined("", code).imports, lambda name: f"..models.{catalog.homes[name]}")


def _operation(
    catalog: Catalog, security: Security, operation: Operation, models: str
) -> OperationView:
    raw, own = operation.raw, operation.words
    resource = resource_name(raw)
    name = names.method_name(own.python_name, raw.get("operationId", operation.path))
    needs = security.needs(operation)
    safety = retry_safety(raw, operation.method)
    sent = request(catalog, operation)
    returns, read = response(catalog, operation)
    call, files = example(catalog, operation, sent.arguments, models)
    marks = descriptions.marks(_flattened(catalog, operation), catalog.decided, raw)
    is_deprecated = raw.get("deprecated") is True
    return OperationView(
        resource=resource,
        name=name,
        http=f"{operation.method} {operation.path}",
        operation_ids=tuple(raw[key] for key in ("operationId",) if key in raw),
        server=operation.source,
        manner="request",
        summary=prose.sentence(" ".join(raw.get("summary", "").split())),
        description="Deprecated. " * is_deprecated + raw.get("description", ""),
        section=own.section or "",
        arguments=tuple(sent.arguments),
        returns=returns,
        returns_doc=response_doc(operation),
        errors=documented_errors(operation, catalog.over_rate),
        raises=(_unknown_outcome(own.reconcile is not None),) if safety == "unsafe" else (),
        marks=marks,
        retry_safety=safety,
        prepare=(
            ("operation", Code(literal(f"{resource}.{name}"))),
            ("server", Code(literal(operation.server))),
            ("method", Code(literal(operation.method))),
            ("path", Code(literal(operation.path))),
            *sent.prepare,
            *read,
            *([] if needs is None else [("security", Code(literal(needs)))]),
            ("retry_safety", Code(literal(safety))),
        ),
        example=call,
        example_files=files,
        sends_files=sent.sends_files,
        any_of=sent.any_of,
        command=own.cli,
        deprecated=f"the service has deprecated {operation.method} {operation.path}"
        if is_deprecated
        else "",
    )


def _flattened(catalog: Catalog, operation: Operation) -> list[Mapping[str, Any]]:
    """Return the schemas of the body whose fields are arguments of the operation."""
    fields = body_fields(catalog, operation.body)
    if operation.body is None or fields is None:
        return []
    return [operation.body.type.node.schema, *(each.node.schema for each in fields)]


def _unknown_outcome(supports_reconcile: bool) -> tuple[str, str]:
    """Return the error of a write that must not be repeated blindly, and when it comes."""
    how = "call `reconcile()` to find out." if supports_reconcile else "check before you repeat it."
    return "OutcomeUnknown", f"The write may have been carried out, but no response says so: {how}"
