"""A user's program under the two type checkers, both strict."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from calls import CLIENT

from tests.support.completeness import incomplete

USE = Path(__file__).parent / "typed_use.py"


def test_mypy(tmp_path: Path) -> None:
    """Right calls pass `mypy --strict`, wrong ones do not: an ignore without an error is one."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--warn-unused-ignores"),
            *("--cache-dir", str(Path(__file__).parents[2] / ".mypy_cache"), "--config-file="),
            str(USE),
        ],
        capture_output=True,
        text=True,
        env={"MYPYPATH": str(CLIENT / "src"), "PATH": ""},
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_pyright(tmp_path: Path) -> None:
    """The same under pyright."""
    pytest.importorskip("pyright")
    settings = {
        "include": [USE.name],  # absolute paths are ignored there
        "extraPaths": [str(CLIENT / "src")],
        "typeCheckingMode": "strict",
        "reportUnnecessaryTypeIgnoreComment": "error",
        "reportDeprecated": "none",  # what the service deprecates is still right
    }
    shutil.copy(USE, tmp_path)
    config = tmp_path / "pyrightconfig.json"
    config.write_text(json.dumps(settings))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pyright", "--project", str(config)),
            *("--pythonpath", sys.executable, "--stats"),
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Total files parsed and bound" in done.stdout and "Found 1 source file" in done.stdout


def test_every_public_type_is_known() -> None:
    """`pyright --verifytypes` gives 100 %: no other type checker has to guess."""
    assert incomplete("social_publishing", CLIENT / "src") == []
