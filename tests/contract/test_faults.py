"""The planted faults, as the project is now, and what runs them; see CONTRIBUTING.md."""

from __future__ import annotations

import pytest

from faults.catalogue import faults
from faults.command import main


def test_every_fault_has_a_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert faults()
    assert main(["--check"]) == 0, capsys.readouterr()


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
