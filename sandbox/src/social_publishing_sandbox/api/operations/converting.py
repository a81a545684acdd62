"""From what is written of a post to what is read of it (§4.1.1 against §2.2).

Most fields are read as they were written. The others are here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state import posting, times
from social_publishing_sandbox.state.behaviour import text
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.given import Given
from social_publishing_sandbox.state.service import Service

Convert = Callable[[Service, Json, str, Any], Any]
"""Gives what is read of a post's field, by what is written of it."""


def write(service: Service, post: Json, body: Json) -> None:
    """Put the fields of an update into a post (§4.1.1); those that are no more than orders are
    passed over. An object replaces the one that is there (`updatePost.nested`), or else is put
    into it; a list replaces the one that is there (`updatePost.lists`), or else is put behind it.
    A null empties a field (`updatePost.null`).

    What is refused by `checks.check` must not come here.
    """
    rules: Json = service.assume.get("updatePost", {})
    merged, added = (rules.get(kind) != "replaced" for kind in ("nested", "lists"))
    if isinstance(body, Given):
        body.mark(_ORDERS)
    for field, value in service.documented(body, "PostUpdate", "Post").items():
        if value is None:
            _empty(post, field)
        elif field not in _ORDERS:
            before = post.get(field)
            if added and isinstance(before, list) and isinstance(value, list):
                value = [*before, *value]
            if convert := _CONVERSIONS.get(field):
                value = convert(service, post, field, value)
            post[field] = value
            if merged and isinstance(before, dict) and isinstance(post[field], dict):
                post[field] = _merged(before, post[field], body[field])
    if "customized" in body:
        post["has_customized_content"] = text.has_customization(post)


def _empty(post: Json, field: str) -> None:
    """Take the value of a field away, and what is read beside it (§2.2)."""
    post.pop(field, None)
    if field == "publication_date":
        post.pop("publication_timestamp", None)


_SOURCES: Final = {"content_json": "content"}
"""What is only read, by what it is made of."""


def _merged(before: Json, after: Json, sent: Any) -> Json:
    """Put an object into the one that is there; what was sent, or is made of that, counts."""
    merged = dict(before)
    for key, value in after.items():
        old, own = before.get(key), sent.get(key) if isinstance(sent, dict) else value
        if isinstance(old, dict) and isinstance(value, dict):
            merged[key] = _merged(old, value, own)
        elif key not in before or not isinstance(sent, dict) or _SOURCES.get(key, key) in sent:
            merged[key] = value
    return merged


def clear(service: Service, post: Json, body: Json) -> set[str]:
    """Return the fields that an update does not send and that are emptied, once they are.

    None are as long as fields that are not sent stay (`updatePost.unsent`).
    """
    if service.assume.get("updatePost", {}).get("unsent") == "kept":
        return set()
    known: Json = service.contract.main.schema("PostUpdate")["properties"]
    unsent = known.keys() - body.keys()
    for field in unsent - _ORDERS:
        _empty(post, field)
    if "customized" in unsent:
        post["has_customized_content"] = text.has_customization(post)
    return unsent


_ORDERS: Final = frozenset(
    {"isDraft", "isPublishNow", "should_skip", "notify_assignee", "labelIds"}
)


def moment(service: Service, field: str, value: str) -> int:
    """Return a date of an update in milliseconds since 1970, read in the zone that the documents
    give it.
    """
    node = service.contract.main.member("PostUpdate", field)
    form = node.get("x-datetime-format")
    return times.parse_format(value, form, node.get("x-timezone")) if form else times.parse(value)


def comment_networks(service: Service) -> set[str]:
    """Return the networks that may have a first comment of their own (§2.2.1)."""
    schema = service.contract.main.member("FirstComments", "customized")
    return set(schema.get("propertyNames", {}).get("enum", ()))


def _accounts(service: Service, post: Json, field: str, value: list[str]) -> list[str]:
    """Return each account once: a post has one detail for each (§2.3)."""
    return list(dict.fromkeys(value))


def names_network(service: Service) -> bool:
    """Return whether the accounts of an entry of `first_comments.customized` say its network."""
    rules: Json = service.assume.get("updatePost", {})
    return bool(rules.get("firstComments") == "network of the accounts")


def _date(service: Service, post: Json, field: str, value: str) -> str:
    """Return a date, written in a form of its own (§4.1.1), as all others are read (§2.1)."""
    ms = moment(service, field, value)
    if field == "publication_date":
        posting.set_date(post, ms)
    return times.text(ms)


def _customized(service: Service, post: Json, field: str, value: Json) -> Json:
    """Return what networks have of their own (§2.2), with `linkedin_page` where that is kept
    (`post.customized.linkedinPage`)."""
    kept = service.assume.get("customizedLinkedinPage") == "kept"
    return {
        network: {**entry, **_content_json(entry)}
        for network, entry in value.items()
        if kept or network != "linkedin_page"
    }


def _content_json(entry: Json) -> Json:
    """Return some content: what it really is, is unknown (`post.contentJson` in the register)."""
    if "content" not in entry:
        return {}
    return {"content_json": orjson.dumps({"text": entry["content"]}).decode()}


def _first_comments(service: Service, post: Json, field: str, value: Json) -> Json:
    """Return customizations, written as a list, by network (§2.2.1): that of their accounts
    (`updatePost.firstComments.network`); else they belong to none, and are lost.
    """
    entries = value.get("customized", []) if names_network(service) else []
    accounts = service.store.accounts.many(each["socialAccountIds"][0] for each in entries)
    kind = (post.get("first_comments") or {}).get("conditionType", 0)
    customized = {
        accounts[entry["socialAccountIds"][0]]["socialNetwork"]: _comment(entry, kind)
        for entry in entries
    }
    return {**_comment(value, kind), "customized": customized}


def _comment(value: Json, kind: int) -> Json:
    return {
        "enabled": value.get("enabled", False),
        "socialAccountIds": value.get("socialAccountIds", []),
        "conditionType": kind,
        "conditionValue": value.get("conditionValue", 0),
        "content": value.get("content", ""),
    }


def _linkedin_poll(service: Service, post: Json, field: str, value: Json) -> Json:
    """Return the poll with its duration, which is read (§2.2) and not written (§4.1.1)."""
    node = service.contract.main.member("LinkedInPoll", "duration")
    documented = node.get("x-extensible-enum") or node.get("examples") or ["ONE_DAY"]
    return {**value, "duration": (post.get(field) or {}).get("duration") or documented[0]}


def _options(service: Service, post: Json, field: str, value: Json) -> list[str]:
    """Return the options of a poll, written as an object (§4.1.1), as a list (§2.2)."""
    return [value[each] for each in sorted(value) if each.startswith("option_")]


def _by_account(service: Service, post: Json, field: str, value: Json) -> list[Any]:
    """Return texts and the ids of objects, written by account (§4.1.1), as a list (§2.2)."""
    return [each.get("id") if isinstance(each, dict) else each for each in value.values()]


DATES: Final = ("publication_date", "gb_start_date", "gb_end_date")
BY_ACCOUNT: Final = ("pi_boards", "pi_sections", "yt_categories", "yt_playlists")
_CONVERSIONS: Final[dict[str, Convert]] = {
    "selectedAccountIds": _accounts,
    **dict.fromkeys(DATES, _date),
    "customized": _customized,
    "first_comments": _first_comments,
    "li_poll": _linkedin_poll,
    **dict.fromkeys(("tw_poll", "th_poll"), _options),
    **dict.fromkeys(BY_ACCOUNT, _by_account),
}
