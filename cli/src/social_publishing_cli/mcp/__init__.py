"""`mcp`: the service for assistants, over the Model Context Protocol; `server.py` alone knows it.

A few tools shaped by jobs. What they return is short, and what people wrote stands in it as data.
The one way to change posts is a plan: `plan_changes` makes it, a person says yes, `apply_plan`
applies it.
"""
