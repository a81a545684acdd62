"""Publishing to indexes that listen on this machine: what is refused, resumed, and left alone."""

from __future__ import annotations

import base64
import os
import re
import shutil
import socket
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from small_project import Project, git, regenerate

from pipeline.openapi.problems import PipelineError
from release import building, indexes, publishing
from release.config import Repository, load_release
from release.environments import uv

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

NAMES = ["small_core-0.1.0.tar.gz", "small_core-0.1.0-py3-none-any.whl"]
NAMES += [name.replace("core", "tool") for name in NAMES]


PAGE = f"""<html><head><STYLE>p {{ color: red; }}</style><title>Error: 403</title></head>
<p>on\n<b>holiday</b> &amp; away</p><script>if (1 < 2) alert()</script>
{"<i>sorry</i> " * 900}</html>
"""


class Office:
    """An index with a password, in whose way things can be put.

    Attributes:
        asked: how often it was asked what it has.
        refusal: the status with which it refuses a wrong password.
        taken: how many uploads it takes before it breaks down.
        closed: the status with which it refuses to be read.
        reading: it wants the password for reading, too.
        swapped: what it gives out in place of files that it has taken.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = ""
        self.asked = 0
        self.refusal = "403 Forbidden"
        self.taken = 99
        self.closed = ""
        self.reading = False
        self.swapped: dict[str, bytes] = {}
        self._app = indexes.application(folder)

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        def refuse(status: str) -> Iterable[bytes]:
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start(status, [("Content-Type", "text/plain")])
            return [PAGE.encode()]

        self.asked += environ["REQUEST_METHOD"] == "GET"
        right = "Basic " + base64.b64encode(b"clerk:secret-word").decode()
        if environ["REQUEST_METHOD"] == "POST":
            if environ.get("HTTP_AUTHORIZATION") != right:
                return refuse(self.refusal)
            if len(list(self.folder.iterdir())) >= self.taken:
                return refuse("503 Service Unavailable")
        elif self.reading and environ.get("HTTP_AUTHORIZATION") != right:
            return refuse("401 Unauthorized")
        elif self.closed:
            return refuse(self.closed)
        else:
            for name in self.swapped.keys() & self.files.keys():
                (self.folder / name).write_bytes(self.swapped[name])
        response: Iterable[bytes] = self._app(environ, start)
        return response

    @property
    def files(self) -> dict[str, bytes]:
        """What it has."""
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}


@pytest.fixture
def office(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    """An index that the project names `office`, with the password in the environment."""
    folder = tmp_path / "office"
    folder.mkdir()
    app = Office(folder)
    for name in ("UV_PUBLISH_TOKEN", *filter(indexes._FOUND.fullmatch, os.environ)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "30")  # which is no reason to break what uv says
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "kept"))
    monkeypatch.setenv("UV_PUBLISH_USERNAME", "clerk")
    monkeypatch.setenv("UV_PUBLISH_PASSWORD", "secret-word")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    with indexes.listening(app) as address:
        app.address = address
        name_repository(project, "office", address, f"{address}simple/")
        yield app


def name_repository(project: Project, name: str, upload: str, index: str) -> None:
    with (project.root / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(
            f'\n[tool.release.repositories.{name}]\nupload = "{upload}"\nindex = "{index}"\n'
        )
    project.commit()


@pytest.fixture(scope="module")
def built(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archives of the project as it is committed."""
    folder = tmp_path_factory.mktemp("built")
    building.build_all(load_release(made / "pyproject.toml"), folder)
    return folder


@pytest.fixture
def quick(project: Project, built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Archives that are there, and no checks of what has tests of its own; nothing is installed."""
    shutil.copytree(built, project.root / "dist")
    monkeypatch.setattr(
        building, "current", lambda release: [release.dist / name for name in NAMES]
    )
    for name in ("compare", "problems", "_try", "_use"):
        monkeypatch.setattr(publishing, name, lambda *_: None)


def publish(project: Project, repository: str, *more: str) -> str:
    """Publish to an index; return what was printed."""
    status, output = project.run("publish", "--repository", repository, *more)
    assert status == 0, output
    return output


def refused(project: Project, repository: str, *wanted: str, more: Sequence[str] = ()) -> str:
    """See that publishing is refused, with these texts; return all that was printed."""
    status, output = project.run("publish", "--repository", repository, *more)
    assert status == 1, output
    for text in wanted:
        assert text in output
    return output


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not {".git", ".release"} & {*path.parts}
    }


def test_from_the_tree_to_a_program_that_uses_it(project: Project, office: Office) -> None:
    office.reading = True  # with the password that it wants for uploading
    release = load_release(project.root / "pyproject.toml")
    building.build_all(release, release.dist)
    before = contents(project.root)
    output = publish(project, "office")
    assert list(office.files) and set(office.files) == set(NAMES)
    for name in NAMES:
        assert f"uploaded {name}" in output
        assert office.files[name] == (project.root / "dist" / name).read_bytes()
    assert "installed small-core 0.1.0 by name from office" in output
    assert "README.md: 1 example run" in output
    assert "secret-word" not in output
    assert output.endswith("knows of no such release.\n  git tag v0.1.0\n")
    assert contents(project.root) == before
    git(project.root, "tag", "v0.1.0")
    for more in ((), ("--verify-only",)):  # which uploads nothing, and installs it once more
        again = publish(project, "office", *more)
        assert "installed small-core 0.1.0 by name from office" in again
        assert "uploaded" not in again and "git tag" not in again


def test_all_reasons_against_it_are_listed_at_once(
    project: Project, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("UV_PUBLISH_PASSWORD")
    (project.root / "note.txt").write_text("mine")
    project.edit("spec/main.yaml", "List things.", "List them.")
    office.folder.rmdir()
    refused(
        project,
        "office",
        "the tree differs from the last commit",
        "?? note.txt",
        " M spec/main.yaml",
        "\ngenerated: out of date: run `nox -s generate`",
        f"dist/: {', '.join(NAMES)} missing: run `nox -s build`",
        f"office: {indexes.NO_LOGIN}",
        "Nothing was uploaded to office, for 4 reasons.",
    )


def test_a_version_that_is_too_low(project: Project, office: Office) -> None:
    dry = ["--dry-run"]
    git(project.root, "tag", "v0.1.0")
    project.edit("spec/main.yaml", "operationId: listThings", "operationId: listAll")
    regenerate(project.root)
    low = "version 0.1.0 is too low; at least 0.2.0 is needed: run `nox -s changes`"
    refused(project, "local", low, more=dry)
    project.run("changes")
    project.edit("CHANGELOG.md", "<!-- changes: end", "- More.\n\n<!-- changes: end")
    refused(project, "local", "the entry of 0.2.0 is out of date: run `nox -s changes`", more=dry)


def other_bytes(office: Office, project: Project) -> None:
    (office.folder / NAMES[0]).write_bytes(b"other")


def all_other_bytes(office: Office, project: Project) -> None:
    for name in NAMES:
        (office.folder / name).write_bytes(b"other")


def tagged(office: Office, project: Project) -> None:
    other_bytes(office, project)
    git(project.root, "tag", "v0.1.0")


def one_machine(office: Office, project: Project) -> None:
    project.edit("pyproject.toml", 'version = "0.1.0"', 'version = "0.1.0+mine"')


def closed(status: str) -> Callable[[Office, Project], None]:
    return lambda office, project: setattr(office, "closed", status)


LOCAL_ONLY = "is local: an index accepts no version with a +"
# What is wrong, to which index it is published, and what is reported.
REFUSALS: list[tuple[Callable[[Office, Project], None], str, str]] = [
    (
        other_bytes,
        "office",
        f"\noffice: has {NAMES[0]} with other bytes; a version can be published only once: tag the "
        "published commit (`git tag v0.1.0 COMMIT`), then raise it with `nox -s changes build`\n"
        "Nothing was uploaded to office, for 1 reason.\n",
    ),
    (all_other_bytes, "office", f"has {', '.join(sorted(NAMES)[:3])} and 1 more with other bytes"),
    (
        tagged,
        "office",
        "with other bytes; a version can be published only once: raise it with `nox",
    ),
    (one_machine, "office", f"version 0.1.0+mine {LOCAL_ONLY}"),
    (closed("500 Internal Server Error"), "office", "/small-core/ cannot be read: HTTP status"),
    (
        closed(""),
        "offcie",
        "offcie: unknown index; known are local, office, pypi, testpypi",
    ),
    (closed(""), "http://a:word@host/", "--repository http://host/: unknown index"),
]


@pytest.mark.parametrize(
    ("name", "read_at"),
    [
        ("testpypi", "https://test.pypi.org/simple/"),
        ("pypi", "http://office/simple"),
        ("apart", "http://b/simple"),
        ("together", "https://me:a@a/s"),
    ],
)
def test_an_index_has_a_name(name: str, read_at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The project's own name comes before that of everybody; a password stays on its host."""
    for word in ("USERNAME", "PASSWORD", "TOKEN"):
        monkeypatch.delenv(f"UV_PUBLISH_{word}", raising=False)
    own = {
        "pypi": Repository("http://office/up", "http://office/simple"),
        "apart": Repository("http://me:word@a/up", "http://b/simple"),
        "together": Repository("https://me:a@a/up", "https://a/s"),
    }
    assert indexes.find_target(name, own).index == read_at


@pytest.mark.parametrize(
    ("upload", "index", "is_read_with"),
    [
        ("https://a.test/up", "https://a.test/s/", True),
        ("http://a.test/up", "http://a.test/s/", True),
        ("https://a.test/up", "http://a.test/s/", False),  # where everybody could read it
        ("http://a.test/up", "https://a.test/s/", False),
        ("https://a.test/up", "https://a.test:8443/s/", False),
        ("https://a.test/up", "https://b.test/s/", False),
    ],
)
def test_a_token_goes_only_where_it_is_for(
    upload: str, index: str, is_read_with: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_PUBLISH_TOKEN", "secret")
    found = indexes.find_target("office", {"office": Repository(upload, index)})
    login = "__token__:secret@" if is_read_with else ""
    assert found.index == index.replace("://", f"://{login}")


@pytest.mark.usefixtures("quick")
class TestUploads:
    @pytest.mark.parametrize(("break_it", "repository", "wanted"), REFUSALS)
    def test_nothing_is_uploaded(
        self,
        project: Project,
        office: Office,
        break_it: Callable[[Office, Project], None],
        repository: str,
        wanted: str,
    ) -> None:
        break_it(office, project)
        before = office.files
        refused(project, repository, wanted)
        assert office.files == before

    def test_an_index_that_is_down_is_asked_for_one_file(
        self, project: Project, office: Office
    ) -> None:
        office.closed = "503 Service Unavailable"
        refused(project, "office", "/small-core/ cannot be read: HTTP status server error (503")
        assert office.asked == 1

    @pytest.mark.parametrize(("left", "tries"), [(0, []), (1, ["_try"])])
    def test_what_is_published_is_not_tried_before(
        self,
        project: Project,
        office: Office,
        monkeypatch: pytest.MonkeyPatch,
        left: int,
        tries: list[str],
    ) -> None:
        called: list[str] = []
        monkeypatch.setattr(publishing, "_try", lambda *_: called.append("_try"))
        for name in NAMES[left:]:
            shutil.copy(project.root / "dist" / name, office.folder)
        publish(project, "office")
        assert called == tries

    def test_going_on_after_a_failure_in_the_middle(self, project: Project, office: Office) -> None:
        office.taken = 1
        refused(
            project,
            "office",
            f"{NAMES[1]} was refused: office: ",
            "503 Service Unavailable. Server says: on holiday & away sorry sorry",
            f"Not uploaded: {', '.join(NAMES[1:])}.",
            "Fix this and run it again: it continues with the missing files.",
        )
        assert list(office.files) == [NAMES[0]]
        office.taken = 99
        output = publish(project, "office")
        assert "1 of 4 files are there already" in output
        assert f"uploaded {NAMES[0]}" not in output
        assert set(office.files) == set(NAMES)

    def test_a_dry_run_changes_nothing(self, project: Project, office: Office) -> None:
        before = contents(project.root)
        shutil.copy(project.root / "dist" / NAMES[0], office.folder)
        output = publish(project, "office", "--dry-run")
        assert f"Would publish to office ({office.address}); 1 of 4 files" in output
        lines = {line.split()[0]: line for line in output.splitlines() if line.startswith("  ")}
        assert lines[NAMES[0]].endswith("is there")
        assert lines[NAMES[1]].endswith("would be uploaded")
        assert contents(project.root) == before and list(office.files) == [NAMES[0]]
        publish(project, "local", "--dry-run")
        assert contents(project.root) == before and not (project.root / ".release").exists()

    @pytest.mark.parametrize("refusal", ["401 Unauthorized", "403 Forbidden"])
    def test_a_wrong_password_and_none(
        self, project: Project, office: Office, monkeypatch: pytest.MonkeyPatch, refusal: str
    ) -> None:
        office.refusal = refusal
        done = "Every check that needs no upload passed; nothing was changed.\n"
        assert publish(project, "office", "--dry-run").endswith(done)
        monkeypatch.setenv("UV_PUBLISH_PASSWORD", "guessed-word")
        output = refused(project, "office", "office: check UV_PUBLISH_TOKEN", refusal)
        assert "guessed-word" not in output and not office.files
        monkeypatch.delenv("UV_PUBLISH_USERNAME")
        monkeypatch.delenv("UV_PUBLISH_PASSWORD")
        advice = "set UV_PUBLISH_TOKEN to a token of this index first"
        output = refused(project, "office", f"\noffice: {advice}", "for 1 reason.")
        assert "to upload" not in output and office.files == {}
        output = publish(project, "office", "--dry-run")
        assert f"{done}An upload would be refused: {advice}" in output
        (project.root / "note.txt").write_text("mine")
        more = ["--dry-run"]
        refused(project, "office", f"\noffice: {advice}", "for 2 reasons.", more=more)
        (project.root / "note.txt").unlink()
        assert publish(project, "local", "--dry-run").endswith(done)
        for name in NAMES:
            shutil.copy(project.root / "dist" / name, office.folder)
        publish(project, "office")  # which uploads nothing

    def test_a_login_that_uv_finds_by_itself(
        self, project: Project, office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("USERNAME", "PASSWORD"):
            monkeypatch.delenv(f"UV_PUBLISH_{name}")
        refused(project, "office", indexes.NO_LOGIN)
        uv("auth", "login", office.address, "--username", "clerk", "--password", "secret-word")
        publish(project, "office")
        uv("auth", "logout", office.address, "--username", "clerk")
        (office.folder / NAMES[0]).unlink()
        refused(project, "office", indexes.NO_LOGIN)
        (tmp_path / "netrc").write_text("machine 127.0.0.1 login clerk password secret-word\n")
        (tmp_path / "netrc").chmod(0o600)
        publish(project, "office")
        assert set(office.files) == set(NAMES)

    def test_what_an_index_says_is_text_and_short(self, project: Project, office: Office) -> None:
        office.taken = 0
        output = refused(project, "office", "503 Service Unavailable")
        assert not {"<", ">", "color", "alert", "&amp;"} & set(re.findall(r"[<>]|&?\w+;?", output))
        assert max(map(len, output.splitlines())) < 500

    def test_a_dirty_tree_is_for_rehearsals(self, project: Project, office: Office) -> None:
        (project.root / "note.txt").write_text("mine")
        refused(project, "office", "the tree differs from the last commit")
        output = publish(project, "local")
        assert "A rehearsal: the tree differs from the last commit" in output
        assert "?? note.txt" in output
        assert not office.files
        local = project.root / ".release" / "local" / "index"
        assert {path.name for path in local.iterdir()} == set(NAMES)
        (local / NAMES[0]).write_bytes(b"other")
        again = f"remove {local.parent} to repeat the rehearsal, or tag the published commit"
        refused(project, "local", again, "then raise it with `nox -s changes build`")

    def test_two_indexes_at_once(self, project: Project, office: Office) -> None:
        for two in (("local", "office"), ("office", "local"), ("office", "office")):
            wanted = f"--repository names {' and '.join(two)}: publish to one after the other"
            refused(project, two[0], wanted, more=("--repository", two[1]))
        assert not office.files

    def test_nobody_listens(self, project: Project, office: Office) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{taken.getsockname()[1]}"
            name_repository(project, "away", f"{address}/", f"{address}/simple/")
            output = refused(project, "away", f"away: {address}/simple/")
        assert "/ cannot be read: Connection refused" in output and "cause:" not in output

    def test_the_password_goes_to_no_other_host(self, project: Project, office: Office) -> None:
        seen = set()

        def mirror(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
            seen.add(environ.get("HTTP_AUTHORIZATION"))
            return office(environ, start)

        with indexes.listening(mirror) as address:
            name_repository(project, "mirrored", office.address, f"{address}simple/")
            publish(project, "mirrored")
        assert seen == {None} and set(office.files) == set(NAMES)


def test_what_an_index_swaps_is_not_taken_for_what_was_published(
    project: Project, office: Office, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(built, project.root / "dist")
    files = [project.root / "dist" / name for name in NAMES]
    monkeypatch.setattr(building, "current", lambda _: files)
    for name in ("compare", "problems"):
        monkeypatch.setattr(publishing, name, lambda *_: None)
    other = Path(shutil.copy(files[1], tmp_path))
    with zipfile.ZipFile(other, "a") as archive:
        archive.comment = b"It installs all the same."
    office.swapped[NAMES[1]] = other.read_bytes()
    monkeypatch.setattr(publishing, "wait_for", lambda *_: None)  # it was swapped after that
    last = "0.1.0 is published on office anyway: the files are there."
    refused(project, "office", "Hash mismatch for `small-core==0.1.0`", last)


@pytest.mark.parametrize("given", ["", "UV_HTTP_TIMEOUT", "UV_UPLOAD_HTTP_TIMEOUT"])
def test_an_index_that_says_nothing_is_waited_for_as_long_as_where_one_installs(
    built: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    """Or as long as somebody has said; an upload has the time that uv gives it."""
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    for name in ("UV_HTTP_TIMEOUT", "UV_UPLOAD_HTTP_TIMEOUT", "UV_REQUEST_TIMEOUT"):
        monkeypatch.delenv(name, raising=False)
    if given:
        monkeypatch.setenv(given, "1")
    else:
        monkeypatch.setattr(indexes, "_READING", "1")
    asked: list[dict[str, str]] = []

    def noted(*arguments: str, variables: dict[str, str]) -> CompletedProcess[str]:
        asked.append(variables)
        return uv(*arguments, variables=variables)

    monkeypatch.setattr(indexes, "uv", noted)
    file = built / NAMES[0]
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        login = {"UV_PUBLISH_USERNAME": "a", "UV_PUBLISH_PASSWORD": "b"}
        target = indexes.Target("office", address, f"{address}simple/", login)
        with pytest.raises(PipelineError, match=r"office: .* cannot be read: .*timed out"):
            indexes.reach(target, file)
        with pytest.raises(PipelineError, match=r"office: .* cannot be read: .*timed out"):
            indexes.present(target, [file])
    assert [each.get("UV_HTTP_TIMEOUT") for each in asked] == [None if given else "1"] * 2
    with pytest.raises(PipelineError, match="Connection refused"):
        indexes.upload(file, target)
    assert asked[-1] == login


def test_an_index_of_this_machine_ends_with_its_block(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    files = [built / name for name in NAMES]
    with indexes.serve(tmp_path) as target:
        assert indexes.present(target, files) == set()
        if sys.platform == "linux":  # where this is another address of the same machine
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.2", urlsplit(target.index).port or 0), 600)
    with pytest.raises(PipelineError, match="Connection refused"):
        indexes.present(target, files)
