"""The columns of a sheet of posts, for writing and reading.

An editable column has the name of an argument of `posts.update`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from social_publishing.models import Post

    from .cells import Value

ID = "id"
ZONE = "timezone"
WEEKDAY = "weekday"  # of the date beside it, in texts; a workbook shows it in the date itself
ACCOUNTS = "accounts"
GROUP = "group"
INSTEAD = {
    ACCOUNTS: "selected_account_ids takes names as well",
    "networks": "it follows from selected_account_ids",
}
"""What to edit in the place of a column that is only read."""


class Column(NamedTuple):
    """One column of a sheet.

    Attributes:
        kind: What its cells hold: "text", "moment", "number", "flag", "ids", or "" where a cell is
            only read by people.
        of: Reads the value from a post.
    """

    name: str
    kind: str
    of: Callable[[Post], object]


def part(entry: Any, name: str) -> Any:
    """Return a member of an entry of a post, which is an object of any form in some documents."""
    return entry.get(name) if isinstance(entry, Mapping) else getattr(entry, name, None)


def _networks(post: Post) -> str:
    networks = {str(part(detail, "social_network") or "") for detail in post.details or ()}
    return ", ".join(sorted(networks - {""}))


def _link(post: Post) -> str:
    return " ".join(filter(None, (part(detail, "post_link") for detail in post.details or ())))


def _labels(post: Post) -> str:
    return ", ".join(filter(None, (part(label, "name") for label in post.labels or ())))


COLUMNS = (
    Column(ID, "", lambda post: post.id),
    Column("publication_date", "moment", lambda post: post.publication_date),
    Column(WEEKDAY, "", lambda post: None),
    Column(ZONE, "", lambda post: None),
    Column("status", "", lambda post: post.status.name.lower() if post.status else None),
    Column("networks", "", _networks),
    Column("name", "text", lambda post: post.name),
    Column("content", "text", lambda post: post.content),
    Column("note", "text", lambda post: post.note),
    Column("publication_delay_between", "number", lambda post: post.publication_delay_between),
    Column("visible_for_client", "flag", lambda post: post.visible_for_client),
    Column("should_skip", "flag", lambda post: post.should_skip),
    Column(ACCOUNTS, "", lambda post: None),
    Column("selected_account_ids", "ids", lambda post: post.selected_account_ids),
    Column("selected_media_ids", "ids", lambda post: post.selected_media_ids),
    Column("labels", "", _labels),
    Column(GROUP, "", lambda post: None),
    Column("group_id", "", lambda post: None),
    Column("link", "", _link),
)
_OWN = re.compile(r"content\[([a-z_]+)\]")


def network_of(name: str) -> str:
    """Return the network of a column such as content[threads]; "" for every other column."""
    match = _OWN.fullmatch(name)
    return match[1] if match and match[1] in networks() else ""


def networks() -> Iterable[str]:
    """Return the networks for which a post may have a text of its own."""
    from social_publishing.models import Network  # slow to load

    return [each.value for each in Network]


class _Editable(dict[str, Column]):
    """Editable columns, by name.

    Any post may have a text of its own for a network (§2.2). So content[threads] and the like are
    columns as well, but only where they are named.
    """

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (isinstance(name, str) and bool(network_of(name)))

    def __missing__(self, name: str) -> Column:
        if not network_of(name):
            raise KeyError(name)
        return Column(name, "text", lambda post: own_texts(post).get(name))


EDITABLE: Mapping[str, Column] = _Editable({each.name: each for each in COLUMNS if each.kind})


def own_texts(post: Post) -> dict[str, str]:
    """Return the texts that a post has for networks alone, by the names of their columns."""
    customized = (post.customized or {}).items()
    texts = {f"content[{network}]": part(own, "content") for network, own in customized}
    return {name: text for name, text in texts.items() if text is not None and network_of(name)}


def columns_of(posts: Iterable[Post]) -> list[str]:
    """Return the columns of a sheet of posts: texts of networks only where a post has one."""
    own = sorted({name for post in posts for name in own_texts(post)})
    names = [column.name for column in COLUMNS]
    after = names.index("content") + 1
    return [*names[:after], *own, *names[after:]]


def customized_with(post: Post, texts: Mapping[str, Value]) -> dict[str, dict[str, Any]]:
    """Return the customization of a post with other texts, as `posts.update` takes it.

    What the post has for other networks stays, and so do the files of these.

    Args:
        texts: The text of each network; None for that of the post itself.
    """
    entries: dict[str, dict[str, Any]] = {
        str(network): {
            name: value
            for name in ("content", "media_ids")
            if (value := part(own, name)) is not None
        }
        for network, own in (post.customized or {}).items()
    }
    for network, text in texts.items():
        entry = entries.setdefault(network, {})
        entry.pop("content", None)
        entry |= {} if text is None else {"content": text}
    return {network: entry for network, entry in entries.items() if entry}


def value_of(post: Post, name: str) -> Value:
    """Return a post's value in an editable column, as plans store it.

    Times are ISO 8601 in UTC. An empty text is None, because a sheet cannot show the difference;
    one of a network is another thing than none.
    """
    value = EDITABLE[name].of(post)
    if network_of(name):
        return None if value is None else str(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [str(each) for each in value]
    if value is None and EDITABLE[name].kind == "ids":
        return []
    return value if isinstance(value, bool | int) else str(value or "") or None


def read_by_people(value: Value, kind: str, zone: ZoneInfo | None) -> str:
    """Return a value as a cell shows it, with the weekday before a time."""
    text = shown(value, kind, zone)
    return f"{datetime.fromisoformat(text):%a} {text}" if kind == "moment" and text else text


def shown(value: Value, kind: str, zone: ZoneInfo | None) -> str:
    """Return a value as a cell shows it: times in `zone`, to the minute; lists with spaces.

    An ambiguous local time gets its offset.
    """
    if value is None:
        return ""
    if kind == "moment" and isinstance(value, str):
        moment = datetime.fromisoformat(value).astimezone(zone or UTC)
        other = moment.replace(fold=1 - moment.fold)
        if moment.utcoffset() == other.utcoffset():
            moment = moment.replace(tzinfo=None)
        return moment.isoformat(" ", "seconds" if moment.second else "minutes")
    if isinstance(value, list):
        return " ".join(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
