"""Publishing to indexes that listen on this machine: what is refused, resumed, and left alone."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import shutil
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pypiserver
import pytest
from packaging.version import Version
from small_project import Project, regenerate
from twine import utils

from pipeline.openapi.problems import PipelineError
from release import building, indexes, publishing
from release.config import Repository, load_release

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

NAMES = ["small_core-0.1.0.tar.gz", "small_core-0.1.0-py3-none-any.whl"]
NAMES += [name.replace("core", "tool") for name in NAMES]


class Office:
    """An index with a password, in whose way things can be put.

    Attributes:
        taken: how many uploads it takes before it breaks down.
        digests: it says the hashes of files.
        closed: the status with which it refuses to be read.
        reading: it wants the password for reading, too.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = ""
        self.taken = 99
        self.digests = True
        self.closed = ""
        self.reading = False
        self._shown: dict[bool, Any] = {
            digests: pypiserver.app(
                roots=[folder], authenticate=[], password_file=".", disable_fallback=True,
                backend_arg="simple-dir", hash_algo="sha256" if digests else None,
            )
            for digests in (True, False)
        }  # fmt: skip

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        def refuse(status: str) -> Iterable[bytes]:
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start(status, [("Content-Type", "text/plain")])
            return [b"<p>on\n<b>holiday</b></p>"]

        right = "Basic " + base64.b64encode(b"clerk:secret-word").decode()
        if environ["REQUEST_METHOD"] == "POST":
            if environ.get("HTTP_AUTHORIZATION") != right:
                return refuse("403 Forbidden")
            if len(list(self.folder.iterdir())) >= self.taken:
                return refuse("503 Service Unavailable")
        elif self.reading and environ.get("HTTP_AUTHORIZATION") != right:
            return refuse("401 Unauthorized")
        elif self.closed:
            return refuse(self.closed)
        answer: Iterable[bytes] = self._shown[self.digests](environ, start)
        return answer

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
    for name in ("TWINE_REPOSITORY", "TWINE_REPOSITORY_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(utils, "DEFAULT_CONFIG_FILE", str(tmp_path / ".pypirc"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.setenv("TWINE_USERNAME", "clerk")
    monkeypatch.setenv("TWINE_PASSWORD", "secret-word")
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
    for name in ("_check_version", "_use"):
        monkeypatch.setattr(publishing, name, lambda *_: None)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".git/" not in f"{path}/"
    }


def test_from_the_tree_to_a_program_that_uses_it(project: Project, office: Office) -> None:
    office.reading = True  # with the password that it wants for uploading
    release = load_release(project.root / "pyproject.toml")
    building.build_all(release, release.dist)
    before = contents(project.root)
    status, said = project.run("publish", "--repository", "office")
    assert status == 0, said
    assert list(office.files) and set(office.files) == set(NAMES)
    for name in NAMES:
        assert f"uploaded {name}" in said
        assert office.files[name] == (project.root / "dist" / name).read_bytes()
    assert "installed small-core 0.1.0 by name from office" in said
    assert "README.md: 1 example run" in said
    assert "secret-word" not in said
    assert contents(project.root) == before

    status, said = project.run("publish", "--repository", "office")
    assert status == 1
    assert "0.1.0 is published already on office: a version can be published once only" in said
    assert "Nothing was uploaded to office, for 1 reason." in said


def test_all_that_speaks_against_it_is_told_at_once(project: Project, office: Office) -> None:
    (project.root / "note.txt").write_text("mine")
    project.edit("spec/main.yaml", "List things.", "List them.")
    office.folder.rmdir()
    status, said = project.run("publish", "--repository", "office")
    assert status == 1
    assert "the tree differs from the last commit" in said
    assert "?? note.txt" in said and " M spec/main.yaml" in said
    assert "\ngenerated: not what the sources make: run `nox -s generate`" in said
    assert f"dist/: {', '.join(NAMES)} missing: run `nox -s build`" in said
    assert "Nothing was uploaded to office, for 3 reasons." in said


def test_a_version_that_is_too_low(project: Project, office: Office) -> None:
    project.edit("spec/main.yaml", "operationId: listThings", "operationId: listAll")
    regenerate(project.root)
    status, said = project.run("publish", "--repository", "local", "--dry-run")
    assert status == 1
    assert "version 0.1.0 is too low, at least 0.2.0 is needed: run `nox -s changes`" in said
    project.run("changes")
    project.edit("CHANGELOG.md", "<!-- changes: end", "- More.\n\n<!-- changes: end")
    status, said = project.run("publish", "--repository", "local", "--dry-run")
    assert status == 1
    assert "the entry of 0.2.0 is not current: run `nox -s changes`" in said


@pytest.mark.usefixtures("quick")
class TestUploads:
    def test_going_on_after_a_failure_in_the_middle(self, project: Project, office: Office) -> None:
        office.taken = 1
        status, said = project.run("publish", "--repository", "office")
        assert status == 1
        assert f"{NAMES[1]} was not taken: office: 503 Service Unavailable: on holiday" in said
        assert f"There now: {NAMES[0]}. Not there: {', '.join(NAMES[1:])}." in said
        assert "Run it again when that is mended: it goes on with what is missing." in said
        assert list(office.files) == [NAMES[0]]

        office.taken = 99
        status, said = project.run("publish", "--repository", "office")
        assert status == 0, said
        assert "1 of 4 files are there already" in said
        assert f"uploaded {NAMES[0]}" not in said
        assert set(office.files) == set(NAMES)

    @pytest.mark.parametrize("digests", [True, False])
    def test_other_bytes_under_the_same_name(
        self, project: Project, office: Office, digests: bool
    ) -> None:
        office.digests = digests
        (office.folder / NAMES[0]).write_bytes(b"other")
        status, said = project.run("publish", "--repository", "office")
        assert status == 1
        digest = hashlib.sha256(b"other").hexdigest()[:12]
        assert f"office has {NAMES[0]} with other bytes (SHA-256 {digest}…)" in said
        assert list(office.files) == [NAMES[0]]

    def test_a_file_of_the_version_that_is_none_of_ours(
        self, project: Project, office: Office
    ) -> None:
        stranger = "small_core-0.1.0-1-py3-none-any.whl"
        (office.folder / stranger).write_bytes(b"other")
        (office.folder / "small_core-0.0.9.tar.gz").write_bytes(b"of an earlier version")
        status, said = project.run("publish", "--repository", "office")
        assert status == 1
        assert f"office has {stranger}, which is no file of this release" in said
        assert "0.0.9" not in said

    def test_a_dry_run_changes_nothing(self, project: Project, office: Office) -> None:
        before = contents(project.root)
        shutil.copy(project.root / "dist" / NAMES[0], office.folder)
        status, said = project.run("publish", "--repository", "office", "--dry-run")
        assert status == 0, said
        assert f"Would publish to office ({office.address}); 1 of 4 files" in said
        lines = {line.split()[0]: line for line in said.splitlines() if line.startswith("  ")}
        assert lines[NAMES[0]].endswith("is there")
        assert lines[NAMES[1]].endswith("would be uploaded")
        assert contents(project.root) == before and list(office.files) == [NAMES[0]]
        status, said = project.run("publish", "--repository", "local", "--dry-run")
        assert status == 0, said
        assert contents(project.root) == before and not (project.root / ".release").exists()

    def test_a_wrong_password(
        self, project: Project, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("TWINE_PASSWORD", "guessed-word")
        status, said = project.run("publish", "--repository", "office")
        assert status == 1
        assert "403 Forbidden: the user name, the password or the token is not accepted" in said
        assert "There now: nothing." in said
        assert "guessed-word" not in said and not office.files

    def test_no_password(
        self, project: Project, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("TWINE_PASSWORD")
        status, said = project.run("publish", "--repository", "office")
        assert status == 1
        assert "office: no user name or password (Credential not found for password.)" in said
        assert "TWINE_USERNAME and TWINE_PASSWORD, a section [office] of ~/.pypirc" in said

    def test_a_dirty_tree_is_for_rehearsals(self, project: Project, office: Office) -> None:
        (project.root / "note.txt").write_text("mine")
        assert project.run("publish", "--repository", "office")[0] == 1
        status, said = project.run("publish", "--repository", "local")
        assert status == 0, said
        assert "A rehearsal: the tree differs from the last commit" in said
        assert "?? note.txt" in said
        assert not office.files
        local = project.root / ".release" / "local" / "index"
        assert {path.name for path in local.iterdir()} == set(NAMES)
        status, said = project.run("publish", "--repository", "local")
        assert status == 1
        assert f"or remove {local.parent} to begin the rehearsal again" in said

    def test_nobody_listens(self, project: Project, office: Office) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{taken.getsockname()[1]}"
            name_repository(project, "away", f"{address}/", f"{address}/simple/")
            status, said = project.run("publish", "--repository", "away")
        assert status == 1
        assert f"away: cannot be read at {address}/simple/" in said
        assert said.splitlines()[1].endswith("/simple/: Connection refused")
        assert "Traceback" not in said

    def test_an_index_that_wants_a_password_for_reading(
        self, project: Project, office: Office
    ) -> None:
        office.closed = "401 Unauthorized"
        status, said = project.run("publish", "--repository", "office")
        assert status == 1
        told = f"office: cannot be read at {office.address}simple/: 401: "
        reason = "reading it needs a name and a password, or others; ~/.netrc can have them"
        assert f"{told}{reason}" in said
        office.closed = "500 Internal Server Error"
        status, said = project.run("publish", "--repository", "office")
        assert status == 1
        assert f"office: cannot be read at {office.address}simple/: 500\n" in said

    def test_a_version_for_one_machine_goes_to_no_index(
        self, project: Project, office: Office
    ) -> None:
        project.edit("pyproject.toml", 'version = "0.1.0"', 'version = "0.1.0+mine"')
        status, said = project.run("publish", "--repository", "office")
        assert status == 1
        assert "version 0.1.0+mine is for one machine: an index takes no version with a +" in said
        assert not office.files

    def test_a_page_that_is_no_index(self, project: Project, office: Office) -> None:
        def app(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
            start("200 OK", [("Content-Type", "application/pdf")])
            return [b"%PDF"]

        with indexes.listening(app) as address:
            name_repository(project, "shelf", address, address)
            status, said = project.run("publish", "--repository", "shelf")
        assert status == 1
        assert f"shelf: {address} is no index of packages" in said

    def test_a_name_of_twines_own_configuration(
        self,
        project: Project,
        office: Office,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.delenv("TWINE_USERNAME")
        monkeypatch.delenv("TWINE_PASSWORD")
        monkeypatch.setenv("TWINE_REPOSITORY_URL", "http://127.0.0.1:9/")
        (tmp_path / ".pypirc").write_text(
            "[distutils]\nindex-servers = desk\n"
            f"[desk]\nrepository = {office.address}\nusername = clerk\npassword = secret-word\n"
        )
        status, said = project.run("publish", "--repository", "desk")
        assert status == 1
        assert "at which address is this index read? Give --index URL" in said
        index = f"{office.address}simple/"
        status, said = project.run("publish", "--repository", "desk", "--index", index)
        assert status == 0, said
        assert set(office.files) == set(NAMES)

    def test_an_address(self, project: Project, office: Office) -> None:
        address = office.address.replace("http://", "http://clerk:secret-word@")
        status, said = project.run("publish", "--repository", address)
        assert status == 1 and "--index URL" in said and "secret-word" not in said
        more = ("--index", f"{office.address}simple/")
        status, said = project.run("publish", "--repository", address, *more)
        assert status == 0, said
        assert "secret-word" not in said and set(office.files) == set(NAMES)

    def test_names_that_nobody_knows(self, project: Project, office: Office) -> None:
        status, said = project.run("publish", "--repository", "offcie")
        assert status == 1
        assert "--repository offcie: no index has this name" in said
        assert "known are local, office, pypi, testpypi" in said
        status, said = project.run("publish", "--repository", "ftp://host/")
        assert status == 1
        assert "--repository ftp://host/: is no http or https address" in said


def test_what_is_published_but_does_not_work(
    project: Project, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.edit("tool/README.md", "== 42", "== 43")
    monkeypatch.setattr(publishing, "_check_version", lambda *_: None)
    project.commit()
    release = load_release(project.root / "pyproject.toml")
    files = building.build_all(release, project.root / "dist")
    monkeypatch.setattr(building, "current", lambda _: files)
    status, said = project.run("publish", "--repository", "office")
    assert status == 1
    assert "README.md:4" in said and "AssertionError" in said
    assert "0.1.0 is published on office all the same: the files are there." in said


def test_an_index_that_is_slow_to_show_what_it_has(office: Office) -> None:
    office.closed = "404 Not Found"
    target = indexes.Target(Repository("office", office.address, f"{office.address}simple/"))
    with pytest.raises(PipelineError, match="does not show b, c after 1 s; look again later"):
        indexes.wait_for(target, Version("0.1.0"), {"small-core": ["b", "c"]}, enough=1)


@pytest.mark.parametrize("name", ["pypi", "testpypi"])
def test_the_indexes_that_twine_knows_are_read_where_they_are_written(name: str) -> None:
    found = indexes.find_target(name, None, {}).repository
    assert found.index.endswith("/simple/")
    upload, index = (each.split("/")[2] for each in (found.upload, found.index))
    assert upload.removeprefix("upload.") == index


def test_an_index_of_this_machine_ends_with_its_block(tmp_path: Path) -> None:
    with indexes.serve(tmp_path) as target:
        assert indexes.holds(target, "anything", Version("1")) == {}
    with pytest.raises(PipelineError, match="Connection refused"), contextlib.ExitStack():
        indexes.holds(target, "anything", Version("1"))
