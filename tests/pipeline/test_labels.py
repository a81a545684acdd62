"""What an overlay says about the service carries the gap of the node that it touches."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pipeline.cli import main

ROOT = Path(__file__).parents[2]
GROUP = "$.components.schemas.GroupReplacement.properties"
IDS = "$.paths['/posts-bulk'].get.parameters[?@.name == 'ids'].schema"
NEEDS = "says what the service does"
OTHER = "is not one of"
LARGER = "an assumption adds, and this one changes"
OWN = "belongs in the document itself"
ROWS = [
    (GROUP + ".name", "update: {maxLength: 60}", "", NEEDS),
    (IDS, "update: {maxItems: 500}", "", NEEDS),
    (IDS.replace("get", "delete") + ".maxItems", "remove: true", "", NEEDS),
    (GROUP + ".type", "copy: $.components.schemas.Label.properties.name", "", NEEDS),
    (GROUP + ".name", "update: {minLength: 3}", "", NEEDS),
    (GROUP + ".name", "update: {description: Its name.}", "", NEEDS),
    (GROUP + ".timezone", "update: {x-gap: error.code}", "", NEEDS),
    (GROUP + ".name", "update: {x-extensible-enum: [Bakeries]}", "", NEEDS),
    ("$", "update: {x-assume: {anything: goes}}", "", NEEDS),
    ("$.components.schemas.PostPage.properties.links", "update: {maxItems: 3}", "", NEEDS),
    (GROUP + ".name", "update: {maxLength: 70}", "replaceGroup.note", LARGER),
    (IDS, "update: {maxItems: 300}", "bulk.empty", LARGER),
    (GROUP + ".name", "update: {minLength: 4}", "replaceGroup.note", OTHER),
    (GROUP + ".name", "update: {minLength: 5}", "limits.characters", OTHER),
    ("$.components.schemas.Network.enum", "update: [myspace]", "error.code", OTHER),
    (GROUP + ".type", "update: {x-gap: metric.items}", "replaceGroup.note", OWN),
    (GROUP + ".name", "update: {x-python-name: title}", "", ""),
    (GROUP + ".note", "update: {minLength: 3}", "replaceGroup.note", ""),
    (
        "$.components.responses.Label",
        "update: {links: {again: {operationId: deleteLabel}}}",
        "",
        "",
    ),
]
"""What an action does, the gap that it names, and what is said of it."""


@pytest.mark.parametrize("room", ["main/zz.yaml", "client/cli.yaml"])
def test_a_statement_is_labelled_with_the_gap_of_its_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], room: str
) -> None:
    """In whichever folder it stands: what counts is what it says."""
    for name in ("spec", "overlays"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    file = tmp_path / "overlays" / room
    if file.exists():
        text = file.read_text(encoding="utf-8")
    else:
        text = "overlay: 1.1.0\ninfo: {title: More, version: '1'}\nactions:\n"
    lines = []
    for target, action, gap, _ in ROWS:
        lines.append(text.count("\n") + 1)
        text += f"  - target: {target}\n    {action}\n"
        if gap:
            text += f"    x-assumption: {{gap: {gap}, basis: convention, because: Why not.}}\n"
    file.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["lint"]) == 1
    printed = "".join(capsys.readouterr()).splitlines()
    assert main(["generate"]) == 1 and not (tmp_path / "generated").exists()
    for line, row in zip(lines, ROWS, strict=True):
        of_row = [
            each
            for each in printed
            for number in range(line, line + 3)
            if f"overlays/{room}:{number}:" in each
        ]
        assert any(row[3] in each for each in of_row) if row[3] else not of_row, (row, of_row)
