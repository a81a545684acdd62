"""The service behind both APIs: its state, its clock, and what happens when time passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state import ids, times
from social_publishing_sandbox.state.clock import Clock
from social_publishing_sandbox.state.documents import Contract, Json, Operation
from social_publishing_sandbox.state.given import Given, Unread
from social_publishing_sandbox.state.rate_limit import RateLimit
from social_publishing_sandbox.state.store import Store
from social_publishing_sandbox.state.transitions import Transitions
from social_publishing_sandbox.state.views import View


class Call(NamedTuple):
    """One request to one operation, checked against the documents.

    Attributes:
        user: the user that the token belongs to.
        values: the typed parameters by name; what was not given is missing. What is given, here and
            in the body, and that the handler does not read, ends the call with status 501.
        body: the JSON body, or None.
        address: the request's own address without its query, for the links of a page.
        query: the query as it came.
    """

    operation: Operation
    user: Json
    values: Given
    body: Any
    address: str
    query: str

    @property
    def id(self) -> str:
        """The identifier in the path; the documents call it differently from path to path."""
        name = next(each.name for each in self.operation.parameters if each.place == "path")
        value: str = self.values[name]
        return value

    def by_gap(self, gap: str) -> Any:
        """Return the value of the parameter that fills this gap, or None."""
        return self.values.get(self.operation.parameter(gap) or "")

    def check_read(self) -> None:
        """Refuse to pass over what is documented.

        Raises:
            Unread: the handler has not read all that was given.
        """
        ids = {each.name for each in self.operation.parameters if each.place == "path"}
        unread = [name for name in self.values.unread() if name not in ids]
        if isinstance(self.body, Given) and self.operation.body:
            known = self.operation.document.properties(self.operation.body)
            unread += [name for name in self.body.unread() if name in known]
        if unread:
            raise Unread(
                f"The sandbox does not read {' and '.join(unread)} of {self.operation.id}: its"
                " handler, in social_publishing_sandbox/api/operations, must do what that asks for."
            )


@dataclass(slots=True)
class Settings:
    """The settings that users of the sandbox may change.

    Attributes:
        seed: decides everything that looks random.
        nulls: fields without a value are sent as null; else they are left out.
        processing: seconds of the sandbox's clock that the processing of a file takes, or None for
            a time by its size.
        fetch_hosts: the hosts from which a file may be uploaded by its address; `*` is any.
        fetch_private: whether such a host may be in the local network.
    """

    seed: int = 7
    nulls: bool = False
    processing: float | None = None
    fetch_hosts: tuple[str, ...] = ()
    fetch_private: bool = False


class Service:
    """All state, and what the operations share.

    Args:
        store: the state; hold its lock while you work with the service.

    Attributes:
        assume: what both documents assume (`x-assume`).
        codes: the codes of the states of a post, by name (§3).
        organization: the organization, as the world format has it.
        origins: scheme, host and port of each API, by its name; set once they are known.
        listeners: called with every change, once it is stored.
    """

    def __init__(
        self,
        contract: Contract,
        store: Store,
        clock: Clock,
        limits: RateLimit,
        files: Path,
        settings: Settings,
    ) -> None:
        self.contract = contract
        self.store = store
        self.clock = clock
        self.limits = limits
        self.files = files
        self.settings = settings
        self.assume: Json = {**contract.media.assume, **contract.main.assume}
        self.transitions = Transitions(contract.main)
        self.codes = self.transitions.code
        self.origins = {"main": "http://main.sandbox.test", "media": "http://media.sandbox.test"}
        self.listeners: list[Callable[[str, Json], None]] = []
        self._news: list[tuple[str, Json]] | None = None  # of the change that is under way
        self._handlers: dict[str, Callable[[Service, str], None]] = {}
        self._moment: int | None = None
        self._next_due: int | None = None
        self._views: dict[str, View] = {}
        self._users: dict[str, Json] = {}
        self._saved = 0
        self.reload()

    # Time

    def now(self) -> int:
        """Return the moment in milliseconds; inside of an event, the moment at which it happens."""
        return self.clock.now() if self._moment is None else self._moment

    def on(self, kind: str, handler: Callable[[Service, str], None]) -> None:
        """Name the function that carries out events of a kind; it is given the object's id."""
        self._handlers[kind] = handler

    def plan(self, at: int, kind: str, identifier: str) -> None:
        """Let an event happen at this moment, or at once if it has passed."""
        key = ids.key(identifier)
        self.store.execute("INSERT OR IGNORE INTO due VALUES (?, ?, ?)", (at, kind, key))
        self._next_due = at if self._next_due is None else min(at, self._next_due)

    def unplan(self, identifier: str) -> None:
        """Take back every event of an object."""
        self.store.execute("DELETE FROM due WHERE key = ?", (ids.key(identifier),))

    def tick(self) -> bool:
        """Let everything happen that is due by now, in its order and each at its own moment.

        Returns:
            Whether anything was due.
        """
        now = self.clock.now()
        if self._next_due is None or self._next_due > now or self._moment is not None:
            return False
        try:
            with self.change():
                due = "SELECT at, kind, key FROM due WHERE at <= ? ORDER BY at, key, kind LIMIT 1"
                while row := self.store.execute(due, (now,)).fetchone():
                    at, kind, key = row
                    self.store.execute(
                        "DELETE FROM due WHERE at = ? AND kind = ? AND key = ?", (at, kind, key)
                    )
                    self._moment = at
                    self._handlers[kind](self, ids.of_key(key))
        finally:
            self._moment = None
            self._look_ahead()
        return True

    def _look_ahead(self) -> None:
        self._next_due = self.store.execute("SELECT min(at) FROM due").fetchone()[0]

    def next_moment(self) -> int | None:
        """Return when the next planned event happens, in milliseconds, or None."""
        self._look_ahead()  # what was planned may have been taken back
        return self._next_due

    # State

    @contextmanager
    def change(self) -> Iterator[None]:
        """Store all changes inside as a whole and then announce them, or none."""
        if self._news is not None:  # within a larger one
            yield
            return
        self._news = news = list[tuple[str, Json]]()
        try:
            with self.store.transaction():
                yield
                if self._sequence.last != self._saved:
                    self.store.set_meta("last_id", str(self._sequence.last))
                    self._saved = self._sequence.last
        except BaseException:
            self.reload()
            raise
        finally:
            self._news = None
        for event, facts in news:
            self._spread(event, facts)

    def reload(self) -> None:
        """Read again what is kept in memory; the store has been changed from outside."""
        self._sequence = ids.Sequence(int(self.store.meta("last_id") or 0))
        self._saved = self._sequence.last
        self.organization: Json = self.store.meta("organization") or {}
        self._users.clear()
        self._look_ahead()

    def new_id(self) -> str:
        """Return a new identifier of this moment."""
        return self._sequence.next(self.now())

    def user_of(self, token: str) -> Json | None:
        """Return the user that a token belongs to."""
        user = self._users.get(token)
        if user is None:
            owners = self.store.users.where("token = ?", (token,))
            if not owners:
                return None
            user = self._users[token] = owners[0]
        return user

    def with_tokens(self) -> list[tuple[Json, str | None]]:
        """Return every user with the token, the owner first, then the oldest."""
        rows = self.store.execute("SELECT doc, token FROM users ORDER BY key")
        users = [(orjson.loads(doc), token) for doc, token in rows]
        return sorted(users, key=lambda user: user[0].get("role") != "owner")

    def emit(self, event: str, facts: Json) -> None:
        """Announce a change to all listeners; within a change, at its end."""
        with self.store.lock:
            if self._news is None:
                self._spread(event, facts)
            else:
                self._news.append((event, facts))

    def _spread(self, event: str, facts: Json) -> None:
        for listener in self.listeners:
            listener(event, facts)

    # What is shown

    def view(self, schema: str) -> View:
        """Return how objects of a schema are shown."""
        view = self._views.get(schema)
        if view is None:
            main = self.contract.main
            view = self._views[schema] = View(main, schema, nulls=self.settings.nulls)
        return view

    def documented(self, fields: Json, *schemas: str) -> Json:
        """Return those of the fields that objects of each of the schemas have; they are read."""
        known = [self.contract.main.schema(each)["properties"] for each in schemas]
        kept = {name: value for name, value in fields.items() if all(name in of for of in known)}
        if isinstance(fields, Given):
            fields.mark(kept)
        return kept

    def show_nulls(self, nulls: bool) -> None:
        """Choose whether fields without a value are null or left out."""
        self.settings.nulls = nulls
        self._views.clear()


def dated(service: Service, ms: int) -> int:
    """Return the same moment, if it lies in the years that the documents give (`limits.dates`)."""
    years: list[int] | None = service.assume.get("limits", {}).get("years")
    if years and not years[0] <= times.year(ms) <= years[1]:
        raise ValueError(f"must be between {years[0]} and {years[1]}")
    return ms


def stamp(service: Service) -> str:
    """Return the present moment as text."""
    return times.text(service.now())
