"""Other programs that are needed: git and gh."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from pipeline.openapi.problems import Finding, PipelineError


def run(
    *command: str,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    text: str = "",
) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end, and capture its output.

    Args:
        folder: where it runs; here, if none is given.
        environment: variables besides those of this process.
        text: what it reads.

    Raises:
        PipelineError: there is no such program.
    """
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            input=text.encode(),
            capture_output=True,
        )
    except FileNotFoundError:
        name = command[0]
        raise PipelineError(Finding(f"{name} is needed, and there is none on the PATH")) from None
