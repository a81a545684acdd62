"""The command, as people and scripts use it."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx2
import pytest
from wire import PROGRAM, environment

import social_publishing_sandbox
from social_publishing_sandbox import Sandbox, cli, running

Process = subprocess.Popen[str]


def begin(
    *arguments: str | Path,
    folder: Path | None = None,
    shell: Sequence[str] = (),
    options: Sequence[str] = (),
) -> Process:
    """Begin the command.

    Args:
        folder: for temporary files.
        shell: a command that runs it.
        options: of Python.
    """
    return subprocess.Popen(
        [*shell, PROGRAM[0], *options, *PROGRAM[1:], *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**({"TMPDIR": str(folder)} if folder else {})),
    )


@contextlib.contextmanager
def serving(
    *arguments: str | Path, shell: Sequence[str] = ()
) -> Iterator[tuple[Process, dict[str, Any]]]:
    """A served sandbox, and what it says about itself."""
    process = begin("serve", "--json", *arguments, shell=shell)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.communicate(timeout=600)
        yield process, json.loads(line)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=600)


@pytest.mark.skipif(os.name != "posix", reason="there, BROWSER is no program")
def test_open_shows_the_console(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser, seen = tmp_path / "browser", tmp_path / "seen"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}.new && mv {seen}.new {seen}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    with serving("--open") as (_, facts):
        for _ in range(200):
            if seen.exists():
                break
            time.sleep(0.05)
        assert seen.read_text().strip() == facts["console_url"]


def client(facts: dict[str, Any]) -> httpx2.Client:
    headers = {"authorization": f"Bearer {facts['tokens']['owner']}"}
    return httpx2.Client(base_url=facts["base_url"], headers=headers, timeout=10)


def control(facts: dict[str, Any]) -> httpx2.Client:
    headers = {"authorization": f"Bearer {facts['control_token']}"}
    return httpx2.Client(base_url=facts["control_url"], headers=headers, timeout=10)


# Without serving


def said(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """Exit status, output and complaints of a run in this process."""
    try:
        status = cli.main([str(each) for each in arguments])
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "--help")
    assert status == 0
    commands = ("serve", "run", "world", "record", "replay")
    for word in (*commands, "examples:"):
        assert word in out
    assert said(capsys) == said(capsys, "--help")
    assert said(capsys, "--version")[1].split() == [
        "social-publishing-sandbox",
        social_publishing_sandbox.__version__,
    ]
    for command in commands:
        status, out, _ = said(capsys, command, "--help")
        assert status == 0
        assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["serve", "--world", "none.json"], "none.json: there is no world"),
        (["serve", "--world", "bad.json"], "bad.json: line 1: "),
        (["serve", "--db", "no/state.db"], "unable to open database file"),
        (["serve", "--host", "300.0.0.1"], "--host '300.0.0.1' is not available"),
        (["serve", "--cors", "localhost:3000"], "--cors must be a list of origins"),
        (["world", "huge"], "invalid choice: 'huge'"),
        (["world", "small", "--seed", str(2**63)], "--seed must be a whole number of at most 63"),
        (["replay", "none"], "none"),
        (["record", "-o", "out"], "the following arguments are required: --upstream-base"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.json").write_text("{" + " " * 4096)
    status, out, err = said(capsys, *arguments)
    lines = [each for each in err.splitlines() if not each.startswith("Preparing")]
    assert (status, out, len(lines)) == (2, "", 1), err
    assert lines[0].startswith("social-publishing-sandbox")
    assert reason in lines[0]


def test_a_world_to_edit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    status, out, err = said(capsys, "world", "small", "--seed", "3")
    assert (status, err) == (0, "")
    world = json.loads(out)
    world["labels"][0]["name"] = "edited"
    file.write_text(json.dumps(world), encoding="utf-8")
    with Sandbox(file, clock="frozen") as sandbox:
        assert sandbox.find("labels", name="edited")


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="there is no such device")
@pytest.mark.parametrize("arguments", [["serve"], ["serve", "--json"], ["world", "small"]])
def test_output_that_cannot_be_written(arguments: list[str]) -> None:
    ended = subprocess.run(
        [*PROGRAM, *arguments],
        stdout=FULL.open("w"),
        stderr=subprocess.PIPE,
        text=True,
        timeout=600,
        check=False,
        env=environment(),
    )
    name = f"social-publishing-sandbox {arguments[0]}"
    reason = "standard output: No space left on device"
    assert (ended.returncode, ended.stderr) == (2, f"{name}: {reason}\n")


def test_serving_prints_what_to_paste_and_keeps_it_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "sandbox.env"
    process = begin("serve", "--env", file)
    assert process.stdout is not None
    try:
        printed = []
        while not printed or "Ctrl-C" not in printed[-1]:
            printed.append(process.stdout.readline())
        given = dict(line.split()[1].split("=", 1) for line in printed if "export " in line)
        assert dict(line.split("=", 1) for line in file.read_text().splitlines()) == given
        headers = {"authorization": f"Bearer {given['SOCIAL_PUBLISHING_API_TOKEN']}"}
        for address in ("BASE_URL", "MEDIA_URL"):
            url = given[f"SOCIAL_PUBLISHING_{address}"]
            assert httpx2.get(f"{url}/nothing", headers=headers).status_code == 404
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=600)
    assert not file.exists()


def test_a_page_of_an_origin_that_is_named_may_call() -> None:
    mine, other = "http://localhost:3000", "http://localhost:4000"
    asked = {"access-control-request-method": "PATCH"}
    with Sandbox(cors=[mine]) as sandbox, httpx2.Client(base_url=sandbox.base_url) as wire:
        before = wire.options("/posts/7", headers={**asked, "origin": mine})
        assert before.headers["access-control-allow-origin"] == mine
        assert "PATCH" in before.headers["access-control-allow-methods"]
        assert int(before.headers["x-ratelimit-reset"]) > 0, "every response (§8)"
        assert before.headers["x-ratelimit-remaining"] == before.headers["x-ratelimit-limit"]
        for origin, allowed in ((mine, mine), (other, None)):
            response = wire.get("/posts-bulk?ids=7", headers={"origin": origin})
            assert response.headers.get("access-control-allow-origin") == allowed
    with Sandbox() as sandbox:
        response = httpx2.get(f"{sandbox.media_url}/x", headers={"origin": mine})
        assert "access-control-allow-origin" not in response.headers


def test_whoever_stops_reading_gets_no_traceback() -> None:
    process = begin("world", "small")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.read(10).startswith("{")
    process.stdout.close()
    assert process.wait(600) == 1
    assert process.stderr.read() == ""
    process.stderr.close()


# Serving


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_serving_until_it_is_asked_to_end(number: signal.Signals) -> None:
    process = begin("serve", "--clock", "frozen", "--rate-limit", "off", "--control-token", "opens")
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip())
        if "Ctrl-C" in line:
            break
    text = "\n".join(lines)
    assert "clock frozen, 2026-12-01 09:00 UTC; no rate limit." in text
    found = {line.split()[0]: line.split() for line in lines if line.startswith("  ")}
    assert found["tokens"][1] == "owner"
    headers = {"authorization": f"Bearer {found['tokens'][2]}"}
    assert httpx2.get(f"{found['main'][2]}/posts", headers=headers).status_code == 422
    assert httpx2.get(found["console"][1]).status_code == 303
    opened = {"authorization": "Bearer opens"}
    assert httpx2.get(f"{found['control'][1]}/clock", headers=opened).json()["mode"] == "frozen"
    process.send_signal(number)
    out, err = process.communicate(timeout=600)
    assert (process.returncode, out, err) == (0, "", "")


IMPORTED = ("argparse", "sqlite3", "orjson", "uvicorn", "social_publishing_sandbox.worlds.loading")


@pytest.mark.parametrize("module", IMPORTED)
def test_ctrl_c_while_it_begins_is_quiet(tmp_path: Path, module: str) -> None:
    """Python says when it has imported a module: the signal comes in the middle of the next one."""
    process = begin("serve", folder=tmp_path, options=["-X", "importtime"])
    assert process.stderr is not None
    too_late = threading.Timer(10, process.kill)
    too_late.start()
    assert any(line.rstrip().endswith(f" {module}") for line in process.stderr)
    process.send_signal(signal.SIGINT)
    rest = process.stderr.read()  # communicate() would begin in the middle of a line
    process.communicate(timeout=600)
    too_late.cancel()
    assert process.returncode in (-signal.SIGINT, 130, 0)
    assert all(line.startswith("import time:") for line in rest.splitlines()), rest
    assert list(tmp_path.iterdir()) == []


def test_a_world_that_is_half_made_leaves_nothing(tmp_path: Path) -> None:
    process = begin("serve", "--world", "agency", folder=tmp_path)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("Preparing the world agency")
    until = time.monotonic() + 600
    # A file alone is Python trying whether it may write there.
    while not any(map(Path.is_dir, tmp_path.iterdir())) and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=600) == ("", "")
    assert process.returncode == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_who_started_it_with_nohup_wants_it_to_stay() -> None:
    with serving(shell=["nohup"]) as (process, facts):
        process.send_signal(signal.SIGHUP)
        time.sleep(0.2)
        assert client(facts).get("/posts").status_code == 422


def test_a_second_interrupt_ends_it_at_once() -> None:
    """An upload that never ends keeps the first one waiting for a while."""
    with serving() as (process, facts):
        host, _, port = facts["media_url"].split("/")[2].partition(":")
        with socket.create_connection((host, int(port)), timeout=10) as hanging:
            head = (
                f"POST /api/v1/upload HTTP/1.1\r\nHost: {host}\r\n"
                f"Authorization: Bearer {facts['tokens']['owner']}\r\nContent-Length: 999\r\n"
                "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
            )
            hanging.sendall(head.encode())
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.5)
            process.send_signal(signal.SIGINT)
            assert process.wait(2) == 128 + signal.SIGINT


def test_settings_reach_the_sandbox(tmp_path: Path) -> None:
    world = tmp_path / "world.json"
    given = {"format": 1, "users": [{"token": "mine", "role": "owner"}]}
    world.write_text(json.dumps({**given, "now": "2026-03-01T00:00:00Z"}))
    options = ["--rate-limit", "9", "--nulls", "--processing", "2", "--allow-private"]
    hosts = ["--allow-fetch", "a.example", "--allow-fetch", "*.b.example"]
    with serving("--world", world, "--clock", "frozen", *options, *hosts) as (_, facts):
        assert facts["tokens"] == {"owner": "mine"}
        assert facts["now"] == "2026-03-01T00:00:00+00:00"
        with control(facts) as api:
            assert api.get("/settings").json() == {
                "rate_limit": 9,
                "nulls": True,
                "processing": 2.0,
                "fetch_hosts": ["a.example", "*.b.example"],
                "fetch_private": True,
            }


def test_a_state_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "state.db"
    with Sandbox(db=file, clock="frozen") as sandbox:
        sandbox.advance(days=2)
    process = begin("serve", "--db", file, "--clock", "frozen", "--seed", "99")
    assert process.stdout is not None
    text = ""
    while "Ctrl-C" not in text:
        text += process.stdout.readline()
    assert f"Continuing with {file}" in text
    assert "2026-12-03 09:00 UTC" in text
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)


def test_killing_loses_no_write_that_was_answered(tmp_path: Path) -> None:
    file = tmp_path / "state.db"
    answered: dict[str, str] = {}
    with serving("--db", file, "--clock", "frozen", "--rate-limit", "off") as (process, facts):
        with control(facts) as api:
            posts = [api.post("/posts", json={"content": "0"}).json()["id"] for _ in range(4)]

        def write(post: str) -> None:
            with contextlib.suppress(httpx2.TransportError), client(facts) as api:
                for number in range(1, 1_000_000):
                    response = api.patch(f"/posts/{post}", json={"content": str(number)})
                    assert response.json()["content"] == str(number)
                    answered[post] = str(number)

        writers = [threading.Thread(target=write, args=(post,)) for post in posts]
        for writer in writers:
            writer.start()
        last = time.monotonic() + 600
        while len(answered) < len(posts) or sum(map(int, answered.values())) < 200:
            assert time.monotonic() < last, answered
            time.sleep(0.01)
        process.kill()
        for writer in writers:
            writer.join(600)
    with Sandbox(db=file, clock="frozen") as sandbox:
        for post, content in answered.items():
            kept = sandbox.read_post(post)["content"]
            assert kept in (content, str(int(content) + 1)), "at most one write was not answered"
        before = sandbox.find("posts")
        made = sandbox.create_post(content="after")
        assert made["id"] not in {each["id"] for each in before}
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_what_was_recorded_is_replayed(tmp_path: Path) -> None:
    """The sandbox stands for the service, so that every step goes through the command."""
    recording = tmp_path / "recording"
    with Sandbox(clock="frozen") as sandbox:
        group = sandbox.find("groups")[0]["id"]
        headers = {"authorization": f"Bearer {sandbox.token}"}
        service = ("--upstream-base", sandbox.base_url, "--upstream-media", sandbox.media_url)
        process = begin("record", *service, "-o", recording)
        base = _line(process, "main API:")
        recorded = httpx2.get(f"{base}/groups/{group}", headers=headers)
        assert recorded.status_code == 200
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
        assert (process.returncode, err) == (0, "")
        assert "1 interaction in" in out
        assert sandbox.token not in "".join(
            each.read_text() for each in recording.rglob("*") if each.is_file()
        )
    process = begin("replay", recording)
    base = _line(process, "main API:")
    again = httpx2.get(f"{base}/groups/{group}", headers={"authorization": "Bearer any"})
    assert again.json()["id"] == recorded.json()["id"]
    process.send_signal(signal.SIGTERM)
    assert process.wait(600) == 0
    process.communicate()


def _line(process: Process, start: str) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(start):
            address = line.split()[-1]
            # The greeting is complete when the last line of it has come.
            for rest in process.stdout:
                if rest.startswith(("recording to", "replaying")):
                    return address
    raise AssertionError(process.communicate(timeout=600))


def test_what_is_said_of_a_sandbox_that_is_ready(
    golden: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the terminal, to programs and to a command's environment; also of one that goes on."""
    monkeypatch.setattr(cli, "_EXPORT", "  export {}={}")  # as it is on most systems
    sessions, said = Path(__file__).parent / "sessions", []
    given: dict[str, Any] = {"clock": "frozen", "control_token": "control", "db": tmp_path / "kept"}
    for limit in (None, 30):
        world = sessions / "world.yaml" if limit is None else "small"
        with contextlib.closing(Sandbox(world, rate_limit=limit, **given)) as sandbox:
            said.append(cli._greeting(sandbox, argparse.Namespace(db="kept")))
            shown = json.loads(cli._greeting_json(sandbox))
            assert shown.pop("pid") == os.getpid()
            said.append(json.dumps(shown))
    before = {"no_proxy": "a.example", "SOCIAL_PUBLISHING_API_TOKEN": "old", "PATH": "/bin"}
    with contextlib.closing(Sandbox(**given)) as sandbox:
        sandbox.service.origins |= {"main": "http://[::1]:8001", "media": "http://[::1]:8002"}
        said += (f"{name}={value}" for name, value in running.environment(sandbox, before).items())
    golden(sessions / "ready.lines", "\n".join([*said, ""]))


def test_a_file_for_a_client_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    with contextlib.closing(Sandbox(clock="frozen")) as sandbox:
        with cli._kept(path, sandbox):
            assert os.name == "nt" or path.stat().st_mode & 0o777 == 0o600
            lines = path.read_text().splitlines()
            assert lines == [f"{k}={v}" for k, v in running.client_variables(sandbox).items()]
            with pytest.raises(cli.Refused, match="already exists, and was not changed"):
                cli._kept(path, sandbox).__enter__()
        assert not path.exists()


@pytest.mark.parametrize(
    ("ended", "status", "said"),
    [
        (0, 0, ""),
        (3, 3, ""),
        (-signal.SIGINT, 130, ""),
        (-signal.SIGTERM, 143, ""),
        (-9, 137, "social-publishing-sandbox run: true was terminated by SIGKILL\n"),
    ],
)
def test_a_run_ends_as_its_command_did(
    ended: int,
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(running, "run", lambda *_: ended)
    monkeypatch.setattr(running, "check", lambda _: None)
    assert cli.main(["run", "--clock", "frozen", "--", "true"]) == status
    out, err = capsys.readouterr()
    assert (out, err.partition("\n")[2]) == ("", said) and err.startswith("Console: http://")


REPLAYED = """\
format: 1
name: two
base_path: /v1
media_path: /api/v1
interactions:
- request: {api: main, method: GET, target: /v1/one}
  response: {status: 204}
- request: {api: media, method: GET, target: /api/v1/two}
  response: {status: 204}
"""


@pytest.mark.parametrize(
    ("asked", "status", "said"),
    [
        ([], 1, ["never requested: GET /v1/one", "never requested: media GET /api/v1/two"]),
        (["/v1/one"], 1, ["never requested: media GET /api/v1/two"]),
        (["/v1/one", "/api/v1/two"], 0, []),
        (["/v1/one", "/api/v1/two", "/v1/no"], 0, ["the recording has no response to GET /v1/no:"]),
    ],
)
def test_a_replay_ends_with_what_was_refused_and_what_is_left(
    asked: list[str],
    status: int,
    said: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def ask(servers: Any, what: str) -> None:
        assert what == "replaying 2 interactions"
        with servers:
            for target in asked:
                url = servers.media_url if target.startswith("/api") else servers.base_url
                httpx2.get(httpx2.URL(url).copy_with(path=target), trust_env=False)

    monkeypatch.setattr(cli, "_until_asked", ask)
    (tmp_path / "two.yaml").write_text(REPLAYED, encoding="utf-8")
    assert cli.main(["replay", str(tmp_path)]) == status
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(said)
    assert all(line.startswith(each) for line, each in zip(lines, said, strict=True))
