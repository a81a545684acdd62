"""The files of the tree: whether generated ones belong to their sources; putting some in place."""

from __future__ import annotations

import os
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pipeline import steps
from pipeline.codegen.write import compare
from pipeline.config import Config
from pipeline.openapi.problems import Finding, PipelineError

_LEFT: Final = "left over "


def check_generated(config: Config, root: Path) -> None:
    """Refuse a tree in which generated files are not what the sources make.

    Args:
        root: the folder of the project, from which the files are named.
    """

    def shown(path: str | Path) -> str:
        return os.path.relpath(path, root)

    files, _ = steps.generate(config)
    findings = []
    for folder, made in steps.folders(config, files).items():
        lines = compare(made, folder)
        left = [line.removeprefix(_LEFT) for line in lines if line.startswith(_LEFT)]
        findings += [
            Finding(f"{shown(path)}: not written by `generate`: move or remove it") for path in left
        ]
        if len(lines) > len(left):
            reason = "out of date: run `nox -s generate`"
            findings.append(Finding(f"{shown(folder)}: {reason}"))
    if findings:
        raise PipelineError(*findings)


@contextmanager
def restoring(files: Iterable[Path]) -> Iterator[None]:
    """Give files back what they held, if the block fails in any way."""
    before = {file: file.read_bytes() for file in files}
    try:
        yield
    except BaseException:
        for file, data in before.items():
            place(file, data)
        raise


def place(file: Path, data: bytes) -> None:
    """Put a file in place by one rename, with the mode that it had."""
    target = file.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode if target.exists() else 0o644
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".placed-", delete=False) as new:
        new.write(data)
    os.chmod(new.name, mode)
    os.replace(new.name, target)


def unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Write the files of an archive into a folder; from where Python can, nothing leaves it."""
    if hasattr(tarfile, "data_filter"):
        archive.extractall(folder, filter="data")
    else:  # before 3.11.4; the archives are those that this project makes
        archive.extractall(folder)
