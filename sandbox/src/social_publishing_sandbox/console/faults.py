"""Failing on purpose: the faults that are set, with their switches, and a form for a new one."""

from __future__ import annotations

from typing import Any, Final

import orjson
from starlette.requests import Request
from starlette.responses import Response

from social_publishing_sandbox.api.faults.fault import Fault, Step
from social_publishing_sandbox.api.faults.kinds import COMMON, KINDS, BadFault
from social_publishing_sandbox.console.base import PAGES, Console, Form, Notice, fields
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.wording import counted

SCRIPT: Final = "script"
PAGE: Final = f"{PAGES}/faults"

_EXAMPLE: Final = {SCRIPT: ["pass", {"status": 503}, "drop-after", "pass"]}


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return the faults, and the form for a new one."""
    return _shown(console, request.query_params.get("kind"), "", None)


def _shown(
    console: Console, name: str | None, given: str, error: BadFault | None
) -> dict[str, Any]:
    kind = None if name == SCRIPT else KINDS.get(name or "", next(iter(KINDS.values())))
    own = kind.parameters if kind else ()
    example: Json = {"kind": kind.name} if kind else _EXAMPLE
    usual = {each.name: each.default for each in own if each.default is not None}
    text = orjson.dumps({**example, **usual, "operations": "*"}, option=orjson.OPT_INDENT_2)
    return {
        "active": console.control.faults.active(),
        "in_words": in_words,
        "how_often": how_often,
        "kinds": KINDS.values(),
        "kind": kind.name if kind else SCRIPT,
        "chosen": kind,
        "members": [*own, *COMMON],
        "operations": sorted(console.service.contract.operations),
        "text": given or text.decode(),
        "error": error,
    }


async def add(console: Console, request: Request) -> Response:
    """Set a fault, or show its form again with what is wrong."""
    form = await fields(request)
    text = form.get("fault", "")
    try:
        added = console.control.add_fault(**_fault_of(text))
    except BadFault as error:
        shown = _shown(console, form.get("kind"), text, error)
        return await console.show(request, "faults.html", lambda *_: shown, 422)
    return console.go(PAGE, Notice(f"{added.id!r} is on."))


def _fault_of(text: str) -> dict[str, Any]:
    """Return the members of a fault that is written as JSON."""
    try:
        members = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise BadFault("", f"this is not JSON: {error}") from None
    Fault.from_json(members)  # an object, with known members alone
    return dict(members)


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
