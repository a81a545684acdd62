"""Prints what the 40 tasks cost: with this server, and with a tool for every operation.

    python tests/cli/comparing.py

A token is four bytes of UTF-8. One tool for every operation needs the same reads and writes, but
not those by which a plan looks before it writes; its results are the responses as they are.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
for folder in ("generated/client/src", "sandbox/src", "cli/src", "tests/cli"):
    sys.path.insert(0, str(ROOT / folder))

import anyio  # noqa: E402
from agents import TASKS, knows, play  # noqa: E402
from mcp import Client  # noqa: E402

from social_publishing_cli.mcp.results import tokens  # noqa: E402
from social_publishing_cli.mcp.server import Assistants  # noqa: E402
from social_publishing_cli.mcp.service import Options  # noqa: E402
from social_publishing_cli.session import Session  # noqa: E402

DOCUMENTS = ROOT / "sandbox/src/social_publishing_sandbox/documents"


def definitions() -> int:
    """Return the tokens of this server's definitions."""

    async def listed() -> str:
        server = Assistants(Session(quiet=True), Options(allow_writes=True)).server
        async with Client(server) as client:
            tools = (await client.list_tools()).tools
        return "\n".join(tool.model_dump_json(by_alias=True, exclude_none=True) for tool in tools)

    return tokens(anyio.run(listed))


def naive_definitions(outputs: bool) -> int:
    """Return the tokens of one tool for every operation of the documents."""
    made = []
    for name in ("main", "media"):
        document = json.loads((DOCUMENTS / f"{name}.json").read_text())
        for item in document.get("paths", {}).values():
            for operation in item.values():
                if isinstance(operation, dict) and "operationId" in operation:
                    made.append(_tool(document, operation, outputs))
    return tokens("\n".join(json.dumps(tool, ensure_ascii=False) for tool in made))


def _tool(document: Any, operation: Any, outputs: bool) -> dict[str, Any]:
    parameters = [_resolved(document, each) for each in operation.get("parameters", ())]
    properties = {
        each["name"]: {**each.get("schema", {}), "description": each.get("description", "")}
        for each in parameters
    }
    if "requestBody" in operation:
        properties["body"] = _schema(_resolved(document, operation["requestBody"]))
    tool: dict[str, Any] = {
        "name": operation["operationId"],
        "description": operation.get("description", operation.get("summary", "")),
        "inputSchema": {"type": "object", "properties": properties},
    }
    success = next((r for status, r in operation["responses"].items() if str(status)[0] == "2"), {})
    if outputs:
        tool["outputSchema"] = _schema(_resolved(document, success))
    return tool


def _schema(node: Any) -> Any:
    return next(iter(node.get("content", {"": {}}).values())).get("schema", {})


def _resolved(document: Any, node: Any, depth: int = 0) -> Any:
    """Return a node with what it refers to in the place of each reference, and without x- words."""
    if depth > 12:
        return {}
    if isinstance(node, list):
        return [_resolved(document, each, depth) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = document
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part.replace("~1", "/")]
        return _resolved(document, target, depth + 1)
    return {
        name: _resolved(document, value, depth)
        for name, value in node.items()
        if not str(name).startswith("x-")
    }


def table() -> list[str]:
    """Return the rows of the table of docs/agents.md.

    Raises:
        AssertionError: A task was not done.
    """
    costs: dict[str, list[tuple[int, int]]] = {"tools": [], "naive": []}
    for task in TASKS:
        played = play(task, knows)
        assert not played.problems, (task["id"], played.problems)
        plans = any("plan_changes" in step for step in task["steps"])
        log = [e for e in played.log if not (plans and e.path.endswith("/posts-bulk"))]
        size = sum(
            len(e.target) + len(e.request_body or b"") + len(e.response_body or b"") for e in log
        )
        costs["tools"].append((played.tokens, played.requests))
        costs["naive"].append((size // 4, len(log)))
    naive, full = (naive_definitions(outputs) for outputs in (False, True))
    sizes = [sorted(size for size, _ in each) for each in costs.values()]
    requests = [sum(count for _, count in each) for each in costs.values()]
    rows: list[tuple[str, list[object]]] = [
        (
            "tokens before the first call",
            [definitions(), f"{naive:,} ({full:,} with the schemas of responses)"],
        ),
        ("tokens of calls and results, median of a task", [each[len(each) // 2] for each in sizes]),
        ("the same, the most expensive task", [each[-1] for each in sizes]),
        ("the same, all 40 tasks", [sum(each) for each in sizes]),
        ("requests, all 40 tasks", [*requests]),
    ]
    texts = [(f"{v:,}" if isinstance(v, int) else str(v) for v in values) for _, values in rows]
    return [
        f"| {name} | {' | '.join(cells)} |" for (name, _), cells in zip(rows, texts, strict=True)
    ]


if __name__ == "__main__":
    print("\n".join(table()))
