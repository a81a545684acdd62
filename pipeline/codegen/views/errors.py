"""The documented errors, an exception for each status, and what the bodies of errors have."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from itertools import groupby
from typing import Any

from pipeline.codegen import names, prose
from pipeline.codegen.code import MODELS, Code, import_lines, joined, literal, mapping
from pipeline.codegen.ir import Api, Failure, Operation
from pipeline.codegen.runtime_index import runtime_index
from pipeline.codegen.views.catalog import Catalog
from pipeline.codegen.views.responses import decoded_value
from pipeline.codegen.views.view_models import AttributeView, ErrorBodiesView, StatusErrorView
from pipeline.config import Config
from pipeline.openapi.documents import Document, read_text
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.references import resolved

# Every client has the errors of the runtime as they are; of these two, each package has its own.
_MADE_ANEW = frozenset({"ClientError", "StatusError"})
_OTHERS = frozenset({"OutcomeUnknown"})  # errors that the runtime defines elsewhere
RUNTIME_ERRORS = {
    name: module
    for name, module in sorted(runtime_index().homes.items())
    if (module == "core.errors" and name[0].isupper() and name not in _MADE_ANEW) or name in _OTHERS
}
ERRORS = (*RUNTIME_ERRORS, "ServerError", "StatusError")
_STATUS_ERRORS = {
    400: ("BadRequestError", "the service cannot process the request"),
    401: ("AuthenticationError", "the token is missing or not accepted"),
    403: ("PermissionDeniedError", "the token does not allow this"),
    404: ("NotFoundError", "there is no such object, or you may not see it"),
    409: ("ConflictError", "conflicts with the current state"),
    413: ("PayloadTooLargeError", "the request is too large"),
    415: ("UnsupportedMediaTypeError", "the media type is not accepted"),
    422: ("UnprocessableEntityError", "an argument does not fit"),
    429: ("RateLimitError", "too many requests in a short time"),
}
_READERS = {
    "string": ("str | None", "_text"),
    "object": ("Mapping[str, Any] | None", "_object"),
}


def documented_errors(operation: Operation, over_rate: int) -> tuple[StatusErrorView, ...]:
    """Return the errors that an operation documents, by status; `over_rate` is that of the rate."""
    errors = []
    for status, response in sorted(operation.responses.items()):
        if status.isdigit() and not status.startswith("2"):
            name, _ = status_error(429 if int(status) == over_rate else int(status))
            doc = prose.sentence(" ".join(response.get("description", "").split()))
            errors.append(StatusErrorView(int(status), name, doc))
    return tuple(errors)


def status_errors(operations: Iterable[Operation], over_rate: int) -> tuple[StatusErrorView, ...]:
    """Return an exception for each status that is usual or documented."""
    statuses = {status for operation in operations for status in operation.responses}
    documented = {int(status) for status in statuses if status.isdigit()}
    wanted = {status for status in documented if 300 <= status < 500} | _STATUS_ERRORS.keys()
    others = {429: over_rate} if over_rate != 429 else {}
    return tuple(
        StatusErrorView(status, *status_error(status), others.get(status))
        for status in sorted(wanted - {*others.values()})
    )


def with_bodies(
    catalog: Catalog, errors: Sequence[StatusErrorView]
) -> tuple[tuple[StatusErrorView, ...], ErrorBodiesView | None]:
    """Return exceptions with the types of their bodies, and those of all operations."""
    writer, taken = catalog.writer, {each.name for each in errors} | {*ERRORS}
    by_status: dict[int, set[Code]] = {}
    by_operation: dict[str, dict[int, Code]] = {}
    for operation in catalog.operations:
        raw = operation.raw
        name = names.dotted_name(raw, raw.get("operationId", operation.path))
        for status, failures in groupby(operation.failures, lambda each: each.status):
            number = "0" if status == "default" else status.removesuffix("XX")
            own = by_operation.setdefault(name, {})
            own[int(number)] = _by_media_type(catalog, failures)
        for error in errors:
            for type_ in operation.failure(error.status):
                found = by_status.setdefault(error.status, set())
                bodies = [each for each in type_.alternatives if each.kind != "null"]
                found |= {_apart(writer.decoded(each), taken, catalog.homes) for each in bodies}
    views = tuple(
        replace(each, body=joined(" | ", sorted(by_status[each.status], key=str)))
        if each.status in by_status
        else each
        for each in errors
    )
    if not by_operation:
        return views, None

    def imports(code: Iterable[Code]) -> tuple[str, ...]:
        needed = joined("", code).imports
        lines = import_lines(needed, lambda name: f"..models.{catalog.homes[name.split()[0]]}")
        return tuple(line.replace("from ..", "from .", 1) for line in lines)

    types = imports(body for own in by_operation.values() for body in own.values())
    named = imports(each.body for each in views if each.body)
    return views, ErrorBodiesView(by_operation, types, named)


def _by_media_type(catalog: Catalog, failures: Iterable[Failure]) -> Code:
    """Return the type of the body of a status, or the types by media types, which tell it."""
    types = {each.media_type: decoded_value(catalog, each) for each in failures}
    usual = types.get("")
    if usual is not None and set(types.values()) == {usual}:
        return usual
    return mapping((literal(name), type_) for name, type_ in types.items())


def _apart(code: Code, taken: Collection[str], homes: Collection[str]) -> Code:
    """Return a type; models in it that are called as an exception is have a name of their own."""
    text, imports = code.text, set(code.imports)
    for each in [each for each in imports if each.module == MODELS and each.name in taken]:
        own = names.numbered(f"{each.name}Body", homes)
        text = re.sub(rf"""(?<!['"\w]){each.name}(?!['"\w])""", own, text)
        imports ^= {each, each._replace(name=f"{each.name} as {own}")}
    return Code(text, frozenset(imports))


def status_error(status: int) -> tuple[str, str]:
    """Return the exception for a status, and what it means."""
    if status in _STATUS_ERRORS:
        return _STATUS_ERRORS[status]
    if status >= 500:
        return "ServerError", "the service failed"
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = f"Status {status}"
    return names.pascal(phrase).removesuffix("Error") + "Error", phrase.lower()


def unexplained(config: Config, errors: Iterable[StatusErrorView]) -> tuple[str, ...]:
    """Return the exceptions without a section on the page of errors: their bases explain them."""
    page = config.file.parent / config.client.errors
    if not config.client.explains.endswith("#") or not page.is_file():
        return ()
    explained = {each.lower() for each in re.findall(r"^#+ +(\w+) *$", read_text(page), re.M)}
    made = (f"{config.client.class_name}Error", *ERRORS, *(each.name for each in errors))
    return tuple(name for name in made if name.lower() not in explained)


def attributes(apis: Iterable[Api]) -> tuple[AttributeView, ...]:
    """Return what the documented bodies of errors have, by the names that exceptions give it."""
    by_name: dict[str, dict[str, Mapping[str, Any]]] = {}
    for api in apis:
        for wire, schema in _members(api):
            name = schema.get("x-error-field") or names.snake(wire)
            by_name.setdefault(name, {}).setdefault(wire, schema)
    return tuple(_attribute(name, wires) for name, wires in by_name.items())


def _attribute(name: str, wires: Mapping[str, Mapping[str, Any]]) -> AttributeView:
    schema = next(iter(wires.values()))
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), "")
    annotation, reader = _READERS.get(str(kind), ("Any", "_value"))
    doc = prose.sentence(" ".join(schema.get("description", "").split()))
    name += "_" if name in {*runtime_index().error, "body"} else ""
    return AttributeView(name, annotation, reader, tuple(wires), doc)


def _members(api: Api) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the members of all documented bodies of errors, of every branch of their schemas."""
    model = DocumentModel(Document(api.source, api.raw, {}))
    for operation in api.operations:
        for status, response in operation.responses.items():
            if status.startswith(("1", "2")):
                continue
            for media in response.get("content", {}).values():
                for _, part in model.applied((), media.get("schema", {}), "anyOf", "oneOf"):
                    for wire, value in part.get("properties", {}).items():
                        if isinstance(value, dict):
                            yield wire, resolved(api.raw, value)
