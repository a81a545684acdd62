"""A server for assistants that test somebody's program: they see and steer the sandbox.

Its three tools are the commands of the control API; what is new there is new here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.caching import CacheHint
from mcp.server.stdio import stdio_server

from social_publishing_sandbox import __version__
from social_publishing_sandbox.api.faults.kinds import KINDS
from social_publishing_sandbox.control.routes import COMMANDS, carry_out
from social_publishing_sandbox.running import client_variables
from social_publishing_sandbox.sandbox import Sandbox
from social_publishing_sandbox.state.documents import Json

_MOST: Final = 14_000  # bytes of a result: about 3,500 tokens
_FEW: Final = "20"  # requests that are shown unless others are asked for
_WHERE: Final = "where"

_INSTRUCTIONS: Final = """\
A sandbox of a social publishing service, to test a program with. Point the program at the \
addresses and the token that look({"what": "where"}) returns. Then change the world, the clock or \
the faults, run the program, and look at the requests that it sent. Nothing leaves this machine."""


def _paths(*methods: str) -> list[str]:
    """Return the commands with one of these methods: their paths, as `what` names them."""
    return [path[1:] for path, commands in COMMANDS.items() if {*methods} & {*commands}]


LOOKS: Final = (_WHERE, *_paths("GET"))
CHANGES: Final = (*(path for path in _paths("POST", "PUT", "DELETE") if path != "faults"),)


def _kinds() -> Iterator[str]:
    for name, kind in KINDS.items():
        members = ", ".join(parameter.name for parameter in kind.parameters)
        yield f"{name}{f' ({members})' if members else ''}: {kind.does}"


def _tool(name: str, does: str, arguments: Mapping[str, Json], **hints: bool) -> types.Tool:
    first = next(iter(arguments))
    schema: dict[str, Any] = {
        "type": "object",
        "properties": dict(arguments),
        "required": [first],
        "additionalProperties": False,
    }
    return types.Tool(
        name=name,
        title=name.capitalize(),
        description=does,
        input_schema=schema,
        output_schema={"type": "object", "properties": {"result": {"type": "string"}}},
        annotations=types.ToolAnnotations.model_validate({**hints, "openWorldHint": False}),
    )


_ID: Final[Json] = {"type": "string", "description": "What stands in the braces of `what`."}
TOOLS: Final = (
    _tool(
        "look",
        "See the sandbox: where it is, its clock, objects, faults, and the requests that it got.",
        {
            "what": {"type": "string", "enum": [*LOOKS]},
            "id": _ID,
            "filter": {
                "type": "object",
                "description": "Fields of objects; of requests: operation, status, method, text, "
                "since, limit, bodies.",
            },
        },
        readOnlyHint=True,
    ),
    _tool(
        "change",
        "Change the sandbox: make objects, act for people (approve, reject), move the clock "
        "(clock/advance: days, hours, minutes, seconds, or to: next_event), reset the world, "
        "forget requests, keep and restore snapshots, take faults away.",
        {
            "what": {"type": "string", "enum": [*CHANGES]},
            "id": _ID,
            "values": {"type": "object", "description": "The members of the command."},
        },
        destructiveHint=True,
    ),
    _tool(
        "fault",
        "Let requests fail on purpose. With values: operations, times, user, probability, and the "
        "kind's own members. " + " ".join(_kinds()),
        {
            "kind": {"type": "string", "enum": [*KINDS]},
            "values": {"type": "object", "description": "Its members, such as times: 1."},
        },
        destructiveHint=False,
    ),
)


def called(sandbox: Sandbox, name: str, sent: Mapping[str, Any]) -> Any:
    """Carry out a call of a tool, and return what it shows.

    Raises:
        ValueError: It cannot be carried out; the text says why.
    """
    tool = next((each for each in TOOLS if each.name == name), None)
    if tool is None:
        raise ValueError(f"there is no tool {name!r}; there are look, change, fault")
    try:
        json.dumps(sent, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("half of a character is in the content: send the whole text") from None
    given = {key: _read(value) for key, value in sent.items() if value not in (None, "")}
    known = tool.input_schema["properties"]
    for key, value in given.items():
        if key not in known:
            raise ValueError(f"there is no argument {key!r}; there are {', '.join(known)}")
        if not isinstance(value, {"object": dict, "string": str}[known[key]["type"]]):
            raise ValueError(f"{key} must be {known[key]['type']}")
    first = tool.input_schema["required"][0]
    choices = known[first]["enum"]
    if given.get(first) not in choices:
        raise ValueError(f"{first} must be one of {', '.join(choices)}")
    values = given.get("values" if "values" in known else "filter", {})
    if name == "fault":
        return carry_out(sandbox, "/faults", "POST", {**values, "kind": given[first]})
    if given[first] == _WHERE:
        now = carry_out(sandbox, "/clock", "GET", {})["now"]
        return {**client_variables(sandbox), "tokens": dict(sandbox.tokens), "now": now}
    path, method = f"/{given[first]}", "GET"
    if name == "change":
        [method] = COMMANDS[path].keys() - {"GET"}
    else:
        values = {key: _text(value) for key, value in values.items()}
        if path == "/requests":
            values.setdefault("limit", _FEW)
    return carry_out(sandbox, path, method, values, given.get("id"))


def _read(value: Any) -> Any:
    """Return an argument; hosts send objects as text of JSON, and identifiers as numbers."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def shown(value: Any) -> str:
    """Return a result as JSON, of a long list as much as there is room for."""
    text = json.dumps(value, ensure_ascii=False, default=_plain)
    if len(text.encode()) <= _MOST:
        return text
    if isinstance(value, list):
        room, kept = _MOST, []
        for each in value:
            line = json.dumps(each, ensure_ascii=False, default=_plain)
            room -= len(line.encode()) + 1
            if room < 0:
                break
            kept.append(line)
        if kept:
            rest = f"{len(kept)} of {len(value)} are shown: ask for fewer with filter."
            return f"[{','.join(kept)}]\n{rest}"
    return text.encode()[:_MOST].decode("utf-8", "ignore") + "\n… (cut: ask for less with filter)"


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else str(value)


def server_of(sandbox: Sandbox) -> Server[Any]:
    """Return the server that steers a sandbox."""

    async def listed(ctx: ServerRequestContext[Any, Any], params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[*TOOLS])

    async def call(
        ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        def work() -> tuple[str, bool]:
            try:
                return shown(called(sandbox, params.name, params.arguments or {})), False
            except ValueError as error:
                return str(error), True

        text, failed = await anyio.to_thread.run_sync(work)
        text = text.encode("utf-8", "backslashreplace").decode()
        content: Any = [types.TextContent(type="text", text=text)]
        return types.CallToolResult(
            content=content, structured_content={"result": text}, is_error=failed
        )

    return Server(
        "social-publishing-sandbox",
        version=__version__,
        title="Social Publishing Sandbox",
        instructions=_INSTRUCTIONS,
        cache_hints={"tools/list": CacheHint(ttl_ms=3_600_000)},
        on_list_tools=listed,
        on_call_tool=call,
    )


def serve(sandbox: Sandbox) -> None:
    """Serve one assistant over standard input and output, until its end."""
    server = server_of(sandbox)

    async def run() -> None:
        async with stdio_server() as (reads, writes):
            await server.run(reads, writes, server.create_initialization_options())

    anyio.run(run)
