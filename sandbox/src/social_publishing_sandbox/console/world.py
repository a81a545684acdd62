"""The world as a whole: what is in it, beginning again, snapshots, a file to keep."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from typing import Any, Final

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from social_publishing_sandbox import worlds
from social_publishing_sandbox.console.desk import PAGES, SECURITY, Desk, Wrong
from social_publishing_sandbox.console.notices import Notice

_BEFORE: Final = "before the reset"


def routes(desk: Desk) -> list[BaseRoute]:
    """Return the page, its forms, and the world as JSON."""
    return [
        Route(f"{PAGES}/world", partial(_show, desk)),
        Route(f"{PAGES}/world.json", partial(_download, desk)),
        Route(f"{PAGES}/world/{{verb}}", partial(_act, desk), methods=["POST"]),
    ]


async def _show(desk: Desk, request: Request) -> Response:
    return await desk.show(request, "world.html", lambda: _read(desk))


def _read(desk: Desk) -> dict[str, Any]:
    service = desk.service
    store = service.store
    counts = {
        "Posts": store.posts.count("status <> ?", [service.codes["DELETED"]]),
        "Social accounts": store.accounts.count(),
        "Groups": store.groups.count(),
        "Users": store.users.count(),
        "Media": store.media.count(),
        "Labels": store.labels.count(),
        "Calendar notes": store.notes.count(),
        "Activities": store.activities.count(),
    }
    return {
        "counts": counts,
        "seed": service.settings.seed,
        "file": store.file,
        "snapshots": desk.sandbox.snapshots(),
        "names": worlds.NAMES,
        "digest": service.contract.digest,
        "settings": service.settings,
    }


async def _download(desk: Desk, request: Request) -> Response:
    world = await asyncio.to_thread(desk.sandbox.world)
    content = await asyncio.to_thread(orjson.dumps, world, option=orjson.OPT_INDENT_2)
    headers = {**SECURITY, "content-disposition": 'attachment; filename="world.json"'}
    return Response(content, media_type="application/json", headers=headers)


async def _act(desk: Desk, request: Request) -> Response:
    form = await request.form()
    name, seed = str(form.get("name") or "").strip(), str(form.get("seed") or "").strip()
    verb, sandbox = request.path_params["verb"], desk.sandbox

    def work() -> Notice:
        if verb == "reset":
            if name and name not in worlds.NAMES:
                raise Wrong(f"There is no world {name!r} here.")
            if seed and not re.fullmatch("-?[0-9]{1,18}", seed):
                raise Wrong("A seed is a whole number.")
            sandbox.snapshot(_BEFORE)
            sandbox.reset(name or None, seed=int(seed) if seed else None)
            return Notice(f"The world has begun again. How it was is kept as {_BEFORE!r}.")
        if verb == "snapshot":
            return Notice(f"Kept as {sandbox.snapshot(name or None)!r}.")
        if verb == "restore":
            sandbox.restore(name)
            return Notice(f"Everything is as it was in {name!r}, the clock included.")
        if verb == "forget":
            sandbox.forget_snapshot(name)
            return Notice(f"{name!r} is forgotten.")
        raise Wrong(f"A world cannot {verb}.")

    return await desk.act(work, f"{PAGES}/world")
