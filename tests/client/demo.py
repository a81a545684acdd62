"""Every operation of the generated client, over real HTTP: `python tests/client/demo.py`."""

from __future__ import annotations

import asyncio
import logging
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "generated" / "client" / "src"))

from calls import CALLS, ID
from server import Answer, Server, serve
from social_publishing import (
    ArgumentError,
    AsyncSocialPublishing,
    NotFoundError,
    SocialPublishing,
)
from social_publishing.models import Color

TOKEN = "demo-token-that-nobody-sees"


def main() -> int:
    """Show everything; 0 when all of it worked."""
    shown: list[str] = []

    def say(text: str = "") -> None:
        shown.append(text)
        print(text)

    logged: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: logged.append(record.getMessage())  # type: ignore[method-assign]
    logging.basicConfig(level=logging.DEBUG, handlers=[handler])

    with serve() as server:
        where: dict[str, Any] = {"base_url": server.base_url, "media_url": server.media_url}
        with SocialPublishing(api_token=TOKEN, **where) as client:
            say(f"{client!r}\n")
            for call in CALLS:
                _row(server, call, call.of(client), say)
            documented = {name for d in server.documents.values() for name in d.operations}
            called = {request.operation for request in server.requests}
            say(f"\n{len(called)} of {len(documented)} documented operations called")

            reads = [c for c, r in zip(CALLS, server.requests, strict=True) if r.method == "GET"]
            answers = asyncio.run(_together(reads, where))
            same = answers == [call.of(client) for call in reads]
            say(f"{len(answers)} reads at once, asynchronously: answers equal: {_yes(same)}\n")

            checks = {
                "arguments": _arguments(client, server, say),
                "errors": _missing(client, server, say),
                "codes": _code(client, server, say),
                "dates": _date(client, server, say),
                "operations": called == documented,
                "async": same,
            }
        sent = all(r.headers["authorization"] == f"Bearer {TOKEN}" for r in server.requests)
        checks["token"] = sent and TOKEN not in "\n".join([*shown, *logged])
        say(
            f"token      sent with all {len(server.requests)} requests; these {len(shown)} lines "
            f"and {len(logged)} log records: {'nowhere' if checks['token'] else 'SHOWN'}"
        )
    failed = [name for name, right in checks.items() if not right]
    say(f"\n{'All worked.' if not failed else 'Failed: ' + ', '.join(failed)}")
    return 1 if failed else 0


async def _together(calls: list[Any], where: dict[str, Any]) -> list[Any]:
    async with AsyncSocialPublishing(api_token=TOKEN, **where) as client:
        return await asyncio.gather(*(call.of(client) for call in calls))


def _row(server: Server, call: Any, answer: Any, say: Any) -> None:
    request, status = server.requests[-1], server.answered[-1].status
    say(_cut(str(call), 104))
    say(f"    {_cut(f'{request.method:6} {request.target}', 62):62} {status}  {_words(answer)}")


def _words(answer: Any) -> str:
    """An answer in a few words."""
    if answer is None:
        return "nothing, as documented"
    if isinstance(answer, (list, dict)):
        items = list(answer.values()) if isinstance(answer, dict) else answer
        return f"{type(answer).__name__} of {len(items)} {type(items[0]).__name__}"
    if isinstance(data := getattr(answer, "data", None), list):
        return f"{type(answer).__name__} of {len(data)}, page {answer.meta.current_page}"
    fields = answer.to_dict()
    telling = ("name", "title", "content", "mime_type", "status", "scheduledPosts", "partial")
    name = next(name for name in telling if fields.get(name) is not None)
    return f"{type(answer).__name__} with {name} {fields[name]!r}"


def _arguments(client: SocialPublishing, server: Server, say: Any) -> bool:
    before = len(server.requests)
    try:
        client.groups.replace(ID, name="x" * 51, timezone="UTC", max_social_accounts=0)
    except ArgumentError as error:
        say(f"arguments  {type(error).__name__}: {error}")
        named = [problem.argument for problem in error.problems]
        return named == ["name", "max_social_accounts"] and len(server.requests) == before
    return False


def _missing(client: SocialPublishing, server: Server, say: Any) -> bool:
    server.answers.append(Answer(404, {"message": "There is no such group."}))
    try:
        client.groups.get("1")
    except NotFoundError as error:
        say(f"errors     {type(error).__name__}, status {error.status}: {error.message}")
        return error.message == "There is no such group."
    return False


def _code(client: SocialPublishing, server: Server, say: Any) -> bool:
    server.answers.append(Answer(200, {"id": "1", "name": "new", "color": 77}))
    label = client.labels.create(name="new")
    say(f"codes      color 77 has no name yet: {label.color!r}, sent again as {label.to_dict()}")
    return label.color == Color(77) and not Color(77).known and label.to_dict()["color"] == 77


def _date(client: SocialPublishing, server: Server, say: Any) -> bool:
    local = datetime(2026, 12, 1, 18, 0, tzinfo=timezone(timedelta(hours=9)))
    client.posts.update(ID, publication_date=local)
    say(f"dates      {local} goes out as {server.requests[-1].body.decode()}")
    return bool(server.requests[-1].json == {"publication_date": "2026-12-01T09:00"})


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _yes(right: bool) -> str:
    return "yes" if right else "NO"


if __name__ == "__main__":
    sys.exit(main())
