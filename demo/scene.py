"""Shared code of the acts."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

from social_publishing import (
    AsyncSocialPublishing,
    OutcomeUnknown,
    Reconciled,
    SocialPublishing,
)
from social_publishing.models import Media, Network, Post

from demo import stage
from demo.stage import Stage
from demo.terminal import Terminal
from social_publishing_sandbox import Sandbox

T = TypeVar("T")


class DemoFailed(Exception):
    """A check of the demo failed. The text is a sentence."""


@dataclass(slots=True)
class Scene:
    """State that the acts pass on to each other.

    Attributes:
        sandbox: the service, for what is done by control.
        client: the client, for everything else.
        stage: what was prepared by control.
        accounts: the identifiers of the brand's accounts by network.
        files: the uploaded files by name.
        posts: the identifiers of the planned posts by name.
        expected: when each target of a post is due, by the post's name and the network.
        checks: the claims, and whether they hold.
    """

    sandbox: Sandbox
    client: SocialPublishing
    out: Terminal
    stage: Stage
    seed: int
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo(stage.ZONE))
    accounts: dict[Network, str] = field(default_factory=dict[Network, str])
    files: dict[str, Media] = field(default_factory=dict[str, Media])
    posts: dict[str, str] = field(default_factory=dict[str, str])
    expected: dict[tuple[str, Network], datetime] = field(
        default_factory=dict[tuple[str, Network], datetime]
    )
    checks: dict[str, bool] = field(default_factory=dict[str, bool])

    @property
    def now(self) -> datetime:
        """The moment by the sandbox's clock, in the brand's time zone."""
        return self.sandbox.now.astimezone(self.zone)

    def local(self, moment: datetime) -> str:
        """Return a moment for people."""
        return f"{moment.astimezone(self.zone):%a %d %b %H:%M}"

    def async_client(self, token: str | None = None) -> AsyncSocialPublishing:
        """Return an asynchronous client of a token's user, by default of the owner."""
        return self.sandbox.async_client(api_token=token or self.sandbox.token)

    def report(self, error: OutcomeUnknown, seen: Reconciled | None) -> None:
        """Report an update whose response was lost, and then what reading the post has shown."""
        if seen is None:
            self.out.fact("survived", f"{type(error).__name__}: {error.reason}", "note")
            return
        known = f"{len(seen.same)} of {len(seen.same) + len(seen.different)} values are there"
        again = "sent again" if seen.different else "not sent again"
        self.out.fact("", f"looked at the post: {known}, {again}", "good")

    def planned_posts(self) -> dict[str, Post]:
        """Return the planned posts by name, as they are now, with their details (§4.1)."""
        every = self.client.posts.list(group_id=self.stage.group_id)
        found = {given(post.name): post for post in every}
        return {name: found[name] for name in self.posts}


class RetryHandler(logging.Handler):
    """Shows every request that the client sends again, from the client's log."""

    def __init__(self, out: Terminal) -> None:
        super().__init__(logging.INFO)
        self._out = out

    def emit(self, record: logging.LogRecord) -> None:
        self._out.fact("survived", record.getMessage(), "note")


def given(value: T | None) -> T:
    """Return a field that must be there.

    Raises:
        DemoFailed: the service left it out.
    """
    if value is None:
        raise DemoFailed("A response of the service lacks a field that the demo needs.")
    return value


def state(post: Post) -> str:
    """Return the state of a post for people, such as `in review` (§3)."""
    return post.status.name.lower().replace("_", " ")


def quoted(names: Sequence[str]) -> str:
    """Return names for people."""
    return ", ".join(f"“{each}”" for each in names)
