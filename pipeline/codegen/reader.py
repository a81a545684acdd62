"""Read an effective document: its schemas by `schemas`, and here its operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.codegen import names
from pipeline.codegen.ir import Api, Body, Operation, Parameter, Success
from pipeline.codegen.schemas import Schemas
from pipeline.openapi import model
from pipeline.openapi.documents import Document, Pointer, resolved
from pipeline.openapi.media_types import bare, is_json
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import Node
from pipeline.openapi.problems import Finding, PipelineError

# In order of preference.
_SENT = (
    "application/json",
    "+json",
    "multipart/form-data",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
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
        self.schemas = Schemas(document)

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
        type_ = self.schemas.read(raw.get("schema", {}), (*pointer, "schema"), hint)
        required = raw["in"] == "path" or bool(raw.get("required"))
        return Parameter(raw["name"], raw["in"], type_, required, raw)

    def _body(self, operation: Mapping[str, Any], pointer: Pointer, hint: str) -> Body | None:
        if "requestBody" not in operation:
            return None
        pointer, raw = self.model.follow(pointer, operation["requestBody"])
        content = raw.get("content", {})
        media_type = _preferred(content, _SENT)
        if media_type is None:
            text = f"no media type of {', '.join(content) or 'the body'} can be sent"
            self.schemas.refuse(text, pointer)
            return None
        media = content[media_type]
        place: Pointer = (*pointer, "content", media_type, "schema")
        type_ = self.schemas.read(media.get("schema", {}), place, hint + "Body")
        return Body(media_type, type_, bool(raw.get("required")), {**raw, "media": media})

    def _success(self, responses: Mapping[str, Any], pointer: Pointer, hint: str) -> Success:
        """Return the success that the client returns: the first body of a 2xx status."""
        bodies = []
        for status, response in sorted(responses.items()):  # 200 before 2XX
            if len(status) == 3 and status[0] == "2":
                where, response = self.model.follow((*pointer, status), response)
                media_type = _preferred(response.get("content", {}), _READ)
                if media_type is not None:
                    place: Pointer = (*where, "content", media_type, "schema")
                    schema = response["content"][media_type].get("schema", {})
                    bodies.append((status, media_type, schema, place))
        if not bodies:
            return Success("", None)
        status, media_type, schema, place = bodies[0]
        for other, _, different, where in bodies[1:]:
            if different != schema:
                text = f"{other} has another body than {status}: any value"
                self.schemas.note(text, where)
                schema = {}
        if not is_json(bare(media_type)):
            is_text = media_type.startswith("text/")
            schema = {"type": "string", **({} if is_text else {"format": "binary"})}
        return Success(media_type, self.schemas.read(schema, place, hint + "Response"))


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
