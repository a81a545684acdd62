"""What a confirmed overlay has made wrong is left out: examples, and methods that rest on it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any, Final

from pipeline.lint import examples
from pipeline.lint.run import Run
from pipeline.openapi.documents import Pointer, found
from pipeline.openapi.objects import as_dict, as_list, members, reached
from pipeline.openapi.problems import Finding
from pipeline.openapi.references import pointer_of
from pipeline.openapi.wording import either
from pipeline.preparing.revision import Revision

_KEYS: Final = ("example", "examples")


def leave_out_examples(revision: Revision, confirmed: Collection[str]) -> None:
    """Leave out the examples that are wrong since something was confirmed about their schemas, or
    about what those stand in; or that have another value than those that are confirmed.

    Those that the confirmed overlays themselves give stay, for the lint.
    """
    run = Run(replace(revision.document, data=_closed(revision.data)))
    for rule in examples.RULES:
        rule(run)
    gone: dict[Pointer, Finding] = {}
    for finding in run.findings:
        if finding.position is None or finding.position.file in confirmed or not finding.pointer:
            continue
        depth = next((n for n, key in enumerate(finding.pointer) if key in _KEYS), None)
        if depth is None:
            continue
        own = finding.pointer[:depth]
        around = (found(revision.data, own[:end]) for end in range(len(own)))
        is_around = any("x-confirmed" in as_dict(each) for each in around)
        if is_around or _is_confirmed(revision.data, own):
            is_one = finding.pointer[depth] == "example"
            gone.setdefault(finding.pointer[: depth + (1 if is_one else 2)], finding)
    for place, finding in reversed(gone.items()):  # later ones of a list before earlier ones
        text = f"{finding.message}, since this was confirmed"
        revision.leave_out(finding.pointer or (), text, "example", place)
        if not found(revision.data, place[:-1]) and place[-2:-1] == ("examples",):
            revision.remove(place[:-1])


def leave_out_methods(revision: Revision) -> None:
    """Leave out the words of operations that are only for a service that does what is not so.

    Their `where` has values of `x-assume`, all of which must be those of the document. What a part
    of a word names is only taken out of it.
    """
    assumed = revision.data.get("x-assume", {})
    for operation in revision.run.operations:
        for word, value in list(operation.value.items()):
            if not word.startswith("x-"):
                continue
            where = as_dict(value).get("where")
            if isinstance(where, dict) and (wrong := [*_unlike(where, assumed)]):
                text = f"{word}: {wrong[0]}, so there is no such method or argument"
                revision.leave_out((*operation.pointer, word), text, "word")
                continue
            for at, part in enumerate(map(as_dict, as_list(as_dict(value).get("parts")))):
                if wrong := [*_unlike(as_dict(part.get("where")), assumed)]:
                    fields = as_list(part.get("fields"))
                    as_dict(value).setdefault("unread", []).extend(fields)
                    text = f"{word}: {wrong[0]}, so no read shows {either(map(str, fields))}"
                    revision.note((*operation.pointer, word, "parts", at), text, "word")


def _unlike(where: dict[str, Any], there: Any, *path: str) -> Iterator[str]:
    """Yield what is another value than is wanted, or is not there."""
    for key, wanted in where.items():
        value = as_dict(there).get(key)
        if isinstance(wanted, dict):
            yield from _unlike(wanted, value, *path, key)
        elif value != wanted:
            place = ".".join(("x-assume", *path, key))
            yield f"{place} is {json.dumps(value)}, not {json.dumps(wanted)}"


def _closed(node: Any) -> Any:
    """Return a document in which the confirmed values of an open set are all that it has."""
    if isinstance(node, list):
        return [_closed(each) for each in node]
    if not isinstance(node, dict):
        return node
    made = {key: _closed(each) for key, each in node.items()}
    values = node.get("x-extensible-enum")
    if "x-confirmed" in node and isinstance(values, list):
        made["enum"] = [*values, *[None] * ("null" in as_list(node.get("type")))]
    return made


def _is_confirmed(data: Any, pointer: Pointer) -> bool:
    """Return whether something was confirmed about a node, or in what it refers to."""

    def inner(at: Pointer) -> list[Pointer]:
        node = found(data, at)
        target = pointer_of(str(as_dict(node).get("$ref")))
        own = [(*at, key) for key, _ in members(node) if key not in _KEYS]
        return [*own, target] if target else own

    return any("x-confirmed" in as_dict(found(data, at)) for at in reached([pointer], inner))
