"""The rate store in a file: what every store does, and what is its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from runtime.core.errors import ConfigurationError
from runtime.limits.file_rates import FileRates
from runtime.limits.ledger import Message, RateStore
from runtime.limits.valkey_rates import ValkeyRates
from store_suite import StoreSuite

DAMAGED = b"SQLite format 3\0 and nothing that follows" * 50
ASKING = Message("a", 1, 0.0, 0, 60, 60.0, asks=[False])


class TestFileRates(StoreSuite):
    @pytest.fixture(autouse=True)
    def _in_folder(self, tmp_path: Path) -> None:
        self.path = tmp_path / "rates.db"

    def store(self, now: Callable[[], float]) -> RateStore:
        return FileRates(self.path, now=now)


@pytest.mark.parametrize(
    ("store", "place"), [(FileRates, "rates.db"), (ValkeyRates, SimpleNamespace(eval=print))]
)
def test_what_may_happen_without_the_store_is_named(store: Any, place: Any) -> None:
    assert store(place, on_lost="closed").on_lost == "closed"
    with pytest.raises(ConfigurationError, match="on_lost must be 'small', 'closed' or 'open'"):
        store(place, on_lost="wide")


def test_a_change_that_fails_leaves_the_file_free(tmp_path: Path) -> None:
    one, other = (FileRates(tmp_path / "rates.db") for _ in range(2))
    with pytest.raises(ZeroDivisionError):
        one.change("a", lambda _: bytes(1 // 0))
    other.change("a", lambda kept: b"" if kept else b"first")


def test_a_file_that_is_none_fails_and_works_when_it_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "rates.db"
    for nothing in (None, b""):
        if nothing is not None:
            path.write_bytes(nothing)
        store = FileRates(path)
    path.write_bytes(DAMAGED)
    store = FileRates(path)
    with pytest.raises(sqlite3.DatabaseError, match="not a database"):
        store.reserve("user", ASKING)
    path.unlink()
    assert len(store.reserve("user", ASKING).scouts) == 1


@pytest.mark.parametrize("other", ["a diary, and no database at all", "SQLite format 4\0", "x"])
def test_a_path_that_can_never_work_is_refused_at_once(tmp_path: Path, other: str) -> None:
    (tmp_path / "diary.txt").write_text(other)
    (tmp_path / "folder").mkdir()
    for name, reason in (
        ("diary.txt", r"path: .*diary\.txt is no SQLite file; name one of its own$"),
        ("folder", r"path: .*folder is a folder; name a file in it$"),
        ("none/rates.db", r"path: there is no folder .*none$"),
    ):
        with pytest.raises(ConfigurationError, match=reason):
            FileRates(tmp_path / name)
    assert (tmp_path / "diary.txt").read_text() == other


def test_nobody_changes_the_file_while_another_decides(tmp_path: Path) -> None:
    store = FileRates(tmp_path / "rates")
    decided = []

    def decide(kept: bytes | None) -> bytes:
        other = sqlite3.connect(tmp_path / "rates", timeout=0)
        with closing(other), pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        decided.append(kept)
        return b"kept"

    for _ in range(2):
        store.change("a user", decide)
    assert decided == [None, b"kept"]


def test_users_who_sent_nothing_for_a_day_are_forgotten(tmp_path: Path) -> None:
    now = [1000.0]
    store = FileRates(tmp_path / "rates.db", now=lambda: now[0])
    store.reserve("long ago", ASKING)
    now[0] += 2 * 86_400
    store.reserve("today", ASKING)
    with sqlite3.connect(tmp_path / "rates.db") as file:
        assert file.execute("SELECT key FROM rates").fetchall() == [("today",)]
