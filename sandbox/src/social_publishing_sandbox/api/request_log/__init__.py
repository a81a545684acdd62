"""The last requests with their responses, to search and to follow.

Adding happens on the way of every request, so it reads nothing, and copies no more than the
response; whatever costs time is done when somebody looks.
"""

from social_publishing_sandbox.api.request_log.entry import Entry
from social_publishing_sandbox.api.request_log.ring import (
    BODY_BYTES,
    WRITES,
    Duplicate,
    Filters,
    RequestLog,
)
from social_publishing_sandbox.api.request_log.view import to_dict

__all__ = [
    "BODY_BYTES",
    "WRITES",
    "Duplicate",
    "Entry",
    "Filters",
    "RequestLog",
    "to_dict",
]
