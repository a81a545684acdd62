"""The kinds of objects that control finds and makes, and how each is looked for, held against the
documents, and shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from social_publishing_sandbox.api import validation
from social_publishing_sandbox.api.media import showing
from social_publishing_sandbox.api.operations import groups, notes, posts
from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.control import creating
from social_publishing_sandbox.documents.objects import (
    CalendarNote,
    Group,
    Label,
    Media,
    Post,
    SocialAccount,
    User,
)
from social_publishing_sandbox.json_objects import Object, attributes, wire_name
from social_publishing_sandbox.state.documents import Document, Json
from social_publishing_sandbox.state.errors import ControlError
from social_publishing_sandbox.state.service import Service
from social_publishing_sandbox.state.store import Store, Table
from social_publishing_sandbox.state.views import POST_RELATIONS
from social_publishing_sandbox.state.wording import nearest
from social_publishing_sandbox.worlds import references
from social_publishing_sandbox.worlds.shapes import TOKEN


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of object.

    Attributes:
        title: what one of them is called.
        schema: its schema in the main document.
        show: gives objects as the API shows them; None for those without relations.
        make: fills in the rest of a new object, stores it, and gives it as the API shows it; None
            where control makes none.
        needs: the fields that have to be given.
        extra: fields that are not in the schema, with schemas of their own.
        written: the schema with which the API changes such an object, where its fields are as in
            `schema`; it says more about what they may be.
        made: fields in the schema that nobody can give, because they follow from others.
        names: the names of `extra` fields by those that they have in Python.
    """

    title: str
    schema: str
    shown: type[Object]
    table: Callable[[Store], Table]
    show: Callable[[Service, list[Json]], list[Json]] | None = None
    make: Callable[[Service, Json], Json] | None = None
    needs: tuple[str, ...] = ()
    extra: Mapping[str, Json] = field(default_factory=dict)
    written: str | None = None
    made: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    def on_the_wire(self, fields: Json) -> Json:
        """Return the fields by the documents' names, whichever were given."""
        names = {name: self.names.get(name, wire_name(self.shown, name)) for name in fields}
        return {names[name]: value for name, value in fields.items()}

    def nearest(self, name: str) -> str:
        """Return a question for the field that was perhaps meant, or nothing."""
        return nearest(name, (*attributes(self.shown), *self.extra, *self.names))


class UserWithToken(User):
    """A user as control shows it."""

    token: str
    """The token with which a client signs in as this user."""


def find(service: Service, kind: str, fields: Json) -> list[Json]:
    """Return the objects with these values of fields, the oldest first, as the API shows them."""
    known_kind = _kind(kind, KINDS)
    document = service.contract.main
    known = document.schema(known_kind.schema)["properties"]
    fields = known_kind.on_the_wire(fields)
    for name in fields:
        if name not in known:
            raise ControlError(f"{kind} have no field {name!r}{known_kind.nearest(name)}", name)
    fields = _named_codes(service, known_kind.schema, fields)
    for name, value in fields.items():
        if value is not None:  # whatever it is, a field may be missing
            _check_value(document, known[name], name, value)
    view = service.view(known_kind.schema)
    docs = known_kind.table(service.store).where("1 ORDER BY key")
    for name, value in fields.items():
        docs = [doc for doc in docs if view(doc).get(name) == value]
    return known_kind.show(service, docs) if known_kind.show else [view(doc) for doc in docs]


def of_text(service: Service, kind: str, name: str, text: str) -> Any:
    """Return the value that a text stands for, as in an address: text where the field can be one,
    else the number, true or false that it spells; `null` for no value.
    """
    if text == "null":
        return None
    document = service.contract.main
    properties = document.schema(KINDS[kind].schema)["properties"]
    schema = properties.get(wire_name(KINDS[kind].shown, name))
    if schema is None or document.validator(schema).is_valid(text):
        return text
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def create(service: Service, kind: str, fields: Json) -> Json:
    """Make an object."""
    made = _kind(kind, MADE)
    assert made.make is not None
    fields = _named_codes(service, made.schema, made.on_the_wire(fields))
    _identify(service, kind, fields)
    _check(service, made, fields)
    doc: Json = {
        "id": service.new_id(),
        "organization_id": service.organization["id"],
        **fields,
    }
    return made.make(service, doc)


def _kind(name: str, known: Mapping[str, Kind]) -> Kind:
    if name not in known:
        raise ControlError(f"there are no {name!r}; there are {', '.join(known)}")
    return known[name]


def _named_codes(service: Service, schema: str, fields: Json) -> Json:
    """Return the fields with the names of codes, such as `SCHEDULED`, replaced by the codes."""
    fields = dict(fields)
    document = service.contract.main
    for name, node in document.schema(schema)["properties"].items():
        value = fields.get(name)
        if isinstance(value, str) and (codes := document.codes_of(node)):
            if value.upper() in codes:
                fields[name] = codes[value.upper()]
            elif "anyOf" not in node:
                there = f"there are {', '.join(codes)}"
                raise ControlError(f"{name}: there is no {value!r}; {there}", name)
    return fields


def _identify(service: Service, kind: str, fields: Json) -> None:
    """Put identifiers in the place of objects' names, such as `threads:bakery`, at any depth."""
    for owner, key, path, target in references.places(kind, fields):
        if owner[key] is not None and target in KINDS:
            owner[key] = _identifier(service, target, owner[key], str(path[0]))


def _identifier(service: Service, kind: str, given: Any, field: str) -> str:
    if not isinstance(given, str):
        raise ControlError(
            f"{field}: must be a text with an identifier or a name, not {given!r}", field
        )
    table = KINDS[kind].table(service.store)
    if table.get(given):
        return given
    try:
        return references.identifier(kind, given, table.where("1 ORDER BY key"))
    except ValueError as error:
        raise ControlError(f"{field}: {error}", field) from None


def _check(service: Service, kind: Kind, fields: Json) -> None:
    document = service.contract.main
    known = {**document.schema(kind.schema)["properties"], **kind.extra}
    written = document.schema(kind.written)["properties"] if kind.written else {}
    for name in _ALWAYS_MADE.union(kind.made) & fields.keys():
        raise ControlError(f"the field {name} of a {kind.title} cannot be set", name)
    for name in kind.needs:
        if fields.get(name) is None:
            raise ControlError(f"a {kind.title} needs the field {name}", name)
    for name, value in fields.items():
        if name not in known:
            raise ControlError(f"a {kind.title} has no field {name!r}{kind.nearest(name)}", name)
        _check_value(document, known[name], name, value)
        if name in written and value is not None:
            _check_value(document, written[name], name, value)


def _check_value(document: Document, schema: Json, name: str, value: Any) -> None:
    """Refuse a value that a field cannot have."""
    for path, sentence in validation.complaints(document.validator(schema), value, (name,)):
        reason = f"{sentence[0].lower()}{sentence[1:].rstrip('.')}"
        where = ".".join(map(str, path))
        raise ControlError(f"{where}: {reason}" if len(path) > 1 else reason, name)


_ALWAYS_MADE: Final = frozenset({"id", "organization_id", "created_at", "updated_at"})


def show_post(service: Service, post: Json) -> Json:
    """Return a post with every relation."""
    return _show_posts(service, [post])[0]


def _show_posts(service: Service, several: list[Json]) -> list[Json]:
    return posts.show(service, several, POST_RELATIONS)


def _each(show: Callable[[Service, Json], Json]) -> Callable[[Service, list[Json]], list[Json]]:
    return lambda service, several: [show(service, each) for each in several]


def _show_user(service: Service, user: Json) -> Json:
    ((token,),) = service.store.execute(
        "SELECT token FROM users WHERE key = ?", (service.store.key(user["id"]),)
    )
    return {**service.view("User")(user), "token": token}


_TEXT: Final = {"type": "string"}
KINDS: Final[Mapping[str, Kind]] = {
    "posts": Kind(
        "post",
        "Post",
        Post,
        lambda store: store.posts,
        _show_posts,
        creating.post,
        extra={"labelIds": {"type": "array", "items": _TEXT}},
        names={"label_ids": "labelIds"},
        made=(
            *("user", "socialAccounts", "details", "media", "labels", "should_skip"),
            *("publication_timestamp", "published_at", "approved_at"),
            *("content_weighted_length", "has_customized_content"),
        ),
    ),
    "groups": Kind(
        "group",
        "Group",
        Group,
        lambda store: store.groups,
        _each(lambda service, group: groups.show(service, group, groups.RELATIONS)),
        creating.group,
        needs=("name",),
        written="GroupReplacement",
        made=("socialAccounts", "socialAccountsCount"),
    ),
    "social_accounts": Kind(
        "social account",
        "SocialAccount",
        SocialAccount,
        lambda store: store.accounts,
        make=creating.account,
        needs=("group_id", "socialNetwork"),
        made=("user",),
    ),
    "users": Kind(
        "user",
        "User",
        UserWithToken,
        lambda store: store.users,
        _each(_show_user),
        creating.user,
        needs=("name",),
        extra={"token": {"type": "string", "pattern": TOKEN}},
    ),
    "labels": Kind(
        "label",
        "Label",
        Label,
        lambda store: store.labels,
        make=creating.label,
        needs=("name",),
    ),
    "calendar_notes": Kind(
        "calendar note",
        "CalendarNote",
        CalendarNote,
        lambda store: store.notes,
        _each(notes.show),
        creating.note,
        needs=("title", "start_date", "end_date"),
        extra={"series": {"anyOf": [_TEXT, {"type": "null"}]}},
        written="CalendarNoteReplacement",
        made=("end_date_extra_day",),
    ),
    "media": Kind("file", "Media", Media, lambda store: store.media, _each(showing.show)),
}
"""The kinds of objects, as the world format calls them."""

MADE: Final = {name: kind for name, kind in KINDS.items() if kind.make}
"""The kinds that control makes."""
