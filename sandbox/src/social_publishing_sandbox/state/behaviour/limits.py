"""What the networks refuse: limits and sentences of the documents (`networks`, `publishing`).

Nothing here knows a network: which limits it has is assumed (`networks.text` and the like), which
of them make publishing fail, in which order (`publishing.failures`), and what is said then
(`publishing.reasons`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.behaviour.text import weighted_length
from social_publishing_sandbox.state.file_types import MediaType

_STORY: Final = 3  # of these fields (§2.2)
_FORMS: Final = {"facebook": "fb_post_type", "instagram": "ig_post_type"}
_EVERYWHERE: Final = {"nothing to publish": 1}


class _Sent(NamedTuple):
    """What goes to one account."""

    content: str
    length: int
    post: Mapping[str, Any]
    account: Mapping[str, Any]
    media: Sequence[Mapping[str, Any]]

    def files(self, *types: MediaType) -> list[Mapping[str, Any]]:
        return [each for each in self.media if each.get("type") in types]

    def facts(self, kind: MediaType, name: str) -> list[float]:
        """Return a number of each file of a type; one that nobody knows breaks no limit."""
        return [each[name] for each in self.files(kind) if each.get(name) is not None]

    def ratios(self) -> list[float]:
        if self.post.get(_FORMS.get(self.account["socialNetwork"], "")) == _STORY:
            return []
        pictures = self.files(MediaType.IMAGE)
        return [e["width"] / e["height"] for e in pictures if e.get("width") and e.get("height")]

    def boards(self) -> bool:
        return any(self.post.get("pi_boards") or ()) or bool(
            self.account.get("pi_default_board_id")
        )


_BOTH: Final = (MediaType.IMAGE, MediaType.VIDEO)
_MEASURED: Final[Mapping[str, Callable[[_Sent], Iterable[float]]]] = {
    "nothing to publish": lambda sent: [len(sent.content.strip()) + len(sent.media)],
    "text too long": lambda sent: [sent.length],
    "media missing": lambda sent: [len(sent.files(*_BOTH))],
    "video missing": lambda sent: [len(sent.files(MediaType.VIDEO))],
    "board missing": lambda sent: [sent.boards()],
    "too many files": lambda sent: [len(sent.files(*_BOTH))],
    "too many videos": lambda sent: [len(sent.files(MediaType.VIDEO))],
    "picture too large": lambda sent: sent.facts(MediaType.IMAGE, "size"),
    "picture too wide": _Sent.ratios,
    "picture too tall": _Sent.ratios,
    "video too short": lambda sent: sent.facts(MediaType.VIDEO, "duration"),
    "video too long": lambda sent: sent.facts(MediaType.VIDEO, "duration"),
    "video too large": lambda sent: sent.facts(MediaType.VIDEO, "size"),
}
"""The numbers that a limit is compared with."""

_AT_LEAST: Final = ("nothing to publish", "picture too tall", "video too short")
"""The limits that are the least, beside those of what is missing; all others are the most."""


def refusal(
    content: str,
    post: Mapping[str, Any],
    account: Mapping[str, Any],
    media: Sequence[Mapping[str, Any]],
    assume: Mapping[str, Any],
    now: int,
) -> str | None:
    """Return why the network of an account refuses a post with this text and these media; None
    where it takes it.

    Args:
        now: the moment of publishing, in milliseconds since 1970.
    """
    network = account["socialNetwork"]
    rules, known = assume.get("publishing", {}), of(network, assume)
    if is_expired(account, assume, now) and rules.get("expiredConnection") == "fails":
        return _sentence("connection expired", network, account, assume)
    sent = _Sent(content, length(content, network, assume), post, account, media)
    limits = {**_EVERYWHERE, **known.get("limits", {})}
    for name in filter(limits.__contains__, rules.get("failures", ())):
        limit, is_least = limits[name], name in _AT_LEAST or name.endswith("missing")
        for value in _MEASURED[name](sent):
            if value < limit if is_least else value > limit:
                return _sentence(name, network, account, assume, value=value, limit=limit)
    return None


def is_expired(account: Mapping[str, Any], assume: Mapping[str, Any], now: int) -> bool:
    """Return whether the connection of an account must be renewed (§2.7): as soon as it has a date,
    or once that is past (`account.expiry`).
    """
    date = account.get("connection_expired_at")
    waits = assume.get("accounts", {}).get("renewal") == "once past"
    return bool(date) and (not waits or times.parse(str(date)) <= now)


def of(network: str, assume: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is assumed of a network: `title`, `weighted`, `limits`."""
    known: Mapping[str, Any] = assume.get("networks", {}).get(network, {})
    return known


def length(content: str, network: str, assume: Mapping[str, Any]) -> int:
    """Return the length of a text as a network counts it: characters, or their weight."""
    weighs = of(network, assume).get("weighted")
    return weighted_length(content, assume.get("weightedLength")) if weighs else len(content)


def title(network: str, assume: Mapping[str, Any]) -> str:
    """Return what a network is called."""
    return str(of(network, assume).get("title", network))


def _sentence(
    name: str, network: str, account: Mapping[str, Any], assume: Mapping[str, Any], **numbers: float
) -> str:
    text: str = assume.get("publishing", {}).get("reasons", {}).get(name) or f"{{network}}: {name}."
    known = account.get("name") or account.get("username") or account["id"]
    shown = {each: f"{round(number, 2):,}" for each, number in numbers.items()}
    return text.format(network=title(network, assume), account=known, **{**_NO_NUMBERS, **shown})


_NO_NUMBERS: Final = {"value": "", "limit": ""}
