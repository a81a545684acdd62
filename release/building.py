"""`build`: build every package as a source archive and as a wheel, byte-for-byte reproducible."""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_sdist_filename, parse_wheel_filename

from pipeline.openapi.problems import Finding, PipelineError
from pipeline.stages import step
from pipeline.tables import load_toml
from release import bundling, git, sbom
from release.config import Release
from release.contents import expect, inspect, read
from release.environments import uv
from release.tree import check_generated

MOMENT: Final = 315619200
"""Time of every file in an archive: 2 January 1980, UTC, in seconds since 1970.

Not the moment of a commit: a tree with changes, a clone without history and an unpacked archive
all give the same bytes. Not a day earlier: ZIP knows no time before 1980, in any time zone.
"""


HELP: Final = "Build every package twice, compare the bytes, and check the contents."


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare no options: `build` has none."""


def run(options: argparse.Namespace, release: Release) -> int:
    """Build into dist/ and list the archives; leave dist/ unchanged if anything is wrong."""
    with step("Checking what is generated"):
        check_generated(release.pipeline, release.root)
    bundles = bundling.bundles(release)
    with tempfile.TemporaryDirectory(prefix="release-") as scratch:
        with step("Building each package"):
            files = build_checked(release, Path(scratch, "once"))
        with step("Building each once more, to compare the bytes"):
            again = build_all(release, Path(scratch, "and-once-more"))
        differing = [
            Finding(f"{one.name}: two builds of the same files differ")
            for one, other in zip(files, again, strict=True)
            if one.read_bytes() != other.read_bytes()
        ]
        if differing:
            raise PipelineError(*differing)
        placed = _place(files, release)
    print(table(placed))
    for line in bundling.write(release, bundles):
        print(line)
    print("Two builds in two folders are identical; contents and descriptions are correct.")
    return 0


def build_checked(release: Release, folder: Path) -> list[Path]:
    """Build every package into a folder, and look into the archives.

    Returns:
        The archives, in the order in which they are published.
    """
    made: list[Path] = []
    findings: list[Finding] = []
    for package in release.packages:
        files = build_package(package.path, folder)
        expected = expect(
            package.name, package.path, sources(package.path), release.version, release.root
        )
        findings += [finding for file in files for finding in inspect(file, expected)]
        made += files
    if findings:
        raise PipelineError(*findings)
    return made


def current(release: Release) -> list[Path]:
    """Return the archives in dist/, when they are what the project builds now."""
    with tempfile.TemporaryDirectory(prefix="release-") as scratch:
        wanted = {each.name: each.read_bytes() for each in build_checked(release, Path(scratch))}
    files = [release.dist / name for name in wanted]
    missing = [file.name for file in files if not file.is_file()]
    there = [file for file in files if file.is_file()]
    differing = [file.name for file in there if file.read_bytes() != wanted[file.name]]
    states = ((missing, "missing"), (differing, "out of date"))
    if reasons := [f"{', '.join(names)} {state}" for names, state in states if names]:
        raise PipelineError(Finding(f"dist/: {'; '.join(reasons)}: run `nox -s build`"))
    return files


def table(files: Sequence[Path]) -> str:
    """Return a table of archives: size, number of files and SHA-256 of each."""
    width = max(len(file.name) for file in files)
    lines = [f"{'file':{width}}      KB  files  SHA-256"]
    for file in files:
        size = file.stat().st_size / 1000
        lines.append(f"{file.name:{width}}  {size:6.1f}  {len(read(file)):5}  {digest(file)}")
    return "\n".join(lines)


def digest(file: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _place(files: Sequence[Path], release: Release) -> list[Path]:
    """Move archives into dist/ in place of older ones; name those of others, and leave them."""
    release.dist.mkdir(exist_ok=True)
    ours = {canonicalize_name(package.name) for package in release.packages}
    placed = []
    for file in files:
        staged = release.dist / f".{file.name}"
        shutil.copyfile(file, staged)
        placed.append(staged.replace(release.dist / file.name))
    for path in sorted(set(release.dist.iterdir()) - set(placed)):
        if _name_of(path) in ours:
            path.unlink()
            print(f"removed dist/{path.name} from an earlier build")
        else:
            print(f"left alone dist/{path.name}: not made by `build`")
    return placed


def _name_of(path: Path) -> str | None:
    """Return the distribution that a file is an archive of, by its name; None if it is none."""
    for parse in (parse_wheel_filename, parse_sdist_filename):
        try:
            return parse(path.name)[0]
        except ValueError:
            continue
    return None


def build_all(release: Release, folder: Path) -> list[Path]:
    """Build every package into a folder: its source archive, then the wheel out of that.

    Returns:
        The archives, in the order in which they are published.
    """
    return [file for package in release.packages for file in build_package(package.path, folder)]


def build_package(project: Path, folder: Path) -> tuple[Path, Path]:
    """Build the source archive of a project, and the wheel out of that, as pip would.

    What git ignores stays outside, as do modes and times: neither decides a byte.
    """
    _check_backend(project)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="build-") as scratch:
        source, made = Path(scratch, "source"), Path(scratch, "made")
        for path in sources(project):
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(project / path, source / path, follow_symlinks=False)
        try:
            uv(
                "build", "--no-build-isolation", "--python", sys.executable,
                "--out-dir", str(made), str(source),
                variables={"SOURCE_DATE_EPOCH": str(MOMENT), "TZ": "UTC", "LC_ALL": "C.UTF-8"},
            )  # fmt: skip
        except PipelineError as error:
            raise PipelineError(Finding(f"{project}: cannot be built: {_why(error)}")) from None
        sdist, wheel = (shutil.move(next(made.glob(each)), folder) for each in ("*.gz", "*.whl"))
        sbom.add(Path(wheel))
        return Path(sdist), Path(wheel)


def _check_backend(project: Path) -> None:
    """Refuse a project whose build requirements are not installed here: uv does not ask."""
    wanted = load_toml(project / "pyproject.toml").get("build-system", {}).get("requires", [])
    for requirement in map(Requirement, wanted):
        if requirement.marker and not requirement.marker.evaluate():
            continue
        installed = [each.version for each in distributions(name=requirement.name)]
        if not any(requirement.specifier.contains(each, prereleases=True) for each in installed):
            has = f"has {installed[0]}" if installed else "does not have it"
            reason = f"cannot be built: needs {requirement}, and this environment {has}"
            raise PipelineError(Finding(f"{project}: {reason}"))


def _why(error: PipelineError) -> str:
    """Return the reason in what uv and a build backend wrote, on one line."""
    text = str(error).partition("\n\nhint: ")[0]
    said = re.findall(r"^[\w.]+Error: .*", text, re.MULTILINE)
    causes = re.sub(r"^ *\d* *\|.*\n", "", text, flags=re.MULTILINE).split("  cause: ")[1:]
    return " ".join((said[-1] if said else " ".join(causes) or text).split())


def sources(project: Path) -> list[Path]:
    """Return the paths of a project's files that git has or would take, in order.

    All of its files where git has no part in it: an exported revision, for example, lies in no
    repository, or where one ignores it.
    """
    files = set(git.files(project))
    if Path("pyproject.toml") not in files:
        files = {path.relative_to(project) for path in project.rglob("*")}
    return sorted(path for path in files if (project / path).is_file())
