"""The columns of a sheet of posts, for writing and reading.

An editable column has the name of an argument of `posts.update`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from ..catalogues import catalogue
from ..post_statuses import DELETED, DRAFT
from .cells import MOST, Value, as_stored, on_clocks_of

if TYPE_CHECKING:
    from social_publishing.models import Post

ID = "id"
ZONE = "timezone"
WEEKDAY = "weekday"  # of the date beside it, in texts; a workbook shows it in the date itself
ACCOUNTS = "accounts"
GROUP = "group"
INSTEAD = {
    ACCOUNTS: "selected_account_ids takes names as well",
    "networks": "it follows from selected_account_ids",
    "labels": "label_ids takes names as well",
}
"""What to edit in the place of a column that is only read."""


class Column(NamedTuple):
    """One column of a sheet.

    Attributes:
        kind: What its cells hold: "text", "moment", "number", "flag", "ids", "texts", "json", or ""
            where a cell is only read by people.
        read: Reads the value from a post.
        argument: The argument of `posts.update` that it is a part of; empty where it is one itself.
        member: The part of that argument, by its name in JSON.
        network: The network whose part it is, as in content[threads].
        field: The field of a post that shows it, if it was read; empty where none does.
        doc: What the documents say of it.
        always_shown: Whether every post shows it.
    """

    name: str
    kind: str
    read: Callable[[Post], object]
    argument: str = ""
    member: str = ""
    network: str = ""
    field: str = ""
    doc: str = ""
    always_shown: bool = True


def part(entry: Any, name: str) -> Any:
    """Return a member of an entry of a post, which is an object of any form in some documents."""
    return entry.get(name) if isinstance(entry, Mapping) else getattr(entry, name, None)


def texts_of(entries: Iterable[Any] | None, name: str) -> list[str]:
    """Return the texts that entries of a post have for a member."""
    found = (part(each, name) for each in entries or ())
    return [each for each in found if isinstance(each, str) and each]


def status_of(post: Post) -> str:
    """Return what the status of a post is called, such as scheduled; "" where it has none."""
    name = getattr(post.status, "name", "")  # a number that is no code has none
    return name.lower() or str(post.status or "")


def is_deleted(post: Post) -> bool:
    """Return whether a post is deleted (§3), where a service still shows it (`delete.seen`)."""
    return post.status == DELETED


def networks_of(post: Post) -> tuple[str, ...]:
    """Return the networks of a post, as far as it was read with its details or its accounts."""
    details = texts_of(post.details, "social_network")
    accounts = (
        texts_of(post.social_accounts, name) for name in ("social_network", "socialNetwork")
    )
    return tuple(sorted({*(details or chain(*accounts))}))


COLUMNS = (
    Column(ID, "", lambda post: post.id),
    Column("publication_date", "moment", lambda post: post.publication_date),
    Column(WEEKDAY, "", lambda post: None),
    Column(ZONE, "", lambda post: None),
    Column("status", "", lambda post: status_of(post)),
    Column("networks", "", lambda post: ", ".join(networks_of(post))),
    Column("name", "text", lambda post: post.name),
    Column("content", "text", lambda post: post.content),
    Column("note", "text", lambda post: post.note),
    Column("publication_delay_between", "number", lambda post: post.publication_delay_between),
    Column("visible_for_client", "flag", lambda post: post.visible_for_client),
    Column("should_skip", "flag", lambda post: post.should_skip),
    Column(ACCOUNTS, "", lambda post: None),
    Column("selected_account_ids", "ids", lambda post: post.selected_account_ids),
    Column("selected_media_ids", "ids", lambda post: post.selected_media_ids),
    Column("labels", "", lambda post: ", ".join(texts_of(post.labels, "name"))),
    Column(GROUP, "", lambda post: None),
    Column("group_id", "", lambda post: None),
    Column("link", "", lambda post: " ".join(texts_of(post.details, "post_link"))),
)
TEXTUAL = frozenset({"text", "texts", "json"})
"""Kinds whose cells are texts for a spreadsheet program."""

_KINDS = {"integer": "number", "number": "number", "flag": "flag", "moment": "moment"}


def network_of(name: str) -> str:
    """Return the network of a column such as content[threads]; "" for every other column."""
    return EDITABLE[name].network if "[" in name and name in EDITABLE else ""


def networks() -> Iterable[str]:
    """Return the networks for which a post may have a text of its own."""
    from social_publishing.models import Network  # slow to load

    return [each.value for each in Network]


class _Editable(dict[str, Column]):
    """Editable columns, by name: those of every sheet, and on request all that the documents have.

    They are what `posts.update` takes. A part of an argument is a column of its own, such as
    content[threads], the text for a network (§2.2), or li_poll[question].
    """

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in documented()

    def __missing__(self, name: str) -> Column:
        return documented()[name]


EDITABLE: Mapping[str, Column] = _Editable({each.name: each for each in COLUMNS if each.kind})


@cache
def documented() -> Mapping[str, Column]:
    """Return the editable columns beside those of every sheet, as the documents have them."""
    from social_publishing import models  # slow to load

    own = {each.name for each in COLUMNS if each.kind}
    types = {each.name: each.type for each in _fields(models.PostUpdate)}
    found: dict[str, Column] = {}
    for known in catalogue()["posts"]["commands"]["update"]["arguments"]:
        if not known.get("positional") and known["name"] not in own:
            for column in _of_argument(known, types.get(known["name"])):
                free = column.name if column.name not in found else f"{known['name']}.{column.name}"
                found[free] = column._replace(name=free, always_shown=False)
    return found


_ALWAYS: Final = ("moment", "number", "flag", "json")


def is_never_empty(name: str) -> bool:
    """Return whether a post keeps a value in a column once it has one: no null empties it."""
    column = EDITABLE[name]
    return column.kind in _ALWAYS and (bool(column.argument) or name not in _nullable())


@cache
def _nullable() -> Set[str]:
    """Return the arguments of an update for which null is sent, as the documents have them."""
    update = catalogue()["posts"]["commands"]["update"]["arguments"]
    return {each["name"] for each in update if each.get("nullable")}


def _fields(model: type) -> Sequence[msgspec.inspect.Field]:
    info = msgspec.inspect.type_info(model)
    return info.fields if isinstance(info, msgspec.inspect.StructType) else ()


def _of_argument(known: Mapping[str, Any], type_: Any) -> Iterator[Column]:
    """Yield the columns of an argument: one, or one for each of its parts."""
    from social_publishing import models
    from social_publishing.resources.posts import POST_UPDATE

    name, doc, many = known["name"], known["doc"], known.get("many")
    kind = ("ids" if known["kind"] == "id" else "texts") if many else known["kind"]
    rule = POST_UPDATE.rules.get(name)
    field = name if rule is None else getattr(rule, "field", "") or name
    is_shown = not hasattr(rule, "because") and field in models.Post.__struct_fields__
    field = field if is_shown else ""
    bare, inspect = _bare(type_), msgspec.inspect
    if name == "is_draft":
        yield Column(name, "flag", lambda post: post.status == DRAFT, field="status", doc=doc)
    elif kind != "json":
        pick = getattr(rule, "pick", None)
        own = _KINDS.get(kind, kind if kind in ("ids", "texts") else "text")
        yield Column(name, own, partial(_whole, field, pick), field=field, doc=doc)
    elif isinstance(bare, inspect.StructType):
        for each in bare.fields:
            own = _kind(each.type)
            read = partial(_nested if own == "json" else _part, field, name, each.name)
            label = f"{name}[{each.name}]"
            yield Column(label, own, read, name, each.encode_name, field=field, doc=doc)
    elif (
        isinstance(bare, inspect.DictType)
        and isinstance(_bare(bare.key_type), inspect.EnumType)
        and isinstance(value := _bare(bare.value_type), inspect.StructType)
    ):
        for each in value.fields:
            for key in (str(one.value) for one in _bare(bare.key_type).cls):
                own, read = _kind(each.type), partial(_of_key, field, key, each.name)
                label = f"{each.name}[{key}]"
                yield Column(label, own, read, name, each.encode_name, key, field, doc)
    else:
        yield Column(name, "json", partial(_nested, field, name, ""), field=field, doc=doc)


def _bare(type_: Any) -> Any:
    while isinstance(type_, msgspec.inspect.Metadata):
        type_ = type_.type
    return type_


def _kind(type_: Any) -> str:
    inspect, bare = msgspec.inspect, _bare(type_)
    kinds: dict[type, str] = {
        inspect.StrType: "text",
        inspect.BoolType: "flag",
        inspect.IntType: "number",
    }
    if isinstance(bare, inspect.ListType):
        is_id = (getattr(bare.item_type, "extra", None) or {}).get("format") == "uint64"
        is_text = isinstance(_bare(bare.item_type), inspect.StrType)
        return "ids" if is_id else "texts" if is_text else "json"
    return "moment" if isinstance(bare, inspect.DateTimeType) else kinds.get(type(bare), "json")


def _whole(field: str, pick: str | None, post: Post) -> object:
    value = getattr(post, field) if field else None
    return [part(each, pick) for each in value or ()] if pick else value


def _part(field: str, argument: str, member: str, post: Post) -> object:
    return part(getattr(post, field), member) if field else None


def _of_key(field: str, key: str, member: str, post: Post) -> object:
    entries = (getattr(post, field) if field else None) or {}
    return next((part(entry, member) for each, entry in entries.items() if each == key), None)


def _nested(field: str, argument: str, member: str, post: Post) -> object:
    """Return a value that is no simple one as JSON, in the form in which it is written."""
    if not field or not getattr(post, field):
        return None
    value = written_back(post, argument)
    value = value.get(wire_of(argument, member)) if member and isinstance(value, dict) else value
    return canonical(value) if value else None


def wire_of(argument: str, member: str) -> str:
    """Return the name in JSON of a part of an argument."""
    return EDITABLE[f"{argument}[{member}]"].member


def written_back(post: Post, argument: str) -> Any:
    """Return an argument that writes back what a post has, in JSON; None where it has nothing."""
    from social_publishing.resources.posts import PostsResource

    return msgspec.to_builtins(PostsResource.update_arguments(post).get(argument))


def canonical(value: Any) -> str:
    """Return a value of JSON as a text that is the same for equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def is_shown(post: Post, name: str) -> bool:
    """Return whether a post, as it was read, shows the value of a column."""
    from social_publishing import UNSET

    column = EDITABLE[name]
    return column.always_shown or bool(column.field and post.stored(column.field) is not UNSET)


def columns_of(posts: Iterable[Post], every: bool = False) -> list[str]:
    """Return the columns of a sheet of posts.

    Args:
        every: Whether it has the columns that no post uses, too.
    """
    posts = [*posts]
    used: set[str] = {*documented()} if every else set()
    for post in () if every else posts:
        left = [each for each in documented().values() if each.name not in used and each.field]
        for column in left:
            if column.read(post) not in (None, False, "", []):
                # A part of an object brings the others: a poll may get another option.
                is_object = column.argument and not column.network
                used |= (
                    {n for n, each in documented().items() if each.argument == column.argument}
                    if is_object
                    else {column.name}
                )
    networks = sorted(name for name in used if EDITABLE[name].network)
    others = [name for name in documented() if name in used and not EDITABLE[name].network]
    names = [column.name for column in COLUMNS]
    after, last = names.index("content") + 1, names.index(GROUP)
    return [*names[:after], *networks, *names[after:last], *others, *names[last:]]


def joined(post: Post, parts: Mapping[str, Value]) -> dict[str, Any]:
    """Return the arguments of which columns are parts, as `posts.update` takes them.

    What else belongs to them is sent along as the post has it, because parts that are left out are
    assumed to lose their values (`updatePost.nested`).

    Args:
        parts: New values, by column; None and an empty list leave the part out.
    """
    arguments: dict[str, Any] = {}
    for name, value in parts.items():
        column = EDITABLE[name]
        if column.argument not in arguments:
            arguments[column.argument] = written_back(post, column.argument) or {}
        whole = arguments[column.argument]
        entry = whole.setdefault(column.network, {}) if column.network else whole
        entry.pop(column.member, None)
        if value is not None and value != []:
            entry[column.member] = json.loads(str(value)) if column.kind == "json" else value
    for argument, whole in arguments.items():
        if any(EDITABLE[name].network for name in parts if EDITABLE[name].argument == argument):
            arguments[argument] = {key: entry for key, entry in whole.items() if entry}
    return arguments


def value_of(post: Post, name: str) -> Value:
    """Return a post's value in an editable column, as plans store it.

    Times are ISO 8601 in UTC. An empty text is None, because a sheet cannot show the difference;
    one of a network is another thing than none. A null in a list is left out, and a number that a
    cell would round is a text.
    """
    value = EDITABLE[name].read(post)
    if EDITABLE[name].kind == "text" and network_of(name):
        return None if value is None else str(value)
    if isinstance(value, datetime):
        return as_stored(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [str(each) for each in value if each is not None]
    if value is None and EDITABLE[name].kind in ("ids", "texts"):
        return []
    if isinstance(value, int) and abs(value) < MOST:
        return value
    return str(value or "") or None


def read_by_people(value: Value, kind: str, zone: ZoneInfo | None) -> str:
    """Return a value as a cell shows it, with the weekday before a time."""
    text = shown(value, kind, zone)
    return f"{datetime.fromisoformat(text):%a} {text}" if kind == "moment" and text else text


def shown(value: Value, kind: str, zone: ZoneInfo | None) -> str:
    """Return a value as a cell shows it: times in `zone`, with seconds where there are any.

    An ambiguous local time gets its offset. Lists have spaces.
    """
    if value is None:
        return ""
    if kind == "moment" and isinstance(value, str):
        local = on_clocks_of(zone, value)
        return on_clocks(local) if local else value
    if isinstance(value, list):
        return " ".join(value) if kind != "texts" else _listed(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def on_clocks(moment: datetime) -> str:
    """Return a local time, such as `2026-12-01 09:30`; one that comes twice has its offset."""
    other = moment.replace(fold=1 - moment.fold)
    if moment.utcoffset() == other.utcoffset():
        moment = moment.replace(tzinfo=None)
    return moment.isoformat(" ", "seconds" if moment.second else "minutes")


def _listed(texts: Sequence[str]) -> str:
    """Return texts with commas between them; one that would be read otherwise is in quotes."""
    return ", ".join(
        text
        if text == text.strip() and not re.search(r'[",;\n\r]', text)
        else '"' + text.replace('"', '""') + '"'
        for text in texts
    )
