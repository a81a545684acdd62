"""`python tests/contract/mutating.py`: which small changes of the client the tests notice.

mutmut changes one thing in one function at a time, in a copy of the project. There the client lies
in `src/`, because mutmut takes the names of modules from where their files are.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

sys.path.insert(1, str(Path(__file__).parents[2]))

from faults.catalogue import PROJECT
from faults.catching import GATE, SUITE
from faults.copies import clean_copy

CLIENT = "generated/client/src/social_publishing"
EXERCISED = (
    "_runtime/core/*.py",
    "_runtime/request/*.py",
    "_runtime/response/*.py",
    "resources/*.py",
)
"""The modules that a request or a response of the corpus goes through."""

PASSES = (
    [GATE],
    [f"{SUITE}/test_contract_{name}.py" for name in ("words", "lists", "waiting", "behaviour")],
)
"""The frozen corpus, which takes seconds; what it does not notice is shown to these."""

# Each mutant in a process that has run nothing: pytest does not run twice in one (mutmut's usual
# way), and every mutant would seem to be noticed.
SETTINGS = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = [{modules}]
also_copy = [{folders}]
pytest_add_cli_args = ["-p", "no:cacheprovider"]
process_isolation = "forkserver"
forkserver_warmup = "collect"
use_git_change_detection = false
"""
TESTS = "pytest_add_cli_args_test_selection = [{tests}]\n"


def main() -> int:
    """Change the client in small ways, and tell which changes no test notices."""
    parser = argparse.ArgumentParser(
        prog="python tests/contract/mutating.py", description=main.__doc__
    )
    parser.add_argument("modules", nargs="*", help="such as _runtime/core/times.py")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("--keep", action="store_true", help="leave the copy where it is")
    given = parser.parse_args()
    modules = given.modules or EXERCISED
    if unknown := [each for each in modules if not [*(PROJECT / CLIENT).glob(each)]]:
        parser.error(f"the client has no module {', '.join(unknown)}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    folder = Path(tempfile.mkdtemp(prefix="mutants-"))
    try:
        settings = _prepare(folder, modules)
        names: list[str] = []
        for tests in PASSES:
            with (folder / "pyproject.toml").open("w", encoding="utf-8") as file:
                file.write(settings + TESTS.format(tests=_listed(tests)))
            _mutmut(folder, "run", "--max-children", str(given.jobs), *names)
            outcomes = _outcomes(folder)
            names = [*outcomes.get("survived", ()), *outcomes.get("no tests", ())]
            if not names:
                break
        print(_told(folder))
    except subprocess.CalledProcessError as error:
        return error.returncode
    except KeyboardInterrupt:
        return 130
    finally:
        if given.keep:
            print(f"the copy is {folder}: `mutmut browse` shows it there")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return 0


def _prepare(folder: Path, modules: Sequence[str]) -> str:
    """Make the copy; what stands in its settings before the tests that are asked."""
    clean_copy(folder)
    client = folder / CLIENT
    shutil.move(client.parent, folder / "src")
    others = sorted(each.name for each in folder.iterdir() if each.is_dir())
    added = SETTINGS.format(
        modules=_listed(f"src/{client.name}/{each}" for each in modules),
        folders=_listed(each for each in others if each not in ("src", "tests")),
    )
    return (folder / "pyproject.toml").read_text(encoding="utf-8") + added


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(f'"{each}"' for each in texts)


def _mutmut(folder: Path, *arguments: str, **how: Any) -> str:
    """Return what mutmut says, where it is to be kept.

    Raises:
        CalledProcessError: it failed, and has said why.
    """
    environment = {**os.environ, "CI": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "mutmut", *arguments]
    process = subprocess.Popen(
        command, cwd=folder, env=environment, text=True, start_new_session=True, **how
    )
    try:
        said, _ = process.communicate()
    finally:  # with all that it has started
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return said or ""


def _outcomes(folder: Path) -> dict[str, list[str]]:
    """Return the names of the mutants, by what became of them."""
    found: dict[str, list[str]] = defaultdict(list)
    listed = _mutmut(folder, "results", "--all", "true", stdout=subprocess.PIPE)
    for name, outcome in re.findall(r"^\s+(\S+): (.+)$", listed, re.MULTILINE):
        found[outcome].append(name)
    return found


def _told(folder: Path) -> str:
    """The mutants that nothing noticed, as differences; and how many there are of each module."""
    outcomes = _outcomes(folder)
    survived = outcomes.get("survived", [])
    lines = [_mutmut(folder, "show", name, stdout=subprocess.PIPE) for name in survived]
    counts = {
        outcome: Counter(name.rpartition(".")[0].partition(".")[2] for name in names)
        for outcome, names in outcomes.items()
    }
    every = sum(counts.values(), Counter())
    lines.append(f"{'module':28} {'mutants':>8} {'noticed':>8} {'survived':>9} {'not run':>8}")
    for module, total in sorted(every.items()):
        left = counts.get("survived", {}).get(module, 0)
        not_run = counts.get("no tests", {}).get(module, 0)
        lines.append(f"{module:28} {total:8} {total - left - not_run:8} {left:9} {not_run:8}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
