"""Posts by status: tabs with counts, a search, pages."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request

from social_publishing_sandbox.console import listing, wording
from social_publishing_sandbox.console.base import Console, integer, pages
from social_publishing_sandbox.state.service import Service

PER_PAGE: Final = 50

_UPCOMING: Final = ("IN_REVIEW", "SCHEDULED", "IN_PROGRESS")


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return a page of the list."""
    service = console.service
    asked = request.query_params
    group = service.store.groups.get(asked.get("group", ""))
    search = asked.get("q", "").strip()[:200]
    limits = [listing.of_group(group), listing.with_text(service, search)]
    condition = " AND ".join(each for each, _ in limits)
    values = [value for _, given in limits for value in given]
    counts = dict(
        service.store.execute(
            f"SELECT status, count(*) FROM posts WHERE {condition} GROUP BY status", values
        ).fetchall()
    )
    status = integer(asked.get("status"), 0, 0)
    deleted = service.codes["DELETED"]
    kept = sum(count for code, count in counts.items() if code != deleted)
    bar = pages(counts.get(status, 0) if status else kept, integer(asked.get("page")), PER_PAGE)
    limited = "status = ?" if status else "status <> ?"
    order = _order(service, status)
    # Sorting keys alone is several times as fast as sorting documents.
    posts = service.store.posts.where(
        f"key IN (SELECT key FROM posts WHERE {limited} AND {condition} "
        f"ORDER BY {order} LIMIT ? OFFSET ?) ORDER BY {order}",
        [status or deleted, *values, PER_PAGE, bar["before"]],
    )
    return {
        "rows": listing.rows(service, posts),
        "bar": bar,
        "counts": {code: counts.get(code, 0) for code in service.transitions.name},
        "kept": kept,
        "status": status,
        "group": group,
        "groups": listing.groups(service),
        "search": search,
        "given": {"group": asked.get("group", ""), "q": search, "status": status or ""},
        "zone": wording.zone_of(group.get("timezone") if group else None),
        "zone_name": group.get("timezone", "UTC") if group else "UTC",
    }


def _order(service: Service, status: int) -> str:
    """Return the order: what comes next first; of the rest, the newest."""
    upcoming = status and service.transitions.name.get(status) in _UPCOMING
    return "at, key" if upcoming else "at DESC, key DESC"
