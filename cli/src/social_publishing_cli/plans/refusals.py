"""What the service would refuse of an update, in its words, as far as the documents have them.

Much of it is assumed (gaps `updatePost.published`, `limits.delay` and the like) until it is
confirmed, as in a sandbox.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from ..catalogues import assumed, catalogue
from ..post_statuses import PUBLISHED
from ..sheets.cells import Value
from ..sheets.columns import EDITABLE, is_shown

if TYPE_CHECKING:
    from social_publishing.models import Post


def refusal(post: Post, name: str, after: Value) -> str:
    """Return why the service would refuse a new value of a post; empty where it would not."""
    column, known = EDITABLE[name], catalogue("assumed")["main"]["x-assume"]
    rules, limits = known.get("updatePost", {}), known.get("limits", {})
    wire = _wire(column.argument or name)
    if name == "selected_account_ids" and not after and rules.get("noAccounts") == "refused":
        return _labelled("Select at least one account.", "updatePost.noAccounts")
    if column.kind == "number" and isinstance(after, int):
        if (bits := limits.get("integerBits")) and after > (most := 2 ** (bits - 1) - 1):
            return _labelled(f"The field {wire} must be at most {most}.", "limits.integers")
        longest = limits.get("delayMinutes")
        if name == "publication_delay_between" and longest and after > longest:
            return _labelled(f"The delay must be 0 to {longest:,} minutes.", "limits.delay")
    if column.kind == "moment" and isinstance(after, str) and (years := limits.get("years")):
        first, last = years
        if not first <= datetime.fromisoformat(after).year <= last:
            return _labelled(f"The date must be between {first} and {last}.", "limits.dates")
    editable = rules.get("published", {}).get("editable", "all")
    if post.status == PUBLISHED and editable != "all" and wire not in editable:
        # The service sees no change of what it does not show.
        only = f"The post is published: only {', '.join(editable)} can change."
        return _labelled(only, "updatePost.published") if is_shown(post, name) else ""
    return ""


def _labelled(reason: str, gap: str) -> str:
    return f"{reason} (assumed: {gap})" if assumed(gap) else reason


@cache
def _names() -> dict[str, str]:
    import msgspec
    from social_publishing.models import PostUpdate  # slow to load

    return {each.name: each.encode_name for each in msgspec.structs.fields(PostUpdate)}


def _wire(argument: str) -> str:
    """Return the name in JSON of an argument of `posts.update`."""
    return _names().get(argument, argument)
