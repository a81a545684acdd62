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
from social_publishing_sandbox.console.desk import PAGES, Desk, Wrong
from social_publishing_sandbox.console.notices import Notice

SCRIPT: Final = "script"
PAGE: Final = f"{PAGES}/faults"

_SCRIPTED: Final = ("user", "after", "repeat", "id")  # what a script has of the common members
_SINGLE: Final = tuple(each.name for each in COMMON if each.name != "repeat")
_EXAMPLE: Final = '["pass", {"status": 503}, "drop-after", "pass"]'


def routes(desk: Desk) -> list[BaseRoute]:
    """Return the page with its form, and the switches."""
    return [
        Route(PAGE, partial(_show, desk)),
        Route(PAGE, partial(_add, desk), methods=["POST"]),
        Route(f"{PAGE}/{{id}}/{{verb}}", partial(_switch, desk), methods=["POST"]),
    ]


async def _show(desk: Desk, request: Request) -> Response:
    return await _page(desk, request, request.query_params.get("kind"), {}, None)


async def _page(
    desk: Desk, request: Request, kind: str | None, given: Mapping[str, str], error: BadFault | None
) -> Response:
    return await desk.show(
        request,
        "faults.html",
        lambda: {**_read(desk, kind), "given": given, "error": error},
        422 if error else 200,
    )


def _read(desk: Desk, kind: str | None) -> dict[str, Any]:
    known = kind if kind in (*KINDS, SCRIPT) else next(iter(KINDS))
    common = _SCRIPTED if known == SCRIPT else _SINGLE
    return {
        "standings": desk.sandbox.faults.standings(),
        "kinds": KINDS.values(),
        "kind": known,
        "chosen": KINDS.get(known),
        "common": [each for each in COMMON if each.name in common],
        "operations": _operations(desk),
        "users": [each["name"] for each in desk.service.store.users.where("1 ORDER BY key")],
        "example": _EXAMPLE,
    }


def _operations(desk: Desk) -> list[tuple[str, list[str]]]:
    return [(each.name, sorted(each.operations)) for each in desk.service.contract.documents]


async def _add(desk: Desk, request: Request) -> Response:
    form = {key: str(value).strip() for key, value in (await request.form()).items()}
    kind = form.get("kind", "")
    try:
        added = desk.sandbox.add_fault(**fault_of(kind, form))
    except BadFault as error:
        return await _page(desk, request, kind, form, error)
    return desk.go(PAGE, Notice(f"{added.id!r} is set and switched on."))


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


async def _switch(desk: Desk, request: Request) -> Response:
    identifier, verb = request.path_params["id"], request.path_params["verb"]
    sandbox = desk.sandbox

    def work() -> Notice:
        if verb == "on":
            sandbox.switch_fault(identifier, True)
            return Notice(f"{identifier!r} is switched on.")
        if verb == "off":
            sandbox.switch_fault(identifier, False)
            return Notice(f"{identifier!r} is switched off.")
        if verb == "remove":
            sandbox.remove_fault(identifier)
            return Notice(f"{identifier!r} is removed.")
        raise Wrong(f"A fault cannot {verb}.")

    return await desk.act(work, PAGE)
