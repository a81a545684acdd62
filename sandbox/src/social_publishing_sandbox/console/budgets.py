"""The request budget of each user (§8), and the limit itself."""

from __future__ import annotations

import re
import time
from typing import Any

from starlette.requests import Request

from social_publishing_sandbox.console import wording
from social_publishing_sandbox.console.base import Console, Form, Notice, Wrong


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return each user's budget, and the limit."""
    limits = console.service.limits
    return {
        "budgets": console.control.budgets(),
        "limit": limits.limit,
        "window": limits.window,
        "real_now": int(time.time()),
    }


def limit(console: Console, form: Form) -> Notice:
    """Set the limit, or take it away."""
    if form.get("action") == "off":
        console.control.limit(None)
        return Notice("There is no limit now.")
    given = form.get("limit", "")
    if not re.fullmatch("[0-9]{1,9}", given):
        raise Wrong("A limit is a whole number of at least 1.")
    console.control.limit(int(given))
    requests = wording.plural(int(given), "request")
    return Notice(f"Every user has a fresh budget of {requests} a minute.")
