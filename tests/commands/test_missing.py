"""A library that is missing is named, with how to install it, whatever command is run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BLOCKED = """\
import runpy, sys
name, module, *words = sys.argv[1:]
sys.modules[name] = None
sys.argv = [module, *words]
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""

MISSING = [
    ("social_publishing_cli", "click", "doctor"),
    ("social_publishing_cli", "social_publishing", "--sandbox names"),
    ("social_publishing_cli", "jq", "--sandbox names --jq ."),
    ("social_publishing_cli", "msgspec", "status"),
    ("social_publishing_sandbox", "uvicorn", "--help"),
    ("social_publishing_sandbox", "yaml", "run -- true"),
    ("pipeline", "packaging", "--help"),
    ("pipeline", "yaml", "check"),
    ("release", "packaging", "--help"),
    ("release", "pathspec", "build"),
    ("demo", "msgspec", "--help"),
    ("demo", "social_publishing", ""),
]


@pytest.mark.parametrize(("module", "library", "words"), MISSING)
def test_a_missing_library_is_named(module: str, library: str, words: str, tmp_path: Path) -> None:
    sources = [ROOT, ROOT / "cli/src", ROOT / "sandbox/src", ROOT / "generated/client/src"]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.endswith("_DEBUG")},
        "PYTHONPATH": os.pathsep.join(map(str, sources)),
        "SOCIAL_PUBLISHING_CONFIG": str(tmp_path),
        "HOME": str(tmp_path),
    }
    ended = subprocess.run(
        [sys.executable, "-c", BLOCKED, library, module, *words.split()],
        env=environment, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=600,
    )  # fmt: skip
    said = ended.stdout + ended.stderr
    assert "Traceback" not in said and "bug in this program" not in said, said
    if ended.returncode:  # a command that does without it may do so
        assert f"the library {library} is not installed" in said and "install" in said, said
