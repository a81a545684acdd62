"""What the tests have in common."""

from __future__ import annotations

import difflib
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent / "contract"))

from harness import options
from tests.support import skips
from tests.support.skips import pytest_make_collect_report, pytest_runtest_makereport

__all__ = ["Golden", "pytest_make_collect_report", "pytest_runtest_makereport"]

Golden = Callable[[Path, str], None]

# Each process that a test starts would compile all of the project anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# What is advised is what a user types, who may have nox alone.
os.environ.pop("NOX_CURRENT_SESSION", None)

# A journal waits for the disk at each of its steps, 50 times in a test, and longer than the test
# itself takes; and each file that a program makes and removes elsewhere than in the folder of its
# test costs a disk more than the program. Memory waits for nothing. A container's is too small, and
# some start no programs.
MEMORY = Path("/dev/shm")
MADE: list[str] = []
if (
    os.access(MEMORY, os.W_OK)
    and shutil.disk_usage(MEMORY).free > 4 << 30
    and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    if "TMPDIR" not in os.environ:
        os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="tests-", dir=MEMORY)
        os.chmod(os.environ["TMPDIR"], 0o711)  # a server of another user has its folder there
        tempfile.tempdir = None  # which some plugin may have asked for
        MADE.append(os.environ["TMPDIR"])

# Looking for objects in circles among all that tests make took a fifth of their time; at 100,000 of
# them, it was still a tenth of what generating clients takes.
gc.set_threshold(1_000_000, 20, 50)

# A busy machine is no failure. A run in CI tries what the last one tried; yours looks further.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="write the expected files instead of comparing with them",
    )
    options.add_options(parser)
    skips.pytest_addoption(parser)


def pytest_configure(config: pytest.Config) -> None:
    # Whoever runs us in the background may have us ignore these; what the tests start, and send
    # them to, would ignore them, too.
    for name in ("SIGHUP", "SIGINT", "SIGQUIT"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(
                number, signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL
            )


def pytest_unconfigure() -> None:
    for folder in MADE:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one more than there are processors: a quarter of their time, tests wait."""
    return (os.cpu_count() or 1) + 1


LONG = (
    *("machines/test_machines", "release/test_release_docs", "release/test_release_examples_types"),
    *("pipeline/test_generate", "client/test_editors", "client/test_typing"),
    *("contract/test_growth", "contract/test_stateful", "contract/test_outside"),
    *("contract/test_targets", "layers/test_systems", "register/test_register"),
    *("release/test_release_year", "commands/test_command_lines"),
)
"""Files whose tests, or what these share, take many seconds at once."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Long ones first: in the end a worker can take short ones from another, and nobody is waited
    # for.
    long = tuple(str(Path(__file__).parent / each) for each in LONG)
    items.sort(key=lambda item: not str(item.path).startswith(long))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no objects in circles among what is imported and collected: it stays for the run."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Look for no objects in circles among what the tests of earlier files left: it stays, too.

    There are millions of them in the end, and whatever collects, as a sandbox does that has made a
    world, took a second to look through them, where what it does itself takes a tenth of that.
    """
    result = yield
    if nextitem is not None and nextitem.path != item.path:
        gc.collect()
        gc.freeze()
    return result


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """Let no test leave a way to take a signal: the next one that sends it would be ended by it."""
    known = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(each) for each in known]
    yield
    left = [signal.getsignal(each) for each in known]
    for each, was in zip(known, before, strict=True):
        signal.signal(each, was)
    assert left == before


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Return `golden(path, text)`: the text must be what the file holds.

    A mismatch fails with the difference and the command that updates the file.
    """
    update = bool(request.config.getoption("--update-goldens"))
    folder = Path(str(request.path)).parent
    if folder.is_relative_to(request.config.invocation_params.dir):
        folder = folder.relative_to(request.config.invocation_params.dir)

    def compare(path: Path, text: str) -> None:
        if update:
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        expected = path.read_text(encoding="utf-8") if path.exists() else ""
        if text != expected or not path.exists():
            difference = "\n".join(
                difflib.unified_diff(
                    expected.splitlines(), text.splitlines(), f"{path.name}", "now", lineterm=""
                )
            )
            pytest.fail(
                f"{path.parent.name}/{path.name} is not what it was:\n{difference}\n"
                f"If it is right now: python -m pytest {folder.as_posix()} --update-goldens",
                pytrace=False,
            )

    return compare
