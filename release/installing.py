"""`install-check`: install the built packages as users do, and run the examples of their pages."""

from __future__ import annotations

import argparse
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.metadata import Metadata
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from pipeline.commands import count
from pipeline.openapi.problems import Finding, PipelineError, made_of_each
from pipeline.stages import step
from release import building
from release.config import Package, Release
from release.environments import Environment, Python, Resolution, create, fitting, pythons
from release.examples import run_page

HELP: Final = (
    "Install the built packages with the lowest and highest dependencies; run the examples."
)

_PROBE: Final = Path(__file__).with_name("probe.py")
_TRIED: Final = "tried.txt"
"""SHA-256 sums of the archives that were last installed and tried."""


@dataclass(frozen=True)
class Wheel:
    """A wheel with its metadata.

    Attributes:
        metadata: its name, its version, what it requires.
        tools: what has to be installed besides, to try what it has for other programs.
    """

    file: Path
    metadata: Metadata
    tools: tuple[str, ...]

    @property
    def extras(self) -> tuple[str, ...]:
        """Return the names of its extras."""
        return tuple(sorted(self.metadata.provides_extra or []))

    def at(self, extras: Sequence[str] = ()) -> str:
        """Return the requirement that is this very file."""
        return f"{with_extras(self.metadata.name, extras)} @ {self.file.resolve().as_uri()}"

    def requires(self, python: Version, extras: Sequence[str] = ()) -> list[Requirement]:
        """Return its own requirements on a Python, without markers."""
        facts = {
            "python_version": f"{python.major}.{python.minor}",
            "python_full_version": str(python),
        }
        requirements = []
        for requirement in map(Requirement, map(str, self.metadata.requires_dist or [])):
            it, requirement.marker = requirement.marker, None
            if it is None or any(it.evaluate({**facts, "extra": x}) for x in ("", *extras)):
                requirements.append(requirement)
        return requirements


@dataclass(frozen=True)
class Trial:
    """A package in an environment of its own, with some of its extras."""

    package: Package
    wheel: Wheel
    beside: tuple[Wheel, ...]
    python: Python
    resolution: Resolution
    extras: tuple[str, ...]

    def __str__(self) -> str:
        name = with_extras(self.package.name, self.extras)
        return f"{name}, Python {self.python.version}, {self.resolution} dependencies"

    @property
    def has_all_extras(self) -> bool:
        """Return whether it has all that its examples may need."""
        return self.extras == self.wheel.extras


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `install-check`."""
    parser.add_argument(
        "--python", type=Path, nargs="+", default=[], metavar="PATH",
        help="interpreters to try with (default: the oldest and the newest found here)",
    )  # fmt: skip


def run(options: argparse.Namespace, release: Release) -> int:
    """Try every package with every set of dependencies; report all failures in the end."""
    with step("Building once more, to compare with dist/"):
        files = building.current(release)
    trials = list(_trials(read_wheels(files), release, pythons(options.python)))
    _all(trials, release)
    _remember(files, release)
    print(f"{len(trials)} environments: all packages install, import and run.")
    return 0


def try_once(files: Sequence[Path], release: Release) -> None:
    """Try built packages on this Python with all that they can have, unless that was done before.

    Raises:
        PipelineError: one cannot be installed or imported, or an example of it fails.
    """
    remembered = release.state / _TRIED
    if remembered.is_file() and remembered.read_text(encoding="utf-8") == _digests(files):
        print("What is in dist/ was installed and tried before.")
        return
    every = _trials(read_wheels(files), release, pythons([Path(sys.executable)]))
    _all([each for each in every if each.has_all_extras and each.resolution == "highest"], release)
    _remember(files, release)


def _remember(files: Sequence[Path], release: Release) -> None:
    release.state.mkdir(exist_ok=True)
    (release.state / _TRIED).write_text(_digests(files), encoding="utf-8", newline="\n")


def _digests(files: Sequence[Path]) -> str:
    return "".join(f"{building.digest(file)}  {file.name}\n" for file in files)


def _all(trials: Sequence[Trial], release: Release) -> None:
    """Make trials; report all failures in the end."""

    def make(trial: Trial) -> None:
        try:
            with step(f"Installing and trying {trial}"):
                _try(trial, release)
        except PipelineError as error:
            print(f"{trial}: FAILS", flush=True)
            raise PipelineError(*(Finding(f"{trial}: {each}") for each in error.findings)) from None
        print(f"{trial}: works", flush=True)

    made_of_each(trials, make)


def read_wheels(files: Iterable[Path]) -> dict[str, Wheel]:
    """Read those of the files that are wheels; by the canonical names of their distributions."""
    wheels = [_read_wheel(file) for file in files if file.suffix == ".whl"]
    return {canonicalize_name(wheel.metadata.name): wheel for wheel in wheels}


def with_extras(name: str, extras: Sequence[str]) -> str:
    """Return a distribution with extras, as in a requirement."""
    return f"{name}[{','.join(extras)}]" if extras else name


def probe(environment: Environment, wheel: Wheel, folder: Path) -> None:
    """See that all goes together; import a distribution, and load what its entry points name."""
    environment.install(wheel.tools)
    environment.check()
    name = wheel.metadata.name
    done = environment.run("-I", "-W", "error", str(_PROBE), name, folder=folder)
    if done.returncode:
        reason = done.stdout.strip().splitlines()[-1:] or ["no word"]
        raise PipelineError(Finding(f"{name} cannot be imported: {reason[0]}"))


def run_examples(environment: Environment, package: Package, release: Release) -> list[str]:
    """Run the examples of a package's pages where it is installed.

    Returns:
        A line for each page.
    """
    around = list(release.around)
    if around:
        around = [str(environment.bin / around[0]), *around[1:], "--"]

    def run(name: str) -> str:
        page = package.path / name
        with tempfile.TemporaryDirectory(prefix="examples-") as folder:
            outcome = run_page(page, python=environment.python, around=around, folder=Path(folder))
        if outcome.failures:
            raise PipelineError(*map(Finding, outcome.failures))
        return f"{name}: {count(outcome.blocks, 'example')} run"

    return made_of_each(package.examples, run)


def _trials(
    wheels: Mapping[str, Wheel], release: Release, pythons_here: Sequence[Python]
) -> Iterator[Trial]:
    """Yield every package with each Python, lowest and highest; no extras, each one, and all."""
    resolutions: tuple[Resolution, ...] = ("lowest", "highest")
    for package in release.packages:
        wheel = wheels[canonicalize_name(package.name)]
        beside = tuple(wheels[canonicalize_name(name)] for name in package.beside)
        sets = dict.fromkeys([(), *((extra,) for extra in wheel.extras), wheel.extras])
        for python in _chosen(wheel, pythons_here):
            for resolution in resolutions:
                for extras in sets:
                    yield Trial(package, wheel, beside, python, resolution, extras)


def _chosen(wheel: Wheel, pythons_here: Sequence[Python]) -> list[Python]:
    """Return the Pythons to try a wheel with."""
    name = wheel.metadata.name
    requires = wheel.metadata.requires_python or SpecifierSet()
    chosen = fitting(pythons_here, requires)
    if not chosen:
        have = ", ".join(str(python.version) for python in pythons_here) or "none"
        raise PipelineError(Finding(f"{name} needs Python {requires}; found here: {have}"))
    return chosen


def _try(trial: Trial, release: Release) -> None:
    """Install, check, import and run."""
    needed = trial.wheel.requires(trial.python.version, trial.extras)
    with tempfile.TemporaryDirectory(prefix="install-") as scratch:
        environment = create(Path(scratch, "environment"), trial.python.path)
        # Named beside the wheel, they count as direct, so that their lowest versions are taken.
        # What is built with it is on no index yet.
        built = {canonicalize_name(each.metadata.name): each.at() for each in trial.beside}
        named = [built.get(canonicalize_name(each.name), str(each)) for each in needed]
        environment.install([trial.wheel.at(trial.extras), *named], resolution=trial.resolution)
        probe(environment, trial.wheel, Path(scratch))
        _try_extras(environment, trial, Path(scratch))
        if trial.has_all_extras and trial.package.examples:
            environment.install(wheel.at(wheel.extras) for wheel in trial.beside)
            environment.check()
            run_examples(environment, trial.package, release)


def _try_extras(environment: Environment, trial: Trial, folder: Path) -> None:
    """Hold each extra to its line of Python: it runs with the extra, and names it without."""
    for extra in trial.wheel.extras:
        line = trial.package.extras.get(extra)
        if line is None:
            place = f"tool.release.packages.{trial.package.name}.extras.{extra}"
            raise PipelineError(Finding(f"{place} is missing: a line of Python that needs it"))
        done = environment.run("-I", "-W", "error", "-c", line, folder=folder)
        last = (done.stdout.strip().splitlines() or ["it ran"])[-1]
        if extra in trial.extras and done.returncode:
            raise PipelineError(Finding(f"with the extra {extra}, `{line}` fails: {last}"))
        if extra not in trial.extras and (not done.returncode or extra not in last):
            reason = f"without the extra {extra}, `{line}` does not fail with its name: {last}"
            raise PipelineError(Finding(reason))


def _read_wheel(file: Path) -> Wheel:
    with zipfile.ZipFile(file) as archive:
        names = {Path(name).name: name for name in archive.namelist() if ".dist-info/" in name}
        entries = archive.read(names["entry_points.txt"]) if "entry_points.txt" in names else b""
        metadata = Metadata.from_email(archive.read(names["METADATA"]))
    return Wheel(file, metadata, ("pytest",) if b"[pytest11]" in entries else ())
