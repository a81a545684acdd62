"""Pull request with a patch, opened once and then kept up to date: `python -m release.proposing`.

It runs where a job may write, so it and all that it imports are of this project and Python's own.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pipeline.commands import status, steady
from pipeline.openapi.problems import Finding, PipelineError
from release import programs

TITLE: Final = "Take over what changed upstream"
_MOST: Final = 60_000  # characters; a pull request's text ends at 65,536
_NAME: Final = "github-actions[bot]"
_MAIL: Final = "41898282+github-actions[bot]@users.noreply.github.com"
_IDENTITY: Final = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", _NAME), ("EMAIL", _MAIL))
}
# The token is asked for when it is needed, and never stands in a file.
PUSHING: Final = ("-c", "credential.helper=", "-c", "credential.helper=!gh auth git-credential")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the result is its exit status, as of `python -m release`."""
    steady()
    parser = argparse.ArgumentParser(
        prog="python -m release.proposing",
        description="Put a patch on a branch of `origin`, and open its pull request or bring it up "
        "to date, by git and gh.",
    )
    parser.add_argument("branch", help="the branch, which belongs to this command")
    parser.add_argument("patch", type=Path, help="what to commit there, as of `git diff --binary`")
    parser.add_argument(
        "--body", type=Path, action="append", default=[], metavar="FILE",
        help="Markdown for the pull request; may be given again",
    )  # fmt: skip
    parser.add_argument("--start", metavar="WORKFLOW", help="a workflow to start on the branch")
    given = parser.parse_args(arguments)
    return status(lambda: propose(Path.cwd(), given.branch, given.patch, given.body, given.start))


def propose(
    root: Path, branch: str, patch: Path, bodies: Sequence[Path], workflow: str | None = None
) -> int:
    """Commit a patch of HEAD on a branch of `origin`, and open or update its pull request.

    The branch belongs to this command: what it had is replaced, unless somebody else committed
    there. Neither the tree nor the index nor the current branch of this clone changes.

    Args:
        root: the folder of the project.
        patch: what to change; its files get into no folder here, so that none of them is run.
        bodies: files of Markdown, put together as the text of the pull request.
        workflow: started on the branch, where that or its pull request is new: a pull request
            that a workflow opens starts none.

    Raises:
        PipelineError: git or gh refuses, or somebody else's commits would be lost.
    """
    base = _run(root, "git", "branch", "--show-current")
    if not base or base == branch:
        reason = "no branch is checked out" if not base else f"{branch} is checked out itself"
        raise PipelineError(Finding(f"--propose {branch}: {reason}"))
    body = "\n".join(path.read_text(encoding="utf-8") for path in bodies)
    tree, head = _tree(root, patch), _run(root, "git", "rev-parse", "HEAD")
    there = _run(root, "git", *PUSHING, "ls-remote", "origin", f"refs/heads/{branch}").split()
    tip = there[0] if there else ""
    moved = False
    if tip and _is_current(root, branch, tip, head, tree):
        print(f"{branch} is as it should be.")
    else:
        message = ("-p", head, "-m", TITLE)
        commit = _run(root, "git", "commit-tree", tree, *message, environment=_IDENTITY)
        lease = f"--force-with-lease=refs/heads/{branch}:{tip}"
        _run(root, "git", *PUSHING, "push", lease, "origin", f"{commit}:refs/heads/{branch}")
        print(f"{branch} is at {commit[:12]}.")
        moved = True
    opened = _pull_request(root, base, branch, body)
    if workflow and (moved or opened):
        _run(root, "gh", "workflow", "run", workflow, "--ref", branch)
    return 0


def _tree(root: Path, patch: Path) -> str:
    """Return the hash of HEAD's tree with the patch, by an index of its own."""
    with tempfile.TemporaryDirectory() as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
        _run(root, "git", "read-tree", "HEAD", environment=index)
        _run(root, "git", "apply", "--cached", str(patch.resolve()), environment=index)
        return _run(root, "git", "write-tree", environment=index)


def _is_current(root: Path, branch: str, tip: str, head: str, tree: str) -> bool:
    _run(root, "git", *PUSHING, "fetch", "--quiet", "origin", tip)
    mails = set(_run(root, "git", "log", "--format=%ce", f"{head}..{tip}").splitlines())
    if others := mails - {_MAIL}:
        reason = f"{branch} has commits of {', '.join(sorted(others))}, which would be lost"
        raise PipelineError(Finding(f"{reason}: merge its pull request, or delete the branch"))
    return _run(root, "git", "show", "-s", "--format=%T %P", tip) == f"{tree} {head}"


def _pull_request(root: Path, base: str, branch: str, body: str) -> bool:
    """Open the pull request of the branch, or give the open one this text; whether it is new."""
    text = body if len(body) <= _MOST else body[:_MOST].rpartition("\n")[0] + "\n\n… and more.\n"
    wanted = ("--head", branch, "--base", base)
    listed = _run(
        root, "gh", "pr", "list", *wanted, "--state", "open", "--json", "number,isCrossRepository"
    )
    # A fork may have a branch of the same name.
    ours = [each["number"] for each in json.loads(listed) if not each["isCrossRepository"]]
    action = ("edit", str(ours[0])) if ours else ("create", *wanted)
    print(_run(root, "gh", "pr", *action, "--title", TITLE, "--body-file", "-", text=text))
    return not ours


def _run(
    root: Path, *command: str, environment: dict[str, str] | None = None, text: str = ""
) -> str:
    done = programs.run(*command, folder=root, environment=environment, text=text)
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip()
        words = [each for each in command if each not in PUSHING]
        raise PipelineError(Finding(f"{' '.join(words[:3])}: {reason}"))
    return done.stdout.decode(errors="replace").strip()


if __name__ == "__main__":
    sys.exit(main())
