"""Whatever is assumed may turn out otherwise: each gap is confirmed so, and everything follows.

The quick form confirms gaps at once that no probe has in common, the nightly one each alone. A gap
without a row in `confirmations.yaml` fails with what to add. `python tests/register` writes the
table of gaps and surfaces in the documentation.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml
from filelock import FileLock

sys.path.insert(0, str(Path(__file__).parent))

import asking
import confirmed
import surfaces
from confirmed import PROJECT
from surfaces import Project

GAPS = confirmed.gaps()
APART = {"success", "error", "auth"}
"""Families whose probes other statuses of errors disturb, where they are confirmed with them."""


DISTURBED = {
    "publishing.failures": ("networks.needs", "networks.pictures", "networks.videos"),
    "transitions.clock": ("networks.text", "networks.needs", "account.expiry"),
}
"""The gaps whose parts of probes another gap changes, too: whether posts go out, and when."""


def _parts(gap: str) -> set[Any]:
    probe, part = asking.probe_of(gap), asking.PARTS.get(gap)
    return {(probe, each) for each in (range(len(asking.PARTS)) if part is None else [part])}


def batches() -> list[list[str]]:
    """Return the gaps in batches, in each of which no two gaps are seen in one part of a probe."""
    several: list[tuple[list[str], set[Any]]] = []
    for gap in GAPS:
        probe = asking.probe_of(gap)
        if probe is None:
            about = confirmed.places(gap)
            seen: set[Any] = {*about["schemas"], *about["operations"]}
        else:
            seen = _parts(gap) if probe in asking.PROBES.values() else {gap}
        for other in DISTURBED.get(gap, ()):
            seen |= _parts(other)
        for gaps, taken in several:
            families = {each.partition(".")[0] for each in (*gaps, gap)}
            if not taken & seen and not ("errors" in families and families & APART):
                gaps.append(gap)
                taken |= seen
                break
        else:
            several.append(([gap], seen))
    return [gaps for gaps, _ in several]


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project as it is assumed, made and asked once for all workers."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "assumed"
    kept = folder.with_suffix(".pickle")
    with FileLock(f"{folder}.lock"):
        if not kept.exists():
            folder.mkdir()
            kept.write_bytes(pickle.dumps(Project(folder, (), GAPS)))
    made: Project = pickle.loads(kept.read_bytes())
    return made


def test_each_assumed_gap_has_another_confirmation() -> None:
    missing = []
    for gap in GAPS:
        try:
            confirmed.confirmation(gap)
        except LookupError as error:
            missing.append(str(error))
    assert not missing, "\n".join(missing)


def test_what_is_assumed_is_asked_alike_in_every_way(before: Project) -> None:
    for gap in GAPS:
        ways = before.seen[gap]
        seen = {ways[each] for each in ("client", "awaited", "command") if each in ways}
        if "assistant" in ways:
            seen = {each for each in seen if not each.startswith("not asked")}
        else:
            seen.discard(ways["command"])
        assert len(seen) == 1 and "failed:" not in seen.pop(), (gap, ways)


@pytest.mark.parametrize("number", range(len(batches())))
def test_what_is_confirmed_is_followed(number: int, before: Project, tmp_path: Path) -> None:
    gaps = batches()[number]
    after = Project(tmp_path, gaps, gaps)
    wrong = [each for gap in gaps for each in surfaces.Row(gap, before, after).wrong]
    assert not wrong, "\n".join(wrong)


@pytest.mark.nightly
@pytest.mark.parametrize("gap", GAPS)
def test_each_is_followed_alone(gap: str, before: Project, tmp_path: Path) -> None:
    row = surfaces.Row(gap, before, Project(tmp_path, [gap], [gap]))
    assert not row.wrong, "\n".join(row.wrong)


def test_the_page_has_every_gap_and_no_empty_cell() -> None:
    lines = surfaces.PAGE.read_text(encoding="utf-8").splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert [row[0].strip("`") for row in cells] == GAPS, "run `nox -s register`"
    assert all(len(row) == 1 + len(surfaces.SURFACES) and all(row) for row in cells)


def _words(node: Any, path: tuple[str, ...] = ()) -> Iterable[tuple[tuple[str, ...], Any]]:
    """Yield the words of `x-assume` that have no members, each with its schema."""
    for name, each in node.get("properties", {}).items():
        if "properties" in each:
            yield from _words(each, (*path, name))
        else:
            yield (*path, name), each


def test_each_word_is_assumed_and_each_of_its_values_tried() -> None:
    """What no overlay says need not be a word, and no value is one that nothing shows."""
    said = [each.data.get("x-assume", {}) for each in confirmed.made().documents.values()]
    for gap in GAPS:
        for actions in confirmed.confirmation(gap).values():
            said += [each["update"]["x-assume"] for each in actions if "x-assume" in each["update"]]
    schema = yaml.safe_load((PROJECT / "overlays/assume.schema.yaml").read_text(encoding="utf-8"))
    words = [*_words(schema)]
    assert words
    for path, node in words:
        values = []
        for word in said:
            for name in path:
                word = word.get(name, {}) if isinstance(word, dict) else {}
            values.append(word)
        assert any(each != {} for each in values), path
        untried = [each for each in node.get("enum", ()) if each not in values]
        assert not untried, (path, untried)
