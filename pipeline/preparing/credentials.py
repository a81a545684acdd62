"""Let a security scheme that is wrong cost its credential and no operation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from pipeline.lint.run import Run
from pipeline.openapi.documents import Pointer
from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.problems import Finding
from pipeline.openapi.security import place_of
from pipeline.preparing.revision import Revision

_OF_SCHEMES: Final = ("components", "securitySchemes")
_BEARER: Final = {"type": "http", "scheme": "bearer"}


def mend_schemes(revision: Revision, run: Run, errors: Iterable[Finding]) -> bool:
    """Leave out schemes that are wrong, and what asks for them; return whether there are any.

    Where only the way to a token is wrong, the token can be sent.
    """
    schemes = as_dict(as_dict(run.data.get("components")).get("securitySchemes"))
    mended, lost = set[str](), set[str]()
    for each in errors:
        pointer: Pointer = each.pointer or ()
        name = str(pointer[2]) if pointer[:2] == _OF_SCHEMES and pointer[2:] else ""
        if name in mended | lost or name not in schemes:
            continue
        if place_of(schemes[name]) == "bearer":
            mended.add(name)
            schemes[name] = dict(_BEARER)
            end = "read as a bearer token"
        else:
            lost.add(name)
            end = f"{name} is not sent: correct it, or let a middleware add it"
        revision.note(pointer, f"{each.message}; {end}", each.rule)
    for name in lost:
        revision.remove((*_OF_SCHEMES, name))
    for listed in _requirements(run):
        intact = [each for each in listed if lost.isdisjoint(each)]
        if lost and len(intact) < len(listed):
            listed[:] = intact or [
                {name: scopes for name, scopes in each.items() if name not in lost}
                for each in listed
            ]
    return bool(mended or lost)


def _requirements(run: Run) -> Iterator[list[dict[str, Any]]]:
    """Yield the requirements of a document and its operations."""
    for holder in [run.data, *(each.value for each in run.operations)]:
        listed = as_list(holder.get("security"))
        if listed and all(isinstance(each, dict) for each in listed):
            yield listed
