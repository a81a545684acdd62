"""The states of a post (§3), and what they have in common."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

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
