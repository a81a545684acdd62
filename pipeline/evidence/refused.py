"""What is always refused, though the documents allow it: an operation, an argument, a code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeAlias

from pipeline.evidence.documented import Documented
from pipeline.evidence.naming import named_in_refusal, plain
from pipeline.evidence.routes import Call
from pipeline.evidence.sightings import CODES, Sighting, parameter_node, schema_of
from pipeline.evidence.values import is_moment
from pipeline.openapi.documents import Pointer, found
from pipeline.openapi.model import Operation
from pipeline.openapi.objects import as_dict, members
from pipeline.openapi.parameters import values_in
from pipeline.openapi.wording import either

Arguments: TypeAlias = dict[tuple[str, str], Any]
"""Values by where they were sent, query or body, and their names."""

_ABSENT: Final = (403, 404, 410)
_PROBLEMS: Final = ("", "name", "query parameter", "field")  # those of a call that is as documented


@dataclass
class _Asked:
    """The calls of one operation, and of those that are no success the ones that count."""

    document: Documented
    operation: Operation
    calls: list[Call]
    refused: list[Call] = field(default_factory=list)

    @property
    def accepted(self) -> list[Call]:
        return [call for call in self.calls if call.ok or call.exchange.status == 304]


def always_refused(
    calls: Iterable[Call], documents: Mapping[str, Documented], seen: Iterable[Sighting]
) -> list[Sighting]:
    """Return the refusals of what never succeeded, though the documents allow it.

    Who asks (401) is no argument, unless the same client succeeded elsewhere; nor is how often
    (429), unless an operation had it again and again while others succeeded; nor what is not there
    (403, 404, 410), unless responses had the identifiers that were asked for.
    """
    wrong = {one.call for one in seen if one.sent and one.problem not in _PROBLEMS}
    by_operation: dict[tuple[str, Pointer], _Asked] = {}
    every = [*calls]
    for call in every:
        key = call.document, call.operation.pointer
        asked = by_operation.setdefault(key, _Asked(documents[call.document], call.operation, []))
        asked.calls.append(call)
    succeeded = [call for call in every if call.ok]
    callers = {call.exchange.caller for call in succeeded} - {""}
    last = {call.exchange.file: call.exchange.number for call in succeeded}
    texts = _texts(succeeded)
    sightings: list[Sighting] = []
    for asked in by_operation.values():
        for call in asked.calls:
            status = call.exchange.status
            is_argument = (
                call.exchange.caller in callers if status == 401
                else _is_limited_alone(asked.calls, last) if status == 429
                else status not in _ABSENT or _identifiers(call) <= texts
            )  # fmt: skip
            is_refusal = not (call.ok or call.is_other) and status != 304
            if is_refusal and is_argument and call not in wrong and _is_whole(asked, call):
                asked.refused.append(call)
        if not asked.accepted:
            for call in asked.refused:
                text = f"{call.exchange.status} of {asked.operation.title}, which never succeeded"
                sightings.append(Sighting(call, (asked.operation.pointer,), text, "success"))
        else:
            sightings += _arguments_of(asked, texts)
    return sightings


def _is_limited_alone(calls: Iterable[Call], last: Mapping[str, int]) -> bool:
    """Return whether an operation was over a limit more than once, while others succeeded."""
    over = [call.exchange for call in calls if call.exchange.status == 429]
    return len(over) > 1 and any(last.get(each.file, 0) > each.number for each in over)


def _is_whole(asked: _Asked, call: Call) -> bool:
    """Return whether a request has all that its operation demands, and a window not too long."""
    operation, given = asked.operation, dict(call.exchange.query)
    parameters = operation.sent_in("query")
    body = asked.document.model.request_body(operation)[1] or {}
    must = [name for name, node in parameters.items() if node.value.get("required") is True]
    any_of = operation.words.required_any or ()
    ends = [given.get(n, "") for n, node in parameters.items() if "x-window" in node.value]
    longest = operation.words.window_under_days
    if longest and len(ends) == 2 and all(map(is_moment, ends)):
        start, end = sorted(map(datetime.fromisoformat, ends))
        if (end - start).total_seconds() >= longest * 86400:
            return False
    return (
        all(name in given for name in must)
        and (not any_of or any(name in given for name in any_of))
        and not (body.get("required") is True and call.exchange.request.kind == "none")
    )


# Arguments


def _arguments_of(asked: _Asked, texts: set[str]) -> Iterator[Sighting]:
    """Yield the refusals of arguments of an operation with which it never succeeded.

    Each refusal names the argument, or names none, and all others of its query succeeded elsewhere.
    """
    accepted = [_arguments(asked, call) for call in asked.accepted]
    paths = {call.exchange.path for call in asked.accepted}
    worked = {(key, code) for own in accepted for key in own for code in ("", *_codes(own[key]))}
    for call in asked.refused:
        own = _arguments(asked, call)
        named = {plain(name) for name in named_in_refusal(call)}
        for key, value in own.items():
            known = [*_known_codes(asked, key)]
            codes = [code for code in _codes(value) if code in known]
            if (key, "") in worked:
                codes = [code for code in codes if (key, code) not in worked]
                if not codes:
                    continue
            if not codes and not _is_there(key[1], value, call, texts):
                continue
            # All else in the request worked elsewhere, so that it must be this.
            is_alone = key[0] == "query" and all((k, "") in worked for k in own if k != key)
            is_alone &= call.exchange.path in paths
            if plain(key[1]) in named or (is_alone and not named):
                yield _always(asked, call, key, codes)


def _always(asked: _Asked, call: Call, key: tuple[str, str], codes: Iterable[str]) -> Sighting:
    where, name = key
    node = parameter_node(asked.operation, name) if where == "query" else _members(asked)[name]
    value = f"={','.join(codes)}" if codes else ""
    text = f"{call.exchange.status} with {name}{value}, which never succeeded"
    return Sighting(call, (node,), text, "refused")


def _arguments(asked: _Asked, call: Call) -> Arguments:
    """Return the documented arguments of a call."""
    query = call.exchange.query
    own: Arguments = {}
    for name, parameter in asked.operation.sent_in("query").items():
        is_array = "array" in (asked.document.types((*parameter.pointer, "schema")) or ())
        values = values_in(parameter.value, query, is_array=is_array)
        if values:
            own["query", name] = values
    body = call.exchange.request
    if body.kind == "json" and isinstance(body.value, dict):
        known = _members(asked)
        own |= {("body", name): each for name, each in body.value.items() if name in known}
    return own


def _members(asked: _Asked) -> dict[str, Pointer]:
    at, body = asked.document.model.request_body(asked.operation)
    schema = schema_of(body or {}, at, "application/json")
    return asked.document.members(schema)[0] if schema else {}


def _codes(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [str(each) for each in values if isinstance(each, str | int)]


def _known_codes(asked: _Asked, key: tuple[str, str]) -> Iterator[str]:
    """Yield the codes that the document lists for an argument, or for its items."""
    where, name = key
    document = asked.document
    at = (*asked.operation.sent_in("query")[name].pointer, "schema") if where == "query" else (
        _members(asked)[name]
    )  # fmt: skip
    for around, part in document.parts(at):
        items = document.parts((*around, "items")) if "items" in part else ()
        for each in (part, *(node for _, node in items)):
            yield from (str(code) for word in CODES for code in each.get(word, ()))


def codes_of(document: Documented, operation: Operation, one: Sighting) -> str:
    """Return what a document says of an argument that is always refused, in a few words."""
    asked, name = _Asked(document, operation, []), str(one.nodes[0][-1])
    where = "query" if "parameters" in one.nodes[0] else "body"
    codes = dict.fromkeys(_known_codes(asked, (where, name)))
    return f"{name} may be sent{f', with {either(codes)}' if codes else ''}"


def never_given(
    calls: Iterable[Call], documents: Mapping[str, Documented], seen: Iterable[Sighting]
) -> Iterator[Sighting]:
    """Yield what was asked for by the name of a field, as in `include=labels`, and never came.

    There were objects in the responses that the document says to have it.
    """
    objects: dict[Call, set[Pointer]] = {}
    for one in seen:
        if not one.sent and isinstance(one.value, dict):
            objects.setdefault(one.call, set()).update(one.nodes)
    asked_for: dict[tuple[Pointer, str], list[tuple[Call, bool]]] = {}
    for call in (call for call in calls if call.ok):
        asked = _Asked(documents[call.document], call.operation, [])
        for key, value in _arguments(asked, call).items():
            known = {*_known_codes(asked, key)} if key[0] == "query" else set()
            for code in known.intersection(_codes(value)):
                owners = [
                    node
                    for node in objects.get(call, ())
                    if code in as_dict(as_dict(found(asked.document.data, node)).get("properties"))
                ]
                if owners:
                    node = parameter_node(call.operation, key[1])
                    is_there = _has(call.exchange.response.value, code)
                    asked_for.setdefault((node, code), []).append((call, is_there))
    for (node, code), own in asked_for.items():
        if not any(is_there for _, is_there in own):
            text = f"{node[-1]}={code}, and {code} never came"
            yield from (Sighting(call, (node,), text, "absent", code) for call, _ in own)


def _has(value: Any, name: str) -> bool:
    """Return whether an object in a value, or the value, has a member of a name."""
    return any(key == name or _has(each, name) for key, each in members(value))


# Identifiers


def _is_there(name: str, value: Any, call: Call, texts: set[str]) -> bool:
    """Return whether a value that is free is one that the service must know or take."""
    values = _codes(value)
    is_known = {*values} <= texts
    if name.lower().endswith(("id", "ids")) or any(len(v) > 4 and v.isdigit() for v in values):
        return is_known
    return is_known or call.exchange.status not in _ABSENT


def _identifiers(call: Call) -> set[str]:
    """Return what stands in the path of a request, and is not the operation's."""
    steps = call.operation.path.split("/")
    return {*call.exchange.path.split("/")[-(len(steps) - 1) :]} - {*steps}


def _texts(calls: Iterable[Call]) -> set[str]:
    """Return what may be an identifier in responses with success: by its name, or long enough."""
    texts: set[str] = set()
    waiting: list[Any] = [("", call.exchange.response.value) for call in calls]
    while waiting:
        name, value = waiting.pop()
        waiting += [(name if isinstance(key, int) else key, each) for key, each in members(value)]
        is_named = name.lower().endswith(("id", "ids"))
        if isinstance(value, str | int) and (is_named or len(str(value)) > 4):
            texts.add(str(value))
    return texts
