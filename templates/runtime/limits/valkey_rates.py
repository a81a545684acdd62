"""A rate store on a Valkey or Redis server: for processes on any number of machines.

The script decides as `ledger` does, line by line; a test compares them. Each user has one key, in
braces, so that a cluster keeps and finds it on one node.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha1
from typing import TYPE_CHECKING, Any

from ..core.errors import ConfigurationError
from .leases import RateGrant, RateLease, RateReport, RateStore
from .ledger import BLOCKS, GRACE_SECONDS, LONGEST_HOLD, SCOUT_PART, SCOUT_SECONDS

if TYPE_CHECKING:
    from .leases import OnLost

__all__ = ["ValkeyRates"]

KEPT_SECONDS = 86_400  # after which a user who sent nothing is forgotten
ANSWER_SECONDS = 2.0  # how long the server may take

_SCRIPT = (
    f"""
local SCOUT, SCOUT_PART, GRACE = {SCOUT_SECONDS}, {SCOUT_PART}, {GRACE_SECONDS}
local BLOCKS, LONGEST_HOLD, KEPT = {BLOCKS}, {LONGEST_HOLD}, {KEPT_SECONDS}
"""
    + """
local ask = cjson.decode(ARGV[1])
local kept = redis.call('GET', KEYS[1])
local now = ask.now
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) + tonumber(time[2]) / 1e6
end
if ask.peek and not kept then
  return false
end
local book = kept and cjson.decode(kept) or {
  limit = 0, window = 0, remaining = -1, ends = 0, scout = 0,
  held_until = 0, tickets = 0, seen = 0, holders = {}
}

local function free()
  local base = book.remaining < 0 and book.limit or book.remaining
  for _, each in pairs(book.holders) do base = base - each.held end
  return base
end

local function reply(permits, wait)
  local holders, waiting = 0, 0
  for _, each in pairs(book.holders) do
    holders = holders + 1
    if each.ticket > 0 then waiting = waiting + 1 end
  end
  local left = now < book.held_until and 0 or math.max(0, free())
  if not ask.peek then
    redis.call('SET', KEYS[1], cjson.encode(book), 'EX', KEPT)
  end
  return cjson.encode({ permits, wait, left, holders, waiting,
    book.window, book.limit, book.remaining, book.ends - now })
end

-- What is over.
if now < book.seen - SCOUT then
  book.remaining, book.scout, book.held_until = -1, 0, 0
  book.holders, book.seen = {}, now
end
now = math.max(now, book.seen)
book.seen = now
for name, each in pairs(book.holders) do
  if each['until'] <= now then each.held = 0 end
  if each.due + GRACE <= now then each.ticket, each.wants = 0, 0 end
  if each.ticket == 0 and each['until'] <= now then book.holders[name] = nil end
end
if book.remaining >= 0 and now >= book.ends then
  book.remaining, book.scout = -1, 0
end
if ask.peek then
  return reply(0, 0)
end

-- What the holder knows.
local me = book.holders[ask.holder] or { ticket = 0, wants = 0, due = 0, number = 0 }
if ask.number < me.number then
  return reply(0, 0)
end
if book.limit == 0 then book.limit = ask.limit end
local report = ask.report
if report then
  book.limit = report.limit
  local later = report.window - book.window
  if book.remaining < 0 or later > report.tolerance then
    book.window, book.remaining = report.window, report.remaining
    book.ends = now + report.ends
  elseif later >= -report.tolerance then
    book.remaining = math.min(book.remaining, report.remaining)
    book.ends = math.min(book.ends, now + report.ends)
  end
end
if ask.silent and book.scout > 0 then
  book.scout = math.min(book.scout, now - SCOUT)
end
if ask.hold > 0 then
  book.held_until = math.max(book.held_until,
    now + math.min(ask.hold, LONGEST_HOLD * ask.seconds_of_window))
end
if ask.seconds <= 0 then
  book.holders[ask.holder] = nil
  return reply(0, 0)
end
book.holders[ask.holder] = me
me.held, me.number = ask.held, ask.number
me['until'] = math.max(now + ask.seconds, book.remaining >= 0 and book.ends or 0)

-- What it gets.
if ask.permits <= 0 then
  me.ticket, me.wants = 0, 0
  return reply(0, 0)
end
if me.ticket == 0 then
  book.tickets = book.tickets + 1
  me.ticket = book.tickets
end
local holders, ahead, sooner, before, last = 0, 0, 0, 0, 0
for _, each in pairs(book.holders) do
  holders = holders + 1
  if each.ticket > 0 and each.ticket < me.ticket then
    ahead = ahead + each.wants
    if each.due < math.max(book.ends, now) then sooner = sooner + each.wants end
    if each.ticket > last then last, before = each.ticket, each.wants end
  end
end
me.wants = math.min(ask.permits, math.ceil(book.limit / math.min(holders, BLOCKS)))
local granted = 0
local scouting = math.min(SCOUT, ask.seconds_of_window / SCOUT_PART)
me.due = now + ask.seconds_of_window * math.max(1 / 12, ahead / book.limit)
local room = free()
if now < book.held_until then
  me.due = book.held_until
elseif book.remaining >= 0 then
  granted = math.max(0, math.min(me.wants, room - sooner))
  local short = ahead - math.max(0, room - granted)
  local windows = math.floor(math.max(0, short) / book.limit)
  local is_first = last == 0 or math.floor((short - before) / book.limit) < windows
  me.due = book.ends + windows * (ask.seconds_of_window + scouting / 2)
    + (is_first and 0 or 2 * scouting)
elseif room <= 0 then
  granted = 0
elseif book.scout == 0 then
  granted, book.scout, me.due = 1, now, now + scouting
elseif now < book.scout + scouting then
  me.due = book.scout + scouting
else
  granted = math.max(0, math.min(me.wants, room - sooner))
end
me.held = me.held + granted
me.wants = me.wants - granted
if me.wants <= granted then
  me.ticket, me.wants, me.due = 0, 0, now
end
return reply(granted, me.due - now)
"""
)
_DIGEST = sha1(_SCRIPT.encode(), usedforsecurity=False).hexdigest()  # so the server calls it


class ValkeyRates(RateStore):
    """One rate limit for processes on any number of machines, kept by a Valkey or Redis server.

    The time is that of the server. Needs the package `redis`, which speaks with both; the extra
    `valkey` brings it.

    Args:
        server: the address: `valkey://`, or `valkeys://` for TLS, then `user:password@host:port`;
            `redis://`, `rediss://` and `unix://` are understood, too. Or a client of the package
            `redis` for anything else, such as a cluster, or a master that Sentinel names.
        on_lost: what a process may send while the server cannot be reached; see `RateStore`.
        prefix: what the keys begin with.
        now: tells the seconds instead of the server, for tests; it must be the same everywhere.

    Raises:
        ConfigurationError: the package `redis` is missing, `server` cannot be used, or `on_lost`
            is no such value.
    """

    def __init__(
        self,
        server: Any,
        *,
        on_lost: OnLost = "small",
        prefix: str = "rates",
        now: Callable[[], float] | None = None,
    ) -> None:
        super().__init__(on_lost)
        try:
            from redis.exceptions import NoScriptError
        except ImportError as error:
            raise ConfigurationError(
                "ValkeyRates needs the package redis: install it, or the extra valkey"
            ) from error
        self._not_loaded = NoScriptError
        self._client = _client(server) if isinstance(server, str) else server
        if not callable(getattr(self._client, "evalsha", None)):
            given = type(server).__name__
            raise ConfigurationError(f"server must be an address or a client, got {given}")
        self._prefix = prefix
        self._now = now

    def reserve(self, key: str, lease: RateLease, permits: int) -> RateGrant:
        """Take in a lease, and grant permits; see `RateStore.reserve`."""
        found = self._run(
            key,
            holder=lease.holder,
            held=lease.held,
            seconds=lease.seconds,
            limit=lease.limit,
            seconds_of_window=lease.window,
            report=False if lease.report is None else lease.report._asdict(),
            hold=lease.hold,
            number=lease.number,
            silent=lease.silent,
            permits=permits,
        )
        assert found is not None
        return found

    def peek(self, key: str) -> RateGrant | None:
        """Return how a user's budget stands; see `RateStore.peek`."""
        return self._run(key, peek=True)

    def _run(self, key: str, **ask: Any) -> RateGrant | None:
        ask["now"] = False if self._now is None else self._now()
        given = (1, f"{self._prefix}:{{{key}}}", json.dumps(ask))
        try:
            found = self._client.evalsha(_DIGEST, *given)
        except self._not_loaded:
            found = self._client.eval(_SCRIPT, *given)
        if found is None:
            return None
        permits, wait, left, holders, waiting, window, limit, remaining, ends = json.loads(found)
        report = None
        if remaining >= 0:
            report = RateReport(window, SCOUT_SECONDS, limit, remaining, ends)
        return RateGrant(permits, wait, left, holders, waiting, report)


def _client(address: str) -> Any:
    """Return a client that gives up soon: who waits for a store waits for a count only."""
    from redis import Redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    made: Any = Redis  # whose arguments have no types
    scheme, separator, rest = address.partition("://")
    scheme = {"valkey": "redis", "valkeys": "rediss"}.get(scheme, scheme)
    try:
        return made.from_url(
            f"{scheme}{separator}{rest}",
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            # Once: a connection may be old. To say the same again does no harm.
            retry=Retry(NoBackoff(), 1),
        )
    except (ValueError, TypeError):
        # Not shown: it may hold a password.
        raise ConfigurationError(
            "server must be an address such as valkey://host:6379/0, and this one cannot be read"
        ) from None
