"""The command line: one clear line for whatever is wrong, with its place; never a traceback."""

from __future__ import annotations

import errno
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from generate_support import CASES, configuration, operation, operations, said

from pipeline import steps
from pipeline.cli import main
from pipeline.config import load_config
from pipeline.openapi.problems import Finding, PipelineError
from tests.support.disk import files_of_at_most

ROOT = Path(__file__).parents[2]
DOCUMENT = (CASES / "path_items/document.yaml").read_text()
CONFIG = configuration("ships", "ships", 'on_uncarried = "refuse"\n', 'overlays = ["overlays"]\n')
OVERLAY = """\
overlay: 1.1.0
info: {title: Names, version: '1'}
actions:
  - target: $.components.schemas.Ship
    update: {description: A boat.}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("overlays").mkdir()
    Path("pyproject.toml").write_text(CONFIG)
    Path("document.yaml").write_text(DOCUMENT)
    Path("overlays/names.yaml").write_text(OVERLAY)
    return tmp_path


@pytest.mark.parametrize("command", ["generate", "check", "lint"])
@pytest.mark.parametrize(
    ("file", "old", "new", "place", "message"),
    [
        ("pyproject.toml", "output =", "output = =", "pyproject.toml:2:", "Invalid value"),
        ("pyproject.toml", 'output = "generated"', "outptu = 3", "pyproject.toml:2:1", "not a mem"),
        ("pyproject.toml", "document.yaml", "none.yaml", "none.yaml:1:1", "No such file"),
        ("pyproject.toml", '["overlays"]', '["o.yaml"]', "o.yaml:1:1", "No such file"),
        ("document.yaml", "paths:", "paths: {", "document.yaml:", ""),
        ("document.yaml", "paths:", "paths:\npaths:", "document.yaml:5:1", "paths"),
        ("document.yaml", "responses/Ship'", "responses/Boat'", "document.yaml:16:", "Boat"),
        ("document.yaml", "schemas/Ship'", "schemas/Boat'", "document.yaml:28:", "Boat"),
        ("document.yaml", "openapi: 3.1.0", "openapi: 4.0.3", "document.yaml:1:", "4.0.3"),
        ("document.yaml", "openapi: 3.1.0", "swagger: '2.0'", "document.yaml:1:", "convert it"),
        ("document.yaml", "openapi: 3.1.0", "arazzo: 1.0.1", "document.yaml:1:", "not an OpenAPI"),
        ("overlays/names.yaml", "schemas.Ship", "schemas.Boat", "names.yaml:4:", "nothing"),
        ("overlays/names.yaml", "$.components", "$..[", "overlays/names.yaml:4:", ""),
        ("overlays/names.yaml", "actions:", "acts:", "overlays/names.yaml:", "act"),
    ],
)  # fmt: skip
def test_bad_input(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str, file: str, old: str, new: str,
    place: str, message: str,
) -> None:  # fmt: skip
    text = Path(file).read_text()
    assert old in text
    Path(file).write_text(text.replace(old, new, 1))
    status, out, err = said(capsys, command)
    lines = (out + err).splitlines()
    assert status == 1
    assert any(place in line and message in line for line in lines), lines
    assert not Path("generated").exists()


def test_a_missing_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, err = said(capsys, "generate")
    assert status == 1
    assert err.splitlines()[0].startswith("pyproject.toml:1:1: there is no configuration")
    assert err.splitlines()[1] == "1 problem; nothing was written."
    Path("pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert said(capsys, "check")[2].startswith("pyproject.toml:1:1: tool.pipeline: is missing")


def test_generate_lint_and_gaps(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "generate", "--verbose")
    assert status == 0 and "added generated/client/src/ships/client.py" in out
    assert json.loads(Path("generated/openapi/ships.json").read_text())["openapi"] == "3.1.0"
    status, out, _ = said(capsys, "generate")
    assert (status, out.splitlines()[-1].partition(", ")[2]) == (0, "all current.")
    status, out, _ = said(capsys, "lint")
    assert status == 0 and out.splitlines()[-1].startswith("1 document: 0 errors")
    status, _, err = said(capsys, "gaps", "--evidence", "seen.yaml")
    assert status == 1 and err.startswith("pyproject.toml:1:1: tool.pipeline.gaps: no register")


def test_notes_are_counted_or_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(CASES / "limits/document.yaml", folder)
    Path("pyproject.toml").write_text(CONFIG.replace('["overlays"]', "[]"))
    shown = said(capsys, "generate")[2].splitlines()
    number = int(shown[-1].split()[0])
    assert shown[-1].endswith("notes, which `generate --verbose` shows.")
    every = [
        each for each in said(capsys, "generate", "--verbose")[2].splitlines() if "note: " in each
    ]
    assert len(every) == number + len([each for each in shown if "note: " in each])
    assert "note: document.yaml:20:9: " in said(capsys, "generate", "--verbose")[2]


def test_a_wrong_command_is_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["build"],
        ["overlay", "only-a-document"],
        ["generate", "--what"],
        ["gaps"],
    ):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2


def test_no_command_is_a_wish_for_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 0 and "generate" in capsys.readouterr().out


# overlay


def test_overlay_to_a_json_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = said(
        capsys, "overlay", "document.yaml", "overlays/names.yaml", "-o", "x.json"
    )
    assert (status, out) == (0, "")
    assert json.loads(Path("x.json").read_text())["components"]["schemas"]["Ship"][
        "description"
    ] == ("A boat.")
    assert "overlays/names.yaml:4" in err and "#/components/schemas/Ship" in err


def test_overlay_to_yaml(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["overlay", "document.yaml", "overlays/names.yaml", "-o", "x.yaml"])
    capsys.readouterr()
    status, out, _ = said(capsys, "overlay", "document.yaml", "overlays/names.yaml")
    assert status == 0 and out == Path("x.yaml").read_text()
    data = yaml.safe_load(out)
    assert data["components"]["schemas"]["Ship"]["description"] == "A boat."
    assert list(data) == ["openapi", "info", "servers", "paths", "components"]
    assert data["info"]["version"] == "1"  # still a text


def test_overlay_yaml_reads_back_as_it_was(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = ["yes", "1", "1.0", "null", "2026-01-02", "12:30", " a ", "a\nb", "a\n", "é", "'", '"',
              "a: b", "# c", "", "~", "0x1f", "1_000", "=", "-", "a\tb", "\u2028",
              "012"]  # fmt: skip
    Path("d.json").write_text(json.dumps({"components": {"schemas": {"Ship": {}}}, "x": values}))
    main(["overlay", "d.json", "overlays/names.yaml", "-o", "d.yaml"])
    capsys.readouterr()
    status, _, err = said(capsys, "overlay", "d.yaml", "overlays/names.yaml", "-o", "e.json")
    assert status == 0, err
    assert json.loads(Path("e.json").read_text())["x"] == values


def test_overlay_that_matches_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("overlays/names.yaml").write_text(OVERLAY.replace("schemas.Ship", "schemas.Boat"))
    files = ["document.yaml", "overlays/names.yaml"]
    status, out, err = said(capsys, "overlay", *files)
    assert (status, out) == (1, "") and "overlays/names.yaml:4:" in err
    status, out, _ = said(capsys, "overlay", *files, "--lenient")
    assert status == 0 and yaml.safe_load(out)["openapi"] == "3.1.0"


def test_overlays_that_cannot_be_read_are_all_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = said(capsys, "overlay", "document.yaml", "a.yaml", "b.yaml", "-o", "x.json")
    assert (status, out) == (1, "") and "a.yaml:1:1" in err and "b.yaml:1:1" in err
    assert not Path("x.json").exists()
    status, _, err = said(capsys, "overlay", "none.yaml", "overlays/names.yaml")
    assert status == 1 and err.startswith("none.yaml:1:1: ")


@pytest.mark.parametrize("output", [".", "overlays"])
def test_an_output_that_holds_sources_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], output: str
) -> None:
    Path("pyproject.toml").write_text(CONFIG.replace('"generated"', f'"{output}"'))
    before = sorted(folder.rglob("*"))
    status, _, err = said(capsys, "generate")
    assert status == 1 and sorted(folder.rglob("*")) == before
    assert f"pyproject.toml:2:1: tool.pipeline.output: {output!r} must be a separate folder" in err


def test_what_is_no_overlay_among_overlays_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("overlays/README.md").write_text("Notes are fine.")
    Path("overlays/names.YAML").write_text(OVERLAY)
    Path("overlays/more").mkdir()
    Path("overlays/why.txt").write_text("Notes.")
    Path("overlays/saved.txt").write_text(OVERLAY)
    Path("overlays/lost.yaml").symlink_to("nowhere.yaml")
    status, _, err = said(capsys, "check")
    assert "overlays/lost.yaml:1:1: not an overlay: it is no file" in err
    assert "overlays/saved.txt:1:1: not an overlay" in err and "why" not in err
    assert status == 1 and "overlays/names.YAML:1:1: not an overlay" in err
    assert "overlays/more:1:1: not an overlay" in err and "README" not in err


def test_an_interrupt_ends_quietly(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pipeline.steps.generate", interrupted)
    assert said(capsys, "generate") == (130, "", "interrupted\n")


@pytest.mark.parametrize(
    ("error", "status"),
    [(PipelineError(Finding("no")), 1), (KeyError(), 1), (KeyboardInterrupt(), 130)],
)
def test_what_was_dropped_comes_back_where_generate_fails(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    error: BaseException, status: int,
) -> None:  # fmt: skip
    names, document = Path("overlays/names.yaml"), Path("document.yaml")
    before = [path.read_bytes() for path in (names, document)]
    seen = []

    def fails(*_: object) -> None:
        seen.append((names.exists(), document.read_text()))
        raise error

    monkeypatch.setattr("pipeline.gaps.drop", lambda *_: {names: None, document: "less"})
    monkeypatch.setattr("pipeline.steps.generate", fails)
    assert said(capsys, "generate", "--drop-assumed", "a.gap")[:2] == (status, "")
    assert seen == [(False, "less")]
    assert [path.read_bytes() for path in (names, document)] == before


@pytest.mark.parametrize(
    "command",
    [
        "generate", "generate --drop-assumed book.weight", "gaps --page page.html",
        "gaps --evidence traffic/both.yaml --html page.html", "init document.yaml -o new",
        "gaps --evidence traffic/both.yaml -o new",
        "overlay document.yaml overlay.yaml -o whole.yaml",
    ],
)  # fmt: skip
def test_a_full_disk_cuts_no_file_and_the_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    for source in ("sessions/evidence", "evidence"):
        shutil.copytree(CASES.parent / source, ".", dirs_exist_ok=True)
    document = Path("document.yaml").read_text()
    told = document.replace("n: Weight.,", "n: Weight in grams.,")
    Path("document.yaml").write_text(told if "drop" in command else document)
    Path("page.html").write_text("<!doctype html>" + "x" * 200)
    Path("whole.yaml").write_text("mine: 1")

    def files() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}

    def half(path: Path, content: bytes) -> None:
        with path.open("wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError(errno.ENOSPC, "No space left")

    before = files()
    for limit in (files_of_at_most(100), monkeypatch.context()):
        with limit as patch:
            if patch:  # what is written elsewhere, to be tried, has room
                patch.setattr(Path, "write_bytes", half)
            status, _, err = said(capsys, *command.split())
        assert status == 1 and re.search(r"^\S+\.\w+: (File too l|No space l)", err, re.M), err
        assert files() == before
    assert said(capsys, *command.split())[0] == 0
    assert files() != before


def test_few_changed_files_are_listed_and_many_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, "generate")[0] == 0
    for many in (20, 21):
        for path in [each for each in Path("generated/client").rglob("*") if each.is_file()][:many]:
            path.unlink()
        *listed, last = said(capsys, "generate")[1].splitlines()
        assert len(listed) == (20 if many == 20 else 0)
        assert f" {many} changed{'' if listed else '; --verbose lists them'}." in last


def test_a_command_that_is_nearly_spelt_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong, meant in (("gap", "gaps"), ("generte", "generate"), ("overlays", "overlay")):
        with pytest.raises(SystemExit):
            main([wrong])
        assert f"did you mean {meant}?" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["xyzzy"])
    assert "choose generate, check" in capsys.readouterr().err


def test_an_overlay_does_not_replace_what_it_is_applied_to(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for target in ("document.yaml", "./overlays/names.yaml"):
        before = Path(target).read_text()
        status, _, err = said(
            capsys, "overlay", "document.yaml", "overlays/names.yaml", "-o", target
        )
        assert status == 1 and "is read here, and not replaced" in err
        assert Path(target).read_text() == before
    words = ("overlay", "document.yaml", "overlays/names.yaml", "-o", "new.yaml")
    assert said(capsys, *words)[0] == said(capsys, *words)[0] == 0
    assert "A boat." in Path("new.yaml").read_text()


def test_what_other_tools_made_is_told_by_their_versions(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, "generate")[0] == 0
    manifest = Path("generated/MANIFEST.json")
    content = json.loads(manifest.read_text())
    content["tools"]["PyYAML"] = "1.2.3"
    manifest.write_text(json.dumps(content))
    status, _, err = said(capsys, "check")
    assert status == 1
    assert "was made with PyYAML 1.2.3 (here " in err and "Jinja2" not in err.splitlines()[-1]


def test_a_page_of_gaps_replaces_only_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = steps.effective(load_config(ROOT / "pyproject.toml"))
    monkeypatch.setattr(steps, "effective", lambda config: made)  # nothing is edited in between
    config = ("--config", str(ROOT / "pyproject.toml"))
    for name in ("README.md", "notes.html", "gaps.yaml"):
        (tmp_path / name).write_text("# mine\n")
        status, _, err = said(capsys, "gaps", *config, "--page", str(tmp_path / name))
        assert status == 1 and "choose another name" in err, name
        assert (tmp_path / name).read_text() == "# mine\n"
    (tmp_path / "notes.html").write_text("<!DOCTYPE html>\n<title>old</title>")
    page = str(tmp_path / "notes.html")
    assert said(capsys, "gaps", *config, "--page", page)[0] == 0
    assert "<title>old" not in (tmp_path / "notes.html").read_text()


def test_what_is_lost_is_named_and_the_rest_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {"name": "filter", "in": "querry", "schema": {"type": "string"}}
    item: dict[str, Any] = {"get": operation("readA", parameters=[wrong])}
    item["GET"] = operation("readB")
    typo = {"type": "object", "properties": {"order": {"$ref": "#/components/schemas/Odrer"}}}
    item["put"] = operation("putA", answer=typo)
    data = operations({"/a": item}, Order={"type": "object", "properties": {"id": {}}})
    (tmp_path / "document.yaml").write_text(json.dumps(data))
    (tmp_path / "pyproject.toml").write_text(configuration("sample"))
    given = ("generate", "--config", tmp_path / "pyproject.toml")
    _, _, err = said(capsys, *given)
    for text in ("filter: in must be", "GET: not a member of", "Odrer leads nowhere"):
        assert sum(text in line for line in err.splitlines()) == 1
    # Of many kinds of them, the first are named.
    for number in range(40):
        name = f"Gone{number}{'x' * number}"
        item["put"]["responses"]["200"]["content"]["application/json"]["schema"]["properties"] |= {
            f"p{number}": {"$ref": f"#/components/schemas/{name}"}
        }
    (tmp_path / "document.yaml").write_text(json.dumps(data))
    _, _, err = said(capsys, *given)
    assert len(err.splitlines()) < 30 and "leads nowhere" in err
