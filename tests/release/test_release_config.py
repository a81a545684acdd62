"""`[tool.release]`: what is read, and what is reported of each mistake in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from packaging.version import Version
from small_project import CONFIGURATION, Project

from pipeline.openapi.problems import PipelineError
from release.config import load_release

HERE = Path(__file__).resolve().parents[2]


def refusal(folder: Path, text: str) -> list[str]:
    file = folder / "pyproject.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PipelineError) as error:
        load_release(file)
    return [str(finding).removeprefix(f"{file}:") for finding in error.value.findings]


def test_what_a_release_is_made_of(project: Project) -> None:
    with (project.root / "pyproject.toml").open("a") as file:
        file.write(
            '\n[tool.release.repositories.office]\nupload = "http://u/"\nindex = "http://i/"\n'
        )
    release = load_release(project.root / "pyproject.toml")
    assert release.version == Version("0.1.0")
    assert [package.name for package in release.packages] == ["small-core", "small-tool"]
    core, tool = release.packages
    assert (core.examples, core.beside) == ((), ())
    assert (tool.examples, tool.beside) == (("README.md",), ("small-core",))
    assert tool.path.resolve() == (project.root / "tool").resolve()
    assert release.repositories["office"].index == "http://i/"
    assert release.dist == release.root / "dist" and release.state == release.root / ".release"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('changelog = "CHANGELOG.md"', "", "19:1: tool.release: lacks changelog"),
        ('beside = ["small-core"]', 'beside = ["small"]', "'small' is no package; known are small"),
        ('beside = ["small-core"]', "beside = [1]", "small-tool.beside[0]: must be a string, is 1"),
        ('version = "0.1.0"', 'version = "one"', "3:1: project.version: 'one' is not a version"),
        ('version = "0.1.0"', "", "project.version: is missing"),
        ("[tool.release]", "[tool.release]\naround = 'run'", 'around: must be a list, is "run"'),
        (
            "[tool.release]\n",
            "[tool.release]\nserver = {name='a/b', title='', description='', author='', "
            "license='', package='small', entry_point='a:b'}\n",
            "tool.release.server.package: 'small' is no package; known are small-core, small-tool",
        ),
        (
            "[tool.release]",
            "[tool.release]\ndist = 'out'",
            "tool.release.dist: is not a member here",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    assert old in CONFIGURATION
    found = refusal(tmp_path, CONFIGURATION.replace(old, new))
    assert any(message in each for each in found), found


def test_all_that_is_wrong_is_reported_at_once(tmp_path: Path) -> None:
    text = CONFIGURATION.replace('changelog = "CHANGELOG.md"', "").replace(
        'output = "generated"', ""
    )
    found = refusal(tmp_path, text)
    assert any("tool.release: lacks changelog" in each for each in found)
    assert any("tool.pipeline: lacks output" in each for each in found)


def test_a_repository_needs_both_addresses(tmp_path: Path) -> None:
    found = refusal(tmp_path, f'{CONFIGURATION}[tool.release.repositories.a]\nupload = "u"\n')
    assert found == ["29:1: tool.release.repositories.a: lacks index [config]"]


def test_no_release_at_all(tmp_path: Path) -> None:
    text = CONFIGURATION[: CONFIGURATION.index("[tool.release]")]
    assert any("tool.release: is missing" in each for each in refusal(tmp_path, text))


def test_this_project_can_be_read() -> None:
    release = load_release(HERE / "pyproject.toml")
    assert release.packages
    for package in release.packages:
        assert (package.path / "pyproject.toml").is_file()
        assert all((package.path / page).is_file() for page in package.examples)
