"""`changes --against`: the report of a client that `init` started, without `[tool.release]`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from small_project import DOCUMENT, Project, git

from pipeline import cli

ADDED = DOCUMENT.replace(
    "List things.", "List things.\n      parameters: [{name: colour, in: query}]"
)
RENAMED = DOCUMENT.replace("listThings", "findThings").replace("/things:", "/things/all:")


def generate(root: Path, document: str, *options: str) -> None:
    (root / "openapi.yaml").write_text(document, encoding="utf-8")
    assert cli.main(["generate", "--config", str(root / "pyproject.toml"), *options]) == 0


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("started") / "own"
    root.mkdir()
    (root / "openapi.yaml").write_text(DOCUMENT, encoding="utf-8")
    assert cli.main(["init", str(root / "openapi.yaml"), "-o", str(root)]) == 0
    generate(root, DOCUMENT)
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Begin")
    return root


@pytest.fixture
def own(started: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Project:
    shutil.copytree(started, tmp_path / "own")
    return Project(tmp_path / "own", capsys)


def test_what_changed_since_a_revision_a_project_and_an_output(own: Project) -> None:
    before = own.root.parent / "before"
    shutil.copytree(own.root, before)
    status, said = own.run("changes", "--against", "HEAD")
    assert status == 0 and said.endswith("Nothing changes for users.\n")
    generate(own.root, ADDED)
    for against in ("HEAD", str(before), str(before / "generated")):
        status, said = own.run("changes", "--against", against)
        assert status == 0 and "\nThe working tree (0.1.0), compared with" in said
        assert "feature   `things.list_things(colour)` is new" in said
        assert "0.1.0 is too low" in said
    assert own.run("changes", "--against", "HEAD", "--check")[0] == 1
    own.edit("pyproject.toml", 'version = "0.1.0"', 'version = "0.1.1"')
    generate(own.root, ADDED)
    assert own.run("changes", "--against", "HEAD", "--check")[0] == 0
    generate(own.root, RENAMED)
    status, said = own.run("changes", "--against", "HEAD")
    assert "breaking  `things.list_things`" in said and "at least version 0.2.0" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--against", "nowhere"], "nowhere: not a revision of this repository"),
        (["--against", "."], ". has no effective documents in generated/openapi"),
        (["HEAD", "--against", "HEAD"], "takes no BASE beside it"),
        ([], "tool.release"),
    ],
)
def test_what_cannot_be_compared_is_named(
    own: Project, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(own.root.parent)
    status, said = own.run("changes", *arguments)
    assert status == 1 and message in said and "Traceback" not in said


def test_own_classes_in_the_place_of_generated_ones_add_to_them(own: Project) -> None:
    """Also a method that is there no more is seen through them."""
    folder = own.root / "generated/client/src/small_things_client"
    (folder / "custom").mkdir(exist_ok=True)
    for name, base, method in (
        ("client", "from ..client import SmallThings as Base", "mine"),
        ("things", "from ..resources.things import ThingsResource as Base", "ours"),
    ):
        kind = "SmallThings" if name == "client" else "ThingsResource"
        code = (
            f"{base}\n\n\nclass {kind}(Base):\n    def {method}(self) -> int:\n        return 1\n"
        )
        (folder / f"custom/{name}.py").write_text(code, encoding="utf-8")
    generate(own.root, DOCUMENT)
    status, said = own.run("changes", "--against", "HEAD")
    assert status == 0 and "breaking" not in said, said
    assert "feature   `things.ours` and `SmallThings.mine` are new" in said
    generate(own.root, RENAMED)
    assert "breaking  `things.list_things`" in own.run("changes", "--against", "HEAD")[1]


def test_a_client_that_is_called_otherwise_breaks(own: Project) -> None:
    own.edit("pyproject.toml", 'package = "small_things_client"', 'package = "things"')
    own.edit("pyproject.toml", 'distribution = "small-things-client"', 'distribution = "a-client"')
    generate(own.root, DOCUMENT)
    said = own.run("changes", "--against", "HEAD")[1]
    assert "breaking  `small_things_client` is called `things`" in said
    assert "breaking  `small-things-client` is called `a-client`" in said
    (own.root / "openapi.yaml").write_text(ADDED)
    assert "out of date" in own.run("changes", "--against", "HEAD")[1]
