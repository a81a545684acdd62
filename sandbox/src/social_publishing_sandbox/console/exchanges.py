"""The requests: the request log, live, and each exchange as a whole."""

from __future__ import annotations

import shlex
from functools import partial
from typing import Any, Final

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from social_publishing_sandbox.api import request_log
from social_publishing_sandbox.api.request_log import Entry
from social_publishing_sandbox.console import printing, wording
from social_publishing_sandbox.console.desk import PAGES, Desk, Missing, whole
from social_publishing_sandbox.console.notices import Notice

SHOWN: Final = 100
STATUSES: Final = ("2xx", "4xx", "5xx", "401", "404", "422", "429")
_LONG: Final = 60_000  # characters of a body on a page


def routes(desk: Desk) -> list[BaseRoute]:
    """Return the list, one exchange, and forgetting them."""
    return [
        Route(f"{PAGES}/requests", partial(_show_all, desk)),
        Route(f"{PAGES}/requests", partial(_clear, desk), methods=["POST"]),
        Route(f"{PAGES}/requests/{{number}}", partial(_show, desk)),
    ]


async def _show_all(desk: Desk, request: Request) -> Response:
    given = {
        name: request.query_params.get(name, "").strip()[:200]
        for name in ("text", "operation", "status", "user", "only")
    }
    return await desk.show(request, "requests.html", lambda: _read_all(desk, given))


def _read_all(desk: Desk, given: dict[str, str]) -> dict[str, Any]:
    kept, problem = desk.sandbox.request_log, None
    try:
        found = kept.search(
            given["text"] or None,
            operation=given["operation"] or None,
            status=given["status"] or None,
            user=given["user"] or None,
            fault="*" if given["only"] == "faults" else None,
            problems=True if given["only"] == "problems" else None,
            limit=SHOWN + 1,
        )
    except ValueError as error:
        found, problem = [], str(error)
    return {
        "entries": found[:SHOWN],
        "more": len(found) > SHOWN,
        "kept": len(kept),
        "last": kept.last_number,
        "problem": problem,
        "given": given,
        "filtered": any(given.values()),
        "operations": sorted(desk.service.contract.operations),
        "users": [each["name"] for each in desk.service.store.users.where("1 ORDER BY key")],
        "statuses": STATUSES,
        "duplicates": kept.duplicates(),
        "shown": SHOWN,
    }


async def _clear(desk: Desk, request: Request) -> Response:
    def work() -> Notice:
        desk.sandbox.request_log.clear()
        return Notice("The request log is empty.")

    return await desk.act(work, f"{PAGES}/requests")


async def _show(desk: Desk, request: Request) -> Response:
    number = request.path_params["number"]
    return await desk.show(request, "request.html", lambda: _read(desk, number))


def _read(desk: Desk, asked: str) -> dict[str, Any]:
    number, kept = whole(asked, 0, 0), desk.sandbox.request_log
    entry = kept.get(number)
    if entry is None:
        raise Missing(f"request {asked}")
    shown = request_log.to_dict(entry)
    return {
        "entry": entry,
        "shown": shown,
        "request_body": pretty(shown["request"]["body"], entry.request_cut),
        "response_body": pretty(shown["response"]["body"], entry.response_cut),
        "curl": curl(entry, shown, desk.service.origins[entry.api]),
        "before": kept.get(number - 1),
        "after": kept.get(number + 1),
    }


def pretty(body: Any, cut: bool = False) -> str:
    """Return a body for reading: JSON with line breaks, other text as it is.

    Args:
        body: decoded JSON, or a text.
        cut: the text is the beginning of a longer one.
    """
    if body is None:
        return ""
    if not isinstance(body, str):
        text = orjson.dumps(body, option=orjson.OPT_INDENT_2).decode()
    elif cut and body.startswith(("{", "[")):
        text = printing.indented(body)
    else:
        text = body
    return wording.cut(text, _LONG)


def curl(entry: Entry, shown: dict[str, Any], origin: str) -> str:
    """Return the command that sends this request once more; the token comes from `$TOKEN`."""
    lines = [f"curl -X {shlex.quote(entry.method)} {shlex.quote(origin + entry.target)}"]
    lines.append('-H "Authorization: Bearer $TOKEN"')
    lines += [
        f"-H {shlex.quote(f'{name}: {value}')}"
        for name, value in shown["request"]["headers"]
        if name in ("accept", "content-type") and entry.replayable
    ]
    if entry.request_body and entry.replayable:
        try:
            body = entry.request_body.decode()
        except UnicodeDecodeError:
            return "\n".join(["# The body is no text and is left out.", _joined(lines)])
        lines.append(f"--data-raw {shlex.quote(body)}")
    command = _joined(lines)
    if not entry.replayable:
        return f"# The body was not kept ({entry.request_note or 'too long'}).\n{command}"
    return command


def _joined(lines: list[str]) -> str:
    return " \\\n  ".join(lines)
