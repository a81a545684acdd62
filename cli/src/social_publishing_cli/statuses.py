"""The exit statuses of the command, and the errors of each.

0    done
1 failed: no connection, an error of the service, a sheet with problems or findings, or you said no
2 wrong usage; with `plan --exit-code`: there are changes
3    not found
4    refused by the service
5    not signed in, or not allowed
6    the rate limit is reached
7    the outcome is unknown: a write may have been carried out
8 partly done
9    the plan is stale: expired, edited, or of another account
130  interrupted
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DONE, FAILED, USAGE, NOT_FOUND, REFUSED, NOT_ALLOWED = range(6)
RATE_LIMIT, UNKNOWN, PARTLY, STALE = range(6, 10)
INTERRUPTED = 130

# By the name of the class, so that asking does not load the client.
_BY_NAME: Mapping[str, int] = {
    "UsageError": USAGE,
    "ArgumentError": USAGE,
    "ColumnError": USAGE,
    "FilterError": USAGE,
    "SourceError": USAGE,
    "UnknownNameError": USAGE,
    "NotFoundError": NOT_FOUND,
    "MissingError": NOT_FOUND,
    "AuthenticationError": NOT_ALLOWED,
    "PermissionDeniedError": NOT_ALLOWED,
    "SignInError": NOT_ALLOWED,
    "ConfigurationError": NOT_ALLOWED,
    "RateLimitError": RATE_LIMIT,
    "RateLimitReached": RATE_LIMIT,
    "OutcomeUnknown": UNKNOWN,
    "PartialFailure": PARTLY,
    "PartlyDoneError": PARTLY,
    "StalePlanError": STALE,
    "KeyboardInterrupt": INTERRUPTED,
    "Abort": INTERRUPTED,
    "ServerError": FAILED,
    "StatusError": REFUSED,
}


def status_of(error: BaseException) -> int:
    """Return the exit status of an error."""
    status = next((_BY_NAME[k.__name__] for k in type(error).__mro__ if k.__name__ in _BY_NAME), 1)
    if status not in (PARTLY, UNKNOWN) and getattr(error, "may_be_done", False):
        return UNKNOWN
    if status == REFUSED and not 400 <= getattr(error, "status", 400) <= 499:
        return FAILED
    return status


def described(error: BaseException) -> dict[str, Any]:
    """Return an error as the JSON object that scripts read."""
    members: dict[str, Any] = {"error": type(error).__name__, "message": str(error)}
    if problems := getattr(error, "problems", None):
        members["problems"] = [dict(each._asdict()) for each in problems]
    for name in ("operation", "status", "may_be_done", "documentation"):
        value = getattr(error, name, None)
        if value not in (None, ""):
            members[name] = value
    if notes := getattr(error, "__notes__", None):
        members["notes"] = [*notes]
    return {**members, "exit_status": status_of(error)}
