"""Control over HTTP, for programs in any language: JSON below `/_sandbox`.

Each route takes a JSON object or query parameters, and refuses unknown members. An error is
`{"message": …}`, with `field` if one is wrong.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from social_publishing_sandbox import worlds
from social_publishing_sandbox.api.request_log.entry import Entry, to_dict
from social_publishing_sandbox.api.space import NoSpace
from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.control import objects
from social_publishing_sandbox.control.control import PREFIX, Control
from social_publishing_sandbox.control.event_stream import stream
from social_publishing_sandbox.control.verbs import VERBS, Verb
from social_publishing_sandbox.state import arguments, times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.errors import ControlError
from social_publishing_sandbox.state.wording import counted, sentence, shown
from social_publishing_sandbox.worlds import BadWorld

_MEBIBYTE: Final = 1 << 20
_BODY: Final = _MEBIBYTE
_WORLD: Final = 512 * _MEBIBYTE
_PAGE: Final = 100
_MOST: Final = 1_000

log = logging.getLogger("social_publishing_sandbox")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, checked and read."""

    control: Control
    path: Mapping[str, Any]
    query: Mapping[str, str]
    body: Json


@dataclass(frozen=True, slots=True)
class Command:
    """The command of a route for one method.

    Attributes:
        do: gives the body of the response; None for none. It runs in a thread.
        body: the members that the body may have, none of them required; None for any.
        query: the parameters that the query may have; None for any.
        size: the largest body in bytes.
    """

    do: Callable[[Asked], Any]
    body: tuple[str, ...] | None = ()
    query: tuple[str, ...] | None = ()
    status: int = 200
    size: int = _BODY


def routes(control: Control) -> list[BaseRoute]:
    """Return every route of control; they expect to stand behind the guard."""

    async def events(request: Request) -> Response:
        return await stream(control, request)

    routes: list[BaseRoute] = [Route(f"{PREFIX}/events", events)]
    for path, commands in reversed(COMMANDS.items()):  # the first that matches: `…/restore` first
        respond = partial(_respond, control, commands)
        place = path.replace("{name}", "{name:path}")  # a snapshot's name may have slashes
        routes.append(Route(f"{PREFIX}{place}", respond, methods=list(_METHODS)))
    return routes


async def _respond(control: Control, commands: Mapping[str, Command], request: Request) -> Response:
    command = commands.get("GET" if request.method == "HEAD" else request.method)
    if command is None:
        allowed = ", ".join(commands)
        message = f"{request.url.path} has no {request.method}; it has {allowed}."
        return json_response({"message": message}, 405, {"allow": allowed})
    try:
        query = dict(request.query_params)
        _only(query, command.query, "parameter")
        body = await _body(request, command.size) if request.method != "GET" else {}
        _only(body, command.body, "member")
        asked = Asked(control, request.path_params, query, body)
        result = await asyncio.to_thread(command.do, asked)
    except HTTPException as error:
        return json_response({"message": error.detail}, error.status_code)
    except Exception as error:
        return _refused(error)
    return Response(status_code=204) if result is None else json_response(result, command.status)


def carry_out(
    control: Control, path: str, method: str, given: Json, identifier: str | None = None
) -> Any:
    """Carry out a command without HTTP.

    Args:
        path: one of `COMMANDS`.
        given: the query of a GET, and the body of all others.
        identifier: what stands in the braces of the path.

    Raises:
        ValueError: it cannot be carried out; the text says why.
    """
    command, reads = COMMANDS[path][method], method == "GET"
    try:
        _only(given, command.query if reads else command.body, "member")
        names = re.findall(r"{(\w+)", path)
        if names and identifier is None:
            raise ControlError(f"{names[0]} is missing", names[0])
        named: dict[str, Any] = dict.fromkeys(names, identifier)
        if "number" in named:
            named = {"number": arguments.read("number", named["number"])}
        return command.do(Asked(control, named, given if reads else {}, {} if reads else given))
    except Exception as error:
        raise ValueError(_explained(error)[0]["message"]) from error


_METHODS: Final = ("GET", "PUT", "POST", "PATCH", "DELETE")


def _only(given: Mapping[str, Any], known: tuple[str, ...] | None, noun: str) -> None:
    for name in given:
        if known is not None and name not in known:
            there = f"there are {', '.join(known)}" if known else "there are none"
            raise ControlError(f"there is no {noun} {name!r}; {there}", name)


async def _body(request: Request, size: int) -> Json:
    content = bytearray()
    try:
        async for chunk in request.stream():
            content += chunk
            if len(content) > size:
                raise HTTPException(413, f"The body may have at most {size:,} bytes.")
    except ClientDisconnect:
        raise HTTPException(400, "The body is incomplete.") from None
    if not content:
        return {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "The body must be JSON: send Content-Type: application/json.")
    try:
        value = await asyncio.to_thread(orjson.loads, content)
    except orjson.JSONDecodeError as error:
        raise HTTPException(400, f"The body is not JSON: {error}.") from None
    if not isinstance(value, dict):
        raise ControlError("the body must be a JSON object")
    return value


def json_response(
    value: Any, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a JSON response that nobody keeps."""
    content = orjson.dumps(value, default=dict)
    response = Response(content, status, headers, "application/json")
    response.headers["cache-control"] = "no-store"
    return response


def _refused(error: Exception) -> Response:
    """Return an error as JSON."""
    return json_response(*_explained(error))


def _explained(error: Exception) -> tuple[Json, int]:
    """Return what an error is in JSON, and the status for it."""
    match error:
        case ControlError():
            return _problem(error, error.field), 404 if error.missing else 422
        case BadWorld():
            problems = [str(problem) for problem in error.problems]
            body = {"message": f"The world has {counted(len(problems), 'fault')}: {problems[0]}."}
            return {**body, "problems": problems}, 422
        case NoSpace():
            return _problem(error, None), 507
        case RuntimeError() if str(error) == "the sandbox is closed":
            return {"message": "The sandbox is closed."}, 503
    log.error("control failed", exc_info=error)
    return {"message": f"The sandbox failed: {type(error).__name__}."}, 500


def _problem(error: Exception, field: str | None) -> Json:
    message = sentence(str(error))
    if field and str(error).startswith(field):  # a name keeps its spelling
        message = field + message.removeprefix(field[:1].upper() + field[1:])
    return {"message": message, "field": field} if field else {"message": message}


def _do(verb: Verb, asked: Asked) -> Any:
    given = {name: value for name, value in asked.body.items() if value is not None}
    return verb.do(asked.control, asked.path["id"], **given)


# The clock


def _clock(asked: Asked) -> Json:
    control = asked.control
    event = control.next_event()
    return {
        "now": _text(control.service.clock.now()),
        "mode": control.clock_mode,
        "next_event": None if event is None else _text(round(event.timestamp() * 1_000)),
    }


def _text(ms: int) -> str:
    """Return a moment, to the millisecond where it is not on a whole second."""
    text = times.text(ms)
    return text if ms % times.SECOND == 0 else f"{text[:-1]}.{ms % times.SECOND:03}Z"


def _set_clock(asked: Asked) -> Json:
    asked.control.set_clock(asked.body.get("now"), mode=asked.body.get("mode"))
    return _clock(asked)


def _advance(asked: Asked) -> Json:
    steps = {name: value for name, value in asked.body.items() if name != "to"}
    target = asked.body.get("to")
    if (target is None) is not bool(steps):
        raise ControlError(
            "an advance needs days, hours, minutes or seconds, or a moment, to", "to"
        )
    if target is None:
        asked.control.advance(**steps)
        return _clock(asked)
    if target == "next_event":
        target = asked.control.next_event()
        if target is None:
            raise ControlError("nothing is planned, so there is no next event", "to")
    try:
        asked.control.set_clock(target)
    except ControlError as error:
        raise error.called("to") from None
    return _clock(asked)


# Objects


def _find(kind: str) -> Callable[[Asked], list[Json]]:
    def find(asked: Asked) -> list[Json]:
        service = asked.control.service
        fields = {
            name: objects.of_text(service, kind, name, text) for name, text in asked.query.items()
        }
        return asked.control.find(kind, **fields)

    return find


# The whole


def _reset(asked: Asked) -> Json:
    world, seed = asked.body.get("world"), asked.body.get("seed")
    if world is not None and world not in worlds.NAMES:
        known = ", ".join(worlds.NAMES)
        reason = (
            f"there is no world {shown(world)}; there are {known}; PUT {PREFIX}/world accepts "
            "worlds of your own"
        )
        raise ControlError(reason, "world")
    asked.control.reset(world, seed=seed)
    return _clock(asked)


def _put_world(asked: Asked) -> Json:
    asked.control.reset(asked.body)
    return _clock(asked)


def _restore(asked: Asked) -> Json:
    asked.control.restore(asked.path["name"])
    return _clock(asked)


def _configure(asked: Asked) -> Json:
    asked.control.configure(**asked.body)
    return asked.control.settings()


# Requests


def _requests(asked: Asked) -> list[Json]:
    wanted = {name: arguments.read(name, text) for name, text in asked.query.items()}
    bodies = wanted.pop("bodies", False)
    limit = min(wanted.pop("limit", _PAGE), _MOST)
    # Who continues after a number wants what comes next; everybody else the newest.
    newest_first = "since" not in wanted
    entries = asked.control.requests(
        wanted.pop("text", None), **wanted, limit=limit, newest_first=newest_first
    )
    return [to_dict(entry, bodies=bodies) for entry in entries]


def _request(asked: Asked) -> Json:
    entry: Entry | None = asked.control.request_log.get(asked.path["number"])
    if entry is None:
        raise ControlError(f"there is no request {asked.path['number']}", "number", missing=True)
    return to_dict(entry)


def _clear_requests(asked: Asked) -> None:
    asked.control.request_log.clear()
    asked.control.service.emit("requests", {})


def _duplicates(asked: Asked) -> list[Json]:
    within = arguments.read("within", asked.query.get("within", "60"))
    return [
        {
            "message": str(duplicate),
            "first": to_dict(duplicate.first, bodies=False),
            "second": to_dict(duplicate.second, bodies=False),
        }
        for duplicate in asked.control.duplicates(within)
    ]


# Faults


def _add_fault(asked: Asked) -> Json:
    return asked.control.faults.get(asked.control.add_fault(**asked.body).id).to_json()


_SEARCH: Final = (
    *("text", "operation", "status", "user", "method", "api", "fault", "problems"),
    *("violations", "since", "limit", "bodies"),
)

COMMANDS: Final[dict[str, dict[str, Command]]] = {
    "/clock": {"GET": Command(_clock), "PUT": Command(_set_clock, ("now", "mode"))},
    "/clock/advance": {"POST": Command(_advance, ("days", "hours", "minutes", "seconds", "to"))},
    "/world": {
        "GET": Command(lambda asked: asked.control.world()),
        "PUT": Command(_put_world, None, size=_WORLD),
    },
    "/reset": {"POST": Command(_reset, ("world", "seed"))},
    "/snapshots": {
        "GET": Command(lambda asked: [{"name": name} for name in asked.control.snapshots()]),
        "POST": Command(
            lambda asked: {"name": asked.control.snapshot(asked.body.get("name"))},
            ("name",),
            status=201,
        ),
    },
    "/snapshots/{name}": {
        "DELETE": Command(lambda asked: asked.control.forget_snapshot(asked.path["name"]))
    },
    "/snapshots/{name}/restore": {"POST": Command(_restore)},
    "/settings": {
        "GET": Command(lambda asked: asked.control.settings()),
        "PUT": Command(_configure, arguments.SETTINGS),
    },
    "/budgets": {"GET": Command(lambda asked: asked.control.budgets())},
    "/requests": {"GET": Command(_requests, query=_SEARCH), "DELETE": Command(_clear_requests)},
    "/requests/duplicates": {"GET": Command(_duplicates, query=("within",))},
    "/requests/{number:int}": {"GET": Command(_request)},
    "/faults": {
        "GET": Command(lambda asked: [fault.to_json() for fault in asked.control.faults.all()]),
        "POST": Command(_add_fault, None, status=201),
    },
    "/faults/{id}": {
        "GET": Command(lambda asked: asked.control.faults.get(asked.path["id"]).to_json())
    },
    "/posts/{id}": {"GET": Command(lambda asked: asked.control.read_post(asked.path["id"]))},
    **{f"/{kind}": {"GET": Command(_find(kind), query=None)} for kind in objects.KINDS},
}
"""All commands by path and method."""

for _verb in VERBS:
    COMMANDS.setdefault(_verb.route, {})[_verb.method] = Command(partial(_do, _verb), _verb.given)
for _kind in objects.MADE:
    COMMANDS[f"/{_kind}"]["POST"] = Command(
        partial(lambda kind, asked: asked.control.create(kind, asked.body), _kind), None, status=201
    )
