"""What there is, of every kind, whoever may see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import orjson

from social_publishing_sandbox.api.operations import groups, notes, posts
from social_publishing_sandbox.control import creating
from social_publishing_sandbox.control.errors import ControlError
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.service import Service
from social_publishing_sandbox.state.store import Table
from social_publishing_sandbox.state.views import POST_RELATIONS


@dataclass(frozen=True, slots=True)
class _Kind:
    """How objects of a kind are found and shown."""

    table: Callable[[Service], Table]
    schema: str
    show: Callable[[Service, Json], Json]


def find(service: Service, kind: str, fields: Json) -> list[Json]:
    """Return the objects whose fields have these values, the oldest first, as the API shows them.

    Args:
        kind: one of `KINDS`.
        fields: values by the documents' names of the fields; codes by number or name.

    Raises:
        ControlError: there is no such kind, it has no such field, or the field can never have this
            value.
    """
    try:
        found = _KINDS[kind]
    except KeyError:
        raise ControlError(f"there are no {kind!r}; there are {', '.join(KINDS)}") from None
    document = service.contract.main
    known = document.schema(found.schema)["properties"]
    for name in fields:
        if name not in known:
            raise ControlError(f"{kind} have no field {name!r}", name)
    fields = creating.named_codes(service, found.schema, fields)
    for name, value in fields.items():
        if value is not None:  # whatever it is, a field may be missing
            creating.check_value(document, known[name], name, value)
    view = service.view(found.schema)
    docs = found.table(service).where("1 ORDER BY key")
    if fields:
        docs = [each for each in docs if _fits(view(each), fields)]
    return [found.show(service, each) for each in docs]


def of_text(service: Service, kind: str, name: str, text: str) -> Any:
    """Return the value that a text stands for, as in an address: text where the field can be one,
    else the number, true or false that it spells; `null` for no value.
    """
    if text == "null":
        return None
    document = service.contract.main
    schema = document.schema(_KINDS[kind].schema)["properties"].get(name)
    if schema is None or document.validator(schema).is_valid(text):
        return text
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def _fits(shown: Json, fields: Json) -> bool:
    return all(shown.get(name) == value for name, value in fields.items())


def show_post(service: Service, post: Json) -> Json:
    """Return a post with every relation."""
    return posts.show(service, [post], POST_RELATIONS)[0]


def _show_group(service: Service, group: Json) -> Json:
    return groups.show(service, group, ("socialAccounts", "socialAccountsCount"))


def _show_user(service: Service, user: Json) -> Json:
    ((token,),) = service.store.execute(
        "SELECT token FROM users WHERE key = ?", (service.store.key(user["id"]),)
    )
    return {**service.view("User")(user), "token": token}


def _plain(schema: str) -> Callable[[Service, Json], Json]:
    def show(service: Service, doc: Json) -> Json:
        shown: Json = service.view(schema)(doc)
        return shown

    return show


_KINDS: Final[dict[str, _Kind]] = {
    "posts": _Kind(lambda service: service.store.posts, "Post", show_post),
    "groups": _Kind(lambda service: service.store.groups, "Group", _show_group),
    "social_accounts": _Kind(
        lambda service: service.store.accounts, "SocialAccount", _plain("SocialAccount")
    ),
    "users": _Kind(lambda service: service.store.users, "User", _show_user),
    "labels": _Kind(lambda service: service.store.labels, "Label", _plain("Label")),
    "calendar_notes": _Kind(lambda service: service.store.notes, "CalendarNote", notes.show),
    "media": _Kind(lambda service: service.store.media, "Media", posts.show_media),
}
KINDS: Final = tuple(_KINDS)
"""The kinds of objects, as the world format calls them."""
