"""`publish`: upload the built packages to an index, and install them from there."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from packaging.utils import canonicalize_name

from pipeline.commands import count
from pipeline.openapi.problems import Finding, PipelineError, made_of_each
from pipeline.stages import step
from release import building, git
from release.changes import compare, problems
from release.config import Release
from release.environments import Environment, create
from release.indexes import (
    LOCAL,
    NO_LOGIN,
    Taken,
    Target,
    find_target,
    has_login,
    present,
    reach,
    serve,
    upload,
    wait_for,
    without_secrets,
)
from release.installing import Wheel, probe, read_wheels, run_examples, try_once, with_extras

_AFTERWARDS: Final = (
    "If the cause is temporary, such as the network, repeat this check with --verify-only. If the "
    "release is broken, yank it on the index, fix it, and raise the version."
)
HELP: Final = (
    "Upload the built packages to an index, install them from there, and run the examples."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `publish`."""
    parser.add_argument(
        "--repository", action="append", required=True, metavar="NAME",
        help="local (an index on this machine), a name in [tool.release.repositories], pypi, "
        "or testpypi",
    )  # fmt: skip
    parser.add_argument(
        "--dry-run", action="store_true", help="check everything, print the plan, and stop"
    )
    parser.add_argument(
        "--verify-only", action="store_true",
        help="upload nothing: install the published packages again, and run their examples",
    )  # fmt: skip


def run(options: argparse.Namespace, release: Release) -> int:
    """Check, try, upload what is missing, wait, install, try.

    Raises:
        PipelineError: several repositories are named, or a step fails.
    """
    options.repository, *others = options.repository
    if others:
        names = " and ".join((options.repository, *others))
        raise PipelineError(Finding(f"--repository names {names}: publish to one after the other"))
    with _target(options, release) as target:
        if options.verify_only:
            files = _published(target, release)
        else:
            files, there = _checked(target, release, options.dry_run)
            if len(there) < len(files):
                _try(files, target, release)
            _print_plan(target, files, there, options.dry_run)
            if options.dry_run:
                return 0
            _upload(target, [file for file in files if file.name not in there])
        _use(target, files, release)
    return 0


def _published(target: Target, release: Release) -> dict[Path, str]:
    """Return every archive with its SHA-256, all of which the index must have."""
    files = _built(release)
    there = _there(target, files, release)
    if missing := [file.name for file in files if file.name not in there]:
        reason = f"{target.name} does not have {', '.join(missing)}: publish without --verify-only"
        raise PipelineError(Finding(reason))
    return files


def _built(release: Release) -> dict[Path, str]:
    """Return every archive in dist/ with its SHA-256; each is what the tree makes."""
    with step("Building once more, to compare with dist/"):
        return {file: building.digest(file) for file in building.current(release)}


@contextlib.contextmanager
def _target(options: argparse.Namespace, release: Release) -> Iterator[Target]:
    if options.repository != LOCAL:
        yield find_target(options.repository, release.repositories)
        return
    folder = release.state / LOCAL / "index"
    with contextlib.ExitStack() as stack:
        if options.dry_run and not folder.is_dir():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        yield stack.enter_context(serve(folder))


def _checked(target: Target, release: Release, dry: bool) -> tuple[dict[Path, str], set[str]]:
    """Return every archive with its SHA-256, in order, and the names of those that are there."""
    files: dict[Path, str] = {}
    there: set[str] = set()

    def version() -> None:
        if release.version.local and target.name != LOCAL:
            reason = "is local: an index accepts no version with a +"
            raise PipelineError(Finding(f"version {release.version} {reason}"))

    def tree() -> None:
        _check_tree(release, rehearsal=target.name == LOCAL)

    def changes() -> None:
        with step("Comparing with the last release"):
            report = compare(release)
        if wrong := problems(report, release):
            raise PipelineError(*map(Finding, wrong))

    def archives() -> None:
        files.update(_built(release))
        there.update(_there(target, files, release))

    def login() -> None:
        is_there = files and len(there) == len(files)
        if not (is_there or has_login(target)):
            raise PipelineError(lacks_login)

    lacks_login = Finding(f"{target.name}: {NO_LOGIN}")
    checks: list[Callable[[], None]] = [version, tree, changes, archives, login]
    try:
        made_of_each(checks, lambda check: check())
    except PipelineError as error:
        if dry and [*error.findings] == [lacks_login]:
            return files, there  # of which the plan tells
        reasons = dict.fromkeys(error.findings)
        last = f"Nothing was uploaded to {target.name}, for {count(len(reasons), 'reason')}."
        raise PipelineError(*reasons, Finding(last)) from None
    return files, there


def _try(files: Mapping[Path, str], target: Target, release: Release) -> None:
    """See that the packages work before anybody else has them."""
    try:
        try_once([*files], release)
    except PipelineError as error:
        last = Finding(f"Nothing was uploaded to {target.name}: fix this, then `nox -s build`.")
        raise PipelineError(*error.findings, last) from None


def _check_tree(release: Release, rehearsal: bool) -> None:
    lines = git.dirty(release.root)
    if not lines:
        return
    if rehearsal:
        print("A rehearsal: the tree differs from the last commit. Other indexes refuse this:")
        print("\n".join(f"  {line}" for line in lines))
        return
    listed = "".join(f"\n  {line}" for line in lines)
    raise PipelineError(
        Finding(f"the tree differs from the last commit: commit or undo these first{listed}")
    )


def _there(target: Target, files: Mapping[Path, str], release: Release) -> set[str]:
    """Return the names of those files that the index has."""
    try:
        with step(f"Asking {target.name} what it has"):
            reach(target, next(iter(files)))
            return present(target, files)
    except Taken as error:
        version = release.version
        advice = "raise it with `nox -s changes build`"
        if not git.is_tagged(release.root, version):
            advice = f"tag the published commit (`git tag v{version} COMMIT`), then {advice}"
        if target.name == LOCAL:
            advice = f"remove {release.state / LOCAL} to repeat the rehearsal, or {advice}"
        raise PipelineError(
            Finding(f"{error}; a version can be published only once: {advice}")
        ) from None


def _print_plan(target: Target, files: Mapping[Path, str], there: set[str], dry: bool) -> None:
    where = f"{target.name} ({without_secrets(target.upload)})"
    if len(there) == len(files):
        print(f"{where} already has every file, with the same bytes; only the check is left:")
    else:
        some = f"; {len(there)} of {len(files)} files are there already" if there else ""
        print(f"{'Would publish' if dry else 'Publishing'} to {where}{some}:")
    for file, digest in files.items():
        state = "is there" if file.name in there else "would be uploaded" if dry else "to upload"
        print(
            f"  {file.name}  {file.stat().st_size / 1000:.1f} KB  SHA-256 {digest[:12]}…  {state}"
        )
    if dry:
        print("Every check that needs no upload passed; nothing was changed.")
        if not has_login(target):
            print(f"An upload would be refused: {NO_LOGIN}.")


def _upload(target: Target, missing: Sequence[Path]) -> None:
    for number, file in enumerate(missing):
        try:
            with step(f"Uploading {file.name}"):
                upload(file, target)
        except PipelineError as error:
            names = ", ".join(each.name for each in missing[number:])
            raise PipelineError(
                *(Finding(f"{file.name} was refused: {each}") for each in error.findings),
                Finding(f"Not uploaded: {names}."),
                Finding("Fix this and run it again: it continues with the missing files."),
            ) from None
        print(f"uploaded {file.name}")


def _use(target: Target, files: Mapping[Path, str], release: Release) -> None:
    """Get each package from the index as its users do, and run its examples."""
    wheels = read_wheels(files)
    try:
        with step(f"Waiting until {target.name} lists every file"):
            wait_for(target, files)
        for package in release.packages:
            with tempfile.TemporaryDirectory(prefix="published-") as folder:
                names = (package.name, *package.beside)
                wheel, *beside = (wheels[canonicalize_name(name)] for name in names)
                with step(f"Installing {package.name} from {target.name}"):
                    environment = create(Path(folder, "environment"), Path(sys.executable))
                    _install(environment, [wheel], target, files)
                    probe(environment, wheel, Path(folder))
                print(f"installed {package.name} {release.version} by name from {target.name}")
                if package.examples:
                    with step(f"Running the examples of {package.name}"):
                        _install(environment, [wheel, *beside], target, files, extras=True)
                        lines = run_examples(environment, package, release)
                    for line in lines:
                        print(f"  {line}")
        if target.name == LOCAL:  # an environment with every package, for people to try
            with step("Making an environment with every package"):
                environment = create(release.state / LOCAL / "environment", Path(sys.executable))
                _install(environment, list(wheels.values()), target, files, extras=True)
    except PipelineError as error:
        last = f"{release.version} is published on {target.name} anyway: the files are there."
        raise PipelineError(*error.findings, Finding(last), Finding(_AFTERWARDS)) from None
    print(f"{release.version} is published on {target.name}, installs by name, and works.")
    if target.name == LOCAL:
        _print_usage(release)
    elif not git.is_tagged(release.root, release.version):
        advice = "Tag this commit: without the tag, `nox -s changes` knows of no such release."
        print(f"{advice}\n  git tag v{release.version}")


def _install(
    environment: Environment,
    wheels: Sequence[Wheel],
    target: Target,
    files: Mapping[Path, str],
    extras: bool = False,
) -> None:
    """Install by name and version; hashes make sure that it is what was published."""
    requirements = []
    for wheel in wheels:
        name = with_extras(wheel.metadata.name, wheel.extras if extras else ())
        digest = files[wheel.file]
        requirements.append(f"{name}=={wheel.metadata.version} --hash=sha256:{digest}")
    fresh = [wheel.metadata.name for wheel in wheels]
    environment.install(requirements, index=target.index, fresh=fresh)


def _print_usage(release: Release) -> None:
    folder = release.state / LOCAL
    names = " ".join(f"{package.name}=={release.version}" for package in release.packages)
    python = shlex.quote(str(Environment(folder / "environment").bin / "python"))
    index = shlex.quote(str(folder / "index"))
    print(f"\nTo try it: {python}")
    print(f"To install it elsewhere: pip install --find-links {index} {names}")
