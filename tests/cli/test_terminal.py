"""What a person sees in a terminal: progress, one line to a row, and what Ctrl-C leaves."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pyte
import pytest
from cli_support import GROUP, PROGRAM, Command, environment, rows_of, write
from social_publishing import SocialPublishing
from social_publishing._runtime.core.waits import WaitReason

from social_publishing_cli.progress import Progress
from social_publishing_cli.session import Session
from social_publishing_sandbox import Sandbox

pty = pytest.importorskip("pty")


class Terminal:
    """A command in a terminal of its own, of 80 columns; its standard output goes to a file."""

    def __init__(self, arguments: tuple[str, ...], folder: Path, more: dict[str, str]) -> None:
        self._own, other = pty.openpty()
        self._out = folder / "out.txt"
        with self._out.open("w") as out:
            self.process = subprocess.Popen(
                [*PROGRAM, *arguments],
                env=environment(**more),
                stdin=other,
                stdout=out,
                stderr=other,
                start_new_session=True,
            )
        os.close(other)
        self.seen = ""

    def until(self, text: str) -> None:
        """Read what it shows, until it has shown a text."""
        end = time.monotonic() + 60
        while text not in self.seen:
            assert time.monotonic() < end, self.seen
            assert self._more(), self.seen

    def answer(self, text: str) -> None:
        """Type a line."""
        os.write(self._own, f"{text}\n".encode())

    def end(self) -> tuple[int, str]:
        """Let it end, and return its status and what it has written to standard output."""
        while self._more():
            pass
        os.close(self._own)
        return self.process.wait(60), self._out.read_text()

    def lines(self, columns: int = 80) -> list[str]:
        """What stands in the terminal in the end, line by line."""
        screen = pyte.Screen(columns, 200)
        pyte.Stream(screen).feed(self.seen)
        return [line.rstrip() for line in screen.display]

    def moments(self, columns: int = 80) -> list[str]:
        """The line with the cursor, as it was at each moment: what progress has shown."""
        screen = pyte.Screen(columns, 200)
        stream, shown = pyte.Stream(screen), []
        for piece in re.split(r"(?=[\r\n])", self.seen):
            stream.feed(piece)
            shown.append(screen.display[screen.cursor.y].rstrip())
        return shown

    def _more(self) -> bool:
        """Read what comes next; a command that says nothing for a minute has failed."""
        assert select.select([self._own], [], [], 60)[0], self.seen
        try:
            data = os.read(self._own, 1 << 16)
        except OSError:  # Linux says so when the other side is closed
            return False
        self.seen += data.decode()
        return bool(data)


@pytest.fixture
def terminal(command: Command, tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Return `terminal(*arguments)`: starts the command there, signed in to the sandbox."""
    started: list[Terminal] = []

    def start(*arguments: str, **more: str) -> Terminal:
        started.append(Terminal(arguments, tmp_path, more))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()


@pytest.fixture
def plan(command: Command, tmp_path: Path) -> list[str]:
    """A plan, and the posts that it changes."""
    assert command("export", "posts", "--group", GROUP, "-o", "all.csv").status == 0
    rows = rows_of(tmp_path / "all.csv")[:6]
    names = [{"id": row["id"], "name": f"新しい名前 {row['id']}"} for row in rows]
    write(tmp_path / "names.csv", names)
    assert command("plan", "names.csv", "-o", "names.plan", "--against-now").status == 0
    return [row["id"] for row in rows]


@pytest.mark.parametrize("words", [["apply", "names.plan"], ["undo", "--yes"]])
def test_an_interrupted_run_says_how_to_go_on(
    terminal: Callable[..., Terminal],
    plan: list[str],
    command: Command,
    sandbox: Sandbox,
    words: list[str],
) -> None:
    if words[0] == "undo":
        assert command("apply", "names.plan").status == 0
    before = len(sandbox.requests(operation="updatePost"))
    with sandbox.fault("latency", ms=300, operations="updatePost"):
        run = terminal(*words)
        run.until("2 of 6")
        run.process.send_signal(signal.SIGINT)
        status, out = run.end()
    assert (status, out) == (130, "")
    assert "Traceback" not in run.seen
    written = len(sandbox.requests(operation="updatePost")) - before
    assert written < 6
    found = re.search(
        r"(\d) of 6 changes are done; continue with: social-publishing (.+)", run.seen
    )
    assert found and 2 <= int(found[1]) <= written
    again = command(*found[2].split(), "--settle-after", "0.5")
    assert again.status == 0, again.err
    sent = sandbox.requests(operation="updatePost", status="2xx")[before:]
    assert len({each.target for each in sent}) == len(sent) == 6


def test_a_wait_and_progress_share_a_line(
    terminal: Callable[..., Terminal], plan: list[str], sandbox: Sandbox
) -> None:
    slow = {"status": 503, "retry_after": 4, "operations": "posts.get_many", "times": 1}
    with sandbox.fault("drop-before", operations="posts.update", after=5, times=1):
        sandbox.add_fault("status", **slow)
        run = terminal("apply", "names.plan", "--output", "jsonl", "--settle-after", "3")
        status, out = run.end()
    assert status == 0, run.seen
    assert len(out.splitlines()) == 6
    seen = run.moments()
    assert any(re.search(r"waiting [34] s to try again$", each) for each in seen)
    assert any(
        re.search(r"\b5 of 6 .*waiting [23] s to check lost requests$", each) for each in seen
    )
    assert any(re.search(r"\b6 of 6\b", each) for each in seen)
    # Nothing of the progress is left over.
    assert [line for line in run.lines() if line] == [
        "6 done, 0 in conflict, 0 failed, 0 left",
    ]


@pytest.mark.parametrize(("answer", "status"), [("n", 1), ("", 1), ("y", 0)])
def test_a_no_is_an_answer(
    terminal: Callable[..., Terminal], plan: list[str], sandbox: Sandbox, answer: str, status: int
) -> None:
    run = terminal("apply", "names.csv", "--against-now", "--quiet")
    run.until("Apply these 6 changes? [y/N]")
    run.answer(answer)
    ended = run.end()
    assert ended[0] == status, run.seen
    assert ("nothing was changed" in run.seen) is bool(status)
    assert bool(sandbox.requests(operation="updatePost")) is not bool(status)
    # What was asked about was shown before, quiet or not.
    assert all(post in run.seen.partition("Apply these")[0] for post in plan)


def test_one_change_is_asked_about_as_one(
    terminal: Callable[..., Terminal], plan: list[str], tmp_path: Path
) -> None:
    write(tmp_path / "one.csv", [*rows_of(tmp_path / "names.csv")][:1])
    run = terminal("apply", "one.csv", "--against-now")
    run.until("Apply this change? [y/N]")
    run.answer("y")
    assert run.end()[0] == 0
    run = terminal("undo")
    run.until("Undo this change of plan")
    run.answer("n")
    assert run.end()[0] == 1


def test_a_deletion_names_what_goes(
    terminal: Callable[..., Terminal], plan: list[str], sandbox: Sandbox, client: SocialPublishing
) -> None:
    client.posts.update(plan[0], name="Plum \x1b[2J cake")
    [post] = client.posts.get_many(ids=plan[:1])
    networks = {client.social_accounts.get(a).social_network for a in post.selected_account_ids}
    run = terminal("posts", "delete-many", *plan[:2])
    run.until("2 found. Delete for good? [y/N]")
    assert r"Plum \x1b[2J cake" in run.seen and "\x1b[2J" not in run.seen
    assert all(str(network) in run.seen for network in networks)
    run.answer("n")
    assert run.end()[0] == 1
    assert not sandbox.requests(operation="deletePosts")


@pytest.mark.parametrize("flag", [[], ["--from-networks"]])
def test_a_deletion_says_where_posts_stay(
    terminal: Callable[..., Terminal], sandbox: Sandbox, flag: list[str]
) -> None:
    """The service cannot remove posts from four networks (§4.1): said before the question."""
    accounts = {str(each.social_network): each.id for each in sandbox.find("social_accounts")}
    wanted = ["facebook", "threads", "instagram"]
    post = sandbox.create_post(content="x", selected_account_ids=[accounts[n] for n in wanted])
    run = terminal("posts", "delete-many", str(post.id), *flag)
    run.until("1 found. Delete for good? [y/N]")
    seen = " ".join(run.seen.split())
    assert ("instagram, threads: What was published there stays" in seen) is bool(flag)
    run.answer("n")
    assert run.end()[0] == 1


@pytest.mark.parametrize(("answers", "status"), [(["", "", "", "y"], 0), (["", "q"], 1)])
def test_a_plan_of_several_screens_is_shown_before_the_question(
    terminal: Callable[..., Terminal], plan: list[str], sandbox: Sandbox, tmp_path: Path,
    answers: list[str], status: int,
) -> None:  # fmt: skip
    """Warnings first, then every change; whoever stops before the end is not asked."""
    rows = [{**row, "note": "n" * 200} for row in rows_of(tmp_path / "names.csv")]
    write(tmp_path / "long.csv", rows)
    run = terminal("apply", "long.csv", "--against-now", LINES="20", COLUMNS="60")
    for answer in answers[:-1]:
        run.until("more lines before the question")
        assert "Apply these" not in run.seen
        run.seen = run.seen.replace("more lines before the question", "")
        run.answer(answer)
    run.until("Apply these 6 changes?" if status == 0 else "more lines before the question")
    assert (plan[-1] in run.seen) is (status == 0)
    run.answer(answers[-1])
    assert run.end()[0] == status
    assert bool(sandbox.requests(operation="updatePost")) is (status == 0)


def test_quiet_shows_nothing(terminal: Callable[..., Terminal], plan: list[str]) -> None:
    run = terminal("apply", "names.plan", "--quiet")
    status, out = run.end()
    assert (status, run.seen) == (0, "")
    assert {json.loads(line)["state"] for line in out.splitlines()} == {"done"}


def test_an_upload_shows_how_far_it_is(
    terminal: Callable[..., Terminal], tmp_path: Path, sandbox: Sandbox
) -> None:
    (tmp_path / "clip.mp4").write_bytes(bytes(4_000_000))
    run = terminal("media", "upload", "clip.mp4")
    status, out = run.end()
    assert status == 0, run.seen
    assert "4.0 of 4.0 MB" in run.seen
    assert not any(run.lines())
    assert json.loads(out)["size"] == 4_000_000


def test_an_interrupted_upload_says_what_is_known(
    terminal: Callable[..., Terminal], tmp_path: Path, sandbox: Sandbox
) -> None:
    (tmp_path / "clip.mp4").write_bytes(bytes(4_000_000))
    with sandbox.fault("latency", ms=6_000, operations="uploadMedia"):
        run = terminal("media", "upload", "clip.mp4")
        run.until("4.0 of 4.0 MB")
        run.process.send_signal(signal.SIGINT)
        status, out = run.end()
    assert (status, out) == (130, "")
    assert "Traceback" not in run.seen
    assert [line for line in run.lines() if line] == [
        "interrupted",
        "media.upload was sent: it may have been carried out",
    ]


@pytest.mark.parametrize(
    ("words", "columns"), [(["export", "posts"], 40), (["metrics"], 80), (["export", "posts"], 120)]
)
def test_a_long_reading_counts_down_its_waits(
    terminal: Callable[..., Terminal], sandbox: Sandbox, words: list[str], columns: int
) -> None:
    """In people's words, on one line of the terminal, of which nothing is left in the end."""
    groups = [str(each.id) for each in sandbox.find("groups")][:3]
    sandbox.add_fault("status", status=503, retry_after=4, operations="posts.list", times=1)
    chosen = [word for group in groups for word in ("--group", group)]
    run = terminal(*words, *chosen, "-o", "out.csv", COLUMNS=str(columns))
    assert run.end()[0] == 0, run.seen
    seen = run.moments(columns)
    waits = [each for each in seen if "waiting" in each]
    reason = " to try again" if columns >= 60 else ""
    for left in (2, 3):
        assert any(each.endswith(f"waiting {left} s{reason}") for each in waits), waits
    assert all(each.startswith("Reading group 1 of 3") for each in waits)
    assert any(each.startswith("Reading group 3 of 3") for each in seen)
    assert ("━" in "".join(waits)) is (columns >= 60)
    left = [line for line in run.lines(columns) if line]
    assert len(left) == 1 and left[0].endswith("written to out.csv")
    assert "posts.list" not in run.seen


@pytest.mark.parametrize("sandbox", ["frozen"], indirect=True)  # nothing is published in between
@pytest.mark.parametrize(
    ("words", "part", "before"),
    [
        (["export", "posts"], "group", ""),
        (["metrics"], "group", ""),
        (["metrics"], "post", "3 groups, "),
    ],
)
def test_an_interrupted_reading_goes_on(
    terminal: Callable[..., Terminal],
    command: Command,
    sandbox: Sandbox,
    tmp_path: Path,
    words: list[str],
    part: str,
    before: str,
) -> None:
    """What was read is not read again, and the file is the one of an undisturbed run."""
    groups = [str(each.id) for each in sandbox.find("groups")][:3]
    chosen = [*words, *(word for group in groups for word in ("--group", group))]
    assert command(*chosen, "-o", "whole.csv").status == 0
    method = "posts.list" if part == "group" else "posts.metrics"
    whole = len(sandbox.requests(operation=method))
    with sandbox.fault("latency", ms=10_000, operations=method, after=2, times=1):
        run = terminal(*chosen, "-o", "part.csv")
        run.until(f"{part} 3 of ")
        run.process.send_signal(signal.SIGINT)
        assert run.end()[0] == 130
    assert not (tmp_path / "part.csv").exists()
    how = " ".join(run.lines()).partition(f"read so far: {before}2 {part}s; ")[2]
    again = re.search(r"continue with: social-publishing (.+ --resume)", how)
    assert again, how
    sent = len(sandbox.requests(operation=method))
    ended = command(*again[1].split())
    assert ended.status == 0 and f"read before: {before}2 {part}s\n" in ended.err
    assert len(sandbox.requests(operation=method)) - sent == whole - 2
    assert (tmp_path / "part.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    # A run that ended well leaves nothing to go on from.
    assert "read before: nothing" in command(*again[1].split(), "--force").err


def test_every_wait_of_the_client_has_words_for_people() -> None:
    """Beside a step, in a terminal that has room for them."""
    reasons = get_args(WaitReason)
    assert reasons
    for reason in reasons:
        shown = Progress()
        shown.step("Reading group 1 of 2", 0, 2)
        shown.wait(59.5, reason)
        assert re.fullmatch(r"waiting 60 s (for|to) [a-z ]+", str(shown._waiting(80)))
        assert shown._waiting(40) == "waiting 60 s"
        shown.clear()
        assert shown._waiting(80) == ""
        alone = Progress()  # which has nothing else to say
        alone.wait(59.5, reason)
        assert re.fullmatch(r"60 s (for|to) [a-z ]+", str(alone._waiting(40)))


def test_without_a_terminal_nothing_is_shown(command: Command, plan: list[str]) -> None:
    ended = command("apply", "names.plan")
    assert ended.err == "6 done, 0 in conflict, 0 failed, 0 left\n"


def test_login_checks_each_answer_as_it_is_given(
    terminal: Callable[..., Terminal], sandbox: Sandbox, tmp_path: Path
) -> None:
    """What cannot be used is asked for again, and nothing that was right is lost."""
    nothing = dict.fromkeys((f"SOCIAL_PUBLISHING_{n}" for n in ("BASE_URL", "MEDIA_URL")), "")
    config = {"SOCIAL_PUBLISHING_CONFIG": str(tmp_path / "config")}
    null = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    run = terminal("auth", "login", **nothing, **config, **null)
    for question, wrong, why, right in (
        ("main API (…/v1): ", "somewhere", "base_url", sandbox.base_url),
        ("media API (…/api/v1): ", sandbox.base_url, "media_url", sandbox.media_url),
        ("Token: ", "two words", "api_token", sandbox.token),
    ):
        run.until(question)
        run.answer(wrong)
        run.until("error: ")
        assert why in run.seen.rpartition("error: ")[2] or run.until(why) is None
        run.seen = run.seen.rpartition("error: ")[2]
        run.until(question)
        run.answer(right)
    status, _ = run.end()
    assert status == 0, run.seen
    assert "signed in as profile default" in run.seen


def test_an_address_that_cannot_be_used_is_refused_before_the_token_is_asked_for(
    command: Command, sandbox: Sandbox
) -> None:
    for options, named in (
        (["--base-url", "nonsense"], "--base-url"),
        (["--media-url", sandbox.base_url], "--media-url"),
    ):
        ended = command("auth", "login", "other", "--token-stdin", *options)
        assert (ended.status, named in ended.err) == (2, True), ended.err
    assert "cannot be the name of a profile" in command("auth", "login", "a/b").err


@pytest.mark.parametrize("quiet", [False, True])
def test_a_long_wait_that_no_terminal_shows_is_told(
    quiet: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    for seconds in (0.5, 1.9, 2, 61.4):
        Session(quiet=quiet).wait(seconds, "to check lost requests")
    told = ["waiting 2 s to check lost requests", "waiting 61 s to check lost requests"]
    assert capsys.readouterr().err.splitlines() == ([] if quiet else told)
