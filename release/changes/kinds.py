"""Every kind of change in a document: its level, and the sentence about it.

Levels are those of a caller in Python, who upgrades the client and the sandbox together. What may
be *sent* breaks callers when it narrows. What is *read* breaks them when it goes away or turns into
something else, and less often than elsewhere: whatever the client reads may be absent or null, and
codes are open. A name on the wire that the client keeps to itself breaks nobody who uses it.
"""

from __future__ import annotations

from typing import Final

from release.changes.change import Level

_ADAPTS = " (the client adapts; programs without it must adapt, too)"

KINDS: Final[dict[str, tuple[Level, str]]] = {
    # Operations
    "operation-added": ("feature", "is new"),
    "operation-removed": ("breaking", "is gone"),
    "operation-moved": ("patch", "is {now} now" + _ADAPTS),
    "operation-renamed": ("patch", "is `{now}` in the document now (was `{was}`)"),
    "operation-called": ("breaking", "is `{now}` in Python now"),
    "deprecated": ("feature", "is deprecated"),
    "deprecated-no-more": ("patch", "is not deprecated any more"),
    # What is sent: parameters, fields, bodies
    "argument-added": ("feature", "takes {what}"),
    "argument-added-required": ("breaking", "needs {what} now"),
    "argument-removed": ("breaking", "takes {what} no more"),
    "argument-renamed": ("breaking", "takes {what} in place of {was}"),
    "argument-renamed-outside": ("patch", "sends {what} in place of {was}" + _ADAPTS),
    "argument-required": ("breaking", "needs {what} now"),
    "argument-optional": ("feature", "does not need {what} any more"),
    "any-of-narrower": ("breaking", "needs {now} now"),
    "any-of-wider": ("feature", "needs {now} now (was: {was})"),
    "body-media-added": ("feature", "takes a body as {what}"),
    "body-media-removed": ("breaking", "takes no body as {what} any more"),
    # Values that are sent
    "sent-type-wider": ("feature", "may be {now} now (was {was})"),
    "sent-type-narrower": ("breaking", "must be {now} now (was {was})"),
    "sent-null-added": ("feature", "may be null"),
    "sent-null-removed": ("breaking", "must not be null any more"),
    "sent-values-added": ("feature", "takes {what}"),
    "sent-values-removed": ("breaking", "takes {what} no more"),
    "values-forgotten": ("patch", "does not know {what} any more"),
    "sent-values-closed": ("breaking", "takes only {what}"),
    "sent-values-opened": ("feature", "takes other values than {what}, too"),
    "sent-limit-narrower": ("breaking", "{now} now (was: {was})"),
    "sent-limit-wider": ("feature", "{now} now (was: {was})"),
    "sent-default-changed": ("breaking", "is {now} when it is left out (was {was})"),
    # Values that are read
    "field-added": ("feature", "is new in responses"),
    "field-removed": ("breaking", "is gone from responses"),
    "field-renamed": ("breaking", "is new in responses, in place of {was}"),
    "field-renamed-outside": ("patch", "is read from {what}, not from {was}" + _ADAPTS),
    "field-required": ("patch", "is always there in responses"),
    "field-optional": ("patch", "may be missing in responses"),
    "read-type-wider": ("breaking", "may come as {now} (was {was})"),
    "read-type-narrower": ("patch", "comes as {now} only (was {was})"),
    "read-type-other": ("breaking", "comes as {now} now (was {was})"),
    "read-null-added": ("patch", "may come as null"),
    "read-null-removed": ("patch", "never comes as null"),
    "read-values-added": ("feature", "may come as {what}"),
    "read-values-removed": ("patch", "does not come as {what} any more"),
    "read-limit-changed": ("patch", "{now} in responses (was: {was})"),
    # Either way
    "default-known": ("patch", "is {now} when it is left out, by the documents (was {was})"),
    "format-type": ("breaking", "is {now} now (was {was})"),
    "format-changed": ("patch", "is {now} now (was {was})"),
    "shape-changed": ("breaking", "has another shape"),
    "made-otherwise": ("patch", "is written or read in another way" + _ADAPTS),
    # Responses
    "status-added": ("patch", "responds with status {what}, too"),
    "status-removed": ("patch", "has no response of status {what} in the documents any more"),
    "response-media-added": ("patch", "may respond as {what}"),
    "response-media-removed": ("breaking", "responds as {what} no more"),
    "header-added": ("feature", "responds with the header {what}"),
    "header-removed": ("breaking", "responds without the header {what}"),
    # The whole API
    "document-added": ("feature", "is new"),
    "document-removed": ("breaking", "is gone"),
    "servers-changed": ("patch", "has another address: {now} (was {was})"),
    "security-wider": ("feature", "takes other ways to show who is calling, or none"),
    "security-changed": ("breaking", "asks who is calling in another way"),
    "rate-changed": ("patch", "allows {now} (was {was})"),
    "assumed-behaviour": ("patch", "has another assumption about `{what}` for the sandbox"),
    # How a client is made
    "ability-added": ("feature", "offers {what}"),
    "ability-removed": ("breaking", "offers {what} no more"),
    "ability-changed": ("patch", "offers {what} in another way"),
    "retries-changed": ("patch", "is sent again by itself in other cases"),
    "text-changed": ("patch", "is described in other words"),
}
