"""Control beyond the service's operations: clock, new objects, approvals, faults, snapshots.

None of it is part of the service. In Python these are the methods of `Sandbox`; over HTTP the
routes below `/_sandbox`.
"""

from __future__ import annotations

import itertools
import json
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, Literal, Unpack, overload
from urllib.parse import quote

from social_publishing_sandbox.api.faults.fault import Fault, Members
from social_publishing_sandbox.api.faults.kinds import BadFault, unknown
from social_publishing_sandbox.api.faults.registry import Faults
from social_publishing_sandbox.api.request_log.entry import Entry
from social_publishing_sandbox.api.request_log.ring import Duplicate, RequestLog
from social_publishing_sandbox.api.space import raising_no_space
from social_publishing_sandbox.control import changing, objects, seeding
from social_publishing_sandbox.control.objects import UserWithToken
from social_publishing_sandbox.control.seeding import World
from social_publishing_sandbox.documents.objects import (
    CalendarNote,
    Group,
    Label,
    Media,
    Post,
    SocialAccount,
)
from social_publishing_sandbox.json_objects import Object
from social_publishing_sandbox.state import arguments, ids, publishing, times
from social_publishing_sandbox.state.arguments import Changes, Filters
from social_publishing_sandbox.state.clock import Clock
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.errors import ControlError
from social_publishing_sandbox.state.feed import Events
from social_publishing_sandbox.state.service import Service

PREFIX: Final = "/_sandbox"
"""The path below which the main origin has the routes of control."""

Moment = datetime | str
"""An aware datetime, or an ISO 8601 date-time, which is in UTC unless it says otherwise."""


@arguments.all_checked
class Control:
    """Control of a sandbox, beyond the operations of the service.

    Args:
        world: the world that `reset` returns to.
        start: when the clock of a seeded world starts, in milliseconds since 1970; None for the
            default of the clock's mode.
        control_token: the token of the routes below `/_sandbox`.

    Attributes:
        request_log: every request, to search and to follow.
        faults: the faults that are set.
        events: the last changes, to follow.
    """

    def __init__(
        self,
        service: Service,
        request_log: RequestLog,
        faults: Faults,
        world: World,
        start: int | None,
        host: str,
        control_token: str,
    ) -> None:
        self.service = service
        self.request_log = request_log
        self.faults = faults
        self.events = Events()
        service.listeners.append(self.events.add)
        self.host = host
        self.control_token = control_token
        self._world = world
        self._start = start
        self._snapshots: dict[str, _Snapshot] = {}
        self._moving = threading.Lock()

    # Where it is

    @property
    def base_url(self) -> str:
        """Base address of the main API (§1)."""
        return self.service.origins["main"] + self.service.contract.main.base

    @property
    def media_url(self) -> str:
        """Base address of the media API (§1)."""
        return self.service.origins["media"] + self.service.contract.media.base

    @property
    def console_url(self) -> str:
        """Address of the console, with the token that opens it."""
        token = quote(self.control_token, safe="")
        return f"{self.service.origins['main']}{PREFIX}/?token={token}"

    @property
    def token(self) -> str:
        """The token of the organization's owner."""
        return next(iter(self.tokens.values()))

    @property
    def tokens(self) -> Mapping[str, str]:
        """A token for each role, that of its oldest user; the owner's comes first (§2.8)."""
        with self._open():
            users = self.service.with_tokens()
        by_role: dict[str, str] = {}
        for user, token in users:
            if token:
                by_role.setdefault(user.get("role", "member"), token)
        return MappingProxyType(by_role)

    @property
    def control_url(self) -> str:
        """Address of the control API over HTTP, which needs `control_token`."""
        return f"{self.service.origins['main']}{PREFIX}"

    # The clock

    @property
    def now(self) -> datetime:
        """The moment, by the sandbox's clock."""
        return _datetime(self.service.clock.now())

    @property
    def clock_mode(self) -> str:
        """`real`, `frozen`, or a speed such as `x60`."""
        return self.service.clock.mode

    def advance(
        self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> datetime:
        """Move the clock forward; every event on the way happens at its own moment.

            sandbox.advance(days=1, hours=2)

        The rate limit (§8) runs on real time, whatever the clock shows: a test that needs a
        fresh minute sets the limit once more, `sandbox.limit(60)`.

        Returns:
            The new moment.

        Raises:
            ControlError: the step is negative, or too long.
            space.NoSpace: the disk is full; the clock stands somewhere between both moments.
        """
        amounts = {"days": days, "hours": hours, "minutes": minutes, "seconds": seconds}
        step = _step(amounts)
        with self._moving:
            self._go_to(self.service.clock.now() + step, _largest(amounts))
        self._emit_clock()
        return self.now

    def set_clock(self, now: Moment | None = None, *, mode: str | None = None) -> datetime:
        """Move the clock forward to a moment, or change how it runs, or both.

            sandbox.set_clock("2026-12-24T18:00:00Z", mode="x60")

        Args:
            now: an aware datetime, or an ISO 8601 date-time (in UTC unless it says otherwise).
            mode: `real`, `frozen`, or a speed such as `x60`.

        Returns:
            The new moment.

        Raises:
            ControlError: the moment is invalid or in the past, or the mode is unknown. The clock is
                unchanged.
        """
        with self._moving:
            if now is not None:
                self._go_to(milliseconds(now, "now"), "now")
            if mode is not None:
                with self._changing():
                    self.service.clock.run(mode)
        self._emit_clock()
        return self.now

    def next_event(self) -> datetime | None:
        """Return the moment of the next planned event, or None."""
        with self._open():
            at = self.service.next_moment()
        return None if at is None else _datetime(at)

    def _go_to(self, target: int, field: str) -> None:
        """Move the clock forward, in steps: others get their turn before a year is through.

        Args:
            field: what an error calls the target.
        """
        clock = self.service.clock
        now = clock.now()
        if target > ids.LAST:
            last = times.text(ids.LAST)
            raise ControlError(f"the clock ends at {last}, with the last identifiers", field)
        if target < now:
            reason = f"it is {times.text(now)}, after {times.text(target)}"
            raise ControlError(f"the clock only moves forward: {reason}", field)
        step = max(times.DAY, (target - now) // _MOST_STEPS)
        while clock.now() + step < target:
            with self._changing():
                clock.reach(clock.now() + step)
            time.sleep(0)  # lets go of the interpreter, for who waits for the state
        with self._changing():
            clock.reach(target)

    def _emit_clock(self) -> None:
        self.service.emit("clock", {"now": times.text(self.service.clock.now())})

    # Objects

    @overload
    def find(self, kind: Literal["posts"], **fields: Any) -> list[Post]: ...
    @overload
    def find(self, kind: Literal["groups"], **fields: Any) -> list[Group]: ...
    @overload
    def find(self, kind: Literal["social_accounts"], **fields: Any) -> list[SocialAccount]: ...
    @overload
    def find(self, kind: Literal["users"], **fields: Any) -> list[UserWithToken]: ...
    @overload
    def find(self, kind: Literal["labels"], **fields: Any) -> list[Label]: ...
    @overload
    def find(self, kind: Literal["calendar_notes"], **fields: Any) -> list[CalendarNote]: ...
    @overload
    def find(self, kind: Literal["media"], **fields: Any) -> list[Media]: ...
    @overload
    def find(self, kind: str, **fields: Any) -> list[Any]: ...
    def find(self, kind: str, **fields: Any) -> list[Any]:
        """Return all objects of a kind, the oldest first, whoever may see them.

            (owner,) = sandbox.find("users", role="owner")
            print(owner.name, owner.token)
            for post in sandbox.find("posts", status="SCHEDULED"):
                print(post.publication_date, post.content)

        Args:
            kind: `posts`, `groups`, `social_accounts`, `users`, `labels`, `calendar_notes` or
                `media`.
            fields: required values by attribute name; a code may be given by its name.

        Returns:
            The objects as the service shows them, posts with every relation, users with `token`.
            Fields are attributes; absent fields are None.

        Raises:
            ControlError: the kind or a field is unknown, or a field can never have this value.
        """
        with self._open():
            docs = objects.find(self.service, kind, _in_json(fields))
        return [objects.KINDS[kind].shown(doc) for doc in docs]

    def create_post(self, **fields: Any) -> Post:
        """Create a post; the service documents no operation for this (§4.8, `endpoints.missing`).

            post = sandbox.create_post(
                content="Bread!",
                status="SCHEDULED",
                publication_date=sandbox.now + timedelta(hours=1),
                selected_account_ids=["threads:kornblume.bakery"],
            )
            print(post.id)

        Args:
            fields: fields of a post (§2.2), with `label_ids`, by their names in Python or in the
                documents. `publication_date` may be a datetime; `status` a code or a name such as
                `SCHEDULED`; accounts, files, users and labels may be given by name. Without a
                status, it is a draft.

        Returns:
            The post as the service shows it.

        Raises:
            ControlError: a field is unknown or invalid; nothing was created.
        """
        return Post(self._create("posts", fields))

    def create_group(self, **fields: Any) -> Group:
        """Create a group (§2.6); only `name` is required.

            group = sandbox.create_group(name="Bakery", timezone="Europe/Berlin")

        Raises:
            ControlError: a field is unknown or invalid.
        """
        return Group(self._create("groups", fields))

    def create_account(self, **fields: Any) -> SocialAccount:
        """Create a social account (§2.7); `group_id` and `social_network` are required.

            account = sandbox.create_account(group_id=group.id, social_network="bluesky")

        Raises:
            ControlError: a field is unknown or invalid.
        """
        return SocialAccount(self._create("social_accounts", fields))

    def create_user(self, **fields: Any) -> UserWithToken:
        """Create a user (§2.8); only `name` is required. The result has the `token`.

            token = sandbox.create_user(name="Ada", group_ids=[group.id]).token

        Raises:
            ControlError: a field is unknown or invalid.
        """
        return UserWithToken(self._create("users", fields))

    def create_label(self, **fields: Any) -> Label:
        """Create a label (§2.10); only `name` is required.

            label = sandbox.create_label(name="Summer", color="GREEN")

        Raises:
            ControlError: a field is unknown or invalid.
        """
        return Label(self._create("labels", fields))

    def create_note(self, **fields: Any) -> CalendarNote:
        """Create a calendar note (§2.9); notes with the same `series` belong together.

            start = sandbox.now
            sandbox.create_note(title="Market", start_date=start, end_date=start)

        Raises:
            ControlError: a field is unknown or invalid.
        """
        return CalendarNote(self._create("calendar_notes", fields))

    def create(self, kind: str, fields: Mapping[str, Any]) -> Object:
        """Create an object of a kind; see `create_post` and its siblings.

        Raises:
            ControlError: the kind is unknown, or a field is unknown or invalid.
        """
        made = self._create(kind, fields)
        return objects.KINDS[kind].shown(made)

    def _create(self, kind: str, fields: Mapping[str, Any]) -> Json:
        with self._changing():
            return objects.create(self.service, kind, _in_json(fields))

    # Posts

    def read_post(self, post_id: str) -> Post:
        """Return a post, even a deleted one, with every relation.

        Raises:
            ControlError: there is no such post.
        """
        with self._open():
            return Post(objects.show_post(self.service, self._post(post_id)))

    def approve(self, post_id: str, *, user: str | None = None) -> Post:
        """Approve a post that is in review. If everyone must approve, call this for every assignee.

            sandbox.approve(post.id)

        Args:
            user: the id of the approver; None for the next assignee who may approve.

        Returns:
            The post as the service shows it.

        Raises:
            ControlError: there is no such post, it is not in review, or the user may not approve.
        """
        with self._changing():
            changing.review(self.service, self._post(post_id), "approved", user)
        return self.read_post(post_id)

    def reject(self, post_id: str, *, user: str | None = None, reason: str | None = None) -> Post:
        """Reject a post that is in review.

            sandbox.reject(post.id, reason="The logo is missing.")

        Args:
            user: the id of the user who rejects; None for the next assignee who may.
            reason: a text for the activity log of the post.

        Raises:
            ControlError: as for `approve`.
        """
        with self._changing():
            changing.review(self.service, self._post(post_id), "rejected", user, reason or "")
        return self.read_post(post_id)

    def fail(self, post_id: str, reason: str | None = None) -> Post:
        """Let a post fail: at once if it is being published, else at its publication date.

            sandbox.fail(post.id, "The picture is too small.")

        Raises:
            ControlError: there is no such post, or its state is final.
        """
        with self._changing():
            changing.let_fail(self.service, self._post(post_id), reason or publishing.REFUSED)
        return self.read_post(post_id)

    def reschedule(self, post_id: str, publication_date: Moment) -> Post:
        """Change the publication date of a post in any state; its state stays the same.

            sandbox.reschedule(post.id, sandbox.now + timedelta(days=1))

        Args:
            publication_date: an aware datetime, or an ISO 8601 date-time (in UTC unless it says
                otherwise).

        Returns:
            The post as the service shows it.

        Raises:
            ControlError: the post does not exist, is in progress, published or deleted; or the
                moment is invalid.
        """
        ms = milliseconds(publication_date, "publication_date")
        with self._changing():
            changing.reschedule(self.service, self._post(post_id), ms)
        return self.read_post(post_id)

    def _post(self, post_id: str) -> Json:
        post = self.service.store.posts.get(post_id)
        if post is None:
            raise ControlError(f"there is no post {post_id}", "id", missing=True)
        return post

    # Connections

    def expire_connection(self, account_id: str, at: Moment | None = None) -> SocialAccount:
        """Let the connection of a social account expire (§2.7).

        Posts fail on the account until it is connected again (`publishing.expired`), even if the
        expiry date is in the future (`account.expiry`).

            sandbox.expire_connection(account.id)

        Args:
            at: an aware datetime, or an ISO 8601 date-time; None for now.

        Returns:
            The account as the service shows it.

        Raises:
            ControlError: there is no such account, or the moment is invalid.
        """
        ms = self.service.clock.now() if at is None else milliseconds(at, "at")
        return self._connect(account_id, ms)

    def refresh_connection(self, account_id: str) -> SocialAccount:
        """Connect a social account again, as a user does by hand (§2.7).

        Returns:
            The account as the service shows it.

        Raises:
            ControlError: there is no such account.
        """
        return self._connect(account_id, None)

    def _connect(self, account_id: str, expired_at: int | None) -> SocialAccount:
        with self._changing():
            account = self.service.store.accounts.get(account_id)
            if account is None:
                raise ControlError(f"there is no social account {account_id}", "id", missing=True)
            changing.set_connection(self.service, account, expired_at)
            return SocialAccount(self.service.view("SocialAccount")(account))

    # Requests and faults

    def requests(
        self,
        text: str | None = None,
        *,
        limit: int | None = None,
        newest_first: bool = False,
        **filters: Unpack[Filters],
    ) -> list[Entry]:
        """Return the received requests, the oldest first.

            (request,) = sandbox.requests(operation="posts.update", status="2xx")
            assert request.request_json == {"note": "Ready."}

        Args:
            text: occurs in the target, the operation, the user's name or a body; case is ignored.
            limit: at most so many, from the side that comes first.
            filters: `operation` (an id such as `updatePost`, or a method of the client such as
                `posts.update`), `status` (422 or `"4xx"`), `user` (name or id), `method`, `api`
                (`main` or `media`), `fault` (id, kind, or `"*"` for any), `problems` and
                `violations` (with or without), `since` (after this number).

        Raises:
            ControlError: the operation is unknown, or an argument is invalid.
        """
        known = self.service.contract.operation_names
        operation = filters.get("operation")
        if operation is not None:
            if operation not in known:
                reason = f"operation {operation!r}: {unknown('operation', operation, known)}"
                raise ControlError(reason, "operation")
            filters["operation"] = known[operation]
        return self.request_log.search(text, limit=limit, newest_first=newest_first, **filters)

    def duplicates(self, within: float = 60) -> list[Duplicate]:
        """Return writes that were carried out twice, for example by an unsafe retry.

            assert not sandbox.duplicates()

        Args:
            within: the longest time between both requests, in real seconds.

        Raises:
            ControlError: `within` is no such time.
        """
        return self.request_log.duplicates(within * 1_000)

    def add_fault(self, kind: str | None = None, **members: Unpack[Members]) -> Fault:
        """Set a fault: requests fail until it ends by itself or is removed.

            sandbox.add_fault("status", status=503, operations="posts.list", times=2)
            sandbox.add_fault(script=["pass", {"status": 503}, "drop-after"])

        Args:
            kind: one of `faults.KINDS`.
            members: parameters of the kind, and `operations`, `user`, `times`, `after`,
                `probability`, `id`; or `script` instead of a kind. `operations` are names, one or
                several: ids (`updatePost`) or methods of the client (`posts.update`).

        Returns:
            The fault with its id.

        Raises:
            BadFault: the fault is invalid; the error names the wrong member.
        """
        value = members if kind is None else {"kind": kind, **members}
        fault = Fault.from_json(value, self.service.contract.operation_names)
        self._check_user(fault.user)
        fault = self.faults.add(fault)
        self._emit_faults()
        return fault

    def fault(self, kind: str | None = None, **members: Unpack[Members]) -> FaultBlock:
        """Set a fault for the duration of a `with` block.

            with sandbox.fault("drop-after", operations="posts.update", times=1):
                client.posts.update(…)

        The call sets the fault; without `with`, the fault stays, as after `add_fault`.

        Raises:
            BadFault: the fault is invalid.
        """
        return FaultBlock(self, self.add_fault(kind, **members))

    def _check_user(self, user: str | None) -> None:
        if user is None:
            return
        with self._open():
            users = self.service.store.users.where("1 ORDER BY key")
        names = [str(known.get("name")) for known in users]
        if user not in names and user not in (known["id"] for known in users):
            raise BadFault("user", f"{user!r}: {unknown('user', user, names)}")

    def remove_fault(self, fault_id: str) -> None:
        """Remove a fault.

        Raises:
            ControlError: there is no fault with this id.
        """
        self.faults.remove(fault_id)
        self._emit_faults()

    def switch_fault(self, fault_id: str, on: bool) -> None:
        """Switch a fault on or off; it keeps its counters.

        Raises:
            ControlError: there is no fault with this id.
        """
        self.faults.switch(fault_id, on)
        self._emit_faults()

    def _emit_faults(self) -> None:
        self.service.emit("faults", {"set": len(self.faults.all())})

    # The whole

    def world(self) -> Json:
        """Return the complete state in the world format, as `Sandbox(world=…)` accepts it."""
        service = self.service
        with self._open():
            state, now, seed = service.store.dump(), service.clock.now(), service.settings.seed
        return seeding.world_of(service.contract, state, seed, now)

    def reset(self, world: World | None = None, *, seed: int | None = None) -> None:
        """Start again, with the first world or another one.

        This clears the request log and all faults, renews all rate budgets, and sets the clock back
        to the start of the world. Settings and snapshots stay.

            sandbox.reset("agency", seed=11)

        Raises:
            worlds.BadWorld: the world is invalid; nothing changed.
            ControlError: the seed has more than 63 bits.
        """
        service = self.service
        world = self._world if world is None else world
        seed = service.settings.seed if seed is None else seed
        start = Clock(service.clock.mode, self._start).start
        exact = service.clock.mode == "frozen"
        first = seeding.read(world)
        state, now = seeding.seeded(service.contract, first, seed, start, exact=exact)
        with self._open():
            self._load(_Snapshot(state, now, seed), {"world": first, "start": self._start})
            self._sweep()
            self._world = world
            self.faults.clear()
            self.request_log.clear()
            service.limits.clear()
        service.emit("reset", {})

    def snapshot(self, name: str | None = None) -> str:
        """Save the current state and time in memory, and return the name of the snapshot.

            before = sandbox.snapshot()
            …
            sandbox.restore(before)

        It is kept until `forget_snapshot`, also after a reset, or until another one gets its name.
        """
        service = self.service
        with self._open():
            numbered = (f"snapshot-{number}" for number in itertools.count(1))
            name = name or next(each for each in numbered if each not in self._snapshots)
            self._snapshots.pop(name, None)  # the new one is the latest
            self._snapshots[name] = _Snapshot(
                service.store.dump(),
                service.clock.now(),
                service.settings.seed,
                self._folders(),
            )
        service.emit("snapshots", {"name": name})
        return name

    def restore(self, name: str) -> None:
        """Return to a snapshot, including its time. The request log, faults and budgets stay.

        Raises:
            ControlError: there is no snapshot with this name.
        """
        with self._open():
            if name not in self._snapshots:
                raise ControlError(f"there is no snapshot {name!r}", "name", missing=True)
            self._load(self._snapshots[name], self.service.store.meta("origin"))
        self.service.emit("restored", {"name": name})

    def forget_snapshot(self, name: str) -> None:
        """Free the memory of a snapshot.

        Raises:
            ControlError: there is no snapshot with this name.
        """
        if self._snapshots.pop(name, None) is None:
            raise ControlError(f"there is no snapshot {name!r}", "name", missing=True)
        self.service.emit("snapshots", {"name": name})

    def snapshots(self) -> list[str]:
        """Return the names of the snapshots, the oldest first."""
        return list(self._snapshots)

    # Settings

    def settings(self) -> Json:
        """Return the settings that `configure` can change."""
        names = ("nulls", "processing", "fetch_hosts", "fetch_private")
        settings = {name: getattr(self.service.settings, name) for name in names}
        settings["fetch_hosts"] = list(settings["fetch_hosts"])
        return {"rate_limit": self.service.limits.limit, **settings}

    def configure(self, **changes: Unpack[Changes]) -> None:
        """Change settings while the sandbox runs.

        These are `rate_limit`, `nulls`, `processing`, `fetch_hosts` and `fetch_private`; see
        `Sandbox`.

            sandbox.configure(rate_limit=5, nulls=True)

        A new rate limit starts with fresh budgets.

        Raises:
            ControlError: a setting is unknown, or its value is invalid; nothing changed.
        """
        service = self.service
        with self._open():
            if "rate_limit" in changes:
                service.limits.limit = changes["rate_limit"]
                service.limits.clear()
            if "nulls" in changes:
                service.show_nulls(changes["nulls"])
            for name in ("processing", "fetch_hosts", "fetch_private"):
                if name in changes:
                    setattr(service.settings, name, changes[name])
        service.emit("settings", {})

    def limit(self, requests: int | None, *, window: int | None = None) -> None:
        """Set how many requests a minute each user has; None for no limit (§8).

        Args:
            window: seconds of real time instead of a minute, to speed up a test.

        Raises:
            ControlError: a value is less than 1, or the window longer than a year.
        """
        self.configure(rate_limit=requests)
        with self._open():
            limits = self.service.limits
            limits.window = limits.usual_window if window is None else window

    def budgets(self) -> list[Json]:
        """Return the rate budget of each user (§8).

        Each has `user_id`, `user`, `limit`, `remaining`, and `reset`, the Unix time in seconds at
        which the budget is renewed."""
        with self._open():
            users = self.service.store.users.where("1 ORDER BY key")
        looks = [(user, self.service.limits.look(user["id"])) for user in users]
        return [
            {
                "user_id": user["id"],
                "user": user.get("name"),
                "limit": None if self.service.limits.limit is None else look.limit,
                "remaining": look.remaining,
                "reset": look.reset,
            }
            for user, look in looks
        ]

    # Inside

    def save_clock(self) -> None:
        """Keep the moment and the seed with the state, for the next start."""
        with self.service.store.transaction():
            state = {"now": self.service.clock.now(), "seed": self.service.settings.seed}
            self.service.store.set_meta("state", state)

    @contextmanager
    def _open(self) -> Iterator[None]:
        """Hold the store's lock, after due events have run."""
        with raising_no_space(), self.service.store.lock:
            if self.service.store.closed:
                raise RuntimeError("the sandbox is closed")
            self.service.tick()
            yield

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Make a change by control: all of it or nothing; and what falls due by it happens."""
        service = self.service
        with self._open(), service.clock.undone_on_error(), service.change():
            yield
            service.tick()
            self.save_clock()

    def _load(self, kept: _Snapshot, origin: Json | None) -> None:
        """Replace the whole state, or nothing of it.

        Args:
            origin: the world that `reset` returns to after the next start, too, and its moment.
        """
        service = self.service
        state = {"now": kept.now, "seed": kept.seed}
        service.store.load(kept.state, {"state": state, "origin": origin})
        service.settings.seed = kept.seed
        service.clock.restore(kept.now)
        service.reload()

    def _folders(self) -> frozenset[str]:
        """Return the folders that hold the files of the present state."""
        media = self.service.store.media.where()
        return frozenset(file["_folder"] for file in media if "_folder" in file)

    def _sweep(self) -> None:
        """Remove the files that neither the state nor a snapshot wants."""
        wanted = self._folders().union(*(snapshot.folders for snapshot in self._snapshots.values()))
        for folder in self.service.files.iterdir():
            if folder.is_dir() and folder.name not in wanted:
                shutil.rmtree(folder, ignore_errors=True)


class FaultBlock:
    """A fault that is removed at the end of a `with` block.

    Attributes:
        fault: the fault; the `with` statement returns it, too.
    """

    def __init__(self, control: Control, fault: Fault) -> None:
        self._control = control
        self.fault = fault

    def __enter__(self) -> Fault:
        return self.fault

    def __exit__(self, *_: object) -> None:
        with suppress(ControlError):  # a reset inside of the block removes every fault
            self._control.remove_fault(self.fault.id)


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """A state to go back to: the database, the moment, the seed, and the folders of its files."""

    state: bytes
    now: int
    seed: int
    folders: frozenset[str] = frozenset()


def _step(amounts: Mapping[str, float]) -> int:
    """Return the length of a step in milliseconds."""
    try:
        step = timedelta(**amounts) // timedelta(milliseconds=1)
    except OverflowError:
        raise ControlError("the step is too long", _largest(amounts)) from None
    if step < 0:
        name = min(amounts, key=lambda unit: amounts[unit])
        raise ControlError(f"{name}: the clock only moves forward, not by {amounts[name]}", name)
    return step


def _largest(amounts: Mapping[str, float]) -> str:
    return max(amounts, key=lambda unit: abs(amounts[unit]))


_MOST_STEPS: Final = 400
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def _in_json(fields: Mapping[str, Any]) -> Json:
    """Return a copy of the fields as JSON, with datetimes as the service writes them."""
    given: Json = {}
    for name, value in fields.items():
        if isinstance(value, datetime):
            given[name] = times.text(milliseconds(value, name))
        else:
            arguments.check(name, value, arguments.json)
            given[name] = json.loads(json.dumps(value))
    return given


def _datetime(ms: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=ms)


def milliseconds(moment: Moment, field: str) -> int:
    """Return a moment in milliseconds since 1970.

    Args:
        field: what the error calls it.

    Raises:
        ControlError: it is no moment, or a datetime without a time zone.
    """
    arguments.check(field, moment, arguments.moment)
    return times.milliseconds(moment)
