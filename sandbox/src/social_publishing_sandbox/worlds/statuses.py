"""The states of a post (§3), and what they have in common."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from social_publishing_sandbox.state import documents

_CODES: Final = documents.load().main.codes("PostStatus")

NONE, LOOSE, STRICT = 0, 1, 2
"""The approval workflows (§2.6)."""


class Status(IntEnum):
    """The states of a post (§3) that the sandbox leads to; any other of the document is one, too.

    The codes are those of the shipped document; others with other codes are refused.
    """

    NOT_SCHEDULE = _CODES["NOT_SCHEDULE"]
    DRAFT = _CODES["DRAFT"]
    IN_REVIEW = _CODES["IN_REVIEW"]
    REVIEW_REJECTED = _CODES["REVIEW_REJECTED"]
    REVIEW_MISSED = _CODES["REVIEW_MISSED"]
    SCHEDULED = _CODES["SCHEDULED"]
    IN_PROGRESS = _CODES["IN_PROGRESS"]
    FAILED = _CODES["FAILED"]
    SKIPPED = _CODES["SKIPPED"]
    PUBLISHED = _CODES["PUBLISHED"]
    DELETED = _CODES["DELETED"]

    @classmethod
    def _missing_(cls, value: object) -> Status | None:
        """Return a documented state that nothing leads to."""
        names = [name for name, code in _CODES.items() if code == value]
        if not names:
            return None
        made = int.__new__(cls, _CODES[names[0]])
        made._name_, made._value_ = names[0], _CODES[names[0]]
        return made

    @property
    def is_led_to(self) -> bool:
        """Whether the sandbox knows how a post comes to be in this state."""
        return self.name in type(self).__members__


UNDER_REVIEW: Final = frozenset({Status.IN_REVIEW, Status.REVIEW_REJECTED, Status.REVIEW_MISSED})
"""The states that only a review leads to."""

PAST_REVIEW: Final = frozenset(
    {Status.SCHEDULED, Status.IN_PROGRESS, Status.FAILED, Status.SKIPPED, Status.PUBLISHED}
)
"""The states that come after a review, where there was one."""

SENT: Final = frozenset({Status.IN_PROGRESS, Status.FAILED, Status.PUBLISHED})
"""The states in which publishing has begun."""
