"""Failing on purpose: which requests get a fault, and what the fault does to them.

A `Fault` names its requests (operations, user, how many, how likely, or a script of what
happens to one request after the other) and what happens to them; `KINDS` lists what can. The
registry, `Faults`, is asked once a request and returns an `Action`:

    action = faults.pick("getPosts", user.id, user.name)
    if action is not None and not await before(action, scope):
        return                                      # dropped; nothing was carried out
    if action is not None and action.refusal:
        …                                           # respond with this refusal
    …                                               # carry the operation out
    await send_with_fault(action, scope, send, status, headers, body, schema, resolve)
"""

from social_publishing_sandbox.api.faults.fault import Fault, Members, Step
from social_publishing_sandbox.api.faults.kinds import COMMON, KINDS, BadFault, Kind, Parameter
from social_publishing_sandbox.api.faults.registry import (
    Action,
    Faults,
    ForcedRefusal,
    NoSuchFault,
    Standing,
)
from social_publishing_sandbox.api.faults.sending import before, drop_unread, send_with_fault

__all__ = [
    "COMMON",
    "KINDS",
    "Action",
    "BadFault",
    "Fault",
    "Faults",
    "ForcedRefusal",
    "Kind",
    "Members",
    "NoSuchFault",
    "Parameter",
    "Standing",
    "Step",
    "before",
    "drop_unread",
    "send_with_fault",
]
