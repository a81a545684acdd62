"""A whole run: the same bytes anywhere, nothing written when a step fails, no word of one API."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest
from generate_support import (
    CASES,
    configuration,
    operation,
    operations,
    project,
    tree,
)

import pipeline.codegen.render
import pipeline.steps
from pipeline.cli import main
from pipeline.openapi.overlay.model import drops
from pipeline.openapi.problems import PipelineError
from pipeline.openapi.wording import as_typed
from pipeline.steps import generate

ROOT = Path(__file__).parents[2]
CLIENT = configuration("sample")


class Done(NamedTuple):
    """How a run ended."""

    returncode: int
    stdout: str
    stderr: str


def run_apart(folder: Path, *arguments: str, seed: str) -> subprocess.CompletedProcess[str]:
    """Run the pipeline in a process of its own, whose hashes and zone are others."""
    return subprocess.run(
        [sys.executable, "-m", "pipeline", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "TZ": f"UTC+{seed}"},
    )


def run(folder: Path, *arguments: str) -> Done:
    """Run the pipeline in a folder, as `python -m pipeline` does."""
    out, err = io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        status = main([*arguments])
    return Done(status, out.getvalue(), err.getvalue())


def test_the_same_bytes_in_any_folder(tmp_path: Path) -> None:
    found = []
    for seed in ("1", "2"):
        folder = tmp_path / f"in {seed}"
        folder.mkdir()
        (folder / "pyproject.toml").write_text(CLIENT)
        shutil.copy(CASES / "names/document.yaml", folder)
        done = run_apart(folder, "generate", seed=seed)
        assert done.returncode == 0, done.stderr
        found.append(tree(folder / "generated"))
    assert found[0] == found[1]
    assert str(tmp_path).encode() not in b"".join(found[0].values())


@pytest.mark.parametrize("home", ["", "own", "own/inner"])
def test_the_same_bytes_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    """Also of a document that lies outside of the folder of its configuration."""
    config = tmp_path / home / "pyproject.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    path = "../" * len(Path(home).parts) + "document.yaml"
    config.write_text(CLIENT.replace("document.yaml", path))
    shutil.copy(CASES / "names/document.yaml", tmp_path)
    found = []
    for folder in (tmp_path, config.parent, tmp_path.parent):
        monkeypatch.chdir(folder)
        given = Path(os.path.relpath(config, folder))
        assert main(["generate", "--config", str(given)]) == 0
        assert main(["check", "--config", str(given)]) == 0
        found.append(tree(config.parent / "generated"))
    assert found[0] == found[1] == found[2]


def test_check_and_generate(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(CLIENT)
    shutil.copy(CASES / "path_items/document.yaml", tmp_path)
    first = run(tmp_path, "check")
    assert first.returncode == 1 and "missing generated/client/README.md" in first.stderr
    assert not (tmp_path / "generated").exists()
    written = run(tmp_path, "generate").stdout  # of a first run, a line says it all
    assert re.fullmatch(r"generated: (\d+) files, \1 changed; --verbose lists them\.\n", written)
    assert run(tmp_path, "check").returncode == 0
    file = tmp_path / "document.yaml"
    file.write_text(file.read_text().replace("On the hull.", "On the bow."))
    second = run(tmp_path, "check")
    assert second.returncode == 1
    assert '-    """On the hull."""' in second.stderr
    assert '+    """On the bow."""' in second.stderr
    assert "run `python -m pipeline generate`" in second.stderr
    said = run(tmp_path, "generate").stdout.splitlines()
    assert len(said) == 6 and said[-1].endswith("5 changed.")


def test_copies_of_the_documents(tmp_path: Path) -> None:
    config = tmp_path / "pyproject.toml"
    config.write_text(
        CLIENT.replace("[tool.pipeline]", '[tool.pipeline]\ncopies = ["a/b", "c"]', 1)
    )
    shutil.copy(CASES / "path_items/document.yaml", tmp_path)
    assert run(tmp_path, "generate").stdout.splitlines()[-5:] == [
        "added c/objects.py",
        "added c/document.json",
        "added c/VERSION",
        "added c/MANIFEST.json",
        "c: 4 files, 4 changed.",
    ]
    document = (tmp_path / "generated/openapi/document.json").read_bytes()
    for folder in ("a/b", "c"):
        found = tree(tmp_path / folder)
        assert found.pop("document.json") == document
        assert found.pop("VERSION") == b"1.0\n"
        assert b"import AwareDatetime, Object" in found.pop("objects.py")
        made = json.loads(found.pop("MANIFEST.json"))
        assert [*made] == ["outputs"]
        assert [*made["outputs"]] == ["VERSION", "document.json", "objects.py"]
        assert not found
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["b"]  # nothing beside it
    current = run(tmp_path, "check")
    assert (current.returncode, current.stderr) == (0, "")
    assert current.stdout.splitlines()[1:] == [
        "a/b: 4 files, all current.",
        "c: 4 files, all current.",
    ]

    (tmp_path / "c/mine.txt").write_text("mine")
    mixed = run(tmp_path, "check")
    told = "left over c/mine.txt\nc has files that nothing generates: keep them elsewhere.\n"
    assert (mixed.returncode, mixed.stderr) == (1, told)
    (tmp_path / "c/mine.txt").unlink()

    (tmp_path / "c/document.json").write_bytes(document.replace(b"A ship.", b"A boat."))
    stale = run(tmp_path, "check")
    assert stale.returncode == 1 and "all current" in stale.stdout
    said = stale.stderr.splitlines()
    assert said[0] == "differs c/document.json"
    assert said[-1] == "c is not current: run `python -m pipeline generate`."
    assert not any("a/b" in line or "generated is" in line for line in said)

    config.write_text(config.read_text().replace("documents.document]", "documents.ships]"))
    (tmp_path / "c/diary.txt").write_text("mine")
    refused = run(tmp_path, "generate")
    assert refused.returncode == 1 and not refused.stdout
    assert "c/document.json: was edited after `generate` wrote it" in refused.stderr
    said = run(tmp_path, "generate", "--force").stdout.splitlines()
    assert said[-5:-1] == [
        "added c/ships.json",
        "changed c/MANIFEST.json",
        "removed c/document.json",
        "left alone c/diary.txt: not written by `generate`",
    ]
    held = ["MANIFEST.json", "VERSION", "diary.txt", "objects.py", "ships.json"]
    assert sorted(tree(tmp_path / "c")) == held


def test_every_file_that_was_read_is_in_the_manifest(tmp_path: Path) -> None:
    """Whatever their names and folders are; and no file that lies beside them."""
    (tmp_path / "pyproject.toml").write_text(CLIENT)
    ship = {"type": "object", "description": "A ship.", "properties": {}}
    answer = {"$ref": "parts/ships.json#/definitions/Ship"}
    data = operations({"/ships": {"get": operation(answer=answer)}})
    (tmp_path / "document.yaml").write_text(json.dumps(data))
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/ships.json").write_text('{"definitions": {"Ship": {"$ref": "hull"}}}')
    (tmp_path / "parts/hull").write_text(json.dumps(ship))
    (tmp_path / "another.yaml").write_text("openapi: 3.1.0")
    assert run(tmp_path, "generate").returncode == 0
    inputs = json.loads((tmp_path / "generated/MANIFEST.json").read_text())["inputs"]
    own = [name for name in inputs if not name.startswith(("pipeline/", "templates/"))]
    assert own == ["document.yaml", "parts/hull", "parts/ships.json"]
    for name in own:  # a change that changes nothing else is noticed, too
        file = tmp_path / name
        file.write_text(file.read_text() + "\n")
        stale = run(tmp_path, "check")
        assert stale.returncode == 1
        assert stale.stderr.startswith("differs generated/MANIFEST.json\n"), stale.stderr
        assert run(tmp_path, "generate").stdout.splitlines()[0] == "changed generated/MANIFEST.json"


def test_the_licence_goes_into_the_package(tmp_path: Path) -> None:
    config = CLIENT.replace("[tool.pipeline]", '[tool.pipeline]\nlicense_file = "COPYING"', 1)
    (tmp_path / "pyproject.toml").write_text(config)
    shutil.copy(CASES / "path_items/document.yaml", tmp_path)
    missing = run(tmp_path, "generate")
    assert missing.returncode == 1
    assert "COPYING:1:1: cannot read the file: No such file or directory" in missing.stderr
    (tmp_path / "COPYING").write_text("Do what you like.\n")
    assert run(tmp_path, "generate").returncode == 0
    assert (tmp_path / "generated/client/LICENSE").read_text() == "Do what you like.\n"
    assert "COPYING" in (tmp_path / "generated/MANIFEST.json").read_text()


def test_nothing_is_written_when_a_copy_is_refused(tmp_path: Path) -> None:
    config = CLIENT.replace("[tool.pipeline]", '[tool.pipeline]\ncopies = ["package/docs"]', 1)
    (tmp_path / "pyproject.toml").write_text(config)
    shutil.copy(CASES / "path_items/document.yaml", tmp_path)
    (tmp_path / "package/docs").mkdir(parents=True)
    (tmp_path / "package/docs/code.py").write_text("mine")
    done = run(tmp_path, "generate")
    assert done.returncode == 1 and "changed" not in done.stdout
    assert done.stderr.splitlines()[-2].startswith("package/docs: is not empty, and contains no")
    assert not (tmp_path / "generated").exists()
    assert sorted(tree(tmp_path / "package")) == ["docs/code.py"]


def test_nothing_is_written_when_a_template_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text(CLIENT)
    shutil.copy(CASES / "path_items/document.yaml", tmp_path)
    config = ["--config", str(tmp_path / "pyproject.toml")]
    assert main(["generate", *config]) == 0
    before = tree(tmp_path)
    templates = tmp_path.parent / f"{tmp_path.name}-templates"
    shutil.copytree(pipeline.steps.TEMPLATES, templates)
    (templates / "client/resources_init.py.jinja").write_text("{{ package.nothing }}")
    monkeypatch.setattr(pipeline.steps, "TEMPLATES", templates)
    (tmp_path / "document.yaml").write_text(
        (tmp_path / "document.yaml").read_text().replace("A ship.", "A boat.")
    )
    assert main(["generate", *config]) == 1
    assert "nothing was written" in capsys.readouterr().err
    after = tree(tmp_path)
    assert {k: v for k, v in after.items() if k != "document.yaml"} == {
        k: v for k, v in before.items() if k != "document.yaml"
    }


def test_errors_of_all_documents_come_together(tmp_path: Path) -> None:
    good = operations({"/a": {"get": operation()}})
    bad = json.loads(json.dumps(good))
    bad["paths"]["/a"]["get"]["responses"] = {"200": {"$ref": "#/components/responses/Nowhere"}}
    config = project(tmp_path, bad, depot=bad)
    with pytest.raises(PipelineError) as caught:
        generate(config)
    files = {finding.position.file for finding in caught.value.findings if finding.position}
    assert {Path(file).name for file in files} == {"document.yaml", "depot.yaml"}


# Not made for one API

TELLTALE = re.compile(
    r"social|instagram|facebook|tiktok|linkedin|youtube|pinterest|hashtag|caption|followers?\b"
    r"|\bposts\b|\bpost(s?_id|\.)|calendar_?note|\blabels?[._]|publish(?!ed|es)|workspace"
    r"|\bdrafts?\b(?!/)|accounts\b|timeline|engagement|media\.(upload|status)"
    r"|\bgroups?\.(get|replace)",
    re.IGNORECASE,
)


@pytest.mark.parametrize("folder", ["pipeline", "templates"])
def test_no_word_of_one_api(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".jinja")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if TELLTALE.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("name", "session", "advice"),
    [
        ("__main__.py", None, ("python -m pipeline generate", "python -m pipeline propose -v")),
        ("openapi-pipeline", None, ("openapi-pipeline generate", "openapi-pipeline propose -v")),
        ("__main__.py", "check", ("nox -s generate", "nox -s pipeline -- propose -v")),
    ],
)
def test_advice_is_what_its_reader_can_type(
    name: str, session: str | None, advice: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [f"/bin/{name}"])
    if session:
        monkeypatch.setenv("NOX_CURRENT_SESSION", session)
    assert (as_typed("generate"), as_typed("propose", " -v")) == advice
    options = " --drop-assumed a.b --drop-assumed c.d"
    assert drops("a.b", "c.d") == f"`{advice[0]}{' --' * bool(session)}{options}` does so"
