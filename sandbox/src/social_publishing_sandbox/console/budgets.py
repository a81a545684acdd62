"""The request budget of each user (§8), and the limit itself."""

from __future__ import annotations

import re
import time
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from social_publishing_sandbox.console import wording
from social_publishing_sandbox.console.desk import PAGES, Desk, Wrong
from social_publishing_sandbox.console.notices import Notice


def routes(desk: Desk) -> list[BaseRoute]:
    """Return the page, and its form."""
    return [
        Route(f"{PAGES}/budgets", partial(_show, desk)),
        Route(f"{PAGES}/budgets", partial(_set, desk), methods=["POST"]),
    ]


async def _show(desk: Desk, request: Request) -> Response:
    return await desk.show(request, "budgets.html", lambda: _read(desk))


def _read(desk: Desk) -> dict[str, Any]:
    limits = desk.service.limits
    return {
        "budgets": desk.sandbox.budgets(),
        "limit": limits.limit,
        "window": limits.window,
        "real_now": int(time.time()),
    }


async def _set(desk: Desk, request: Request) -> Response:
    form = await request.form()
    unlimited = form.get("action") == "off"
    given = str(form.get("limit") or "").strip()

    def work() -> Notice:
        if not unlimited and not re.fullmatch("[0-9]{1,9}", given):
            raise Wrong("A limit is a whole number of at least 1.")
        desk.sandbox.limit(None if unlimited else int(given))
        if unlimited:
            return Notice("There is no limit now.")
        each = wording.plural(int(given), "request")
        return Notice(f"Every user has a fresh budget of {each} a minute.")

    return await desk.act(work, f"{PAGES}/budgets")
