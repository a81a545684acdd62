"""Let what is broken in a corner of a document cost that corner, and not what stands around it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from pipeline.lint.run import Run
from pipeline.openapi.documents import Pointer, found
from pipeline.openapi.media_types import bare, is_json
from pipeline.openapi.objects import (
    ADDITIONAL,
    DATA,
    METHODS,
    as_dict,
    constrains,
    kind_at,
    reached,
)
from pipeline.openapi.problems import Finding
from pipeline.openapi.wording import brief
from pipeline.preparing.revision import Revision

_WITH_OPTIONAL: Final = ("path item", "operation", "parameter", "request body", "media type",
                         "encoding", "response")  # fmt: skip
# Where nothing stands, these have errors of their own.
_NEEDED: Final = frozenset({"name", "in", "content", "$ref", ADDITIONAL, *METHODS, *DATA})
_FLAGS: Final = {
    "parameter": ("required", "explode", "allowReserved"),
    "request body": ("required",),
    "encoding": ("explode", "allowReserved"),
    "schema": ("additionalProperties",),
}
_MEANT: Final = {"true": True, "yes": True, "on": True, "1": True,
                 "false": False, "no": False, "off": False, "0": False}  # fmt: skip
# Whatever they hold, they only limit values.
_LIMITING: Final = ("not", "if", "then", "else", "contains", "propertyNames")


def mend_members(revision: Revision) -> None:
    """Mend members that say nothing, and flags that are texts.

    Servers that are no list, encodings that are no objects, and enumerations of objects are left
    out.
    """
    for node in revision.run.of(*_WITH_OPTIONAL):
        for word in [key for key, value in node.value.items() if value is None]:
            if word not in _NEEDED and not word.startswith("x-"):
                revision.leave_out((*node.pointer, word), f"{word} says nothing", "openapi")
    for node in revision.run.of(*_FLAGS):
        for word in _FLAGS[node.kind]:
            given, at = node.value.get(word, True), (*node.pointer, word)
            meant = _MEANT.get(str(given).strip().lower())
            or_object = " or an object" if node.kind == "schema" else ""
            text = f"{word} must be a boolean{or_object}, is {brief(given)}"
            if isinstance(given, bool) or (or_object and isinstance(given, dict)):
                continue
            if meant is not None:
                revision.note(at, f"{text}; read as {brief(meant)}", "openapi")
                node.value[word] = meant
            elif word == "required" or or_object:  # what may be missing can still be sent
                revision.leave_out(at, text, "openapi")
    for node in revision.run.of("media type"):
        for name, value in [*as_dict(node.value.get("encoding")).items()]:
            if not isinstance(value, dict):
                text = f"encoding of {name} must be an object, is {brief(value)}"
                revision.leave_out((*node.pointer, "encoding", name), text, "openapi")
    for node in revision.run.of("schema"):
        listed = node.value.get("enum")
        if isinstance(listed, list) and any(isinstance(each, dict | list) for each in listed):
            text = "an enumeration of objects or arrays is not checked"
            revision.leave_out((*node.pointer, "enum"), text, "carry")
    for node in revision.run.of("path item", "operation"):
        if not isinstance(servers := node.value.get("servers", []), list):
            text = f"servers must be an array, is {brief(servers)}"
            revision.leave_out((*node.pointer, "servers"), text, "openapi")


def mend_parts(
    revision: Revision, run: Run, errors: Iterable[Finding], of_errors: Collection[Pointer]
) -> bool:
    """Let a part of a value be any value where its schema leads nowhere, or is none.

    What a call sends or reads as a whole is left to the lint, unless JSON can stand for it: its
    operation cannot be carried. What is `of_errors` need not be right as a whole. Returns whether
    any of these errors is mended.
    """
    wrong = [(each, each.pointer) for each in errors if each.pointer]
    whole = _whole(run, of_errors) if wrong else set()
    mended = 0
    for error, pointer in wrong:
        place = _part(run, whole, pointer) or _other_media(revision, pointer)
        if not place or not revision.remove(place):
            continue
        holder, end = place[:-1], "left out"
        if kind_at(holder) == "schema" and not constrains(found(revision.data, holder)):
            end = "read as any value"
        elif kind_at(place) == "media type":
            end = f"{place[-1]} is left out"
        loses = end == "read as any value" or kind_at(place) in ("parameter", "media type")
        revision.note(pointer, f"{error.message}; {end}", error.rule, loses=loses)
        mended += 1
    return mended > 0


def leave_out_optional(revision: Revision, run: Run, errors: Iterable[Finding]) -> bool:
    """Leave out parameters that need not be sent where a schema that they refer to is wrong.

    So are the schemas that nothing else needs. Returns whether there are any.
    """
    wrong: dict[Pointer, list[Finding]] = {}
    for each in errors:
        if each.pointer and kind_at(each.pointer[:3]) == "schema":
            wrong.setdefault(each.pointer[:3], []).append(each)
    if not wrong:
        return False
    users: dict[Pointer, list[Pointer]] = {}
    for at in run.kinds:
        if len(at) == 3 and at[:2] == ("components", "schemas"):
            for used in run.references(run.get(at)):
                users.setdefault(used, []).append(at)
    optional = [
        (node.pointer, node.value, run.references(node.value))
        for node in run.of("parameter")
        if may_be_missing(run, node.pointer)
    ]
    gone: set[Pointer] = set()
    unsure: set[Pointer] = set()
    for broken, own in wrong.items():
        using = reached([broken], users.get).keys()
        those = {at: value.get("name") for at, value, used in optional if used & using}
        names = ", ".join(sorted({str(name) for name in those.values()}))
        which = f"parameters {names} are" if "," in names else f"parameter {names} is"
        for each in own if those else ():
            text = f"{each.message}; {which} left out"
            # The schema may go, with an operation that needs it; the parameters are missed anyway.
            revision.note(each.pointer or (), text, each.rule, about=min(those))
        if those:
            gone |= those.keys()
            unsure |= using
    if leave_out_all(revision, run, gone):
        needed = revision.run.components([run.data.get("paths"), run.data.get("webhooks")])
        for at in unsure - needed:
            revision.remove(at)
        revision.changed()
    return bool(gone)


def leave_out_all(revision: Revision, run: Run, places: Collection[Pointer]) -> bool:
    """Remove what stands at these places, and what refers to it; return whether anything did."""
    if not places:
        return False
    using = {at for at, end in run.ends.items() if end in places and run.kinds.get(at) != "schema"}
    every = sorted({*places, *using}, reverse=True)  # the last item first
    is_any = any([revision.remove(place) for place in every])
    revision.changed()
    return is_any


def may_be_missing(run: Run, pointer: Pointer) -> bool:
    """Return whether something is a parameter of operations that work without it."""
    value = as_dict(found(run.data, pointer))
    is_needed = value.get("required") is True or value.get("in") == "path" or "$ref" in value
    return run.kinds.get(pointer) == "parameter" and not is_needed


def _part(run: Run, whole: Collection[Pointer], pointer: Pointer) -> Pointer:
    """Return the place of the keyword that makes a part of a value wrong; empty for none."""
    schemas = _schemas(run, pointer)
    for at in schemas:
        if pointer[len(at)] in _LIMITING:
            return pointer[: len(at) + 1]
    if not schemas or schemas[-1] in whole:
        return ()
    at = schemas[-1]
    is_inner = at[0] == "components" or "schema" in (run.kinds.get(at[:-1]), run.kinds.get(at[:-2]))
    return pointer[: len(at) + 1] if is_inner else ()


def _other_media(revision: Revision, pointer: Pointer) -> Pointer:
    """Return the place of the media type that is wrong where the body may be JSON; or none."""
    around = (pointer[:length] for length in range(len(pointer)))
    place = next((at for at in around if kind_at(at) == "media type"), ())
    others = as_dict(found(revision.data, place[:-1])).keys() - {*place[-1:]}
    is_body = kind_at(place[:-2]) in ("request body", "response")
    return place if is_body and any(is_json(bare(each)) for each in others) else ()


def _schemas(run: Run, pointer: Pointer) -> list[Pointer]:
    """Return the schemas around a place, the outermost first; none for those of parameters.

    A parameter is written by its types.
    """
    around = [pointer[:length] for length in range(len(pointer))]
    kinds = [run.kinds.get(at) for at in around]
    if not {"parameter", "header"}.isdisjoint(kinds):
        return []
    return [at for at, kind in zip(around, kinds, strict=True) if kind == "schema"]


def _whole(run: Run, of_errors: Collection[Pointer]) -> set[Pointer]:
    """Return the places of schemas that must be right: of parameters, and of whole bodies.

    What a request extends is one of them: without it, fields could not be given.
    """
    bodies = [each.value.get("requestBody") for each in run.operations]
    sent = run.components(bodies)
    written = run.components([each.value for each in run.of("parameter")])
    whole = set()
    for node in run.of("media type"):
        is_of_error = node.pointer[:-2] in of_errors
        for word in ("schema", "itemSchema"):
            if word in node.value and not is_of_error:
                whole.add(run.follow((*node.pointer, word), node.value[word])[0])
    for node in run.of("schema"):
        if node.pointer[:3] in written:
            whole.add(node.pointer)
        elif node.pointer[:3] in sent or "requestBody" in node.pointer[3:4]:
            extended = {at for at, _ in run.applied(node.pointer, node.value)}
            whole |= extended - {node.pointer} if "allOf" in node.value else set()
    return whole
