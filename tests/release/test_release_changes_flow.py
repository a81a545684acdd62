"""`changes` from an edit of a document to a version and an entry, in a copy of the project."""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from packaging.version import Version

from pipeline import cli, steps
from pipeline.config import Config
from pipeline.openapi.problems import PipelineError
from release.changes import command, compare, problems, python
from release.changes.versions import proposed
from release.config import Release, load_release

PROJECT = Path(__file__).parents[2]
FIELD = "        organization_id:\n"
MORE = "        used_count: {type: integer, description: How many posts have it., examples: [3]}\n"


def git(root: Path, *arguments: str) -> str:
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"]
    plain = ["-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"]
    done = subprocess.run(
        ["git", "-C", str(root), *who, *plain, *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project, generated and committed."""
    root = tmp_path_factory.mktemp("changes") / "project"
    listed = subprocess.run(
        ["git", "-C", str(PROJECT), "ls-files", "-z", "-co", "--exclude-standard"],
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        kept = name.split("/")[0] not in {"tests", "docs", "benchmarks", "demo"}
        if name and kept and (PROJECT / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(PROJECT / name, root / name)
    log = "# Changelog\n\n## Unreleased\n\n- By hand.\n"
    (root / "CHANGELOG.md").write_text(log, encoding="utf-8")
    generate(root)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "One")
    return root


@pytest.fixture
def project(origin: Path) -> Iterator[Path]:
    """The copy as it was committed, with no tag."""
    yield origin
    for tag in git(origin, "tag").split():
        git(origin, "tag", "-d", tag)
    git(origin, "reset", "-q", "--hard", git(origin, "rev-list", "--max-parents=0", "HEAD").strip())
    git(origin, "clean", "-fdq")


@pytest.fixture(scope="module")
def memory() -> dict[str, Any]:
    """What was made of the same files before: the tests here make it again and again."""
    return {}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, memory: dict[str, Any]) -> None:
    """Wheels of a moment (the sources, and no metadata to speak of); the rest is made once."""

    def build(project: Path, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(folder / "quick-1-py3-none-any.whl", "w") as archive:
            archive.writestr("quick-1.dist-info/METADATA", "Metadata-Version: 2.4\n")
            for file in sorted((project / "src").rglob("*.py")):
                archive.write(file, file.relative_to(project / "src"))
        return folder / "quick-1-py3-none-any.whl"

    def generated(config: Config) -> Any:
        root = config.file.parent
        key = f"{config.client.version} {digest(root / 'spec', root / 'overlays')}"
        if key not in memory:
            memory[key] = make(config)
        return memory[key]

    def shown(package: str, folder: Path, plugins: Iterable[str]) -> Any:
        key = f"{package} {digest(folder)}"
        if key not in memory:
            memory[key] = read(package, folder, plugins)
        return memory[key]

    make, read = steps.generate, python.surface
    monkeypatch.setattr("release.building.build_wheel", build)
    monkeypatch.setattr(steps, "generate", generated)
    monkeypatch.setattr(python, "surface", shown)


def digest(*folders: Path) -> str:
    found = hashlib.sha256()
    for file in sorted(
        file for folder in folders for file in folder.rglob("*.*") if file.is_file()
    ):
        found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()


def generate(root: Path) -> None:
    assert cli.main(["generate", "--config", str(root / "pyproject.toml")]) == 0


def edit(root: Path, file: str, old: str, new: str) -> None:
    text = (root / file).read_text(encoding="utf-8")
    assert old in text
    (root / file).write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")


def release(root: Path) -> Release:
    return load_release(root / "pyproject.toml")


def changes(root: Path, *arguments: str) -> int:
    parser = argparse.ArgumentParser()
    command.arguments(parser)
    return command.run(parser.parse_args(arguments), release(root))


def add_field(root: Path) -> None:
    """An answer gets one more field, and the client is made again."""
    at_label(root, FIELD, MORE + FIELD)


def take_field(root: Path) -> None:
    """An answer has a field under another name, and the client is made again."""
    at_label(root, FIELD, FIELD.replace("organization", "owner"))


def at_label(root: Path, old: str, new: str) -> None:
    text = (root / "spec/main.yaml").read_text(encoding="utf-8")
    before, label, after = text.partition("\n    Label:\n      type: object")
    made = before + label + after.replace(old, new, 1)
    (root / "spec/main.yaml").write_text(made, encoding="utf-8", newline="\n")
    generate(root)


def test_from_an_edit_to_a_version(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*.toml")}
    old = release(project).version
    new = str(proposed(old, "feature"))
    add_field(project)
    capsys.readouterr()
    assert changes(project) == 0
    said = capsys.readouterr().out
    assert "compared with the last commit, since nothing was released yet" in said
    assert "feature   `Label.used_count` is new in responses\n" in said
    assert "feature   `Label.used_count` is new\n" in said
    assert f"{old} is too low" in said
    assert f"The version is {new} (raised from {old})" in said
    line = f'version = "{old}"'.encode()
    raised = before[project / "pyproject.toml"].replace(line, f'version = "{new}"'.encode(), 1)
    assert (project / "pyproject.toml").read_bytes() == raised
    log = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    assert log.startswith(f"# Changelog\n\n## {new}\n\n<!-- changes: begin")
    assert "-->\n\n### New\n\n- `Label.used_count` is new.\n\n<!-- changes: end" in log
    assert log.endswith("- By hand.\n")
    assert cli.main(["check", "--config", str(project / "pyproject.toml")]) == 0


@pytest.mark.usefixtures("quick")
def test_once_written_all_is_current_until_something_changes(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add_field(project)
    tree = git(project, "diff")
    assert changes(project, "--check") == 1
    assert "is too low, at least" in capsys.readouterr().err
    assert git(project, "diff") == tree
    assert changes(project) == 0
    tree = git(project, "diff")
    assert changes(project) == 0
    assert git(project, "diff") == tree
    edit(project, "CHANGELOG.md", "- `Label.used_count` is new.", "- Something else.")
    capsys.readouterr()
    assert changes(project, "--check") == 1
    assert "is not current: run `nox -s changes`" in capsys.readouterr().err
    version = release(project).version
    git(project, "commit", "-qam", "Two")
    git(project, "tag", f"v{version}")
    assert changes(project, "--check") == 0
    said = capsys.readouterr().out
    assert f"compared with v{version} ({version})" in said
    assert "Nothing changes for users." in said


@pytest.mark.usefixtures("quick")
def test_a_version_that_was_never_released_leaves_no_section(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = release(project).version
    edit(project, "CHANGELOG.md", "Unreleased", f"{base}")
    git(project, "commit", "-qam", "Released")
    git(project, "tag", f"v{base}")
    add_field(project)
    assert changes(project) == 0
    passed = release(project).version
    block = "changes: end -->\n"
    edit(project, "CHANGELOG.md", block, f"{block}\n- Written between releases.\n")
    git(project, "commit", "-qam", "A feature")
    take_field(project)
    assert changes(project) == 0
    new = proposed(base, "breaking")
    assert f"{passed} was never released: what stood there belongs to {new} now." in (
        capsys.readouterr().out
    )
    log = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = [line for line in log.splitlines() if line.startswith("## ")]
    assert headings == [f"## {new}", f"## {base}"]
    assert log.count("`Label.used_count` is new") == log.count("- Written between releases.") == 1
    assert changes(project, "--check") == 0

    report = replace(compare(release(project)), current=Version("9.0.0"))
    assert problems(report, release(project)) == [
        f"{project / 'CHANGELOG.md'}:3:1: this section is of {new}, which was never released: "
        "run `nox -s changes`",
        f"{project / 'CHANGELOG.md'}: the entry of 9.0.0 is missing: run `nox -s changes`",
    ]
    git(project, "tag", f"v{new}")
    assert len(problems(report, release(project))) == 1


@pytest.mark.usefixtures("quick")
def test_a_section_of_a_version_that_nothing_leads_to(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project, "CHANGELOG.md", "Unreleased", "8.0.0")
    assert changes(project, "--check") == 1
    said = "CHANGELOG.md:3:1: this section is of 8.0.0, which was never released: name it"
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("{}", "argument --markdown: {} is a folder: name a file in it"),
        ("{}/none/page.md", "argument --markdown: {}/none/page.md: there is no folder {}/none"),
    ],
)
def test_a_page_that_cannot_be_written_is_refused_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], page: str, message: str
) -> None:
    parser = argparse.ArgumentParser()
    command.arguments(parser)
    with pytest.raises(SystemExit, match="2"):
        parser.parse_args(["--markdown", page.format(tmp_path)])
    assert message.format(tmp_path, tmp_path) in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("quick")
def test_two_revisions(project: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    add_field(project)
    git(project, "commit", "-qam", "Two")
    capsys.readouterr()
    page = tmp_path / "report.md"
    assert changes(project, "HEAD", "HEAD~1", "--markdown", str(page)) == 0
    assert "breaking  `Label.used_count` is gone from responses" in capsys.readouterr().out
    assert "| breaking | `Label.used_count` is gone |" in page.read_text(encoding="utf-8")
    assert git(project, "status", "--porcelain") == ""
    report = compare(release(project), "HEAD~1")
    assert (report.level, report.too_low) == ("feature", True)
    assert report.proposed > report.current


def test_what_cannot_be_compared_is_refused(project: Path) -> None:
    with pytest.raises(PipelineError, match="nowhere: no revision of this repository"):
        changes(project, "nowhere")
    edit(project, "spec/main.yaml", "A tag for posts.", "A label.")
    with pytest.raises(
        PipelineError, match="generated: not what the sources make: run `nox -s generate`"
    ):
        changes(project)
    git(project, "checkout", "-q", ".")
    git(project, "rm", "-rq", "generated")
    git(project, "commit", "-qm", "Without")
    git(project, "checkout", "-q", "HEAD~1", "--", "generated")
    with pytest.raises(PipelineError, match="HEAD has no effective documents in generated/openapi"):
        changes(project, "HEAD")


@pytest.mark.usefixtures("quick")
def test_nothing_is_half_written(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_field(project)
    tree = git(project, "diff")

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("pipeline.codegen.write.write", fail)
        with pytest.raises(OSError, match="the disk is full"):
            changes(project)
    assert git(project, "diff") == tree
    (project / "CHANGELOG.md").write_text("Nothing\n")
    with pytest.raises(PipelineError, match="there is no section"):
        changes(project)
    assert git(project, "diff", "--", "pyproject.toml") == ""
