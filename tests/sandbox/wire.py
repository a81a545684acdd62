"""A sandbox as a client sees it: a world of a few objects, and requests without sockets."""

from __future__ import annotations

import asyncio
import copy
import os
import sys
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any

import httpx2

import social_publishing_sandbox
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.state.documents import Contract
from tests.support.documents import Document, Operation, sent_as
from tests.support.wire import find

Json = dict[str, Any]
Ids = dict[str, str]
"""Identifiers by the names of their objects."""

WORLD: Json = {
    "format": 1,
    "now": "2026-12-01T09:00:00Z",
    "organization": {"name": "High Street"},
    "users": [
        {"token": "ada", "name": "Ada"},
        {"token": "tom", "name": "Tom", "groupIds": ["Bakery"], "can_approve": True},
        {"token": "cleo", "name": "Cleo", "is_client": True, "groupIds": ["Bakery"]},
        {"token": "max", "name": "Max", "groupIds": ["Garage"]},
    ],
    "groups": [
        {"name": "Bakery", "timezone": "Europe/Berlin", "note": "Bread.", "week_start_day": 1},
        {"name": "Garage", "approval_workflow": 2, "max_social_accounts": 2, "type": 3},
    ],
    "social_accounts": [
        {"socialNetwork": "threads", "username": "bread", "group_id": "Bakery"},
        {"socialNetwork": "bluesky", "username": "bread", "group_id": "Bakery"},
        {"socialNetwork": "linkedin", "username": "bread", "group_id": "Bakery"},
        {"socialNetwork": "facebook", "username": "wheels", "group_id": "Garage"},
        {"socialNetwork": "pinterest", "username": "wheels", "group_id": "Garage"},
    ],
    "labels": [
        {"name": "News"},
        {"name": "Rolls", "group_id": "Bakery"},
        {"name": "Tyres", "group_id": "Garage"},
    ],
    "media": [{"client_name": "loaf.png"}, {"client_name": "oven.png"}],
}
"""The world of these tests: two groups, and people who may see one or both."""

FROM, TO, TEAM = (sent_as("listCalendarNotes", name) for name in ("start", "end", "group_id"))
NETWORKS, TASKS = (sent_as("deletePosts", name) for name in ("from_networks", "delete_tasks"))
SERIES = sent_as("deleteCalendarNote", "related_notes")
"""Names of parameters that no section documents."""

START, END = "2026-12-05T09:00:00Z", "2026-12-05T10:00:00Z"
GROUP: Json = {
    **{"name": "Mine", "timezone": "UTC", "type": 1, "week_start_day": 0, "note": None},
    **{"max_social_accounts": None, "default_assignee_ids": []},
    "default_everyone_must_approve": False,
}
NOTE: Json = {
    **{"title": "Mine", "start_date": START, "end_date": END, "group_id": None, "content": ""},
    **{"color": 3, "is_private": False, "visible_for_client": False},
}
"""Bodies that replace a group and a calendar note (§4.2, §4.4)."""


OWN = threading.local()
"""The event loop of each thread that asks: making one takes longer than a request."""


def exchange(app: Any, method: str, url: str, **sent: Any) -> httpx2.Response:
    """A request to an ASGI application, carried out before the call returns."""

    async def send() -> httpx2.Response:
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app)) as client:
            return await client.request(method, url, **sent)

    if not hasattr(OWN, "loop"):
        OWN.loop = asyncio.new_event_loop()
    return OWN.loop.run_until_complete(send())


class Wire:
    """Requests to a sandbox, each carried out before the call returns.

    Args:
        token: whose; the owner's if None, nobody's if empty.
    """

    def __init__(self, sandbox: Sandbox, token: str | None = None) -> None:
        self.sandbox = sandbox
        self.token = sandbox.token if token is None else token

    def of(self, token: str) -> Wire:
        """The same sandbox, for somebody else."""
        return Wire(self.sandbox, token)

    def __call__(
        self, method: str, path: str, body: Any = None, *, media: bool = False, **sent: Any
    ) -> httpx2.Response:
        """Send a request.

        Args:
            path: path and query, below the base address.
            body: what is sent as JSON; None for no body.
            media: to the media API.
            sent: what else httpx2 takes.
        """
        if body is not None:
            sent["json"] = body
        app, base = self.sandbox.app, self.sandbox.base_url
        if media:
            app, base = self.sandbox.media_app, self.sandbox.media_url
        headers = {"Accept": "application/json", **sent.pop("headers", {})}
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        return exchange(app, method, base + path, headers=headers, **sent)

    def get(self, path: str, status: int = 200, **sent: Any) -> Any:
        """What a GET answers; `status` as in `answered`."""
        return self.answered(self("GET", path, **sent), status)

    def patch(self, path: str, body: Any, status: int = 200) -> Any:
        """What a PATCH answers; `status` as in `answered`."""
        return self.answered(self("PATCH", path, body), status)

    def put(self, path: str, body: Any, status: int = 200) -> Any:
        """What a PUT answers; `status` as in `answered`."""
        return self.answered(self("PUT", path, body), status)

    def post(self, path: str, body: Any, status: int = 200, **sent: Any) -> Any:
        """What a POST answers; `status` as in `answered`."""
        return self.answered(self("POST", path, body, **sent), status)

    def delete(self, path: str, status: int = 200) -> Any:
        """What a DELETE answers; `status` as in `answered`."""
        return self.answered(self("DELETE", path), status)

    def answered(self, response: httpx2.Response, status: int = 200) -> Any:
        """The JSON of a response; None where it has no body.

        Args:
            status: what is meant, in its usual status. 2xx is the success that the operation
                documents; a refusal is that status, or where only others are documented, one of
                them.
        """
        wanted = {status}
        if operation := self._operation(response.request):
            success = {operation.success.status}
            wanted = operation.refused_as(status) if status >= 400 else success
        assert response.status_code in wanted, (response.status_code, wanted, response.text)
        return response.json() if response.content else None

    def _operation(self, request: httpx2.Request) -> Operation | None:
        """The operation of a request, by the documents of this sandbox."""
        url, documents = str(request.url), _documents(self.sandbox.service.contract)
        at_media = url.startswith(f"{self.sandbox.media_url}/")
        base = self.sandbox.media_url if at_media else self.sandbox.base_url
        path = url.removeprefix(base).partition("?")[0]
        found = find(documents["media" if at_media else "main"], request.method, path)
        return found and found[0]


@lru_cache(maxsize=4)
def _documents(read: Contract) -> dict[str, Document]:
    return {each.name: Document(each.name, each.data) for each in read.documents}


def at_fault(refused: Json) -> list[str]:
    """The fields that a refusal names, in any form of `errors` (`error.fields`)."""
    errors = refused["errors"]
    said = (each if isinstance(each, str) else _only(each) for each in errors)
    return list(dict.fromkeys(text.partition(": ")[0] for text in said))


def _only(error: Json) -> str:
    """The one text of an error that is no sentence."""
    (name,) = (str(text) for text in error.values() if " " not in str(text))
    return name


def world(**changes: Any) -> Json:
    """A copy of `WORLD` with other lists or values."""
    return {**copy.deepcopy(WORLD), **changes}


def ids(sandbox: Sandbox) -> dict[str, str]:
    """The identifiers of everything in a world, by name; of accounts by `network:username`."""
    held = sandbox.world()
    found: dict[str, str] = {}
    for kind, field in (
        *(("users", "name"), ("groups", "name"), ("labels", "name"), ("posts", "name")),
        *(("media", "client_name"), ("calendar_notes", "title")),
    ):
        found |= {each[field]: each["id"] for each in held[kind] if each.get(field)}
    for each in held["social_accounts"]:
        found[f"{each['socialNetwork']}:{each['username']}"] = each["id"]
    return found


def everything(sandbox: Sandbox) -> list[Any]:
    """What somebody can find out of a sandbox: all of it stays where something is refused."""
    faults, limits = sandbox.faults.all(), sandbox.service.limits
    found = [sandbox.world(), sandbox.now, sandbox.clock_mode, sandbox.service.settings.seed]
    found += [sandbox.settings(), limits.window, [each.to_json() for each in faults]]
    return [*found, sandbox.snapshots(), len(sandbox.requests()), sandbox.events.last_number]


def a_post(sandbox: Sandbox, status: str) -> str:
    """The first post in this state."""
    code = sandbox.service.codes[status]
    return str(sandbox.service.store.posts.where("status = ? ORDER BY key", [code])[0]["id"])


def without(doc: Json, *names: str) -> Json:
    """A document without some members."""
    return {key: value for key, value in doc.items() if key not in names}


PROGRAM = [sys.executable, "-m", "social_publishing_sandbox"]


def environment(**more: str) -> dict[str, str]:
    """The environment of a process that finds the package where it is."""
    package = Path(social_publishing_sandbox.__path__[0]).parent
    return {**os.environ, "PYTHONPATH": str(package), "PYTHONUNBUFFERED": "", **more}
