"""New objects by control: what is given is held against the documents, the rest is filled in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from social_publishing_sandbox.api import validation
from social_publishing_sandbox.api.operations import groups, notes, posts
from social_publishing_sandbox.control.errors import ControlError
from social_publishing_sandbox.state import ids, posting, publishing, times
from social_publishing_sandbox.state.behaviour import networks, text
from social_publishing_sandbox.state.documents import Document, Json
from social_publishing_sandbox.state.service import Service, stamp
from social_publishing_sandbox.state.store import Table
from social_publishing_sandbox.state.views import STORED_RELATIONS
from social_publishing_sandbox.worlds import references
from social_publishing_sandbox.worlds.digests import digest
from social_publishing_sandbox.worlds.shapes import TOKEN


@dataclass(frozen=True, slots=True)
class _Kind:
    """How objects of a kind are made.

    Attributes:
        title: what one of them is called.
        schema: its schema in the main document.
        needs: the fields that have to be given.
        extra: fields that are not in the schema, with schemas of their own.
        written: the schema with which the API changes such an object, where its fields are as in
            the one above; it says more about what they may be.
        made: fields in the schema that nobody can give, because they follow from others.
        references: fields that hold identifiers, or lists of them, and the kind that they are of.
        finish: fills in the rest, stores the object, and gives it as it is shown.
    """

    title: str
    schema: str
    needs: tuple[str, ...]
    references: Mapping[str, str]
    finish: Callable[[Service, Json], Json]
    extra: Mapping[str, Json] = field(default_factory=dict)
    written: str | None = None
    made: frozenset[str] = frozenset()


def create(service: Service, kind: str, fields: Json) -> Json:
    """Make an object.

    Args:
        kind: `posts`, `groups`, `social_accounts`, `users`, `labels` or `calendar_notes`.
        fields: fields as the documents name them.

    Returns:
        The object as the service shows it.

    Raises:
        ControlError: a field is missing, unknown, or does not fit.
    """
    try:
        made = _KINDS[kind]
    except KeyError:
        raise ControlError(f"there are no {kind!r}; there are {', '.join(_KINDS)}") from None
    fields = _identified(service, made, named_codes(service, made.schema, fields))
    _check(service, made, fields)
    doc: Json = {
        "id": service.new_id(),
        "organization_id": service.organization["id"],
        **fields,
    }
    return made.finish(service, doc)


def named_codes(service: Service, schema: str, fields: Json) -> Json:
    """Return the fields with the names of codes, such as `SCHEDULED`, replaced by the codes."""
    fields = dict(fields)
    document = service.contract.main
    for name, node in document.schema(schema)["properties"].items():
        value = fields.get(name)
        known = document.resolve(node)
        for branch in known.get("anyOf", [known]):
            branch = document.resolve(branch)
            if isinstance(value, str) and branch.get("type") == "integer":
                codes = dict(
                    zip(branch.get("x-enum-varnames", ()), branch.get("enum", ()), strict=True)
                )
                if value.upper() in codes:
                    fields[name] = codes[value.upper()]
                elif codes and branch is known:
                    there = f"there are {', '.join(codes)}"
                    raise ControlError(f"{name}: there is no {value!r}; {there}", name)
    return fields


def _identified(service: Service, kind: _Kind, fields: Json) -> Json:
    """Return the fields with objects' names, such as `threads:bakery`, replaced by their ids."""
    fields = dict(fields)
    for name, objects in kind.references.items():
        match fields.get(name):
            case None:
                pass
            case [*values]:
                fields[name] = [_identifier(service, objects, each, name) for each in values]
            case value:
                fields[name] = _identifier(service, objects, value, name)
    return fields


def _identifier(service: Service, kind: str, given: Any, field: str) -> str:
    if not isinstance(given, str):
        raise ControlError(f"{field}: an identifier or a name is a text, not {given!r}", field)
    table = _tables(service)[kind]
    if table.get(given):
        return given
    try:
        return references.identifier(kind, given, table.where("1 ORDER BY key"))
    except ValueError as error:
        raise ControlError(f"{field}: {error}", field) from None


def _tables(service: Service) -> Mapping[str, Table]:
    """Return where the objects of each kind are."""
    store = service.store
    return {
        "users": store.users,
        "groups": store.groups,
        "social_accounts": store.accounts,
        "labels": store.labels,
        "media": store.media,
    }


def _check(service: Service, kind: _Kind, fields: Json) -> None:
    document = service.contract.main
    known = {**document.schema(kind.schema)["properties"], **kind.extra}
    written = document.schema(kind.written)["properties"] if kind.written else {}
    for name in (_ALWAYS_MADE | kind.made) & fields.keys():
        raise ControlError(f"the field {name} of a {kind.title} cannot be given", name)
    for name in kind.needs:
        if fields.get(name) is None:
            raise ControlError(f"a {kind.title} needs the field {name}", name)
    for name, value in fields.items():
        if name not in known:
            raise ControlError(f"a {kind.title} has no field {name!r}", name)
        check_value(document, known[name], name, value)
        if name in written and value is not None:
            check_value(document, written[name], name, value)


def check_value(document: Document, schema: Json, name: str, value: Any) -> None:
    """Refuse a value that a field cannot have.

    Args:
        schema: of the field.
        name: of the field.

    Raises:
        ControlError: the first thing that is wrong with it.
    """
    for path, sentence in validation.complaints(document.validator(schema), value, (name,)):
        reason = f"{sentence[0].lower()}{sentence[1:].rstrip('.')}"
        where = ".".join(map(str, path))
        raise ControlError(f"{where}: {reason}" if len(path) > 1 else reason, name)


_ALWAYS_MADE: Final = frozenset({"id", "organization_id", "created_at", "updated_at"})


def _owner(service: Service) -> Json:
    users = service.store.users.where("1 ORDER BY key")
    return next((each for each in users if each.get("role") == "owner"), users[0])


def _post(service: Service, doc: Json) -> Json:
    codes = service.codes
    labels = doc.pop("labelIds", [])
    for name in STORED_RELATIONS:
        if name in doc:
            doc[f"_{name}"] = doc.pop(name)
    doc.setdefault("user_id", _owner(service)["id"])
    doc.setdefault("public_id", digest(doc["id"], 12))
    doc.setdefault("source", 1)
    doc.setdefault("status", codes["DRAFT"])
    doc["created_at"] = stamp(service)
    doc["should_skip"] = doc["status"] == codes["SKIPPED"]
    _date(service, doc)
    posting.weigh(service, doc)
    doc["has_customized_content"] = any(text.is_customized(doc, each) for each in networks.NETWORKS)
    posting.save(service, doc)
    posting.rebuild_details(service, doc)
    posting.set_labels(service, doc["id"], labels)
    if doc["status"] == codes["PUBLISHED"]:
        publishing.publish_as_planned(service, doc)
    elif doc["status"] == codes["FAILED"]:
        publishing.fail(service, doc, publishing.REFUSED)
    else:
        posting.plan(service, doc)
    posting.save(service, doc)
    creator = service.store.users.get(doc["user_id"])
    posting.log(service, doc, "createdPost", creator, source=doc["source"])
    return posts.show(service, [doc], ("details", "socialAccounts", "labels", "approvals"))[0]


_BEGUN: Final = ("REVIEW_MISSED", "IN_PROGRESS", "FAILED", "PUBLISHED")


def _date(service: Service, doc: Json) -> None:
    """Give a post its date; one that is going out or has gone out has one in any case."""
    status, field = service.transitions.name[doc["status"]], "publication_date"
    if not doc.get(field) and status in _BEGUN:
        doc[field] = stamp(service)
    if not doc.get(field):
        if status == "SCHEDULED":
            raise ControlError(f"a scheduled post needs the field {field}", field)
        return
    moment = _moment(doc, field)
    if status == "PUBLISHED" and moment > service.now():
        raise ControlError(f"{field}: a post cannot be published before its time", field)
    posting.set_date(doc, moment)


def _moment(doc: Json, field: str) -> int:
    try:
        return times.kept(times.parse(doc[field]))
    except ValueError as error:
        raise ControlError(f"{field}: {error}", field) from None


def _group(service: Service, doc: Json) -> Json:
    _check_zone(doc)
    defaults: Json = {
        "author_id": _owner(service)["id"],
        "timezone": "UTC",
        "week_start_day": 1,
        "type": 1,
        "color": 3,
        "country": "",
        "created_at": stamp(service),
        "updated_at": stamp(service),
    }
    doc = {**defaults, **doc}
    service.store.groups.put(doc)
    service.emit("group", {"id": doc["id"]})
    return groups.show(service, doc, ("socialAccounts", "socialAccountsCount"))


def _check_zone(doc: Json) -> None:
    zone = doc.get("timezone") or "UTC"
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, OSError, ValueError):
        raise ControlError(f"timezone: there is no time zone {zone!r}", "timezone") from None


def _account(service: Service, doc: Json) -> Json:
    network = doc["socialNetwork"]
    name = doc.get("name") or f"{networks.NETWORKS[network].title} {doc['id'][-4:]}"
    username = doc.get("username") or "".join(each for each in name.lower() if each.isalnum())
    defaults: Json = {
        "user_id": _owner(service)["id"],
        "name": name,
        "username": username,
        "followers_count": 1000,
        "profile_link": networks.profile_link(network, username),
        "social_id": networks.social_post_id(network, doc["id"], service.settings.seed),
        "created_at": stamp(service),
    }
    doc = {**defaults, **doc}
    service.store.accounts.put(doc, ids.key(doc["group_id"]))
    service.emit("account", {"id": doc["id"], "group_id": doc["group_id"]})
    return service.view("SocialAccount")(doc)


def _user(service: Service, doc: Json) -> Json:
    token = doc.pop("token", None) or _token(service, doc["id"])
    defaults: Json = {
        "role": "member",
        "email": f"user{doc['id'][-6:]}@example.com",
        "can_access_all_groups": not (doc.get("is_client") or doc.get("groupIds")),
        "week_start_day": 1,
        "created_at": stamp(service),
    }
    doc = {**defaults, **doc}
    if service.user_of(token):
        raise ControlError("another user has this token", "token")
    service.store.users.put(doc, token)
    return {**service.view("User")(doc), "token": token}


def _token(service: Service, identifier: str) -> str:
    """Return a token by the seed, so that the same steps give the same one."""
    text = f"{service.settings.seed}/{identifier}"
    return f"sandbox-user-{hashlib.blake2b(text.encode(), digest_size=12).hexdigest()}"


def _label(service: Service, doc: Json) -> Json:
    doc = {"group_id": None, "color": 3, **doc}
    service.store.labels.put(doc)
    service.emit("label", {"id": doc["id"]})
    return service.view("Label")(doc)


def _note(service: Service, doc: Json) -> Json:
    doc["_series"] = doc.pop("series", None)
    defaults: Json = {"user_id": _owner(service)["id"], "group_id": None, "content": "", "color": 3}
    doc = {**defaults, **doc}
    start, end = _moment(doc, "start_date"), _moment(doc, "end_date")
    if end < start:
        raise ControlError("end_date must not lie before start_date", "end_date")
    doc["start_date"], doc["end_date"] = times.text(start), times.text(end)
    notes.store(service, doc)
    service.emit("note", {"id": doc["id"]})
    return notes.show(service, doc)


_TEXT: Final = {"type": "string"}
_TOKEN: Final = {"type": "string", "pattern": TOKEN}
_KINDS: Final = {
    "posts": _Kind(
        "post",
        "Post",
        (),
        {
            "selectedAccountIds": "social_accounts",
            "selected_media_ids": "media",
            "assigneesIds": "users",
            "labelIds": "labels",
            "user_id": "users",
        },
        _post,
        {"labelIds": {"type": "array", "items": _TEXT}},
        made=frozenset(
            {
                *("user", "socialAccounts", "details", "media", "labels", "should_skip"),
                *("publication_timestamp", "published_at", "approved_at"),
                *("content_weighted_length", "has_customized_content"),
            }
        ),
    ),
    "groups": _Kind(
        "group",
        "Group",
        ("name",),
        {"author_id": "users"},
        _group,
        written="GroupReplacement",
        made=frozenset({"socialAccounts", "socialAccountsCount"}),
    ),
    "social_accounts": _Kind(
        "social account",
        "SocialAccount",
        ("group_id", "socialNetwork"),
        {"group_id": "groups", "user_id": "users"},
        _account,
        made=frozenset({"user"}),
    ),
    "users": _Kind("user", "User", ("name",), {"groupIds": "groups"}, _user, {"token": _TOKEN}),
    "labels": _Kind("label", "Label", ("name",), {"group_id": "groups"}, _label),
    "calendar_notes": _Kind(
        "calendar note",
        "CalendarNote",
        ("title", "start_date", "end_date"),
        {"group_id": "groups", "user_id": "users"},
        _note,
        {"series": {"anyOf": [_TEXT, {"type": "null"}]}},
        written="CalendarNoteReplacement",
        made=frozenset({"end_date_extra_day"}),
    ),
}
KINDS: Final = tuple(_KINDS)
"""The kinds of objects that can be made, as the world format calls them."""
