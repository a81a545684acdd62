"""What runs the planted faults: `nox -s faults`, which sees first whether each has a place."""

from __future__ import annotations

import re

import pytest

from faults import command
from faults.catalogue import PROJECT, faults
from faults.catching import remembered
from faults.command import main


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["no-such-fault"], "no fault is called no-such-fault"),
        (["--subject", "weather"], "no subject is called weather: there are cli-mcp, "),
        (["--tests", "tests/none.py"], "there are no tests tests/none.py"),
    ],
)
def test_what_is_not_there_is_refused(
    arguments: list[str], reported: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert reported in capsys.readouterr().err


@pytest.mark.parametrize(
    ("found", "replaced", "places"), [("gone()", "...", "no"), ("path", "None", "2")]
)
def test_a_fault_without_its_one_place_is_named_with_what_to_do(
    found: str,
    replaced: str,
    places: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    known = next(iter(faults().values()))._replace(package="tests/contract/faults", within="_noted")
    lost = known._replace(id="lost", find=found, replace=replaced)
    monkeypatch.setattr(command, "faults", lambda: {lost.id: lost})
    assert main(["--check"]) == 2
    reported = capsys.readouterr().err
    assert f"lost has {places} place" in reported
    assert "nox -s faults -- ID" in reported


def test_each_fault_is_caught_by_a_test_that_there_is() -> None:
    """One whose test is gone is asked anew: `nox -s faults -- ID`."""
    caught = remembered()
    assert {*caught} <= faults().keys()
    gone = []
    for fault, test in caught.items():
        file, _, name = test.partition("[")[0].partition("::")
        defined = rf"def {name.rpartition('::')[2]}\("
        path = PROJECT / file
        if test and not (path.is_file() and re.search(defined, path.read_text(encoding="utf-8"))):
            gone.append(fault)
    assert gone == []
