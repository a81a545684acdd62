"""Read an effective document: its schemas by `schemas`, and here its operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.codegen import names
from pipeline.codegen.ir import Api, Body, Content, Form, Operation, Parameter, Success, Type
from pipeline.codegen.schemas import Schemas
from pipeline.openapi import model
from pipeline.openapi.documents import Document, Pointer, resolved
from pipeline.openapi.media_types import FORMS, bare, is_json, is_text, successes
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import Node
from pipeline.openapi.problems import Finding, PipelineError

# In order of preference.
_SENT = (
    "application/json",
    "+json",
    "multipart/form-data",
    "application/x-www-form-urlencoded",
    "text/",
    "",
)
_READ = ("application/json", "+json", "text/", "")


def read(document: Document, source: str) -> tuple[Api, list[Finding]]:
    """Read a document, with single values "unparsed".

    Returns:
        The API, and notes about what is carried as any value or without its checks.

    Raises:
        PipelineError: something in the document cannot be carried; all of it is named.
    """
    reader = _Reader(document, source)
    operations = tuple(reader.operations())
    schemas = reader.schemas
    if schemas.errors:
        raise PipelineError(*schemas.errors)
    api = Api(source, document.data, schemas.models, schemas.codes, operations)
    return api, schemas.notes


class _Reader:
    def __init__(self, document: Document, source: str) -> None:
        self.model = DocumentModel(document)
        self.source = source
        self.schemas = Schemas(self.model)

    def operations(self) -> Iterator[Operation]:
        for found in self.model.operations:
            yield self._operation(found)

    def _operation(self, found: model.Operation) -> Operation:
        raw, pointer = found.value, found.pointer
        hint = names.pascal(raw.get("operationId", f"{found.method} {found.path}"))
        responses = raw.get("responses", {})
        return Operation(
            source=self.source,
            method=found.method.upper(),
            path=found.sent_path,
            raw=raw,
            pointer=pointer,
            parameters=tuple(
                self._parameter(each, hint)
                for each in found.parameters
                if each.value["in"] != "path" or each.value["name"] in found.path_names
            ),
            success=self._success(responses, (*pointer, "responses"), hint),
            address=found.address or "",
            body=self._body(raw, (*pointer, "requestBody"), hint),
            responses={
                status: resolved(self.model.data, response)
                for status, response in responses.items()
                if isinstance(response, dict)
            },
        )

    def _parameter(self, node: Node, hint: str) -> Parameter:
        raw, pointer = node.value, node.pointer
        hint += names.pascal(raw.get("x-python-name", raw["name"]))
        where, holder = pointer, raw
        if content := raw.get("content"):
            media_type, holder = next(iter(content.items()))
            where = (*pointer, "content", media_type)
        type_ = self.schemas.read(holder.get("schema", {}), (*where, "schema"), hint)
        required = raw["in"] == "path" or bool(raw.get("required"))
        return Parameter(raw["name"], raw["in"], type_, required, raw)

    def _body(self, operation: Mapping[str, Any], pointer: Pointer, hint: str) -> Body | None:
        if "requestBody" not in operation:
            return None
        pointer, raw = self.model.follow(pointer, operation["requestBody"])
        offered = self._offered(pointer, raw, _SENT)
        if offered.form == "none":
            self.schemas.refuse("the request body has no content", pointer)
            return None
        type_ = self.schemas.read(offered.schema, offered.place, hint + "Body")
        media = self.model.get(offered.place[:-1])
        required = bool(raw.get("required"))
        return Body(offered.media_type, offered.form, type_, required, {**raw, "media": media})

    def _success(self, responses: Mapping[str, Any], pointer: Pointer, hint: str) -> Success:
        """Return what the client returns: the first body, and what comes with other statuses."""
        found: dict[Any, tuple[list[str], _Offered]] = {}
        for status in successes(responses):
            offered = self._offered(*self.model.follow((*pointer, status), responses[status]))
            key = repr((offered.form, offered.schema))
            found.setdefault(key, ([], offered))[0].append(status)
        groups = sorted(found.values(), key=lambda each: each[1].form == "none")
        contents = [
            Content(
                tuple(statuses),
                each.form,
                None
                if each.form == "none"
                else self.schemas.read(each.schema, each.place, f"{hint}Response{number or ''}"),
            )
            for number, (statuses, each) in enumerate(groups)
        ] or [Content((), "none", None)]
        asked = dict.fromkeys(each.media_type for _, each in groups if each.media_type)
        asked |= dict.fromkeys(self._error_types(responses, pointer))
        first, *others = contents
        events = self._events(responses, pointer, hint)
        accept = ", ".join(asked)
        return Success(first.statuses, first.form, first.type, tuple(others), accept, events)

    def _events(self, responses: Mapping[str, Any], pointer: Pointer, hint: str) -> Type | None:
        """Return what the data of an event is; None without a stream of events."""
        for status in successes(responses):
            at, response = self.model.follow((*pointer, status), responses[status])
            for name, media in response.get("content", {}).items():
                if bare(name) == "text/event-stream":
                    place: Pointer = (*at, "content", name, "schema")
                    kinds = self.model.types(place, media.get("schema"))
                    if kinds - {"string", "null"}:
                        return self.schemas.read(media["schema"], place, f"{hint}Event")
        return None

    def _offered(
        self, pointer: Pointer, message: Mapping[str, Any], order: tuple[str, ...] = _READ
    ) -> _Offered:
        """Return the body of a request or a response that comes first in an order."""
        content = message.get("content", {})
        media_type = _preferred(content, order)
        if media_type is None:
            return _Offered("", "none", {}, pointer)
        place: Pointer = (*pointer, "content", media_type, "schema")
        schema = content[media_type].get("schema", {})
        name = bare(media_type)
        if is_json(name):
            return _Offered(media_type, "json", schema, place)
        if "*" in name and self.model.types(place, schema) - {"string", "null"}:
            return _Offered("application/json", "json", schema, place)
        if name in FORMS:
            return _Offered(media_type, "form", schema, place)
        if is_text(name):
            return _Offered(media_type, "text", {"type": "string"}, place)
        return _Offered(media_type, "bytes", {"type": "string", "format": "binary"}, place)

    def _error_types(self, responses: Mapping[str, Any], pointer: Pointer) -> Iterator[str]:
        """Yield the media types of errors, without ranges: they would allow any success."""
        for status in sorted(responses.keys() - successes(responses)):
            if status.startswith("x-"):
                continue
            _, response = self.model.follow((*pointer, status), responses[status])
            yield from (name for name in response.get("content", {}) if "*" not in name)


@dataclass(frozen=True)
class _Offered:
    """A body that a document offers: how it is read, and as what."""

    media_type: str
    form: Form
    schema: Any
    place: Pointer


def _preferred(content: Mapping[str, Any], order: tuple[str, ...]) -> str | None:
    """Return the media type that comes first in an order of preference."""
    for wanted in order:
        for media_type in content:
            name = bare(media_type)
            if (
                name == wanted
                or not wanted
                or (wanted == "+json" and name.endswith(wanted))
                or (wanted == "text/" and name.startswith(wanted))
            ):
                return media_type
    return None
