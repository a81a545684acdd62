"""Originals that are kept elsewhere: taken over whole or not at all."""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import small_project
from small_project import DOCUMENT

from pipeline import fetching
from pipeline.openapi.problems import PipelineError
from release import upstream
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
    assert command("--markdown", "changes.md") == (0, "")
    assert files(folder) == before


def test_what_differs_is_taken_over_whole_and_generated_from(
    folder: Path, origin: Origin, command: Command
) -> None:
    main = origin.gives("/main", LONGER.removesuffix("\n"))
    other = folder.parent / "other.yaml"
    other.write_text(OTHER, encoding="utf-8")
    status, output = command("--markdown", "changes.md", main=main, other="../other.yaml")
    assert status == 0, output
    assert f"spec/main.yaml: changed ({main})\n" in output
    assert "spec/other.yaml: unchanged (../other.yaml)\n" in output
    assert "added generated/openapi/main.json" in output
    assert (folder / "spec/main.yaml").read_text(encoding="utf-8") == LONGER
    assert (
        b"colour" in (folder / "generated/client/src/small_client/resources/things.py").read_bytes()
    )
    page = (folder / "changes.md").read_text(encoding="utf-8")
    assert page.splitlines()[2:] == [f"| `spec/main.yaml` | {main} |"]
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
    assert "spec/main.yaml: changed" in output and "nothing was written" in output
    assert command("--check", main=origin.gives("/main", DOCUMENT))[0] == 0


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
        (b"a: b\nsize: Gr\xf6\xdfe\n", "/main:2:9: the file is not UTF-8 [encoding]"),
        (b"a: [1, 2\nb: 3\n", "/main:2:"),
        (b"", "/main:1:1: the file is empty"),
    ],
    ids=["latin-1", "cut-off", "empty"],
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
        ("../main.yaml", "a.yaml", "must be in the project"),
        ("generated/openapi/main.json", "a.yaml", "must be in the project, and not be generated"),
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
