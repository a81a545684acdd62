"""The official client of the protocol, and how the tests read what a tool returns."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import mcp_types as types
from mcp import Client
from mcp.client.extension import ClientExtension

from social_publishing_cli.mcp.server import Assistants
from social_publishing_cli.mcp.service import Options
from social_publishing_cli.session import Session

_FENCE = re.compile(r"^<(data-[0-9a-f]+)> .*\n((?:.*\n)*)</\1>$", re.MULTILINE)


class Answer(NamedTuple):
    """What a tool returned: the server's words, the rows of data, and where it goes on."""

    words: str
    rows: list[dict[str, Any]]
    cursor: str | None
    failed: bool
    text: str


def read(text: str, failed: bool = False) -> Answer:
    """Read a result as an assistant does: by its fence and its cursor."""
    fence = _FENCE.search(text)
    rows = [json.loads(line) for line in fence[2].splitlines()] if fence else []
    cursor = re.search(r"^cursor: (\S+)", text, re.MULTILINE)
    words = text[: fence.start()] if fence else text
    return Answer(words, rows, cursor[1] if cursor else None, failed, text)


class Person:
    """Somebody who is asked, and answers."""

    def __init__(self, answer: str = "accept", yes: bool = True) -> None:
        self.answer, self.yes = answer, yes
        self.asked: list[str] = []
        self.before_answer: Callable[[], object] = lambda: None

    async def __call__(self, context: object, params: Any) -> types.ElicitResult:
        self.asked.append(params.message)
        self.before_answer()
        content: Any = {"yes": self.yes} if self.answer == "accept" else None
        return types.ElicitResult(action=self.answer, content=content)  # type: ignore[arg-type]


class Assistant:
    """An assistant that is connected to a server."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.used = 0  # bytes that went to and fro

    async def call(self, name: str, /, **arguments: Any) -> Answer:
        """Call a tool."""
        result = await self.client.call_tool(name, arguments)
        text = "".join(getattr(block, "text", "") for block in result.content)
        self.used += len(text.encode()) + len(json.dumps(arguments)) + len(name)
        answer = read(text, bool(result.is_error))
        same: Any = result.structured_content
        assert same["data"] == answer.rows and same.get("cursor") == answer.cursor
        assert text.startswith(same["message"])
        return answer


class Desk:
    """A folder of plans, and assistants of the account that the environment names."""

    def __init__(self, journals: Path) -> None:
        self.journals = journals

    def run(
        self,
        work: Callable[[Assistant], Awaitable[Any]],
        *,
        person: Person | None = None,
        mode: str = "auto",
        extensions: Sequence[ClientExtension] = (),
        sandbox: bool = False,
        **options: Any,
    ) -> Any:
        """Run an assistant against a server in this process, and return what it returns."""
        session = Session(quiet=True, sandbox=sandbox)

        async def run() -> Any:
            assistants = Assistants(session, Options(journals=self.journals, **options))
            server = assistants.server
            try:
                async with Client(
                    server, mode=mode, elicitation_callback=person, extensions=extensions
                ) as client:
                    return await work(Assistant(client))
            finally:
                assistants.close()

        try:
            return anyio.run(run)
        finally:
            session.close()

    def calls(self) -> list[dict[str, Any]]:
        """Return the journal of calls."""
        lines = (self.journals / "calls.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]
