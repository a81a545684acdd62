"""`init`: a document becomes a project that generates, from a file and from an address."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from functools import partial
from importlib.metadata import PathDistribution
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import ANY

import httpx2
import pytest
import yaml
from generate_support import CASES, operation, operations, project, said, tree

from pipeline.cli import main
from pipeline.config import load_config
from pipeline.fetching import fetch, fetch_parts
from pipeline.openapi.problems import PipelineError
from pipeline.starting import start
from pipeline.steps import effective
from tests.support.server import Request, Response, serve

ROOT = Path(__file__).parents[2]
CLASHES = CASES / "clashes" / "document.yaml"


def test_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names that had to be decided are kept before the first run, which decides no other ones."""
    folder = tmp_path / "new"
    status, out, _ = said(capsys, "init", CLASHES, "-o", folder)
    assert status == 0 and str(folder / "overlays/client.yaml") in out
    kept = (folder / "names/api.yaml").read_text()
    assert "waiting.put_votes_by_name_by_type" in kept and "8 operations in 4 resources" in out
    config = load_config(folder / "pyproject.toml")
    assert config.sources[0].path.resolve() == CLASHES
    status, out, err = said(capsys, "generate", "--config", folder / "pyproject.toml")
    assert status == 0, err
    assert (folder / "names/api.yaml").read_text() == kept
    assert said(capsys, "check", "--config", folder / "pyproject.toml")[0] == 0
    (folder / "names/api.yaml").write_text(kept.replace("waiting.put_", "waiting.my_put_"))
    assert said(capsys, "check", "--config", folder / "pyproject.toml")[0] == 1
    assert said(capsys, "init", CLASHES, "-o", folder)[0] == 1


def test_what_is_left_out_has_a_remedy_to_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nested = {"type": "array", "items": {"type": "object"}}
    wide = {"name": "c", "in": "query", "schema": nested}
    data = operations({"/a": {"get": operation(parameters=[wide])}, "/b": {"get": operation("b")}})
    project(tmp_path, data)
    assert said(capsys, "init", tmp_path / "document.yaml", "-o", tmp_path)[0] == 0
    overlay = tmp_path / "overlays/client.yaml"
    config = tmp_path / "pyproject.toml"
    _, _, err = said(capsys, "generate", "--config", config)
    assert "1 operation left out" in err and "$.paths['/a'].get.parameters[0]" in err
    lines = overlay.read_text().splitlines()
    at = next(index for index, line in enumerate(lines) if line.startswith("  # - target"))
    lines[at : at + 2] = [line.replace("  # ", "") for line in lines[at : at + 2]]
    overlay.write_text("\n".join(lines) + "\n")
    status, _, err = said(capsys, "generate", "--config", config)
    assert status == 0 and "left out" not in err


@pytest.mark.parametrize("sign", ["\0", "\a", "\n", "\x85", "\u2028", "\ufffe", "'", " #"])
def test_the_remedies_are_yaml_whatever_is_named(
    sign: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = operations({"/a": {"get": operation()}})
    data["security"] = [{f"a{sign}b": []}]
    (tmp_path / "document.json").write_text(json.dumps(data))
    status, _, err = said(capsys, "init", tmp_path / "document.json", "-o", tmp_path)
    assert status == 0 and "client.yaml" not in err
    text = (tmp_path / "overlays/client.yaml").read_text()
    assert "does not define a" in text
    assert yaml.safe_load(text)["actions"] == [{"target": "$.info", "update": {"title": "Sample"}}]


def test_notes_are_counted_and_not_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = said(capsys, "init", CASES / "limits/document.yaml", "-o", tmp_path)
    last = err.splitlines()[-1]
    assert status == 0 and last.endswith("notes, which `generate --verbose` shows.")
    assert int(last.split()[0]) > len(err.splitlines())


def test_a_document_of_many_files_comes_whole_from_an_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those beside it and below, and none where code and settings lie."""
    schemas = {"B": {"$ref": "parts/b c.yaml#/B"}, "gone": {"$ref": "gone.yaml"},
               "back": {"$ref": "api.json#/components/schemas/Own"}}  # fmt: skip
    elsewhere = ["http://h/x.yaml", "link/x.yaml", "dangling.yaml",
                 "../up.yaml", "/etc/x.yaml", "//h/x.yaml", "custom/x.yaml", "overlays/x.yaml",
                 "names/x.yaml", "generated/x.yaml", ".git/x.yaml", "x.py", "a\0.yaml",
                 "parts/../../x.yaml"]  # fmt: skip
    document = operations({"/a": {"get": operation()}})
    document["components"]["schemas"] = {"Own": {"type": "string"}, "S": {"$ref": "s.json#/B"}}
    document["x-more"] = [{"$ref": each} for each in elsewhere]
    files = {
        "/d/api.json": json.dumps(document),
        "/d/s.json": json.dumps(schemas),
        "/d/parts/b%20c.yaml": "B: {$ref: 'd.yaml'}",
        "/d/parts/d.yaml": "{type: object, properties: {z: {$ref: '../s.json#/back'}}}",
    }
    asked: list[str] = []

    def respond(request: Request) -> Response:
        asked.append(request.path)
        found = files.get(request.path)
        return Response(404) if found is None else Response(body=found.encode())

    outside, into = tmp_path / "outside", tmp_path / "new"
    outside.mkdir()
    into.mkdir()
    (into / "link").symlink_to(outside)
    (into / "dangling.yaml").symlink_to(outside / "made.yaml")
    with serve(respond) as server:
        given = tmp_path / "other/../new"
        status, _, err = said(capsys, "init", server.url("/d/api.json"), "-o", given)
    assert status == 0, err
    assert not [*outside.iterdir()]
    assert sorted(asked) == sorted([*files, "/d/gone.yaml", "/d/a%00.yaml"])  # each once
    kept = {name.removeprefix("/d/").replace("%20", " "): text for name, text in files.items()}
    assert {name: (into / name).read_text() for name in kept} == kept
    assert said(capsys, "generate", "--config", into / "pyproject.toml")[0] == 0


@pytest.mark.parametrize("is_same", [True, False])
def test_without_tls_a_redirect_stays_at_its_host_and_port(is_same: bool, tmp_path: Path) -> None:
    with serve(lambda _: Response(body=b"found")) as other:

        def respond(request: Request) -> Response:
            target = "/b" if is_same else other.url("/b")
            found = Response(body=b"found")
            return Response(302, headers={"Location": target}) if request.path == "/a" else found

        with serve(respond) as server:
            if is_same:
                assert fetch(server.url("/a"), tmp_path) == b"found"
                return
            with pytest.raises(PipelineError, match="the same host and port, is followed"):
                fetch(server.url("/a"), tmp_path)
    assert not other.requests


@pytest.mark.parametrize("name", ["openapi.json", "pyproject.toml", "overlays/client.yaml"])
def test_nothing_is_written_through_a_link(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    text = json.dumps(operations({"/a": {"get": operation()}}))
    (tmp_path / "new" / name).parent.mkdir(parents=True)
    (tmp_path / "new" / name).symlink_to(tmp_path / "outside")
    with serve(lambda _: Response(body=text.encode())) as server:
        status, _, err = said(capsys, "init", server.url("/x"), "-o", tmp_path / "new")
    assert status == 1 and f"{name} already exists" in err
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("error", [KeyError("a bug"), KeyboardInterrupt()], ids=["bug", "Ctrl-C"])
def test_nothing_is_left_of_what_breaks_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def breaks(*_: object) -> None:
        raise error

    monkeypatch.setattr("pipeline.starting.build_package", breaks)
    given = project(tmp_path, operations({"/a": {"get": operation()}})).sources[0].path
    with serve(lambda _: Response(body=given.read_bytes())) as server:
        for source in (server.url("/x"), str(given)):
            with pytest.raises(type(error)):
                start(source, tmp_path / "new", [])
            assert not [each for each in tmp_path.rglob("new/**/*") if each.is_file()]


@pytest.mark.parametrize(
    ("title", "distribution", "class_name"),
    [
        ("", "the-service-client", "TheService"),
        ("日本", "service-client", "Service"),
        ("Status", "status-client", "StatusClient"),
        ("class", "class-client", "Class"),
        ("None", "none-client", "None_"),
        ("Book Client", "book-client", "Book"),
        ("CON", "con-client", "Con"),
        ("3 things", "api-3-things-client", "Api3Things"),
        ('"quoted" \\ API', "quoted-api-client", "QuotedApi"),
        (5, "the-service-client", "TheService"),
        ("word " * 13, f"{'word-' * 12}client", "Word" * 12),
    ],
)
def test_any_title_gives_names(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    title: Any,
    distribution: str,
    class_name: str,
) -> None:
    data = operations({"/a": {"get": operation()}})
    data["info"]["title"] = title
    project(tmp_path, data)
    assert said(capsys, "init", tmp_path / "document.yaml", "-o", tmp_path)[0] == 0
    client = tomllib.loads((tmp_path / "pyproject.toml").read_text())["tool"]["pipeline"]["client"]
    assert client["distribution"] == distribution
    assert client["package"] == distribution.replace("-", "_")
    assert client["class_name"] == class_name
    own = client["package"].removesuffix("_client").upper()
    assert client["environment"] == own.removesuffix("_API")
    status, _, err = said(capsys, "generate", "--config", tmp_path / "pyproject.toml")
    assert status == 0, err


LONG = "word " * 80


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("info"),
        lambda data: data.update(info=5),
        lambda data: data["info"].update(title=["A"]),
        lambda data: data["info"].update(title="A\0\x1bB"),
        lambda data: data["info"].update(title=LONG),
        lambda data: data["info"].update(title=LONG.replace(" ", ""), description="A\0\x07"),
        lambda data: data.update(servers=[{"url": "https://a\0b/"}]),
        lambda data: data["paths"]["/a"]["get"].update(tags=[LONG], description="\x1b[1m\0"),
        lambda data: data["paths"].update({"/a\0\x01'\"\\\t/" + LONG: {"get": {"responses": {}}}}),
    ],
)
def test_what_init_writes_generates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Any], object]
) -> None:
    data = operations({"/a": {"get": operation()}})
    change(data)
    project(tmp_path, data)
    status, _, err = said(capsys, "init", tmp_path / "document.yaml", "-o", tmp_path)
    assert status == 0, err
    status, _, err = said(capsys, "generate", "--config", tmp_path / "pyproject.toml")
    assert status == 0, err
    for file in (tmp_path / "generated").rglob("*.py"):
        compile(file.read_text(), file.name, "exec")


def test_a_title_that_cannot_be_a_name_is_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = operations({"/a": {"get": operation()}})
    for title, problem in (("A\0B", "is not a line of text"), ("a" * 300, "has 300 characters")):
        data["info"]["title"] = title
        config = project(tmp_path, data)
        found = [note for notes in effective(config).found.values() for note in notes]
        assert any(f"title {problem}" in note.message and note.position for note in found)


def test_what_is_no_folder_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(tmp_path, operations({"/a": {"get": operation()}}))
    document, none = tmp_path / "document.yaml", tmp_path / "none"
    before = sorted(tmp_path.rglob("*"))
    status, out, err = said(capsys, "init", document, "-o", document)
    assert (status, out) == (1, "") and f"{document} is no folder: choose one with -o\n" in err
    for command in (("init", document, "-o", tmp_path / "new"), ("generate",), ("lint",)):
        for each in (none, document):
            options = ("--allow-files", tmp_path, "--allow-files", each)
            with pytest.raises(SystemExit, match="2"):
                main([*map(str, command), *map(str, options)])
            assert f"argument --allow-files: {each} is no folder\n" in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before


def test_files_of_other_folders_have_to_be_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = operations({"/a": {"get": {"$ref": "../parts.json#/a"}}})
    (tmp_path / "parts.json").write_text(json.dumps({"a": operation()}))
    folder = tmp_path / "api"
    folder.mkdir()
    project(folder, data)
    assert said(capsys, "init", folder / "document.yaml", "-o", tmp_path / "shut")[0] == 0
    status, _, err = said(capsys, "generate", "--config", tmp_path / "shut/pyproject.toml")
    assert "outside the folder of the document" in err and "1 operation left out" in err
    assert said(
        capsys, "generate", "--config", tmp_path / "shut/pyproject.toml", "--allow-files", tmp_path
    ) == (0, ANY, "")
    allowed = ("init", folder / "document.yaml", "-o", tmp_path / "open", "--allow-files", tmp_path)
    assert said(capsys, *allowed)[0] == 0
    status, _, err = said(capsys, "generate", "--config", tmp_path / "open/pyproject.toml")
    assert status == 0 and "left out" not in err


def test_installed_it_works_from_any_folder(tmp_path: Path) -> None:
    """The wheel has the templates, and writes the same bytes as the checkout does."""
    code = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    built = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    installed = tmp_path / "installed"
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(installed)
    (info,) = installed.glob("*.dist-info")
    (entry,) = PathDistribution(info).entry_points
    assert (entry.name, entry.value) == ("openapi-pipeline", "pipeline.__main__:run")
    found = []
    for number, path in enumerate((ROOT, installed)):
        folder = tmp_path / str(number)
        for arguments in (["init", str(CLASHES), "-o", str(folder)], ["generate"]):
            done = subprocess.run(
                [sys.executable, "-c", "import sys; from pipeline.cli import command;"
                 "sys.exit(command())", *arguments],
                cwd=folder if folder.exists() else tmp_path,
                env={"PYTHONPATH": str(path), "PATH": "/usr/bin:/bin"},
                capture_output=True, text=True,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
        found.append(tree(folder))
    assert found[0] == found[1]


@pytest.mark.parametrize("source", ["https://a.test/d", "d"])
def test_a_file_has_at_most_as_many_bytes_as_are_allowed(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, stream=httpx2.ByteStream(data)))
    monkeypatch.setattr(httpx2, "Client", partial(httpx2.Client, transport=transport))
    for data in (b"x" * 1999, b"x" * 2000):
        (tmp_path / "d").write_bytes(data)
        assert fetch(source, tmp_path, max_bytes=2000) == data
    data = b"x" * 2001
    (tmp_path / "d").write_bytes(data)
    with pytest.raises(PipelineError) as caught:
        fetch(source, tmp_path, max_bytes=2000)
    assert [str(each) for each in caught.value.findings] == [f"{source} is larger than 2,000 bytes"]


def test_all_parts_together_have_the_time_that_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0

    def respond(request: httpx2.Request) -> httpx2.Response:
        nonlocal now
        now += 1.0
        return httpx2.Response(200, stream=httpx2.ByteStream(b"type: string\n"))

    client = partial(httpx2.Client, transport=httpx2.MockTransport(respond))
    monkeypatch.setattr(httpx2, "Client", client)
    monkeypatch.setattr("pipeline.fetching.time", SimpleNamespace(monotonic=lambda: now))
    document = tmp_path / "openapi.yaml"
    document.write_text("".join(f"{name}: {{$ref: {name}.yaml}}\n" for name in "abcd"))
    fetched = fetch_parts("https://a.test/openapi.yaml", document, frozenset(), 2.5)
    assert (len(fetched), now) == (2, 3.0), "the third one came too late"
