"""The state: objects as JSON in sqlite, with the columns that are searched beside them.

A stored object has the documented fields that have a value, and members that only the sandbox
knows; their names begin with `_`, and nobody is shown them:

| of | member | what it is |
|---|---|---|
| post | `_comments`, `_tasks`, `_approvals` | relations that are kept with the post |
| post | `_fails` | why it will fail when its time comes |
| post | `_released_at` | when it was sent on its way after its time, in milliseconds since 1970 |
| calendar note | `_series` | the name of the series that it belongs to, or null |
| media | `_folder`, `_thumbnail` | where its files are; no `_folder`: they are drawn |
| media | `_ready`, `_ready_at` | the members that it gets when it is processed, and when that is |
| media | `_error` | why it cannot be processed |
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state import ids
from social_publishing_sandbox.state.errors import SandboxError

Json = dict[str, Any]

_SCHEMA: Final = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE users (key INTEGER PRIMARY KEY, token TEXT UNIQUE, doc BLOB NOT NULL);
CREATE TABLE groups (key INTEGER PRIMARY KEY, doc BLOB NOT NULL);
CREATE TABLE accounts (key INTEGER PRIMARY KEY, group_key INTEGER NOT NULL, doc BLOB NOT NULL);
CREATE INDEX accounts_of_group ON accounts (group_key);
CREATE TABLE labels (key INTEGER PRIMARY KEY, doc BLOB NOT NULL);
CREATE TABLE media (key INTEGER PRIMARY KEY, doc BLOB NOT NULL);
CREATE TABLE notes (
    key INTEGER PRIMARY KEY, starts INTEGER NOT NULL, ends INTEGER NOT NULL, doc BLOB NOT NULL
);
CREATE INDEX notes_by_start ON notes (starts);
CREATE TABLE posts (
    key INTEGER PRIMARY KEY, status INTEGER NOT NULL, at INTEGER, for_client INTEGER NOT NULL,
    doc BLOB NOT NULL
);
CREATE INDEX posts_by_status ON posts (status);
CREATE INDEX posts_by_date ON posts (at);
CREATE TABLE details (
    key INTEGER PRIMARY KEY, post_key INTEGER NOT NULL, position INTEGER NOT NULL, doc BLOB NOT NULL
);
CREATE INDEX details_of_post ON details (post_key, position);
CREATE TABLE post_accounts (
    account_key INTEGER, post_key INTEGER, PRIMARY KEY (account_key, post_key)
) WITHOUT ROWID;
CREATE INDEX accounts_of_post ON post_accounts (post_key);
CREATE TABLE post_labels (
    label_key INTEGER, post_key INTEGER, position INTEGER, PRIMARY KEY (label_key, post_key)
) WITHOUT ROWID;
CREATE INDEX labels_of_post ON post_labels (post_key, position);
CREATE TABLE activities (
    key INTEGER, post_key INTEGER, doc BLOB NOT NULL, PRIMARY KEY (post_key, key)
) WITHOUT ROWID;
CREATE TABLE due (at INTEGER NOT NULL, kind TEXT NOT NULL, key INTEGER NOT NULL,
    PRIMARY KEY (at, kind, key)) WITHOUT ROWID;
CREATE INDEX due_of_object ON due (key);
"""
_FORMAT: Final = 1  # of the schema above, kept as sqlite's user_version
_SET_META: Final = "INSERT OR REPLACE INTO meta VALUES (?, ?)"
_IN: Final = 500  # keys in one IN (…)


class BadDatabase(SandboxError):
    """A file is not a database of this sandbox; the message says why.

    Attributes:
        is_in_use: whether it is one that another sandbox has open.
    """

    def __init__(self, message: str, is_in_use: bool = False) -> None:
        super().__init__(message)
        self.is_in_use = is_in_use


class Table:
    """One kind of object."""

    def __init__(self, store: Store, name: str, columns: Sequence[str] = ()) -> None:
        self._store = store
        names = ("key", *columns, "doc")
        marks = ", ".join("?" * len(names))
        sets = ", ".join(f"{each} = excluded.{each}" for each in names[1:])
        self.name = name
        self._get = f"SELECT doc FROM {name} WHERE key = ?"
        self._add = f"INSERT INTO {name} ({', '.join(names)}) VALUES ({marks})"
        # Not REPLACE, which takes every index entry out and puts it in again.
        self._put = f"{self._add} ON CONFLICT DO UPDATE SET {sets}"
        self._remove = f"DELETE FROM {name} WHERE key = ?"

    def get(self, identifier: str) -> Json | None:
        """Return the object with this identifier, or None; any text may be asked for."""
        key = self._store.key(identifier)
        if key is None:
            return None
        row = self._store.execute(self._get, (key,)).fetchone()
        return None if row is None else orjson.loads(row[0])

    def many(self, identifiers: Iterable[str]) -> dict[str, Json]:
        """Return the objects with these identifiers that there are, by identifier."""
        keys = [key for each in identifiers if (key := self._store.key(each)) is not None]
        if not keys:
            return {}
        if len(keys) == 1:
            row = self._store.execute(self._get, keys).fetchone()
            return {} if row is None else {(doc := orjson.loads(row[0]))["id"]: doc}
        return {doc["id"]: doc for doc in self.where_in("key", keys)}

    def where(self, condition: str = "1", values: Sequence[Any] = ()) -> list[Json]:
        """Return the objects that meet a condition on the columns, given as SQL."""
        sql = f"SELECT doc FROM {self.name} WHERE {condition}"
        return [orjson.loads(doc) for (doc,) in self._store.execute(sql, values)]

    def where_in(self, column: str, keys: Sequence[int], order: str = "key") -> list[Json]:
        """Return the objects whose column holds one of these keys."""
        objects: list[Json] = []
        for start in range(0, len(keys), _IN):
            chunk = keys[start : start + _IN]
            marks = ", ".join("?" * len(chunk))
            objects += self.where(f"{column} IN ({marks}) ORDER BY {order}", chunk)
        return objects

    def put(self, doc: Json, *columns: Any) -> None:
        """Store an object under its `id`, with the values of its columns."""
        key = ids.key(doc["id"])
        self._store.execute(self._put, (key, *columns, orjson.dumps(doc)))

    def put_many(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Store new objects, each followed by the values of its columns."""
        made = ((ids.key(doc["id"]), *columns, orjson.dumps(doc)) for doc, *columns in rows)
        self._store.connection.executemany(self._add, made)

    def remove(self, identifier: str) -> None:
        """Remove the object with this identifier."""
        self._store.execute(self._remove, (ids.key(identifier),))

    def count(self, condition: str = "1", values: Sequence[Any] = ()) -> int:
        """Return how many objects meet a condition on the columns."""
        sql = f"SELECT count(*) FROM {self.name} WHERE {condition}"
        number: int = self._store.execute(sql, values).fetchone()[0]
        return number


class Store:
    """All objects, in memory or in a file.

    One thread works at a time: hold `lock` around everything that belongs together.

    Args:
        file: the database file, or None to keep all of it in memory.

    Attributes:
        lock: to be held while one works with it; one thread may take it several times.
        connection, execute: sqlite's own, for what is not about whole objects.
        fresh: nothing was stored there before.

    Raises:
        BadDatabase: the file is no database of this sandbox, or cannot be opened.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.lock = threading.RLock()
        self.file = file
        self.closed = False
        try:
            self.connection = sqlite3.connect(
                file or ":memory:", timeout=1, isolation_level=None, check_same_thread=False
            )
            with ExitStack() as opened:
                opened.callback(self.connection.close)  # it would go on holding a lock
                self.fresh = self._open()
                opened.pop_all()
        except sqlite3.Error as error:
            is_in_use = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
            reason = "is in use by another sandbox" if is_in_use else str(error)
            if "malformed" in reason:
                reason = "is damaged; put a copy in its place, or remove it to start anew"
            raise BadDatabase(f"{file}: {reason}", is_in_use) from error
        self.execute = self.connection.execute
        self.users = Table(self, "users", ("token",))
        self.groups = Table(self, "groups")
        self.accounts = Table(self, "accounts", ("group_key",))
        self.labels = Table(self, "labels")
        self.media = Table(self, "media")
        self.notes = Table(self, "notes", ("starts", "ends"))
        self.posts = Table(self, "posts", ("status", "at", "for_client"))
        self.details = Table(self, "details", ("post_key", "position"))
        self.activities = Table(self, "activities", ("post_key",))

    def _open(self) -> bool:
        if self.file:
            # An acknowledged write is in the log before its response leaves: killing loses nothing.
            self.connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # nobody else changes it
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")
        version = self.connection.execute("PRAGMA user_version").fetchone()[0]
        tables = self.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version == _FORMAT:
            if self.connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise sqlite3.DatabaseError("malformed")
            return False
        if tables:
            raise BadDatabase(f"{self.file}: is not a database of this version of the sandbox")
        self.connection.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {_FORMAT}; COMMIT;")
        return True

    @staticmethod
    def key(identifier: str) -> int | None:
        """Return the key of an identifier; None for a text that cannot be one."""
        return ids.key(identifier) if ids.is_one(identifier) else None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Store everything inside as a whole, or not at all."""
        if self.connection.in_transaction:
            yield
            return
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:  # sqlite ends it itself where the disk is full
                self.execute("ROLLBACK")
            raise

    def meta(self, name: str) -> Any:
        """Return a value that belongs to the whole, or None."""
        row = self.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else orjson.loads(row[0])

    def set_meta(self, name: str, value: Any) -> None:
        """Keep a value that belongs to the whole."""
        self.execute(_SET_META, (name, orjson.dumps(value)))

    def empty(self) -> None:
        """Remove everything."""
        for (name,) in self.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
        ).fetchall():
            self.execute(f"DELETE FROM {name}")

    def dump(self) -> bytes:
        """Return the whole database as bytes, for `load`."""
        dumped = self.connection.serialize()
        # Two bytes of the header ask for a write-ahead log, which there is none of in memory.
        return dumped[:18] + b"\1\1" + dumped[20:] if self.file else dumped

    def load(self, dumped: bytes, whole: Json | None = None) -> None:
        """Replace everything by what `dump` gave, with other values that belong to the whole."""
        loaded = self.connection
        if self.file:
            loaded = sqlite3.connect(":memory:", isolation_level=None)
        try:
            loaded.deserialize(dumped)
            for name, value in (whole or {}).items():
                loaded.execute(_SET_META, (name, orjson.dumps(value)))
            if self.file:
                loaded.backup(self.connection)  # all of it, or nothing
        finally:
            if self.file:
                loaded.close()

    def close(self) -> None:
        """Close the database."""
        self.closed = True
        self.connection.close()
