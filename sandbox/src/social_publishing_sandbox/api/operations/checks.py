"""Checks of a post update that the documents cannot express (§4.1.1)."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any, Final

from social_publishing_sandbox.api.operations import converting
from social_publishing_sandbox.state import access, posting
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.refusals import Problems, forbidden
from social_publishing_sandbox.state.service import Service, dated
from social_publishing_sandbox.state.store import Store, Table

DELAY: Final = "publication_delay_between"
"""The field with the minutes between the publications of two accounts (§2.2)."""


def check(service: Service, user: Json, post: Json, body: Json) -> None:
    """Refuse an update with unknown or forbidden references, or with impossible values."""
    problems, every = Problems(), body
    body = {field: value for field, value in body.items() if value is not None}
    for field, what, table, wanted in _references(service.store, body):
        known = table.many(wanted)
        for key, id_ in wanted.items() if isinstance(wanted, dict) else enumerate(wanted):
            if id_ not in known:
                problems.add(f"{field}.{key}", f"There is no {what} {id_}.", cites="ids.unknown")
    problems.refuse()
    if "selectedAccountIds" in body:
        _check_accounts(service, user, post, body["selectedAccountIds"], problems)
        is_refused = service.assume.get("updatePost", {}).get("noAccounts") == "refused"
        if is_refused and not body["selectedAccountIds"]:
            sentence = "Select at least one account."
            problems.add("selectedAccountIds", sentence, cites="updatePost.noAccounts")
    if "labelIds" in body:
        chosen: list[str] = {**post, **body}.get("selectedAccountIds", [])
        _check_labels(service, post, chosen, body["labelIds"], problems)
    _check_comments(service, body.get("first_comments", {}), problems)
    _check_times(service, body, problems)
    problems.refuse()
    _check_published(service, post, every, problems)
    problems.refuse()


def _references(store: Store, body: Json) -> Iterator[tuple[str, str, Table, Any]]:
    """Return what an update names: the field, what it is called, where it is kept, and the
    identifiers, in a list or by the names under which they stand.
    """
    for field, what, table in (
        ("selectedAccountIds", "social account", store.accounts),
        ("selected_media_ids", "file", store.media),
        ("assigneesIds", "user", store.users),
        ("labelIds", "label", store.labels),
    ):
        yield field, what, table, body.get(field, ())
    for network, entry in body.get("customized", {}).items():
        yield f"customized.{network}.media_ids", "file", store.media, entry.get("media_ids", ())
    for field in converting.BY_ACCOUNT:
        yield field, "social account", store.accounts, {each: each for each in body.get(field, ())}
    for field, entry in _comments(body.get("first_comments", {})):
        yield field, "social account", store.accounts, entry.get("socialAccountIds", ())


def _comments(comments: Json) -> Iterator[tuple[str, Json]]:
    """Return a first comment and its customizations, each with the place of its accounts."""
    yield "first_comments.socialAccountIds", comments
    for position, entry in enumerate(comments.get("customized", ())):
        yield f"first_comments.customized.{position}.socialAccountIds", entry


def _check_accounts(
    service: Service, user: Json, post: Json, chosen: Sequence[str], problems: Problems
) -> None:
    accounts = service.store.accounts.many(chosen)
    added = accounts.keys() - set(post.get("selectedAccountIds", ()))
    if not all(access.sees_group(user, accounts[each]["group_id"]) for each in added):
        sentence = "This user has no access to the group of one of the social accounts."
        raise forbidden(sentence, cites="auth.permissions")
    if _editable(service) is None:
        return
    for detail in posting.details_of(service, post):
        name = detail["social_account_id"]
        if detail["status"] == service.codes["PUBLISHED"] and name not in accounts:
            sentence = (
                f"The post is already published on the account {name}, so this account "
                "cannot be removed."
            )
            problems.add("selectedAccountIds", sentence, cites="updatePost.published")


def _check_labels(
    service: Service, post: Json, chosen: Sequence[str], wanted: Sequence[str], problems: Problems
) -> None:
    """Refuse labels of other groups (§2.10); one that a post has already may stay on it
    (`updatePost.foreignLabels`).
    """
    are_kept = service.assume.get("labels", {}).get("otherGroup") == "kept"
    kept = posting.label_ids(service, post["id"]) if are_kept else ()
    labels = service.store.labels.many(wanted)
    groups = {each["group_id"] for each in service.store.accounts.many(chosen).values()}
    for position, identifier in enumerate(wanted):
        if identifier not in kept and labels[identifier].get("group_id") not in (None, *groups):
            sentence = "The label belongs to a group that the post is not in."
            cites = ("§2.10", "updatePost.foreignLabels")
            problems.add(f"labelIds.{position}", sentence, cites=cites)


def _check_times(service: Service, body: Json, problems: Problems) -> None:
    for field in converting.DATES:
        if field in body:
            try:
                moment = converting.moment(service, field, body[field])
            except ValueError:
                problems.add(field, f"There is no such date: {body[field]}.", cites="§4.1.1")
            else:
                check_year(service, field, moment, body[field], problems)
    if wanted := delay_limits(service, body):
        problems.add(DELAY, f"The delay must be {wanted}.", cites="limits.delay")


def delay_limits(service: Service, fields: Json) -> str | None:
    """Return the limits of the delay between accounts (§2.2) where fields of a post break them."""
    most: int | None = service.assume.get("limits", {}).get("delayMinutes")
    if most is None or 0 <= (fields.get(DELAY) or 0) <= most:
        return None
    return f"0 to {most:,} minutes"


def check_year(service: Service, field: str, moment: int, given: str, problems: Problems) -> None:
    """Note a date that lies outside of the years that the documents assume."""
    try:
        dated(service, moment)
    except ValueError as error:
        problems.add(field, f"The date {error}, not {given}.", cites="limits.dates")


def _check_comments(service: Service, comments: Json, problems: Problems) -> None:
    """Refuse an entry of `first_comments.customized` whose accounts say no one network."""
    if not converting.names_network(service):
        return
    gap, allowed = "updatePost.firstComments.network", converting.comment_networks(service)
    seen: set[str] = set()
    _, *entries = _comments(comments)
    for field, entry in entries:
        accounts = service.store.accounts.many(entry.get("socialAccountIds", ()))
        networks = {each["socialNetwork"] for each in accounts.values()}
        if len(networks) != 1:
            problems.add(
                field, "All accounts of a customization must belong to one network.", cites=gap
            )
        elif not networks <= allowed:
            sentence = f"First comments cannot be customized for {networks.pop()}."
            problems.add(field, sentence, cites="§2.2.1")
        elif networks <= seen:
            sentence = f"There is a first comment for {networks.pop()} already."
            problems.add(field, sentence, cites=gap)
        seen |= networks


def _editable(service: Service) -> list[str] | None:
    """Return the fields of a published post that can change; None where all can."""
    published: Json | None = service.assume.get("updatePost", {}).get("published")
    editable: list[str] | str = published["editable"] if published else "all"
    return None if isinstance(editable, str) else editable


def _check_published(service: Service, post: Json, body: Json, problems: Problems) -> None:
    """Refuse to change what was published; sending the same value again is no change."""
    editable = _editable(service)
    if editable is None or post["status"] != service.codes["PUBLISHED"]:
        return
    view = service.view("Post")
    before = view(post)
    for field in (name for name in body if name not in editable):
        after = copy.deepcopy(post)
        converting.write(service, after, {field: body[field]})
        if (field in _LEAVES_PUBLISHED and body[field]) or view(after) != before:
            sentence = f"The post is published: only {', '.join(editable)} can change."
            problems.add(field, sentence, cites="updatePost.published")


_LEAVES_PUBLISHED: Final = frozenset({"isDraft", "should_skip"})
"""The fields that would move a published post out of its state."""
