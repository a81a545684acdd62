"""What the service would refuse of an update, in its words, as far as the documents have them.

Fields have the names that people type.

Much of it is assumed (gaps `updatePost.published`, `limits.delay` and the like) until it is
confirmed, as in a sandbox.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from ..catalogues import assumed, catalogue
from ..post_statuses import IN_PROGRESS, PUBLISHED
from ..sheets.cells import Value
from ..sheets.columns import EDITABLE, is_shown

if TYPE_CHECKING:
    from social_publishing.models import Post


def refusal(post: Post, name: str, after: Value) -> str:
    """Return why the service would refuse a new value of a post; empty where it would not."""
    column, known = EDITABLE[name], catalogue("assumed")["main"]["x-assume"]
    rules, limits = known.get("updatePost", {}), known.get("limits", {})
    if name == "selected_account_ids" and not after and rules.get("noAccounts") == "refused":
        return _labelled("Select at least one account.", "updatePost.noAccounts")
    if column.kind == "number" and isinstance(after, int):
        if (bits := limits.get("integerBits")) and after > (most := 2 ** (bits - 1) - 1):
            return _labelled(f"The field {name} must be at most {most}.", "limits.integers")
        longest = limits.get("delayMinutes")
        if name == "publication_delay_between" and longest and after > longest:
            return _labelled(f"The delay must be 0 to {longest:,} minutes.", "limits.delay")
    if column.kind == "moment" and isinstance(after, str) and (years := limits.get("years")):
        first, last = years
        if not first <= datetime.fromisoformat(after).year <= last:
            return _labelled(f"The date must be between {first} and {last}.", "limits.dates")
    # The service sees no change of what it does not show.
    return _once_published(name) if post.status == PUBLISHED and is_shown(post, name) else ""


def risk(post: Post, name: str) -> str:
    """Return what may become of a new value of a post that is going out; empty for any other post.

    That a post with `should_skip` is not published is documented (§3).
    """
    if post.status != IN_PROGRESS or name == "should_skip":
        return ""
    editable, refused = _editable_once_published(), _once_published(name)
    if editable is not None and not refused:
        return ""
    text = (
        f"{name}: the post is being published; whether an account still gets this is not documented"
    )
    return f"{text}. Once it is out: {refused}" if refused else text


def _once_published(name: str) -> str:
    """Return why the service would refuse a new value of a published post, if it would."""
    editable = _editable_once_published()
    if editable is None or (EDITABLE[name].argument or name) in editable:
        return ""
    only = f"The post is published: only {', '.join(editable)} can change."
    return _labelled(only, "updatePost.published")


def _editable_once_published() -> list[str] | None:
    """Return the arguments of `posts.update` that a published post takes; None for all."""
    rules = catalogue("assumed")["main"]["x-assume"].get("updatePost", {})
    editable = rules.get("published", {}).get("editable", "all")
    names = _names()
    return None if editable == "all" else [names.get(each, each) for each in editable]


def _labelled(reason: str, gap: str) -> str:
    return f"{reason} (assumed: {gap})" if assumed(gap) else reason


@cache
def _names() -> dict[str, str]:
    """Return the arguments of `posts.update` by their names in JSON."""
    import msgspec
    from social_publishing.models import PostUpdate  # slow to load

    return {each.encode_name: each.name for each in msgspec.structs.fields(PostUpdate)}
