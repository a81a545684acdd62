# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""What is documented, for the error of who looks for an operation that is not."""

from __future__ import annotations

from collections.abc import Iterable

from ._runtime.core.undocumented import Documented, explained

__all__ = ["explain"]

_RESOURCES = {
    "posts": Documented(
        "4.1",
        {
            "list": "read",
            "update": "update",
            "amend": "update",
            "get_many": "read",
            "get": "read",
            "delete_many": "delete",
            "set_draft": "create",
            "metrics": "read",
            "activities": "read",
        },
        (),
        ("create", "delete"),
    ),
    "groups": Documented(
        "4.2",
        {"get": "read", "replace": "update", "update": "update"},
        (),
        ("list", "create", "delete"),
    ),
    "social_accounts": Documented(
        "4.3",
        {"get": "read", "move_to_group": "update"},
        ("posts.list", "posts.get_many", "posts.get", "groups.get"),
        ("list",),
    ),
    "calendar_notes": Documented(
        "4.4",
        {
            "list": "read",
            "replace": "update",
            "update": "update",
            "delete": "delete",
            "reschedule": "update",
        },
        (),
        ("create", "get"),
    ),
    "labels": Documented(
        "4.5",
        {"create": "create", "delete": "delete"},
        ("posts.list", "posts.get_many", "posts.get"),
        ("list", "update"),
    ),
    "widgets": Documented("4.6", {"posts_overview": "read"}, (), ()),
    "media": Documented(
        "4.7",
        {
            "upload": "create",
            "upload_from_url": "create",
            "status": "read",
            "wait_until_ready": "read",
        },
        ("posts.list", "posts.get_many", "posts.get"),
        (),
    ),
    "users": Documented("", {}, (), ()),
    "organizations": Documented("", {}, (), ()),
    "comments": Documented("", {}, (), ()),
    "analytics": Documented("", {}, (), ()),
}
_NOT_SHOWN = "4.8"


def explain(resource: str, name: str, known: Iterable[str]) -> AttributeError:
    """Return the error of a name that a resource, or the client itself, does not have."""
    return explained(_RESOURCES, _NOT_SHOWN, resource, name, known)
