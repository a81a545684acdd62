"""Originals that are kept elsewhere: taken over whole or not at all; and their pull request."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import small_project
from small_project import DOCUMENT

from pipeline import fetching
from pipeline.openapi.problems import PipelineError
from release import proposing, upstream
from release.config import load_release
from tests.support.server import Peer, Request, Response, Script, Server, hold, serve

Command = Callable[..., tuple[int, str]]

OTHER = DOCUMENT.replace("things", "wares").replace("Things", "Wares")
LONGER = DOCUMENT.replace(
    "      responses:",
    "      parameters: [{name: colour, in: query, schema: {type: string}}]\n      responses:",
)
CONFIGURATION = small_project.CONFIGURATION.replace(
    "[tool.pipeline.client]",
    '[tool.pipeline.documents.other]\npath = "spec/other.yaml"\naddress = "other_url"\n\n'
    "[tool.pipeline.client]",
)
CONFIGURATION += '[tool.somebody.else]\n"spec/main.yaml" = "named elsewhere"\n'
CONFIGURATION += "[tool.release.upstream]\n"
LINE = CONFIGURATION.count("\n") + 1  # of the first original


class Origin:
    """A server with the originals: what each path gives, and what was asked for."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.given: dict[str, Response | Script] = {}
        server.respond = self.respond

    def respond(self, request: Request) -> Response | Script:
        return self.given.get(request.path, Response(404))

    def gives(self, path: str, body: str | bytes = b"", status: int = 200, **headers: str) -> str:
        """Set what a path gives; return its address."""
        data = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.given[path] = Response(status, body=data, headers=named)
        return self.server.url(path)


@pytest.fixture
def origin() -> Iterator[Origin]:
    with serve(lambda _: Response(404)) as server:
        yield Origin(server)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    (root / "spec").mkdir(parents=True)
    for name, text in {"main": DOCUMENT, "other": OTHER}.items():
        (root / "spec" / f"{name}.yaml").write_text(text, encoding="utf-8")
    (root / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    monkeypatch.chdir(root)
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    return root


@pytest.fixture
def command(folder: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run `upstream` with these originals by their names: the status, and all that is output."""

    def run(*words: str, **originals: str) -> tuple[int, str]:
        lines = [f'"spec/{name}.yaml" = {json.dumps(what)}' for name, what in originals.items()]
        configuration = CONFIGURATION + "\n".join(lines) + "\n"
        (folder / "pyproject.toml").write_text(configuration, encoding="utf-8")
        return asked(capsys, *words)

    return run


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    parser = argparse.ArgumentParser()
    upstream.arguments(parser)
    parser.set_defaults(run=upstream.run)
    options = parser.parse_args(words)
    try:
        status = options.run(options, load_release(Path("pyproject.toml")))
    except PipelineError as error:
        return 1, str(error)
    return status, capsys.readouterr().out


def files(folder: Path) -> dict[str, bytes]:
    """Every file but the configuration, and what is for this machine only."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        name: path.read_bytes()
        for path in found
        if not (name := path.relative_to(folder).as_posix()).startswith((".release", "pyproject"))
    }


# Taking over


def test_without_any_original_nothing_happens(folder: Path, command: Command) -> None:
    before = files(folder)
    status, output = command("--markdown", "changes.md")
    assert (status, "names no file" in output, files(folder)) == (0, True, before)


def test_what_differs_is_taken_over_whole_and_generated_from(
    folder: Path, origin: Origin, command: Command
) -> None:
    main = origin.gives("/main", LONGER.removesuffix("\n"))
    other = folder.parent / "other.yaml"
    other.write_text(OTHER, encoding="utf-8")
    status, output = command("--markdown", "changes.md", main=main, other="../other.yaml")
    assert status == 0, output
    assert f"spec/main.yaml: +1 -0 lines ({main})\n" in output
    assert "spec/other.yaml: unchanged (../other.yaml)\n" in output
    assert "added generated/openapi/main.json" in output
    assert (folder / "spec/main.yaml").read_text(encoding="utf-8") == LONGER
    assert (
        b"colour" in (folder / "generated/client/src/small_client/resources/things.py").read_bytes()
    )
    page = (folder / "changes.md").read_text(encoding="utf-8")
    assert page.splitlines()[2:] == [f"| `spec/main.yaml` | {main} | +1 -0 lines |"]
    # Again: it is all there.
    before = files(folder)
    status, output = command(main=main, other="../other.yaml")
    assert (status, output.count("unchanged"), files(folder)) == (0, 2, before)


def test_bytes_come_as_they_are(folder: Path, origin: Origin, command: Command) -> None:
    body = b"\xef\xbb\xbf" + DOCUMENT.replace("\n", "\r\n").encode() + "# Größe\r\n".encode()
    assert command(main=origin.gives("/main", body))[0] == 0
    assert (folder / "spec/main.yaml").read_bytes() == body


def test_check_writes_nothing(folder: Path, origin: Origin, command: Command) -> None:
    before = files(folder)
    status, output = command("--check", main=origin.gives("/main", LONGER))
    assert (status, files(folder)) == (1, before)
    assert "+1 -0 lines" in output and "nothing was written" in output
    assert command("--check", main=origin.gives("/main", DOCUMENT))[0] == 0


def test_a_file_that_is_new(folder: Path, command: Command) -> None:
    (folder / "spec/other.yaml").rename(folder / "original.yaml")
    status, output = command(other="original.yaml")
    assert (status, "spec/other.yaml: new, +12 -0 lines" in output) == (0, True)


BROKEN = OTHER.replace("openapi: 3", "openapi: 9")


def test_what_the_pipeline_refuses_is_put_back(
    folder: Path, origin: Origin, command: Command
) -> None:
    (folder / "spec/other.yaml").unlink()
    before = files(folder)
    main, other = origin.gives("/main", LONGER), origin.gives("/other", BROKEN)
    status, output = command("--markdown", "changes.md", main=main, other=other)
    assert (status, files(folder)) == (1, before)
    assert "spec/other.yaml:1:" in output and "all is as it was" in output
    assert (folder / ".release/upstream/spec/other.yaml").read_text(encoding="utf-8") == BROKEN


def test_an_interrupt_puts_all_back(
    folder: Path, origin: Origin, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(folder)

    def interrupted(*_: object) -> None:
        assert files(folder) != before
        raise KeyboardInterrupt

    monkeypatch.setattr("pipeline.steps.generate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        command(main=origin.gives("/main", LONGER))
    assert files(folder) == before


def test_one_that_cannot_be_had_keeps_all_from_coming(
    folder: Path, origin: Origin, command: Command
) -> None:
    before = files(folder)
    main, other = origin.gives("/main", LONGER), origin.server.url("/nowhere")
    status, output = command(main=main, other=other)
    assert (status, files(folder)) == (1, before)
    assert output.splitlines() == [
        f"pyproject.toml:{LINE + 1}:1: spec/other.yaml: {other} responds with the status 404 - "
        "[upstream]",
        "nothing was taken over",
    ]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (b"a: b\nsize: Gr\xf6\xdfe\n", "/main:2:1: the file is not UTF-8 [encoding]"),
        (b"a: [1, 2\nb: 3\n", "/main:2:"),
        (b"a: 1\na: 2\n", "/main:2:1: key 'a' again; first at line 1"),
        (b'{"a": 1,\n "b": ]}', "/main:2:7: "),
        (b"", "/main:1:1: the file is empty"),
    ],
    ids=["latin-1", "cut-off", "twice", "json", "empty"],
)
def test_what_is_no_document(
    folder: Path, origin: Origin, command: Command, body: bytes, wanted: str
) -> None:
    before = files(folder)
    status, output = command(main=origin.gives("/main", body))
    assert (status, files(folder)) == (1, before)
    assert origin.server.origin + wanted in output


@pytest.mark.parametrize(
    ("name", "source", "wanted"),
    [
        ("../main.yaml", "a.yaml", "must be a file below the folder of the project"),
        (".git/config", "a.yaml", "must be a file below the folder of the project"),
        ("spec", "a.yaml", "is a folder"),
        ("pyproject.toml", "a.yaml", "is the configuration itself"),
        ("generated/openapi/main.json", "a.yaml", "is generated"),
        ("spec/main.yaml", "spec/../spec/main.yaml", "is its own original"),
        ("spec/main.yaml", "nowhere.yaml", "nowhere.yaml cannot be read: No such file"),
        ("spec/main.yaml", "spec", "spec cannot be read: Is a directory"),
        ("spec/main.yaml", "ftp://host/a", "does not begin with http:// or https:// and a host"),
        ("spec/main.yaml", "http://", "does not begin with http:// or https:// and a host"),
        ("spec/main.yaml", "https://host:port/", "is an address that is not well-formed"),
    ],
)
def test_a_wrong_configuration(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, source: str, wanted: str
) -> None:
    before = files(folder)
    configuration = f'{CONFIGURATION}"{name}" = "{source}"\n'
    (folder / "pyproject.toml").write_text(configuration, encoding="utf-8")
    status, output = asked(capsys)
    assert (status, files(folder)) == (1, before)
    assert output.startswith(f"pyproject.toml:{LINE}:1: ") and wanted in output


def test_the_same_file_twice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = '"spec/main.yaml" = "a"\n"./spec/main.yaml" = "b"\n'
    (folder / "pyproject.toml").write_text(CONFIGURATION + both, encoding="utf-8")
    found = asked(capsys)[1]
    assert found.startswith(f"pyproject.toml:{LINE + 1}:1: tool.release.upstream: ")
    assert "'./spec/main.yaml' is the same file as" in found


def test_a_password_is_refused_and_not_shown(folder: Path, command: Command) -> None:
    status, output = command(main="https://somebody:hunter2@127.0.0.1/main")
    assert status == 1 and "must hold no user name or password" in output
    assert "hunter2" not in output


# Fetching


def fails(source: str, **bounds: Any) -> str:
    with pytest.raises(PipelineError) as failure:
        fetching.fetch(source, Path(), **bounds)
    return str(failure.value)


def test_redirects_on_the_same_host(origin: Origin) -> None:
    address = origin.gives("/there", "a: 1\n")
    for status, target in ((302, "/there"), (307, address)):
        here = origin.gives("/here", status=status, Location=target)
        assert fetching.fetch(here, Path()) == b"a: 1\n"


def test_a_redirect_to_another_host_without_tls(origin: Origin) -> None:
    with serve(lambda _: Response(body=b"a: 1\n")) as other:
        here = origin.gives("/here", status=301, Location=other.url("/there?secret=1"))
        text = fails(here)
        assert "redirects to http://127.0.0.1" in text and "only https" in text
        assert "secret" not in text and other.requests == []


@pytest.mark.parametrize(
    ("target", "wanted"),
    [
        ("https://127.0.0.1:1/there", "cannot be reached"),
        ("", "redirects more than 5 times"),
        ("file:///etc/hosts", "redirects to an address that"),
        ("https://me:secret@127.0.0.1/x", "must hold no user name"),
        ("/here", "redirects more than 5 times"),
    ],
)
def test_a_redirect_that_is_not_followed_to_an_end(
    origin: Origin, target: str, wanted: str
) -> None:
    text = fails(origin.gives("/here", status=302, Location=target))
    assert wanted in text and "secret" not in text
    count = fetching.MAX_REDIRECTS + 1 if "more than" in wanted else 1
    assert len(origin.server.requests) == count


def test_a_response_that_breaks_off_and_nobody_who_listens(origin: Origin) -> None:
    def break_off(peer: Peer) -> None:
        peer.send(b"HTTP/1.1 200 -\r\nContent-Length: 1000\r\n\r\na: 1\n")
        peer.close()

    origin.given["/main"] = break_off
    assert "cannot be reached" in fails(origin.server.url("/main"))
    origin.server.stop()
    assert "cannot be reached" in fails(origin.server.url("/main"))


@pytest.mark.parametrize("script", ["silent", "dripping"])
def test_silence_and_dripping_end(origin: Origin, script: str) -> None:
    def drip(peer: Peer) -> None:
        peer.send(b"HTTP/1.1 200 -\r\n\r\n")
        peer.drip(b"#", pause=0.02)

    origin.given["/main"] = drip if script == "dripping" else hold
    began = time.monotonic()
    assert "does not respond in time" in fails(origin.server.url("/main"), seconds=0.2)
    assert time.monotonic() - began < 2.5


def test_size_is_bounded(origin: Origin, tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(bytes(1001))
    for source in (origin.gives("/large", bytes(1001)), str(path)):
        assert "is larger than 1,000 bytes" in fails(source, max_bytes=1000)
        assert len(fetching.fetch(source, Path(), max_bytes=1001)) == 1001


def test_packed_responses_are_refused(origin: Origin) -> None:
    main = origin.gives("/main", gzip.compress(b"a: 1\n"), Content_Encoding="gzip")
    assert "comes compressed (gzip), without being asked" in fails(main)


# Proposing

GH = """\
#!{python}
import json, os, sys
from pathlib import Path
here = Path(__file__).parent
words = sys.argv[1:]
text = sys.stdin.read() if "--body-file" in words else ""
with (here / "calls").open("a") as file:
    file.write(json.dumps([*words, text]) + "\\n")
if words[:2] == ["pr", "list"]:
    print((here / "open").read_text() if (here / "open").exists() else "[]")
elif words[:2] in (["pr", "create"], ["pr", "edit"]):
    if (here / "refuse").exists():
        sys.exit("GitHub Actions is not permitted to create or approve pull requests")
    print("the address of the pull request")
"""


class Clone:
    """A clone with a remote of its own, and a `gh` that only writes down its arguments."""

    def __init__(self, folder: Path) -> None:
        self.remote, self.root, self.bin = folder / "remote", folder / "clone", folder / "bin"
        self.bin.mkdir()
        (self.bin / "gh").write_text(GH.format(python=sys.executable), encoding="utf-8")
        (self.bin / "gh").chmod(0o755)
        self.git("init", "--quiet", "--bare", str(self.remote), at=folder)
        self.git("init", "--quiet", "--initial-branch=main", str(self.root), at=folder)
        self.git("remote", "add", "origin", str(self.remote))
        self.write("spec.yaml", "a: 1\n")
        self.commit()
        self.git("push", "--quiet", "origin", "main")

    def git(self, *words: str, at: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *words], cwd=at or self.root, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")

    def change(self, **texts: str) -> Path:
        """Return a patch of HEAD that gives `NAME.yaml` these texts; the tree stays as it is."""
        for name, text in texts.items():
            self.write(f"{name}.yaml", text)
        patch = self.root.parent / "patch"
        self.git("add", "--all")
        self.git("diff", "--cached", "--binary", f"--output={patch}")
        self.git("reset", "--quiet", "--hard")
        return patch

    def commit(
        self, mail: str = "me@example.org", at: Path | None = None, everything: bool = True
    ) -> None:
        if everything:
            self.git("add", "--all", at=at)
        who = ("-c", "user.name=Me", "-c", f"user.email={mail}")
        self.git(*who, "commit", "--quiet", "--allow-empty", "--message", "Change", at=at)

    def calls(self) -> list[list[str]]:
        """Return what `gh` was asked since the last time: the words, and the text after them."""
        path = self.bin / "calls"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return [json.loads(line) for line in lines]

    def on_the_branch(self, what: str) -> str:
        return self.git("show", f"upstream:{what}", at=self.remote)


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    return Clone(tmp_path)


def test_one_pull_request_that_is_kept_up_to_date(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    body = clone.root.parent / "body.md"
    body.write_text("`rm -rf` $(nothing) is run\n", encoding="utf-8")
    patch = clone.change(spec="a: 2\n", new="b: 1\n")
    assert proposing.propose(clone.root, "upstream", patch, [body, body], "ci.yml") == 0
    assert "the address of the pull request" in capsys.readouterr().out
    assert clone.git("status", "--porcelain") == ""
    assert not (clone.root / "new.yaml").exists()
    assert clone.git("branch", "--show-current") == "main"
    assert (clone.on_the_branch("spec.yaml"), clone.on_the_branch("new.yaml")) == ("a: 2", "b: 1")
    _, created, started = clone.calls()
    assert started[:-1] == ["workflow", "run", "ci.yml", "--ref", "upstream"]
    assert created[:6] == ["pr", "create", "--head", "upstream", "--base", "main"]
    assert created[-1].count("`rm -rf` $(nothing) is run") == 2

    # The same again: the text is made current, and nothing else happens.
    (clone.bin / "open").write_text(
        '[{"number": 6, "isCrossRepository": true}, {"number": 7, "isCrossRepository": false}]'
    )
    tip = clone.git("rev-parse", "upstream", at=clone.remote)
    assert proposing.propose(clone.root, "upstream", patch, [body], "ci.yml") == 0
    assert clone.git("rev-parse", "upstream", at=clone.remote) == tip
    assert [call[:3] for call in clone.calls()] == [["pr", "list", "--head"], ["pr", "edit", "7"]]

    # It changed further, and main moved on: one commit on top of main.
    clone.commit(everything=False)
    clone.git("push", "--quiet", "origin", "main")
    patch = clone.change(spec="a: 3\n")
    assert proposing.propose(clone.root, "upstream", patch, [body], "ci.yml") == 0
    assert clone.on_the_branch("spec.yaml") == "a: 3"
    assert clone.git("rev-list", "--count", "main..upstream", at=clone.remote) == "1"
    assert [call[:2] for call in clone.calls()] == [
        ["pr", "list"],
        ["pr", "edit"],
        ["workflow", "run"],
    ]


def test_commits_of_others_are_not_lost(clone: Clone) -> None:
    proposing.propose(clone.root, "upstream", clone.change(spec="a: 2\n"), [])
    other = clone.root.parent / "other"
    clone.git("clone", "--quiet", "--branch", "upstream", str(clone.remote), str(other))
    (other / "mine.txt").write_text("work\n")
    clone.commit("you@example.org", at=other)
    clone.git("push", "--quiet", "origin", "upstream", at=other)
    patch = clone.change(spec="a: 3\n")
    with pytest.raises(PipelineError, match=r"upstream has commits of you@example\.org"):
        proposing.propose(clone.root, "upstream", patch, [])
    assert clone.on_the_branch("mine.txt") == "work"


def test_what_git_and_gh_refuse_is_reported(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    patch = clone.change(spec="a: 2\n")
    with pytest.raises(PipelineError, match="main is checked out itself"):
        proposing.propose(clone.root, "main", patch, [])
    (clone.bin / "refuse").touch()
    with pytest.raises(PipelineError, match="gh pr create: GitHub Actions is not permitted"):
        proposing.propose(clone.root, "upstream", patch, [], "ci.yml")
    (clone.bin / "refuse").unlink()
    clone.calls()
    proposing.propose(clone.root, "upstream", patch, [], "ci.yml")  # what was left to do
    assert [call[:2] for call in clone.calls()] == [
        ["pr", "list"],
        ["pr", "create"],
        ["workflow", "run"],
    ]
    clone.git("remote", "set-url", "origin", str(clone.root.parent / "nowhere"))
    with pytest.raises(PipelineError, match=r"git ls-remote origin: .*nowhere"):
        proposing.propose(clone.root, "upstream", patch, [])
    clone.git("checkout", "--quiet", "--detach")
    with pytest.raises(PipelineError, match="no branch is checked out"):
        proposing.propose(clone.root, "upstream", patch, [])


def test_a_patch_of_something_else_is_refused(clone: Clone) -> None:
    patch = clone.change(spec="a: 2\n")
    clone.write("spec.yaml", "another: 1\n")
    clone.commit()
    with pytest.raises(PipelineError, match=r"(?s)git apply --cached: .*patch does not apply"):
        proposing.propose(clone.root, "upstream", patch, [])
    assert clone.calls() == []


def test_the_command_needs_nothing_that_is_installed(clone: Clone) -> None:
    """Run it as the job does that may write, in a Python without packages."""
    patch = clone.change(spec="a: 2\n")
    done = subprocess.run(
        [sys.executable, "-S", "-m", "release.proposing", "upstream", patch, "--start", "ci.yml"],
        cwd=clone.root,
        env={**os.environ, "PYTHONPATH": str(Path(upstream.__file__).parents[1])},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "the address of the pull request" in done.stdout
    assert clone.calls()[-1][:3] == ["workflow", "run", "ci.yml"]


def test_git_asks_gh_for_the_token(clone: Clone) -> None:
    (clone.bin / "gh").write_text('#!/bin/sh\ncat > /dev/null\necho "password=$*"\n')
    asks = ["git", *proposing.PUSHING, "credential", "fill"]
    wanted = "protocol=https\nhost=somewhere\nusername=me\n\n"
    done = subprocess.run(asks, input=wanted, capture_output=True, text=True, cwd=clone.root)
    assert "password=auth git-credential get" in done.stdout


def test_without_gh(clone: Clone) -> None:
    patch = clone.change(spec="a: 2\n")
    (clone.bin / "gh").unlink()
    with pytest.raises(PipelineError, match="gh is needed, and there is none on the PATH"):
        proposing.propose(clone.root, "upstream", patch, [])


def test_a_text_that_is_too_long_is_cut(clone: Clone) -> None:
    body = clone.root.parent / "body.md"
    body.write_text("a line of text\n" * 10_000, encoding="utf-8")
    proposing.propose(clone.root, "upstream", clone.change(spec="a: 2\n"), [body])
    text = clone.calls()[-1][-1]
    assert len(text) < 65_536 and text.endswith("a line of text\n\n… and more.\n")
