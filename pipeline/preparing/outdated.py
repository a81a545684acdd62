"""What a confirmed overlay has made wrong is left out: examples, and methods that rest on it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any, Final

from pipeline.lint import examples
from pipeline.openapi.documents import Pointer, found
from pipeline.openapi.objects import as_dict, as_list, members
from pipeline.openapi.references import pointer_of
from pipeline.openapi.wording import either
from pipeline.preparing.revision import Revision

_KEYS: Final = ("example", "examples")


def leave_out_examples(revision: Revision, confirmed: Collection[str]) -> None:
    """Leave out the examples that are wrong since something was confirmed about their schemas, or
    about what those stand in.

    Those that the confirmed overlays themselves give stay, for the lint.
    """
    for rule in examples.RULES:
        rule(revision.run)
    for finding in list(revision.run.findings):
        if finding.position is None or finding.position.file in confirmed or not finding.pointer:
            continue
        depth = next((n for n, key in enumerate(finding.pointer) if key in _KEYS), None)
        if depth is None:
            continue
        own = finding.pointer[:depth]
        around = (found(revision.data, own[:end]) for end in range(len(own)))
        if any("x-confirmed" in as_dict(each) for each in around) or _is_confirmed(
            revision.data, own, set()
        ):
            text = f"{finding.message}, since this was confirmed"
            place = finding.pointer[: depth + 1]
            revision.leave_out(finding.pointer, text, "example", place)


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


def _is_confirmed(data: Any, pointer: Pointer, seen: set[Pointer]) -> bool:
    """Return whether something was confirmed about a node, or in what it refers to."""
    waiting = [(pointer, found(data, pointer))]
    while waiting:
        at, node = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        if "x-confirmed" in as_dict(node):
            return True
        reference = as_dict(node).get("$ref")
        if isinstance(reference, str) and (target := pointer_of(reference)):
            waiting.append((target, found(data, target)))
        waiting += [((*at, key), each) for key, each in members(node) if key not in _KEYS]
    return False
