"""The properties that schemas speak of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pipeline.lint.run import Rule, Run
from pipeline.openapi.documents import Pointer
from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.wording import near

# What holds for the same object as the schema around it: a list, one schema, or a map of them.
_LISTS: Final = ("allOf", "anyOf", "oneOf")
_SINGLE: Final = ("not", "if", "then", "else")
_MAPS: Final = ("dependentSchemas",)


def _required(run: Run) -> None:
    """What is required is a property: of the schema, of one around it, or of a branch of these."""
    for node in run.of("schema"):
        names = as_list(node.value.get("required"))
        if not names:
            continue
        parts = [
            part  # that holds in one of the branches at least
            for at in _of_one_object(run, node.pointer)
            for _, part in run.applied(at, run.get(at), "anyOf", "oneOf")
        ]
        if any("patternProperties" in part for part in parts):
            continue
        known = {name for part in parts for name in as_dict(part.get("properties"))}
        for index, name in enumerate(names):
            if isinstance(name, str) and name not in known:
                text = f"required: {name} is not a property of {run.title(node.pointer)}"
                at = (*node.pointer, "required", index)
                run.report(at, f"{text}{near(name, known)}", "required", run.house)


def _of_one_object(run: Run, pointer: Pointer) -> Iterator[Pointer]:
    """Yield a schema, and those around it that hold for the same object."""
    while run.kinds.get(pointer) == "schema":
        yield pointer
        if pointer[-2:-1] and pointer[-2] in (*_LISTS, *_MAPS):
            pointer = pointer[:-2]
        elif pointer[-1] in _SINGLE:
            pointer = pointer[:-1]
        else:
            return


RULES: Final[tuple[Rule, ...]] = (_required,)
