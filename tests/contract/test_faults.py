"""What runs the planted faults: `nox -s faults`, which sees first whether each has a place."""

from __future__ import annotations

import pytest

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
