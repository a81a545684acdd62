"""Tell what git merged from what somebody edited: both differ from what a run wrote."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

Digests = Mapping[str, frozenset[str]]
"""What a run wrote: the hashes of each file, none where the manifest has none."""


def merge_of_runs(
    folder: Path,
    manifest: str,
    read: Callable[[bytes], Digests],
    is_written: Callable[[bytes, frozenset[str]], bool],
) -> Callable[[str], bool]:
    """Return a function that tells whether a file is what git made of the files of several runs.

    Nobody has edited such a file: on every branch that was merged, it was what the run there wrote.
    Where there is no git, or where a file is not as it was committed, the function says no.

    Args:
        folder: the folder of the files, in whose repository git is asked.
        manifest: the name of the file that lists what a run wrote, which `read` reads.
        is_written: tells whether the bytes of a file have one of these hashes.
    """

    @cache
    def git(*arguments: str) -> bytes | None:
        try:
            done = subprocess.run(
                ["git", "-C", str(folder), *arguments], capture_output=True, check=False
            )
        except OSError:
            return None
        return None if done.returncode else done.stdout

    @cache
    def is_made(revision: str, path: str) -> bool:
        """Return whether runs alone made a file, as a revision has it."""
        last = (git("rev-list", "-1", "--parents", revision, "--", path) or b"").decode().split()
        if not last:
            return True  # it is not there
        commit, *parents = last
        content = git("show", f"{commit}:./{path}")
        known = read(git("show", f"{commit}:./{manifest}") or b"").get(path)
        if content is None or (known is not None and (not known or is_written(content, known))):
            return True
        return len(parents) > 1 and all(is_made(each, path) for each in parents)

    def is_merge(path: str) -> bool:
        if git("rev-parse", "--verify", "--quiet", "MERGE_HEAD") is not None:  # it is not committed
            return is_made("HEAD", path) and is_made("MERGE_HEAD", path)
        committed = git("show", f"HEAD:./{path}")
        current = (folder / path).read_bytes().replace(b"\r\n", b"\n")
        return committed is not None and committed == current and is_made("HEAD", path)

    return is_merge
