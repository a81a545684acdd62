"""Groups with their social accounts, which may need attention, and the users with their tokens."""

from __future__ import annotations

from calendar import day_name
from typing import Any

from starlette.requests import Request

from social_publishing_sandbox.console import listing, wording
from social_publishing_sandbox.console.base import Console, Missing
from social_publishing_sandbox.state import ids
from social_publishing_sandbox.state.behaviour import limits
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.service import Service


def read_all(console: Console, request: Request) -> dict[str, Any]:
    """Return every group with its accounts."""
    service = console.service
    by_group: dict[str, list[Json]] = {}
    for account in service.store.accounts.where("1 ORDER BY key"):
        by_group.setdefault(account["group_id"], []).append(account)
    groups = listing.groups(service)
    return {
        "groups": [(each, by_group.get(each["id"], [])) for each in groups],
        "accounts": sum(len(each) for each in by_group.values()),
        "attention": [
            (account, group)
            for group in groups
            for account in by_group.get(group["id"], [])
            if limits.is_expired(account, service.assume, service.now())
        ],
        **_names(service),
    }


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return one group."""
    service = console.service
    identifier = request.path_params["id"]
    group = service.store.groups.get(identifier)
    if group is None:
        raise Missing(f"group {identifier}")
    key = ids.key(group["id"])
    counts = service.store.execute(
        "SELECT status, count(DISTINCT posts.key) FROM posts "
        "JOIN post_accounts ON post_key = posts.key JOIN accounts ON accounts.key = account_key "
        "WHERE group_key = ? GROUP BY status ORDER BY status",
        (key,),
    ).fetchall()
    labels = [
        label
        for label in service.store.labels.where("1 ORDER BY key")
        if label.get("group_id") == group["id"]
    ]
    return {
        "group": group,
        "accounts": service.store.accounts.where("group_key = ? ORDER BY key", [key]),
        "counts": [each for each in counts if each[0] != service.codes["DELETED"]],
        "labels": labels,
        "users": {each["id"]: each for each in service.store.users.where()},
        "zone": wording.zone_of(group.get("timezone")),
        **_names(service),
    }


def _names(service: Service) -> dict[str, Any]:
    main = service.contract.main
    return {
        "types": {code: name for name, code in main.codes("GroupType").items()},
        "workflows": {code: name for name, code in main.codes("ApprovalWorkflow").items()},
        "default_workflow": service.organization.get("approval_workflow", 0),
        "weekdays": ("Sunday", *day_name[:6]),
    }


def read_users(console: Console, request: Request) -> dict[str, Any]:
    """Return all users."""
    service = console.service
    groups = {each["id"]: each["name"] for each in service.store.groups.where()}
    return {"users": service.with_tokens(), "groups": groups}
