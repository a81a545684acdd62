"""Whether what is generated belongs to the sources beside it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from pipeline.problems import Finding, PipelineError
from release.config import Release

_LEFT: Final = "left over "


def check_generated(release: Release) -> None:
    """Refuse a tree in which generated files are not what the sources make.

    Raises:
        PipelineError: each folder is named, and each file in it that no run has made.
    """
    from pipeline.steps import folders, generate
    from pipeline.write import compare

    def shown(path: str | Path) -> str:
        return os.path.relpath(path, release.root)

    files, _ = generate(release.pipeline)
    findings = []
    for folder, made in folders(release.pipeline, files).items():
        said = compare(made, folder)
        left = [line.removeprefix(_LEFT) for line in said if line.startswith(_LEFT)]
        findings += [Finding(f"{shown(path)}: no run made it: move or remove it") for path in left]
        if len(said) > len(left):
            reason = "not what the sources make: run `nox -s generate`"
            findings.append(Finding(f"{shown(folder)}: {reason}"))
    if findings:
        raise PipelineError(*findings)
