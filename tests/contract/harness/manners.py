"""How a call is to be sent: how often, and what is to be made of an answer that does not come."""

from __future__ import annotations

from social_publishing import DecodeError, OutcomeUnknown, RateLimitError, StatusError

from harness.drawing import Step
from harness.model import Expected
from harness.stage import LISTS, Outcome

ATTEMPTS = 4
LOSING = ("drop-before", "drop-after", "truncated", "status")
"""Faults after which nobody can tell whether a write was carried out."""
PASSING = (*LOSING, "rate-limited")
"""Faults after which a call may be made again, if it may be made again at all."""
HARMLESS = ("unknown-fields", "unknown-values", "latency")


def manners(step: Step, outcome: Outcome) -> list[str]:
    """What is wrong with how a call was sent, and with what was made of a lost answer."""
    found = [*_attempts(step, outcome)]
    error = outcome.error
    refused = isinstance(error, StatusError) and error.status < 500 and error.status != 429
    if step.kind in LOSING and step.is_unsafe and not isinstance(error, OutcomeUnknown):
        hit = any(each.fault == step.kind for each in outcome.entries)
        # A refusal is told by its status, even when its body breaks off.
        if hit and not (step.kind == "truncated" and outcome.entries[-1].status in range(400, 500)):
            found.append(f"its answer was lost, and it is no OutcomeUnknown: {outcome}")
    passes = step.kind in PASSING and not step.is_unsafe and step.fault["times"] < ATTEMPTS
    if passes and error is not None and not refused:
        found.append(f"it would have passed at another attempt: {outcome}")
    if isinstance(error, DecodeError) and step.is_write and not outcome.carried:
        found.append("an answer of success was not understood, and nothing was done")
    if step.kind is None and isinstance(error, RateLimitError):
        found.append(f"the limit was met: {outcome}")
    return found


def _attempts(step: Step, outcome: Outcome) -> list[str]:
    attempts = [each for each in outcome.entries if each.status != 429]
    found = []
    if step.is_unsafe and len(attempts) > 1:
        found.append(f"a write that is unsafe was sent {len(attempts)} times")
    if len(outcome.entries) > ATTEMPTS and step.operation.id not in LISTS:
        found.append(f"it was sent {len(outcome.entries)} times")
    if len(outcome.entries) > 1 and step.kind not in PASSING and step.operation.id not in LISTS:
        found.append(f"it was sent {len(outcome.entries)} times, and nothing stood against it")
    return found


def unexplained(step: Step, expected: Expected, outcome: Outcome) -> list[str]:
    """Why a call should not have failed."""
    if expected.refusals or (step.kind is not None and step.kind not in HARMLESS):
        return []
    return [f"expected was success, came {outcome}"]


def over_the_limit(outcome: Outcome, limit: int) -> list[str]:
    """What is wrong with the error of a request that is too many (§8)."""
    error = outcome.error
    if not isinstance(error, RateLimitError):
        return [f"expected was RateLimitError, came {outcome}"]
    told = {name: error.headers.get(f"x-ratelimit-{name}") for name in ("limit", "remaining")}
    wanted = {"limit": str(limit), "remaining": "0"}
    found = [] if told == wanted else [f"the headers must be {wanted}, are {told}"]
    if not str(error.headers.get("retry-after", "")).isdigit() or error.status != 429:
        found.append(f"Retry-After is {error.headers.get('retry-after')}, status {error.status}")
    return found if error.message else [*found, "it has no message"]
