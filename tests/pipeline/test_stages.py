"""What a terminal shows of a run that takes long."""

from __future__ import annotations

import io
import re
import sys
import time

import pytest

from pipeline import stages


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "PATIENCE", 0.05)
    monkeypatch.setattr(stages, "_TICK", 0.02)


def run(to: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "stderr", to)
    with pytest.raises(KeyError), stages.shown(2):
        stages.stage("reading main")
        time.sleep(0.3)
        stages.stage("writing the client")
        time.sleep(0.3)
        raise KeyError
    stages.stage("nobody listens")
    return to.getvalue()


@pytest.mark.usefixtures("quick")
def test_it_names_each_stage_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    *shown, last, end = run(Terminal(), monkeypatch).split("\r")
    assert (last.strip(), end) == ("", "")
    texts = [re.sub(r", \d+ s *$", "", text) for text in shown if text]
    assert list(dict.fromkeys(texts)) == ["[1/2] reading main", "[2/2] writing the client"]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("to", [Terminal(), io.StringIO()])
def test_a_step_is_a_line_before_it_and_moves_in_a_terminal(
    to: io.StringIO, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", to)
    with stages.step("Building"):
        assert capsys.readouterr().out == "Building …\n"
        until = time.monotonic() + 600
        while to.isatty() and time.monotonic() < until and "Building, " not in to.getvalue():
            time.sleep(0.01)
    assert ("\rBuilding, " in to.getvalue()) == to.isatty()
    assert to.getvalue().rpartition("\r")[2] == ""


@pytest.mark.usefixtures("quick")
def test_what_is_no_terminal_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(io.StringIO(), monkeypatch) == ""


def test_a_quick_run_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(Terminal(), monkeypatch) == ""
