"""Prints what the 40 tasks cost: with this server, the command line, a tool for every operation.

    python tests/cli/comparing.py

A token is four bytes of UTF-8. With the command line, SKILL.md stands for the definitions. One tool
for every operation needs the same reads and writes, but not those by which a plan looks before it
writes; its results are the responses as they are.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
for folder in ("", "generated/client/src", "sandbox/src", "cli/src", "tests/cli"):
    sys.path.insert(0, str(ROOT / folder))

import anyio  # noqa: E402
from agents import TASKS, Steps, Task, knows, play  # noqa: E402
from cli_support import GROUP  # noqa: E402
from mcp import Client  # noqa: E402
from mcp_support import Answer, Assistant, Person  # noqa: E402

from social_publishing_cli.command import main as command  # noqa: E402
from social_publishing_cli.mcp.results import tokens  # noqa: E402
from social_publishing_cli.mcp.server import Assistants  # noqa: E402
from social_publishing_cli.mcp.service import Options  # noqa: E402
from social_publishing_cli.session import Session  # noqa: E402
from social_publishing_cli.sheets.columns import EDITABLE, shown  # noqa: E402
from tests.support.documents import Document, Operation, operations  # noqa: E402

ZONE = "Europe/Berlin"
NOTE, TEXTS = "start_date,end_date,title", "id,name,content,note,publication_date"


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
    made = [_tool(operation, outputs) for operation in operations().values()]
    return tokens("\n".join(json.dumps(tool, ensure_ascii=False) for tool in made))


def _tool(operation: Operation, outputs: bool) -> dict[str, Any]:
    document, node = operation.document, operation.node
    properties = {
        each["name"]: {**each.get("schema", {}), "description": each.get("description", "")}
        for each in _resolved(document, node.get("parameters", []))
    }
    if "requestBody" in node:
        properties["body"] = _schema(_resolved(document, node["requestBody"]))
    tool: dict[str, Any] = {
        "name": operation.id,
        "description": node.get("description", node.get("summary", "")),
        "inputSchema": {"type": "object", "properties": properties},
    }
    success = next((r for status, r in node["responses"].items() if str(status)[0] == "2"), {})
    if outputs:
        tool["outputSchema"] = _schema(_resolved(document, success))
    return tool


def _schema(node: Any) -> Any:
    return next(iter(node.get("content", {"": {}}).values())).get("schema", {})


def _resolved(document: Document, node: Any, depth: int = 0) -> Any:
    """Return a node with what it refers to in the place of each reference, and without x- words."""
    if depth > 12:
        return {}
    if isinstance(node, list):
        return [_resolved(document, each, depth) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _resolved(document, document.resolve({"$ref": node["$ref"]}), depth + 1)
    return {
        name: _resolved(document, value, depth)
        for name, value in node.items()
        if not str(name).startswith("x-")
    }


async def by_command(task: Task, assistant: Assistant, person: Person) -> str:
    """Do a task with the command line, as SKILL.md says; what goes to and fro counts."""
    steps = Steps(task)
    done: list[str] = []
    with chdir(os.environ["HOME"]):
        for number, (name, given, step) in enumerate(steps):
            printed = [*_commands(name, given, steps, Path(f"{number}.csv"), person)]
            assistant.used += sum(map(len, (text.encode() for pair in printed for text in pair)))
            done += [out for _, out in printed]
            rows = _rows(out for _, out in printed)
            times = {each["id"]: each["publication_date"] for each in rows if "content" in each}
            steps.known.setdefault("times", {}).update(times)
            steps.saw(Answer("", rows, None, False, ""), step)
    return "\n".join(done)


def _rows(outputs: Iterator[str]) -> list[dict[str, Any]]:
    lines = [line for out in outputs for line in out.splitlines() if line.startswith("{")]
    return [json.loads(line) for line in lines]


def _commands(
    name: str, given: Mapping[str, Any], steps: Steps, sheet: Path, person: Person
) -> Iterator[tuple[str, str]]:
    """Yield the commands of a step, or a file that they need, each with what it prints."""
    match name:
        case "find_posts" | "calendar":
            month = ["--month", given["month"]] if "month" in given else []
            yield _run("export", "posts", "--group", GROUP, *month, "--jq", _filter(given))
            if name == "calendar":
                days = [f"{day} 00:00 in {ZONE}" for day in ("2026-12-01", "2027-01-01")]
                notes = ("calendar-notes", "list", "--group-id", GROUP)
                yield _run(*notes, "--start", days[0], "--end", days[1], "--columns", NOTE)
        case "read_posts":
            for post in given["post_ids"] if given.get("history") else ():
                yield _run("posts", "activities", post, "--columns", "created_at,event,data")
            yield _run("posts", "get-many", *given["post_ids"], "--columns", TEXTS)
        case "metrics" if "post_ids" in given:
            for post in given["post_ids"]:
                yield _run("posts", "metrics", post, "--columns", "views,reach,engagements")
        case "metrics":
            columns = ("--columns", "name,network,views,reach,engagements")
            yield _run("metrics", "--group", GROUP, "--month", given["month"], *columns)
        case "account_health":
            accounts = ".socialAccounts[] | {id, network: .socialNetwork, expired: "
            accounts += ".connectionExpiredAt}"
            group = ("groups", "get", GROUP, "--include", "social_accounts")
            yield _run(*group, "--jq", accounts)
            yield _run("widgets", "posts-overview", GROUP)
        case "budget":
            yield _run("doctor", "--jq", 'select(.check == "rate limit") | .found')
        case "plan_changes":
            sheet.write_text(_sheet(given, steps.known), encoding="utf-8")
            yield sheet.read_text(encoding="utf-8"), ""
            how = (
                "--against-now",
                "--timezone",
                ZONE,
                "--columns",
                "id,field,before,after,warning",
            )
            steps.known["plan"] = f"{sheet.stem}.plan"
            yield _run("plan", sheet, "-o", f"{sheet.stem}.plan", *how)
        case "apply_plan" | "upload":
            person.asked.append(name)
            if not person.yes:
                yield "", "did not agree"
            elif name == "upload":
                yield _run("media", "upload", given["file"], "--columns", "id,client_name")
            else:
                how = ("--settle-after", "0", "--columns", "id,state,reason")
                yield _run("apply", given["plan_id"], *how)
        case "was_it_done":
            yield _run("status", "--columns", "plan,done,left")


def _run(*words: object) -> tuple[str, str]:
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        status = command([str(word) for word in words])
    assert status == 0, printed.getvalue()
    return shlex.join(map(str, words)), printed.getvalue()


def _filter(given: Mapping[str, Any]) -> str:
    """Return the filter of jq that finds posts."""
    wanted = [f'.publication_date >= "{given["since"]}"'] if "since" in given else []
    wanted += [f'.publication_date[:10] <= "{given["until"]}"'] if "until" in given else []
    wanted += [f".status == {json.dumps(status)}" for status in given.get("status", ())]
    if "text" in given:
        texts = '[.name, .content, .note, .labels] | join(" ") | ascii_downcase'
        wanted.append(f"({texts} | contains({json.dumps(given['text'])}))")
    select = f"select({' and '.join(wanted)}) | " if wanted else ""
    return f"{select}{{id, publication_date, status, name, content: .content[:80]}}"


def _sheet(given: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """Return the sheet that a person would write for the changes."""
    changes = [{**change, "id": change["post_id"]} for change in given.get("changes", ())]
    move = timedelta(days=given.get("shift_days", 0), minutes=given.get("shift_minutes", 0))
    for post in given.get("shift_posts", ()):
        moment = (datetime.fromisoformat(known["times"][post]) + move).isoformat(" ", "minutes")
        known["times"][post] = moment
        changes.append({"id": post, "publication_date": moment})
    names = [name for name in changes[0] if name not in ("post_id", "id")]
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(["id", *names])
    for change in changes:
        cells = [shown(change[name], EDITABLE[name].kind, None) for name in names]
        writer.writerow([change["id"], *cells])
    return written.getvalue()


def table() -> list[str]:
    """Return the rows of the table of docs/agents.md.

    Raises:
        AssertionError: A task was not done.
    """
    costs: dict[str, list[tuple[int, int]]] = {"tools": [], "command": [], "naive": []}
    for task in TASKS:
        played, typed = play(task, knows), play(task, by_command)
        assert not played.problems, (task["id"], played.problems)
        wrong = [each for each in typed.problems if not re.search("not hear|would do", each)]
        assert not wrong, (task["id"], wrong)
        plans = any("plan_changes" in step for step in task["steps"])
        log = [e for e in played.log if not (plans and e.path.endswith("/posts-bulk"))]
        size = sum(
            len(e.target) + len(e.request_body or b"") + len(e.response_body or b"") for e in log
        )
        costs["tools"].append((played.tokens, played.requests))
        costs["command"].append((typed.tokens, typed.requests))
        costs["naive"].append((size // 4, len(log)))
    naive, full = (naive_definitions(outputs) for outputs in (False, True))
    skill = tokens((ROOT / "cli/src/social_publishing_cli/SKILL.md").read_text(encoding="utf-8"))
    sizes = [sorted(size for size, _ in each) for each in costs.values()]
    requests = [sum(count for _, count in each) for each in costs.values()]
    rows: list[tuple[str, list[object]]] = [
        (
            "tokens before the first call",
            [definitions(), skill, f"{naive:,} ({full:,} with the schemas of responses)"],
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
