"""Read an effective document: its schemas by `schemas`, and here its operations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.codegen import names
from pipeline.codegen.ir import (
    Api,
    Body,
    Content,
    Failure,
    Operation,
    Parameter,
    Stream,
    Success,
    Type,
    Webhook,
)
from pipeline.codegen.parser import Reading
from pipeline.codegen.readers import Agreement, Readers
from pipeline.codegen.schemas import Schemas
from pipeline.openapi import model
from pipeline.openapi.documents import Document, Pointer
from pipeline.openapi.media_types import EVENTS, FORMS, bare, is_stream, successes
from pipeline.openapi.model import BodyChoice, DocumentModel, Schema
from pipeline.openapi.objects import Node, as_dict
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.openapi.references import resolved
from pipeline.openapi.wording import either

_PATCH: Final = "application/json-patch+json"
_CHANGES: Final = {"type": "array", "items": {"type": "object"}}  # a JSON patch, by RFC 6902


def read(
    document: Document, source: str, first: Reading, decimals: Collection[str] = ()
) -> tuple[Api, list[Finding], Agreement]:
    """Read a document after the first reader; return the API, and how far the two agree.

    The notes say what is carried as any value or unchecked.
    `decimals` are the formats of numbers and texts that are exact decimal numbers.
    """
    reader = _Reader(document, source, first, decimals)
    operations, webhooks = tuple(reader.operations()), tuple(reader.webhooks())
    schemas = reader.schemas
    if schemas.errors:
        raise PipelineError(*schemas.errors)
    api = Api(source, document.data, schemas.models, schemas.codes, operations, webhooks)
    return api, schemas.notes, reader.readers.agreement(api, schemas.types)


class _Reader:
    def __init__(
        self, document: Document, source: str, first: Reading, decimals: Collection[str]
    ) -> None:
        self.model = DocumentModel(document)
        self.source = source
        self.readers = Readers(self.model, first)
        self.schemas = Schemas(self.model, self.readers, decimals)
        self.error_bodies: dict[str, Type] = {}

    def operations(self) -> Iterator[Operation]:
        for operation in self.model.operations:
            yield self._operation(operation)

    def webhooks(self) -> Iterator[Webhook]:
        """Yield the webhooks that deliver JSON, each with what any of its methods delivers."""
        for name, item in as_dict(self.model.data.get("webhooks")).items():
            at, item = self.model.follow(("webhooks", name), item)
            offered: dict[str, tuple[Schema, dict[str, Any]]] = {}
            others: list[str] = []
            for method, pointer in model.methods(at, item):
                operation = as_dict(self.model.get(pointer))
                where = self.model.follow((*pointer, "requestBody"), operation.get("requestBody"))
                schema = self.model.json(*where)
                if schema is None:
                    others.append(method.upper())
                else:
                    offered[method] = schema, operation
            if others or not offered:
                which = f"{either(others)} of " if offered else ""
                text = f"{which}the webhook delivers no JSON; not supported"
                self.schemas.note(text, ("webhooks", name))
            if offered:
                types = [
                    self.schemas.read(
                        schema.value,
                        schema.pointer,
                        names.pascal(f"{name} {method if len(offered) > 1 else ''} delivery"),
                    )
                    for method, (schema, _) in offered.items()
                ]
                raw = next(operation for _, operation in offered.values())
                if len(offered) > 1:  # what the path item says holds for all
                    raw = {**raw, **{word: item.get(word) for word in ("summary", "description")}}
                yield Webhook(name, self.schemas.one_of(types, at), raw)

    def _operation(self, operation: model.Operation) -> Operation:
        raw, pointer = operation.value, operation.pointer
        hint = names.pascal(raw.get("operationId", f"{operation.method} {operation.path}"))
        return Operation(
            source=self.source,
            method=operation.method.upper(),
            path=operation.sent_path,
            raw=raw,
            pointer=pointer,
            parameters=tuple(
                self._parameter(operation, parameter, hint)
                for parameter in operation.parameters
                if parameter.value["in"] != "path"
                or parameter.value["name"] in operation.path_names
            ),
            success=self._success(operation, hint),
            servers=operation.servers or (),
            bodies=tuple(self._bodies(operation, hint)),
            responses={
                status: resolved(self.model.data, response)
                for status, response in operation.responses.items()
                if isinstance(response, dict)
            },
            failures=tuple(self._failures(operation, hint)),
        )

    def _failures(self, operation: model.Operation, hint: str) -> Iterator[Failure]:
        """Yield the bodies of errors that have a type; one that cannot be read costs no more.

        What `default` says holds for errors also where it is all that is said of a success.
        """
        responses = operation.responses
        for status in sorted(responses.keys() - ({*successes(responses)} - {"default"})):
            at, response = self.model.follow(
                (*operation.pointer, "responses", status), responses[status]
            )
            is_shared = at[:2] == ("components", "responses")
            number = "Default" if status == "default" else status
            for media_type, offered in self._told_apart(at, as_dict(response)):
                more = names.pascal(bare(media_type).rpartition("/")[2]) if media_type else ""
                name = f"{hint}{more}Error{number}"
                if is_shared:
                    name = f"{names.pascal(str(at[2]))}{more}Body"
                place, schema = offered.schema.pointer, offered.schema.value
                type_ = self._error_body(schema, place, name)
                if type_.kind not in ("any", "null"):
                    yield Failure(status, media_type, offered.form, type_, place)

    def _told_apart(
        self, at: Pointer, response: Mapping[str, Any]
    ) -> Iterator[tuple[str, BodyChoice]]:
        """Yield the bodies of an error that are JSON or text, the usual one first, without a name.

        What is no text and has the schema of another one is that one, under another name.
        """
        content = as_dict(response.get("content"))
        at_once = [name for name in content if not is_stream(bare(name))]
        seen: list[Any] = []
        for name in sorted(at_once, key=_rank) or [*content][:1]:
            offered = self.model.offered(at, name, content[name])
            schema = as_dict(content[name]).get("schema")
            is_known = schema in seen and self.model.types((), schema) != {"string"}
            if offered.form in ("json", "text") and not is_known:
                yield bare(name) if seen else "", offered
            seen.append(schema)

    def _error_body(self, schema: Any, place: Pointer, name: str) -> Type:
        """Return the type of the body of an error; what is written alike has one type."""
        key = repr(schema)
        if key not in self.error_bodies:
            errors = self.schemas.errors
            before = len(errors)
            self.error_bodies[key] = self.schemas.read(schema, place, name)
            if errors[before:]:
                del errors[before:]
                self.schemas.note("the body of an error has no model", place)
                self.error_bodies[key] = self.schemas.read({}, place, name)
        return self.error_bodies[key]

    def _parameter(self, operation: model.Operation, node: Node, hint: str) -> Parameter:
        raw, pointer = node.value, node.pointer
        hint += names.pascal(raw.get("x-python-name", raw["name"]))
        where, holder = pointer, raw
        if content := raw.get("content"):
            media_type, holder = next(iter(content.items()))
            where = (*pointer, "content", media_type)
        type_ = self.schemas.read(holder.get("schema", {}), (*where, "schema"), hint)
        own = raw["in"] == "path" or bool(raw.get("required"))
        required = self.readers.parameter(operation.pointer, raw, own)
        return Parameter(raw["name"], raw["in"], type_, required, raw)

    def _bodies(self, operation: model.Operation, hint: str) -> Iterator[Body]:
        """Yield what the request may be; one that says the same as another is noted."""
        if "requestBody" not in operation.value:
            return
        pointer, raw = self.model.request_body(operation)
        offers = self.model.bodies(operation)
        if not offers:
            self.schemas.note("the request body has no content, so none is sent", pointer)
        seen: dict[str, Any] = {}
        for offered in offers:
            place, schema = offered.schema.pointer, offered.schema.value
            name = bare(offered.media_type)
            like = "application/json" if name in ("text/json", "application/*+json") else name
            if seen and seen.get(like) == schema:
                text = f"{place[-2]} is not offered, because it is the same as {like}"
                self.schemas.note(text, place[:-1])
                continue
            seen[name] = schema
            if name == _PATCH and self.model.types(place, schema) == {"object"}:
                self.schemas.note("a JSON patch is an array (RFC 6902): both are accepted", place)
                schema = {"anyOf": [schema, _CHANGES]}
            more = names.pascal(name.rpartition("/")[2]) if len(seen) > 1 else ""
            type_ = self.schemas.read(schema, place, f"{hint}{more}Body")
            media = as_dict(self.model.get(place[:-1]))
            of_parts = offered.form == "bytes" and name.startswith("multipart/")
            yield Body(
                "multipart/*" if of_parts else offered.media_type,  # its boundary is the caller's
                offered.form,
                type_,
                self.readers.body(operation.pointer, offered, bool(raw.get("required"))),
                {**raw, "media": media},
            )

    def _success(self, operation: model.Operation, hint: str) -> Success:
        """Return what the client returns: the first body, and what else may come."""
        pointer: Pointer = (*operation.pointer, "responses")
        responses = operation.responses
        bodies: dict[Any, tuple[list[str], BodyChoice]] = {}
        at: dict[str, tuple[Pointer, Any]] = {
            status: self.model.follow((*pointer, status), responses[status])
            for status in successes(responses)
        }
        for status, response in at.items():
            offered = self._offered(*response)
            key = repr((offered.form, offered.schema.value))
            bodies.setdefault(key, ([], offered))[0].append(status)
        groups = sorted(bodies.values(), key=lambda body: body[1].form == "none")
        contents = [
            self._content(tuple(statuses), body, f"{hint}Response{number or ''}")
            for number, (statuses, body) in enumerate(groups)
        ] or [Content((), "", "none", None)]
        asked = dict.fromkeys(each.media_type for _, each in groups if each.media_type)
        asked |= dict.fromkeys(self._error_types(responses, pointer))
        first, *others = contents
        single = [at[status] for each in contents[:1] for status in each.statuses]
        several = any(each.type for each in others)
        alternatives = () if several else self._alternatives(first, single, hint)
        self._note_unread(at.values(), {each.media_type for each in alternatives})
        return Success(
            first.statuses,
            first.media_type,
            first.form,
            first.type,
            tuple(others),
            ", ".join(asked),
            alternatives,
            self._stream(operation, hint),
        )

    def _note_unread(
        self, responses: Iterable[tuple[Pointer, Any]], alternatives: Collection[str]
    ) -> None:
        """Note the media types of responses that have a schema of their own, and are never read."""
        for at, response in responses:
            content = as_dict(as_dict(response).get("content"))
            at_once = sorted((name for name in content if not is_stream(bare(name))), key=_rank)
            schemas = [as_dict(content[name]).get("schema") for name in at_once]
            for name, schema in zip(at_once, schemas, strict=True):
                if schema != schemas[0] and name not in alternatives:
                    read = at_once[0]
                    text = f"{name} is not read, only {read}; where it comes, use with_raw_response"
                    self.schemas.note(text, (*at, "content", name))

    def _content(self, statuses: tuple[str, ...], offered: BodyChoice, hint: str) -> Content:
        type_ = None
        if offered.form != "none":
            type_ = self.schemas.read(offered.schema.value, offered.schema.pointer, hint)
        return Content(statuses, offered.media_type, offered.form, type_)

    def _alternatives(
        self, first: Content, responses: Sequence[tuple[Pointer, Any]], hint: str
    ) -> tuple[Content, ...]:
        """Return what each of some responses may be instead, one for each media type."""
        offered = [as_dict(as_dict(response).get("content")) for _, response in responses]
        contents: dict[str, Content] = {}
        for name in offered[0] if offered else ():
            known = {bare(first.media_type), *map(bare, contents), "*/*", "application/*"}
            everywhere = all(name in each for each in offered)
            if bare(name) in {*known, *FORMS} or is_stream(bare(name)) or not everywhere:
                continue
            made = self.model.offered(responses[0][0], name, offered[0][name])
            more = names.pascal(bare(name).rpartition("/")[2])
            contents[name] = self._content(first.statuses, made, f"{hint}{more}Response")
        return tuple(contents.values())

    def _stream(self, operation: model.Operation, hint: str) -> Stream | None:
        """Return what comes piece by piece; None where nothing does."""
        streams = self.model.streams(operation)
        if not streams:
            return None
        place, media = streams[0]
        is_alone = len(streams) == len([*self.model.contents(operation)])
        name = str(place[-1])
        for other, _ in streams[1:]:
            if bare(str(other[-1])) != bare(name):
                self.schemas.note(f"{other[-1]} is never asked for, only {name} is read", other)
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
        for number, payload in enumerate(self.model.data_of_events(place, schema)):
            if self.model.types(payload.pointer, payload.value) <= {"string", "null"}:
                return None
            types.append(self.schemas.read(payload.value, payload.pointer, f"{hint}{number or ''}"))
        return self.schemas.one_of(types, place)

    def _offered(self, pointer: Pointer, message: Mapping[str, Any]) -> BodyChoice:
        """Return the body of a response that comes first in the order of preference.

        A stream is read piece by piece, and as a whole only where there is nothing else.
        """
        content = message.get("content", {})
        at_once = [name for name in content if not is_stream(bare(name))]
        if not content:
            return BodyChoice("", "none", Schema(pointer, {}))
        media_type = min(at_once or content, key=_rank)
        return self.model.offered(pointer, media_type, content[media_type])

    def _error_types(self, responses: Mapping[str, Any], pointer: Pointer) -> Iterator[str]:
        """Yield the media types of errors, without ranges: they would allow any success."""
        for status in sorted(responses.keys() - successes(responses)):
            _, response = self.model.follow((*pointer, status), responses[status])
            yield from (name for name in response.get("content", {}) if "*" not in name)


def _rank(media_type: str) -> tuple[bool, ...]:
    """Return the order of preference: JSON, other JSON, text, anything else."""
    name = bare(media_type)
    return name != "application/json", not name.endswith("+json"), not name.startswith("text/")
