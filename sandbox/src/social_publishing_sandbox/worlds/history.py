"""The history of a post: what must have happened for it to be where it is (§2.5, §3).

Of the events, `editedPost` alone is documented; the others are the sandbox's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import orjson

from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.worlds.statuses import NONE, PAST_REVIEW, SENT, UNDER_REVIEW, Status

_EDITS, _FEW_EDITS = (0, 1, 1, 1, 2), (0, 0, 0, 1)
"""How often a post was edited, for chance to choose from."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a post.

    Attributes:
        at: when, in milliseconds since 1970.
        user_id: who did it; None for the service itself.
    """

    at: int
    name: str
    user_id: str | None
    data: Json


class History:
    """Works out what happened to one post, and adds it."""

    def __init__(self, post: Json, workflow: int, now: int, chance: Random) -> None:
        self._post, self._now, self._chance = post, now, chance
        self._status, self._final = Status.DRAFT, Status(post["status"])
        self._date: int | None = post.get("publication_timestamp")
        self._created = times.parse(post["created_at"])
        self._end = now if self._date is None else min(self._date, now)
        self._assignees: list[str] = post.get("assigneesIds", [])
        asked = self._final in PAST_REVIEW and workflow != NONE and bool(self._assignees)
        self._reviewed = self._final in UNDER_REVIEW or asked
        self._approvals: list[Json] = []
        self._events = [Event(self._created, "createdPost", post["user_id"], {})]

    def complete(self, new_id: Callable[[int], str], *, thorough: bool) -> list[Json]:
        """Complete the post's approvals, comments and tasks, and return its activities."""
        post = self._post
        self._prepare(thorough)
        self._finish(thorough)
        if self._approvals:
            post["approvals"] = self._approvals
            if self._final in PAST_REVIEW:
                post["approved_at"] = self._approvals[-1]["created_at"]
        for number, comment in enumerate(post.get("comments", ())):
            at = self._moment(self._created, 0.2 + number / 10)
            comment |= {"id": new_id(at), "created_at": times.text(at)}
        for task in post.get("tasks", ()):
            task |= {"id": new_id(self._created), "created_at": post["created_at"]}
        post["updated_at"] = times.text(self._last)
        return [self._activity(each, new_id) for each in self._events]

    @property
    def _last(self) -> int:
        """When the last event happened."""
        return self._events[-1].at

    def _add(self, at: int, name: str, user_id: str | None = None, **data: Any) -> None:
        """Write down an event; none happens before the one before it."""
        self._events.append(Event(max(at, self._last), name, user_id, data))

    def _change(self, at: int, status: Status, user_id: str | None = None) -> None:
        """Write down that the post went on to another state."""
        change = {"from": self._status.name, "to": status.name}
        self._add(at, "changedStatus", user_id, **change)
        self._status = status

    def _moment(self, start: int, share: float) -> int:
        """Return the moment at a share (0 to 1) of the time until the end, in whole seconds."""
        at = start + int((self._end - start) * share)
        return max(start, at - at % times.SECOND)

    def _between(self, low: float, high: float) -> int:
        return self._moment(self._created, self._chance.uniform(low, high))

    def _prepare(self, thorough: bool) -> None:
        """Write down everything up to the publication date."""
        author: str = self._post["user_id"]
        editors = (author, *self._assignees)
        for number in range(self._chance.choice(_EDITS if thorough else _FEW_EDITS)):
            at = self._between(0.05 + number * 0.08, 0.12 + number * 0.08)
            self._add(at, "editedPost", editors[number % len(editors)], fields=["content"])
        if self._reviewed:
            self._review(author)
        elif self._final in PAST_REVIEW:
            self._change(self._between(0.4, 0.6), Status.SCHEDULED, author)

    def _review(self, author: str) -> None:
        self._change(self._between(0.4, 0.55), Status.IN_REVIEW, author)
        everyone = self._post.get("everyone_must_approve", False)
        if self._final is Status.REVIEW_REJECTED:
            comments = self._post.get("comments", ())
            reason = comments[-1]["content"] if comments else ""
            self._decide(self._assignees[0], "rejected", reason)
            self._change(self._last, Status.REVIEW_REJECTED, self._assignees[0])
        elif self._final in PAST_REVIEW:
            for assignee in self._assignees if everyone else self._assignees[:1]:
                self._decide(assignee, "approved")
            self._change(self._last, Status.SCHEDULED, self._assignees[0])
        elif everyone and len(self._assignees) > 1:
            self._decide(self._assignees[0], "approved")

    def _decide(self, user_id: str, decision: str, reason: str = "") -> None:
        self._add(self._between(0.6, 0.9), f"{decision}Post", user_id, reason=reason)
        at = times.text(self._last)
        self._approvals.append({"user_id": user_id, "status": decision, "created_at": at})

    def _finish(self, thorough: bool) -> None:
        """Write down publishing, or what came instead of it."""
        author: str = self._post["user_id"]
        if self._final in SENT and self._date is not None:
            finished = self._finished(self._date)
            if thorough:
                self._change(self._date, Status.IN_PROGRESS)
                for detail in self._post["details"]:
                    self._add_outcome(detail, finished)
            if self._final is not Status.IN_PROGRESS:
                self._change(finished, self._final)
        elif self._final is Status.REVIEW_MISSED and self._date is not None:
            self._change(self._date, Status.REVIEW_MISSED)
        elif self._final is Status.SKIPPED:
            self._change(self._moment(self._last, 0.3), Status.SKIPPED, author)
        elif self._final is Status.DELETED:
            self._add(self._moment(self._last, 0.5), "deletedPost", author)

    def _finished(self, date: int) -> int:
        """Return when the last account was served."""
        details = self._post["details"]
        delay = self._post.get("publication_delay_between", 0) * times.MINUTE
        published = [times.parse(each["published_at"]) for each in details if "post_link" in each]
        last: int = date + max(0, len(details) - 1) * delay
        return min(max([last, *published]), self._now)

    def _add_outcome(self, detail: Json, finished: int) -> None:
        network = detail["social_network"]
        if "post_link" in detail:
            at = times.parse(detail["published_at"])
            self._add(at, "publishedOnNetwork", network=network, link=detail["post_link"])
        elif "user_error_message" in detail:
            reason = detail["user_error_message"]
            self._add(finished, "failedOnNetwork", network=network, reason=reason)

    def _activity(self, event: Event, new_id: Callable[[int], str]) -> Json:
        activity: Json = {
            "id": new_id(event.at),
            "post_id": self._post["id"],
            "event": event.name,
            "data": orjson.dumps(event.data).decode(),
            "created_at": times.text(event.at),
        }
        if event.name == "createdPost":
            activity["source"] = self._post["source"]
        guest = self._post.get("guest_approver_name")
        if event.name == "approvedPost" and guest:
            activity["guest_name"] = guest
        elif event.user_id is not None:
            activity["user_id"] = event.user_id
        return activity
