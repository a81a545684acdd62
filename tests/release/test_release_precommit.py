"""The hooks before a commit: local ones only, in the versions of constraints.txt."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
FILE = ROOT / ".pre-commit-config.yaml"


def configuration() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return loaded


def hooks() -> dict[str, dict[str, Any]]:
    return {hook["id"]: hook for repo in configuration()["repos"] for hook in repo["hooks"]}


def constraints() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pins}


def requirements(hook: dict[str, Any]) -> dict[str, Requirement]:
    given = [Requirement(text) for text in hook["additional_dependencies"]]
    return {canonicalize_name(each.name): each for each in given}


def test_nothing_is_fetched_from_other_repositories() -> None:
    assert {repo["repo"] for repo in configuration()["repos"]} == {"local"}
    assert {hook["language"] for hook in hooks().values()} == {"python"}


@pytest.mark.parametrize("name", list(hooks()))
def test_versions_are_those_of_the_constraints(name: str) -> None:
    known = constraints()
    required = requirements(hooks()[name])
    assert required
    for package, wanted in required.items():
        pinned = known.get(package)
        if package == "pre-commit-hooks" and pinned is None:
            continue  # nothing else here needs it
        assert str(wanted.specifier) == f"=={pinned}", package


def test_the_check_has_what_the_pipeline_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [Requirement(text) for text in project["dependencies"]]
    given = requirements(hooks()["pipeline-check"])
    assert {(canonicalize_name(each.name), *each.extras) for each in needed} == {
        (name, *each.extras) for name, each in given.items()
    }


@pytest.mark.skipif(find_spec("pre_commit") is None, reason="pre-commit is not installed")
def test_pre_commit_takes_the_configuration() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-config", str(FILE)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
