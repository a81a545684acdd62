"""Whatever is assumed may turn out otherwise: each gap is confirmed so, and everything follows.

The quick form confirms gaps at once that no look has in common, the nightly one each alone. A gap
without a row in `confirmations.yaml`, or without a look in `asking.py`, fails with what to add.
`pytest tests/register -s` shows the table of gaps and surfaces.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parent))

import asking
import confirmed
from confirmed import PROJECT

GAPS = [*confirmed.assumed()]
SURFACES = ("client", "sandbox", "command", "tools", "texts")
REASONS = {
    ("success.uploadMediaFromUrl", "client"): "nothing is fetched in a test",
    ("rateLimit.*", "command"): "the command waits for room",
    ("updatePost.noAccounts", "command"): "the command cannot send an empty list",
}
"""Why a surface is not asked about gaps; what a look itself cannot do says its reason."""
SAME = (
    "*.required", "*.repeat", "post.*", "presence.*", "user.role", "imageTag.mode",
    "activity.event", "poll.duration", "error.code", "account.expiry", "media.size", "media.times",
    "media.status", "metric.items", "media.statusError", "page.nulls", "pinterestBoard.*",
    "linkPreview.types", "replaceGroup.note", "replaceGroup.unlimited", "bulk.empty",
    "updatePost.null",
)  # fmt: skip
"""Gaps of types, texts and words of the client: calls go on as before, and documents differ."""


def batches() -> list[list[str]]:
    """Return the gaps in batches, in each of which no two gaps are seen by one look."""
    by_look: dict[Any, list[str]] = {}
    for gap in GAPS:
        alone = gap.partition(".")[0] in ("success", "errors")
        look = gap.partition(".")[0] if alone else asking.look_of(gap)
        assert look is not None, f"{gap}: add a look at it to tests/register/asking.py"
        by_look.setdefault(look, []).append(gap)
    several: list[list[str]] = []
    for look, gaps in by_look.items():
        at_once = look in ("success", "errors") or all(_is_same(each) for each in gaps)
        for number, gap in enumerate(gaps):
            place = {"errors": 1}.get(look, 0) if at_once else number
            several += [[] for _ in range(place + 1 - len(several))]
            several[place].append(gap)
    return several


def _is_same(gap: str) -> bool:
    return any(fnmatch(gap, each) for each in SAME)


class Project:
    """A project in which some gaps are confirmed, what it generates and what looks at it see."""

    def __init__(self, folder: Path, gaps: Iterable[str], asked: Iterable[str]) -> None:
        self.files = confirmed.generate(confirmed.confirmed(folder, gaps))
        sources = (folder / "generated/client/src", PROJECT / "sandbox/src", PROJECT / "cli/src")
        done = subprocess.run(
            [sys.executable, str(Path(asking.__file__)), str(folder), *asked],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sources))},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        self.seen: dict[str, dict[str, str]] = json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project as it is assumed."""
    return Project(tmp_path_factory.mktemp("assumed"), (), GAPS)


def test_each_assumed_gap_has_another_confirmation() -> None:
    missing = []
    for gap in GAPS:
        try:
            confirmed.confirmation(gap)
        except LookupError as error:
            missing.append(str(error))
    assert not missing, "\n".join(missing)


def test_what_is_assumed_is_asked_alike_in_every_way(before: Project) -> None:
    for gap, ways in before.seen.items():
        seen = {each for each in ways.values() if not each.startswith("not asked")}
        assert len(seen) == 1 and "failed" not in seen.pop(), (gap, ways)


def _followed(gaps: list[str], before: Project, after: Project) -> None:
    """Hold each surface to the confirmation of these gaps, and show the table."""
    wrong = []
    for gap in gaps:
        cells = dict.fromkeys(SURFACES, "")
        for ways, surfaces in (
            (("client", "awaited"), ("client", "sandbox")),
            (("command",), ("command",)),
        ):
            for way in after.seen[gap].keys() & {*ways}:
                seen = after.seen[gap][way]
                said = seen.startswith("not asked")
                is_followed = said or (
                    "failed:" not in seen and (_is_same(gap) or seen != before.seen[gap][way])
                )
                if not is_followed:
                    wrong.append(f"{gap}: {way} shows {seen}, and before {before.seen[gap][way]}")
                cells |= dict.fromkeys(
                    surfaces, seen.removeprefix("not asked: ") if said else "asked"
                )
        tools = after.seen["tools"]["assistant"]
        cells["tools"] = "asked" if _uses(gap) else "no tool uses it"
        if "failed" in tools:
            wrong.append(f"{gap}: a tool of assistants: {tools}")
        stale = [*_stale(gap, before, after)]
        cells["texts"] = "asked" if not stale else ""
        wrong += stale
        print(f"| {gap} | " + " | ".join(cells[each] for each in SURFACES) + " |")
        assert all(cells.values()) or wrong, cells
    assert not wrong, "\n".join(wrong)


@cache
def _tool_operations() -> frozenset[str]:
    tools = confirmed.made().documents["main"].data["x-tools"].values()
    return frozenset(name for each in tools for name in each.get("operations", ()))


def _uses(gap: str) -> bool:
    """Return whether a tool of assistants calls what a gap is about."""
    for name, changes in confirmed.assumed()[gap].items():
        data = confirmed.made().documents[name].data
        for change in changes:
            pointer = change.pointer
            if pointer[:1] != ("paths",) or len(pointer) < 3:
                return name == "main"
            operation = data["paths"][pointer[1]][pointer[2]].get("operationId")
            if operation in _tool_operations():
                return True
    return False


def _stale(gap: str, before: Project, after: Project) -> Iterable[str]:
    """Yield what still states the guess: its stamp, its row, and the texts that it wrote."""
    for path, text in after.files.items():
        if path.endswith(".json") and re.search(rf'"x-assumed": \[[^\]]*"{re.escape(gap)}"', text):
            yield f"{gap}: {path} still has it as assumed"
    if f"confirmed:** Support said so of {gap}." not in after.files["GAPS.md"]:
        yield f"{gap}: GAPS.md does not show it as confirmed"
    page = after.files["client/api.md"]
    if re.search(rf"^\| {re.escape(gap)} \|.*\| assumed", page, re.MULTILINE):
        yield f"{gap}: api.md still has it as assumed"
    written = json.dumps(confirmed.confirmation(gap))
    for name, changes in confirmed.assumed()[gap].items():
        for change in changes:
            for text in _texts(change.action.update):
                if text in written or text in _documented(name):
                    continue
                for path in after.files:
                    if text in _plain(before.files[path]) and text in _plain(after.files[path]):
                        yield f"{gap}: {path} still says {text!r}"


@cache
def _plain(text: str) -> str:
    return " ".join(text.split())


@cache
def _documented(name: str) -> str:
    return _plain((PROJECT / "spec" / f"{name}.yaml").read_text(encoding="utf-8"))


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key in ("description", "summary") and isinstance(each, str) and len(each) > 30:
                yield " ".join(each.split())
            else:
                yield from _texts(each)


@pytest.mark.parametrize("number", range(len(batches())))
def test_what_is_confirmed_is_followed(number: int, before: Project, tmp_path: Path) -> None:
    gaps = batches()[number]
    _followed(gaps, before, Project(tmp_path, gaps, ["--quick", *gaps]))


@pytest.mark.nightly
@pytest.mark.parametrize("gap", GAPS)
def test_each_is_followed_alone(gap: str, before: Project, tmp_path: Path) -> None:
    _followed([gap], before, Project(tmp_path, [gap], [gap]))


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
    for path, node in _words(schema):
        values = []
        for word in said:
            for name in path:
                word = word.get(name, {}) if isinstance(word, dict) else {}
            values.append(word)
        assert any(each != {} for each in values), path
        untried = [each for each in node.get("enum", ()) if each not in values]
        assert not untried, (path, untried)
