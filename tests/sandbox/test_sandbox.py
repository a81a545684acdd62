"""The life of a sandbox: how it begins, ends, goes on from a file, and stands beside others."""

from __future__ import annotations

import contextlib
import gc
import json
import re
import socket
import sqlite3
import tempfile
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from wire import Wire

from social_publishing_sandbox import BadDatabase, BadWorld, ControlError, Sandbox, worlds
from social_publishing_sandbox.api import transport
from social_publishing_sandbox.state import times

TINY = {"format": 1, "users": [{"token": "secret", "name": "Ada", "role": "owner"}]}


# Arguments


@pytest.mark.parametrize(
    ("arguments", "reason", "field"),
    [
        ({"clock": "fast"}, "clock must be real, frozen, or x and a number", "clock"),
        ({"now": "soon"}, "now must be a date-time such as 2026-12-01T09:00:00Z", "now"),
        ({"now": "1931-01-01T00:00:00Z"}, "now must be between 1970 and 20", "now"),
        ({"rate_limit": 0}, "rate_limit must be a whole number, at least 1", "rate_limit"),
        ({"processing": -1}, "processing must be seconds", "processing"),
        ({"nulls": "yes"}, "nulls must be true or false", "nulls"),
        ({"fetch_hosts": "example.com"}, "fetch_hosts must be a list of hosts", "fetch_hosts"),
        ({"port": 65_536}, "port must be a number from 0 to 65535", "port"),
        ({"port": 9001, "media_port": 9001}, "media_port must differ", "media_port"),
        ({"control_token": ""}, "control_token must be at least one character", "control_token"),
        ({"documents": "/nowhere"}, "documents: /nowhere/main.json: No such file", "documents"),
    ],
)
def test_arguments_that_cannot_be(arguments: dict[str, Any], reason: str, field: str) -> None:
    with pytest.raises(ControlError) as caught:
        Sandbox(**arguments)
    assert str(caught.value).startswith(reason)
    assert caught.value.field == field


def test_documents_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents, temporary = tmp_path / "documents", tmp_path / "temporary"
    documents.mkdir()
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    for name in ("main.json", "media.json"):
        (documents / name).write_text("{}")
    with pytest.raises(ControlError, match=r"documents: .*main\.json: is not an OpenAPI"):
        Sandbox(documents=documents)
    assert not list(temporary.iterdir())


def test_a_world_that_there_is_not_names_those_that_there_are() -> None:
    with pytest.raises(BadWorld, match=r"smal: there is no world.*small, agency, odd"):
        Sandbox("smal")


def test_a_seeded_world_stands_at_the_start_of_a_frozen_clock_else_at_the_full_hour() -> None:
    now, hour = "2027-03-01T09:34:56Z", "2027-03-01T09:00:00Z"
    for clock, moment in (("frozen", now), ("real", hour)):
        with contextlib.closing(Sandbox("small", clock=clock, now=now)) as sandbox:
            made = worlds.make("small", seed=7, now=times.parse(moment))
            assert sandbox.world()["media"] == made["media"]
            assert sandbox.world()["now"] >= now


# Beginning and end


def test_closing_twice_and_entering_twice() -> None:
    sandbox = Sandbox(clock="frozen")
    with sandbox:
        with sandbox:
            inner = sandbox.base_url
        assert httpx2.get(f"{inner}/posts").status_code == 401, "the inner block does not close"
    assert sandbox.closed
    sandbox.close()
    sandbox.stop()


def test_what_is_due_is_no_error_of_a_program_that_ends() -> None:
    """Where nobody closes the sandbox, its server goes on for a moment after its state."""
    sandbox = Sandbox(clock="real")
    sandbox._finalizer()
    sandbox._tick()


USES: list[Callable[[Sandbox], Any]] = [
    lambda each: each.token,
    lambda each: each.find("posts"),
    lambda each: each.advance(days=1),
    lambda each: each.set_clock(mode="real"),
    lambda each: each.next_event(),
    lambda each: each.create_label(name="x"),
    lambda each: each.read_post("1"),
    lambda each: each.approve("1"),
    lambda each: each.world(),
    lambda each: each.reset(),
    lambda each: each.snapshot(),
    lambda each: each.restore("x"),
    lambda each: each.limit(3),
    lambda each: each.budgets(),
    lambda each: each.start(),
    lambda each: each.__enter__(),
]


@pytest.mark.parametrize("use", USES)
def test_a_closed_sandbox_says_so(use: Callable[[Sandbox], Any]) -> None:
    sandbox = Sandbox(clock="frozen")
    sandbox.close()
    with pytest.raises(RuntimeError, match=r"^the sandbox is closed$"):
        use(sandbox)
    assert repr(sandbox) == "<Sandbox, closed>"


@pytest.mark.parametrize("kind", ["drop-before", "drop-after"])
def test_a_request_is_in_the_log_before_its_connection_drops(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged = []
    drop = transport.drop

    async def noted(*arguments: Any, **more: Any) -> None:
        logged.append(len(sandbox.requests(operation="getGroup")))
        await drop(*arguments, **more)

    monkeypatch.setattr(transport, "drop", noted)
    with Sandbox(clock="frozen") as sandbox:
        group = sandbox.find("groups")[0]["id"]
        with sandbox.fault(kind, operations="getGroup"), pytest.raises(httpx2.RemoteProtocolError):
            Wire(sandbox)("GET", f"/groups/{group}")
    assert logged == [1]


def test_temporary_files_go_with_the_sandbox() -> None:
    sandbox = Sandbox(clock="frozen")
    folder = sandbox.service.files
    assert folder.is_dir()
    sandbox.close()
    assert not folder.exists()

    forgotten = Sandbox(clock="frozen")
    folder, gone = forgotten.service.files, weakref.ref(forgotten)
    del forgotten
    gc.collect()
    assert gone() is None
    assert not folder.exists()


def test_a_sandbox_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(BadWorld) as caught:  # which holds on to what was half made
        Sandbox({"format": 1, "users": [{}]})
    assert not list(tmp_path.iterdir())
    assert caught


def test_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        sandbox = Sandbox(clock="frozen", media_port=port)
        with pytest.raises(OSError, match=f"media_port {port} of 127.0.0.1 is not available"):
            sandbox.start()
    sandbox.start()
    assert httpx2.get(sandbox.media_url).status_code == 404, "it can be started once there is room"
    sandbox.close()


def test_nothing_that_is_printed_shows_a_token() -> None:
    with Sandbox(clock="frozen") as sandbox:
        shown = repr(sandbox)
        assert sandbox.base_url in shown
        assert sandbox.control_token not in shown
        assert not any(each in shown for each in sandbox.tokens.values())


def test_many_threads_at_once() -> None:
    """Requests, control and looking, all at the same time: nothing is lost, nothing breaks."""
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        headers = {"authorization": f"Bearer {sandbox.token}"}

        def create(number: int) -> None:
            sandbox.create_label(name=f"by control {number}")

        def post(number: int) -> None:
            body = {"name": f"by request {number}"}
            response = httpx2.post(f"{sandbox.base_url}/labels", json=body, headers=headers)
            assert response.status_code == 200, response.text

        def look(number: int) -> None:
            sandbox.world()
            sandbox.restore(sandbox.snapshot()) if number == 0 else sandbox.advance(seconds=1)

        with ThreadPoolExecutor(8) as pool:
            work = [pool.submit(each, n) for n in range(1, 25) for each in (create, post, look)]
            for each in work:
                each.result(timeout=600)
        names = [each["name"] for each in sandbox.find("labels")]
        assert sum(name.startswith("by ") for name in names) == 48
        identifiers = [each["id"] for each in sandbox.find("labels")]
        assert len(set(identifiers)) == len(identifiers)


# A file


def test_a_file_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "state.db"
    with Sandbox(clock="frozen", db=file, seed=11) as sandbox:
        assert not sandbox.resumed
        token = sandbox.token
        post = sandbox.create_post(content="kept")
        moment = sandbox.advance(days=3, minutes=1)
        world = sandbox.world()
    with Sandbox("agency", clock="frozen", db=file, seed=12) as sandbox:
        assert sandbox.resumed
        assert sandbox.now == moment
        assert sandbox.token == token
        assert sandbox.read_post(post["id"])["content"] == "kept"
        assert sandbox.world() == world
        label = sandbox.create_label(name="new")
        assert int(label["id"]) > int(post["id"]), "identifiers go on growing"


@pytest.mark.parametrize("days", [-400, 400])
def test_a_real_clock_goes_on_from_the_later_of_the_file_and_the_present(
    tmp_path: Path, days: int
) -> None:
    file, present = tmp_path / "state.db", datetime.now(UTC)
    with Sandbox(clock="frozen", db=file, now=present + timedelta(days)) as sandbox:
        kept = sandbox.now
    for clock, least in (("frozen", kept), ("real", max(kept, present))):
        with Sandbox(clock=clock, db=file) as sandbox:
            assert least <= sandbox.now < least + timedelta(hours=1)
            goes_on = any(sandbox.now > least for _ in range(100_000))
            assert goes_on is (clock == "real")


def test_whatever_moves_the_clock_is_in_the_state_at_once(own: Sandbox) -> None:
    """Who is killed then goes on from there."""
    name = own.snapshot()
    for step in (
        lambda: own.advance(days=3),
        lambda: own.set_clock(own.now + timedelta(hours=1)),
        lambda: own.restore(name),
        lambda: own.reset(seed=8),
    ):
        step()
        kept = own.service.store.meta("state")
        assert kept == {"now": round(own.now.timestamp() * 1000), "seed": own.service.settings.seed}


def test_snapshots_and_reset_with_a_file(tmp_path: Path) -> None:
    file = tmp_path / "state.db"
    with Sandbox(clock="frozen", db=file) as sandbox:
        before, kept = sandbox.world(), sandbox.snapshot()
        sandbox.create_post(content="more")
        sandbox.advance(days=2)
        sandbox.restore(kept)
        assert sandbox.world() == before
        sandbox.create_post(content="other")
        with pytest.raises(BadWorld, match="at least one user"):
            sandbox.reset({"format": 1})
        assert sandbox.find("posts", content="other")
    with Sandbox(clock="frozen", db=file) as sandbox:
        assert sandbox.find("posts", content="other") and not sandbox.find("posts", content="more")
        sandbox.reset()
        assert sandbox.world() == before
    assert sqlite3.connect(file).execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("form", ["name", "dict", "file"])
def test_a_reset_of_a_file_returns_to_the_world_it_was_made_from(tmp_path: Path, form: str) -> None:
    """After a restart, too, even if the world's own file is gone."""
    db, file = tmp_path / "state.db", tmp_path / "tiny.json"
    file.write_text(json.dumps(TINY))
    world: Any = {"name": "odd", "dict": TINY, "file": file}[form]
    with Sandbox(world, clock="frozen", db=db, seed=3, now="2026-05-04T03:02:01Z") as sandbox:
        first = sandbox.world()
    file.unlink()
    for again in range(2):
        with Sandbox("agency", clock="frozen", db=db) as sandbox:
            sandbox.create_label(name="more")
            sandbox.advance(days=2)
            sandbox.reset()
            assert sandbox.world() == first, again
    with Sandbox(clock="frozen", db=db) as sandbox:
        kept = sandbox.snapshot()
        sandbox.reset("small")
        other = sandbox.world()
        sandbox.restore(kept)
        assert sandbox.world() == first
    with Sandbox(clock="frozen", db=db) as sandbox:
        sandbox.reset()
        assert sandbox.world() == other, "a reset to another world is the new beginning"


def test_one_file_has_one_sandbox(tmp_path: Path) -> None:
    file = tmp_path / "state.db"
    with Sandbox(clock="frozen", db=file), pytest.raises(BadDatabase, match="in use by another"):
        Sandbox(clock="frozen", db=file)


def test_files_that_are_no_databases(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("These are notes. " * 100)
    with pytest.raises(BadDatabase, match=r"notes\.txt: file is not a database"):
        Sandbox(db=text)
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE mine (x)").connection.close()
    with pytest.raises(BadDatabase, match=r"other\.db: is not a database of this version"):
        Sandbox(db=other)
    with pytest.raises(BadDatabase, match="unable to open"):
        Sandbox(db=tmp_path / "missing" / "state.db")
    assert text.read_text().startswith("These are notes.")


@pytest.mark.parametrize("page", [0, 1, 2, -2])
def test_a_damaged_file_is_refused_as_what_it_is(tmp_path: Path, page: int) -> None:
    file = tmp_path / "state.db"
    Sandbox(clock="frozen", db=file).close()
    content = bytearray(file.read_bytes())
    start = page * 4096 % len(content) + (100 if page == 0 else 0)  # the header stays
    content[start : start + 2000] = bytes(2000)
    file.write_bytes(content)
    with pytest.raises(
        BadDatabase, match=r"state\.db: is damaged; .*, or remove it to start anew$"
    ):
        Sandbox(db=file)
    assert file.read_bytes() == content


def test_a_world_with_faults_does_not_spoil_the_file(tmp_path: Path) -> None:
    file = tmp_path / "state.db"
    with pytest.raises(BadWorld, match="at least one user"):
        Sandbox({"format": 1}, db=file)
    with Sandbox(TINY, db=file) as sandbox:
        assert sandbox.token == "secret"


# What is imported


def test_what_the_package_exports() -> None:
    import social_publishing_sandbox

    for name in social_publishing_sandbox.__all__:
        assert getattr(social_publishing_sandbox, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'Sandbix'"):
        social_publishing_sandbox.Sandbix  # noqa: B018
    assert re.fullmatch(r"\d+\.\d+\.\d+", social_publishing_sandbox.__version__)
