"""The bodies of errors, in the form that a document gives them (§7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

from social_publishing_sandbox.state.documents import Document, DocumentedResponse, Json
from social_publishing_sandbox.state.samples import samples
from social_publishing_sandbox.state.views import ANY

_MESSAGE: Final = frozenset(
    {
        "message",
        "error",
        "detail",
        "description",
        "reason",
        "msg",
        "text",
        "errormessage",
        "errordescription",
    }
)
_CODE: Final = frozenset({"code", "ecode", "errorcode", "type", "kind"})
_STATUS: Final = frozenset({"status", "statuscode", "httpstatus", "code"})
_ERRORS: Final = frozenset({"errors", "details", "violations", "problems", "fields", "fielderrors"})
_PLACES: Final = frozenset({"field", "name", "path", "attribute", "property", "key", "pointer"})
"""What the members of an error are usually called: in small letters, of letters alone."""
_TOLD: Final = _MESSAGE | _CODE | _STATUS | _ERRORS | {"title"}

_DEPTH: Final = 4
"""How deep optional members are given; a schema can contain itself."""


def error_body(
    document: Document,
    documented: DocumentedResponse,
    message: str,
    errors: Mapping[str, list[str]],
) -> Any:
    """Return the body of an error: what is said of it, where the document has a place for that.

    Args:
        errors: sentences by the field that is at fault.
    """
    host = "error" if document.name == "media" else "message"
    if documented.schema is None:
        return {host: message}
    members = documented.members(document)
    facts: Json = {
        "title": "The request was refused",
        "message": message,
        "e_code": [*members.get("e_code", {}).get("x-extensible-enum", ()), "GENERAL"][0],
        "errors": errors,
        "error": message,
    }
    maker = _Maker(document, documented.status, facts)
    told = {name: maker.given(node, name) for name, node in members.items() if name in facts}
    body = {
        name: each
        for name, each in told.items()
        if document.validator(members[name]).is_valid(each)
    }
    if body and document.validator(documented.schema).is_valid(body):
        return body
    return maker.made(documented.schema, "", 0)


class _Maker:
    """Makes a body of any form: each member by its name, otherwise by its schema."""

    def __init__(
        self, document: Document, status: int, facts: Json, own: Mapping[str, str] | None = None
    ) -> None:
        self._document, self._facts, self._own = document, facts, own or {}
        known = status in HTTPStatus.__members__.values()
        self._status, self._code = status, HTTPStatus(status).name if known else facts["e_code"]

    def given(self, schema: Json, name: str) -> Any:
        """Return what is said under a name of ours, as it is where that fits."""
        known = self._facts[name]
        if self._document.validator(schema).is_valid(known):
            return known
        return self.made(schema, name, 1)

    def made(self, schema: Json, name: str, depth: int) -> Any:
        """Return a value for the member of this name; one that does not fit, if none can be made.

        A member of an unknown name has the message, too, if it has to be a text.
        """
        valid = self._document.validator(schema).is_valid
        last: Any = None
        for last in self._values(self._whole(schema), name, depth):
            if valid(last):
                return last
        return last

    def _values(self, node: Json, name: str, depth: int) -> Iterator[Any]:
        if depth > 2 * _DEPTH:  # only a schema that nothing fits demands more
            return
        for branch in (*node.get("anyOf", ()), *node.get("oneOf", ())):
            yield self.made(branch, name, depth)
        properties: Json = node.get("properties", {})
        if _plain(name) in _ERRORS and not properties:
            yield from self._forms_of_errors(node, depth + 1)
        if properties:
            required = node.get("required", ())
            told = [name for name in properties if depth <= _DEPTH and self._told(name)]
            for wanted in ({*required, *told}, required):
                yield {n: self.made(properties[n], n, depth + 1) for n in properties if n in wanted}
        elif "items" in node:
            yield [self.made(node["items"], name, depth + 1)] * max(1, node.get("minItems", 1))
        else:
            yield from self._leaves(node, name)
        yield from (*node.get("examples", ()), *ANY, *samples(node), [])

    def _forms_of_errors(self, node: Json, depth: int) -> Iterator[Any]:
        """Yield errors by field in every form that they can have (`error.fields`): for each field
        a list or one entry, or a list of all; an entry is a text, or an object of any members.
        """
        errors: Mapping[str, list[str]] = self._facts["errors"]
        pairs = [(field, text) for field, texts in errors.items() for text in texts]
        yield errors
        yield [f"{field}: {text}" for field, text in pairs]
        if isinstance(items := node.get("items"), dict):
            yield [self._entry(items, *pair, depth, listed=True) for pair in pairs]
        if isinstance(inner := node.get("additionalProperties"), dict):
            if isinstance(items := self._whole(inner).get("items"), dict):
                yield {
                    field: [self._entry(items, field, text, depth) for text in texts]
                    for field, texts in errors.items()
                }
            yield {
                field: self._entry(inner, field, " ".join(texts), depth)
                for field, texts in errors.items()
            }

    def _entry(
        self, schema: Json, field: str, text: str, depth: int, *, listed: bool = False
    ) -> Any:
        """Return what is said of one field. Where no member has a usual name for the text, the
        first of an unusual one has it; so is the field in an entry that is `listed` with others.
        """
        names = [_plain(each) for each in self._whole(schema).get("properties", {})]
        unusual = [each for each in names if each not in _TOLD | _PLACES]
        own = dict.fromkeys(_PLACES, field)
        if listed and unusual and len(names) > 1 and _PLACES.isdisjoint(names):
            own[unusual.pop(0)] = field
        if unusual and _MESSAGE.isdisjoint(names):
            own[unusual[0]] = text
        facts = {**self._facts, "message": text, "errors": {field: [text]}}
        return _Maker(self._document, self._status, facts, own).made(schema, "message", depth)

    def _leaves(self, node: Json, name: str) -> Iterator[Any]:
        plain, seen = _plain(name), node.get("x-extensible-enum", ())
        listed = [*node.get("enum", ()), *seen]
        message = self._facts["message"]
        if plain in self._own:
            yield self._own[plain]
        if plain in _CODE:
            alike = (each for each in listed if _plain(str(each)) == _plain(self._code))
            yield from alike
            yield from listed or [self._code]
        if plain in _STATUS:
            yield from (self._status, str(self._status))
        if plain in _MESSAGE:
            yield from (message, message[: node.get("maxLength")])
        if plain == "title":
            yield self._facts["title"]
        yield from (node[word] for word in ("default", "const") if word in node)
        yield from (*node.get("examples", ()), *listed, None, message)
        yield message[: node.get("maxLength")]

    def _told(self, name: str) -> bool:
        return _plain(name) in _TOLD or _plain(name) in self._own

    def _whole(self, schema: Json) -> Json:
        """Return a schema with what its references and all parts of an `allOf` say."""
        node = self._document.resolve(schema)
        for part in map(self._whole, node.get("allOf", ())):
            properties = {**part.get("properties", {}), **node.get("properties", {})}
            required = [*part.get("required", ()), *node.get("required", ())]
            node = {**part, **node, "properties": properties, "required": required}
        return node


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))
