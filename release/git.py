"""State of the tree in git: revisions, releases, uncommitted changes."""

from __future__ import annotations

import io
import os
import re
import subprocess
import tarfile
from pathlib import Path
from typing import Final

from packaging.version import Version

from pipeline.openapi.problems import Finding, PipelineError
from release.tree import unpack

_CUT_OFF: Final = "the history of this clone is incomplete; run git fetch --unshallow --tags"
_TAG: Final = re.compile(r"v(\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?)")


def resolve(root: Path, revision: str) -> str:
    """Return the hash of the commit that a revision names."""
    wanted = f"{revision}^{{commit}}"
    done = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted, check=False)
    if done.returncode:
        reason = "not a revision of this repository"
        if _is_shallow(root):
            reason += f", or not in this clone: {_CUT_OFF}"
        raise PipelineError(Finding(f"{revision}: {reason}"))
    return done.stdout.decode().strip()


def last_release(root: Path, of: Version) -> str | None:
    """Return the tag `vX.Y.Z` of the release that comes before a version of the tree, or None.

    The highest version that the tree descends from; before a final one, the last that was final,
    so that what came with its candidates is told once more.
    """
    by_version = _releases(root, "HEAD")
    if by_version:
        final = [each for each in by_version if not each.is_prerelease]
        return by_version[max(by_version if of.is_prerelease else final or by_version)]
    if _is_shallow(root):
        raise PipelineError(Finding(f"this clone has no release tag, but {_CUT_OFF}"))
    return None


def last_final(root: Path, revision: str) -> str | None:
    """Return the tag of the highest final release that a revision descends from, or None."""
    releases = _releases(root, resolve(root, revision))
    final = [each for each in releases if not each.is_prerelease]
    return releases[max(final)] if final else None


def tagged(tag: str) -> Version | None:
    """Return the version that a tag `vX.Y.Z` names; None for any other name."""
    match = _TAG.fullmatch(tag)
    return Version(match[1]) if match else None


def is_tagged(root: Path, version: Version) -> bool:
    """Return whether a tag says which commit was released as a version."""
    try:
        resolve(root, f"refs/tags/v{version}")
    except PipelineError:
        return False
    return True


def _releases(root: Path, revision: str) -> dict[Version, str]:
    """Return the release tags that a revision descends from, by their versions."""
    tags = _git(root, "tag", "--merged", revision).stdout.decode().split()
    return {version: tag for tag in tags if (version := tagged(tag))}


def dirty(root: Path) -> list[str]:
    """Return a line for each file that differs from the last commit, as of `git status --short`."""
    return _git(root, "status", "--porcelain").stdout.decode().splitlines()


def files(folder: Path) -> list[Path]:
    """Return files below a folder that git tracks or would track; none outside of a repository."""
    listed = _git(folder, "ls-files", "-z", "-co", "--exclude-standard", check=False).stdout
    return [Path(os.fsdecode(name)) for name in listed.split(b"\0") if name]


def export(root: Path, revision: str, folder: Path) -> None:
    """Write the files of a revision into a folder."""
    data = _git(root, "archive", "--format=tar", resolve(root, revision)).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        unpack(archive, folder)


def _is_shallow(root: Path) -> bool:
    output = _git(root, "rev-parse", "--is-shallow-repository").stdout
    return output.strip() == b"true"


def _git(root: Path, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True)
    except FileNotFoundError:
        raise PipelineError(Finding("git is required, but not on the PATH")) from None
    if check and done.returncode:
        output = done.stderr.decode(errors="replace").strip().removeprefix("fatal: ")
        if output.startswith("not a git repository"):
            reason = "is not in a git repository; releases are found by commits and tags"
            raise PipelineError(Finding(f"{root} {reason}"))
        raise PipelineError(Finding(f"git {arguments[0]}: {output}"))
    return done
