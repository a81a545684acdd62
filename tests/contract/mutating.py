"""`python tests/contract/mutating.py`: which small changes of the client the corpus notices.

mutmut changes one thing in one function at a time, in a copy of the project. There the client lies
in `src/`, because mutmut takes the names of modules from where their files are.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(1, str(Path(__file__).parents[2]))

from faults.catalogue import PROJECT
from faults.catching import GATE
from faults.copies import clean_copy

CLIENT = "generated/client/src/social_publishing"
SPOKEN_OF = (
    "_runtime/arguments.py",
    "_runtime/request.py",
    "_runtime/decode.py",
    "_runtime/models.py",
    "_runtime/enums.py",
    "_runtime/shapes.py",
    "_runtime/times.py",
    "_runtime/ids.py",
    "_runtime/tolerant.py",
    "_runtime/errors.py",
    "_runtime/wire.py",
    "_runtime/raw.py",
    "resources/*.py",
)
"""The modules that a request or an answer of the corpus goes through."""

# Each mutant in a process that has run nothing: pytest does not run twice in one (mutmut's usual
# way), and every mutant would seem to be noticed.
SETTINGS = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = [{modules}]
also_copy = [{folders}]
pytest_add_cli_args_test_selection = [{tests}]
pytest_add_cli_args = ["-p", "no:cacheprovider"]
process_isolation = "forkserver"
forkserver_warmup = "collect"
use_git_change_detection = false
"""


def main() -> int:
    """Change the client in small ways, and tell which changes the frozen corpus does not notice."""
    parser = argparse.ArgumentParser(
        prog="python tests/contract/mutating.py", description=main.__doc__
    )
    parser.add_argument("modules", nargs="*", help="such as _runtime/times.py; those of requests")
    parser.add_argument("--tests", action="append", default=[], help="ask these instead")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("--keep", action="store_true", help="leave the copy where it is")
    given = parser.parse_args()
    modules = given.modules or SPOKEN_OF
    if unknown := [each for each in modules if not [*(PROJECT / CLIENT).glob(each)]]:
        parser.error(f"the client has no module {', '.join(unknown)}")
    folder = Path(tempfile.mkdtemp(prefix="mutants-"))
    try:
        _prepare(folder, modules, given.tests or [GATE])
        command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(given.jobs)]
        status = _mutmut(folder, command).wait()
        if status:
            return status
        print(_told(folder))
    except KeyboardInterrupt:
        return 130
    finally:
        if given.keep:
            print(f"the copy is {folder}: `mutmut browse` shows it there")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return 0


def _prepare(folder: Path, modules: Sequence[str], tests: Sequence[str]) -> None:
    clean_copy(folder)
    client = folder / CLIENT
    shutil.move(client.parent, folder / "src")
    others = sorted(each.name for each in folder.iterdir() if each.is_dir())
    settings = SETTINGS.format(
        modules=_listed(f"src/{client.name}/{each}" for each in modules),
        folders=_listed(each for each in others if each not in ("src", "tests")),
        tests=_listed(tests),
    )
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(settings)


def _listed(texts: object) -> str:
    return ", ".join(f'"{each}"' for each in texts)  # type: ignore[attr-defined]


def _mutmut(folder: Path, command: Sequence[str]) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "CI": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(command, cwd=folder, env=environment)


def _told(folder: Path) -> str:
    """How many were noticed of each module, and those that were not as differences."""
    listed = subprocess.run(
        [sys.executable, "-m", "mutmut", "results", "--all", "true"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, outcome in re.findall(r"^\s+(\S+): (.+)$", listed.stdout, re.MULTILINE):
        module = name.rpartition(".")[0].partition(".")[2]
        found[module][outcome].append(name)
    lines = []
    for outcomes in found.values():
        for name in outcomes.get("survived", ()):
            shown = [sys.executable, "-m", "mutmut", "show", name]
            lines.append(subprocess.run(shown, cwd=folder, capture_output=True, text=True).stdout)
    lines.append(f"{'module':28} {'mutants':>8} {'noticed':>8} {'survived':>9} {'not run':>8}")
    for module, outcomes in found.items():
        every = sum(map(len, outcomes.values()))
        survived, not_run = len(outcomes["survived"]), len(outcomes["no tests"])
        noticed = every - survived - not_run
        lines.append(f"{module:28} {every:8} {noticed:8} {survived:9} {not_run:8}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
