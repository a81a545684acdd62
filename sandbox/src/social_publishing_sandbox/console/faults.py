"""Failing on purpose: the faults that are set, with their switches, and a form for a new one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from social_publishing_sandbox.api.faults import COMMON, KINDS, BadFault, Parameter
from social_publishing_sandbox.console.base import PAGES, Console, Form, Notice, Wrong, fields

SCRIPT: Final = "script"
PAGE: Final = f"{PAGES}/faults"

_SCRIPTED: Final = ("user", "after", "repeat", "id")  # what a script has of the common members
_SINGLE: Final = tuple(each.name for each in COMMON if each.name != "repeat")
_EXAMPLE: Final = '["pass", {"status": 503}, "drop-after", "pass"]'


def routes(console: Console) -> list[BaseRoute]:
    """Return the page with its form, and the switches."""
    return [
        console.page("/faults", "faults.html", partial(_read, console)),
        Route(PAGE, partial(_add, console), methods=["POST"]),
        console.form("/faults/{id}/{verb}", partial(_switch, console), "/faults"),
    ]


def _read(console: Console, request: Request) -> dict[str, Any]:
    return _shown(console, request.query_params.get("kind"), {}, None)


def _shown(
    console: Console, kind: str | None, given: Mapping[str, str], error: BadFault | None
) -> dict[str, Any]:
    known = kind if kind in (*KINDS, SCRIPT) else next(iter(KINDS))
    common = _SCRIPTED if known == SCRIPT else _SINGLE
    return {
        "standings": console.control.faults.standings(),
        "kinds": KINDS.values(),
        "kind": known,
        "chosen": KINDS.get(known),
        "common": [each for each in COMMON if each.name in common],
        "operations": _operations(console),
        "users": [each["name"] for each in console.service.store.users.where("1 ORDER BY key")],
        "example": _EXAMPLE,
        "given": given,
        "error": error,
    }


def _operations(console: Console) -> list[tuple[str, list[str]]]:
    return [(each.name, sorted(each.operations)) for each in console.service.contract.documents]


async def _add(console: Console, request: Request) -> Response:
    form = await fields(request)
    kind = form.get("kind", "")
    try:
        added = console.control.add_fault(**fault_of(kind, form))
    except BadFault as error:
        shown = _shown(console, kind, form, error)
        return await console.show(request, "faults.html", lambda _: shown, 422)
    return console.go(PAGE, Notice(f"{added.id!r} is set and switched on."))


def fault_of(kind: str, form: Mapping[str, str]) -> dict[str, Any]:
    """Return a fault as JSON from the fields of the form; what is empty is left to its default.

    Raises:
        BadFault: a field cannot be read; the rest is checked with the fault itself.
    """
    made: dict[str, Any] = {"operations": form.get("operations") or "*"}
    if kind == SCRIPT:
        parameters = [each for each in COMMON if each.name in _SCRIPTED]
        try:
            made[SCRIPT] = orjson.loads(form.get(SCRIPT, ""))
        except orjson.JSONDecodeError as error:
            raise BadFault(SCRIPT, f"is no JSON: {error}") from None
    else:
        made["kind"] = kind
        own = KINDS[kind].parameters if kind in KINDS else ()
        parameters = [*own, *(each for each in COMMON if each.name in _SINGLE)]
    for each in parameters:
        text = form.get(each.name, "")
        if each.type == "boolean":
            if text:
                made[each.name] = True
        elif text:
            made[each.name] = _value(each, text)
    return made


def _value(parameter: Parameter, text: str) -> str | int | float:
    if parameter.type == "text":
        return text
    try:
        return int(text) if parameter.type == "integer" else float(text)
    except ValueError:
        raise BadFault(parameter.name, f"must be {parameter.allowed}, not {text!r}") from None


def _switch(console: Console, form: Form) -> Notice:
    identifier, verb = form["id"], form["verb"]
    if verb in ("on", "off"):
        console.control.switch_fault(identifier, verb == "on")
        return Notice(f"{identifier!r} is switched {verb}.")
    if verb == "remove":
        console.control.remove_fault(identifier)
        return Notice(f"{identifier!r} is removed.")
    raise Wrong(f"A fault cannot {verb}.")
