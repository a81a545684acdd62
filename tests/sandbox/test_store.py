"""The store of all objects, in memory and in a file: what is put in comes out, or nothing is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from social_publishing_sandbox.state.store import BadDatabase, Store

TABLES = [
    "users",
    "groups",
    "accounts",
    "labels",
    "media",
    "notes",
    "posts",
    "details",
    "activities",
]
MIDDLE = 2**63
"""The identifier whose key is 0: those below it have keys below."""


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "db" if request.param == "file" else None)) as made:
        yield made
    assert made.closed


def filled(store: Store) -> list[dict[str, str]]:
    """More labels than a statement takes keys, of which one has the key 0."""
    labels = [{"id": str(MIDDLE + number)} for number in range(-600, 601)]
    store.labels.put_many([(each,) for each in labels])
    return labels


def test_an_object_is_found_whatever_its_identifier(store: Store) -> None:
    labels = filled(store)
    assert [store.labels.get(each["id"]) for each in labels] == labels
    assert (
        store.labels.get(str(MIDDLE + 601)) is store.labels.get("") is store.labels.get("x") is None
    )
    for number in (0, 1, 2, 499, 500, 501, 1000, 1001, 1201):
        some = labels[600 - number // 2 :][:number]
        asked = [*(each["id"] for each in some), "x", f"0{MIDDLE}", "1"]
        assert store.labels.many(asked) == {each["id"]: each for each in some}
        keys = [store.key(each["id"]) for each in some]
        assert store.labels.where_in("key", [each for each in keys if each is not None]) == some
    assert store.labels.many([str(MIDDLE)]) == {str(MIDDLE): {"id": str(MIDDLE)}}
    assert store.labels.where("key < ? ORDER BY key DESC", [-598]) == labels[1::-1]
    assert store.labels.count() == 1201 and store.labels.count("key >= ?", [0]) == 601
    store.labels.put({"id": str(MIDDLE), "name": "again"})
    store.labels.remove(str(MIDDLE + 1))
    assert store.labels.where("key BETWEEN 0 AND 1") == [{"id": str(MIDDLE), "name": "again"}]


def test_columns_are_where_they_belong(store: Store) -> None:
    store.users.put({"id": "1"}, "secret")
    store.accounts.put({"id": "2"}, 7)
    store.notes.put({"id": "3"}, 10, 20)
    store.posts.put({"id": "4"}, 25, None, True)
    store.details.put({"id": "5"}, 4, 0)
    store.activities.put({"id": "6"}, 4)
    for table, condition in [
        *(
            ("users", "token = 'secret'"),
            ("accounts", "group_key = 7"),
            ("details", "position = 0"),
        ),
        *(("notes", "starts = 10 AND ends = 20"), ("details", "post_key = 4")),
        *(("posts", "status = 25 AND at IS NULL AND for_client"), ("activities", "post_key = 4")),
    ]:
        assert getattr(store, table).count(condition) == 1, table


@pytest.mark.parametrize("value", [0, False, "", [], {}, None, {"now": 1.5}])
def test_a_value_of_the_whole_is_kept_as_it_is(store: Store, value: Any) -> None:
    assert store.meta("one") is None
    store.set_meta("one", value)
    store.set_meta("other", "more")
    assert store.meta("one") == value and type(store.meta("one")) is type(value)


@pytest.mark.parametrize("wrong", [ValueError, KeyboardInterrupt])
def test_all_of_a_transaction_is_stored_or_nothing(
    store: Store, wrong: type[BaseException]
) -> None:
    with suppress(wrong), store.transaction():
        store.set_meta("outer", 1)
        with store.transaction():
            store.set_meta("inner", 1)
        raise wrong
    assert store.meta("outer") is store.meta("inner") is None
    with store.transaction(), store.transaction():
        store.set_meta("inner", 2)
    assert store.meta("inner") == 2 and not store.connection.in_transaction


def test_what_is_dumped_can_be_loaded_by_any(store: Store, tmp_path: Path) -> None:
    labels = filled(store)
    store.execute("INSERT INTO due VALUES (1, 'date', 2)")
    kept = store.dump()
    with closing(Store()) as memory, closing(Store(tmp_path / "other")) as file:
        for other in (memory, file, store):
            other.set_meta("gone", 1)
            other.load(kept)
            assert other.labels.where("1 ORDER BY key") == labels and other.meta("gone") is None
            other.set_meta("more", 1)
    store.empty()
    for name in (*TABLES, "due", "meta", "post_accounts", "post_labels"):
        assert store.execute(f"SELECT count(*) FROM {name}").fetchone() == (0,), name


def test_a_file_that_is_no_database_of_this_version_is_refused(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "kept")) as store:
        assert store.fresh
        store.set_meta("one", 1)
        with pytest.raises(BadDatabase, match=r"kept: is in use by another sandbox$"):
            Store(tmp_path / "kept")
    with closing(Store(tmp_path / "kept")) as store:
        assert not store.fresh and store.meta("one") == 1
    (tmp_path / "text").write_text("no database, though it is long enough for one" * 9)
    for name, sql in (("other", "CREATE TABLE a (b)"), ("new", "PRAGMA user_version = 2")):
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            connection.executescript(f"CREATE TABLE one (two); {sql}")
    for name, reason in (
        *(("text", "file is not a database"), ("nowhere/db", "unable to open database file")),
        *((name, "is not a database of this version of the sandbox") for name in ("other", "new")),
    ):
        with pytest.raises(BadDatabase) as caught:
            Store(tmp_path / name)
        assert str(caught.value) == f"{tmp_path / name}: {reason}"
