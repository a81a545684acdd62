"""Failing on purpose: which requests get a fault, and what the fault does to them.

A `Fault` names its requests (operations, user, how many, how likely, or a script of what
happens to one request after the other) and what happens to them; `KINDS` lists what can. The
registry, `Faults`, is asked once a request and returns an `Action`:

    action = faults.pick("getPosts", user.id, user.name)
    if action is not None and not await before(action, scope):
        return                                      # dropped; nothing was carried out
    if action is not None and action.refuses:
        …                                           # respond with this refusal
    …                                               # carry the operation out
    await send_with_fault(action, scope, send, status, headers, body, schema, resolve)
"""
