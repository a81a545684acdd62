"""The log of a post (§2.5) as sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from social_publishing_sandbox.console import wording
from social_publishing_sandbox.state.documents import Json


@dataclass(frozen=True, slots=True)
class Moment:
    """One entry of the log.

    Attributes:
        what: what happened, in a few words.
        more: what else is known of it.
        who: a user's or a guest's name; None for the service itself.
        status: the name of the state that the post came to.
        source: how it came about, such as `API`.
    """

    id: str
    at: int | None
    what: str
    more: str
    who: str | None
    status: str | None
    source: str


def moment(activity: Json, users: Mapping[str, Json]) -> Moment:
    """Return an activity as a sentence. What is in it was not always written by the sandbox."""
    event = str(activity.get("event", ""))
    data = _data(activity.get("data"))
    describe = _EVENTS.get(event)
    what, more = describe(data) if describe else (wording.words(event) or "Something", "")
    user = users.get(activity.get("user_id", ""))
    to = data.get("to")
    return Moment(
        id=activity["id"],
        at=wording.parsed(activity.get("created_at")),
        what=what,
        more=more,
        who=user["name"] if user else activity.get("guest_name"),
        status=to if event == "changedStatus" and isinstance(to, str) else None,
        source=wording.SOURCES.get(activity.get("source", 0), ""),
    )


def _data(text: Any) -> Json:
    try:
        facts = orjson.loads(text or "{}")
    except (orjson.JSONDecodeError, TypeError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _changed(data: Json) -> tuple[str, str]:
    before = data.get("from")
    after = wording.words(str(data.get("to", "")))
    return after, f"before: {wording.words(str(before)).lower()}" if before else ""


def _edited(data: Json) -> tuple[str, str]:
    fields = data.get("fields")
    return "Edited", ", ".join(map(str, fields)) if isinstance(fields, list) else ""


def _on_network(what: str, member: str) -> Callable[[Json], tuple[str, str]]:
    def describe(data: Json) -> tuple[str, str]:
        return f"{what} {wording.network(str(data.get('network', '')))}", str(data.get(member, ""))

    return describe


_EVENTS: Final[dict[str, Callable[[Json], tuple[str, str]]]] = {
    "createdPost": lambda data: ("Created", ""),
    "editedPost": _edited,
    "changedStatus": _changed,
    "approvedPost": lambda data: ("Approved", str(data.get("reason", ""))),
    "rejectedPost": lambda data: ("Rejected", str(data.get("reason", ""))),
    "deletedPost": lambda data: ("Deleted", ""),
    "removedLabel": lambda data: ("Label removed", str(data.get("label", ""))),
    "notifiedAssignees": lambda data: ("Assignees notified", ""),
    "publishedOnNetwork": _on_network("Published on", "link"),
    "failedOnNetwork": _on_network("Failed on", "reason"),
}
