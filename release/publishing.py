"""`publish`: what was built, to an index, and back from there as users get it."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from packaging.utils import canonicalize_name

from pipeline.commands import count
from pipeline.openapi.problems import Finding, PipelineError
from release import building, git
from release.changes import compare, problems
from release.config import Release
from release.environments import Environment, create
from release.indexes import (
    LOCAL,
    Target,
    find_target,
    holds,
    login,
    readable,
    serve,
    upload,
    wait_for,
    without_secrets,
)
from release.installing import Wheel, probe, read_wheels, run_examples, with_extras

if TYPE_CHECKING:
    from twine.settings import Settings

HELP: Final = "Upload what was built to an index, install it from there, and run its examples."


@dataclass(frozen=True)
class Plan:
    """A plan of the uploads.

    Attributes:
        target: the index.
        files: every archive of the release, with its SHA-256, in order.
        there: the names of those that the index has already.
    """

    target: Target
    files: Mapping[Path, str]
    there: frozenset[str]

    @property
    def missing(self) -> list[Path]:
        """Return the archives that are still to be uploaded."""
        return [file for file in self.files if file.name not in self.there]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `publish`."""
    parser.add_argument(
        "--repository", required=True, metavar="NAME",
        help="local (an index on this machine), a name in [tool.release.repositories], a name that "
        "twine knows (pypi, testpypi, those of ~/.pypirc), or the address to upload to",
    )  # fmt: skip
    parser.add_argument(
        "--index", metavar="URL",
        help="the address to read the index from, if its name does not imply it",
    )  # fmt: skip
    parser.add_argument(
        "--dry-run", action="store_true", help="check everything, print the plan, and stop"
    )


def run(options: argparse.Namespace, release: Release) -> int:
    """Check, upload what is missing, wait, install, try."""
    with _target(options, release) as target:
        print(f"Checking the tree, the version, what was built, and {target.name} …")
        plan, settings = _checked(target, release)
        _print_plan(plan, options.dry_run)
        if options.dry_run:
            return 0
        _upload(plan, settings)
        _use(plan, release)
    return 0


@contextlib.contextmanager
def _target(options: argparse.Namespace, release: Release) -> Iterator[Target]:
    if options.repository != LOCAL:
        yield find_target(options.repository, options.index, release.repositories)
        return
    folder = release.state / LOCAL / "index"
    with contextlib.ExitStack() as stack:
        if options.dry_run and not folder.is_dir():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        yield stack.enter_context(serve(folder))


def _checked(target: Target, release: Release) -> tuple[Plan, Settings]:
    """Return what is to be done, and how to log in.

    Raises:
        PipelineError: with every reason against it.
    """
    findings: list[Finding] = []

    @contextlib.contextmanager
    def gathering() -> Iterator[None]:
        try:
            yield
        except PipelineError as error:
            findings.extend(error.findings)

    with gathering():
        if release.version.local and target.name != LOCAL:
            reason = "is for one machine: an index takes no version with a +"
            raise PipelineError(Finding(f"version {release.version} {reason}"))
    with gathering():
        _check_tree(release, rehearsal=target.name == LOCAL)
    with gathering():
        _check_version(release)
    files: dict[Path, str] = {}
    with gathering():
        files = {file: building.digest(file) for file in building.current(release)}
    with gathering():
        settings = login(target)
        target = readable(target, settings)
    there: frozenset[str] = frozenset()
    with gathering():
        there = _there(target, files, release)
    if findings:
        reasons = dict.fromkeys(findings)
        last = f"Nothing was uploaded to {target.name}, for {count(len(reasons), 'reason')}."
        raise PipelineError(*reasons, Finding(last))
    return Plan(target, files, there), settings


def _check_tree(release: Release, rehearsal: bool) -> None:
    lines = git.dirty(release.root)
    if not lines:
        return
    if rehearsal:
        print("A rehearsal: the tree differs from the last commit, which is refused elsewhere:")
        print("\n".join(f"  {line}" for line in lines))
        return
    listed = "".join(f"\n  {line}" for line in lines)
    raise PipelineError(
        Finding(f"the tree differs from the last commit: commit or undo these first{listed}")
    )


def _check_version(release: Release) -> None:
    """Refuse a version or a changelog that does not fit, and a tree that is not current."""
    if found := problems(compare(release), release):
        raise PipelineError(*map(Finding, found))


def _there(target: Target, files: Mapping[Path, str], release: Release) -> frozenset[str]:
    """Return the names of those files that the index has, each with our bytes.

    Raises:
        PipelineError: it has all, or one with other bytes, or one that is none of ours.
    """
    ours = {file.name: digest for file, digest in files.items()}
    theirs: dict[str, str] = {}
    for package in release.packages:
        theirs |= holds(target, package.name, release.version)
    again = "a version can be published once only: raise it with `nox -s changes`"
    if target.name == LOCAL:
        again += f", or remove {release.state / LOCAL} to begin the rehearsal again"
    findings = [
        Finding(f"{target.name} has {name} with other bytes (SHA-256 {digest[:12]}…): {again}")
        for name, digest in theirs.items()
        if ours.get(name, digest) != digest
    ]
    findings += [
        Finding(f"{target.name} has {name}, which is not a file of this release: {again}")
        for name in theirs
        if ours and name not in ours
    ]
    if ours and theirs == ours:
        findings.append(
            Finding(f"{release.version} is published already on {target.name}: {again}")
        )
    if findings:
        raise PipelineError(*findings)
    return frozenset(theirs)


def _print_plan(plan: Plan, dry: bool) -> None:
    address = without_secrets(plan.target.repository.upload)
    where = plan.target.name if address == plan.target.name else f"{plan.target.name} ({address})"
    some = f"; {len(plan.there)} of {len(plan.files)} files are there already" if plan.there else ""
    print(f"{'Would publish' if dry else 'Publishing'} to {where}{some}:")
    for file, digest in plan.files.items():
        state = (
            "is there" if file.name in plan.there else "would be uploaded" if dry else "to upload"
        )
        print(
            f"  {file.name}  {file.stat().st_size / 1000:.1f} KB  SHA-256 {digest[:12]}…  {state}"
        )
    if dry:
        print("Every check passed; nothing was changed.")


def _upload(plan: Plan, settings: Settings) -> None:
    done: list[str] = [file.name for file in plan.files if file.name in plan.there]
    for file in plan.missing:
        try:
            upload(file, plan.target, settings)
        except PipelineError as error:
            missing = [each.name for each in plan.files if each.name not in done]
            raise PipelineError(
                *(Finding(f"{file.name} was not taken: {each}") for each in error.findings),
                Finding(
                    f"There now: {', '.join(done) or 'nothing'}. Not there: {', '.join(missing)}."
                ),
                Finding("Run it again when that is mended: it goes on with what is missing."),
            ) from None
        done.append(file.name)
        print(f"uploaded {file.name}")


def _use(plan: Plan, release: Release) -> None:
    """Get each package from the index as its users do, and run its examples.

    Raises:
        PipelineError: something does not work; the files stay where they are.
    """
    names: dict[str, list[str]] = {}
    wheels = read_wheels(plan.files)
    for package in release.packages:
        stem = canonicalize_name(package.name).replace("-", "_")
        names[package.name] = [file.name for file in plan.files if file.name.startswith(f"{stem}-")]
    try:
        wait_for(plan.target, release.version, names)
        for package in release.packages:
            with tempfile.TemporaryDirectory(prefix="published-") as folder:
                _try(package.name, plan, wheels, release, Path(folder))
        if plan.target.name == LOCAL:
            _make_local_environment(plan, wheels, release)
    except PipelineError as error:
        last = f"{release.version} is published on {plan.target.name} all the same"
        raise PipelineError(*error.findings, Finding(f"{last}: the files are there.")) from None
    print(f"{release.version} is published on {plan.target.name}, installs by name, and works.")
    if plan.target.name == LOCAL:
        _print_usage(release)


def _try(
    name: str, plan: Plan, wheels: Mapping[str, Wheel], release: Release, folder: Path
) -> None:
    package = next(each for each in release.packages if each.name == name)
    environment = create(folder / "environment", Path(sys.executable))
    wheel = wheels[canonicalize_name(name)]
    _install(environment, [wheel], plan)
    environment.install(wheel.tools)
    environment.check()
    probe(environment, name, folder)
    print(f"installed {name} {release.version} by name from {plan.target.name}")
    if package.examples:
        needed = [wheels[canonicalize_name(each)] for each in (name, *package.beside)]
        _install(environment, needed, plan, extras=True)
        for line in run_examples(environment, package, release):
            print(f"  {line}")


def _make_local_environment(plan: Plan, wheels: Mapping[str, Wheel], release: Release) -> None:
    """Make an environment with every package, for people to try."""
    environment = create(release.state / LOCAL / "environment", Path(sys.executable))
    _install(environment, list(wheels.values()), plan, extras=True)


def _install(
    environment: Environment, wheels: Sequence[Wheel], plan: Plan, extras: bool = False
) -> None:
    """Install by name and version; hashes make sure that it is what was published."""
    requirements = []
    for wheel in wheels:
        name = with_extras(wheel.metadata.name, wheel.extras if extras else ())
        digest = plan.files[wheel.file]
        requirements.append(f"{name}=={wheel.metadata.version} --hash=sha256:{digest}")
    environment.install(
        requirements,
        index=plan.target.index,
        fresh=[wheel.metadata.name for wheel in wheels],
    )


def _print_usage(release: Release) -> None:
    folder = release.state / LOCAL
    names = " ".join(f"{package.name}=={release.version}" for package in release.packages)
    python = shlex.quote(str(Environment(folder / "environment").bin / "python"))
    index = shlex.quote(str(folder / "index"))
    print(f"\nTo try it: {python}")
    print(f"To install it elsewhere: pip install --find-links {index} {names}")
