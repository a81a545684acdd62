"""What a change of the sources changes in generated/: the whole of it, and nothing else.

`pytest tests/client/test_confirmed.py -s` shows the differences.
"""

from __future__ import annotations

import difflib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2]
Difference = dict[str, list[str]]

CONFIRMED = """\
overlay: 1.1.0
info: {title: What support told us, version: "1"}
actions:
"""
START = """\
  - target: $.paths['/calendar-notes'].get.parameters[?@['x-gap'] == 'notes.range.start']
    update: {name: from}
    x-confirmed:
      gap: notes.range.start
      evidence: Seen in the calendar of the web application.
"""


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources in which nothing is confirmed, and of what they generate."""
    root = tmp_path_factory.mktemp("before")
    for folder in ("spec", "overlays", "templates", "pipeline", "generated"):
        # With what Python has compiled: it compiles what is changed here, and no more.
        shutil.copytree(PROJECT / folder, root / folder, ignore=shutil.ignore_patterns(".*"))
    for file in ("pyproject.toml", "LICENSE"):
        shutil.copy(PROJECT / file, root)
    if known := [*(root / "overlays/confirmed").glob("*/*.yaml")]:
        for path in known:
            path.unlink()
        generate(root)
    return root


@pytest.fixture
def changed(before: Path, tmp_path: Path) -> Path:
    """Another one, to be changed."""
    return shutil.copytree(before, tmp_path / "changed")


def generate(root: Path) -> None:
    """Run the generator there, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", "generate"], cwd=root, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def difference(before: Path, after: Path) -> Difference:
    """The lines that went (`-`) and came (`+`), by file; the manifest of hashes is left out."""
    files = {
        str(path.relative_to(root / "generated"))
        for root in (before, after)
        for path in (root / "generated").rglob("*")
        if path.is_file() and path.name != "MANIFEST.json" and "__pycache__" not in path.parts
    }
    found = {}
    for name in sorted(files):
        one, two = (
            (root / "generated" / name).read_text(encoding="utf-8").splitlines()
            for root in (before, after)
        )
        if one != two:
            lines = list(difflib.unified_diff(one, two, name, name, lineterm="", n=1))
            print("\n".join(lines))
            found[name] = [line for line in lines[2:] if line[0] in "+-"]
    return found


def confirm(root: Path, actions: str) -> None:
    path = root / "overlays" / "confirmed" / "main" / "support.yaml"
    path.write_text(CONFIRMED + actions, encoding="utf-8")


def operations(root: Path) -> dict[str, Any]:
    """The operations of the effective main document."""
    document = json.loads((root / "generated/openapi/main.json").read_text(encoding="utf-8"))
    return {
        operation["operationId"]: operation
        for item in document["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict)
    }


def other_operations(before: Path, after: Path) -> list[str]:
    """The operations that are not what they were."""
    one, two = operations(before), operations(after)
    assert list(one) == list(two)
    return [name for name in one if one[name] != two[name]]


def test_a_confirmed_name_of_a_parameter(before: Path, changed: Path) -> None:
    """§4.8: the name of the range's start is a gap: once it is known, every place that assumed
    it changes: the effective document, the request, the documentation, the register."""
    confirm(changed, START)
    generate(changed)
    assert other_operations(before, changed) == ["listCalendarNotes"]
    start, end, _ = operations(changed)["listCalendarNotes"]["parameters"]
    assert (start["name"], end["name"]) == ("from", "end_date")
    assert start["x-confirmed"] == ["notes.range.start"]
    assert "notes.range.start" not in start.get("x-assumed", [])

    found = difference(before, changed)
    assert set(found) == {
        "GAPS.md",
        "client/api.md",
        "commands.json",  # what help says
        "client/src/social_publishing/resources/calendar_notes.py",
        "openapi/main.json",
        "openapi/plain/main.json",  # what other tools read
    }
    for name, lines in found.items():
        gone, come = (_signed(lines, sign) for sign in "-+")
        # Of a confirmed gap the register has the evidence, and no basis of a guess any more.
        assert len(gone) == len(come) + (name == "openapi/main.json"), name
    resource = found["client/src/social_publishing/resources/calendar_notes.py"]
    assert '            Parameter("start_date", start, dt.datetime, "start"),' in _signed(
        resource, "-"
    )
    assert '            Parameter("from", start, dt.datetime, "start"),' in _signed(resource, "+")
    assert "notes.range.start" not in "\n".join(_signed(resource, "+")), "no more assumed"
    page = _signed(found["client/api.md"], "+")
    assert sum("confirmed: Seen in the calendar of the web application." in x for x in page) == 1
    assert sum("Seen in the calendar" in line for line in _signed(found["GAPS.md"], "+")) == 1


def rename(root: Path, old: str, new: str) -> None:
    """Give a field that stands once in spec/ another name, and generate."""
    spec = root / "spec" / "main.yaml"
    text, times = re.subn(rf"\b{old}\b", new, spec.read_text(encoding="utf-8"))
    assert times == 1
    spec.write_text(text, encoding="utf-8")
    generate(root)


def _signed(lines: list[str], sign: str) -> list[str]:
    return [line[1:] for line in lines if line[0] == sign]


def test_a_renamed_request_field(before: Path, changed: Path) -> None:
    """The same for a field that is sent: model, arguments, docstrings and api.md follow."""
    rename(changed, "notify_assignee", "tell_assignee")
    found = difference(before, changed)
    assert {name: len(lines) for name, lines in found.items()} == {
        "client/api.md": 4,  # the rows of argument and field
        "client/src/social_publishing/models/posts.py": 2,
        "client/src/social_publishing/resources/posts.py": 24,  # function, all methods, texts
        "commands.json": 2,
        "openapi/main.json": 2,
        "openapi/plain/main.json": 2,
    }
    for lines in found.values():
        come = [line.replace("tell_", "notify_") for line in _signed(lines, "+")]
        assert come == _signed(lines, "-")
