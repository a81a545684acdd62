"""Operations on social accounts (§4.3)."""

from __future__ import annotations

from social_publishing_sandbox.state import access, ids
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.refusals import invalid
from social_publishing_sandbox.state.service import Call, Service


def get_social_account(service: Service, call: Call) -> Json:
    """Return a social account with the state of its connection, and with the user who connected it
    (`user.presence`).
    """
    account = access.account(service, call.user, call.id)
    given: Json = {}
    if call.operation.id in service.assume.get("user", {}).get("SocialAccount", ()):
        user = service.store.users.get(account.get("user_id", ""))
        given = {"user": service.view("User")(user)} if user else {}
    return service.view("SocialAccount")(account, given)


def move_social_account(service: Service, call: Call) -> None:
    """Put an account into another group, as far as that group may hold one more (§2.6)."""
    access.check_may_write(service, call.user)
    account = access.account(service, call.user, call.id)
    group = access.target_group(service, call.user, call.body["group_id"])
    if account["group_id"] == group["id"]:
        return
    key = ids.key(group["id"])
    limit = group.get("max_social_accounts")
    if limit is not None and service.store.accounts.count("group_key = ?", (key,)) >= limit:
        sentence = f"The group holds its {limit} social accounts already."
        raise invalid({"group_id": [sentence]}, cites="§4.2")
    account["group_id"] = group["id"]
    service.store.accounts.put(account, key)
    service.emit("account", {"id": account["id"], "group_id": group["id"]})
