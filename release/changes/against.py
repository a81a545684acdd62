"""`changes --against`: what a generated client has that an earlier one has not, of any document."""

from __future__ import annotations

import argparse
import os
import tempfile
from dataclasses import replace
from pathlib import Path

from pipeline.config import load_config
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.stages import step
from release import git
from release.changes import sides
from release.changes.change import Change, listed
from release.changes.comparing import between
from release.changes.report import Report
from release.tree import check_generated


def run(options: argparse.Namespace) -> int:
    """Print the report; with `--check`, 1 where the version is too low for the changes."""
    if options.base is not None:
        text = f"--against {options.against}: takes no BASE beside it, got {options.base}"
        raise PipelineError(Finding(text))
    with step(f"Comparing with {options.against}"):
        report = compare(options.config, options.against)
    print(report.text(), end="")
    return int(options.check and report.too_low)


def compare(file: Path, against: str) -> Report:
    """Compare the client of a configuration, as it is generated, with an earlier one.

    Args:
        file: the configuration.
        against: a folder with the output of `generate`, or with the project around it; or a
            revision of the project.

    Raises:
        PipelineError: what is generated is not current, or there is nothing to compare with.
    """
    config, root = load_config(file), file.resolve().parent
    check_generated(config, root)
    below = Path(os.path.relpath(config.output.resolve(), root))
    after = sides.output("The working tree", root, below)
    with tempfile.TemporaryDirectory(prefix="changes-") as exported:
        folder = Path(against)
        if folder.is_dir():
            is_output = (folder / "openapi").is_dir()
            before = sides.output(against, folder, Path() if is_output else below)
        else:
            git.export(root, against, Path(exported))
            before = sides.output(against, Path(exported), below)
        old, new = before.packages["client"], after.packages["client"]
        renamed = (
            Change("breaking", (f"`{was}`",), f"is called `{now}`")
            for was, now in (
                (old.data["project"]["name"], new.data["project"]["name"]),
                (listed([*old.modules]), listed([*new.modules])),
            )
            if was != now
        )
        report = between(before, after, before.name)
        return replace(report, packages=(*renamed, *report.packages))
