"""Every kind of change in a document: its level, the sentence about it, and the reason.

Levels are those of a caller in Python, who upgrades the client and the sandbox together. What may
be *sent* breaks callers when it narrows. What is *read* breaks them when it goes away or turns into
something else, and less often than elsewhere: whatever the client reads may be absent or null, and
codes are open. A name on the wire that the client keeps to itself breaks nobody who uses it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from release.changes.change import Level


@dataclass(frozen=True)
class Kind:
    """A kind: its level, the sentence (values in braces), and the reason for the level."""

    level: Level
    sentence: str
    why: str


_FOLLOWS = "the client adapts; programs without it must adapt, too"
_TOLERANT = "whatever is read may be absent or null in any case"

KINDS: Final[dict[str, Kind]] = {
    # Operations
    "operation-added": Kind("feature", "is new", "nobody calls it yet"),
    "operation-removed": Kind("breaking", "is gone", "callers have nothing to call"),
    "operation-moved": Kind(
        "patch", "is {now} now (" + _FOLLOWS + ")", "the method keeps its name"
    ),
    "operation-renamed": Kind(
        "patch", "is `{now}` in the document now (was `{was}`)", "no caller sees the operationId"
    ),
    "operation-called": Kind("breaking", "is `{now}` in Python now", "callers use the old name"),
    "deprecated": Kind(
        "feature", "is deprecated", "it still works; callers should know in a minor release"
    ),
    "deprecated-no-more": Kind("patch", "is not deprecated any more", "nothing else changes"),
    # What is sent: parameters and fields
    "argument-added": Kind("feature", "takes {what}", "it may be left out"),
    "argument-added-required": Kind("breaking", "needs {what} now", "calls without it are refused"),
    "argument-removed": Kind("breaking", "takes {what} no more", "calls with it fail"),
    "argument-renamed": Kind(
        "breaking", "takes {what} in place of {was}", "the name in Python has changed"
    ),
    "argument-renamed-outside": Kind(
        "patch", "sends {what} in place of {was} (" + _FOLLOWS + ")", "the name in Python stays"
    ),
    "argument-required": Kind("breaking", "needs {what} now", "calls without it are refused"),
    "argument-optional": Kind(
        "feature", "does not need {what} any more", "calls with it go on as before"
    ),
    "argument-encoded": Kind(
        "patch", "writes {what} in another way (" + _FOLLOWS + ")", "the argument stays"
    ),
    "any-of-narrower": Kind("breaking", "needs {now} now", "some calls are refused now"),
    "any-of-wider": Kind(
        "feature", "needs {now} now (was: {was})", "no call is refused that was not"
    ),
    "body-added": Kind("feature", "takes a body", "it may be left out"),
    "body-added-required": Kind("breaking", "needs a body now", "calls without it are refused"),
    "body-removed": Kind("breaking", "takes no body any more", "calls with it fail"),
    "body-required": Kind("breaking", "needs a body now", "calls without it are refused"),
    "body-optional": Kind(
        "feature", "does not need a body any more", "calls with it go on as before"
    ),
    "body-media-added": Kind("feature", "takes a body as {what}", "the others are taken as before"),
    "body-media-removed": Kind(
        "breaking", "takes no body as {what} any more", "it cannot be sent any more"
    ),
    # Values that are sent
    "sent-type-wider": Kind("feature", "may be {now} now (was {was})", "what fitted fits"),
    "sent-type-narrower": Kind(
        "breaking", "must be {now} now (was {was})", "what fitted is refused"
    ),
    "sent-null-added": Kind("feature", "may be null", "what fitted fits"),
    "sent-null-removed": Kind("breaking", "must not be null any more", "None is refused"),
    "sent-values-added": Kind("feature", "takes {what}", "what fitted fits"),
    "sent-values-removed": Kind("breaking", "takes {what} no more", "the value is refused"),
    "values-forgotten": Kind(
        "patch", "does not know {what} any more", "the set is open: the value is still taken"
    ),
    "sent-values-closed": Kind("breaking", "takes only {what}", "other values are refused now"),
    "sent-values-opened": Kind(
        "feature", "takes other values than {what}, too", "what fitted fits"
    ),
    "sent-limit-narrower": Kind("breaking", "{now} now (was: {was})", "what fitted is refused"),
    "sent-limit-wider": Kind("feature", "{now} now (was: {was})", "what fitted fits"),
    "sent-pattern-narrower": Kind(
        "breaking", "must have another form: {now}", "what fitted may be refused"
    ),
    "sent-pattern-gone": Kind("feature", "may have any form", "what fitted fits"),
    "sent-default-changed": Kind(
        "breaking", "is {now} when it is left out (was {was})", "the same call does something else"
    ),
    "sent-default-added": Kind(
        "patch", "is {now} when it is left out", "the service may have done so before"
    ),
    "sent-default-gone": Kind(
        "patch", "has no known default any more (was {was})", "the service may do so still"
    ),
    # Values that are read
    "field-added": Kind("feature", "is new in responses", "readers pass over it"),
    "field-removed": Kind("breaking", "is gone from responses", "programs that read it fail"),
    "field-renamed": Kind(
        "breaking", "is new in responses, in place of {was}", "programs read the old name"
    ),
    "field-renamed-outside": Kind(
        "patch",
        "is read from {what}, not from {was} (" + _FOLLOWS + ")",
        "the name in Python stays",
    ),
    "field-required": Kind("patch", "is always there in responses", _TOLERANT),
    "field-optional": Kind("patch", "may be missing in responses", _TOLERANT),
    "read-type-wider": Kind(
        "breaking", "may come as {now} (was {was})", "programs meet a type that they do not know"
    ),
    "read-type-narrower": Kind(
        "patch", "comes as {now} only (was {was})", "programs that read both go on"
    ),
    "read-type-other": Kind(
        "breaking", "comes as {now} now (was {was})", "programs expect the other type"
    ),
    "read-null-added": Kind("patch", "may come as null", _TOLERANT),
    "read-null-removed": Kind("patch", "never comes as null", _TOLERANT),
    "read-values-added": Kind(
        "feature", "may come as {what}", "codes are open: a new value is kept, and has a name now"
    ),
    "read-values-removed": Kind(
        "patch", "does not come as {what} any more", "programs that look for it go on"
    ),
    "read-limit-changed": Kind(
        "patch", "{now} in responses (was: {was})", "nothing that is read is refused for it"
    ),
    "read-pattern-changed": Kind(
        "patch", "comes in another form", "nothing that is read is refused for it"
    ),
    "read-default-changed": Kind(
        "patch", "has another default in responses", "the client fills in none"
    ),
    "read-map": Kind("breaking", "comes as {now} now (was {was})", "the response has another type"),
    # Either way
    "format-type": Kind("breaking", "is {now} now (was {was})", "it has another type in Python"),
    "format-changed": Kind("patch", "is {now} now (was {was})", "it stays text in Python"),
    "written-otherwise": Kind(
        "patch",
        "is written as {now} on the wire (was {was}; the client converts)",
        "date-times are converted",
    ),
    "shape-changed": Kind("breaking", "has another shape", "what fitted may not fit"),
    "members-closed": Kind("breaking", "takes no other members any more", "they are refused"),
    "members-opened": Kind("feature", "takes other members, too", "what fitted fits"),
    "words-changed": Kind("patch", "is made otherwise of what was read", "the argument stays"),
    # Responses
    "status-added": Kind(
        "patch",
        "responds with status {what}, too",
        "the client takes any status, and has an error for each",
    ),
    "status-removed": Kind(
        "patch",
        "has no response of status {what} in the documents any more",
        "the client takes any status",
    ),
    "status-moved": Kind(
        "patch", "responds with status {now} now (was {was})", "the client takes any success"
    ),
    "response-media-added": Kind("patch", "may respond as {what}", "it was not asked for before"),
    "response-media-removed": Kind("breaking", "responds as {what} no more", "programs read it"),
    "response-added": Kind(
        "feature", "gives something back (status {what})", "nobody reads it yet"
    ),
    "response-removed": Kind(
        "breaking", "gives nothing back any more (status {what})", "programs read it"
    ),
    "header-added": Kind("feature", "responds with the header {what}", "nobody reads it yet"),
    "header-removed": Kind(
        "breaking", "responds without the header {what}", "programs read it from raw responses"
    ),
    # The whole API
    "document-added": Kind("feature", "is new", "nobody uses it yet"),
    "document-removed": Kind("breaking", "is gone", "callers have nothing to call"),
    "servers-changed": Kind(
        "patch",
        "has another address: {now} (was {was})",
        "the caller configures the address",
    ),
    "security-added": Kind("breaking", "needs {what} now", "calls without it are refused"),
    "security-removed": Kind(
        "feature", "does not need {what} any more", "calls with it go on as before"
    ),
    "security-wider": Kind(
        "feature", "can be called with {what}, too", "calls with the other go on as before"
    ),
    "security-changed": Kind(
        "breaking", "asks who is calling in another way", "callers have to show something else"
    ),
    "rate-changed": Kind("patch", "allows {now} (was {was})", "the client keeps to it by itself"),
    "assumed-behaviour": Kind(
        "patch",
        "has another assumption about `{what}` for the sandbox",
        "no call is made differently",
    ),
    # How a client is made
    "paging-added": Kind(
        "breaking",
        "comes in pages now: the call gives an iterator",
        "the call gives something else",
    ),
    "paging-removed": Kind(
        "breaking", "does not come in pages any more", "the call gives something else"
    ),
    "paging-changed": Kind(
        "patch", "finds its next page otherwise", "going through the list stays the same"
    ),
    "batch-added": Kind(
        "feature", "takes more than fits in one request: {what}", "calls of one request stay"
    ),
    "batch-removed": Kind("breaking", "takes only what fits in one request", "larger calls fail"),
    "batch-changed": Kind(
        "patch", "is cut into requests of another size", "the response is the same"
    ),
    "split-added": Kind("feature", "takes a range of any length", "shorter ranges stay"),
    "split-removed": Kind(
        "breaking", "takes only a range that fits in one request", "longer ranges fail"
    ),
    "split-changed": Kind(
        "patch", "puts the batches of a long range together otherwise", "calls stay"
    ),
    "window-narrower": Kind(
        "breaking", "takes ranges under {now} only (was {was})", "longer ranges are refused"
    ),
    "window-wider": Kind("feature", "takes ranges under {now} (was {was})", "what fitted fits"),
    "window-cut": Kind(
        "patch", "is read in ranges under {now} (was {was})", "the client cuts longer ones"
    ),
    "retries-changed": Kind(
        "patch", "is sent again {now} (was: {was})", "the call stays; retries follow by themselves"
    ),
    "method-added": Kind("feature", "has the further method `{what}`", "nobody calls it yet"),
    "method-removed": Kind("breaking", "has no method `{what}` any more", "programs call it"),
    "method-changed": Kind("patch", "does `{what}` otherwise", "the method stays"),
    "waiting-added": Kind("feature", "can wait until what it gives is ready", "nobody waits yet"),
    "waiting-removed": Kind(
        "breaking", "cannot wait any more until what it gives is ready", "`wait` is refused"
    ),
    "waiting-changed": Kind("patch", "waits in another way", "the call stays"),
    "reconcile-added": Kind(
        "feature", "can look whether a lost write was carried out", "nobody looks yet"
    ),
    "reconcile-removed": Kind(
        "breaking",
        "cannot look any more whether a lost write was carried out",
        "`reconcile()` raises",
    ),
    "reconcile-changed": Kind(
        "patch", "looks in another way whether a lost write was carried out", "the call stays"
    ),
    "warning-changed": Kind("patch", "warns in other words", "the call stays"),
    # The rest
    "text-changed": Kind(
        "patch", "is described in other words", "only descriptions, examples or links differ"
    ),
}
