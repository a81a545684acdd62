"""Operations on groups (§4.2)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from social_publishing_sandbox.api.operations import accounts
from social_publishing_sandbox.state import access, ids
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.refusals import Reason, Refusal
from social_publishing_sandbox.state.service import Call, Service, stamp

RELATIONS: Final = ("socialAccounts", "socialAccountsCount")
"""The relations of a group (§2.6)."""

_RESET: Final = (
    "approval_workflow",
    "avatar",
    "color",
    "country",
    "post_task_templates_enabled",
)
_WITHOUT_EFFECT: Final = ("default_everyone_must_approve", "default_assignee_ids")  # §2.6


def get_group(service: Service, call: Call) -> Json:
    """Return a group; with its accounts and their number, unless other relations are asked for."""
    group = access.group(service, call.user, call.id)
    include = call.values.get("include")
    if include is None:
        by_default = service.assume.get("groupAccounts", {}).get("getGroup") == "included"
        include = RELATIONS if by_default else ()
    return show(service, group, include)


def replace_group(service: Service, call: Call) -> Json:
    """Set all values of a group (§4.2); the others stay (`replaceGroup.others`)."""
    access.check_may_write(call)
    group = access.group(service, call.user, call.id)
    call.body.mark(_WITHOUT_EFFECT)
    written = service.documented(call.body, "GroupReplacement", "Group")
    body = {name: value for name, value in written.items() if name not in _WITHOUT_EFFECT}
    limit = body.get("max_social_accounts")
    held = accounts_of(service, group["id"])
    rules: Json = service.assume.get("groups", {})
    refused = rules.get("maximumBelowHeld") == "refused"
    if refused and limit is not None and limit < len(held):
        sentence = (
            f"The group has {len(held)} social accounts; max_social_accounts cannot be {limit}."
        )
        raise Refusal(Reason.CONFLICT, sentence, cites="replaceGroup.maximumHeld")
    if rules.get("unsent") == "reset":
        for name in _RESET:
            group.pop(name, None)
    group.update(body)
    group["updated_at"] = stamp(service)
    service.store.groups.put(group)
    service.emit("group", {"id": group["id"]})
    shown = service.assume.get("groupAccounts", {}).get("replaceGroup") == "included"
    return show(service, group, RELATIONS if shown else ())


def accounts_of(service: Service, group_id: str) -> list[Json]:
    """Return the social accounts of a group, the oldest first."""
    return service.store.accounts.where("group_key = ? ORDER BY key", (ids.key(group_id),))


def show(service: Service, group: Json, include: Collection[str]) -> Json:
    """Return a group as the service gives it, with these relations (§2.6)."""
    given: dict[str, Any] = {}
    include = {*include, *service.view("Group").needs}
    if "socialAccounts" in include or "socialAccountsCount" in include:
        held = accounts_of(service, group["id"])
        if "socialAccounts" in include:
            given["socialAccounts"] = accounts.show(service, held, "getGroup")
        if "socialAccountsCount" in include:
            given["socialAccountsCount"] = len(held)
    return service.view("Group")(group, given)
