"""A year of releases with tags: each is one run of `generate changes build publish`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from small_project import Project, git, regenerate

from pipeline import cli
from pipeline.openapi.problems import Finding, PipelineError
from release import publishing
from release.config import load_release

STEPS = ("changes", "build", "publish")
COLOUR = "      parameters: [{name: colour, in: query, schema: {type: string}}]\n"
SIZE = COLOUR.replace("]", ", {name: size, in: query, schema: {type: integer}}]")
SUMMARY = "      summary: List things.\n"


@pytest.fixture
def year(project: Project, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """A project whose first version is released, and of which one package needs another."""
    with (project.root / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write('\n[tool.release.packages.small-client]\npath = "generated/client"\n')
    made = {"core": "documents", "tool": "catalogue"}  # where `generate` writes the version
    where = f'copies = ["core/src/small_core/{made["core"]}"]\n'
    where += f'commands = "tool/src/small_tool/{made["tool"]}"\nlicense_file = "core/LICENSE"\n'
    output = 'output = "generated"\n'
    project.edit("pyproject.toml", output, output + where)
    for name, folder in made.items():
        file = f"{name}/pyproject.toml"
        version = f'path = "src/small_{name}/{folder}/VERSION"\npattern = "(?P<version>.+)"\n'
        project.edit(
            file, "[tool.hatch.build", f"[tool.hatch.version]\n{version}\n[tool.hatch.build"
        )
        project.edit(file, 'version = "0.1.0"', 'dynamic = ["version"]')
    needs = 'license = "MIT"\ndependencies = ["small-core==0.1.0", "small-client==0.1.0"]'
    project.edit("tool/pyproject.toml", 'license = "MIT"', needs)
    regenerate(project.root)
    project.edit("CHANGELOG.md", "## 0.1.0\n", "## 0.1.0\n\n- The first.\n")
    project.commit()
    for name in ("_try", "_use"):  # installing has tests of its own
        monkeypatch.setattr(publishing, name, lambda *_: None)
    released(project, "0.1.0")
    yield project


def one_run(project: Project, steps: Sequence[str] = STEPS) -> str:
    """Generate and run these commands, as one call of nox does; return what they printed."""
    assert cli.main(["generate", "--config", str(project.root / "pyproject.toml")]) == 0
    printed = ""
    for step in steps:
        more = ("--repository", "local") if step == "publish" else ()
        status, output = project.run(step, *more)
        printed += output
        if status:
            raise AssertionError(printed)
    return printed


def released(project: Project, version: str) -> None:
    """Commit, tag and see that nothing is left to do, before the tag and after it."""
    for tag in (False, True):
        project.commit()
        if tag:
            git(project.root, "tag", f"v{version}")
        status, output = project.run("changes", "--check")
        assert status == 0, output
    project.run("changes")
    assert git(project.root, "status", "--porcelain") == ""


def section(project: Project, version: str) -> str:
    log = (project.root / "CHANGELOG.md").read_text(encoding="utf-8")
    return log.partition(f"## {version}\n")[2].partition("\n## ")[0]


def fix(project: Project) -> None:
    project.edit("tool/src/small_tool/__init__.py", "Twice", "Two times")


def feature(project: Project) -> None:
    project.edit("spec/main.yaml", SUMMARY, SUMMARY + COLOUR)


def another(project: Project) -> None:
    project.edit("spec/main.yaml", COLOUR, SIZE)


def breaks(project: Project) -> None:
    project.edit("spec/main.yaml", COLOUR, "")


def name_it(project: Project, version: str) -> None:
    """Set the version by hand, in the one place where it stands."""
    was = load_release(project.root / "pyproject.toml").version
    project.edit("pyproject.toml", f'version = "{was}"', f'version = "{version}"')


OWN = "`small-tool` has other contents in `small_tool/__init__.py`"
NEW = "`things.list_things` takes `colour`"
GONE = "`things.list_things` no longer takes `colour`"


@pytest.mark.parametrize(
    "steps", [STEPS[:1], pytest.param(STEPS, marks=pytest.mark.nightly)], ids=["quick", "whole"]
)
def test_three_releases_a_candidate_and_two_that_were_interrupted(
    year: Project, monkeypatch: pytest.MonkeyPatch, steps: Sequence[str]
) -> None:
    """Releases are built and published each night; their versions and entries are quick."""
    for change, version, entry in (
        (fix, "0.1.1", f"\n### Changed\n\n- {OWN}.\n"),
        (feature, "0.1.2", f"\n### New\n\n- {NEW}.\n"),
        (breaks, "0.2.0", f"\n### Breaking\n\n- {GONE}.\n"),
    ):
        change(year)
        uploaded = f"uploaded small_tool-{version}.tar.gz" in one_run(year, steps)
        assert uploaded == (steps == STEPS)
        project = (year.root / "tool" / "pyproject.toml").read_text()
        assert f'["small-core=={version}", "small-client=={version}"]' in project
        assert section(year, version).partition("-->\n")[2].startswith(entry), version
        assert "needs" not in section(year, version)
        released(year, version)

    feature(year)
    name_it(year, "0.2.1rc1")
    one_run(year, steps)
    assert NEW in section(year, "0.2.1rc1") and "needs" not in section(year, "0.2.1rc1")
    released(year, "0.2.1rc1")
    another(year)  # the next candidate follows by itself
    one_run(year, steps)
    assert "takes `size`" in section(year, "0.2.1rc2") and NEW not in section(year, "0.2.1rc2")
    released(year, "0.2.1rc2")
    name_it(year, "0.2.1")  # and what came with both is told again
    one_run(year, steps)
    assert NEW in section(year, "0.2.1") and "takes `size`" in section(year, "0.2.1")
    released(year, "0.2.1")

    if steps == STEPS:
        interrupted(year, monkeypatch)


def test_a_candidate_has_a_version_that_its_final_may_have(year: Project) -> None:
    """What breaks since the last final release raises it; what came with a candidate does not."""
    quick = STEPS[:1]
    feature(year)
    one_run(year, quick)
    released(year, "0.1.1")
    another(year)
    name_it(year, "0.1.2rc1")
    one_run(year, quick)
    released(year, "0.1.2rc1")
    year.edit("spec/main.yaml", SIZE, COLOUR)  # `size` came with the candidate alone
    assert "at least version 0.1.2rc2 (breaking changes)" in one_run(year, quick)
    breaks(year)
    said = one_run(year, quick)
    assert "at least version 0.2.0rc1 (breaking changes since v0.1.1); 0.1.2rc2 is too low" in said
    assert "`things.list_things` no longer takes" in section(year, "0.2.0rc1")
    released(year, "0.2.0rc1")
    name_it(year, "0.2.0")
    assert "at least version 0.2.0 (breaking changes); 0.2.0 is high" in one_run(year, quick)
    assert GONE in section(year, "0.2.0") and "size" not in section(year, "0.2.0")
    released(year, "0.2.0")


def test_a_tag_on_a_commit_of_another_version_is_no_release(year: Project) -> None:
    git(year.root, "tag", "v0.3.0")
    for more in ((), ("--check",)):
        status, said = year.run("changes", *more)
        assert status == 1 and "tag v0.3.0 stands on a commit whose version is 0.1.0, not" in said
        assert "git tag -d v0.3.0" in said
    assert year.run("changes", "v0.1.0")[0] == 0
    git(year.root, "tag", "-d", "v0.3.0")
    assert "compared with v0.1.0 (0.1.0)" in year.run("changes", "--check")[1]


def interrupted(year: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Publish a release that breaks off in the middle and goes on, and repeat its verification."""
    upload, taken = publishing.upload, []

    def break_off(file: object, target: object) -> None:
        if len(taken) == 2:
            raise PipelineError(Finding("local: 503"))
        taken.append(file)
        upload(file, target)  # type: ignore[arg-type]

    fix_again(year)
    with monkeypatch.context() as patch:
        patch.setattr(publishing, "upload", break_off)
        with pytest.raises(AssertionError, match="it continues with the missing files"):
            one_run(year)
    assert "2 of 6 files are there already" in one_run(year)
    verified: list[object] = []
    monkeypatch.setattr(publishing, "_use", lambda *_: verified.append(1))
    assert "already has every file, with the same bytes" in one_run(year)
    assert year.run("publish", "--repository", "local", "--verify-only")[0] == 0
    assert len(verified) == 2
    released(year, "0.2.2")


def fix_again(project: Project) -> None:
    project.edit("tool/src/small_tool/__init__.py", "Two times", "Double")


def test_a_pin_to_another_version_of_the_release_is_found_and_raised(year: Project) -> None:
    year.edit("tool/pyproject.toml", "small-core==0.1.0", "small-core==0.0.9")
    status, output = year.run("changes", "--check")
    assert status == 1
    file = year.root / "tool" / "pyproject.toml"
    wanted = f"{file}: it needs a package of this release in another version than 0.1.0"
    assert wanted in output
    assert year.run("changes")[0] == 0
    assert "small-core==0.1.0" in file.read_text()
    assert year.run("changes", "--check")[0] == 0
