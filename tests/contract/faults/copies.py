"""Copies of the project, in which faults are planted and taken out again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from faults import naming
from faults.catalogue import PROJECT, Fault, place_of
from faults.processes import Processes

__all__ = ["Broken", "Copy", "clean_copy"]

_RUNTIME = "templates/runtime/"
_PACKAGES = {
    "cli/src/": "social_publishing_cli",
    "sandbox/src/": "social_publishing_sandbox",
}
_GENERATED_RUNTIME = "generated/client/src/social_publishing/_runtime/"
_MADE = (
    "generated",
    "sandbox/src/social_publishing_sandbox/documents",
    "cli/src/social_publishing_cli/catalogue",
)
_CODE = ("generated/client/src", "cli/src", "sandbox/src", "pipeline", "release", "tests/contract")
# Faults that only show in what is generated.
_GENERATES = ("pipeline/", "overlays/")


class Broken(Exception):
    """With the fault in it the project does not even start: no test is needed to notice that."""


def clean_copy(to: Path) -> Path:
    """Return a copy of what belongs to the project: all that git knows, and all that it would take.

    Byte code is made for all of it that is valid for exactly its source: two versions of a module
    may be of one size and of one second, and would be taken for each other otherwise.
    """
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=PROJECT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        source, target = PROJECT / name, to / name
        if source.is_file():  # git still lists what was removed and not told to it
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    compiled = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash"]
    subprocess.run([*compiled, *_CODE], cwd=to, check=True, stdout=subprocess.DEVNULL)
    return to


class Copy:
    """A worker's own copy, and the processes that run in it.

    Args:
        clean: a copy that nothing is ever planted in.
        folder: where this one is made.
    """

    def __init__(self, clean: Path, folder: Path) -> None:
        self.folder = folder
        self.notes = folder.with_name(f"{folder.name}.notes")
        self._planted: list[str] = []
        self._clean = clean
        shutil.copytree(clean, folder)
        paths = [".", "generated/client/src", "cli/src", "sandbox/src", "tests/contract"]
        # This copy, and nothing that is installed of it.
        environment = {
            "PYTHONPATH": os.pathsep.join(str(folder / path) for path in paths),
            "PYTHONHASHSEED": "0",
            "CI": "1",
            naming.FOLDER: str(self.notes),
        }
        self.processes = Processes(folder, os.environ | environment)

    def plant(self, fault: Fault, seconds: float) -> None:
        """Plant a fault, and generate anew what depends on it.

        Raises:
            Misplaced: it cannot be planted.
            Broken: nothing can be generated, or imported, with it.
        """
        file, text = place_of(fault, self._clean)
        self._planted = [file]
        rendered = _GENERATED_RUNTIME + file.removeprefix(_RUNTIME)
        if file.startswith(_RUNTIME) and (self._clean / rendered).is_file():
            self._planted.append(rendered)  # as it is, where this client needs it
        for each in self._planted:
            (self.folder / each).write_text(text, encoding="utf-8")
        if file.startswith(_GENERATES):
            self._planted += _MADE
            self._must_run(fault, ["pipeline", "generate"], seconds)
        self._must_run(fault, ["faults.importing", *_imported(file)], seconds)

    def take_out(self) -> None:
        """Make the copy what it was."""
        for name in self._planted:
            source, target = self._clean / name, self.folder / name
            if source.is_dir():
                shutil.rmtree(target)
                shutil.copytree(source, target)
            else:
                shutil.copy2(source, target)
        self._planted = []
        # What property tests remember of one fault would help to find another one.
        shutil.rmtree(self.folder / ".hypothesis", ignore_errors=True)

    def _must_run(self, fault: Fault, command: list[str], seconds: float) -> None:
        run = self.processes.run(command, seconds)
        if run.status != 0:
            said = run.output.strip().splitlines() or ["it never ended"]
            raise Broken(
                f"{fault.place}: {fault.id} is no fault: {' … '.join({said[0]: 0, said[-1]: 0})}"
            )


def _imported(file: str) -> tuple[str, str]:
    """The package that a fault in a file shows in, and how the modules begin that it may break."""
    for folder, package in _PACKAGES.items():
        if file.startswith(folder):
            below = file.removeprefix(folder).removesuffix(".py")
            return package, below.replace("/", ".")
    return "social_publishing", ""
