"""What the tools work with: the client, the groups that were read, the folders, the results."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from ..plans import plans_folder
from ..session import Session
from ..sheets.cells import zone_named
from .calls import CALL, Calls
from .results import Problem, Results

if TYPE_CHECKING:
    from social_publishing import Attempt, Exchange, SocialPublishing
    from social_publishing.models import Group, Post, SocialAccount

PATIENCE = 5.0  # seconds that a call waits for the rate; one that would wait longer says so
_FRESH = 300.0  # seconds for which a group's name and time zone are taken for true


@dataclass(frozen=True)
class Options:
    """The options of a server.

    Attributes:
        allow_writes: Whether plans can be applied from here.
        group: The default group.
        journals: The folder of plans and journals; None for the user's.
        person: Whose plans these are, where several people share a server; empty for the only one.
    """

    allow_writes: bool = False
    group: str | None = None
    journals: Path | None = None
    person: str = ""


class GroupFacts(NamedTuple):
    """A group, and its social accounts by identifier."""

    id: str
    zone: ZoneInfo
    accounts: dict[str, SocialAccount]


class Room(NamedTuple):
    """Requests left in this minute, and the seconds until it ends, if known."""

    left: int
    limit: int
    seconds: float | None


class Service:
    """The service of one server."""

    def __init__(self, session: Session, options: Options) -> None:
        self.session, self.options = session, options
        self.folder = plans_folder(options.journals)
        self.results = Results()
        self.calls = Calls(
            self.folder / "calls.jsonl", self.results.without_secrets, options.person
        )
        self._groups: dict[str, tuple[float, GroupFacts]] = {}
        self._lock = threading.Lock()

    @property
    def client(self) -> SocialPublishing:
        """The client, created on first use."""
        from social_publishing import Pacing

        with self._lock:
            client = self.session.connect(
                pacing=Pacing(max_wait=PATIENCE), on_wait=None, middleware=[self._counted]
            )
            self.results.secrets.add(self.session.token)
            return client

    @property
    def room(self) -> Room:
        """Requests left, by the last response; all of them in a new minute."""
        known = self.client.rate_limit
        limit = (known.limit if known else None) or 60
        seconds = known.resets_in if known else None
        left = limit if seconds is None or self.session.left is None else self.session.left
        return Room(left, limit, seconds)

    def apply_step(self, plan_id: str) -> str:
        """Return the command line by which a person applies a plan of this server."""
        # No path of this machine is in a result.
        folder = ["--journals", "FOLDER"] if self.options.journals else []
        return self.session.next_step("apply", plan_id, *folder)

    def own(self, plan_id: str) -> None:
        """Note that a plan, named by its first digits, is this person's."""
        if self.options.person:
            self._owner_of(plan_id).write_text(self.options.person, encoding="utf-8", newline="\n")

    def is_own(self, plan_id: str) -> bool:
        """Return whether this person has made a plan."""
        if not self.options.person:
            return True
        with suppress(OSError):
            return self._owner_of(plan_id).read_text(encoding="utf-8") == self.options.person
        return False

    def _owner_of(self, plan_id: str) -> Path:
        return self.folder / f"{plan_id}.person"

    def _counted(self, attempt: Attempt, send: Callable[[Attempt], Exchange]) -> Exchange:
        """Count a request for the call that sends it; none leaves once the call was cancelled."""
        from social_publishing import SocialPublishingError

        call = CALL.get()
        if call.stopped:
            raise SocialPublishingError("the call was cancelled")
        call.requests += 1
        exchange = send(attempt)
        left = exchange.headers.get("x-ratelimit-remaining") or ""
        self.session.left = int(left) if left.isdecimal() else None
        return exchange

    def group(self, group_id: str | None, fresh: bool = False) -> GroupFacts:
        """Return a group, with one request unless it was read recently."""
        wanted = group_id or self.options.group
        if not wanted:
            raise Problem("group_id is missing: pass it, or start this server with --group.")
        then, facts = self._groups.get(wanted, (0.0, None))
        if facts and not fresh and time.monotonic() - then < _FRESH:
            return facts
        group: Group = self.client.groups.get(wanted, include=["socialAccounts"])
        try:
            zone = zone_named(group.timezone or "UTC")
        except ValueError:
            raise Problem("The group's time zone is not known on this machine.") from None
        accounts = {each.id: each for each in group.social_accounts or () if each.id}
        facts = GroupFacts(wanted, zone, accounts)
        self._groups[wanted] = time.monotonic(), facts
        return facts

    def home(self, post: Post) -> GroupFacts | None:
        """Return the group of a post's accounts; None where it has none, or nobody may read it."""
        from social_publishing import StatusError

        accounts = post.selected_account_ids or ()
        for _, facts in self._groups.values():
            if facts.accounts.keys() & {*accounts}:
                return facts
        with suppress(StatusError):
            for account in accounts[:1]:
                if group := self.client.social_accounts.get(account).group_id:
                    return self.group(group)
        return None

    def posts(self, group: GroupFacts) -> list[Post]:
        """Return all posts of a group by publication date, with one request per page."""
        posts = [*self.client.posts.list(group_id=group.id, include=["labels"])]
        posts.sort(key=lambda post: (post.publication_date is None, str(post.publication_date)))
        return posts


def room_at(seconds: float) -> str:
    """Return when so many seconds are over, in words; the clocks of a sandbox are others."""
    return f"in {max(1, round(seconds))} s"
