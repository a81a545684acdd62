"""The page of faults: those that are set, with their switches, and a form for a new one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from social_publishing_sandbox.api.faults.fault import Fault, Step
from social_publishing_sandbox.api.faults.kinds import COMMON, KINDS, BadFault, Parameter
from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.console.base import PAGES, Console, Form, Notice, fields
from social_publishing_sandbox.state.wording import counted

SCRIPT: Final = "script"
PAGE: Final = f"{PAGES}/faults"

_SCRIPTED: Final = ("user", "after", "repeat", "id")  # what a script has of the common members
_SINGLE: Final = tuple(each.name for each in COMMON if each.name != "repeat")
_EXAMPLE: Final = '["pass", {"status": 503}, "drop-after", "pass"]'


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return the faults, and the form for a new one."""
    return _shown(console, request.query_params.get("kind"), {}, None)


def _shown(
    console: Console, kind: str | None, given: Mapping[str, str], error: BadFault | None
) -> dict[str, Any]:
    known = kind if kind in (*KINDS, SCRIPT) else next(iter(KINDS))
    common = _SCRIPTED if known == SCRIPT else _SINGLE
    return {
        "active": console.control.faults.all(),
        "in_words": in_words,
        "how_often": how_often,
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


async def add(console: Console, request: Request) -> Response:
    """Set a fault, or show its form again with what is wrong."""
    form = await fields(request)
    kind = form.get("kind", "")
    try:
        added = console.control.add_fault(**fault_of(kind, form))
    except BadFault as error:
        shown = partial(_shown, console, kind, form, error)
        return await console.show(request, "faults.html", lambda *_: shown(), 422)
    return console.go(PAGE, Notice(f"{added.id!r} is on."))


def fault_of(kind: str, form: Mapping[str, str]) -> dict[str, Any]:
    """Return a fault as JSON from the fields of the form; what is empty is left to its default."""
    made: dict[str, Any] = {"operations": form.get("operations") or "*"}
    if kind == SCRIPT:
        parameters = [each for each in COMMON if each.name in _SCRIPTED]
        try:
            made[SCRIPT] = orjson.loads(form.get(SCRIPT, ""))
        except orjson.JSONDecodeError as error:
            raise BadFault(SCRIPT, f"is not JSON: {error}") from None
    else:
        made["kind"] = kind
        own = KINDS[kind].parameters if kind in KINDS else ()
        parameters = [*own, *(each for each in COMMON if each.name in _SINGLE)]
    for parameter in parameters:
        text = form.get(parameter.name, "")
        if parameter.type == "boolean":
            if text:
                made[parameter.name] = True
        elif text:
            made[parameter.name] = _value(parameter, text)
    return made


def _value(parameter: Parameter, text: str) -> str | int | float:
    if parameter.type == "text":
        return text
    try:
        return int(text) if parameter.type == "integer" else float(text)
    except ValueError:
        raise BadFault(parameter.name, f"must be {parameter.allowed}, not {text!r}") from None


def in_words(step: Step) -> str:
    """Return the parameters of a step, such as `status 503`, without those that are not set."""
    given = ((name, value) for name, value in step.parameters.items() if value not in (None, False))
    return ", ".join(f"{name} {value}" for name, value in given)


def how_often(fault: Fault) -> str:
    """Return which of its requests a fault happens to: `the first 2 of them`, `30% of them`."""
    if fault.scripted:
        return "repeatedly" if fault.repeat else "once through"
    share = "" if fault.probability == 1 else f"{fault.probability * 100:g}% of them"
    most = "" if fault.times is None else counted(fault.times, "time")
    return ", ".join(each for each in (share, most) if each) or "every time"


def restart(console: Console, form: Form) -> Notice:
    """Let a fault that has ended begin again."""
    identifier = form["id"]
    fault = console.control.faults.get(identifier).fault
    console.control.remove_fault(identifier)
    console.control.add_fault(**fault.to_json())
    return Notice(f"{identifier!r} starts again.")
