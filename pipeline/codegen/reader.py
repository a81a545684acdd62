"""Read an effective document: its schemas by `schemas`, and here its operations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.codegen import names
from pipeline.codegen.ir import (
    Api,
    Body,
    Content,
    Form,
    Operation,
    Parameter,
    Stream,
    Success,
    Type,
)
from pipeline.codegen.schemas import Schemas
from pipeline.openapi import model
from pipeline.openapi.documents import Document, Pointer, resolved
from pipeline.openapi.media_types import (
    EVENTS,
    FORMS,
    bare,
    is_json,
    is_stream,
    is_text,
    successes,
)
from pipeline.openapi.model import DocumentModel, Schema
from pipeline.openapi.objects import Node, as_dict
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
            success=self._success(found, hint),
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

    def _success(self, found: model.Operation, hint: str) -> Success:
        """Return what the client returns: the first body, and what else may come."""
        pointer: Pointer = (*found.pointer, "responses")
        responses = found.value.get("responses", {})
        bodies: dict[Any, tuple[list[str], _Offered]] = {}
        at: dict[str, tuple[Pointer, Any]] = {
            status: self.model.follow((*pointer, status), responses[status])
            for status in successes(responses)
        }
        for status, response in at.items():
            offered = self._offered(*response)
            key = repr((offered.form, offered.schema))
            bodies.setdefault(key, ([], offered))[0].append(status)
        groups = sorted(bodies.values(), key=lambda each: each[1].form == "none")
        contents = [
            self._content(tuple(statuses), each, f"{hint}Response{number or ''}")
            for number, (statuses, each) in enumerate(groups)
        ] or [Content((), "", "none", None)]
        asked = dict.fromkeys(each.media_type for _, each in groups if each.media_type)
        asked |= dict.fromkeys(self._error_types(responses, pointer))
        first, *others = contents
        single = [at[status] for each in contents[:1] for status in each.statuses]
        return Success(
            first.statuses,
            first.media_type,
            first.form,
            first.type,
            tuple(others),
            ", ".join(asked),
            () if any(each.type for each in others) else self._alternatives(first, single, hint),
            self._stream(found, hint),
        )

    def _content(self, statuses: tuple[str, ...], offered: _Offered, hint: str) -> Content:
        type_ = None
        if offered.form != "none":
            type_ = self.schemas.read(offered.schema, offered.place, hint)
        return Content(statuses, offered.media_type, offered.form, type_)

    def _alternatives(
        self, first: Content, responses: Sequence[tuple[Pointer, Any]], hint: str
    ) -> tuple[Content, ...]:
        """Return what each of some responses may be instead, one for each media type."""
        offered = [as_dict(as_dict(response).get("content")) for _, response in responses]
        found: dict[str, Content] = {}
        for name in offered[0] if offered else ():
            known = {bare(first.media_type), *map(bare, found), "*/*", "application/*"}
            everywhere = all(name in each for each in offered)
            if bare(name) in {*known, *FORMS} or is_stream(bare(name)) or not everywhere:
                continue
            made = self._body_of(name, offered[0][name], responses[0][0])
            more = names.pascal(bare(name).rpartition("/")[2])
            found[name] = self._content(first.statuses, made, f"{hint}{more}Response")
        return tuple(found.values())

    def _stream(self, found: model.Operation, hint: str) -> Stream | None:
        """Return what comes piece by piece; None where nothing does."""
        streams = self.model.streams(found)
        if not streams:
            return None
        (place, media), is_alone = streams[0], len(streams) == len([*self.model.contents(found)])
        name = str(place[-1])
        word = "itemSchema" if "itemSchema" in media else "schema"
        schema, at = media.get(word, {}), (*place, word)
        if bare(name) == EVENTS:
            return Stream(name, self._data(at, schema, f"{hint}Event"), is_alone)
        items = self.model.items(Schema(at, schema)) if word == "schema" else None
        if items is not None:  # of all items; a schema of another type is that of each
            at, schema = items.pointer, items.value
        if self.model.types(at, schema) == {"string"}:  # the text that the lines are together
            at, schema = place, {}
        return Stream(name, self.schemas.read(schema, at, f"{hint}Item"), is_alone)

    def _data(self, place: Pointer, schema: Any, hint: str) -> Type | None:
        """Return what the data of an event is; None where it is text."""
        types = []
        for number, each in enumerate(self.model.data_of_events(place, schema)):
            if self.model.types(each.pointer, each.value) <= {"string", "null"}:
                return None
            types.append(self.schemas.read(each.value, each.pointer, f"{hint}{number or ''}"))
        return types[0] if len(types) == 1 else self.schemas.one_of(types, place)

    def _offered(
        self, pointer: Pointer, message: Mapping[str, Any], order: tuple[str, ...] = _READ
    ) -> _Offered:
        """Return the body of a request or a response that comes first in an order.

        A stream is read piece by piece, and as a whole only where there is nothing else.
        """
        content = message.get("content", {})
        whole = [name for name in content if not is_stream(bare(name))]
        media_type = _preferred(whole or content, order)
        if media_type is None:
            return _Offered("", "none", {}, pointer)
        return self._body_of(media_type, content[media_type], pointer)

    def _body_of(self, media_type: str, media: Mapping[str, Any], pointer: Pointer) -> _Offered:
        """Return a body of a media type, as it is read."""
        place: Pointer = (*pointer, "content", media_type, "schema")
        schema = media.get("schema", {})
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


def _preferred(content: Iterable[str], order: tuple[str, ...]) -> str | None:
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
