"""Which types of a package another type checker would have to guess."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

__all__ = ["incomplete"]


def incomplete(package: str, folder: Path) -> list[str]:
    """Return the public symbols of a package in `folder` whose types are unknown or inferred.

    What other libraries leave open in their own types is not counted.
    """
    pytest.importorskip("pyright")
    command = [*("--pythonpath", sys.executable), "--ignoreexternal", "--outputjson"]
    path = os.pathsep.join([str(folder), sysconfig.get_path("purelib")])
    done = subprocess.run(
        [sys.executable, "-m", "pyright", *command, "--verifytypes", package],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
    )
    report = json.loads(done.stdout)["typeCompleteness"]
    assert report["exportedSymbolCounts"]["withKnownType"] > 20, done.stdout[:2000]
    found = [
        f"{each['name']}: {'; '.join(problem['message'] for problem in each['diagnostics'])}"
        for each in report["symbols"]
        if not each["isTypeKnown"]
    ]
    assert bool(found) is (report["completenessScore"] < 1)
    return found
