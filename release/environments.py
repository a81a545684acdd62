"""Fresh environments to install into, and the Pythons that they can be made of."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from pipeline.openapi.problems import Finding, PipelineError

Resolution = Literal["lowest", "highest"]

_SECONDS: Final = 900  # for one installation, over a slow line
# Options of pip, and the variables that mean the same to uv.
_PIP_TO_UV: Final = (
    ("index-url", "UV_DEFAULT_INDEX"),
    ("trusted-host", "UV_INSECURE_HOST"),
    ("cert", "SSL_CERT_FILE"),
    ("proxy", "HTTP_PROXY"),
    ("proxy", "HTTPS_PROXY"),
)
_BIN: Final = "Scripts" if os.name == "nt" else "bin"


@dataclass(frozen=True)
class Python:
    """An interpreter that is installed on this machine."""

    path: Path
    version: Version


@dataclass(frozen=True)
class Environment:
    """A virtual environment, in a folder of its own."""

    folder: Path

    @property
    def bin(self) -> Path:
        """Return the folder of its commands."""
        return self.folder / _BIN

    @property
    def python(self) -> Path:
        """Return its interpreter."""
        return self.bin / ("python.exe" if os.name == "nt" else "python")

    def install(
        self,
        requirements: Iterable[str],
        *,
        resolution: Resolution = "highest",
        index: str | None = None,
        fresh: Sequence[str] = (),
    ) -> None:
        """Install requirements, and what they need.

        Args:
            requirements: as in a file of requirements; a hash of one is checked.
            resolution: which versions of these to take, of all that are allowed; of what they
                need in turn, it is the highest in any case.
            index: the address of an index to take first, before those that pip is set up with.
            fresh: distributions of which nothing that was remembered may be taken.
        """
        wanted = list(requirements)
        if not wanted:
            return
        uv(
            "pip", "install", "--quiet", "--python", str(self.python), "--requirements", "-",
            "--resolution", "lowest-direct" if resolution == "lowest" else "highest",
            *(word for name in fresh for word in ("--refresh-package", name)),
            text="\n".join(wanted), index=index,
        )  # fmt: skip

    def check(self) -> None:
        """Check that all that is installed goes together."""
        uv("pip", "check", "--quiet", "--python", str(self.python))

    def run(self, *command: str, folder: Path) -> subprocess.CompletedProcess[str]:
        """Run its interpreter in a folder; output and errors come together.

        Raises:
            PipelineError: it does not end.
        """
        try:
            return subprocess.run(
                [str(self.python), *command], cwd=folder, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                encoding="utf-8", errors="replace", timeout=_SECONDS,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            what = f"python {' '.join(command)}"
            raise PipelineError(Finding(f"{what}: not done after {_SECONDS} s")) from None


def create(folder: Path, python: Path) -> Environment:
    """Make an environment in a folder, in place of what was there."""
    uv("venv", "--quiet", "--no-project", "--clear", "--python", str(python), str(folder))
    return Environment(folder)


def pythons(given: Sequence[Path]) -> list[Python]:
    """Return interpreters: those given, else all that uv knows of here; one a minor version."""
    interpreters = [_ask(path) for path in given]
    if not given:
        listed = uv("python", "list", "--only-installed", "--output-format", "json").stdout
        interpreters = [
            Python(Path(entry["path"]), Version(entry["version"]))
            for entry in json.loads(listed)
            if entry["implementation"] == "cpython" and entry["variant"] == "default"
        ]
    by_minor: dict[tuple[int, ...], Python] = {}
    for python in interpreters:
        by_minor.setdefault(python.version.release[:2], python)
    return [by_minor[minor] for minor in sorted(by_minor)]


def fitting(interpreters: Sequence[Python], requires: SpecifierSet) -> list[Python]:
    """Return the oldest and the newest Python that a package allows; one, if they are the same."""
    allowed = [python for python in interpreters if python.version in requires]
    return list(dict.fromkeys([allowed[0], allowed[-1]])) if allowed else []


def _ask(path: Path) -> Python:
    code = "import platform; print(platform.python_version())"
    try:
        done = subprocess.run(
            [path, "-I", "-c", code], capture_output=True, text=True, encoding="utf-8", timeout=60
        )
        return Python(path.absolute(), Version(done.stdout.strip()))
    except (OSError, ValueError, subprocess.SubprocessError):
        raise PipelineError(Finding(f"--python {path}: is not a working Python")) from None


def uv(
    *arguments: str,
    text: str | None = None,
    index: str | None = None,
    variables: Mapping[str, str | None] = {},
) -> subprocess.CompletedProcess[str]:
    """Run uv, which reads `text`, and takes from `index` before all other indexes.

    It has these `variables` besides; one that is None is none.
    """
    from uv import find_uv_bin

    # In a folder of no project: what one sets for uv is for something else. Its lines stay whole.
    own: dict[str, str | None] = {"COLUMNS": None, **settings_of_uv(pip_settings(), index)}
    environment = {**os.environ, **own, **variables}
    for name in ("NO_PROXY", "no_proxy"):  # an index of this machine is reached directly
        environment[name] = ",".join(filter(None, (environment.get(name), "127.0.0.1")))
    what = f"uv {' '.join(each for each in arguments[:2] if each[0] != '-')}"
    try:
        done = subprocess.run(
            [find_uv_bin(), "--color", "never", "--no-progress", *arguments],
            env={name: value for name, value in environment.items() if value is not None},
            cwd=tempfile.gettempdir(), input=text, capture_output=True, text=True, encoding="utf-8",
            errors="replace", timeout=_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise PipelineError(Finding(f"{what}: not done after {_SECONDS} s")) from None
    if done.returncode:
        raise PipelineError(Finding(f"{what}: {done.stderr.strip() or done.stdout.strip()}"))
    return done


@cache
def pip_settings() -> Mapping[str, str]:
    """Return how pip is set up here for installing: by files, and by the environment above them."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    settings: dict[str, str] = {}
    ranks = {"global": 0, "install": 1, ":env:": 2}
    entries = [line.partition("=") for line in done.stdout.splitlines()]
    placed = [(*key.partition("."), value) for key, _, value in entries]
    for section, _, name, value in sorted(placed, key=lambda each: ranks.get(each[0], -1)):
        if section in ranks:
            settings[name] = ast.literal_eval(value)
    return settings


def settings_of_uv(pip: Mapping[str, str], index: str | None = None) -> dict[str, str]:
    """Return the environment in which uv finds what pip would find, and `index` before others.

    What is not set for pip, uv takes from its own settings.
    """
    settings = {name: pip[option] for option, name in _PIP_TO_UV if option in pip}
    more = [*([index] if index else []), *pip.get("extra-index-url", "").split()]
    if more:
        settings["UV_INDEX"] = " ".join(more)
        # As pip does: the best version, whichever index has it.
        settings["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    if "find-links" in pip:
        settings["UV_FIND_LINKS"] = ",".join(pip["find-links"].split())
    if pip.get("no-index", "").lower() in ("1", "true", "yes", "on"):
        settings["UV_NO_INDEX"] = "true"
    return settings
