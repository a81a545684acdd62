"""Calling again, by hand: only where it is safe, and for as long as the service says.

The client itself sends every request once. What may be sent again, and when:

- after a 429 anything, because nothing was done; once the service's own waiting time is over;
- after a 5xx, or without an answer, a read: it changes nothing;
- after a write without an answer, nothing. Look first: it may have been done.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from social_publishing import (
    RateLimitError,
    ServerError,
    SocialPublishing,
    SocialPublishingError,
    StatusError,
    TransportError,
)
from social_publishing.models import Post

T = TypeVar("T")

Heard = Callable[[SocialPublishingError, float | None], None]
"""Told of an error that is survived, and of the seconds until the next attempt; None where there
is none, because the service is asked first whether the work was done."""

ATTEMPTS = 5
PAUSE = 0.2  # seconds; where the service names no time


def pause_after(error: SocialPublishingError) -> float | None:
    """Seconds to wait before a read is worth another attempt; None where it never is."""
    if isinstance(error, RateLimitError | ServerError):
        return _retry_after(error)
    return PAUSE if isinstance(error, TransportError) else None


def _retry_after(error: StatusError) -> float:
    """What the service says (part 8). The other form of the header, a date, is not in use there."""
    said = error.headers.get("retry-after", "")
    return float(said) if said.isdigit() else PAUSE


def read(call: Callable[[], T], heard: Heard) -> T:
    """The answer to a read; a passing failure only delays it.

    Raises:
        SocialPublishingError: the failure does not pass, or not in five attempts.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            return call()
        except SocialPublishingError as error:
            pause = pause_after(error)
            if pause is None:
                raise
            heard(error, pause)
            time.sleep(pause)
    return call()


async def read_async(call: Callable[[], Awaitable[T]], heard: Heard) -> T:
    """The same, to be awaited.

    Raises:
        SocialPublishingError: the failure does not pass, or not in five attempts.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            return await call()
        except SocialPublishingError as error:
            pause = pause_after(error)
            if pause is None:
                raise
            heard(error, pause)
            await asyncio.sleep(pause)
    return await call()


def update_once(
    client: SocialPublishing, post_id: str, changes: Mapping[str, Any], heard: Heard
) -> Post:
    """Change a post once, even where the answer is lost: look before it is sent again.

    Args:
        client: the client.
        post_id: the post.
        changes: arguments of `posts.update`; one of those in `SHOWN` at least, to know it by.
        heard: told of a lost answer, and of what goes wrong while looking.

    Raises:
        SocialPublishingError: the service refused it, or the second attempt failed, too.
    """
    try:
        return client.posts.update(post_id, **changes)
    except TransportError as error:
        heard(error, None)
    [post] = read(lambda: client.posts.get_many(ids=[post_id]), heard)
    if _holds(post, changes):
        return post
    return client.posts.update(post_id, **changes)


SHOWN = ("content", "publication_date", "selected_account_ids", "selected_media_ids")
"""What a post that is read shows under the name, and in the form, in which it is written."""


def _holds(post: Post, changes: Mapping[str, Any]) -> bool:
    looked_at = [name for name in SHOWN if name in changes]
    return bool(looked_at) and all(getattr(post, name) == changes[name] for name in looked_at)
