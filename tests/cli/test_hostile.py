"""Whatever a server does: data on standard output or one error, and the exit status for it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import social_publishing
from calls import TOKEN
from cli_support import Command
from social_publishing import Retries

from tests.client import test_hostile as hostile
from tests.support.server import Peer, Response, Server, serve

QUICK = {"timeout": 0.3, "deadline": 0.6, "retries": Retries(attempts=2, first_pause=0.002)}
COMMANDS = {"safe": ["groups", "get", "7"], "unsafe": ["labels", "create", "summer"]}
CASES = [*hostile.CONNECTIONS, *hostile.ECHOES, *hostile.SILENCES]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that the command takes for the service; the client does not wait for it long."""
    with serve(lambda request: Response(404)) as made:
        monkeypatch.setenv("SOCIAL_PUBLISHING_API_TOKEN", TOKEN)
        monkeypatch.setenv("SOCIAL_PUBLISHING_BASE_URL", f"{made.origin}/v1")
        monkeypatch.setenv("SOCIAL_PUBLISHING_MEDIA_URL", f"{made.origin}/api/v1")
        yield made


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return a function that gives the client of the next runs other options."""
    real = social_publishing.SocialPublishing

    def with_options(options: Mapping[str, Any]) -> None:
        patched = partial(real, **{**QUICK, **options})
        monkeypatch.setattr(social_publishing, "SocialPublishing", patched)

    with_options({})
    yield with_options


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Command) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOCIAL_PUBLISHING_CONFIG", str(tmp_path / "config"))
    return run_command


def one_error(ended: Any) -> dict[str, Any]:
    """The one error of a run that wrote nothing else."""
    assert ended.out == ""
    assert TOKEN not in ended.err
    [line] = ended.err.splitlines()
    found: dict[str, Any] = json.loads(line)
    assert found["exit_status"] == ended.status
    assert "mistake in this program" not in found["message"]
    return found


@pytest.mark.parametrize("kind", COMMANDS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_run_ends_with_its_status(
    case: hostile.Case, kind: str, command: Command, server: Server, impatient: Any
) -> None:
    impatient(case.options)
    server.play(case.does, at=case.at)
    ended = command(*COMMANDS[kind], "--output", "json")
    error, _ = case.ends[kind]
    if error is None:
        assert (ended.status, ended.err) == (0, "")
        assert json.loads(ended.out)["id"] == "7"
        return
    told = one_error(ended)
    assert ended.status in (1, 3, 4, 5, 6, 7)
    assert (ended.status == 7) == (told["error"] == "OutcomeUnknown" or told["may_be_done"])


@pytest.mark.parametrize(
    "status", (302, 400, 401, 403, 404, 409, 418, 422, 429, 500, 503, 599, 600)
)
def test_a_status_is_an_error(
    status: int, command: Command, server: Server, impatient: Any
) -> None:
    server.play(hostile.answer(b'{"message": "no"}', status=f"{status} No"))
    told = one_error(command(*COMMANDS["safe"], "--no-wait", "--output", "json"))
    expected = {401: 5, 403: 5, 404: 3, 429: 6}.get(status, 4 if 400 <= status <= 499 else 1)
    assert (told["exit_status"], told["status"]) == (expected, status)


def test_a_list_that_breaks_off_is_whole_lines_or_nothing(
    command: Command, server: Server, impatient: Any
) -> None:
    def page(peer: Peer) -> None:
        link = f"{server.origin}/v1/posts?groupId=7&page=2"
        meta = {"next_page_url": link, "current_page": 1, "last_page": 2}
        peer.send(bytes(Response(json={"data": [{"id": "1"}, {"id": "2"}], "meta": meta})))

    for form, lines in (("json", 0), ("table", 0), ("jsonl", 2), ("csv", 3)):
        server.play(page, hostile.then_close(hostile.answer(length=999)))
        ended = command("posts", "list", "--group-id", "7", "--output", form, "--columns", "id")
        assert ended.status == 1
        assert len(ended.out.splitlines()) == lines, form
        assert "Traceback" not in ended.err


def test_a_time_zone_that_is_none_is_told(command: Command, server: Server, impatient: Any) -> None:
    server.respond = lambda request: Response(json={"id": "7", "timezone": "Mars/Base"})
    told = one_error(command("export", "posts", "--group", "7", "--output", "json"))
    assert "there is no time zone 'Mars/Base'" in told["message"]
