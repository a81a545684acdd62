"""What was asked and what was answered: a ring of the last exchanges, to search and to follow.

Adding happens on the way of every request, so it reads nothing, and copies no more than the answer;
whatever costs time is done when somebody looks.
"""

from social_publishing_sandbox.journal.entry import Entry
from social_publishing_sandbox.journal.following import Lost, Subscription
from social_publishing_sandbox.journal.ring import BODY_BYTES, WRITES, Duplicate, Journal
from social_publishing_sandbox.journal.view import to_dict

__all__ = [
    "BODY_BYTES",
    "WRITES",
    "Duplicate",
    "Entry",
    "Journal",
    "Lost",
    "Subscription",
    "to_dict",
]
