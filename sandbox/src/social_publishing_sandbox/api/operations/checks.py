"""Checks of a post update that the documents cannot express (§4.1.1)."""

from __future__ import annotations

from typing import Final

from social_publishing_sandbox.api.operations import converting
from social_publishing_sandbox.state import access, posting, times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.refusals import forbidden, invalid
from social_publishing_sandbox.state.service import Service
from social_publishing_sandbox.state.store import Table

Errors = dict[str, list[str]]

_DATES: Final = ("publication_date", "gb_start_date", "gb_end_date")
_BY_ACCOUNT: Final = ("pi_boards", "pi_sections", "yt_categories", "yt_playlists")


def check(service: Service, user: Json, post: Json, body: Json) -> None:
    """Refuse an update that refers to what is not there or may not be used, or that cannot be.

    Raises:
        Refusal: it names every field that is at fault.
    """
    errors: Errors = {}
    store = service.store
    for field, what, table in (
        ("selectedAccountIds", "social account", store.accounts),
        ("selected_media_ids", "file", store.media),
        ("assigneesIds", "user", store.users),
        ("labelIds", "label", store.labels),
    ):
        if field in body:
            _known(table, what, field, body[field], errors)
    for network, entry in body.get("customized", {}).items():
        where = f"customized.{network}.media_ids"
        _known(store.media, "file", where, entry.get("media_ids", []), errors)
    if errors:
        raise invalid(errors)
    if body.keys() & _ABOUT_ACCOUNTS:
        _check_what_accounts_decide(service, user, post, body, errors)
    _check_times(service, body, errors)
    if errors:
        raise invalid(errors)


def _check_what_accounts_decide(
    service: Service, user: Json, post: Json, body: Json, errors: Errors
) -> None:
    """Check what depends on the accounts that the post goes to after the update."""
    asked: list[str] | None = body.get("selectedAccountIds")
    chosen = post.get("selectedAccountIds", []) if asked is None else asked
    accounts = service.store.accounts.many(chosen)
    if asked is not None:
        _check_accounts(service, user, post, chosen, accounts, errors)
    _check_labels(service, accounts, body.get("labelIds", []), errors)
    _check_comments(service, accounts, body.get("first_comments", {}), errors)
    for field in _BY_ACCOUNT:
        for account_id in body.get(field, ()):
            if account_id not in accounts:
                errors[f"{field}.{account_id}"] = [_NOT_CHOSEN]


_ABOUT_ACCOUNTS: Final = frozenset(
    {"selectedAccountIds", "labelIds", "first_comments", *_BY_ACCOUNT}
)
_NOT_CHOSEN: Final = "The post does not go to this account."


def _known(table: Table, what: str, field: str, wanted: list[str], errors: Errors) -> None:
    known = table.many(wanted)
    for position, each in enumerate(wanted):
        if each not in known:
            errors[f"{field}.{position}"] = [f"There is no {what} {each}."]


def _check_accounts(
    service: Service,
    user: Json,
    post: Json,
    chosen: list[str],
    accounts: dict[str, Json],
    errors: Errors,
) -> None:
    added = accounts.keys() - set(post.get("selectedAccountIds", ()))
    if not all(access.sees_group(user, accounts[each]["group_id"]) for each in added):
        raise forbidden("This user has no access to the group of one of the social accounts.")
    if len(accounts) < len(chosen):
        errors["selectedAccountIds"] = ["An account is named twice."]
    for detail in posting.details_of(service, post):
        out = detail["status"] == service.codes["PUBLISHED"]
        if out and detail["social_account_id"] not in accounts:
            name = detail["social_account_id"]
            errors["selectedAccountIds"] = [
                f"The post is out on the account {name}; it has to stay."
            ]


def _check_labels(
    service: Service, accounts: dict[str, Json], wanted: list[str], errors: Errors
) -> None:
    labels = service.store.labels.many(wanted)
    groups = {each["group_id"] for each in accounts.values()}
    for position, each in enumerate(wanted):
        if labels[each].get("group_id") not in (None, *groups):
            errors[f"labelIds.{position}"] = ["The label belongs to a group the post is not in."]


def _check_times(service: Service, body: Json, errors: Errors) -> None:
    for field in _DATES:
        if field in body:
            try:
                converting.moment(service, field, body[field])
            except ValueError:
                errors[field] = [f"There is no such date from 1970 to 2079: {body[field]}."]
    if not 0 <= body.get("publication_delay_between", 0) <= times.LONGEST_DELAY:
        most = f"{times.LONGEST_DELAY:,}"
        errors["publication_delay_between"] = [f"The delay must be 0 to {most} minutes."]


def _check_comments(
    service: Service, accounts: dict[str, Json], comments: Json, errors: Errors
) -> None:
    """An entry of `first_comments.customized` names no network: its accounts have one."""
    entries = comments.get("customized", [])
    allowed = converting.comment_networks(service)
    seen: set[str] = set()
    _chosen("first_comments.socialAccountIds", comments, accounts, errors)
    for position, entry in enumerate(entries):
        field = f"first_comments.customized.{position}.socialAccountIds"
        if not _chosen(field, entry, accounts, errors):
            continue
        found = {accounts[each]["socialNetwork"] for each in entry.get("socialAccountIds", ())}
        if len(found) != 1:
            errors[field] = ["Name accounts of the post that belong to one network."]
        elif not found <= allowed:
            errors[field] = [f"There are no first comments of its own on {found.pop()}."]
        elif found <= seen:
            errors[field] = [f"There is a first comment for {found.pop()} already."]
        seen |= found


def _chosen(field: str, comment: Json, accounts: dict[str, Json], errors: Errors) -> bool:
    """Return whether a first comment is for accounts that the post goes to."""
    fine = True
    for position, each in enumerate(comment.get("socialAccountIds", ())):
        if each not in accounts:
            errors[f"{field}.{position}"] = [_NOT_CHOSEN]
            fine = False
    return fine
