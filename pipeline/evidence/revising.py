"""What would be true instead: the actions of a refuted assumption as traffic has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.causes import json_path
from pipeline.evidence.documented import Documented
from pipeline.evidence.routes import Call, shown_name
from pipeline.evidence.sightings import LIMITS, NOT_ITS_OWN, PAGES, UNIT, walk
from pipeline.evidence.values import fits_alone, is_code
from pipeline.evidence.verdicts import SHAPE, Observation, Traffic, Verdict, span
from pipeline.openapi.documents import Pointer, found
from pipeline.openapi.media_types import is_json
from pipeline.openapi.objects import as_dict
from pipeline.openapi.overlay.model import Action, Change
from pipeline.openapi.wording import type_of

_SEEN: Final = "As seen in recorded traffic."


class Unknown(Exception):
    """Traffic shows what is wrong, but not what is right; the message says what is missing."""


def revised(
    verdict: Verdict, changes: Sequence[Change], document: str, traffic: Traffic
) -> list[tuple[Action, Any]]:
    """Return the actions of a gap, each with the update that agrees with what was seen.

    Raises:
        Unknown: what is right was not seen.
    """
    words = {type_of(one.sighting.value) for one in verdict.observed if one.part.action is None}
    if len(words) > 1:
        raise Unknown(f"{' and '.join(sorted(words))} were seen")
    ats: dict[int, tuple[Action, list[Pointer]]] = {}
    for change in changes:
        ats.setdefault(id(change.action), (change.action, []))[1].append(change.pointer)
    result = []
    for action, pointers in ats.values():
        own = [
            o for o in verdict.observed if o.part.action is action and o.part.document == document
        ]
        new = action.update
        if any(one.outcome in ("against", "new") for one in own):
            new = _revised(action.update, pointers, own, traffic, traffic.effective[document])
        result.append((action, _with_word(new, verdict.assumed, *words) if words else new))
    return result


def _with_word(value: Any, old: str, new: str) -> Any:
    """Return what is assumed in words with another word."""
    if isinstance(value, dict):
        return {key: _with_word(member, old, new) for key, member in value.items()}
    return new if value == old else value


def _revised(
    update: Any, ats: Sequence[Pointer], own: Sequence[Observation], traffic: Traffic,
    document: Documented,
) -> Any:  # fmt: skip
    against = [one for one in own if one.outcome == "against"]
    last = ats[0][-1] if ats[0] else ""
    if last == "responses":
        return _responses(update, ats, against, traffic, document)
    if last == "parameters" and isinstance(update, list):
        return [{**node, "name": _new_name(against)} for node in update]
    if last == "type":
        bare = traffic.bare[own[0].part.document].types(ats[0][:-1]) or ()
        kinds = dict.fromkeys(type_of(one.sighting.value) for one in own)
        return [kind for kind in kinds if kind not in bare]
    if isinstance(update, dict):
        if "name" in update:
            return {**update, "name": _new_name(against)}
        if "style" in update or "explode" in update:
            return {**update, "style": "form", "explode": True}
        if "x-extensible-enum" in update:
            codes = [one.sighting.value for one in own if is_code(one.sighting.value)]
            known = update["x-extensible-enum"]
            return {**update, "x-extensible-enum": [*dict.fromkeys([*known, *codes])]}
        if UNIT[0] in update:
            return {UNIT[0]: {**update[UNIT[0]], UNIT[1]: against[0].sighting.value}}
        if "required" in update:
            absent = {one.part.name for one in against}
            kept = [name for name in update["required"] if name not in absent]
            return {**update, "required": kept}
        if SHAPE & {*update}:
            values = [one.sighting.value for one in own if one.part.node in one.sighting.nodes]
            words = {key: update[key] for key in update if key not in SHAPE}
            if "additionalProperties" in update and all(isinstance(each, dict) for each in values):
                values = [member for value in values for member in value.values()]
                inner = _schema(values, document, own[0].call)
                return {**words, "type": "object", "additionalProperties": inner}
            return {**words, **_schema(values, document, own[0].call)}
    raise Unknown("what is right was not seen")


def _new_name(against: Iterable[Observation]) -> str:
    """Return the one name that was seen in the place of another."""
    names = sorted({str(one.sighting.value or "") for one in against})
    if len(names) == 1 and names[0] and shown_name(names[0]) == names[0]:
        return names[0]
    seen = " and ".join(map(shown_name, filter(None, names)))
    verb = "was" if len(names) == 1 else "were"
    raise Unknown(f"{seen} {verb} seen instead" if seen else "the right name was not seen")


# Responses


def _responses(
    update: Mapping[str, Any], ats: Sequence[Pointer], own: Sequence[Observation],
    traffic: Traffic, document: Documented,
) -> dict[str, Any]:  # fmt: skip
    if any(one.sighting.problem == "form" for one in own):
        raise Unknown("the right form of the header was not seen")
    kinds = {code[0] for code in update if not code.startswith("x-")}
    by_code: dict[str, list[Call]] = {}
    for call in traffic.calls:
        code, media_type = str(call.exchange.status), call.exchange.response.media_type
        is_own = (*call.operation.pointer, "responses") in ats and code[0] in kinds
        is_new = len(ats) == 1 and int(code) not in NOT_ITS_OWN and int(code) < 500
        is_body = media_type not in PAGES and not call.is_other
        if is_own and is_body and (code in update or is_new):
            by_code.setdefault(code, []).append(call)
    if not by_code:
        raise Unknown("what is right was not seen")
    elsewhere = {code for at in ats for code in as_dict(found(document.data, at))} - {*update}
    # A success that was not seen is no longer assumed; a refusal may come yet.
    kept = {code: node for code, node in update.items() if code in by_code or code[0] != "2"}
    for code in by_code.keys() - elsewhere:
        kept[code] = _response(by_code[code], code, update, ats[0], document)
    return dict(sorted(kept.items()))


def _response(
    calls: Sequence[Call], code: str, update: Mapping[str, Any], at: Pointer, document: Documented
) -> Any:
    """Return the response that came: the assumed one, another of the document, or a new one."""
    like = code if code in update else next(iter(update))
    place, whole = document.model.follow((*at, like), update[like])
    is_near = _takes(document, place, whole, calls, exact=False)
    if is_near and code in update:
        return update[code]
    for name, node in as_dict(found(document.data, ("components", "responses"))).items():
        if _takes(document, ("components", "responses", name), node, calls, exact=True):
            return {"$ref": f"#/components/responses/{name}"}
    if is_near:
        described = ("description",) if "$ref" in update[like] else ()  # of the other code
        return {key: node for key, node in update[like].items() if key not in described}
    made = {"description": _SEEN, **({"headers": whole["headers"]} if "headers" in whole else {})}
    values = [
        call.exchange.response.value for call in calls if call.exchange.response.kind == "json"
    ]
    if values:
        made["content"] = {"application/json": {"schema": _schema(values, document, calls[0])}}
    return made


def _takes(
    document: Documented,
    at: Pointer,
    response: Mapping[str, Any],
    calls: Sequence[Call],
    exact: bool,
) -> bool:
    """Return whether the bodies of responses are such; exactly, or but for what is in them."""
    content = as_dict(response.get("content"))
    media = next((name for name in content if is_json(name)), "")
    for call in calls:
        body, schema = call.exchange.response, (*at, "content", media, "schema")
        if body.kind == "unknown" or (body.kind == "none" and not content):
            continue
        if body.kind != "json" or not media:
            return False
        if exact and not _fits(document, schema, body.value, call):
            return False
        if document.mismatch(schema, body.value)[0] not in ("", "missing"):
            return False
    return True


# Schemas


def _fits(document: Documented, schema: Pointer, value: Any, call: Call) -> bool:
    """Return whether a value is exactly of a schema, and shows it: a member of many is no sign."""
    known = document.members(schema)[0]
    shared = len(known.keys() & value.keys()) if isinstance(value, dict) else 0
    is_sign = shared == len(known) or (shared > 1 and 2 * shared >= len(known))
    if value in ({}, []) or (isinstance(value, dict) and not is_sign):
        return False
    return not any(one.problem for one in walk(document, call, schema, value))


def _schema(values: Sequence[Any], document: Documented, call: Call) -> dict[str, Any]:
    """Return the schema of values: components of the document, or what the values have."""
    by_type: dict[str, list[Any]] = {}
    for value in values:
        by_type.setdefault(type_of(value), []).append(value)
    if "number" in by_type:
        by_type.pop("integer", None)
    if not by_type:
        return {}  # of an empty list
    schemas = [_of_type(kind, own, document, call) for kind, own in by_type.items()]
    if len(schemas) == 1:
        return schemas[0]
    is_plain = all({*schema} == {"type"} for schema in schemas)
    return {"type": [*by_type]} if is_plain else {"anyOf": schemas}


def _of_type(kind: str, values: Sequence[Any], document: Documented, call: Call) -> dict[str, Any]:
    if kind == "array":
        items = [item for value in values for item in value]
        return {"type": "array", "items": _schema(items, document, call)}
    for form in ("date-time", "date") if kind == "string" else ():
        if all(fits_alone({"format": form}, value) for value in values):
            return {"type": "string", "format": form}
    if kind != "object":
        return {"type": kind}
    for name in as_dict(found(document.data, ("components", "schemas"))):
        if all(_fits(document, ("components", "schemas", name), value, call) for value in values):
            return {"$ref": f"#/components/schemas/{name}"}
    names = dict.fromkeys(name for value in values for name in value)
    if not all(map(is_code, names)):  # keys are data, such as identifiers
        members = [member for value in values for member in value.values()]
        return {"type": "object", "additionalProperties": _schema(members, document, call)}
    fields = {name: [value[name] for value in values if name in value] for name in names}
    always = [name for name in fields if len(fields[name]) == len(values)]
    return {
        "type": "object",
        "description": _SEEN,
        **({"required": always} if always else {}),
        "properties": {
            name: {**_schema(own, document, call), "description": _SEEN}
            for name, own in fields.items()
        },
    }


# Types


def nullable(document: Documented, node: Pointer) -> Iterator[dict[str, Any]]:
    """Yield the actions after which a schema takes null, too."""
    value, target = as_dict(found(document.data, node)), json_path(node)
    kinds = value.get("type")
    if isinstance(value.get("anyOf"), list):
        yield {"target": f"{target}.anyOf", "update": [{"type": "null"}]}
    elif isinstance(kinds, list):
        yield {"target": f"{target}.type", "update": ["null"]}
    elif kinds is not None:
        yield {"target": f"{target}.type", "remove": True}
        yield {"target": target, "update": {"type": [kinds, "null"]}}
        if "enum" in value:
            yield {"target": f"{target}.enum", "update": [None]}
    elif "$ref" in value:
        yield {"target": f"{target}['$ref']", "remove": True}
        yield {"target": target, "update": {"anyOf": [{"$ref": value["$ref"]}, {"type": "null"}]}}


def retyped(name: str, node: Pointer, traffic: Traffic) -> Iterator[dict[str, Any]]:
    """Yield the actions after which a schema takes all values that came at its place.

    The range of numbers becomes a part of its description: a unit shows in it.
    """
    document, target = traffic.effective[name], json_path(node)
    value = as_dict(found(document.data, node))
    said = as_dict(found(traffic.bare[name].data, node)).get("description")
    position = document.position(node)  # documents may share it
    here = [
        one
        for one in traffic.with_overlays
        if node in one.nodes
        and not one.sent
        and one.problem in ("", "form", "type", "null")
        and traffic.effective[one.call.document].position(node) == position
    ]
    if not here:
        return
    values = [one.value for one in here]
    new = _schema([each for each in values if each is not None], document, here[0].call)
    kinds = new.get("type", [])
    if kinds and (None in values or "null" in (document.types(node) or ())):
        new["type"] = [*(kinds if isinstance(kinds, list) else [kinds]), "null"]
    for word in value:
        if word in SHAPE:
            # An update puts one text in the place of another.
            are_texts = isinstance(value[word], str) and isinstance(new.get(word), str)
            is_wrong = value[word] != new.get(word) and not are_texts
        else:
            is_limit = word in LIMITS or word == "pattern"
            is_wrong = is_limit and not all(fits_alone({word: value[word]}, v) for v in values)
        if is_wrong:
            yield {"target": json_path((*node, word)), "remove": True}
    numbers = {each for each in values if isinstance(each, float)}
    if numbers and said:
        new["description"] = f"{said} In recorded traffic: {span(numbers)}."
    yield {"target": target, "update": new}
