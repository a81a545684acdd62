"""What a change makes of a version."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.version import Version

from pipeline.openapi.problems import PipelineError
from release.changes.change import LEVELS, Level
from release.changes.packages import _requirements
from release.changes.raising import raised, repinned
from release.changes.report import proposed, too_low

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("base", "none", "patch", "feature", "breaking"),
    [
        ("0.1.0", "0.1.0", "0.1.1", "0.1.1", "0.2.0"),
        ("0.9.7", "0.9.7", "0.9.8", "0.9.8", "0.10.0"),
        ("1.0.0", "1.0.0", "1.0.1", "1.1.0", "2.0.0"),
        ("1.4.2", "1.4.2", "1.4.3", "1.5.0", "2.0.0"),
        ("2.3", "2.3", "2.3.1", "2.4.0", "3.0.0"),
        ("1.0.0rc1", "1.0.0rc1", "1.0.0rc2", "1.0.0rc2", "1.0.0rc2"),
        ("0.2.0a3", "0.2.0a3", "0.2.0a4", "0.2.0a4", "0.2.0a4"),
        ("1.0.0.dev1", "1.0.0.dev1", "1.0.0.dev2", "1.0.0.dev2", "1.0.0.dev2"),
        ("1.0.0a1.dev1", "1.0.0a1.dev1", "1.0.0a1.dev2", "1.0.0a1.dev2", "1.0.0a1.dev2"),
    ],
)
def test_the_next_version(base: str, none: str, patch: str, feature: str, breaking: str) -> None:
    found = [str(proposed(Version(base), level)) for level in LEVELS]
    assert found == [none, patch, feature, breaking]


@pytest.mark.parametrize(
    ("base", "current", "level", "low"),
    [
        ("1.2.3", "2.0.0rc1", "breaking", False),
        ("1.2.3", "1.3.0", "breaking", True),
        ("1.2.3", "1.3.0rc1", "breaking", True),
        ("0.1.0", "0.2.0", "breaking", False),
        ("0.1.0", "0.1.9", "breaking", True),
        ("1.0.0rc1", "1.0.0", "breaking", False),
        ("1.0.0rc2", "1.0.0rc1", "patch", True),
        ("0.2.0rc1", "0.2.0rc1", "breaking", True),
        ("0.2.0rc1", "0.2.0rc1", "patch", True),
        ("0.2.0rc1", "0.2.0rc1", "none", False),
        ("0.2.0rc1", "0.2.0rc2", "breaking", False),
        ("1.2.3", "1.2.3", "patch", True),
        ("1.2.3", "1.2.3", "none", False),
        ("1.2.3", "1.2.2", "none", True),
        ("1.2.3", "3.0.0", "patch", False),
    ],
)
def test_whether_a_version_is_too_low(base: str, current: str, level: Level, low: bool) -> None:
    assert too_low(Version(base), Version(current), level) is low


PROJECT = """\
# first
[build-system]
version = "9.9.9"

[ project ] # here
name = 'x'   # kept
  version  =  '0.1.0'  # of all\r
\tother = "version = 1"

[tool.x]
version = "7"
"""


def test_a_package_names_the_new_version_of_its_sibling() -> None:
    before = [
        *("'tool==0.1.0'", '"tool-extra == 0.0.9rc1"', "\"tool[a, b]==0.1.0; os_name == '0'\""),
        *('"Tool==0.1.0"', '"tool_Extra==0.1.0"', '"tool.extra==0.1.0"'),
        *('"tools==0.1.0"', '"tool>=0.1.0"', '"tool==0.1.*"', '"tool==0.1.0,!=1"', '"x-tool==1"'),
    ]
    after = [
        *("'tool==0.2.0'", '"tool-extra == 0.2.0"', "\"tool[a, b]==0.2.0; os_name == '0'\""),
        *('"Tool==0.2.0"', '"tool_Extra==0.2.0"', '"tool.extra==0.2.0"'),
        *before[6:],
    ]
    made = repinned(", ".join(before).encode(), ["tool", "tool-extra"], Version("0.2.0"))
    assert made.decode() == ", ".join(after)


@pytest.mark.parametrize("name", ["small-core", "Small_Core", "small.core"])
def test_a_pin_to_a_package_of_the_release_is_no_change(name: str) -> None:
    before, after = (
        dict(_requirements({"dependencies": [f"{name}=={version}"]}, {"small-core"}))
        for version in ("0.1.0", "0.2.0")
    )
    assert before == after
    for other in ("other==", f"{name}>="):
        sides = ({"dependencies": [f"{other}{version}"]} for version in ("0.1.0", "0.2.0"))
        assert len({str(dict(_requirements(each, {"small-core"}))) for each in sides}) == 2


def test_the_command_needs_the_client_that_its_catalogue_is_of() -> None:
    version = (ROOT / "cli/src/social_publishing_cli/catalogue/VERSION").read_text().strip()
    project = tomllib.loads((ROOT / "cli/pyproject.toml").read_text())["project"]
    assert f"social-publishing=={version}" in project["dependencies"]


def test_one_line_is_raised_and_every_other_byte_stays(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_bytes(PROJECT.encode())
    expected = PROJECT.replace("'0.1.0'", '"0.2.0"').encode()
    assert raised(file, Version("0.2.0")) == expected


@pytest.mark.parametrize("text", ["[tool]\nversion = '1'\n", "project = {version = '0.1.0'}\n"])
def test_a_version_that_has_no_line_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(text)
    with pytest.raises(PipelineError, match=r"pyproject\.toml:1:1: project\.version: does not"):
        raised(file, Version("0.2.0"))
