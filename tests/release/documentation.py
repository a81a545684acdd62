"""Building the documentation, or a small one like it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def sphinx(
    source: Path, folder: Path, builder: str, *more: str, timeout: float = 600
) -> subprocess.CompletedProcess[str]:
    """Build a site as `nox -s docs` does."""
    options = ("-q", "-W", "-n", "--keep-going", "-b", builder)
    return subprocess.run(
        [sys.executable, "-B", "-m", "sphinx", *options, *more, str(source), str(folder)],
        capture_output=True, text=True, timeout=timeout,
    )  # fmt: skip
