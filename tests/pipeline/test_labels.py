"""What an overlay says about the service carries the gap of the node that it touches."""

from __future__ import annotations

from pathlib import Path

import pytest
from generate_support import copy_project

from pipeline.cli import main
from pipeline.config import load_config
from pipeline.steps import effective

GROUP = "$.components.schemas.GroupReplacement.properties"
LABEL = "$.components.schemas.LabelCreation"
IDS = "$.paths['/posts-bulk'].get.parameters[?@.name == 'ids'].schema"
POSTS = "$.paths['/posts-bulk'].get"
NEEDS = "makes a claim about the service"
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
    ("$.paths['/labels'].post", "update: {x-retry-safety: idempotent}", "", NEEDS),
    ("$.components.schemas.PostPage.properties.links", "update: {maxItems: 3}", "", NEEDS),
    (GROUP + ".name", "update: {maxLength: 70}", "replaceGroup.note", LARGER),
    (IDS, "update: {maxItems: 300}", "bulk.empty", LARGER),
    (GROUP + ".name", "update: {minLength: 4}", "replaceGroup.note", OTHER),
    (GROUP + ".name", "update: {minLength: 5}", "limits.characters", OTHER),
    ("$.components.schemas.Network.enum", "update: [myspace]", "error.code", OTHER),
    (GROUP + ".type", "update: {x-gap: metric.items}", "replaceGroup.note", OWN),
    (GROUP + ".note", "update: {minLength: 3}", "replaceGroup.note", "is about type, and not"),
    (
        f"{LABEL}.properties.name",
        "update: {maxLength: 30}",
        "createLabel.required",
        OTHER,
    ),
    (f"{LABEL}.properties.name", "update: {maxLength: 31}", "createLabel.names", OTHER),
    ("$.components.schemas.Post.properties.name", "update: {maxLength: 9}", "delete.seen", OTHER),
    (
        "$.paths['/labels'].post",
        "update: {summary: Create one}",
        "createLabel.names",
        "without a label",
    ),
    *(
        (
            "$.paths['/labels'].post.responses",
            f"update: {{'{status}': {{$ref: '#/components/responses/Label'}}}}",
            "success.createLabel",
            f"is about a status of 2XX, and {status} is none",
        )
        for status in ("500", "302")
    ),
    *(
        (POSTS, f"update: {{x-single: {{summary: {title}}}}}", "", said)
        for title, said in (
            ("Read a deleted post", "says 'deleted'"),
            ("Read a post of the last 30 days", "says 'last'"),
            ("Read a post within 5 minutes", "says 'within'"),
            ("Get posts by identifiers", ""),
        )
    ),
    (GROUP + ".name", "update: {x-python-name: title}", "", ""),
    (GROUP + ".max_social_accounts", "update: {maximum: 99}", "replaceGroup.maximumHeld", ""),
    (LABEL, "update: {required: [name]}", "createLabel.required", "is assumed here, and for the"),
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
    copy_project(tmp_path)
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


KNOWN = [
    (GROUP + ".name", "update: {maxLength: 60}", True),
    ("$.components.schemas.Post.properties.content", "update: {minLength: 1}", True),
    ("$.paths['/labels/{label}'].delete.responses['2XX']", "remove: true", True),
    (f"{LABEL}.properties.name", "update: {maxLength: 30}", False),
    (LABEL, "update: {maxProperties: 1}", False),
    ("$.components.schemas", "update: {Tag: {type: object, description: A tag.}}", False),
    ("$", "update: {x-assume: {labels: {unique: false}}}", False),
    ("$", "update: {x-assume: {workflow: {approver: any assignee}}}", True),
    ("$['x-assume'].workflow", "update: {approver: any assignee}", True),
    ("$", "update: {x-assume: {labels: {unique: false}, noteRange: begins}}", True),
    ("$", "update: {x-rate-limit: {requests: 100}}", True),
]
"""What is confirmed, and whether it is about another node than the one of its gap."""


def test_what_is_confirmed_is_about_the_node_of_its_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_project(tmp_path)
    said = "    x-confirmed: {gap: createLabel.names, evidence: Seen.}\n"
    text = "overlay: 1.1.0\ninfo: {title: Support, version: '1'}\nactions:\n"
    lines = []
    for target, action, _ in KNOWN:
        lines.append(text.count("\n") + 1)
        text += f"  - target: {target}\n    {action}\n{said}"
    file = tmp_path / "overlays/confirmed/main/support.yaml"
    file.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = effective(load_config(Path("pyproject.toml"))).findings
    wrong = {
        each.position.line
        for each in found
        if each.rule == "label"
        and each.position
        and (OTHER in each.message or "not of gap" in each.message)
    }
    for line, (target, _, is_wrong) in zip(lines, KNOWN, strict=True):
        assert bool(wrong & {line, line + 1, line + 2}) is is_wrong, target


@pytest.mark.parametrize(
    ("gap", "words", "wrong"),
    [
        ("limits.dates", "{limits: {years: [1970, 2080]}}", ""),
        ("limits.dates", "{limits: {years: [2080, 1970]}}", "limits.years must be ascending"),
        ("text.emoji", "{weightedLength: {emojis: '(?<!a)b'}}", ""),
        ("text.emoji", "{weightedLength: {emojis: '['}}", "weightedLength.emojis must have the"),
    ],
)
def test_a_word_that_a_test_server_cannot_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gap: str, words: str, wrong: str
) -> None:
    copy_project(tmp_path)
    text = "overlay: 1.1.0\ninfo: {title: Support, version: '1'}\nactions:\n"
    text += f"  - target: $\n    update: {{x-assume: {words}}}\n"
    text += f"    x-confirmed: {{gap: {gap}, evidence: Seen.}}\n"
    (tmp_path / "overlays/confirmed/main/support.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    findings = effective(load_config(Path("pyproject.toml"))).findings
    said = [each.message for each in findings if each.rule == "word"]
    assert len(said) == bool(wrong), said
    assert not wrong or f"x-assume.{wrong}" in said[0]
