"""What a run of the pipeline costs in calls, files, processes and modules; nothing is timed."""

from __future__ import annotations

import cProfile
import functools
import inspect
import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from urllib.parse import urlsplit

import pytest

from benchmarks.measuring import ROOT
from pipeline.codegen.write import compare, write
from pipeline.config import load_config
from pipeline.openapi.overlay.query import compile_query
from pipeline.steps import folders, generate
from tests.costs.projects import write_project

# Of operations; resources of all shapes are there in the same shares.
SIZES = (25, 50, 100)
# A function may be called so many times more often for an operation of the larger half.
GROWTH = 1.1
# Caches of libraries are full sooner or later; so many calls for an operation are within that.
FEW = 10
# Its cache of addresses is full in the large document, so what it calls itself is not counted.
CACHED = inspect.unwrap(urlsplit).__code__
# Calls for one operation: a quarter above the 44,000 of today. openapi-python-client reads every
# document, and copies each operation several times, without its bodies; what is made is compared
# with it, and with the run before.
CALLS = 55_000

# Runs the command line as `python -m pipeline` does, and says what it asked of the system.
_WATCHED = """
import gc, json, runpy, sys

opened, started = [], []

def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        opened.append(arguments[0])
    elif event == "subprocess.Popen":
        started.append(list(map(str, arguments[1])))

sys.addaudithook(watch)
try:
    runpy.run_module("pipeline", run_name="__main__", alter_sys=True)
except SystemExit as end:
    assert not end.code, end.code
print()
print(json.dumps([opened, started, list(sys.modules), gc.isenabled()]))
"""


@dataclass(frozen=True)
class Run:
    """What a command asked of the system: files it opened, programs it started, modules."""

    opened: list[str]
    started: list[list[str]]
    modules: frozenset[str]
    collecting: bool


@dataclass(frozen=True)
class Growth:
    """Calls that one operation more brings, in a small document and in a large one."""

    small: float
    large: float

    @property
    def too_much(self) -> bool:
        return self.large > max(self.small, FEW) * GROWTH


@pytest.fixture(scope="module")
def growth(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Growth]:
    """The growth of every function that a run calls, Python's own and those of libraries too."""

    def calls(size: int) -> Counter[str]:
        return _calls(write_project(tmp_path_factory.mktemp("project"), size))

    for _ in range(2):  # what is loaded at the end of the first is new to checks of the second
        calls(5)
    small, middle, large = map(calls, SIZES)
    return {
        name: Growth(
            (middle[name] - small[name]) / (SIZES[1] - SIZES[0]),
            (large[name] - middle[name]) / (SIZES[2] - SIZES[1]),
        )
        for name in large
    }


def test_costs_of_an_operation_do_not_grow_with_the_document(
    growth: dict[str, Growth],
) -> None:
    grown = {
        name: f"{each.small:.1f} calls an operation, then {each.large:.1f}"
        for name, each in growth.items()
        if each.too_much
    }
    assert not grown


def test_an_operation_costs_so_many_calls(growth: dict[str, Growth]) -> None:
    assert sum(each.large for each in growth.values()) <= CALLS


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run]:
    """A project, and what `check` asked of the system."""
    configuration = write_project(tmp_path_factory.mktemp("project"), 25)
    _watched("generate", "--config", str(configuration))
    return configuration.parent, _watched("check", "--config", str(configuration))


def test_a_file_is_read_once_and_hashed_once(
    checked: tuple[Path, Run],
) -> None:
    folder, run = checked
    paths = [*filter(Path.is_file, folder.rglob("*"))]
    assert paths
    for path in paths:
        # What the last run made is compared; its documents also tell which names there were.
        known = path.is_relative_to(folder / "generated") and path.parent.name != "openapi"
        assert 1 <= run.opened.count(str(path)) <= (1 if known else 2), path


def test_only_ruff_is_started_and_only_twice(checked: tuple[Path, Run]) -> None:
    _, run = checked
    started = [(Path(each[0]).stem, each[1]) for each in run.started]
    # Python itself asks for the places of shared libraries, where a package wants one.
    ours = [each for each in started if each[0] != "ldconfig"]
    assert ours == [("ruff", "check"), ("ruff", "format")]


def test_a_run_does_not_look_for_cycles(checked: tuple[Path, Run]) -> None:
    _, run = checked
    assert not run.collecting


def test_check_loads_nothing_of_other_commands(checked: tuple[Path, Run]) -> None:
    _, run = checked
    assert not run.modules & {"pipeline.evidence", "release", "openapi_spec_validator"}


def test_overlay_loads_what_it_needs(tmp_path: Path) -> None:
    folder = write_project(tmp_path, 25).parent
    document, overlay = folder / "spec" / "main.yaml", folder / "overlays" / "client.yaml"
    run = _watched("overlay", str(document), str(overlay), "-o", str(tmp_path / "made.yaml"))
    own = {name for name in run.modules if name.startswith("pipeline.")}
    assert not own & {
        "pipeline.lint",
        "pipeline.codegen.parser",
        "pipeline.codegen.render",
        "pipeline.steps",
    }
    others = {name.partition(".")[0] for name in run.modules} - set(sys.stdlib_module_names)
    needed = {
        "pipeline", "jsonpath", "jsonschema_rs", "regex", "iregexp_check", "yaml", "packaging"
    }  # fmt: skip
    strange = others - needed - _preloaded()
    assert not {name for name in strange if not name.startswith(("_", "cython"))}
    assert not run.started
    assert run.opened.count(str(document)) == run.opened.count(str(overlay)) == 1


def _calls(configuration: Path) -> Counter[str]:
    """How often each function is called when everything is made, written, and compared."""
    config = load_config(configuration)
    compile_query.cache_clear()
    profile = cProfile.Profile()

    def run() -> None:
        files, _ = generate(config)
        written = folders(config, files)
        write(written)
        for folder, made in written.items():
            assert not compare(made, folder)

    profile.runcall(run)
    calls: Counter[str] = Counter()
    for entry in profile.getstats():
        calls[_named(entry.code)] += entry.callcount
        if entry.code is CACHED:
            for inner in entry.calls or ():
                calls[_named(inner.code)] -= inner.callcount
    return calls


def _named(code: CodeType | str) -> str:
    return code if isinstance(code, str) else f"{code.co_filename}: {code.co_qualname}"


def _watched(*arguments: str) -> Run:
    done = _python(_WATCHED, *arguments)
    opened, started, modules, collecting = json.loads(done.splitlines()[-1])
    return Run(opened, started, frozenset(modules), collecting)


@functools.cache
def _preloaded() -> frozenset[str]:
    """What an environment loads into every interpreter, such as hooks of editable installs."""
    said = _python("import sys; print(*sys.modules)")
    return frozenset(name.partition(".")[0] for name in said.split())


def _python(program: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=ROOT, text=True, capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout
