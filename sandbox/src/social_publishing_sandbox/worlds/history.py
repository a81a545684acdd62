"""The history of a post: what must have happened for it to be where it is (§2.5, §3).

Of the events, `editedPost` alone is documented; the others are the sandbox's own.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.worlds.planning import PAST_REVIEW, SENT, Plan, Status


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a post.

    Attributes:
        at: when, in milliseconds since 1970.
        user: who did it; None for the service itself.
    """

    at: int
    name: str
    user: Json | None
    data: Json


@dataclass(frozen=True, slots=True)
class Decision:
    """What an approver decided, and when in milliseconds since 1970."""

    at: int
    user: Json
    approved: bool


def moment(start: int, end: int, share: float) -> int:
    """The moment at a share (0 to 1) of a span, in whole seconds."""
    ms = start + int((end - start) * share)
    return max(start, ms - ms % times.SECOND)


class History:
    """The events of one post, in order, as they are found out.

    Args:
        plan: what became of the post.
        created: when it was made.
        end: the earlier of its publication and now.
    """

    def __init__(self, plan: Plan, created: int, end: int, rng: random.Random) -> None:
        self._plan, self._created, self._end, self._rng = plan, created, end, rng
        self._status = Status.DRAFT
        self.events = [Event(created, "createdPost", plan.author, {})]
        self.decisions: list[Decision] = []
        self._prepare()

    @property
    def last(self) -> int:
        """When the last event happened."""
        return self.events[-1].at

    def add(self, at: int, name: str, user: Json | None = None, **data: Any) -> None:
        """Write down an event; none happens before the one before it."""
        self.events.append(Event(max(at, self.last), name, user, data))

    def change(self, at: int, status: Status, user: Json | None = None, **data: Any) -> None:
        """Write down that the post went on to another state."""
        self.add(
            at, "changedStatus", user, **{"from": self._status.name, "to": status.name}, **data
        )
        self._status = status

    def _share(self, low: float, high: float) -> int:
        return moment(self._created, self._end, self._rng.uniform(low, high))

    def _prepare(self) -> None:
        """Everything up to the publication date."""
        plan = self._plan
        editors: Sequence[Json] = (plan.author, *plan.assignees)
        for number in range(plan.edits):
            editor = editors[number % len(editors)]
            at = self._share(0.05 + number * 0.08, 0.12 + number * 0.08)
            self.add(at, "editedPost", editor, fields=["content"])
        if plan.reviewed:
            self._review()
        elif plan.status in PAST_REVIEW:
            self.change(self._share(0.4, 0.6), Status.SCHEDULED, plan.author)

    def _review(self) -> None:
        plan = self._plan
        self.change(self._share(0.4, 0.55), Status.IN_REVIEW, plan.author)
        if plan.status is Status.REVIEW_REJECTED:
            self._decide(plan.assignees[0], Status.REVIEW_REJECTED, plan.remark or "")
        elif plan.status in PAST_REVIEW:
            for assignee in plan.assignees if plan.everyone else plan.assignees[:1]:
                self._decide(assignee, Status.SCHEDULED)
            self.change(self.last, Status.SCHEDULED, plan.assignees[0])
        elif plan.everyone and len(plan.assignees) > 1:
            self._decide(plan.assignees[0], Status.SCHEDULED)

    def _decide(self, user: Json, status: Status, reason: str = "") -> None:
        approved = status is Status.SCHEDULED
        self.add(
            self._share(0.6, 0.9),
            "approvedPost" if approved else "rejectedPost",
            user,
            reason=reason,
        )
        self.decisions.append(Decision(self.last, user, approved))
        if not approved:
            self.change(self.last, status, user)

    def finish(self, details: Sequence[Json], *, finished: int, thorough: bool) -> None:
        """What followed: publishing, or what came instead of it.

        Args:
            details: the details of the post, with what became of each.
            finished: when the last account was served.
            thorough: with an event for each account, too.
        """
        plan = self._plan
        if plan.status in SENT and plan.date is not None:
            if thorough:
                self.change(plan.date, Status.IN_PROGRESS)
                for detail in details:
                    self._tell(detail, finished)
            if plan.status is not Status.IN_PROGRESS:
                self.change(finished, plan.status)
        elif plan.status is Status.REVIEW_MISSED and plan.date is not None:
            self.change(plan.date, Status.REVIEW_MISSED)
        elif plan.status is Status.SKIPPED:
            self.change(moment(self.last, self._end, 0.3), Status.SKIPPED, plan.author)
        elif plan.status is Status.DELETED:
            self.add(moment(self.last, self._end, 0.5), "deletedPost", plan.author)

    def _tell(self, detail: Json, finished: int) -> None:
        network = detail["social_network"]
        if "published_at" in detail:
            at = times.parse(detail["published_at"])
            self.add(at, "publishedOnNetwork", network=network, link=detail["post_link"])
        elif "user_error_message" in detail:
            reason = detail["user_error_message"]
            self.add(finished, "failedOnNetwork", network=network, reason=reason)
