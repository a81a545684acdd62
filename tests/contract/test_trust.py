"""The page of figures: it shows what was made, what is quick is made again, and no figure falls."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from faults.catalogue import faults
from faults.catching import remembered
from trust import command, figures, matrix, mutations, survivors

KEPT = figures.load()
SAMPLE = ("getGroup", "createLabel", "deleteLabel")


def test_the_page_shows_what_was_made() -> None:
    page = (figures.FOLDER.parent / "trust.md").read_text(encoding="utf-8")
    for name, text in figures.pages(KEPT).items():
        shown = (figures.FOLDER / name).read_text(encoding="utf-8")
        assert shown == text, "run `nox -s trust -- --redraw`"
        assert f"trust/{name}" in page
    words = [each for line in page.splitlines() if line[:1] != "|" for each in line.split()]
    assert len(words) <= 900
    assert all(f"## {each.capitalize()}\n" in page for each in KEPT["parts"])


def test_no_figure_has_fallen_without_a_reason() -> None:
    for before, now in pairwise(KEPT["history"]):
        assert now.get("because") or not [*figures.fallen(before["figures"], now["figures"])]
    assert not [*figures.fallen(KEPT["history"][-1]["figures"], figures.figures(KEPT["parts"]))]


def test_the_page_has_the_faults_of_the_catalogue() -> None:
    assert faults().keys() == KEPT["parts"]["faults"].keys(), "run `nox -s trust -- faults`"
    assert any(remembered().values())


def test_calls_under_faults_end_as_the_page_says() -> None:
    with matrix.served() as sandbox:
        found = [*matrix.cells(sandbox, SAMPLE)]
    kept = [matrix.Cell(*each) for each in KEPT["parts"]["matrix"]]
    methods = {each.operation for each in found}
    assert found == [each for each in kept if each.operation in methods]
    assert not [each for each in found if each.is_wrong]


def test_changed_responses_are_read_as_the_page_says() -> None:
    found = [*mutations.tallies(["getMediaStatus"], most=3)]
    assert [each.kind for each in found] == [each["kind"] for each in KEPT["parts"]["mutations"]]
    assert all(each.responses > 0 or "date" in each.kind for each in found)
    assert not [each for each in found if each.wrong]


def test_small_changes_are_those_of_expressions_in_functions() -> None:
    text = """
LIMIT = 1
class Books:
    def few(self, most: int = 2, *, kind: Literal["a"] = "b") -> bool:
        '''Say so.'''
        self.count(f"{kind} of")
        return not self.own and most >= 3
"""
    within = "Books.few"
    assert [*survivors.changes(text)] == [
        (within, "self.count(f'{kind} of')", "None"),
        (within, "return not self.own and most >= 3", "return None"),
        (within, "not self.own and most >= 3", "not self.own or most >= 3"),
        (within, "not self.own", "self.own"),
        (within, "most >= 3", "most > 3"),
        (within, "3", "4"),
    ]


def test_slips_take_what_else_stands_there() -> None:
    text = """
FEW, MOST = 1, 2
SHORT = 3
LONG = 9
KINDS = {"a", "b", "c"}
class Books:
    def few(self, one: str, other: str, most: int) -> bool:
        self.few(other, one, 1)
        return sorted(one)[0].startswith(other) and min(most, SHORT) is Kind.OPEN or Kind.SHUT
"""
    within = "Books.few"
    assert {*survivors.slips(text)} == {
        ("KINDS", "{'a', 'b', 'c'}", "{'a', 'b'}"),
        (within, "self.few(other, one, 1)", "self.few(one, other, 1)"),
        (within, "sorted(one)", "sorted(one, reverse=True)"),
        (within, "sorted(one)[0]", "sorted(one)[-1]"),
        (within, "sorted(one)[0].startswith", "sorted(one)[0].endswith"),
        (within, "min(most, SHORT)", "max(most, SHORT)"),
        (within, "SHORT", "LONG"),
        (within, "Kind.OPEN", "Kind.SHUT"),
        (within, "Kind.SHUT", "Kind.OPEN"),
    }


def test_the_same_changes_are_drawn_again() -> None:
    """One place of each is what `drawn` looks for, so that they can be planted."""
    once, again, other = (survivors.drawn("release", seed, 2) for seed in ("1", "1", "2"))
    assert once == again != other
    assert [each.subject for each in once] == ["release", "release"]
    assert KEPT["parts"]["survivors"], "run `nox -s trust -- survivors`"


def test_survivors_of_a_day_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page shows the last three days; what was drawn today is not drawn again."""
    days = ("01", "02", "02 word", "03", "03 word", "04")
    rows = [{"seed": f"2026-01-{day}", "room": "r", "outcome": "caught"} for day in days]
    kept: dict[str, Any] = {"parts": {"survivors": [{"room": "of no day"}, *rows]}}
    monkeypatch.setattr(figures, "load", lambda: kept)
    monkeypatch.setattr(survivors, "survivors", lambda seed: iter([{"seed": seed}]))
    found = kept["parts"]["survivors"] = command.PARTS["survivors"]()
    assert [each["seed"] for each in found[:-1]] == [
        "2026-01-03", "2026-01-03 word", "2026-01-04"
    ]  # fmt: skip
    assert len(found) == 4
    monkeypatch.setattr(survivors, "survivors", lambda seed: pytest.fail("drawn again"))
    assert command.PARTS["survivors"]() == found


@pytest.mark.parametrize(("noticed", "status"), [(91, 1), (92, 0), (93, 0)])
def test_too_few_noticed_changes_fail_the_check(
    monkeypatch: pytest.MonkeyPatch, noticed: int, status: int
) -> None:
    outcomes = ["caught"] * noticed + ["survived"] * (100 - noticed)
    rows = [{"seed": "2026-01-02", "room": "release", "outcome": each} for each in outcomes]
    rows += [{"seed": "2026-01-01 word", "room": "release", "outcome": "survived"}] * 100
    monkeypatch.setattr(figures, "load", lambda: {"parts": {}, "history": []})
    monkeypatch.setitem(command.PARTS, "survivors", lambda: rows)
    assert command.main(["survivors", "--check"]) == status


def test_a_figure_that_falls_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved: list[Any] = []
    parts = {"seeds": {"seeds": 9, "seeds_failed": 0}}
    kept = {"parts": dict(parts), "history": [{"figures": figures.figures(parts)}]}
    monkeypatch.setattr(figures, "load", lambda: kept)
    monkeypatch.setattr(figures, "save", saved.append)
    monkeypatch.setitem(command.PARTS, "seeds", lambda: {"seeds": 9, "seeds_failed": 1})
    assert command.main(["seeds"]) == 1
    assert "fallen: hostile servers that broke a promise: 1, and were 0" in capsys.readouterr().err
    assert not saved
    assert command.main(["seeds", "--because", "a seed that nobody had tried"]) == 0
    assert saved[0]["history"][-1]["because"] == "a seed that nobody had tried"
