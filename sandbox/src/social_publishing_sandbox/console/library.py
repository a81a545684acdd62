"""The media: thumbnails, kinds, sizes, and what is still being processed."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request

from social_publishing_sandbox.api.media import showing
from social_publishing_sandbox.console.base import PAGES, Console, integer, pages
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.service import Service

PER_PAGE: Final = 48

STORED: Final = f"{PAGES}/stored"
"""Where the console's own origin has the files: it shows nothing of another."""

_TYPE: Final = "json_extract(CAST(doc AS TEXT), '$.type')"
_NAME: Final = "json_extract(CAST(doc AS TEXT), '$.client_name')"


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return a page of the library."""
    service = console.service
    asked = request.query_params
    search, kind = asked.get("q", "").strip()[:200], integer(asked.get("type"), 0, 0)
    condition, values = "1", list[Any]()
    if search:
        condition, values = f"instr(lower({_NAME}), lower(?))", [search]
    counts = dict(
        service.store.execute(
            f"SELECT {_TYPE}, count(*) FROM media WHERE {condition} GROUP BY 1", values
        ).fetchall()
    )
    total = counts.get(kind, 0) if kind else sum(counts.values())
    bar = pages(total, integer(asked.get("page")), PER_PAGE)
    if kind:
        condition, values = f"{condition} AND {_TYPE} = ?", [*values, kind]
    files = service.store.media.where(
        f"{condition} ORDER BY key DESC LIMIT ? OFFSET ?", [*values, PER_PAGE, bar["before"]]
    )
    names = {code: name for name, code in service.contract.main.codes("MediaType").items()}
    return {
        "files": [shown(service, each) for each in files],
        "bar": bar,
        "counts": counts,
        "all": sum(counts.values()),
        "types": names,
        "type": kind,
        "search": search,
        "given": {"q": search, "type": kind or ""},
        "users": {each["id"]: each["name"] for each in service.store.users.where()},
    }


def shown(service: Service, media: Json) -> Json:
    """Return a file as the API gives it, but in bytes and seconds; `picture` is its thumbnail's
    address on this origin.
    """
    view = showing.show(service, media)
    base = f"{service.origins['media']}/files/"
    thumbnail = view.get("thumbnail") or ""
    picture = thumbnail.removeprefix(base) if thumbnail.startswith(base) else None
    return {
        **view,
        **{name: media[name] for name in ("size", "duration") if name in media},
        "picture": picture and f"{STORED}/files/{picture}",
        "problem": media.get("_error"),
    }
