"""The contract tests: where client, documents and sandbox meet."""

from __future__ import annotations

from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path

import pytest

from harness.failures import ContractFailure, repeat_with
from harness.options import Options, Plan, options_of
from harness.response_reader import Undocumented

HERE = Path(__file__).parent
MODULES = {"replay": "test_recordings.py", "live": "test_live.py"}
"""The tests of a target: no other module is read, so that they need nothing but what they use."""
TOLD = (ContractFailure, Undocumented)
OPTIONS = pytest.StashKey[Options]()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "target(name): what of --target a test belongs to")
    if _options(config).target == "sandbox" and find_spec("schemathesis") is None:
        text = "the contract tests make their cases with schemathesis, which is not installed: "
        text += "run `nox -s contract`, which brings it; --target replay and live do without"
        raise pytest.UsageError(text)
    report = _options(config).report
    if report is not None and not config.option.xmlpath:
        config.option.xmlpath = str(report / "junit.xml")


def _options(config: pytest.Config) -> Options:
    if OPTIONS not in config.stash:
        try:
            config.stash[OPTIONS] = options_of(config)
        except ValueError as error:
            raise pytest.UsageError(str(error)) from None
    return config.stash[OPTIONS]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    module = MODULES.get(_options(config).target)
    other = module and collection_path.parent == HERE and collection_path.name != module
    return True if other and collection_path.name.startswith("test_") else None


def pytest_report_header(config: pytest.Config) -> str:
    options = _options(config)
    return f"contract: {options.target}, {options.examples} random cases, seed {options.seed}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test without the mark belongs to the sandbox, which replays our recordings, too."""
    options = _options(config)
    # Tests of recordings have the names of their files.
    repeat_with(options.command + (" -k {}" if options.target == "sandbox" else ""))
    here = {path for path in {each.path for each in items} if HERE in path.parents}
    dropped = [each for each in items if each.path in here and not _asked(each, options)]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = [each for each in items if each not in dropped]


def _asked(item: pytest.Item, options: Options) -> bool:
    mark = item.get_closest_marker("target")
    wanted = mark.args[0] if mark else "sandbox"
    return options.target == wanted or (options.target, wanted) == ("sandbox", "replay")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Yield a disagreement is told in words; the way to it through the tests is no help."""
    report = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, TOLD):
        report.longrepr = str(call.excinfo.value)
    return report


@pytest.fixture(scope="session")
def options(request: pytest.FixtureRequest) -> Options:
    """What the run is asked for."""
    return _options(request.config)


@pytest.fixture(scope="session")
def plan(options: Options) -> Plan:
    """How many cases, from which seed."""
    return Plan(options.examples, options.seed)
