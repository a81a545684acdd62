"""`--sandbox`: a service that stands at the same moment on every day, until it is moved."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread
import pytest
from cli_support import GROUP, PROGRAM, Command, environment, rows_of, write
from mcp import Client, StdioServerParameters
from mcp_support import Assistant, Desk, Person

from social_publishing_cli import sandboxes, session
from social_publishing_sandbox import Sandbox

FIRST = "the sandbox stands at Tuesday, 2026-12-01 09:00 UTC"
EXPORT = ("export", "posts", "--group", GROUP, "--month", "2026-12")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOCIAL_PUBLISHING_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("SOCIAL_PUBLISHING_JOURNALS", str(tmp_path / "journals"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "config"


def test_every_command_says_at_which_moment_it_stands(run_command: Command, home: Path) -> None:
    first, second = (run_command("--sandbox", *EXPORT) for _ in range(2))
    assert first.err == f"{FIRST}; it is kept in {home / 'sandbox.db'}\n"
    assert second.err == f"{FIRST}\n" and second.out == first.out
    assert len(first.out.splitlines()) == 8
    assert run_command("--sandbox", "--quiet", *EXPORT).err == ""


@pytest.mark.parametrize(("month", "count"), [("2026-10", "1 post"), ("2026-12", "8 posts")])
def test_what_was_written_is_counted(run_command: Command, month: str, count: str) -> None:
    words = ("export", "posts", "--group", GROUP, "--month", month, "-o", "posts.csv")
    assert f"\n{count} written to posts.csv\n" in run_command("--sandbox", *words).err


def test_its_clock_is_moved_forward_and_never_back(run_command: Command) -> None:
    def scheduled(*words: str) -> int:
        ended = run_command(*words, *EXPORT, "--jq", 'select(.status == "scheduled") | .id')
        assert ended.status == 0, ended.err
        return len(ended.out.splitlines())

    assert scheduled("--sandbox") == 6
    assert scheduled("--sandbox-now", "2026-12-12 10:00 in Europe/Berlin") < 6
    left = scheduled("--sandbox")
    back = run_command("--sandbox-now", "2026-12-11T09:00Z", *EXPORT)
    assert (back.status, back.out) == (1, "")
    assert "stands at Saturday, 2026-12-12 09:00 UTC" in back.err
    assert "social-publishing sandbox reset" in back.err
    assert scheduled("--sandbox") == left  # and nothing was changed
    for moment in ("9999-01-01T00:00Z", "1969-12-31T23:59Z"):
        ended = run_command("--sandbox-now", moment, *EXPORT)
        assert ended.status == 1 and "--sandbox-now" in ended.err


def test_reset_forgets_what_was_changed(run_command: Command, home: Path) -> None:
    assert run_command("sandbox", "reset").err.startswith(FIRST)
    before = run_command("--sandbox", *EXPORT).out
    ids = run_command("--sandbox", *EXPORT, "--jq", ".id").out.split()
    assert run_command("--sandbox", "posts", "delete-many", *ids, "--yes").status == 0
    assert run_command("--sandbox", *EXPORT).out == ""
    (home / "sandbox.db.files" / "seen.bin").write_bytes(b"of an upload")
    assert run_command("sandbox", "reset").err.startswith(FIRST)
    assert run_command("--sandbox", *EXPORT).out == before
    assert not [*home.rglob("seen.bin")]
    moved = run_command("sandbox", "reset", "--sandbox-now", "2031-03-05T12:00+01:00")
    assert moved.err.startswith("the sandbox stands at Wednesday, 2031-03-05 11:00 UTC; it is kept")
    # Beside a database, SQLite has files while one of this process's connections is open.
    beside = ("-shm", "-wal", ".lock")
    kept = [each.name for each in home.iterdir() if not each.name.endswith(beside)]
    assert sorted(each for each in kept if "files" not in each) == ["rates.db", "sandbox.db"]


def test_a_reset_that_is_refused_forgets_nothing(run_command: Command, home: Path) -> None:
    assert run_command("sandbox", "reset").status == 0
    ids = run_command("--sandbox", *EXPORT, "--jq", ".id").out.split()
    assert run_command("--sandbox", "posts", "delete-many", ids[0], "--yes").status == 0
    (home / "sandbox.db.files" / "seen.bin").write_bytes(b"kept")
    files = {each.relative_to(home) for each in home.rglob("*")}
    for moment in ("9999-01-01T00:00Z", "1969-12-31T23:59Z", "tomorrow"):
        ended = run_command("sandbox", "reset", "--sandbox-now", moment)
        assert ended.status in (1, 2) and "--sandbox-now" in ended.err
        assert {each.relative_to(home) for each in home.rglob("*")} == files
        assert run_command("--sandbox", *EXPORT, "--jq", ".id").out.split() == ids[1:]


def test_all_names_of_the_sandbox_are_known(run_command: Command, tmp_path: Path) -> None:
    """A sheet shows labels by name, and takes them so."""
    export = ("export", "posts", "--group", GROUP, "--columns", "all", "-o", "posts.csv")
    assert run_command("--sandbox", *export).status == 0
    rows = rows_of(tmp_path / "posts.csv")
    name = next(row["labels"] for row in rows if row["labels"] and "," not in row["labels"])
    number = next(
        n for n, row in enumerate(rows) if not row["labels"] and row["status"] != "published"
    )
    rows[number]["label_ids"] = name
    write(tmp_path / "posts.csv", rows)
    assert run_command("--sandbox", "plan", "posts.csv", "--exit-code").status == 2
    kinds = run_command("--sandbox", "names", "--jq", ".kind").out.split()
    assert {*kinds} == {"group", "account", "label", "user"}


def test_what_was_applied_is_forgotten_with_the_sandbox(
    run_command: Command, tmp_path: Path
) -> None:
    """A plan that was applied to the old sandbox can be applied to the new one."""
    assert run_command("--sandbox", *EXPORT, "-o", "posts.csv").status == 0
    first, second, *rest = rows_of(tmp_path / "posts.csv")
    write(tmp_path / "posts.csv", [first | {"name": "a"}, second | {"name": "b"}, *rest])
    assert run_command("--sandbox", "plan", "posts.csv", "-o", "posts.plan").status == 0
    assert run_command("--sandbox", "apply", "posts.plan").err.endswith(
        "2 done, 0 in conflict, 0 failed, 0 left\n"
    )
    refused = run_command("sandbox", "reset", "--sandbox-now", "9999-01-01T00:00Z")
    assert (
        refused.status == 1
        and "2 done before" in run_command("--sandbox", "apply", "posts.plan").err
    )
    assert run_command("sandbox", "reset").status == 0
    assert "no plan has been applied" in run_command("status").err
    assert run_command("--sandbox", "apply", "posts.plan").err.endswith(
        "2 done, 0 in conflict, 0 failed, 0 left\n"
    )


def test_what_is_past_is_past_in_the_sandbox(run_command: Command, tmp_path: Path) -> None:
    """A time between the moment of the sandbox and today is to come; today does not count."""
    assert run_command("sandbox", "reset", "--sandbox-now", "2019-12-01T09:00Z").status == 0
    words = ("export", "posts", "--group", GROUP, "--month", "2019-12")
    assert run_command("--sandbox", *words, "-o", "posts.csv").status == 0
    rows = [row for row in rows_of(tmp_path / "posts.csv") if row["status"] == "scheduled"]
    rows[0]["publication_date"], rows[1]["publication_date"] = (
        "2019-12-30 09:00",
        "2019-11-30 09:00",
    )
    write(tmp_path / "posts.csv", rows[:2])
    ended = run_command("--sandbox", "plan", "posts.csv", "--jq", ".warning")
    assert ["in the past" in line for line in ended.out.splitlines()] == [False, True], ended


@pytest.mark.parametrize(
    ("minutes", "at", "reason"),
    [
        ((5, 12), 12, "goes out 7 min after row 2"),
        (
            (-1500, 12),
            12,
            "goes out 12 min after row 2: the date of row 2 is past, and a rehearsal ",
        ),
        ((-1500, -30), 0, "goes out 0 min after row 2: both dates are past, and a rehearsal "),
        ((None, -30), 0, "goes out 20 min after row 2: its date is past, and a rehearsal "),
    ],
)
def test_what_goes_out_late_collides_at_the_time_that_is_told(
    run_command: Command,
    home: Path,
    tmp_path: Path,
    minutes: tuple[int | None, ...],
    at: int,
    reason: str,
) -> None:
    """A rehearsal publishes a post with a past date at once, and says so of whichever has one."""
    assert run_command("sandbox", "reset").status == 0
    with Sandbox(db=home / "sandbox.db", clock="frozen") as made, made.client() as client:
        client.posts.delete_many(ids=[str(each.id) for each in made.find("posts")])
        accounts = made.find("social_accounts", group_id=GROUP, socialNetwork="threads")
        account = accounts[0].id
        now = made.now + timedelta(minutes=20)
        for number, after in enumerate(minutes):
            date = made.now if after is None else now + timedelta(days=5 + number)
            made.create_post(
                content=f"post {number}",
                selected_account_ids=[account],
                publication_date=date,
                status="SCHEDULED",
            )
        made.advance(minutes=20)
    assert run_command("--sandbox", *EXPORT[:4], "-o", "posts.csv").status == 0
    rows = rows_of(tmp_path / "posts.csv")
    for row, after in zip(rows, minutes, strict=True):
        if after is not None:
            local = (now + timedelta(minutes=after)).astimezone(ZoneInfo("Europe/Berlin"))
            row["publication_date"] = f"{local:%Y-%m-%d %H:%M}"
    write(tmp_path / "posts.csv", rows)
    words = ("plan", "posts.csv", "--rehearse", "--output", "json")

    [found] = json.loads(run_command("--sandbox", *words).out)
    assert datetime.fromisoformat(found["when"]) == now + timedelta(minutes=at)
    assert found["reason"].startswith(reason)
    assert found["reason"].endswith("that at once" if min(m or 0 for m in minutes) < 0 else reason)


@pytest.mark.parametrize("year", [2019, 2031])
def test_now_is_the_moment_of_the_sandbox(run_command: Command, tmp_path: Path, year: int) -> None:
    """Whichever command asks what time it is, long before today or after it."""
    assert run_command("sandbox", "reset", "--sandbox-now", f"{year}-12-01T09:00Z").status == 0
    month = ("--group", GROUP, "--month", f"{year}-12")
    calendar = run_command("--sandbox", "calendar", "--group", GROUP)
    assert calendar.out == run_command("--sandbox", "calendar", *month).out != ""
    metrics = run_command("--sandbox", "metrics", *month, "--chart")
    assert f"is not over: it is {year}-12-01 09:00 UTC" in metrics.out
    assert run_command("--sandbox", "export", "posts", *month, "-o", "posts.csv").status == 0
    rehearsed = run_command("--sandbox", "plan", "posts.csv", "--rehearse")
    assert "13 of 15 publications go out" in rehearsed.err


@pytest.mark.parametrize("year", [2019, 2031])
def test_now_is_the_moment_of_the_sandbox_for_an_assistant(
    run_command: Command, tmp_path: Path, year: int
) -> None:
    assert run_command("sandbox", "reset", "--sandbox-now", f"{year}-12-01T09:00Z").status == 0
    scheduled = ("--month", f"{year}-12", "--jq", 'select(.status == "scheduled") | .id')
    past, future, *_ = run_command("--sandbox", *EXPORT[:4], *scheduled).out.split()
    changes = [
        {"post_id": past, "publication_date": f"{year}-11-30 09:00"},
        {"post_id": future, "publication_date": f"{year}-12-30 09:00"},
    ]

    async def work(it: Assistant) -> Any:
        return await it.call("plan_changes", group_id=GROUP, changes=changes, rehearse=True)

    told = Desk(tmp_path / "journals").run(work, sandbox=True)
    warned = {row["id"]: "in the past" in str(row.get("warnings")) for row in told.rows}
    assert (warned[past], warned[future]) == (True, False)
    assert "13 of 15 publications go out" in told.words


def test_a_file_is_ready_at_once(run_command: Command, tmp_path: Path) -> None:
    """Where no time passes, nothing may take some."""
    (tmp_path / "clip.mp4").write_bytes(bytes(5000))
    ended = run_command(
        "--sandbox", "media", "upload", "clip.mp4", "--wait", "--jq", ".is_processing"
    )
    assert (ended.status, ended.out) == (0, "false\n")


@contextmanager
def serving(*words: str) -> Iterator[subprocess.Popen[str]]:
    """A server of assistants with the sandbox, which listens."""
    with subprocess.Popen(
        [*PROGRAM, "--sandbox", "mcp", "--allow-writes", "--group", GROUP, *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        env=environment(),
    ) as server:  # fmt: skip
        try:
            assert server.stderr and "the sandbox stands at" in server.stderr.readline()
            yield server
        finally:
            server.kill()


def test_a_terminal_works_on_the_sandbox_of_a_server_of_assistants(
    run_command: Command, tmp_path: Path, home: Path
) -> None:
    """By the line that the server gives; and after the server was killed on the file again."""
    server = StdioServerParameters(
        command=PROGRAM[0], args=[*PROGRAM[1:], "--sandbox", "mcp", "--allow-writes"],
        env=environment(), cwd=str(tmp_path),
    )  # fmt: skip

    async def run() -> None:
        async with Client(server) as client:
            it = Assistant(client)
            rows = (await it.call("find_posts", group_id=GROUP, status=["scheduled"])).rows
            for number, post in enumerate([row["id"] for row in rows][:2]):
                changes = [{"post_id": post, "name": f"renamed {number}"}]
                made = await it.call("plan_changes", group_id=GROUP, changes=changes)
                refused = await it.call("apply_plan", plan_id=made.words.split()[1])
                line = (
                    refused.words.replace("FOLDER", "journals").partition("terminal: ")[2].split()
                )
                assert line[:2] == ["social-publishing", "--sandbox"], refused.words
                ended = await anyio.to_thread.run_sync(run_command, *line[1:], "--yes")
                assert ended.status == 0 and "1 done" in ended.err, ended.err
                assert "as a server of assistants has it" in ended.err
                [read] = (await it.call("read_posts", post_ids=[post])).rows
                assert read["name"] == f"renamed {number}"
            for words in (EXPORT, ("doctor",), ("undo", "--yes"), ("names",)):
                ended = await anyio.to_thread.run_sync(run_command, "--sandbox", *words)
                assert ended.status == 0, ended.err
            [read] = (await it.call("read_posts", post_ids=[post])).rows
            assert read.get("name") != "renamed 1"

    anyio.run(run)
    assert not (home / "sandbox.db.address").exists()
    assert run_command("--sandbox", *EXPORT).out.count("renamed") == 1


def test_a_server_that_begins_while_the_sandbox_begins_anew_keeps_what_it_has(
    run_command: Command, home: Path
) -> None:
    assert run_command("--sandbox", *EXPORT).status == 0
    with ExitStack() as stack:
        with pytest.raises(KeyError), session.sandbox_anew():
            server = stack.enter_context(Sandbox(db=home / "sandbox.db"))
            made = server.create_post(content="of the server")
            raise KeyError
        assert server.find("posts", id=made.id)
    with Sandbox(db=home / "sandbox.db") as again:
        assert again.find("posts", id=made.id)


def test_what_a_killed_reset_left_is_cleared_unless_one_is_under_way(
    run_command: Command, home: Path
) -> None:
    killed = """
import os
from social_publishing_cli.session import sandbox_anew
with sandbox_anew():
    os._exit(9)
"""
    own = home / ".sandbox-notes.txt"
    for words in (EXPORT, ("doctor",)):
        assert run_command("--sandbox", *EXPORT).status == 0
        own.write_text("of somebody else")
        subprocess.run([sys.executable, "-c", killed], env=environment())
        assert [each for each in home.glob(".sandbox-*") if each != own]
        assert run_command("--sandbox", *words).status == 0
        assert [*home.glob(".sandbox-*")] == [own]
    with pytest.raises(KeyError), session.sandbox_anew():
        [aside] = {*home.glob(".sandbox-*")} - {own}
        assert run_command("--sandbox", *EXPORT).status == 0 and aside.exists()
        refused = run_command("sandbox", "reset")
        assert refused.status == 1 and "try again once it has ended" in refused.err
        raise KeyError
    assert [*home.glob(".sandbox-*")] == [own]


def test_what_sends_byte_by_byte_for_ever_keeps_nobody_waiting(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in a head nor in a body: the time is that of the whole response."""
    monkeypatch.setattr(sandboxes, "_PATIENCE", 0.5)
    home.mkdir()
    ended = threading.Event()

    def drip(begins: bytes) -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            connection.sendall(begins)
            while not ended.wait(0.05):
                connection.sendall(b"1")

    for begins in (b"HTTP/1.1 200 OK\r\nx: ", b"HTTP/1.1 200 OK\r\n\r\n"):
        ended.clear()
        with socket.create_server(("127.0.0.1", 0)) as listener:
            dripping = threading.Thread(target=drip, args=[begins], daemon=True)
            dripping.start()
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            names = ("base_url", "media_url", "token", "control_url", "control_token")
            address = home / "sandbox.db.address"
            address.write_text(json.dumps(dict.fromkeys(names, url)))
            asked = threading.Thread(
                target=sandboxes.running, args=[home / "sandbox.db"], daemon=True
            )
            asked.start()
            asked.join(20)
            assert not asked.is_alive()
            ended.set()
            dripping.join()


@pytest.mark.parametrize("words", [(), ("--http", "0")])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_asked_to_end_takes_its_address_away(
    home: Path, words: tuple[str, ...], number: signal.Signals
) -> None:
    with serving(*words) as server:
        address = home / "sandbox.db.address"
        assert server.stdin and server.stdout and server.stderr
        if words:
            assert "serving" in server.stderr.readline() + server.stderr.readline()
        else:  # a response shows that it serves
            message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            server.stdout.readline()
        assert address.exists()
        server.send_signal(number)
        assert server.wait(600) == 128 + number
        assert not address.exists()


def test_an_address_takes_the_place_of_a_link(home: Path) -> None:
    home.mkdir()
    own, path = home / "own", home / "sandbox.db"
    own.write_text("mine")
    (home / "sandbox.db.address").symlink_to(own)
    assert sandboxes.running(path) is None
    with Sandbox(db=path) as sandbox, sandboxes.shared(path, sandbox):
        other = sandboxes.running(path)
        assert other and other.base_url == sandbox.base_url
    assert own.read_text() == "mine" and not (home / "sandbox.db.address").is_symlink()


@pytest.mark.parametrize("words", [(), ("--http", "0")])
def test_a_killed_server_of_assistants_leaves_nothing_in_the_way(
    run_command: Command, home: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "_TRIES", 1)
    address = home / "sandbox.db.address"
    with serving(*words), serving(*words):  # a second one works on that of the first
        shared = address.read_text()
        assert address.stat().st_mode & 0o077 == 0
        ended = run_command("--sandbox", *EXPORT)
        assert (ended.status, len(ended.out.splitlines())) == (0, 8), ended.err
        ended = run_command("--sandbox-now", "2026-12-12T09:00Z", *EXPORT)
        assert ended.status == 1 and "a server of assistants uses the sandbox" in ended.err
        ended = run_command("sandbox", "reset")
        assert ended.status == 1 and "try again once it has ended" in ended.err
        for wrong in (
            "",
            "{}",
            shared.replace("control_token", "other"),
            shared.replace(': "', ': "x'),
            "[" * 100_000,
            None,
        ):
            address.unlink()
            address.write_text(wrong) if wrong is not None else os.mkfifo(address)
            ended = run_command("--sandbox", *EXPORT)
            assert ended.status == 1 and "try again once it has ended" in ended.err
        address.unlink()
        address.write_text(shared)
    assert address.exists()
    assert run_command("--sandbox", *EXPORT).err == f"{FIRST}\n"
    assert run_command("sandbox", "reset").status == 0


def test_who_worked_on_the_sandbox_of_a_server_that_ends_goes_on_with_it(tmp_path: Path) -> None:
    """Of two that are left, one takes it over and the other uses that, whichever is first."""
    words = [*PROGRAM[1:], "--sandbox", "mcp", "--group", GROUP, "--allow-writes"]
    server = StdioServerParameters(
        command=PROGRAM[0], args=words, env=environment(), cwd=str(tmp_path)
    )
    names = set()

    async def rename(it: Assistant, post: str, name: str) -> None:
        changes = [{"post_id": post, "name": name}]
        made = await it.call("plan_changes", changes=changes)
        assert not made.failed, made.text
        ended = await it.call("apply_plan", plan_id=made.words.split()[1])
        assert not ended.failed, ended.text
        names.add(name)

    async def kept(it: Assistant, posts: list[str]) -> set[str]:
        return {row["name"] for row in (await it.call("read_posts", post_ids=posts)).rows}

    async def run() -> None:
        async def connected() -> Assistant:
            client = Client(server, elicitation_callback=Person())
            return Assistant(await stack.enter_async_context(client))

        async with AsyncExitStack() as stack:
            with serving():
                second, third = await connected(), await connected()
                rows = (await second.call("find_posts", status=["scheduled"])).rows
                posts = [row["id"] for row in rows][:4]
                await rename(second, posts[0], "while the first was there")
            async with anyio.create_task_group() as both:
                both.start_soon(rename, second, posts[1], "by the second")
                both.start_soon(rename, third, posts[2], "by the third")
            for it in (second, third):
                assert await kept(it, posts[:3]) == names
        assert len(names) == 3

    anyio.run(run)
