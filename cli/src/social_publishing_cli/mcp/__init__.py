"""`mcp`: the service for assistants, over the Model Context Protocol.

Each tool does one job. Results are short, and mark people's texts as data. Posts change only by a
plan: `plan_changes` makes it, a person approves it, `apply_plan` applies it.
"""
