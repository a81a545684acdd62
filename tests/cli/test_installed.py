"""Advice for what is missing fits how the command was installed, and it runs from a zip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from social_publishing_cli.installed import extra, how_to_add, missing

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("mark", "begins"),
    [
        ("pipx_metadata.json", "pipx inject social-publishing-cli "),
        ("uv-receipt.toml", "uv pip install --python "),
        ("pyvenv.cfg", "pip install "),
    ],
)
def test_packages_are_added_where_the_command_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str, begins: str
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / mark).touch()
    line = how_to_add("mcp>=2.3,<3")
    assert line.startswith(begins) and line.endswith(" 'mcp>=2.3,<3'")
    assert (str(tmp_path) in line) == begins.startswith("uv")


def test_an_extra_is_read_from_what_was_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    known = ["click>=8.4", "jsonschema>=4.20; extra == 'mcp'", 'mcp<3,>=2.3; extra == "mcp"']
    monkeypatch.setattr("social_publishing_cli.installed.requires", lambda _: known)
    assert extra("mcp") == ["jsonschema>=4.20", "mcp<3,>=2.3"]
    monkeypatch.setattr("social_publishing_cli.installed.requires", lambda _: None)
    assert extra("mcp") == ["social-publishing-cli[mcp]"]


@pytest.mark.parametrize("name", ["social_publishing_cli", "social_publishing_sandbox", "tzdata"])
def test_a_frozen_build_says_what_it_was_built_without(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert f"--collect-all {name} to pyinstaller" in missing(ModuleNotFoundError("x", name=name))


def test_a_build_without_its_data_is_called_so(tmp_path: Path) -> None:
    shutil.copytree(
        ROOT / "cli/src/social_publishing_cli", tmp_path / "social_publishing_cli",
        ignore=shutil.ignore_patterns("*.json", "VERSION", "__pycache__"),
    )  # fmt: skip
    path = os.pathsep.join([str(tmp_path), str(ROOT / "generated/client/src")])
    for words in (["--help"], ["--version"], ["labels", "--help"], ["help", "errors"]):
        ended = subprocess.run(
            [sys.executable, "-m", "social_publishing_cli", *words],
            cwd=tmp_path, capture_output=True, text=True, timeout=600,
            env={"PATH": os.defpath, "PYTHONPATH": path, "HOME": str(tmp_path)},
        )  # fmt: skip
        assert ended.returncode == 1 and "installation is damaged" in ended.stderr, ended.stderr
        assert "Traceback" not in ended.stderr


def test_the_commands_run_from_a_zip(tmp_path: Path) -> None:
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for folder in ("cli/src", "sandbox/src", "generated/client/src"):
            for each in sorted((ROOT / folder).rglob("*")):
                if "__pycache__" not in each.parts:
                    file.write(each, each.relative_to(ROOT / folder))
    for words, shown in (
        (("social_publishing_cli", "--version"), "version"),
        (("social_publishing_cli", "--sandbox", "groups", "list-none"), "There is no command"),
        (("social_publishing_cli", "--sandbox", "labels", "delete", "1", "--dry-run"), "DELETE"),
        (("social_publishing_cli", "help", "errors"), "Errors"),
        (("social_publishing_sandbox", "world", "small"), "Kornblume"),
    ):
        ended = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=tmp_path, capture_output=True, text=True, timeout=600,
            env={"PATH": os.defpath, "PYTHONPATH": str(archive), "HOME": str(tmp_path)},
        )  # fmt: skip
        assert shown in ended.stdout + ended.stderr, (words, ended.stderr[-800:])
