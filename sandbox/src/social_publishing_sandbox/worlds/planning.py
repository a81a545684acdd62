"""What a post of a made world is to be, before it is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final

from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.worlds.targets import Facts, Kind

NONE, LOOSE, STRICT = 0, 1, 2
"""The approval workflows (§2.6)."""


class Status(IntEnum):
    """The states of a post (§3)."""

    NOT_SCHEDULE = 1
    DRAFT = 5
    IN_REVIEW = 10
    REVIEW_REJECTED = 15
    REVIEW_MISSED = 20
    SCHEDULED = 25
    IN_PROGRESS = 30
    FAILED = 35
    SKIPPED = 37
    PUBLISHED = 40
    DELETED = 50


UNDER_REVIEW: Final = frozenset({Status.IN_REVIEW, Status.REVIEW_REJECTED, Status.REVIEW_MISSED})
"""The states that only a review leads to."""

PAST_REVIEW: Final = frozenset(
    {Status.SCHEDULED, Status.IN_PROGRESS, Status.FAILED, Status.SKIPPED, Status.PUBLISHED}
)
"""The states that come after a review, where there was one."""

SENT: Final = frozenset({Status.IN_PROGRESS, Status.FAILED, Status.PUBLISHED})
"""The states in which publishing has begun."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a post is to be; the builder works out the rest.

    Attributes:
        author: the user who made it.
        accounts: where it goes, in the order of publication.
        lead: how long before its publication (or before now) it was begun, in milliseconds.
        date: publication, in milliseconds since 1970.
        workflow: the approval workflow that applies to its group.
        delay: minutes between the accounts.
        edits: how often it was edited.
        customized: other texts, by network.
        first_comment_on: other first comments, by network.
        failures: what went wrong, by network; the other accounts have the post.
        guest: the name of the guest who approved it.
        remark: why it was rejected.
        tasks: names of tasks.
        comments: internal remarks, each with its author.
        extra: members that are taken as they are.
    """

    author: Json
    accounts: Sequence[Json]
    status: Status
    content: str | None
    lead: int
    facts: Facts
    date: int | None = None
    kind: Kind = "text"
    media: Sequence[Json] = ()
    labels: Sequence[Json] = ()
    assignees: Sequence[Json] = ()
    workflow: int = NONE
    delay: int = 0
    edits: int = 0
    customized: Mapping[str, str] = field(default_factory=dict)
    first_comment: str | None = None
    first_comment_on: Mapping[str, str] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)
    guest: str | None = None
    remark: str | None = None
    tasks: Sequence[str] = ()
    comments: Sequence[tuple[Json, str]] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def everyone(self) -> bool:
        """All assignees must approve; otherwise one of them suffices."""
        return bool(self.extra.get("everyone_must_approve"))

    @property
    def reviewed(self) -> bool:
        """Somebody was asked to approve it."""
        if self.status in UNDER_REVIEW:
            return True
        return self.status in PAST_REVIEW and self.workflow != NONE and bool(self.assignees)
