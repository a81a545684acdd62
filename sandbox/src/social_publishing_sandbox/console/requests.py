"""The requests: the log, live, each exchange as a whole, and the budget of each user (§8)."""

from __future__ import annotations

import shlex
import time
from typing import Any, Final
from urllib.parse import quote

from starlette.requests import Request

from social_publishing_sandbox.api.request_log.entry import Entry, to_dict
from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.console import wording
from social_publishing_sandbox.console.base import (
    Console,
    Form,
    Missing,
    Notice,
    Question,
    integer,
)
from social_publishing_sandbox.state import arguments
from social_publishing_sandbox.state.wording import counted

SHOWN: Final = 100
STATUSES: Final = ("2xx", "4xx", "5xx", "401", "404", "422")
_LONG: Final = 60_000  # characters of a body on a page


def read_all(console: Console, request: Request) -> dict[str, Any]:
    """Return the requests that the address asks for."""
    given = {
        name: request.query_params.get(name, "").strip()[:200]
        for name in ("text", "operation", "status", "user", "only")
    }
    kept, problem = console.control.request_log, None
    try:
        entries = kept.search(
            given["text"] or None,
            operation=given["operation"] or None,
            status=given["status"] or None,
            user=given["user"] or None,
            fault="*" if given["only"] == "faults" else None,
            problems=True if given["only"] == "problems" else None,
            violations=True if given["only"] == "violations" else None,
            limit=SHOWN + 1,
        )
    except ValueError as error:
        entries, problem = [], str(error)
    return {
        "entries": entries[:SHOWN],
        "more": len(entries) > SHOWN,
        "kept": len(kept),
        "last": kept.last_number,
        "problem": problem,
        "given": given,
        "filtered": any(given.values()),
        "operations": sorted(console.service.contract.operations),
        "users": [each["name"] for each in console.service.store.users.where("1 ORDER BY key")],
        "statuses": (*STATUSES, str(console.service.contract.main.rate["status"])),
        "duplicates": kept.duplicates(),
        "shown": SHOWN,
    }


def ask(console: Console, form: Form) -> Question | None:
    """Return what to ask before they are forgotten."""
    kept = len(console.control.request_log)
    text = f"{counted(kept, 'request')} will be deleted and cannot be recovered."
    return Question("Empty the request log?", text, "Empty it") if kept else None


def clear(console: Console, form: Form) -> Notice:
    """Forget all requests."""
    console.control.request_log.clear()
    console.service.emit("requests", {})
    return Notice("The request log is empty.")


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return one exchange."""
    asked = request.path_params["number"]
    number, kept = integer(asked, 0, 0), console.control.request_log
    entry = kept.get(number)
    if entry is None:
        raise Missing(f"request {asked}")
    shown = to_dict(entry)
    return {
        "entry": entry,
        "shown": shown,
        "grounds": _grounds(console, entry),
        "request_body": pretty(shown["request"]["body"]),
        "response_body": pretty(shown["response"]["body"]),
        "curl": curl(entry, shown, console.service.origins[entry.api]),
        "before": kept.get(number - 1),
        "after": kept.get(number + 1),
    }


def _grounds(console: Console, entry: Entry) -> list[tuple[str, str, str, str]]:
    """Return what a refusal rests on: its name, the title of a section, what a gap leaves out, and
    the address of the operation or of the gap in the reference.
    """
    contract = console.service.contract
    origins = {**console.service.origins, "main": ""}  # the console is on the main one
    operation = contract.operations.get(entry.operation or "")
    at = (
        f"#/{quote((operation.raw.get('tags') or ['default'])[0])}/{operation.id}"
        if operation
        else ""
    )
    sections: dict[str, str] = {}
    for document in contract.documents:
        sections |= document.data.get("x-sections", {})
    gaps = {
        name: (gap["missing"].replace("`", ""), f"{origins[document.name]}/docs/gaps#{name}")
        for document in reversed(contract.documents)
        for name, gap in document.data.get("x-gaps", {}).items()
    }
    reference = f"{origins[entry.api]}/docs{at}"
    return [
        (ground, title, *gaps.get(ground, ("", reference if title else "")))
        for ground in entry.cites
        for title in [sections.get(ground.lstrip("§"), "")]
    ]


def pretty(body: Any) -> str:
    """Return a body for reading: JSON with line breaks, other text as it is."""
    if body is None or isinstance(body, str):
        return wording.cut(body or "", _LONG)
    return wording.cut(orjson.dumps(body, option=orjson.OPT_INDENT_2).decode(), _LONG)


def curl(entry: Entry, shown: dict[str, Any], origin: str) -> str:
    """Return the command that sends this request once more, with the token from `$TOKEN`; empty
    where its body was not kept whole, or is no text.
    """
    try:
        body = (entry.request_body or b"").decode()
    except UnicodeDecodeError:
        return ""
    if not entry.replayable:
        return ""
    lines = [f"curl -X {shlex.quote(entry.method)} {shlex.quote(origin + entry.target)}"]
    lines.append('-H "Authorization: Bearer $TOKEN"')
    lines += [
        f"-H {shlex.quote(f'{name}: {value}')}"
        for name, value in shown["request"]["headers"]
        if name in ("accept", "content-type")
    ]
    if body:
        lines.append(f"--data-raw {shlex.quote(body)}")
    return " \\\n  ".join(lines)


def read_budgets(console: Console, request: Request) -> dict[str, Any]:
    """Return each user's budget, and the limit."""
    limits = console.service.limits
    return {
        "budgets": console.control.budgets(),
        "limit": limits.limit,
        "window": limits.window,
        "real_now": int(time.time()),
    }


def limit(console: Console, form: Form) -> Notice:
    """Set the limit, or take it away."""
    if form.get("action") == "off":
        console.control.limit(None)
        return Notice("There is no limit now.")
    given = arguments.read("requests", form.get("limit", ""))
    console.control.limit(given)
    requests = counted(given, "request")
    return Notice(f"Every user has a fresh budget of {requests} {console.service.limits.period}.")
