"""The users, what each may do, and their tokens."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from social_publishing_sandbox.console.base import Console
from social_publishing_sandbox.state import ids
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.service import Service


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return all users."""
    service = console.service
    groups = {each["id"]: each["name"] for each in service.store.groups.where()}
    return {"users": with_tokens(service), "groups": groups}


def with_tokens(service: Service) -> list[tuple[Json, str | None]]:
    """Return every user with the token, the owner first."""
    tokens = dict(service.store.execute("SELECT key, token FROM users").fetchall())
    users = service.store.users.where("1 ORDER BY key")
    users.sort(key=lambda each: each.get("role") != "owner")
    return [(each, tokens[ids.key(each["id"])]) for each in users]
