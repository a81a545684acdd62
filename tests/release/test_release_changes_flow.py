"""`changes` from an edit of a document to a version and an entry, in a small project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from packaging.version import Version
from small_project import Project, git, regenerate

from pipeline import cli
from pipeline.openapi.problems import PipelineError
from release.changes import compare, problems
from release.config import load_release
from release.git import last_final, last_release, resolve

SUMMARY = "      summary: List things.\n"
COLOUR = "      parameters: [{name: colour, in: query, schema: {type: string}}]\n"
CLIENT = '\n[tool.release.packages.small-client]\npath = "generated/client"\n'


@pytest.fixture
def project(project: Project) -> Project:
    """A project whose client is released."""
    with (project.root / "pyproject.toml").open("a", encoding="utf-8") as configuration:
        configuration.write(CLIENT)
    log = "# Changelog\n\n## Unreleased\n\n- By hand.\n"
    (project.root / "CHANGELOG.md").write_text(log, encoding="utf-8")
    project.commit()
    return project


def add_argument(project: Project) -> None:
    """Release what is committed, give the operation one more argument, and generate."""
    git(project.root, "tag", "--force", "v0.1.0")
    project.edit("spec/main.yaml", SUMMARY, SUMMARY + COLOUR)
    regenerate(project.root)


def diff(project: Project, *paths: str) -> str:
    return git(project.root, "diff", "--", *paths)


def test_from_an_edit_to_a_version(project: Project) -> None:
    before = (project.root / "pyproject.toml").read_bytes()
    add_argument(project)
    status, output = project.run("changes")
    assert status == 0, output
    assert "compared with v0.1.0 (0.1.0)" in output
    assert "feature   `things.list_things(colour)` is new\n" in output
    assert "feature   `things.list_things` takes `colour`\n" in output
    assert "0.1.0 is too low" in output
    assert "The version is 0.1.1 (raised from 0.1.0)" in output
    raised = before.replace(b'version = "0.1.0"', b'version = "0.1.1"', 1)
    assert (project.root / "pyproject.toml").read_bytes() == raised
    log = (project.root / "CHANGELOG.md").read_text(encoding="utf-8")
    assert log.startswith("# Changelog\n\n## 0.1.1\n\n<!-- changes: begin")
    assert "-->\n\n### New\n\n- `things.list_things` takes `colour`.\n\n<!-- changes: end" in log
    assert log.endswith("- By hand.\n")
    assert cli.main(["check", "--config", str(project.root / "pyproject.toml")]) == 0


def test_a_client_with_a_version_of_its_own_keeps_it(project: Project) -> None:
    own = 'environment = "SMALL"\n'
    project.edit("pyproject.toml", own, f'{own}version = "7.0.0"\n')
    regenerate(project.root)
    project.commit()
    add_argument(project)
    assert "raised from 0.1.0" in project.run("changes")[1]
    assert cli.main(["check", "--config", str(project.root / "pyproject.toml")]) == 0


def test_before_the_first_release_any_change_is_its_own(project: Project) -> None:
    add_argument(project)
    git(project.root, "tag", "--delete", "v0.1.0")
    tree = diff(project)
    for more in ((), ("--check",)):
        status, output = project.run("changes", *more)
        assert status == 0, output
        assert "compared with the last commit, since nothing was released yet" in output
        assert "feature   `things.list_things` takes `colour`\n" in output
        assert "Nothing was released yet, so 0.1.0 may have any changes." in output
        assert diff(project) == tree
    assert project.run("changes", "HEAD", "--check")[0] == 1


def test_once_written_all_is_current_until_something_changes(project: Project) -> None:
    add_argument(project)
    tree = diff(project)
    status, output = project.run("changes", "--check")
    assert (status, "is too low; at least" in project.errors, diff(project)) == (1, True, tree)
    assert project.run("changes")[0] == 0
    tree = diff(project)
    status, output = project.run("changes")
    assert (status, "changed " in output, diff(project)) == (0, False, tree)
    project.edit("CHANGELOG.md", "- `things.list_things` takes", "- Something else takes")
    status, output = project.run("changes", "--check")
    assert (status, "is out of date: run `nox -s changes`" in project.errors) == (1, True)
    project.commit()
    git(project.root, "tag", "v0.1.1")
    status, output = project.run("changes", "--check")
    assert status == 0
    assert "compared with v0.1.1 (0.1.1)" in output and "Nothing changes for users." in output


def test_a_version_that_was_never_released_leaves_no_section(project: Project) -> None:
    project.edit("CHANGELOG.md", "Unreleased", "0.1.0")
    project.commit()
    git(project.root, "tag", "v0.1.0")
    add_argument(project)
    assert project.run("changes")[0] == 0
    block = "changes: end -->\n"
    project.edit("CHANGELOG.md", block, f"{block}\n- Written between releases.\n")
    project.commit()
    project.edit("spec/main.yaml", "operationId: listThings", "operationId: listAll")
    regenerate(project.root)
    status, output = project.run("changes")
    assert status == 0
    assert "0.1.1 was never released: its changelog entry now belongs to 0.2.0." in output
    log = (project.root / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = [line for line in log.splitlines() if line.startswith("## ")]
    assert headings == ["## 0.2.0", "## 0.1.0"]
    assert log.count("- Written between releases.") == log.count("`things.list_all` is new.") == 1
    assert project.run("changes", "--check")[0] == 0

    release = load_release(project.root / "pyproject.toml")
    report = replace(compare(release), current=Version("9.0.0"))
    file = project.root / "CHANGELOG.md"
    assert problems(report, release) == [
        f"{file}:3:1: this section is of 0.2.0, which was never released: run `nox -s changes`",
        f"{file}: the entry of 9.0.0 is missing: run `nox -s changes`",
    ]
    git(project.root, "tag", "v0.2.0")
    assert len(problems(report, release)) == 1


def test_a_section_of_a_version_that_nothing_leads_to(project: Project) -> None:
    project.edit("CHANGELOG.md", "Unreleased", "8.0.0")
    status, output = project.run("changes", "--check")
    wanted = "CHANGELOG.md:3:1: this section is of 8.0.0, which was never released: name it"
    assert (status, wanted in output) == (1, True)


def test_of_several_releases_the_highest_that_the_tree_descends_from(tmp_path: Path) -> None:
    """By versions, not by texts or by when they were tagged; before a final one, no candidate."""
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")

    def tag(*names: str) -> None:
        git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", names[0])
        for name in names:
            git(tmp_path, "tag", name)

    final, candidate = Version("1.0.0"), Version("1.0.0rc2")
    tag("v0.10.0", "newest", "v-3", "v2.x", "v1.2.3-beta")
    tag("v0.9.1")  # mended later
    git(tmp_path, "switch", "--quiet", "--create", "other")
    tag("v7.0.0")
    git(tmp_path, "switch", "--quiet", "main")
    assert [last_release(tmp_path, of) for of in (final, candidate)] == ["v0.10.0"] * 2
    tag("v1.0.0rc1")
    assert last_release(tmp_path, final) == "v0.10.0"
    assert last_release(tmp_path, candidate) == "v1.0.0rc1"
    assert last_final(tmp_path, "HEAD") == last_final(tmp_path, "v1.0.0rc1") == "v0.10.0"
    assert last_final(tmp_path, "other") == "v7.0.0"
    for name in ("v0.9.1", "v0.10.0"):
        git(tmp_path, "tag", "--delete", name)
    assert last_release(tmp_path, final) == "v1.0.0rc1"  # there is no final one
    assert last_final(tmp_path, "HEAD") is None
    git(tmp_path, "clone", "-q", "--depth=1", "--no-tags", f"file://{tmp_path}", "clone")
    advice = "the history of this clone is incomplete; run git fetch --unshallow --tags"
    with pytest.raises(PipelineError, match=f"this clone has no release tag, but {advice}"):
        last_release(tmp_path / "clone", final)
    for root, more in ((tmp_path, ""), (tmp_path / "clone", f", or not in this clone: {advice}")):
        with pytest.raises(PipelineError, match=f"^v3: not a revision of this repository{more}$"):
            resolve(root, "v3")


def test_two_revisions(project: Project) -> None:
    add_argument(project)
    project.commit()
    status, output = project.run("changes", "HEAD", "HEAD~1")
    assert status == 0
    assert "breaking  `things.list_things(colour)` is gone" in output
    assert git(project.root, "status", "--porcelain") == ""
    report = compare(load_release(project.root / "pyproject.toml"), "HEAD~1")
    assert (report.level, report.too_low) == ("feature", True)
    assert report.proposed > report.current


def test_what_cannot_be_compared_is_refused(project: Project) -> None:
    def refusal(*words: str) -> str:
        status, output = project.run("changes", *words)
        assert status == 1
        return output

    assert "nowhere: not a revision of this repository" in refusal("nowhere")
    project.edit("spec/main.yaml", "List things.", "List them.")
    assert "generated: out of date: run `nox -s generate`" in refusal()
    git(project.root, "checkout", "-q", ".")
    git(project.root, "rm", "-rq", "generated")
    git(project.root, "commit", "-qm", "Without")
    git(project.root, "checkout", "-q", "HEAD~1", "--", "generated")
    assert "HEAD has no effective documents in generated/openapi" in refusal("HEAD")


def test_nothing_is_half_written(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    add_argument(project)
    tree = diff(project)
    ends = ((OSError("the disk is full"), "the disk is full"), (KeyboardInterrupt(), "interrupted"))
    for error, said in ends:

        def fail(*_: object, error: BaseException = error) -> None:
            raise error

        with monkeypatch.context() as patch:
            patch.setattr("pipeline.codegen.write.write", fail)
            status, output = project.run("changes")
        assert status != 0 and said in output
        assert diff(project) == tree
    (project.root / "CHANGELOG.md").write_text("Nothing\n")
    status, output = project.run("changes")
    assert (status, "there is no section" in output) == (1, True)
    assert diff(project, "pyproject.toml") == ""
