"""The harness of the benchmarks: what it counts, what it keeps, and what it shows."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import __main__ as commands
from benchmarks import charts, results, tables
from benchmarks.figures import Figure, LeftOut, Samples, Series, quartiles
from benchmarks.measuring import ROOT, Process, Worker, processes, reported, turns, workers

POSITIVE = st.floats(1e-6, 1e6)
SAMPLES = st.lists(st.tuples(POSITIVE, POSITIVE), min_size=1, max_size=20)
PAGE = (ROOT / "docs" / "benchmarks-in-detail.md").read_text(encoding="utf-8")
KNOWN = (*commands.NAMES, *commands.LONG)
KEPT = results.load(commands.DOCS)


# Figures


@given(SAMPLES)
def test_a_ratio_is_that_of_the_medians_and_turns_round_with_its_sides(
    taken: list[tuple[float, float]],
) -> None:
    ours, other = (Samples(side) for side in zip(*taken, strict=True))
    there, back = Figure("a", ours, "b", other), Figure("b", other, "a", ours)
    assert there.value == pytest.approx(ours.median / other.median)
    assert there.value * back.value == pytest.approx(1)
    assert there.spread.low <= there.spread.high


def test_a_thing_alone_has_its_median_and_its_own_quartiles() -> None:
    alone = Figure("modules", Samples((3.0, 1.0, 2.0), "modules"), target=2)
    assert alone.value == 2
    assert (alone.spread.low, alone.spread.high) == (1.5, 2.5)
    assert alone.wall is None


@given(POSITIVE, POSITIVE)
def test_a_target_is_met_on_one_side_of_its_limit_and_on_the_limit(
    value: float, limit: float
) -> None:
    assert Figure("a", Samples((value,)), target=limit).met == (value <= limit)
    assert Figure("a", Samples((limit,)), target=limit).met


@given(st.lists(POSITIVE, min_size=1))
def test_quartiles_are_in_order(values: list[float]) -> None:
    found = quartiles(values)
    assert min(values) <= found.low <= found.middle <= found.high <= max(values)


def test_above_an_empty_process_times_of_both_kinds_are_less() -> None:
    base = Samples((1.0, 3.0, 2.0), wall=(4.0, 5.0, 6.0))
    assert Samples((5.0,), wall=(9.0,)).above(base) == Samples((3.0,), wall=(4.0,))


# Measuring


def test_sides_take_turns_and_the_first_round_is_thrown_away() -> None:
    count = itertools.count()
    taken = turns({"a": lambda: next(count), "b": lambda: next(count)}, 3)
    assert taken == {"a": [2, 4, 6], "b": [3, 5, 7]}


def test_a_process_is_measured_with_the_processes_that_it_waited_for(tmp_path: Path) -> None:
    spin = "import time\nwhile time.process_time() < 0.2: pass"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {spin!r}])"
    log = tmp_path / "log"
    cases = {
        "outer": Process([["-c", outer]], before=lambda: log.write_text("before")),
        "idle": Process([["-c", "import time; time.sleep(0.2)"]]),
    }
    times = processes(cases, 2)
    assert min(times["outer"].values) >= 0.2
    assert max(times["idle"].values) < min(times["idle"].wall)
    assert min(times["idle"].wall) >= 0.2
    assert log.read_text() == "before"


def test_the_number_that_a_process_prints_last_is_its_sample() -> None:
    case = Process([["-c", "print('a line'); print(7.5)"], ["-c", "print(1)"]])
    assert reported({"a": case}, 2, "MB")["a"] == Samples((8.5, 8.5), "MB")


def test_the_error_has_what_a_process_or_a_worker_printed() -> None:
    with pytest.raises(RuntimeError, match="not today"):
        processes({"a": Process([["-c", "import sys; sys.exit('not today')"]])}, 1)
    with pytest.raises(RuntimeError, match="not today"):
        workers({"a": Worker("def run():\n    raise ValueError('not today')")}, 1, 1)


def test_a_worker_stays_and_may_take_its_samples_itself() -> None:
    counted = "calls = 0\ndef sample(number):\n    global calls\n    calls += number\n"
    cases = {
        "itself": Worker(counted + "    return calls, 0.0"),
        "measured": Worker("def run():\n    pass"),
    }
    times = workers(cases, 3, 2)
    assert times["itself"].values == (4, 6, 8)
    assert all(value >= 0 for value in times["measured"].values)


# What is kept and shown


def result(*figures: Figure | LeftOut) -> results.Result:
    return results.result("A title", figures)


MISSED = Figure("a | b", Samples((2.0, 2.0)), "c", Samples((1.0, 1.0)), 1.5, "It is slow.")


def test_results_come_back_as_they_were_kept(tmp_path: Path) -> None:
    found = {"one": result(MISSED, LeftOut("Prism", "npm is not on the PATH")), "two": result()}
    results.save(tmp_path / "new", found)
    assert results.load(tmp_path / "new") == found
    assert results.load(tmp_path) == {}


def test_a_missed_target_is_explained_and_what_is_missing_is_named() -> None:
    found = result(MISSED, LeftOut("Prism", "npm is not on the PATH"))
    for text in (tables.terminal(found), tables.markdown(found)):
        assert "MISSED" in text
        assert "against c: It is slow." in text
        assert "Prism was left out: npm is not on the PATH." in text
    assert r"| a \| b |" in tables.markdown(found)
    assert "| [A title](#bench-one) | 1 | 0 | a \\| b, against c |" in tables.targets(
        {"one": found}
    )
    assert tables.summary({"one": found}) == "- [A title](#bench-one): 0 of 1 targets met.\n"


@pytest.mark.parametrize(
    ("samples", "shown"),
    [
        (Samples((0.0012345,)), "1.23 ms"),
        (Samples((0.000012,)), "12 µs"),
        (Samples((2.5, 2.5)), "2.5 s"),
        (Samples((1234.0,), "modules"), "1,234 modules"),
        (Samples((0.0,), "calls"), "0 calls"),
        (Samples((1.0, 2.0, 3.0), "MB"), "2 MB ±0.5"),
    ],
)
def test_costs_have_units_that_can_be_read(samples: Samples, shown: str) -> None:
    assert tables.cost(result(Figure("", samples)).lines[0].ours) == shown


@given(SAMPLES, st.one_of(st.none(), POSITIVE))
def test_a_chart_holds_every_ratio_and_its_target(
    taken: list[tuple[float, float]], limit: float | None
) -> None:
    ours, other = (Samples(side) for side in zip(*taken, strict=True))
    figure = Figure("<a> & b", ours, "c", other, limit)
    picture = charts.chart(result(figure))
    assert picture is not None
    root = ElementTree.fromstring(picture)
    places = [
        float(value.removesuffix("%"))
        for each in root.iter()
        for name, value in each.attrib.items()
        if name in ("x", "x1", "x2", "cx")
    ]
    assert all(0 <= place <= 100 for place in places)
    ticks = [float(each.text or "") for each in root.iter() if each.get("class") == "tick"]
    assert ticks == sorted(ticks) and len(ticks) >= 2
    drawn = result(figure).lines[0].value.middle  # rounded
    assert ticks[0] <= min(1, drawn) and ticks[-1] >= max(1, drawn)
    assert {"<a> & b", "/ c"} <= {each.text for each in root.iter()}


def test_numbers_over_time_are_drawn_one_below_the_other() -> None:
    found = results.result(
        "A title",
        [
            Series("falls & <rises>", ((0, 4.0), (30, 1.0), (120, 2.0)), marks=(60,)),
            Series("stays", ((0, 3.0), (120, 3.0))),
        ],
    )
    picture = charts.course(found)
    assert picture is not None
    root = ElementTree.fromstring(picture)
    lines = [each for each in root.iter() if each.get("class") == "line"]
    assert len(lines) == 2
    corners = [each.split(",") for each in lines[0].attrib["points"].split()]
    heights = [float(y) for _, y in corners]
    assert heights[0] == heights[1] == min(heights) and max(heights) == heights[-2]
    assert {"falls & <rises>", "stays", "2 min"} <= {each.text for each in root.iter()}
    assert len([each for each in root.iter() if each.get("class") == "mark"]) == 1
    assert charts.course(result(MISSED)) is None


def test_a_benchmark_without_ratios_has_no_chart() -> None:
    assert charts.chart(result(replace(MISSED, other=None))) is None


# The command


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def test_an_unknown_name_is_reported_with_those_that_are_known() -> None:
    done = command("codign")
    assert done.returncode == 2
    assert "no benchmark is called codign; there are importing, " in done.stderr


def test_what_was_measured_is_shown_again_and_nothing_else(tmp_path: Path) -> None:
    results.save(tmp_path, {"coding": result(MISSED)})
    done = command("--redraw", "--into", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "MISSED" in done.stdout
    assert {each.name for each in tmp_path.iterdir()} == {
        "results.json", "summary.md", "targets.md", "coding.md", "coding.svg",
    }  # fmt: skip
    missing = command("--redraw", "--into", str(tmp_path), "sandbox")
    assert missing.returncode == 2
    assert "sandbox: not measured into" in missing.stderr


# The documentation


def test_every_benchmark_has_its_place_in_the_documentation() -> None:
    assert tuple(KEPT) == KNOWN
    assert re.findall(r"^\(bench-(\w+)\)=$", PAGE, re.M) == list(KNOWN)
    for name in KNOWN:
        assert f"{{include}} benchmarks/{name}.md" in PAGE
        drawn = f":file: benchmarks/{name}.svg" in PAGE
        assert drawn == (charts.chart(KEPT[name]) is not None)
        assert KEPT[name].title == import_module(f"benchmarks.{name}").TITLE


def test_tables_and_charts_of_the_documentation_are_those_of_its_results() -> None:
    files = {
        each.name: each.read_text(encoding="utf-8")
        for each in commands.DOCS.iterdir()
        if each.name != results.FILE
    }
    assert files == commands.drawn(KEPT), "python -m benchmarks --docs --redraw"


def test_the_first_page_has_a_line_and_a_ratio_for_every_benchmark_that_has_any() -> None:
    sentences = tables.summary(KEPT).splitlines()
    picture = ElementTree.fromstring((commands.DOCS / "summary.svg").read_text(encoding="utf-8"))
    shown = [each.text for each in picture.iter() if each.get("class") == "number"]
    ratios = []
    for (name, found), sentence in zip(KEPT.items(), sentences, strict=True):
        line = tables.headline(name, found)
        assert (line is not None) is (name in tables.HEADLINES)
        assert f"(#bench-{name})" in sentence and "targets met." in sentence
        if line:
            ratios.append(f"{line.value.middle:.3g}")
            assert f" / {line.against} **{ratios[-1]}**; " in sentence
    assert shown == ratios and len(ratios) == len(tables.HEADLINES)


def test_every_target_that_is_missed_is_explained() -> None:
    lines = [line for each in KEPT.values() for line in each.lines]
    assert [line.what for line in lines if line.met is False and not line.why] == []
    assert len([line for line in lines if line.target is not None]) > 20


def test_the_documentation_has_the_peers_beside_what_is_measured() -> None:
    assert [each for result in KEPT.values() for each in result.left_out] == []
