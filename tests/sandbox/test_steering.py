"""The server by which an assistant sees and steers the sandbox, through the official client."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp", reason="mcp is not installed")

from mcp import Client, StdioServerParameters
from social_publishing import ServerError, SocialPublishing
from wire import exchange

from social_publishing_sandbox import Sandbox, steering
from social_publishing_sandbox.control.routes import COMMANDS
from tests.support import AS_INSTALLED

PROGRAM = [sys.executable, "-m", "social_publishing_sandbox", "mcp", "--clock", "frozen"]
PATHS = [str(AS_INSTALLED), *filter(None, sys.path)]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(PATHS)}


async def call(client: Client, name: str, **arguments: Any) -> Any:
    """Call a tool, and return what it shows; its words where it refuses."""
    result = await client.call_tool(name, arguments)
    text = getattr(result.content[0], "text", "")
    assert result.structured_content == {"result": text}
    return text if result.is_error else json.loads(text)


def test_an_assistant_tests_a_program() -> None:
    program, *arguments = PROGRAM
    server = StdioServerParameters(command=program, args=arguments, env=ENVIRONMENT)

    def run(where: dict[str, Any]) -> list[str]:
        """The program that is tested: it reads the groups, and gives up after an error."""
        options = {
            name: where[f"SOCIAL_PUBLISHING_{name.upper()}"]
            for name in ("api_token", "base_url", "media_url")
        }
        seen = []
        with SocialPublishing(**options, retries=0) as client:
            for group in ("9032915132417572866", "9032915132417572866"):
                try:
                    seen.append(client.groups.get(group).name or "")
                except ServerError as error:
                    seen.append(type(error).__name__)
        return seen

    async def work() -> None:
        async with Client(server) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == ["look", "change", "fault"]
            shown = "".join(
                tool.model_dump_json(by_alias=True, exclude_none=True) for tool in tools
            )
            assert len(shown.encode()) < 4 * 1500
            where = await call(client, "look", what="where")
            made = await call(
                client, "fault", kind="status",
                values=json.dumps({"status": 503, "times": 1, "operations": "getGroup"}),
            )  # fmt: skip
            seen = await anyio.to_thread.run_sync(run, where)
            assert seen == ["ServerError", "Kornblume Bakery"], seen
            sent = await call(client, "look", what="requests", filter={"operation": "getGroup"})
            assert [entry["status"] for entry in sent] == [200, 503]
            assert (await call(client, "look", what="faults/{id}", id=made["id"]))["applied"] == 1
            assert await call(client, "change", what="faults/{id}", id=made["id"]) is None
            before = await call(client, "look", what="clock")
            after = await call(client, "change", what="clock/advance", values={"days": 1.0})
            assert before["now"][:10] == "2026-12-01" and after["now"][:10] == "2026-12-02"
            await call(client, "change", what="reset", values={"world": "odd"})
            assert (await call(client, "look", what="clock"))["now"] == before["now"]

    anyio.run(work)


CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("look", {"what": "where", "id": "", "filter": None}),
    ("look", {"what": "clock"}),
    ("look", {"what": "groups", "filter": {"approval_workflow": 2}}),
    ("look", {"what": "labels", "filter": '{"color": 2}'}),
    ("look", {"what": "users", "filter": {"is_client": True}}),
    ("change", {"what": "labels", "values": {"name": "Made", "color": "PINK"}}),
    ("change", {"what": "clock/advance", "values": ' {"days": 1, "to": null}'}),
    ("change", {"what": "clock/advance", "values": {"to": "next_event"}}),
    ("change", {"what": "settings", "values": {"nulls": True, "processing": 0}}),
    ("change", {"what": "snapshots", "values": {"name": "mine"}}),
    ("look", {"what": "snapshots"}),
    ("change", {"what": "snapshots/{name}", "id": "mine"}),
    ("fault", {"kind": "status", "values": {"status": 503, "times": 1}}),
    ("fault", {"kind": "empty-body"}),
    ("look", {"what": "requests", "filter": {"bodies": True, "status": "4xx"}}),
    ("look", {"what": "requests", "filter": {"limit": 1, "bodies": False}}),
    ("look", {"what": "requests/{number:int}", "id": 1}),
    ("look", {"what": "faults"}),
    ("look", {}),
    ("look", {"what": True}),
    ("look", {"what": "secrets"}),
    ("look", {"what": "posts/{id}"}),
    ("look", {"what": "posts/{id}", "id": "1"}),
    ("look", {"what": "posts/{id}", "id": 1.5}),
    ("look", {"what": "requests/{number:int}", "id": "x"}),
    ("look", {"what": "requests", "filter": {"colour": "red"}}),
    ("look", {"what": "requests", "filter": [1]}),
    ("look", {"what": "requests", "filter": "{" * 9999}),
    ("look", {"what": "requests", "values": {}}),
    ("look", {"what": "reset"}),
    ("change", {"what": "clock/advance", "values": {"days": -1}}),
    ("change", {"what": "clock", "values": {"now": "soon"}}),
    ("change", {"what": "reset", "values": {"world": "/etc/passwd"}}),
    ("change", {"what": "faults", "values": {"kind": "status"}}),
    ("change", {"what": "faults/{id}", "id": "../world"}),
    ("change", {"what": "posts", "values": {"content": "\ud83e"}}),
    ("fault", {"kind": "explosion"}),
    ("fault", {"kind": "status", "values": {"status": 99}}),
    ("delete", {"what": "world"}),
)


def test_all_that_an_assistant_is_told(golden: Any) -> None:
    """Of each tool and of each call; one that is refused changes nothing."""
    sessions = Path(__file__).parent / "sessions"
    told = [tool.model_dump_json(exclude_none=True) for tool in steering.TOOLS]
    with closing(Sandbox(sessions / "world.yaml", clock="frozen", rate_limit=None)) as sandbox:
        for path in ("posts", "posts-bulk?ids=1"):
            headers = {"authorization": "Bearer ada", "accept": "application/json"}
            headers |= {"user-agent": "somebody", "accept-encoding": "identity"}
            exchange(sandbox.app, "GET", f"{sandbox.base_url}/{path}", headers=headers)
        for name, arguments in CALLS:
            before = sandbox.world()
            try:
                text = steering.shown(steering.called(sandbox, name, arguments))
            except ValueError as error:
                text = f"refused: {error}"
            assert sandbox.world() == before or not text.startswith("refused")
            told.append(f"$ {name} {json.dumps(arguments)[:99]}\n  {text}")
    text = "\n".join([*told, ""])
    text = re.sub(r'("(?:at_real|duration_ms|x-ratelimit-reset)"[:,] )[^,}\]]+', r"\1…", text)
    golden(sessions / "tools.lines", text)


def test_every_command_of_control_is_there_and_long_results_are_cut() -> None:
    known = {*steering.LOOKS, *steering.CHANGES}
    assert {path[1:] for path in COMMANDS} <= known
    with Sandbox(clock="frozen", world="small") as sandbox:
        for path in steering.LOOKS:
            if "{" not in path:
                shown = steering.shown(steering.called(sandbox, "look", {"what": path}))
                assert 0 < len(shown.encode()) < 4 * 4000
        for name in ("labels", *["posts"] * 24):
            exchange(sandbox.app, "GET", f"{sandbox.base_url}/{name}")
        for given, numbers in (({}, range(25, 5, -1)), ({"filter": {"limit": 2}}, (25, 24))):
            requests = steering.called(sandbox, "look", {"what": "requests", **given})
            assert [each["number"] for each in requests] == [*numbers]
        found = steering.called(sandbox, "look", {"what": "posts"})
        cut = steering.shown(found)
        assert f"of {len(found)} are shown: ask for fewer" in cut
    for letter in "aあ":  # the limit is one of bytes
        cut = steering.shown([letter * 100] * 1000)
        assert 13_000 < len(cut.encode()) < 14_100, letter


def test_ctrl_c_ends_it_at_once() -> None:
    with subprocess.Popen(
        PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=ENVIRONMENT, encoding="utf-8",
    ) as server:  # fmt: skip
        assert server.stderr and "Console" in server.stderr.readline()
        time.sleep(0.5)
        begin = time.monotonic()
        server.send_signal(signal.SIGINT)
        assert server.wait(600) == 130
        assert time.monotonic() - begin < 3
        assert server.stdout and server.stdout.read() == ""
