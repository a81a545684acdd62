"""A form for a new post, for which no operation is documented (§4.8, `endpoints.missing`)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from social_publishing_sandbox.console import listing, wording
from social_publishing_sandbox.console.base import PAGES, Console, Notice
from social_publishing_sandbox.console.calendar import date_of
from social_publishing_sandbox.control.control import milliseconds
from social_publishing_sandbox.documents.objects import Post
from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.errors import ControlError
from social_publishing_sandbox.state.service import Service

PAGE: Final = f"{PAGES}/posts/new"

_FIELDS: Final = ("content", "name", "status", "publication_date", "publication_delay_between")
_LATER: Final = times.DAY  # from now, for a post without a date of its own


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return an empty form."""
    service = console.service
    asked = request.query_params
    later = service.now() + _LATER
    day = date_of(asked.get("date"), wording.local(later).date())
    given = {"publication_date": f"{day}T{wording.hour(later)}", "status": "SCHEDULED"}
    return _shown(service, asked.get("group"), given, (), None)


def _shown(
    service: Service,
    group_id: str | None,
    given: Mapping[str, str],
    chosen: tuple[str, ...],
    error: ControlError | None,
) -> dict[str, Any]:
    groups = listing.groups(service)
    group = service.store.groups.get(group_id or "") or next(iter(groups), None)
    values = [] if group is None else [service.store.key(group["id"])]
    accounts = service.store.accounts.where("group_key = ? ORDER BY key", values) if group else []
    return {
        "groups": groups,
        "group": group,
        "accounts": accounts,
        "chosen": chosen,
        "given": given,
        "error": error,
        "statuses": [name for name in service.codes if name != "DELETED"],
    }


async def make(console: Console, request: Request) -> Response:
    """Make a post, or show its form again with what is wrong."""
    form = await request.form()
    given = {name: str(form.get(name, "")).strip() for name in _FIELDS}
    chosen = tuple(map(str, form.getlist("account")))
    try:
        post = await asyncio.to_thread(_create, console, given, chosen)
    except ControlError as error:
        group = str(form.get("group", ""))
        shown = partial(_shown, console.service, group, given, chosen, error)
        return await console.show(request, "new_post.html", lambda *_: shown(), 422)
    return console.go(f"{PAGES}/posts/{post.id}", Notice("The post was created."))


def _create(console: Console, given: Mapping[str, str], chosen: tuple[str, ...]) -> Post:
    fields: dict[str, Any] = {name: text for name, text in given.items() if text}
    date, delay = "publication_date", "publication_delay_between"
    if date in fields:
        fields[date] = times.text(milliseconds(fields[date], date))
    if re.fullmatch("[0-9]{1,9}", fields.get(delay, "")):
        fields[delay] = int(fields[delay])
    return console.control.create_post(**fields, selectedAccountIds=list(chosen))
