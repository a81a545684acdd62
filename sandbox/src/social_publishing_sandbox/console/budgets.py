"""The request budget of each user (§8), and the limit itself."""

from __future__ import annotations

import re
import time
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.routing import BaseRoute

from social_publishing_sandbox.console import wording
from social_publishing_sandbox.console.base import Console, Form, Notice, Wrong


def routes(console: Console) -> list[BaseRoute]:
    """Return the page, and its form."""
    return [
        console.page("/budgets", "budgets.html", partial(_read, console)),
        console.form("/budgets", partial(_set, console), "/budgets"),
    ]


def _read(console: Console, request: Request) -> dict[str, Any]:
    limits = console.service.limits
    return {
        "budgets": console.control.budgets(),
        "limit": limits.limit,
        "window": limits.window,
        "real_now": int(time.time()),
    }


def _set(console: Console, form: Form) -> Notice:
    if form.get("action") == "off":
        console.control.limit(None)
        return Notice("There is no limit now.")
    given = form.get("limit", "")
    if not re.fullmatch("[0-9]{1,9}", given):
        raise Wrong("A limit is a whole number of at least 1.")
    console.control.limit(int(given))
    each = wording.plural(int(given), "request")
    return Notice(f"Every user has a fresh budget of {each} a minute.")
