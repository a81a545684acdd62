"""What stood in an exchange, and whether a document allows it.

A sighting names the nodes of the document that it is about. So the same exchange, held against the
documents with and without their overlays, shows what an overlay makes right or wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pipeline.evidence import exchanges
from pipeline.evidence.documented import Documented, Part, Problem
from pipeline.evidence.naming import named_in_refusal, paired, plain
from pipeline.evidence.routes import Call, shown_name
from pipeline.evidence.values import (
    date_form,
    dated_like,
    fits_alone,
    is_code,
    is_moment,
    number_or_text,
    offset_of,
    shown,
    shown_type,
)  # fmt: skip
from pipeline.openapi.documents import Pointer, found
from pipeline.openapi.extensions import RateLimit
from pipeline.openapi.media_types import bare, is_json
from pipeline.openapi.model import Operation
from pipeline.openapi.objects import Node, as_dict
from pipeline.openapi.parameters import is_repeated, values_in
from pipeline.openapi.wording import takes, typed

MILD: Final = frozenset({"field", "null", "value"})
"""Problems that speak against no assumption: what is read may have more than is documented."""

LIMITS: Final = frozenset(
    f"{end}{what}" for end in ("min", "max") for what in ("Items", "Length", "Properties", "imum")
)
_FORMS: Final = LIMITS | {"format", "pattern"}
# They come from the way to the service and not from the operation.
NOT_ITS_OWN: Final = frozenset({405, 406, 407, 408, 421, 425, 426, 429, 431, 451})
PAGES: Final = ("text/html", "text/plain")
UNIT: Final = ("x-rate-limit", "format")
"""Where a document says in what the end of a window is written."""
_SINCE_1970: Final = {"seconds": 1, "milliseconds": 1000}
_FIRST_SECOND: Final = 10**6  # a smaller number counts the seconds that are left
_LAST_SECOND: Final = 10**11


@dataclass(frozen=True, eq=False, repr=False)
class Sighting:
    """One thing that stood in an exchange.

    Attributes:
        nodes: the nodes of the document that say something of it; a parameter is found under
            `parameters` of its operation by its name, a required member by its own.
        text: what it is, in a few words that hold nothing personal.
        problem: what the document has against it; empty for nothing.
        sent: whether a client wrote it, which proves little.
        weak: whether it fits, and shows nothing.
    """

    call: Call
    nodes: tuple[Pointer, ...]
    text: str
    problem: Problem = ""
    value: Any = None
    sent: bool = False
    weak: bool = False


def sightings(document: Documented, operation: Operation, call: Call) -> Iterator[Sighting]:
    """Yield everything in an exchange that a document has a place for, or should have one for."""
    yield from _query(document, operation, call)
    at, body = document.model.request_body(operation)
    yield from _request_body(document, operation, call, body or {}, at)
    yield from _response(document, operation, call)


# Requests


def parameter_node(operation: Operation, name: str) -> Pointer:
    """Return the node under which a parameter of an operation is seen, wherever it is written."""
    return (*operation.pointer, "parameters", name)


def _query(document: Documented, operation: Operation, call: Call) -> Iterator[Sighting]:
    given = dict(call.exchange.query)
    parameters = operation.sent_in("query")
    known = {*parameters}
    for name, parameter in parameters.items():
        if "object" in (document.types((*parameter.pointer, "schema")) or ()):
            known |= {*as_dict(parameter.value.get("schema")).get("properties", ())}
            known |= {each for each in given if each.startswith(f"{name}[")}
    strange = [name for name in given if name not in known]
    for name in strange:
        state = "accepted" if call.ok else f"status {call.exchange.status}"
        text = f"{shown_name(name)} of {operation.title}: {state}"
        node = parameter_node(operation, name)
        yield Sighting(call, (node,), text, "query parameter", sent=True)

    def fits(name: str, other: str) -> bool:
        at = (*parameters[name].pointer, "schema")
        forms = (
            {key: part[key] for key in _FORMS - LIMITS & {*part}} for _, part in document.parts(at)
        )
        return other not in given or all(fits_alone(form, given[other]) for form in forms)

    must = [name for name, node in parameters.items() if node.value.get("required") is True]
    nodes = {name: node.value for name, node in parameters.items()}
    if call.ok:
        # A client that has its names from elsewhere knows how an optional one is called.
        wanted = [name for name in nodes if name not in given and (call.foreign or name in must)]
        instead = paired({name: nodes[name] for name in wanted}, strange, fits, given, must)
        for name in wanted:
            if name in must or name in instead:
                yield _without(operation, call, name, instead.get(name), strange)
    elif call.exchange.status in (400, 422):
        yield from _asked_for(document, operation, call, nodes, must)
    for name, parameter in parameters.items():
        yield from _parameter(document, operation, call, name, parameter)
    yield from _page(operation, call)


def _without(
    operation: Operation, call: Call, name: str, instead: str | None, strange: Sequence[str]
) -> Sighting:
    others = ", ".join(map(shown_name, [instead] if instead else strange))
    text = f"accepted without {name}{', with ' if others else ''}{others}"
    node = parameter_node(operation, name)
    return Sighting(call, (node,), text, "missing", value=instead, sent=True)


def _asked_for(
    document: Documented, operation: Operation, call: Call,
    nodes: Mapping[str, Mapping[str, Any]], must: Sequence[str],
) -> Iterator[Sighting]:  # fmt: skip
    """Yield what a refusal names that the operation does not have."""
    at, body = document.model.request_body(operation)
    schema = schema_of(body or {}, at, call.exchange.request.media_type)
    fields = document.members(schema)[0] if schema else {}
    known = {plain(name) for name in (*nodes, *fields)}
    known |= {plain(str(each.value.get("name"))) for each in operation.parameters}
    strange = [name for name in named_in_refusal(call) if plain(name) not in known]
    sent = {name for name, _ in call.exchange.query}
    wanted = {name: node for name, node in nodes.items() if name in must or name in sent}
    instead = {} if fields else paired(wanted, strange, lambda *_: True, {}, must)
    for name, other in instead.items():
        text = f"{call.exchange.status} asks for {shown_name(other)}, not {name}"
        yield Sighting(call, (parameter_node(operation, name),), text, "name", other, sent=True)
    for other in strange:
        if other not in instead.values():
            text = f"{call.exchange.status} names {shown_name(other)}, which is not documented"
            yield Sighting(call, (operation.pointer,), text, "name", sent=True)


def _page(operation: Operation, call: Call) -> Iterator[Sighting]:
    """Yield what a page says of itself that is not what was asked for."""
    paging = operation.words.paging
    if not call.ok or paging is None or paging.page is None:
        return
    node, body = parameter_node(operation, paging.page), call.exchange.response.value
    asked = dict(call.exchange.query).get(paging.page)
    current = found(body, tuple(paging.current.split("."))) if paging.current else None
    if asked is not None and isinstance(current, int | str) and str(current) != asked:
        text = f"page {shown(number_or_text(asked))} was requested, {shown(current)} came"
        yield Sighting(call, (node,), text, "page")
    following = found(body, tuple(paging.next.split("."))) if paging.next else None
    if paging.cursor is None and isinstance(following, str):
        query = exchanges.query_of(following.partition("?")[2].partition("#")[0])
        known = {*dict(call.exchange.query), *operation.sent_in("query")}
        others = [name for name, _ in query if name not in known]
        if query and paging.page not in dict(query):
            value = others[0] if len(others) == 1 else None
            text = f"the address of the next page lacks {paging.page}"
            text += f", with {', '.join(map(shown_name, others))}" if others else ""
            yield Sighting(call, (node,), text, "page", value)


def _parameter(
    document: Documented, operation: Operation, call: Call, name: str, parameter: Node
) -> Iterator[Sighting]:
    node = parameter_node(operation, name)
    given = [value for key, value in call.exchange.query if key == name]
    if not given:
        return
    yield Sighting(call, (node,), f"{name} of {operation.title}", sent=True)
    at = (*parameter.pointer, "schema")
    parts = [part for _, part in document.parts(at)]
    is_array = "array" in (document.types(at) or ())
    texts = values_in(parameter.value, call.exchange.query, is_array=is_array)
    if len(given) > 1 and not (is_array and is_repeated(parameter.value)):
        text = f"{name} again for each value"
        yield Sighting(call, ((*node, "style"),), text, "form", sent=True)
    elif len(texts) > 1 and not any(" " in text or not text for text in texts):
        yield Sighting(call, ((*node, "style"),), f"{len(texts)} values as {name}", sent=True)
    value: Any = texts if is_array else number_or_text(given[0])
    for part in parts:
        if not fits_alone({key: part[key] for key in LIMITS & set(part)}, value):
            text = f"{len(texts)} values as {name}" if is_array else f"{shown(value)} as {name}"
            yield Sighting(call, ((*node, "schema", "limits"),), text, "form", sent=True)
    own = [each for part in parts for each in (part, as_dict(part.get("items")))]
    form = {key: each[key] for each in own for key in each.keys() & _FORMS - LIMITS}
    codes = next((part[key] for part in parts for key in CODES if key in part), None)
    kinds = document.types((*at, "items") if is_array else at) or ()
    is_numeric = bool(kinds) and {*kinds} <= {"integer", "number", "null"}
    for text in filter(None, texts):
        problem: Problem = ""
        if not fits_alone(form, text) or (is_numeric and not _NUMBER.fullmatch(text)):
            problem = "form"
        elif codes is not None and text not in map(str, codes):
            problem = "value"
        seen = f"{shown(text)} as {name}"
        yield Sighting(call, ((*node, "schema"),), seen, problem, number_or_text(text), sent=True)


_NUMBER: Final = re.compile(r"[-+]?[0-9]+([.][0-9]+)?")
CODES: Final = ("enum", "x-extensible-enum")


def _request_body(
    document: Documented, operation: Operation, call: Call, body: Mapping[str, Any], at: Pointer
) -> Iterator[Sighting]:
    sent, content = call.exchange.request, body.get("content") or {}
    if sent.kind != "none" and sent.media_type and sent.media_type not in content:
        text = f"{shown_type(sent.media_type)} sent to {operation.title}"
        yield Sighting(call, (at,), text, "media type", sent=True)
    schema = schema_of(body, at, sent.media_type)
    if schema and sent.kind == "json":
        yield from walk(document, call, schema, sent.value, sent=True)


# Responses


def _unit(document: Documented, rate: RateLimit, call: Call, value: int | str) -> Sighting:
    """Return in what the end of a window came; the year 5138 is the last in seconds.

    A number that is no time of this century counts from the response on, which a document that
    says no unit leaves open.
    """
    if isinstance(value, str) or value < _FIRST_SECOND:
        unit = "duration"
    else:
        unit = "milliseconds" if value >= _LAST_SECOND else "seconds"
    is_said = "format" in as_dict(document.model.data.get("x-rate-limit"))
    is_read = isinstance(value, str) or unit == rate.format
    is_other = not is_read and (unit == "milliseconds" or is_said)
    said = "seconds from the response on" if unit == "duration" else unit
    text = f"{rate.reset} in {said}, not {rate.format}" if is_other else f"{rate.reset} in {said}"
    return Sighting(call, (UNIT,), text, "form" if is_other else "", value=unit)


def _response(document: Documented, operation: Operation, call: Call) -> Iterator[Sighting]:
    status, body = call.exchange.status, call.exchange.response
    follow = document.model.follow
    at, responses = follow((*operation.pointer, "responses"), operation.value.get("responses", {}))
    if body.kind != "none" and body.media_type in PAGES:
        # Something on the way responded, with a page for people: it shows nothing of its codes.
        text = f"{body.media_type} from {operation.title}, {status}"
        yield Sighting(call, (at,), text, "media type", weak=not (call.ok or call.is_other))
        return
    code = next((c for c in (str(status), f"{status // 100}XX", "default") if c in responses), "")
    place, response = follow((*at, code), responses.get(code) or {})
    content = response.get("content") or {}
    schema = schema_of(response, place, body.media_type) if body.kind == "json" else None
    node = (*at, str(status))
    if code != str(status) and status != 304:
        # A new code of the operation's own speaks against all codes of its kind that are known.
        kind = () if status >= 500 or status in NOT_ITS_OWN else ((*at, f"{status // 100}??"),)
        text = f"{status} of {operation.title}"
        # What `default` or a range of codes stands for was to be expected.
        expected = bool(code) and not (call.ok and code == "default")
        yield Sighting(call, (node, *kind), text, "status", weak=expected or not kind)
    shape = document.mismatch(schema, body.value)[0] if schema else ""
    if schema and not shape and not call.ok and document.is_other(schema, body.value):
        shape = "shape"
    problem, text = _of_body(call, content, shape, is_weak=not code or code == "default")
    weak = body.kind == "unknown" or bool(shape) or (call.is_other and not problem)
    for name, header in (response.get("headers") or {}).items():
        header_at, header = follow((*place, "headers", name), header)
        given = call.exchange.headers.get(name.lower())
        if given is None:
            weak |= status >= 400
            if header.get("required", name in document.rate_headers) is True:
                text_of = f"{operation.title} {status} without {name}"
                yield Sighting(call, (header_at,), text_of, "header")
            continue
        value = number_or_text(given)
        if document.rate and name == document.rate.reset:
            yield _unit(document, document.rate, call, value)
        own = as_dict(header.get("schema"))
        if "$ref" not in own and not fits_alone(own, value):
            text_of = f"{status} with another form of {name}: {shown(value)}"
            if header_at[: len(place)] == place:
                text, problem = text_of, "form"
            else:
                yield Sighting(call, (header_at,), text_of, "form")
                continue
        yield Sighting(call, (header_at,), f"{name} {shown(value)}", value=value)
    if code:
        # One that `default` stands for is another code than those that are named.
        nodes = ((*at, code), node) if code == str(status) else ((*at, code),)
        yield Sighting(call, nodes, text or str(status), problem, weak=weak)
    if schema and problem != "type":
        yield from walk(document, call, schema, body.value)


def _of_body(
    call: Call, content: Mapping[str, Any], shape: str, *, is_weak: bool
) -> tuple[Problem, str]:
    """Return what is wrong with a body as a whole, and the words for it.

    Of a response that nothing names, any type of JSON will do.
    """
    has_content, takes_json = bool(content), any(map(is_json, content))
    body_type = call.exchange.response.media_type
    is_named = is_weak or any("*" in name or bare(name) == body_type for name in content)
    status, body = call.exchange.status, call.exchange.response
    if body.kind == "unknown":
        return "", ""
    if not has_content:
        return ("type", f"{status} with a body") if body.kind == "json" else ("", "")
    if body.kind == "none":  # RFC 9110 §15.4.5: a 304 never has one
        return ("", "") if status == 304 else ("type", f"{status} without a body")
    if takes_json and not (is_json(body.media_type) and is_named):
        which = shown_type(body.media_type) or "unknown"
        return "media type", f"{status} with a body of type {which}"
    is_other = shape == "type" or (shape == "shape" and not call.ok)
    return ("type", f"{status} with another body, {typed(body.value)}") if is_other else ("", "")


def schema_of(message: Mapping[str, Any], at: Pointer, media_type: str) -> Pointer | None:
    """Return the schema of a message of a media type; of the first one if it has no such type."""
    content = message.get("content") or {}
    name = media_type if media_type in content else next(iter(content), None)
    if name is None or "schema" not in (content[name] or {}):
        return None
    return (*at, "content", name, "schema")


# Values


def walk(
    document: Documented, call: Call, schema: Pointer, value: Any, *, sent: bool = False
) -> Iterator[Sighting]:
    """Yield a value and all that is in it."""
    nodes = _about(document, schema, value)
    # The body of a message is better known by the component that it is.
    place = brief_path(nodes[1] if nodes[0][-1] == "schema" and len(nodes) > 1 else nodes[0])

    def sighting(text: str, problem: Problem = "", *at: Pointer) -> Sighting:
        return Sighting(call, at or tuple(nodes), text, problem, value, sent)

    problem, text = document.mismatch(schema, value)
    if problem in ("null", "shape", "type"):
        yield sighting(f"{text} at {place}", problem)
        return
    parts = [(at, found(document.data, at)) for at in nodes]
    form = {key: node[key] for _, node in parts for key in _FORMS & set(node)}
    codes = next((node[key] for _, node in parts for key in CODES if key in node), None)
    is_simple = not isinstance(value, dict | list | None)
    wanted_form = form.get("format")
    zone = document.zone if wanted_form == "date-time" and not sent else None
    if not fits_alone(form, value):
        came = date_form(value) if wanted_form in ("date", "date-time") else ""
        if came:
            text = f"a text of the form {dated_like(came)} at {place}; {wanted_form} was expected"
            yield sighting(text, "form")
        else:
            yield sighting(f"{shown(value)} at {place}", "form")
    elif zone and (offset := offset_of(value, zone)):
        yield sighting(f"a date-time at {offset}, not in {zone}, at {place}", "form")
    elif codes is not None and is_simple and value not in codes:
        yield sighting(f"{shown(value)} at {place}", "value")
    elif not problem:
        yield sighting(f"{shown(value)} at {place}")
    if isinstance(value, list):
        for at, node in parts:
            if isinstance(node.get("items"), dict):
                for item in value:
                    yield from walk(document, call, (*at, "items"), item, sent=sent)
    elif isinstance(value, dict):
        wanted = [(at, name) for at, node in parts for name in node.get("required", ())]
        for at, name in wanted:
            if name in value:
                kinds = document.types((*at, "properties", name))
                takes_it = value[name] is not None or takes(kinds, None)
                text_of = f"{name}{'' if takes_it else ' null'} in {place}"
                yield sighting(text_of, "" if takes_it else "missing", (*at, "required", name))
        for at, name in wanted if problem else ():
            if name not in value:
                lacking = (*at, "required", name)
                yield sighting(f"an object without {name} at {place}", problem, lacking, *nodes)
        yield from _members(document, call, parts, value, place, sent)


def _members(
    document: Documented, call: Call, parts: Sequence[Part],
    value: Mapping[str, Any], place: str, sent: bool,
) -> Iterator[Sighting]:  # fmt: skip
    known, is_open = document.members(parts[0][0])
    for at, node in parts:
        keys = as_dict(node.get("propertyNames")).get("enum")
        others = isinstance(node.get("additionalProperties"), dict)
        for name, member in value.items():
            if keys is not None:
                text, odd = f"{name if is_code(name) else 'a key'} in {place}", name not in keys
                key = (*at, "propertyNames", "enum", name)
                yield Sighting(call, (key,), text, "form" if odd else "", sent=sent)
            if name in node.get("properties", ()):
                inner = (*at, "properties", name)
                yield from walk(document, call, inner, member, sent=sent)
                unit = as_dict(node["properties"][name]).get("x-unit")
                for other in _other_units(unit, member, value):
                    text = f"{other}, not {unit} at {brief_path(inner)}"
                    yield Sighting(call, (inner,), text, "form", sent=sent)
            elif others:
                yield from walk(document, call, (*at, "additionalProperties"), member, sent=sent)
    for name in value if known and not is_open else ():
        if name not in known:
            text = f"{name if is_code(name) else 'a name'} {'sent ' if sent else ''}in {place}"
            nodes = tuple((*at, "properties", name) for at, _ in parts)
            yield Sighting(call, nodes, text, "field", (name, value), sent=sent)


def _other_units(unit: object, number: Any, around: Mapping[str, Any]) -> Iterator[str]:
    """Yield in what a moment was counted, if a date-time beside it shows another unit."""
    if unit in _SINCE_1970 and isinstance(number, int):
        dates = [each for each in around.values() if isinstance(each, str) and is_moment(each)]
        moments = {datetime.fromisoformat(each).timestamp() for each in dates}
        for other, factor in _SINCE_1970.items():
            if other != unit and number and number / factor in moments:
                yield other


def _about(document: Documented, schema: Pointer, value: Any) -> list[Pointer]:
    """Return the schemas that hold for a value; of alternatives the one that it is nearest to."""
    nodes: dict[Pointer, None] = {}
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        nodes.update(dict.fromkeys(at for at, _ in document.parts(node)))
        for _, choices in document.alternatives(node):
            best = document.closest(choices, value)
            if best is not None and best not in nodes:
                waiting.append(best)
    return list(nodes)


def brief_path(pointer: Pointer) -> str:
    """Return a node as people call it: `Book.shelf`, `GET /books responses`."""
    match pointer:
        case ("components", "schemas" | "headers" | "responses", name, *rest):
            return ".".join([str(name), *_names_in(rest)])
        case ("paths", path, method, *rest):
            steps = [str(part) for part in rest if not isinstance(part, int)]
            return " ".join([f"{str(method).upper()} {path}", *steps])
    return ".".join(map(str, pointer))


def _names_in(steps: Sequence[str | int]) -> Iterator[str]:
    """Yield the names on the way into a schema; a property may be called as a keyword is."""
    is_name = False
    for step in steps:
        if is_name or step not in ("properties", "items"):
            yield str(step)
        is_name = not is_name and step == "properties"
