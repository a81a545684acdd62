"""One odd value in one object of a response: whatever shows it ends well, and shows the others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
import social_publishing
from cli_support import GROUP, NOW, Command, rows_of, write
from mcp_support import Assistant, Desk
from social_publishing import Exchange, SocialPublishing
from social_publishing.models import Post

from social_publishing_sandbox import Sandbox

ODD: Sequence[Any] = (
    *(None, True, "x", "a\0b", "word " * 6600, "2026-12-01", "9999-12-31T23:59:59Z"),
    *([], [None], [{"a": 1}], [["x"]], {}, {"a": {"b": [None]}}, {"facebook": {"content": 5}}),
    *("0001-01-01T00:00:00+02:00", -1, 2.5, 1e-320, 1e308, 10**4000),
)
ALONE = {"id", "status", "publication_date", "selectedAccountIds", "published_at"}
ALONE |= {"timezone", "socialAccounts", "socialNetwork"}  # what decides what else is shown
DAY, NUMBERED = "2026-12-05T09:00:00Z", 10**18
SHOWING = [
    *("export posts -o a.csv", "export posts -o a.xlsx", "export posts --columns all"),
    *("posts list --output table", "posts list", "calendar --month 2026-12 --output table"),
    *("calendar --month 2026-12 -o a.html", "calendar --month 2026-12 -o a.ics"),
    *("metrics", "metrics -o a.html", "metrics -o a.xlsx", "metrics --chart"),
]


def variants(whole: Any, only: Sequence[Any] = ODD) -> Iterator[Any]:
    """Yield an object, and with each odd value: in these fields alone, in the others together."""
    yield whole
    for at, odd in enumerate(only):
        with_odd = [{**whole, name: odd} for name in whole if name in ALONE]
        with_odd.append({name: whole[name] if name in ALONE else odd for name in whole})
        with_odd += ({name: inside(whole[name], odd, n) for name in whole} for n in (1, 2))
        for number, each in enumerate(with_odd, 10 * at + 1):
            own = {"id": str(NUMBERED + number)} if each.get("id") == whole.get("id", 0) else {}
            yield {**each, **own}


def inside(value: Any, odd: Any, depth: int) -> Any:
    """Return a value whose members, or theirs, are odd."""
    if isinstance(value, list) and value:
        return [*value, odd if depth == 1 else inside(value[0], odd, 1)]
    if not isinstance(value, dict):
        return value
    return {n: odd if depth == 1 else inside(each, odd, 1) for n, each in value.items()}


class Service:
    """Answers with a month of odd posts, notes and metrics, and a group with odd accounts."""

    def __init__(self, read: SocialPublishing) -> None:
        group = read.groups.get(GROUP, include=["socialAccounts"]).to_dict(wire=True)
        group["socialAccounts"] += [*variants(group["socialAccounts"][0])]
        posts = [each.to_dict(wire=True) for each in read.posts.list(group_id=GROUP)]
        whole: dict[str, Any] = {each.encode_name: None for each in msgspec.structs.fields(Post)}
        for post in sorted(posts, key=lambda post: bool(post["status"] == 40)):
            whole |= {name: value for name, value in post.items() if value not in (None, [], {})}
        metric = next(iter(read.posts.metrics(whole["id"]).values())).to_dict(wire=True)
        days = {"start": datetime(2026, 12, 1, tzinfo=UTC), "end": datetime(2027, 1, 1, tzinfo=UTC)}
        note = read.calendar_notes.list(**days, group_id=GROUP)[0].to_dict(wire=True)
        note["start_date"] = DAY
        self.bodies: dict[str, Any] = {
            "posts.list": {"data": [*variants({**whole, "publication_date": DAY})]},
            "posts.metrics": dict(enumerate(variants(metric))),
            "calendar_notes.list": [*variants(note)],
            "groups.get": group,
            "media.status": {"status": 200, "data": None},
            "widgets.posts_overview": {"scheduledPosts": [None]},
        }

    def __call__(self, attempt: Any, send: object) -> Exchange:
        posts = self.bodies["posts.list"]["data"]
        asked = {"posts.get_many": [each for each in posts if str(each["id"]) in attempt.url]}
        body = {**self.bodies, **asked}[attempt.operation]
        if attempt.operation == "posts.metrics" and posts[0]["id"] not in attempt.url:
            body = {1: body[0]}
        head = {"content-type": "application/json"}
        address = attempt.method, attempt.url, 200
        return Exchange(attempt.operation, *address, head, json.dumps(body).encode())


@pytest.fixture(scope="module")
def recorded() -> Service:
    with Sandbox(now=NOW, clock="frozen", rate_limit=None) as sandbox, sandbox.client() as client:
        return Service(client)


@pytest.fixture
def service(recorded: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    """What answers in the place of the service; a mistake in the program is raised."""
    made, real = deepcopy(recorded), SocialPublishing

    def client(**given: Any) -> SocialPublishing:
        middleware = [*given.pop("middleware"), made]
        return real(**{**given, "rate_store": None, "pacing": "off", "middleware": middleware})

    monkeypatch.setattr(social_publishing, "SocialPublishing", client)
    given = {"API_TOKEN": "token", "BASE_URL": "https://service.example/v1", "GROUP": GROUP}
    given |= {"MEDIA_URL": "https://media.example/api/v1"}
    given |= {"CONFIG": str(tmp_path), "JOURNALS": str(tmp_path / "journals"), "DEBUG": "1"}
    for name, value in given.items():
        monkeypatch.setenv(f"SOCIAL_PUBLISHING_{name}", value)
    monkeypatch.chdir(tmp_path)
    return made


@pytest.mark.parametrize("line", SHOWING)
def test_what_shows_many_shows_the_others(
    line: str, service: Service, run_command: Command
) -> None:
    def rows(posts: list[Any]) -> list[dict[str, Any]]:
        service.bodies["posts.list"]["data"] = posts
        ended = run_command(*line.split(), *["--force"] * (" -o " in line))
        assert ended.status == 0, ended.err
        lines = [json.loads(each) for each in ended.out.splitlines() if each.startswith("{")]
        return rows_of(Path("a.csv")) if line.endswith(".csv") else lines

    posts = service.bodies["posts.list"]["data"]
    every = rows(posts)
    for row in rows(posts[:1]):
        row.pop("exported", None)  # it has the columns that others need
        assert any(row.items() <= each.items() for each in every), row
    assert len(every) == len(posts) or not (every and "posts" in line)


def test_a_sheet_with_odd_values_is_planned(service: Service, run_command: Command) -> None:
    listed = service.bodies["posts.list"]
    listed["data"] = [
        {**each, "status": 25 if each["status"] == 40 else each["status"]}
        for each in listed["data"]
        if str(each["id"]).isdecimal()
    ]
    assert run_command("export", "posts", "-o", "a.csv").status == 0
    rows = rows_of(Path("a.csv"))
    assert "None" not in {word for row in rows for word in row["selected_media_ids"].split()}
    write(Path("a.csv"), [{**rows[0], "note": "edited"}, *rows[1:]])
    ended = run_command("plan", "a.csv", "--output", "jsonl")
    assert (ended.status, len(ended.out.splitlines())) == (0, 1), ended.err
    write(Path("a.csv"), [{**row, "note": "edited"} for row in rows])
    assert run_command("plan", "a.csv", "--output", "jsonl").status in (0, 1)


@pytest.mark.parametrize("odd", (None, 5, "x", [None], {"a": 1}))
def test_a_group_with_odd_values_has_a_calendar(
    odd: Any, service: Service, run_command: Command
) -> None:
    group, posts = service.bodies["groups.get"], service.bodies["posts.list"]["data"]
    posts[0]["selectedAccountIds"] = [each["id"] for each in group["socialAccounts"]]
    del posts[1:]
    groups = [*variants(group, [odd])]
    assert groups
    for service.bodies["groups.get"] in groups:
        ended = run_command("calendar", "--month", "2026-12", "-o", "a.html", "--force")
        assert ended.status == 0 or "there is no time zone" in ended.err, ended.err


def test_assistants_read_the_others(service: Service, tmp_path: Path) -> None:
    ids = [str(each["id"]) for each in service.bodies["posts.list"]["data"]]
    ids = [each for each in ids if each.isdecimal()]

    async def work(assistant: Assistant) -> None:
        given: dict[str, Any] = {
            "calendar": {"month": "2026-12"},
            "read_posts": {"post_ids": ids[:20]},
        }
        for name in ("find_posts", "calendar", "read_posts", "metrics", "account_health"):
            answer = await assistant.call(name, group_id=GROUP, **given.get(name, {}))
            while answer.cursor and not answer.failed:
                answer = await assistant.call(name, cursor=answer.cursor)
            assert answer.rows, answer.text
            assert not answer.failed, answer.text

    Desk(tmp_path / "journals").run(work)
