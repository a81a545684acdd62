"""The server by which an assistant sees and steers the sandbox, through the official client."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
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


WRONG: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("look", {}, "what must be one of where"),
    ("look", {"what": "secrets"}, "what must be one of where"),
    ("look", {"what": "posts/{id}"}, "id is missing"),
    ("look", {"what": "posts/{id}", "id": "1"}, "no post 1"),
    ("look", {"what": "requests/{number:int}", "id": "x"}, "whole number"),
    ("look", {"what": "requests", "filter": {"colour": "red"}}, "no member 'colour'"),
    ("look", {"what": "requests", "filter": [1]}, "filter must be object"),
    ("look", {"what": "requests", "filter": "{" * 9999}, "filter must be object"),
    ("look", {"what": "requests", "values": {}}, "no argument 'values'"),
    ("change", {"what": "clock/advance", "values": {"days": -1}}, "days"),
    ("change", {"what": "clock", "values": {"now": "soon"}}, "now"),
    ("change", {"what": "reset", "values": {"world": "/etc/passwd"}}, "no world"),
    ("change", {"what": "faults/{id}", "id": "../world"}, "no fault"),
    ("change", {"what": "posts", "values": {"content": "\ud83e"}}, "content"),
    ("fault", {"kind": "explosion"}, "kind must be one of"),
    ("fault", {"kind": "status", "values": {"status": 99}}, "status"),
    ("delete", {"what": "world"}, "no tool"),
)


@pytest.mark.parametrize(("name", "arguments", "why"), WRONG)
def test_what_makes_no_sense_is_refused(name: str, arguments: dict[str, Any], why: str) -> None:
    with Sandbox(clock="frozen") as sandbox:
        before = sandbox.world()
        with pytest.raises(ValueError, match=why):
            steering.called(sandbox, name, arguments)
        assert sandbox.world() == before


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
