"""What networks would refuse, in the words in which publishing fails there.

The limits of networks are not in the specification. What is assumed or confirmed of them (gaps
`networks.text` and the like) comes from the documents, as it does in a sandbox.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ..catalogues import catalogue, network_title
from ..sheets.cells import MOST, Value
from ..sheets.columns import EDITABLE

if TYPE_CHECKING:
    from social_publishing import SocialPublishing

Json = Mapping[str, Any]
"""An object as the service sends it."""

_IMAGE, _VIDEO, _STORY = 1, 2, 3  # §2.11, §2.2
_WIRE = {"selected_account_ids": "selectedAccountIds"}  # the others are called alike
_READ_ALONE = 2  # files; more are looked for among the posts of their groups first
_PAGES = 5  # of a group's posts, at the most
_LEFT = 20  # files that are read alone after that, at the most


class Refusal(NamedTuple):
    """Why a network would refuse a post.

    Attributes:
        account: The name of the account, for people.
        field: The column to edit.
        gap: The gap, as long as it is assumed; empty if it is confirmed.
        account_id: The identifier of the account.
    """

    account: str
    reason: str
    field: str
    gap: str
    account_id: str

    def __str__(self) -> str:
        label = f" (assumed: {self.gap})" if self.gap else ""
        return f"{self.account}: {self.reason}{label}"


class _Sent(NamedTuple):
    """What goes to one account; None stands for a file of which nothing is known."""

    content: str
    length: int
    post: Json
    account: Json
    files: Sequence[Json | None]

    def number(self, *types: int) -> list[int]:
        known = [each["type"] for each in self.files if each]
        return [sum(each in types for each in known)] if len(known) == len(self.files) else []

    def facts(self, kind: int, name: str) -> list[float]:
        of_kind = [each for each in self.files if each and each["type"] == kind]
        return [each[name] for each in of_kind if _is_number(each.get(name))]

    def ratios(self) -> list[float]:
        is_story = _STORY in (self.post.get("ig_post_type"), self.post.get("fb_post_type"))
        known = [each for each in self.files if each and each["type"] == _IMAGE and not is_story]
        sizes = ((each.get("width"), each.get("height")) for each in known)
        return [a / b for a, b in sizes if a and b and _is_number(a) and _is_number(b)]

    def boards(self) -> list[int]:
        chosen = self.post.get("pi_boards")
        has_own = isinstance(chosen, Mapping | list) and any(chosen)
        return [has_own or bool(self.account.get("pi_default_board_id"))]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) < MOST


class _Limit(NamedTuple):
    """A limit: the numbers that it is about, whether it is the least, and its gap and column."""

    numbers: Callable[[_Sent], Iterable[float]]
    is_least: bool
    gap: str
    field: str


_LIMITS = {
    "nothing to publish": _Limit(
        lambda sent: [len(sent.content.strip()) + len(sent.files)],
        True,
        "publishing.failures",
        "content",
    ),
    "text too long": _Limit(lambda sent: [sent.length], False, "networks.text", "content"),
    "board missing": _Limit(_Sent.boards, True, "networks.needs", "selected_account_ids"),
    **{
        name: _Limit(numbers, is_least, f"networks.{of}", "selected_media_ids")
        for of, name, numbers, is_least in (
            ("needs", "media missing", lambda sent: sent.number(_IMAGE, _VIDEO), True),
            ("needs", "video missing", lambda sent: sent.number(_VIDEO), True),
            ("pictures", "too many files", lambda sent: sent.number(_IMAGE, _VIDEO), False),
            ("pictures", "picture too large", lambda sent: sent.facts(_IMAGE, "size"), False),
            ("pictures", "picture too wide", _Sent.ratios, False),
            ("pictures", "picture too tall", _Sent.ratios, True),
            ("videos", "too many videos", lambda sent: sent.number(_VIDEO), False),
            ("videos", "video too short", lambda sent: sent.facts(_VIDEO, "duration"), True),
            ("videos", "video too long", lambda sent: sent.facts(_VIDEO, "duration"), False),
            ("videos", "video too large", lambda sent: sent.facts(_VIDEO, "size"), False),
        )
    },
}


def changed(post: Json, values: Mapping[str, Value]) -> dict[str, Any]:
    """Return a post, as the service sends it, with values of a plan."""
    own = {network: {**_object(each)} for network, each in _object(post.get("customized")).items()}
    new = {**post, "customized": own}
    for name, value in values.items():
        column = EDITABLE[name]
        if column.network:
            entry = own.setdefault(column.network, {})
            entry[column.member] = None if value == [] else value
        elif not column.argument:
            new[_WIRE.get(name, name)] = value
    return new


def _object(value: Any) -> Json:
    return value if isinstance(value, Mapping) else {}


def _ids(value: Any) -> list[str]:
    """Return the identifiers of a list that the service has sent, without what is none."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def refusals(
    post: Json,
    accounts: Mapping[str, Json],
    files: Mapping[str, Json],
    assumed: Json | None = None,
) -> Iterator[Refusal]:
    """Yield why networks would refuse a post, one for each account.

    Args:
        accounts: The known accounts, by identifier. An unknown one refuses nothing.
        files: The known files, by identifier. What is not known of a file breaks no limit.
        assumed: What the documents say (`x-assume`, `x-assumed`, `x-unit`). Default: those of
            this package.
    """
    if post.get("should_skip"):
        return
    assumed = assumed or catalogue("assumed")["main"]
    for identifier in _ids(post.get("selectedAccountIds")):
        account = accounts.get(identifier)
        if account and isinstance(account.get("socialNetwork"), str):
            own = _object(_object(post.get("customized")).get(account["socialNetwork"]))
            text, media = own.get("content"), own.get("media_ids")
            content = str((post.get("content") if text is None else text) or "")
            chosen = _ids(post.get("selected_media_ids") if media is None else media)
            units = assumed.get("x-unit", {}).get("Media", {})
            known = [
                _measured(file, units) if (file := files.get(each)) else None for each in chosen
            ]
            length = _length(content, account["socialNetwork"], assumed["x-assume"])
            refusal = _refusal(_Sent(content, length, post, account, known), assumed)
            if refusal and refusal.field == "content" and text is not None:
                refusal = refusal._replace(field=f"content[{account['socialNetwork']}]")
            if refusal:
                yield refusal


def _measured(file: Json, units: Mapping[str, str]) -> Json:
    """Return a file with what limits compare in bytes and seconds, whatever its own units are."""
    scaled = {
        name: file[name] * _UNITS[unit]
        for name, unit in units.items()
        if isinstance(file.get(name), int | float)
    }
    return {**file, **scaled}


_UNITS = {
    **{"bytes": 1, "kilobytes": 1_000, "megabytes": 1_000_000, "kibibytes": 1 << 10},
    **{"mebibytes": 1 << 20, "seconds": 1, "milliseconds": 0.001, "minutes": 60},
}
"""How many bytes or seconds each unit has (`x-unit`)."""


def needs_files(post: Json, accounts: Mapping[str, Json]) -> set[str]:
    """Return the files of a post that a network has limits for."""
    assume = catalogue("assumed")["main"]["x-assume"]
    needed: set[str] = set()
    for account in filter(None, map(accounts.get, _ids(post.get("selectedAccountIds")))):
        network = str(account.get("socialNetwork") or "")
        limits = assume.get("networks", {}).get(network, {}).get("limits", {})
        if any(_LIMITS[name].field == "selected_media_ids" for name in limits):
            own = _object(_object(post.get("customized")).get(network)).get("media_ids")
            needed.update(_ids(post.get("selected_media_ids") if own is None else own))
    return needed


def files_of(
    client: SocialPublishing, needed: Iterable[str], groups: Iterable[str]
) -> dict[str, Json]:
    """Read files, each alone where they are few, or with the posts of their groups."""
    from social_publishing import StatusError

    left, known = dict.fromkeys(needed), dict[str, Json]()
    for group in groups if len(left) > _READ_ALONE else ():
        pages = client.posts.list(group_id=group, include=["media"]).pages()
        for post in (post for page in islice(pages, _PAGES) for post in page.data):
            for media in post.to_dict(wire=True).get("media") or ():
                if _object(media).get("id") in left:
                    del left[media["id"]]
                    known[media["id"]] = media
            if not left:
                return known
    for identifier in islice(left, _LEFT):
        try:
            media_or_none = client.media.status(identifier).data
        except StatusError:  # that a file is not shown here is no reason to refuse a plan
            continue
        if media_or_none:
            known[identifier] = media_or_none.to_dict(wire=True)
    return {each: file for each, file in known.items() if "type" in file}


def _refusal(sent: _Sent, assumed: Json) -> Refusal | None:
    assume: Json = assumed["x-assume"]
    rules = assume.get("publishing", {})
    network: str = sent.account["socialNetwork"]
    name = account_name(sent.account)
    title = assume.get("networks", {}).get(network, {}).get("title", network)

    def refusal(reason: str, gap: str, field: str, **numbers: float) -> Refusal:
        words = rules.get("reasons", {}).get(reason) or f"{{network}}: {reason}."
        shown = {each: f"{round(number, 2):,}" for each, number in numbers.items()}
        text = words.format(network=title, account=name, **{"value": "", "limit": "", **shown})
        label = gap if gap in assumed.get("x-assumed", ()) else ""
        return Refusal(name, text, field, label, sent.account["id"])

    goes_out = sent.post.get("publication_date")
    date = sent.account.get("connection_expired_at")
    if is_expired(date, goes_out, assume) and rules.get("expiredConnection") == "fails":
        return refusal("connection expired", "publishing.expired", "selected_account_ids")
    limits = assume.get("networks", {}).get(network, {}).get("limits", {})
    limits = {"nothing to publish": 1, **limits}
    for reason in filter(limits.__contains__, rules.get("failures", ())):
        known, limit = _LIMITS[reason], limits[reason]
        for value in known.numbers(sent):
            if value < limit if known.is_least else value > limit:
                return refusal(reason, known.gap, known.field, value=value, limit=limit)
    return None


def is_expired(date: Any, at: Any = None, assume: Json | None = None) -> bool:
    """Return whether the connection of an account must be renewed (§2.7).

    Args:
        date: Its `connection_expired_at`, or None.
        at: When; None for now.
        assume: What the documents say: a date suffices, or it must be past (`account.expiry`).
    """
    assume = catalogue("assumed")["main"]["x-assume"] if assume is None else assume
    if assume.get("accounts", {}).get("renewal") != "once past":
        return bool(date)
    return bool(date) and _moment(date) <= _moment(at or datetime.now(UTC))


def account_name(account: Json) -> str:
    """Return what people call an account: the name that they gave it, before all others (§2.7)."""
    names = map(account.get, ("custom_name", "name", "username", "id"))
    return str(next(filter(None, names), ""))


def _moment(value: Any) -> datetime:
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _length(text: str, network: str, assume: Json) -> int:
    """Return the length of a text as a network counts it (§2.2, `content_weighted_length`)."""
    if not assume.get("networks", {}).get(network, {}).get("weighted"):
        return len(text)
    rule = assume["weightedLength"]
    normal = unicodedata.normalize("NFC", text)
    rest, emojis = re.subn(rule.get("emojis", "(?!)"), "", normal)
    light = sum(any(a <= ord(char) <= b for a, b in rule["weightOneRanges"]) for char in rest)
    weight: int = emojis * rule["emoji"] + (len(rest) - light) * rule["weight"] + light
    return weight


class Cut(NamedTuple):
    """The text of a post for one account.

    Attributes:
        network: The network, such as "facebook".
        title: What the network is called.
        text: What it takes.
        rest: What it would cut off.
        limit: How much it takes; None if no limit is known.
        gap: The gap of the limit, as long as it is assumed; empty if it is confirmed.
    """

    account: str
    network: str
    title: str
    text: str
    rest: str
    limit: int | None
    gap: str


def cuts(post: Json, accounts: Mapping[str, Json]) -> Iterator[Cut]:
    """Yield the text of a post for each of its known accounts, as far as its network takes it."""
    assumed = catalogue("assumed")["main"]
    known = assumed["x-assume"].get("networks", {})
    for account in filter(None, map(accounts.get, _ids(post.get("selectedAccountIds")))):
        network = str(account.get("socialNetwork") or "")
        text = _object(_object(post.get("customized")).get(network)).get("content")
        text = str((post.get("content") if text is None else text) or "")
        limit = known.get(network, {}).get("limits", {}).get("text too long")
        end = len(text)
        if limit is not None and _length(text, network, assumed["x-assume"]) > limit:
            within = range(len(text) + 1)
            end = (
                bisect_right(
                    within, limit, key=lambda n: _length(text[:n], network, assumed["x-assume"])
                )
                - 1
            )
        yield Cut(
            account_name(account),
            network,
            network_title(network),
            text[:end],
            text[end:],
            limit,
            "networks.text" if "networks.text" in assumed.get("x-assumed", ()) else "",
        )
