"""Findings by cause: counted, with the first places, and an action that an overlay can have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from generate_support import operation, operations
from hypothesis import given
from hypothesis import strategies as st

from pipeline.causes import causes, json_path, remedy
from pipeline.following import each_once
from pipeline.lint import lint
from pipeline.openapi.documents import Document, load
from pipeline.openapi.overlay.applying import apply
from pipeline.openapi.overlay.query import select
from pipeline.openapi.overlay.reading import load_overlay
from pipeline.openapi.problems import MALFORMED, Finding, Position
from pipeline.openapi.yamls import dump
from pipeline.preparing import prepare

CASES = sorted((Path(__file__).parent / "lint").glob("*/document.yaml"))


NESTED = {"type": "array", "items": {"type": "object"}}
NO_WAY = "OpenAPI cannot serialize an array of objects or arrays in a parameter"


def of(data: Any) -> list[Finding]:
    document, notes = prepare(Document("d.yaml", data, {}))
    return [*notes, *lint(document)]


def test_one_line_for_many() -> None:
    properties = {f"field{number}": {"type": "string"} for number in range(1200)}
    data = operations(
        {f"/a{n}": {"get": operation(f"get{n}", parameters=[
            {"name": f"crumb{n}", "in": "query", "schema": NESTED}
        ])} for n in range(5)},
        Thing={"type": "object", "properties": properties},
    )  # fmt: skip
    found = causes(of(data))
    assert [(len(each.findings), each.text) for each in found] == [
        (5, f"parameter … {found[0].findings[0].message.partition(': ')[2]}"),
        (1206, "no description"),
    ]
    first, second = (list(each.lines()) for each in found)
    assert first[0].startswith(f"error: 5 × parameter … {NO_WAY}")
    assert second[0].startswith("note: 1,206 × no description [description]: ")
    assert "    - target: $.paths['/a0'].get.parameters[0]" in first
    assert len(list(found[1].lines(every=True))) > 1206


@given(st.lists(st.tuples(st.sampled_from("ab"), st.lists(st.sampled_from("xyz"), max_size=3))))
def test_what_two_documents_share_is_told_once_with_all_that_follows(
    found: list[tuple[str, list[str]]],
) -> None:
    def finding(text: str, follows: list[str] | None = None) -> Finding:
        then = tuple(finding(each) for each in follows or ())
        return replace(Finding(text, Position("main.yaml", 1, 1), "refs"), follows=then)

    once = each_once(finding(*each) for each in found)
    assert [each.message for each in once] == [*dict.fromkeys(text for text, _ in found)]
    for each in once:
        followed = [name for text, names in found if text == each.message for name in names]
        assert [follow.message for follow in each.follows] == followed


def test_a_few_are_shown_as_they_are() -> None:
    found = [Finding(f"/{n} leads nowhere", Position("d.yaml", n, 5), "ref") for n in range(1, 5)]
    for shown in (found[:1], found[:3]):
        lines = [line for cause in causes(shown) for line in cause.lines()]
        assert lines == [
            f"error: d.yaml:{n}:5: /{n} leads nowhere [ref]" for n in range(1, len(lines) + 1)
        ]
        assert len(lines) == len(shown)
    (cause,) = causes([replace(each, message=f"x: {each.message}") for each in found])
    assert [*cause.lines()] == [
        "error: 4 × x: … leads nowhere [ref]: d.yaml:1:5, d.yaml:2:5, d.yaml:3:5, …"
    ]


def test_every_finding_is_shown_with_what_follows_from_it() -> None:
    later = Finding("it follows", Position("e.yaml", 2, 3), "word")
    found = [
        Finding(f"/{n} leads nowhere", Position("d.yaml", n, 5), "ref", follows=(later,) * (n == 2))
        for n in range(1, 5)
    ]
    (cause,) = causes(found)
    texts = [f"error: {each}" for each in found]
    assert [*cause.lines(every=True)] == [
        *texts[:2], "  follows: e.yaml:2:3: it follows [word]", *texts[2:]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "word", "value"),
    [
        ("description", "description", "What it is."),
        ("operation-id", "operationId", "aNameOfItsOwn"),
        ("python-name", "x-python-name", "a_name_of_its_own"),
    ],
)
@pytest.mark.parametrize("own", [False, True])
def test_a_name_that_is_wrong_is_corrected_where_it_is_ours(
    rule: str, word: str, value: str, own: bool
) -> None:
    """In a document of others, and where there is none, an overlay gives another one."""
    at = ("paths", "/a", "get")
    action = {"target": "$.paths['/a'].get", "update": {word: value}}
    assert remedy(Finding("It lacks one.", rule=rule, pointer=at, own=own)) == action
    wrong = remedy(Finding("It is wrong.", rule=rule, pointer=(*at, word), own=own))
    assert wrong == (None if own else action)
    named = remedy(Finding("A property.", rule=rule, pointer=("properties", word), own=own))
    assert named == {"target": json_path(("properties", word)), "update": {word: value}}


def test_errors_and_roots_come_first_and_then_what_is_most_frequent() -> None:
    follows = (Finding("it follows"),)
    kinds = [("note", "b", 3), ("left out", "c", 1), ("error", "d", 1), ("error", "e", 2)]
    found = [Finding(text, rule=text, severity=kind) for kind, text, n in kinds for _ in range(n)]
    roots = [Finding("f", rule="f", follows=follows), Finding("g", rule=MALFORMED[0])]
    assert [each.text for each in causes([*found, *roots])] == [*"fgedcb"]


@pytest.mark.parametrize(
    ("section", "added"),
    [
        ("schemas", {}),
        ("responses", {"description": "Not documented."}),
        ("requestBodies", {"content": {"application/json": {}}}),
        ("parameters", None),
        ("headers", None),
    ],
)
def test_what_is_missing_is_added_where_anything_will_do(section: str, added: Any) -> None:
    found = [
        Finding(
            f"$ref: #/components/{section}/{name} leads nowhere", rule="ref", pointer=("a", "$ref")
        )
        for name in ("A~1b", "C")
    ]
    update: Any = {"components": {section: {"A/b": added, "C": added}}}
    made = {"target": "$", "update": update}
    other = {"target": "$.a", "update": {"$ref": "#/components/…"}}
    assert remedy(*found) == (other if added is None else made)
    assert remedy(replace(found[0], own=True)) is None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.parent.name)
def test_each_remedy_is_an_action_that_fits(case: Path, tmp_path: Path) -> None:
    """Every remedy of an error can be copied into an overlay and be applied, and mends it."""
    document = load(case)
    errors = [each for each in lint(document) if each.severity == "error"]
    assert errors or case.parent.name in ("bodies", "carried", "clean", "stranger")
    for finding in errors:
        action = remedy(finding)
        if action is None or "$ref" in action.get("update", {}):
            continue
        file = tmp_path / "overlay.yaml"
        head = {"overlay": "1.1.0", "info": {"title": "Mended", "version": "1"}}
        file.write_text(dump({**head, "actions": [action]}))
        mended, _ = apply(document, [load_overlay(file)])
        assert not [
            each
            for each in lint(mended)
            if (each.pointer, each.message) == (finding.pointer, finding.message)
        ] or finding.rule in ("word", "python-name")


@pytest.mark.parametrize(
    "rule",
    ["documented", "contradiction", "twice", "label", "example", "required", "word"],
)
@pytest.mark.parametrize("own", [False, True])
def test_what_is_corrected_where_it_stands_is_never_removed(rule: str, own: bool) -> None:
    """Whatever else is wrong there, to remove it would take something true away."""
    finding = Finding("is wrong", rule=rule, pointer=("info", "contact", "email"), own=own)
    assert remedy(finding) is None
    assert remedy(replace(finding, update="a@b.invalid")) is not None
    removed = remedy(replace(finding, rule="other"))
    assert removed == (None if own else {"target": "$.info.contact.email", "remove": True})


KEYS = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(KEYS | st.integers(0, 3), min_size=1, max_size=4))
def test_any_place_has_a_path_that_selects_it(pointer: list[str | int]) -> None:
    value: Any = 1
    for part in reversed(pointer):
        value = {part: value} if isinstance(part, str) else [0] * part + [value]
    assert select(json_path(tuple(pointer)), value) == [tuple(pointer)]
