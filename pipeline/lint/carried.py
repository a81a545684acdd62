"""Report what a client cannot carry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pipeline.lint.run import Rule, Run, Severity
from pipeline.openapi.documents import Pointer
from pipeline.openapi.media_types import (
    EVENTS,
    FORMS,
    bare,
    is_json,
    is_stream,
    is_text,
    listed,
    small,
)
from pipeline.openapi.model import PATH_NAME, TOKEN, Operation, Schema, why_ignored
from pipeline.openapi.objects import Node, as_dict, as_list
from pipeline.openapi.security import place_of, schemes, slot_of, wanted
from pipeline.openapi.servers import address
from pipeline.openapi.wording import brief, either, near

_STYLES: Final = {
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "path": ("simple", "label", "matrix"),
    "header": ("simple",),
    "cookie": ("form", "cookie"),
}
_UNCHECKED: Final = (
    "not", "if", "dependentSchemas", "prefixItems", "patternProperties",
    "uniqueItems", "dependentRequired", "contains",
)  # fmt: skip


def _parameters(run: Run) -> None:
    """Parameters can be written into a URL or a header."""
    for node in run.of("parameter"):
        name, place = node.value.get("name"), node.value.get("in")
        if "$ref" in node.value or not isinstance(name, str) or not isinstance(place, str):
            continue
        if not name:
            run.report((*node.pointer, "name"), "parameter: the name is empty", "parameter")
        elif place == "querystring":
            text = f"parameter {name}: a whole query string is carried as a form with properties, "
            text += "application/x-www-form-urlencoded; or name its fields by parameters in: query"
            run.report(node.pointer, text, "carry")
        elif place in _STYLES:
            for member, problem in _problems(run, node, place):
                run.report((*node.pointer, member), f"parameter {name}: {problem}", "carry")
        schema = Schema((*node.pointer, "schema"), node.value.get("schema"))
        _deep_arrays(run, node, f"parameter {name}", schema)


def _deep_arrays(run: Run, node: Node, title: str, schema: Schema) -> None:
    """Note arrays in the style `deepObject`."""
    if node.value.get("style") != "deepObject" or "x-array-brackets" in node.value:
        return
    within = run.members(schema).values()
    if any("array" in run.types(each.pointer, each.value) for each in (schema, *within)):
        text = f"{title}: OpenAPI does not say how deepObject writes an array; its name is "
        text += "repeated, as in a=1&a=2; for a[]=1&a[]=2, add x-array-brackets: true"
        update = {"x-array-brackets": True}
        run.report(node.pointer, text, "carry", "note", update=update)


def _problems(run: Run, node: Node, place: str) -> Iterator[tuple[str, str]]:
    """Yield members of a parameter that cannot be carried, and why."""
    style = node.value.get("style")
    is_token = TOKEN.fullmatch(str(node.value.get("name")))
    if place in ("header", "cookie") and not is_token and not why_ignored(node.value):
        yield "name", f"no {place} can have this name"
    if isinstance(style, str) and style not in _STYLES[place]:
        yield "style", f"style {style} in {place} is not supported, only {either(_STYLES[place])}"
    elif str(style).endswith("Delimited") and node.value.get("explode") is True:
        yield "explode", f"style {style} cannot be exploded; write explode: false"
    for at, part in run.applied((*node.pointer, "schema"), node.value.get("schema")):
        if "items" in part and run.types((*at, "items"), part["items"]) & {"object", "array"}:
            yield (
                "schema",
                (
                    "OpenAPI cannot serialize an array of objects or arrays in a parameter; if it "
                    "is sent as JSON, use `content: {application/json: {schema: …}}`"
                ),
            )


def _streams(run: Run) -> None:
    """A sequence of items comes as a whole, if it is no stream; parts of a form have names."""
    for node in run.of("media type"):
        for key in ("itemSchema", "itemEncoding", "prefixEncoding"):
            if key in node.value and bare(name := str(node.pointer[-1])) == FORMS[0]:
                if key != "itemSchema" and run.has_fields(node.pointer) and "schema" in node.value:
                    text = "not used, since the parts have names: write it as encoding"
                    _report(run, node, key, text, "note")
                else:
                    _report(run, node, key, "parts without names are not supported")
            elif key in node.value and bare(name).startswith("multipart/"):
                hint = _by_hand(bare(name), comes="responses" in node.pointer)
                _report(run, node, key, f"parts without names are read as bytes; {hint}", "note")
            elif key in node.value and not is_stream(bare(str(node.pointer[-1]))):
                _report(run, node, key, "not supported; the body is text or bytes", "note")


def _events(run: Run) -> None:
    """The schema of events may be that of their data, or of the events with all their fields."""
    for node in run.of("media type"):
        at = (*node.pointer, "schema")
        if bare(str(node.pointer[-1])) == EVENTS and "schema" in node.value:
            (first, *_) = run.data_of_events(at, node.value["schema"])
            if first.pointer != at:
                text = "has the fields of an event, so it describes the event; `data` is its data"
                _report(run, node, "schema", text, "note")


def fieldless(run: Run, pointer: Pointer, media: Any) -> list[str]:
    """Return the types of the values of a form, where none of them can have fields."""
    kinds = run.types((*pointer, "schema"), as_dict(media).get("schema")) - {"null"}
    return [] if "object" in kinds else sorted(kinds)


def _bodies(run: Run) -> None:
    """Bodies of another type than JSON, or a form that is sent, are text or bytes."""
    for node in run.of("response", "request body"):
        content, comes = as_dict(node.value.get("content")), node.kind == "response"
        fields = {name for name in content if is_json(bare(name)) or "*" in name}
        if comes and fields:
            continue
        for name in content:
            at = (*node.pointer, "content", name)
            kinds = run.types((*at, "schema"), as_dict(content[name]).get("schema"))
            if not comes and bare(name) in FORMS and (without := fieldless(run, at, content[name])):
                run.report(at, f"content: a form has fields, {either(without)} none", "carry")
            if name in fields or (not comes and run.has_fields(at)):
                continue
            if kinds - {"string", "null"} and not is_stream(bare(name)):
                types = either(sorted(kinds))
                kind = "text" if is_text(bare(name)) else "bytes"
                way = f"{'comes' if comes else 'is given'} as {kind}"
                text = f"content: a body of type {name} {way}, not as {types}"
                if bare(name).startswith("multipart/"):
                    text += f"; {_by_hand(bare(name), comes=comes)}"
                    text += "" if comes else ", or make it multipart/form-data"
                run.report(at, text, "carry", "note")


def _by_hand(name: str, *, comes: bool) -> str:
    """Return how the parts of a body are read or written that has no fields."""
    if comes:
        return "the boundary is in the header Content-Type, of with_raw_response"
    return f"write its parts, and give content_type='{name}; boundary=…'"


def _parts(run: Run) -> None:
    """Parts of a form have the header fields that the client gives them."""
    for node in run.of("encoding"):
        if node.value.get("headers"):
            _report(run, node, "headers", "of a part are not sent", "note")
        for key in ("encoding", "itemEncoding", "prefixEncoding"):
            if key in node.value:
                text = "parts inside of a part are not written: give the part as bytes or a file"
                _report(run, node, key, text, "note")
        said = node.value.get("contentType")
        if isinstance(said, str) and not listed(said):
            _report(run, node, "contentType", f"{brief(said)} is no media type; not sent", "note")
        media, name = node.pointer[:-2], str(node.pointer[-1])
        is_sent = run.kinds.get(media[:-2]) == "request body" and run.has_fields(media)
        if node.pointer[-2] != "encoding" or not is_sent:
            continue
        for word in ("style", "explode") if bare(str(media[-1])).startswith("multipart/") else ():
            if node.value.get(word, True) not in ("form", True):
                text = "is not used of a part: each item of a list is one, an object is JSON"
                _report(run, node, word, text, "note")
        fields = _fields(run, Schema((*media, "schema"), as_dict(run.get(media)).get("schema")))
        if name not in fields:
            text = f"encoding: the schema has no property {name}; not used{near(name, fields)}"
            run.report(node.pointer, text, "carry", "note")
            continue
        if bare(str(media[-1])) == FORMS[1]:
            _deep_arrays(run, node, f"field {name}", fields[name])
        if _is_written_as_json(run, fields[name]) and not _allows_json(said):
            text = f"{brief(said)} of an object is not supported, it is sent as JSON; to write it "
            text += "yourself, make the property `type: string`"
            _report(run, node, "contentType", text, "note")


def _fields(run: Run, schema: Schema) -> dict[str, Schema]:
    """Return the fields of a form, those of its alternatives, too."""
    return {
        name: Schema((*at, "properties", name), value)
        for at, part in run.applied(schema.pointer, schema.value, "anyOf", "oneOf")
        for name, value in as_dict(part.get("properties")).items()
    }


def _is_written_as_json(run: Run, field: Schema) -> bool:
    """Return whether a field of a form is an object, or has objects among its items."""
    items = run.items(field)
    inner = run.types(items.pointer, items.value) if items else set()
    return "object" in run.types(field.pointer, field.value) | inner


def _allows_json(said: Any) -> bool:
    """Return whether a field of a form may be JSON, by its media types and ranges."""
    names = map(bare, listed(said))
    return not listed(said) or any(is_json(name) or "*" in name for name in names)


def _media_types(run: Run) -> None:
    """Media types are written in small letters; parts with names have one type."""
    for node in run.of("media type"):
        name = str(node.pointer[-1])
        if small(name) != name:
            text = f"content: {name} is {small(name)}; write media types in small letters"
            run.report(node.pointer, text, "carry", run.house)
        elif name == "multipart/*" and run.has_fields(node.pointer):
            text = f"content: {name} of an object is sent as {FORMS[0]}; write this"
            run.report(node.pointer, text, "carry", run.house)


def _servers(run: Run) -> None:
    """Operations that have servers of their own say where these are; a document says so, too."""
    for operation in run.operations:
        if operation.servers is None:
            text = "servers: incomplete address; it needs a host, and a default for each variable"
            run.report(operation.pointer, text, "carry")
    servers = as_list(as_dict(run.data).get("servers"))
    for index, server in enumerate(map(as_dict, servers)):
        url = str(server.get("url", ""))
        declared = as_dict(server.get("variables"))
        unknown = [each for each in PATH_NAME.findall(url) if each not in declared]
        if unknown:
            why = f"declare {' and '.join(unknown)} among its variables, each with a default"
        elif index and address([server]) is None:
            why = "write it with https and its host"
        else:
            continue
        text = f"servers[{index}]: {brief(url)} cannot be chosen: {why}, or give base_url"
        run.report(("servers", index, "url"), text, "carry", "note")


def _security(run: Run) -> None:
    """Operations need nothing of the user, or something that a request can carry."""
    defined = schemes(run.data)
    slots = {name: slot_of(scheme) for name, scheme in defined.items()}
    carried = {name for name, scheme in defined.items() if place_of(scheme)}
    for operation in run.operations:
        needs = wanted(run.data, operation.value) or [()]
        if all(set(each) - carried for each in needs):
            others = sorted(set().union(*needs) - carried)
            missing = [name for name in others if name not in defined]
            own = "security" in operation.value
            at = (*operation.pointer, "security") if own else operation.pointer
            if missing:
                text = f"security: components.securitySchemes does not define {either(missing)}"
                run.report(at, text, "security")
            else:
                text = f"security: no request can carry {either(others)}"
                of_http = all(defined[each].get("type") == "http" for each in others)
                if is_foreign := of_http and run.house == "note":
                    text += "; a middleware can add it"
                run.report(at, text, "carry", "note" if is_foreign else "error")
        else:
            _alternatives(run, operation, carried, defined)
        for each in needs:
            taken = [slots[name] for name in each if slots.get(name)]
            if len({*taken}) < len(taken):
                text = (
                    f"security: {' and '.join(each)} are written to one place; one of them counts"
                )
                run.report(operation.pointer, text, "carry", "note")
    is_said = any(wanted(run.data, each.value) is not None for each in run.operations)
    if any(slots.values()) and run.operations and not is_said:
        text = "no `security` asks for them: sent with every request; `security: []` sends none"
        run.report(("components", "securitySchemes"), text, "carry", "note")


def _alternatives(
    run: Run, operation: Operation, carried: set[str], defined: Mapping[str, Any]
) -> None:
    """Report alternatives of an operation that no request can carry; it has others."""
    holder, at = operation.value, (*operation.pointer, "security")
    if "security" not in holder:
        holder, at = run.data, ("security",)
    for index, each in enumerate(as_list(holder.get("security"))):
        others = sorted(set(as_dict(each)) - carried)
        if missing := [name for name in others if name not in defined]:
            text = (
                f"security[{index}]: components.securitySchemes does not define {either(missing)}"
            )
            text += "; not used: define it there, or leave it out here"
            run.report((*at, index), text, "security", run.house)
        elif others:
            text = f"security[{index}]: no request can carry {either(others)}; not used: "
            text += "one of the others will do, or a middleware of yours"
            run.report((*at, index), text, "carry", "note")
        elif any(place_of(defined[name]) == "connection" for name in as_dict(each)):
            text = f"security[{index}]: the certificate is that of your http_client"
            run.report((*at, index), text, "carry", "note")


def _callbacks(run: Run) -> None:
    """Callbacks are not carried; links in a document of one's own are for its tests."""
    keys = ["callbacks"] + (["links"] if run.house == "note" else [])
    for node in run.of("operation", "response"):
        for key in keys:
            if node.value.get(key):
                _report(run, node, key, "not supported in a client", "note")


def _false_schemas(run: Run) -> None:
    """The schema `false` closes an object or an array, or stands where it is not checked."""
    closing = (
        "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "items",
        "propertyNames", "then", "else",
    )  # fmt: skip
    for node in run.nodes:
        if node.kind == "schema" and node.value is False:
            word, key = node.pointer[-2:]
            inside = run.kinds.get(node.pointer[:-1]) != "schema"
            if word in _UNCHECKED if inside else key in (*_UNCHECKED, *closing):
                continue
            text = f"{key}: the schema false allows no value; leave it out"
            severity = run.house if word == "properties" else "error"
            run.report(node.pointer, text, "carry", severity)


def _unchecked_keywords(run: Run) -> None:
    """Schemas use keywords that types and limits can say."""
    for node in run.of("schema"):
        unchecked = [key for key in _UNCHECKED if key in node.value]
        if isinstance(node.value.get("unevaluatedProperties"), dict):
            unchecked.append("unevaluatedProperties")
        for key in unchecked:
            text = "not supported in Python types; the value is typed as Any or not checked"
            _report(run, node, key, text, "note")


def _schema_references(run: Run) -> None:
    """References of schemas are read from the root of the document, and no schema holds itself."""
    for node in run.of("schema"):
        if "$dynamicRef" in node.value:
            _report(run, node, "$dynamicRef", "is not supported; use a $ref")
        if "allOf" in node.value and run.holds_itself(node.pointer, node.value):
            _report(run, node, "allOf", "the schema contains itself, which adds nothing", run.house)
        if node.pointer in run.circles.extending:
            at, _ = run.follow(node.pointer, node.value)
            if at in run.circles.holders:
                text = f"{run.title(at)} has alternatives that lead back here; read without them"
                run.report(node.pointer, text, "carry", "note")


def _enumerations(run: Run) -> None:
    """The members of an enumeration are single values."""
    for node in run.of("schema"):
        if not isinstance(node.value.get("enum"), list):
            continue
        kinds = {type(item) for item in node.value["enum"]} - {type(None)}
        if kinds & {dict, list}:
            _report(run, node, "enum", "members that are objects or arrays are not supported")
        elif kinds & {float}:
            text = "an enumeration of fractions is not supported; not checked"
            _report(run, node, "enum", text, "note")


def _report(run: Run, node: Node, key: str, message: str, severity: Severity = "error") -> None:
    run.report((*node.pointer, key), f"{key}: {message}", "carry", severity)


RULES: Final[tuple[Rule, ...]] = (
    _parameters,
    _streams,
    _events,
    _bodies,
    _parts,
    _media_types,
    _servers,
    _security,
    _callbacks,
    _false_schemas,
    _unchecked_keywords,
    _schema_references,
    _enumerations,
)
