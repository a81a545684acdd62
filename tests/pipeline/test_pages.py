"""Pages that call assumed what is confirmed by now are named, by `lint` and by `generate`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pipeline.cli import main
from pipeline.config import load_config
from pipeline.steps import effective

ROOT = Path(__file__).parents[2]
CONFIRMED = """\
overlay: 1.1.0
info: {title: Support, version: '1'}
actions:
  - target: $
    update: {x-assume: {updatePost: {labelIds: added}}}
    x-confirmed: {gap: updatePost.labelIds, evidence: Seen.}
"""


def test_a_page_that_calls_assumed_what_is_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("spec", "overlays"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    page = tmp_path / "docs/labels.md"
    page.parent.mkdir()
    page.write_text(
        "# Labels\n\nThey replace (`updatePost.labelIds`).\n\nWe assume so\n(`updatePost.labelIds`)"
        ", and that `updatePost.lists` does.\n",
        encoding="utf-8",
    )
    for name in ("README.md", "sandbox/README.md", "cli/README.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("Nothing.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["lint"]) == 0 and "docs/labels.md" not in capsys.readouterr().out
    (tmp_path / "overlays/confirmed/main/support.yaml").write_text(CONFIRMED, encoding="utf-8")
    assert main(["lint"]) == 0
    words = "updatePost.labelIds is confirmed, and this calls it assumed or unknown"
    said = f"docs/labels.md:5:1: {words}"
    assert capsys.readouterr().out.count(said) == 1
    assert main(["generate"]) == 0
    assert said in capsys.readouterr().err


def test_no_page_of_ours_is_out_of_date() -> None:
    found = effective(load_config(ROOT / "pyproject.toml")).findings
    assert [str(each) for each in found if each.rule == "page"] == []
