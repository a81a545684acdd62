"""The loader: YAML 1.2 values, positions, and what it refuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.openapi.documents import Document, dumps, files_in, load, loads
from pipeline.openapi.problems import PipelineError, Position
from pipeline.openapi.wording import visible


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("Yes", "Yes"),
        ("off", "off"),
        ("12:30", "12:30"),
        ("2026-01-31", "2026-01-31"),
        ("2026-01-31T10:00:00Z", "2026-01-31T10:00:00Z"),
        ("1_000", "1_000"),
        ("0b11", "0b11"),
        ("=", "="),
        ("~", None),
        ("null", None),
        ("NULL", None),
        ("nUll", "nUll"),
        ("true", True),
        ("False", False),
        ("tRue", "tRue"),
        ("010", 10),
        ("0o10", 8),
        ("0x1F", 31),
        ("-7", -7),
        ("+7", 7),
        ("1e3", 1000.0),
        ("1.", 1.0),
        (".5", 0.5),
        ("-1.5E-3", -0.0015),
        ("1.2.3", "1.2.3"),
        ("'1'", "1"),
        ('"null"', "null"),
        ("|\n  1\n", "1\n"),
        ("''", ""),
    ],
)
def test_values_by_the_core_schema(text: str, value: Any) -> None:
    found = loads(f"a: {text}", "d").data["a"]
    assert found == value
    assert type(found) is type(value)


def test_positions() -> None:
    document = loads("a:\n  - b: 1\n    'c': [x,\n      y]\n", "d.yaml")
    assert document.positions == {
        (): Position("d.yaml", 1, 1),
        ("a",): Position("d.yaml", 1, 1),
        ("a", 0): Position("d.yaml", 2, 5),
        ("a", 0, "b"): Position("d.yaml", 2, 5),
        ("a", 0, "c"): Position("d.yaml", 3, 5),
        ("a", 0, "c", 0): Position("d.yaml", 3, 11),
        ("a", 0, "c", 1): Position("d.yaml", 4, 7),
    }


def test_an_unknown_node_has_the_position_around_it() -> None:
    document = loads("a:\n  b: 1\n", "d")
    assert document.at(("a", "b", "c", 0)) == Position("d", 2, 3)
    assert document.at(("x",)) == Position("d", 1, 1)
    assert Document("d", {}, {}).at(("x",)) is None


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("", ["d:1:1: the file is empty [syntax]"]),
        ("# nothing\n", ["d:1:1: the file is empty [syntax]"]),
        (
            "a: 1\nb: 2\na: {c: &d 3}\n",
            ["d:3:1: key 'a' again; first at 1:1: keep one of them [duplicate-key]"],
        ),
        (
            "200: 1\n'200': 2\n",
            ["d:2:1: key '200' again; first at 1:1: keep one of them [duplicate-key]"],
        ),
        (
            "a: &x 1\nb: *x\n",
            [
                "d:1:4: anchor &x: anchors are not allowed [anchor]",
                "d:2:4: alias *x: not allowed; write the value itself [alias]",
            ],
        ),
        (
            "a:\n  <<: {b: 1}\n",
            ["d:2:3: merge key <<: not allowed; write the members themselves [merge-key]"],
        ),
        ("a: !x 1\n", ["d:1:4: tag !x: tags are not allowed [tag]"]),
        ("&a b: 1\n", ["d:1:1: key 'b' has an anchor or a tag [anchor]"]),
        ("? {a: 1}\n: 2\n", ["d:1:3: a key must be a string [key]"]),
        ("--- 1\n--- 2\n", ["d:2:1: a second document in one file [syntax]"]),
        ("a: .inf\n", ["d:1:4: .inf cannot be written in JSON [number]"]),
        ("a: .NaN\n", ["d:1:4: .NaN cannot be written in JSON [number]"]),
        ("a: 1e999\n", ["d:1:4: the number 1e999 is out of range [number]"]),
        ("a: \x07\n", ["d:1:4: a character that YAML does not allow: '\\x07' [syntax]"]),
    ],
)
def test_what_is_refused(text: str, errors: list[str]) -> None:
    with pytest.raises(PipelineError) as caught:
        loads(text, "d")
    assert [str(finding) for finding in caught.value.findings] == errors


@pytest.mark.parametrize("text", [".inf", "+.inf", "-.inf", "1e999", "-1e999", ".nan"])
def test_what_json_cannot_hold_is_the_nearest_that_it_can(text: str) -> None:
    """In documents of others; -.inf is no greater than anything."""
    most = None if text == ".nan" else -sys.float_info.max if text[0] == "-" else sys.float_info.max
    assert loads(f"a: {text}\n", "d", anchors=True).data == {"a": most}


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("a: [1\n", 2, 1), ("a:\n\tb: 1\n", 2, 1), ('{"a": "\\ud83d"}', 1, 10), ("a: b: c\n", 1, 5)],
)
def test_text_that_is_not_well_formed(text: str, line: int, column: int) -> None:
    with pytest.raises(PipelineError) as caught:
        loads(text, "d")
    (finding,) = caught.value.findings
    assert finding.position == Position("d", line, column)
    assert finding.rule == "syntax"


def test_deep_nesting_is_an_error_like_others() -> None:
    for text in ("[" * 5000 + "]" * 5000, "".join(" " * depth + "a:\n" for depth in range(5000))):
        with pytest.raises(PipelineError, match=r"d:\d+:\d+: nested more than 250 levels deep"):
            loads(text, "d")


def test_aliases_nest_no_deeper_than_what_is_written_out() -> None:
    """What an alias stands for counts with all that is inside of it, at the place of the alias."""

    def nested(levels: int) -> str:
        lines = [f"a{n}: &a{n} {{x: *a{n - 1}}}\n" for n in range(1, levels)]
        return "a0: &a0 {x: 1}\n" + "".join(lines)

    (last, *_) = reversed(loads(nested(249), "d", anchors=True).data.values())
    depth = 0
    while isinstance(last, dict):
        last, depth = last["x"], depth + 1
    assert (last, depth) == (1, 249)
    for levels in (250, 1000):
        with pytest.raises(PipelineError) as caught:
            loads(nested(levels), "d", anchors=True)
        assert str(caught.value) == "d:250:17: nested more than 250 levels deep [syntax]"


def test_a_file_is_read_without_its_mark_and_named_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes("\ufeffa: \u00e9\n".encode())
    document = load(path)
    assert document.name == str(path)
    assert document.data == {"a": "\u00e9"}
    assert document.at(("a",)) == Position(str(path), 1, 1)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match=r"none\.yaml:1:1: cannot read the file: No such file"):
        load(tmp_path / "none.yaml")


def test_a_file_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes("a: 1\n\u00e9b: ".encode() + b"\xff\n")
    with pytest.raises(PipelineError) as caught:
        load(path)
    assert str(caught.value) == f"{path}:2:5: the file is not UTF-8 [encoding]"


TEXT = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from("\x7f\x85\x9f\u2028\ufeff\uffff")
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    # YAML wants the end of a key within 1,024 characters; an escaped one may take twelve for one.
    lambda inner: st.lists(inner) | st.dictionaries(TEXT.filter(lambda key: len(key) < 80), inner),
    max_leaves=20,
)


@given(VALUES, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_json_round_trip(value: Any, ascii_only: bool, indent: Any) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert dumps(loads(text, "d").data) == dumps(value)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a: &x {b: 1}\nc: *x\n", {"a": {"b": 1}, "c": {"b": 1}}),
        ("a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\n", {"a": {"b": 1, "c": 2}, "d": {"c": 3, "b": 1}}),
        ("a: {<<: [{b: 1}, {b: 2, c: 3}]}\n", {"a": {"b": 1, "c": 3}}),
        ("a: {'<<': 1}\n", {"a": {"<<": 1}}),
    ],
)
def test_anchors_where_they_are_allowed(text: str, data: object) -> None:
    document = loads(text, "d", anchors=True)
    assert document.data == data
    assert bool(document.anchors) == ("'" not in text)


def test_aliases_that_grow_are_refused() -> None:
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(PipelineError, match="more than 1,000,000 values"):
        loads("\n".join(lines), "d", anchors=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [*x]\n", "unknown anchor"),
        ("a: {<<: 1}\n", "must name a mapping"),
    ],
)
def test_anchors_that_mean_nothing(text: str, said: str) -> None:
    with pytest.raises(PipelineError, match=said):
        loads(text, "d", anchors=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &x [1, *x, 2]\n", {"a": [1, 2]}),
        ("a: &x {b: 1, c: *x}\n", {"a": {"b": 1}}),
        ("a: &x {b: 1, <<: *x}\nd: *x\n", {"a": {"b": 1}, "d": {"b": 1}}),
        ("a: &x {b: &y [{c: *x, d: *y}]}\n", {"a": {"b": [{}]}}),
    ],
)
def test_an_alias_inside_of_what_it_stands_for_costs_no_more(text: str, value: Any) -> None:
    document = loads(text, "d", anchors=True)
    assert document.data == value
    found = [each for each in document.anchors if each.rule == "circle"]
    assert found and all("it is inside of what it stands for" in str(each) for each in found)
    with pytest.raises(PipelineError, match="inside of what it stands for"):
        loads(text, "d")


NOT_JSON = [
    ('{"a": 1,\n}', "d.json:1:8: a comma with nothing behind it"),
    ('{"a": [1,\n 2 ,]}', "d.json:2:4: a comma with nothing behind it"),
    ("{'a': 1}", "d.json:1:2: not JSON: "),
    ('{"a": "b\n c"}', "d.json:1:9: not JSON: "),
    ("a: 1", "d.json:1:1: not JSON: "),
]


@pytest.mark.parametrize(("text", "said"), NOT_JSON)
def test_a_json_file_that_is_none_is_named(text: str, said: str) -> None:
    document = loads(text, "d.json", anchors=True)
    assert [str(each)[: len(said)] for each in document.anchors] == [said]
    with pytest.raises(PipelineError) as caught:
        loads(text, "d.json")
    assert str(caught.value).startswith(said)
    assert loads(text, "d.yaml").data == document.data


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{\n  // "b": 2\n  "a": 1\n}', "d.json:2:3"),
        ('{"a": "http://b", /* c */ "d": 1}', "d.json:1:19"),
        ('{"a": 1,}\n// "b"', "d.json:2:1"),
    ],
)
def test_a_comment_in_json_is_refused(text: str, place: str) -> None:
    with pytest.raises(PipelineError) as caught:
        loads(text, "d.json", anchors=True)
    assert str(caught.value).startswith(f"{place}: JSON has no comments: take out what begins with")


def test_json_is_read_as_it_is() -> None:
    text = '{"a": "// b /* c", "d": {"e": [1, "/*"]}}'
    assert loads(text, "d.json", anchors=True).anchors == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)  # fmt: skip


@given(JSON)
def test_documents_are_written_as_json_writes_them(value: object) -> None:
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    assert dumps(value) == visible(text, lambda sign: json.dumps(sign)[1:-1])
    assert json.loads(dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("a: {type: string, description: Name: of it.}", 36),
        ("a: [Name: of: it]", 13),
        ("a: {b: c:}", 9),
        ("description: Name: of it.", 18),
        ("- 'Name': of: it", 13),
    ],
)
def test_a_colon_inside_of_a_text_asks_for_quotes(text: str, column: int) -> None:
    said = "a colon ends a name here: put quotes around a text that has one"
    with pytest.raises(PipelineError) as caught:
        loads(text, "a.yaml")
    assert str(caught.value) == f"a.yaml:1:{column}: {said} [syntax]"


def test_a_bracket_that_an_earlier_line_opens_is_no_matter_of_quotes() -> None:
    with pytest.raises(PipelineError, match=r"a\.yaml:2:2: did not find expected ',' or '\]'"):
        loads("a: [1, 2\nb: 3\n", "a.yaml")


def test_what_is_installed_or_hidden_is_no_file_of_ours(tmp_path: Path) -> None:
    ours = ["a.md", "b/c.py", "b/d/e.txt"]
    others = ["node_modules/x.md", "b/node_modules/y/z.md", ".venv/f.py", "b/.hidden", "b/.g/h.md"]
    for name in (*ours, *others):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert [*files_in(tmp_path)] == [tmp_path / name for name in ours]
    hidden = tmp_path / ".venv"
    assert [*files_in(hidden)] == [hidden / "f.py"] and [*files_in(hidden / "f.py")]
    assert not [*files_in(tmp_path / "gone")]
