"""The server over HTTP: a token of its own, Origin and Host checked, and plans of one's own."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import httpx2
import pytest
from cli_support import GROUP, PROGRAM, Command, environment, writes
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_support import Assistant, Person
from test_mcp import planned, renamed

from social_publishing_cli.mcp.http import listening, people_of
from social_publishing_cli.mcp.service import Options, Service
from social_publishing_cli.mcp.tools import tools
from social_publishing_cli.session import Session
from social_publishing_sandbox import Sandbox


class Served(NamedTuple):
    """A server, its address, and the token of each person."""

    process: subprocess.Popen[str]
    address: str
    tokens: dict[str, str]


def started(*people: str) -> Served:
    """Start a server, and read what it tells a person."""
    words = [word for name in people for word in ("--person", name)]
    process = subprocess.Popen(
        [*PROGRAM, "mcp", "--allow-writes", "--http", "0", *words],
        env=environment(), stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8",
    )  # fmt: skip
    assert process.stderr
    told = ""
    for line in process.stderr:
        told += line
        if address := re.search(r"at (http://127\.0\.0\.1:\d+/mcp)", line):
            found = dict(re.findall(r"token of (\w+), shown only now: (\S+)", told))
            return Served(process, address[1], found)
    raise AssertionError(told)


@pytest.fixture
def served(command: Command) -> Iterator[Served]:
    """A server of two people."""
    made = started("ada", "bob")
    yield made
    made.process.kill()
    made.process.wait()


def run(
    served: Served,
    name: str,
    work: Callable[[Assistant], Awaitable[Any]],
    mode: Any = "auto",
    person: Person | None = None,
) -> Any:
    """Let an assistant of a person work, and return what it returns."""

    async def go() -> Any:
        headers = {"authorization": f"Bearer {served.tokens[name]}"}
        # A host's own client: it knows nothing of this project.
        async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
            transport = streamable_http_client(served.address, http_client=http)
            async with Client(transport, mode=mode, elicitation_callback=person) as client:
                return await work(Assistant(client))

    return anyio.run(go)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_each_person_has_own_plans(mode: str, served: Served, sandbox: Sandbox) -> None:
    ada, bob = Person(), Person()

    async def plans(it: Assistant) -> str:
        return await planned(it, sandbox, 2)

    plan = run(served, "ada", plans, mode, ada)

    async def others(it: Assistant) -> list[str]:
        tools = ("apply_plan", "was_it_done")
        return [(await it.call(tool, plan_id=plan)).words for tool in tools]

    told = run(served, "bob", others, mode, bob)
    assert all(f"There is no plan {plan}" in each for each in told)
    assert not bob.asked and not writes(sandbox)

    async def own(it: Assistant) -> str:
        await it.call("apply_plan", plan_id=plan)
        return (await it.call("was_it_done", plan_id=plan)).words

    assert "2 done of 2" in run(served, "ada", own, mode, ada)
    assert len(ada.asked) == 1 and renamed(sandbox) == 2


def test_cursors_are_of_one_person(served: Served, sandbox: Sandbox) -> None:
    account = sandbox.find("social_accounts", group_id=GROUP)[0].id
    for at in range(120):
        sandbox.create_post(content=f"{at} " * 40, selected_account_ids=[account])

    async def first(it: Assistant) -> str | None:
        return (await it.call("find_posts", group_id=GROUP)).cursor

    cursor = run(served, "ada", first)
    assert cursor

    async def second(it: Assistant) -> bool:
        return (await it.call("find_posts", cursor=cursor)).failed

    assert run(served, "bob", second) is True
    assert run(served, "ada", second) is False


def test_only_its_own_token_opens_it(served: Served, sandbox: Sandbox, tmp_path: Path) -> None:
    port = served.address.split(":")[2].split("/")[0]
    right = {"authorization": f"Bearer {served.tokens['ada']}"}
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}
    usual = {
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/list",
    }

    def status(**headers: str) -> int:
        sent = {**usual, **headers}
        return httpx2.post(served.address, json=body, headers=sent).status_code

    assert status(**right) == 200
    assert status(**right, origin=f"http://127.0.0.1:{port}") == 200
    assert status(authorization=f"bEARER {served.tokens['ada']}") == 200
    for wrong in (
        {},
        {"authorization": ""},
        {"authorization": f"Bearer {sandbox.token}"},  # that of the service
        {"authorization": f"Bearer {served.tokens['ada'][:-1]}"},
        {"authorization": f"Basic {served.tokens['ada']}"},
        {"authorization": f"Bearer {served.tokens['ada']} x"},
        {"authorization": "Bearer \u00e9"},
    ):
        assert status(**{k: v.encode() for k, v in wrong.items()}) == 401, wrong  # type: ignore[arg-type]
    for wrong, wanted in (
        ({"host": "evil.example"}, 421),
        ({"host": f"evil.example:{port}"}, 421),
        ({"host": "127.0.0.1:1"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": f"http://127.0.0.1:{port}.evil.example"}, 403),
    ):
        assert status(**right, **wrong) == wanted, wrong
    kept = (tmp_path / "journals" / "people.json").read_text()
    assert json.loads(kept).keys() == {"ada", "bob"}
    assert not any(token in kept for token in served.tokens.values())
    half = json.dumps(body).replace("raw", r"\ud83e").encode()
    assert httpx2.post(served.address, content=half, headers={**usual, **right}).json()["id"] == 1


def test_it_ends_at_once_and_tokens_outlive_it(served: Served, command: Command) -> None:
    async def listed(it: Assistant) -> set[str]:
        return {each.name for each in (await it.client.list_tools()).tools}

    assert run(served, "ada", listed) == tools().keys()
    begin = time.monotonic()
    served.process.send_signal(signal.SIGINT)
    assert served.process.wait(600) == 130
    assert time.monotonic() - begin < 5
    again = started("ada")
    try:
        assert again.tokens == {}, "nobody gets a second one"
        assert run(again._replace(tokens=served.tokens), "ada", listed) == tools().keys()
    finally:
        again.process.kill()
        again.process.wait()


def test_it_is_off_unless_asked_for(command: Command, tmp_path: Path) -> None:
    ended = command("mcp", "--person", "ada")
    assert ended.status == 2 and "--http" in ended.err
    (tmp_path / "journals").mkdir(exist_ok=True)
    for wrong in ("[1]", "[" * 100_000):
        (tmp_path / "journals" / "people.json").write_text(wrong)
        ended = command("mcp", "--http", "0")
        assert ended.status == 1 and "error: people.json: " in ended.err


def test_devices_are_no_folders_and_people_have_names(command: Command, tmp_path: Path) -> None:
    for device in ("/dev/null", "/dev/zero"):
        for each in (["mcp", "--http", "0"], ["status"]):
            ended = command(*each, "--journals", device)
            assert (ended.status, f"{device} is no folder" in ended.err) == (2, True), ended.err
    for name in ("", "  "):
        ended = command("mcp", "--http", "0", "--person", "ada", "--person", name)
        assert (ended.status, "a person needs a name" in ended.err) == (2, True), ended.err


def test_whoever_reads_the_address_can_connect_and_it_is_free_at_once_for_the_next() -> None:
    with listening(0) as at, socket.create_connection((address := at.getsockname()), 1):
        at.accept()[0].close()  # whose end comes first keeps the port for a minute
    listening(address[1]).close()


def test_only_people_who_are_named_are_let_in_and_each_keeps_the_token(tmp_path: Path) -> None:
    told: list[str] = []
    tmp_path.chmod(0o755)
    both = people_of(tmp_path, ["ann", "ben"], told.append)
    assert os.name != "posix" or (tmp_path / "people.json").stat().st_mode & 0o77 == 0
    assert people_of(tmp_path, ["ben"], told.append) == {"ben": both["ben"]}
    three = people_of(tmp_path, ["cleo", "ann"], told.append)
    assert list(three) == ["cleo", "ann"] and three["ann"] == both["ann"]
    assert people_of(tmp_path, [], told.append) == {}
    assert len({*both.values(), *three.values()}) == 3
    assert [line.partition(",")[0] for line in told] == [
        f"token of {name}" for name in ("ann", "ben", "cleo")
    ]


def test_a_plan_is_only_of_whoever_made_it(tmp_path: Path) -> None:
    people = [
        Service(Session(), Options(journals=tmp_path, person=name)) for name in ("Ann", "Ben", "")
    ]
    people[0].own("a" * 12)
    assert [each.is_own("a" * 12) for each in people] == [True, False, True]
    assert [each.is_own("b" * 12) for each in people] == [False, False, True]
