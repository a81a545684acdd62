"""The history of a post: what must have happened for it to be where it is (§2.5, §3).

Of the events, `editedPost` alone is documented; the others are the sandbox's own.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.worlds.statuses import NONE, PAST_REVIEW, SENT, UNDER_REVIEW, Status


class History:
    """Works out what happened to one post, and adds it.

    Args:
        workflow: the approval workflow of its groups (§2.6).
        new_id: gives an identifier of a moment.
    """

    def __init__(
        self,
        post: Json,
        workflow: int,
        now: int,
        chance: Random,
        new_id: Callable[[int], str],
    ) -> None:
        self._post, self._now, self._chance, self._new_id = post, now, chance, new_id
        self._status, self._final = Status.DRAFT, Status(post["status"])
        self._date: int | None = post.get("publication_timestamp")
        self._created = self._last = times.parse(post["created_at"])
        self._end = now if self._date is None else min(self._date, now)
        self._author: str = post["user_id"]
        self._assignees: list[str] = post.get("assigneesIds", [])
        asked = self._final in PAST_REVIEW and workflow != NONE and bool(self._assignees)
        self._reviewed = self._final in UNDER_REVIEW or asked
        self._activities: list[Json] = []

    def complete(self) -> list[Json]:
        """Complete the post's approvals, comments and tasks, and return its activities."""
        post = self._post
        self._add(self._created, "createdPost", self._author)
        self._activities[0]["source"] = post["source"]
        if self._chance.random() < 0.4:
            self._add(self._between(0.05, 0.3), "editedPost", self._author, fields=["content"])
        if self._reviewed:
            self._review()
        elif self._final in PAST_REVIEW:
            self._change(self._between(0.4, 0.6), Status.SCHEDULED, self._author)
        self._finish()
        if self._final in PAST_REVIEW and post.get("approvals"):
            post["approved_at"] = post["approvals"][-1]["created_at"]
        for number, comment in enumerate(post.get("comments", ())):
            at = self._moment(0.2 + number / 10)
            comment |= {"id": self._new_id(at), "created_at": times.text(at)}
        for task in post.get("tasks", ()):
            task |= {"id": self._new_id(self._created), "created_at": post["created_at"]}
        post["updated_at"] = times.text(self._last)
        return self._activities

    def _add(self, at: int, event: str, user_id: str | None = None, **data: Any) -> None:
        """Write down an event, of the service itself without a user; none precedes the last one."""
        self._last = max(at, self._last)
        activity: Json = {
            "id": self._new_id(self._last),
            "post_id": self._post["id"],
            "event": event,
            "data": orjson.dumps(data).decode(),
            "created_at": times.text(self._last),
        }
        guest = self._post.get("guest_approver_name")
        if event == "approvedPost" and guest:
            activity["guest_name"] = guest
        elif user_id is not None:
            activity["user_id"] = user_id
        self._activities.append(activity)

    def _change(self, at: int, status: Status, user_id: str | None = None) -> None:
        """Write down that the post went on to another state."""
        change = {"from": self._status.name, "to": status.name}
        self._add(at, "changedStatus", user_id, **change)
        self._status = status

    def _moment(self, share: float) -> int:
        """Return the moment at a share (0 to 1) of the time until the end, in whole seconds."""
        at = self._created + int((self._end - self._created) * share)
        return max(self._created, at - at % times.SECOND)

    def _between(self, low: float, high: float) -> int:
        return self._moment(self._chance.uniform(low, high))

    def _review(self) -> None:
        post, assignees = self._post, self._assignees
        self._change(self._between(0.4, 0.55), Status.IN_REVIEW, self._author)
        everyone = post.get("everyone_must_approve", False)
        if self._final is Status.REVIEW_REJECTED:
            comments = post.get("comments", ())
            self._decide(assignees[0], "rejected", comments[-1]["content"] if comments else "")
            self._change(self._last, Status.REVIEW_REJECTED, assignees[0])
        elif self._final in PAST_REVIEW:
            for assignee in assignees if everyone else assignees[:1]:
                self._decide(assignee, "approved")
            self._change(self._last, Status.SCHEDULED, assignees[0])
        elif everyone and len(assignees) > 1:
            self._decide(assignees[0], "approved")

    def _decide(self, user_id: str, decision: str, reason: str = "") -> None:
        self._add(self._between(0.6, 0.9), f"{decision}Post", user_id, reason=reason)
        entry = {"user_id": user_id, "status": decision, "created_at": times.text(self._last)}
        self._post.setdefault("approvals", []).append(entry)

    def _finish(self) -> None:
        """Write down publishing, or what came instead of it."""
        if self._final in SENT and self._date is not None:
            self._change(self._date, Status.IN_PROGRESS)
            if self._final is not Status.IN_PROGRESS:
                self._change(self._finished(self._date), self._final)
        elif self._final is Status.REVIEW_MISSED and self._date is not None:
            self._change(self._date, Status.REVIEW_MISSED)
        elif self._final is Status.SKIPPED:
            self._change(self._last, Status.SKIPPED, self._author)
        elif self._final is Status.DELETED:
            self._add(self._last, "deletedPost", self._author)
        elif not self._final.is_led_to:
            self._change(self._last, self._final, self._author)

    def _finished(self, date: int) -> int:
        """Return when the last account was served."""
        details = self._post["details"]
        delay = self._post.get("publication_delay_between", 0) * times.MINUTE
        published = [times.parse(each["published_at"]) for each in details if "post_link" in each]
        last: int = date + max(0, len(details) - 1) * delay
        return min(max([last, *published]), self._now)
