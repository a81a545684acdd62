"""Operations on social accounts (§4.3)."""

from __future__ import annotations

from collections.abc import Sequence

from social_publishing_sandbox.state import access, ids
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.refusals import invalid
from social_publishing_sandbox.state.service import Call, Service
from social_publishing_sandbox.state.views import ABSENT


def get_social_account(service: Service, call: Call) -> Json:
    """Return a social account with the state of its connection, and with the user who connected it
    (`user.presence`).
    """
    account = access.account(service, call.user, call.id)
    return show(service, [account], call.operation.id)[0]


def show(service: Service, accounts: Sequence[Json], operation: str) -> list[Json]:
    """Return accounts as an operation gives them, where it does so with their users
    (`user.presence`).
    """
    view = service.view("SocialAccount")
    with_user = operation in service.assume.get("user", {}).get("SocialAccount", ())
    if not with_user and "user" not in view.needs:
        return view.each(accounts)
    users = service.store.users.many({each.get("user_id", "") for each in accounts} - {""})
    shown = {key: service.view("User")(user) for key, user in users.items()}
    return [view(each, {"user": shown.get(each.get("user_id", ""), ABSENT)}) for each in accounts]


def move_social_account(service: Service, call: Call) -> Json:
    """Move an account to another group, unless that group is full (§2.6).

    Without a group it stays where it is (`moveSocialAccount.required`).
    """
    access.check_may_write(call)
    account = access.account(service, call.user, call.id)
    chosen = call.body.get("group_id", account["group_id"])
    group = access.target_group(service, call.user, chosen)
    if account["group_id"] == group["id"]:
        return show(service, [account], call.operation.id)[0]
    key = ids.key(group["id"])
    limit = group.get("max_social_accounts")
    if limit is not None and service.store.accounts.count("group_key = ?", (key,)) >= limit:
        sentence = f"The group is full: it has its maximum of {limit} social accounts."
        raise invalid({"group_id": [sentence]}, cites="§4.2")
    account["group_id"] = group["id"]
    service.store.accounts.put(account, key)
    service.emit("account", {"id": account["id"], "group_id": group["id"]})
    return show(service, [account], call.operation.id)[0]
