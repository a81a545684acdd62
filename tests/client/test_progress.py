"""How far uploads, calls of several requests and lists are, as a program and a person see it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

import pytest
from social_publishing import (
    ConfigurationError,
    File,
    ProgressReport,
    SocialPublishing,
    progress_bar,
)

from social_publishing_sandbox import Sandbox
from tests.support import both
from tests.support.both import awaited, each, now

GROUP = "9032915132417572866"
MIB = 1 << 20
START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(now="2026-12-01T09:00:00Z", rate_limit=None, processing=0) as made:
        [account, *_] = [e for e in made.find("social_accounts") if str(e.group_id) == GROUP]
        for number in range(60):
            made.create_post(content=f"Text {number}", selected_account_ids=[account.id])
        yield made


async def used(client: Any) -> dict[str, int]:
    """Make a call of each kind; return how much each of them has to do."""
    posts = [post.id async for post in each(client.posts.list(group_id=GROUP))]
    ids = [*posts, *(str(10**18 + n) for n in range(450))]
    end = START + timedelta(days=200)
    await now(client.posts.get_many(ids=ids))
    await now(client.calendar_notes.list(start=START, end=end, group_id=GROUP))
    await now(client.media.upload(File(bytes(3 * MIB), "a.png")))
    return {
        "posts.list": len(posts),
        "posts.get_many": len(ids),
        "calendar_notes.list": -(-201 // 60),
        "media.upload": 3 * MIB,
    }


@pytest.fixture(params=["sync", "asyncio"])
def run(request: Any, sandbox: Sandbox) -> Callable[[Any], dict[str, int]]:
    made = sandbox.client if request.param == "sync" else sandbox.async_client

    def run(on_progress: Any) -> Any:
        async def main() -> dict[str, int]:
            client = made().with_options(on_progress=on_progress)
            async with awaited(client):
                return await used(client)

        return both.run(request.param, main)

    return run


def test_every_long_call_says_how_far_it_is(run: Callable[[Any], dict[str, int]]) -> None:
    reports: list[ProgressReport] = []
    sizes = run(reports.append)
    units = ["items", "items", "requests", "bytes"]
    found = [[*each] for _, each in groupby(reports, lambda report: report.operation)]
    assert [each[0].operation for each in found] == [*sizes]
    for steps, size, unit in zip(found, sizes.values(), units, strict=True):
        done = [report.done for report in steps]
        assert done == sorted(done) and len(done) > 1 and done[-1] == size, steps
        assert {report.unit for report in steps} == {unit}
        assert {report.total for report in steps} == {size}


def test_an_error_in_it_ends_the_call(run: Callable[[Any], dict[str, int]]) -> None:
    def fails(report: ProgressReport) -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        run(fails)


def test_a_bar_shows_each_call_to_its_end(
    run: Callable[[Any], dict[str, int]], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress_bar() as bar:
        sizes = run(bar)
    written = capsys.readouterr()
    assert written.out == ""
    for operation, size in sizes.items():
        lines = written.err.replace("\r", "\n").splitlines()
        last = [line for line in lines if operation in line][-1]
        shown = "3.00M/3.00M" if operation == "media.upload" else f"{size}/{size}"
        assert shown in last and "100%" in last


def test_a_bar_ends_where_its_block_ends(
    sandbox: Sandbox, capsys: pytest.CaptureFixture[str]
) -> None:
    with sandbox.client() as client, pytest.raises(KeyError), progress_bar("cover") as bar:
        client.media.upload(File(bytes(MIB), "a.png"), progress=bar)
        bar(MIB // 2, MIB)
        raise KeyError
    err = capsys.readouterr().err
    assert "1.00M/1.00M" in err and "512k/1.00M" in err and err.endswith("\n")


def test_only_what_begins_again_has_a_new_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    class Bar:
        def __init__(self, **given: Any) -> None:
            self.n, self.total = 0, given["total"]
            made.append(self)

        def update(self, by: int) -> None:
            self.n += by

        def close(self) -> None:
            pass

    monkeypatch.setattr("tqdm.auto.tqdm", Bar)
    bar = progress_bar()
    for done, bars in ((0, 1), (0, 1), (4, 1), (4, 1), (3, 2), (10, 2), (0, 3)):
        bar(done, 10)
        assert (len(made), made[-1].n) == (bars, done)
    for operation, done, total, bars in (
        ("a", 1, None, 4),
        ("a", 2, 9, 4),
        ("b", 3, 8, 5),
        ("b", 4, 9, 5),
    ):
        bar(ProgressReport(operation, "items", done, total))
        assert (len(made), made[-1].n, made[-1].total) == (bars, done, total)


def test_without_tqdm_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ConfigurationError, match=r"needs tqdm.* extra 'progress'"):
        progress_bar()


def test_what_is_no_function_is_refused(sandbox: Sandbox) -> None:
    with sandbox.client() as client, pytest.raises(ConfigurationError, match="on_progress"):
        client.with_options(on_progress="often")
    assert isinstance(client, SocialPublishing)
