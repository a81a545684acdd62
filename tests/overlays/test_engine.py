"""The engine through its Python interface: positions, changes, isolation, properties."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.openapi.documents import Document, Pointer, dumps, loads
from pipeline.openapi.overlay.applying import apply, carrier
from pipeline.openapi.overlay.model import MISSING, Overlay, log_lines
from pipeline.openapi.overlay.reading import load_overlay, parse_overlay
from pipeline.openapi.problems import Finding, PipelineError, Position

HEAD = "overlay: 1.1.0\ninfo: {title: T, version: '1'}\nactions:\n"


def overlay(actions: str) -> Overlay:
    return parse_overlay(loads(HEAD + actions, "o.yaml"))


def document(text: str) -> Document:
    return loads(text, "d.yaml")


def made(update: Any, target: str = "$", name: str = "o.json") -> Overlay:
    """Return an overlay of one update."""
    data = {
        "overlay": "1.1.0",
        "info": {"title": "T", "version": "1"},
        "actions": [{"target": target, "update": update}],
    }
    return parse_overlay(loads(dumps(data), name))


def containers(value: Any) -> set[int]:
    if isinstance(value, dict):
        return {id(value)}.union(*(containers(member) for member in value.values()))
    if isinstance(value, list):
        return {id(value)}.union(*(containers(member) for member in value))
    return set()


class TestPositions:
    def test_what_an_update_writes_stands_in_the_overlay(self) -> None:
        before = document("a:\n  b: 1\n  c: 2\nd: [1]\n")
        after, _ = apply(
            before,
            [overlay("- target: $\n  update:\n    a:\n      b: 3\n      e: {f: 4}\n    d: [2]\n")],
        )
        assert after.at(("a",)) == Position("d.yaml", 1, 1)
        assert after.at(("a", "b")) == Position("o.yaml", 7, 7)
        assert after.at(("a", "c")) == Position("d.yaml", 3, 3)
        assert after.at(("a", "e", "f")) == Position("o.yaml", 8, 11)
        assert after.at(("d", 0)) == Position("d.yaml", 4, 5)
        assert after.at(("d", 1)) == Position("o.yaml", 9, 9)

    def test_one_value_appended(self) -> None:
        after, _ = apply(document("d: []\n"), [overlay("- target: $.d\n  update: {a: 1}\n")])
        assert after.at(("d", 0)) == Position("o.yaml", 5, 3)
        assert after.at(("d", 0, "a")) == Position("o.yaml", 5, 12)

    def test_a_primitive(self) -> None:
        after, _ = apply(document("a: 1\n"), [overlay("- target: $.a\n  update: 2\n")])
        assert after.at(("a",)) == Position("o.yaml", 5, 3)

    def test_what_is_copied_stands_at_the_copy(self) -> None:
        after, _ = apply(
            document("a: {b: {c: [1]}}\nd: {}\n"), [overlay("- target: $.d\n  copy: $.a\n")]
        )
        for pointer in [("d", "b"), ("d", "b", "c"), ("d", "b", "c", 0)]:
            assert after.at(pointer) == Position("o.yaml", 5, 3)
        assert after.at(("a", "b")) == Position("d.yaml", 1, 5)

    def test_those_behind_a_removed_item_move_up(self) -> None:
        after, _ = apply(
            document("a:\n- 1\n- 2\n- {b: 3}\n"), [overlay("- {target: '$.a[0]', remove: true}\n")]
        )
        assert after.data == {"a": [2, {"b": 3}]}
        assert after.at(("a", 0)) == Position("d.yaml", 3, 3)
        assert after.at(("a", 1, "b")) == Position("d.yaml", 4, 4)
        assert ("a", 2) not in after.positions

    def test_a_stamp_stands_at_its_action(self) -> None:
        after, _ = apply(
            document("info: {title: A}\n"),
            [
                overlay(
                    "- target: $.info\n  update: {title: B}\n"
                    "  x-assumption: {gap: g, basis: seen, because: b}\n"
                )
            ],
        )
        assert after.data["info"]["x-assumed"] == ["g"]
        assert after.at(("info", "x-assumed")) == Position("o.yaml", 4, 3)
        assert after.at(("info", "x-assumed", 0)) == Position("o.yaml", 4, 3)

    def test_reusable_actions_stand_in_components(self) -> None:
        text = (
            "overlay: 1.2.0\ninfo: {title: T, version: '1'}\ncomponents:\n  actions:\n"
            "    a:\n      fields:\n        update: {b: 1}\n"
            "actions:\n- {$ref: '#/components/actions/a', target: $}\n"
            "- {$ref: '#/components/actions/a', target: $, update: {c: 1}}\n"
        )
        after, changes = apply(document("{}"), [parse_overlay(loads(text, "o.yaml"))])
        assert after.at(("b",)) == Position("o.yaml", 7, 18)
        assert after.at(("c",)) == Position("o.yaml", 10, 56)
        assert changes[0].action.position == Position("o.yaml", 9, 3)


@pytest.mark.parametrize(
    ("old", "new"),
    [("true", "1"), ("1", "true"), ("0", "false"), ("'1'", "1"), ("null", "''")],
)
def test_what_an_edit_is(old: str, new: str) -> None:
    """A value of another type is another value; the same one is no edit, what is added neither."""
    for before, after in ((old, new), (old, old)):
        update = f"- target: $\n  update: {{a: {after}, b: [{new}, {old}], c: {new}}}\n"
        _, (change,) = apply(document(f"a: {old}\nb: [2]\n"), [overlay(update)])
        places = [(each.pointer, each.position) for each in change.edits]
        expected = [(("a",), Position("o.yaml", 5, 12))] * (before != after)
        column = 12 + len(f"a: {after}, ")
        assert places == [*expected, (("b",), Position("o.yaml", 5, column + 4))]


def test_actions_as_they_are_read() -> None:
    update, remove, copied, nothing = overlay(
        "- {target: $.a, update: null, description: D, x-b: 1}\n"
        "- {target: $.a, remove: true}\n- {target: $.a, copy: $.b}\n- {target: $.a}\n"
    ).actions
    assert (update.kind, update.update, update.description) == ("update", None, "D")
    assert update.words == {"x-b": 1}
    assert update.gap is None
    assert (update.overlay, update.version) == ("o.yaml", (1, 1))
    assert update.positions == {(): Position("o.yaml", 4, 17)}
    assert (remove.kind, remove.update) == ("remove", MISSING)
    assert (copied.kind, copied.copy) == ("copy", "$.b")
    assert nothing.kind is None


def test_a_change_for_each_node_and_its_line() -> None:
    _, changes = apply(
        document("paths: {/a: {x: 1}, /b: {x: 2}}\n"),
        [overlay("- {target: '$.paths.*', update: {y: 1}}\n- {target: $..x, remove: true}\n")],
    )
    assert [(change.kind, change.pointer) for change in changes] == [
        ("update", ("paths", "/a")),
        ("update", ("paths", "/b")),
        ("remove", ("paths", "/a", "x")),
        ("remove", ("paths", "/b", "x")),
    ]
    assert log_lines(changes)[1:3] == [
        "o.yaml:4:3 update $.paths.* → #/paths/~1b",
        "o.yaml:5:3 remove $..x → #/paths/~1a/x",
    ]


def test_notes_only_when_not_strict() -> None:
    empty = overlay("- {target: $.none, update: 1}\n")
    with pytest.raises(PipelineError, match="selects nothing"):
        apply(document("{}"), [empty])
    notes: list[Finding] = []
    _, changes = apply(document("{}"), [empty], strict=False, notes=notes)
    assert changes == []
    assert [(note.severity, note.rule) for note in notes] == [("note", "overlay-no-match")]


def test_an_overlay_file_and_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("o.json").write_text(
        '{"overlay": "1.0.0", "info": {"title": "T", "version": "1"}, "extends": "a.yaml",'
        ' "actions": [{"target": "$", "remove": false}]}'
    )
    read = load_overlay(Path("o.json"))
    assert (read.name, read.actions[0].version) == ("o.json", (1, 0))
    assert read.extends == (tmp_path / "a.yaml").as_uri()


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        (("components", "schemas", "x-not-an-extension"), None),
        (("components", "x-data", "a"), ("components",)),
        (("paths", "/a", "get", "callbacks", "done"), None),
        (("paths", "/a", "get", "callbacks"), ("paths", "/a", "get")),
        (("paths", "/a", "get", "responses", "default"), None),
        (("paths", "/a", "get", "responses", "x-data"), ("paths", "/a", "get")),
        (("paths", "/a", "get", "responses"), ("paths", "/a", "get")),
        (("components", "links", "L", "parameters"), ("components", "links", "L")),
        (("components", "responses"), ("components",)),
        (("paths", "/a"), None),
        (("paths",), ()),
    ],
)
def test_who_carries_a_stamp(pointer: Pointer, expected: Pointer | None) -> None:
    data: Any = {}
    for key in reversed(pointer):
        data = {key: data}
    assert carrier(data, pointer) == (pointer if expected is None else expected)


SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab\u00e9~/", max_size=3)
NAMES = st.text("abc~/$. '", max_size=3)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)
NO_ARRAYS = st.recursive(
    SCALARS, lambda inner: st.dictionaries(NAMES, inner, max_size=3), max_leaves=12
)


@given(OBJECTS, OBJECTS)
def test_apply_touches_nothing_and_shares_nothing(data: dict[str, Any], update: Any) -> None:
    before = loads(dumps(data), "d.json")
    change = made(update)
    kept = copy.deepcopy((before.data, dict(before.positions), change.actions[0].update))
    try:
        after, _ = apply(before, [change], strict=False)
    except PipelineError:
        pass
    else:
        mine = containers(before.data) | containers(change.actions[0].update)
        assert not mine & containers(after.data)
    assert (before.data, dict(before.positions), change.actions[0].update) == kept


@given(OBJECTS, st.dictionaries(NAMES, NO_ARRAYS, max_size=4))
def test_merging_objects_is_idempotent(data: dict[str, Any], update: Any) -> None:
    before = loads(dumps(data), "d.json")
    try:
        once, _ = apply(before, [made(update)])
    except PipelineError:
        return
    twice, _ = apply(once, [made(update)])
    assert dumps(twice.data) == dumps(once.data)
    assert twice.positions == once.positions


@given(OBJECTS, OBJECTS)
def test_every_node_has_a_position_and_every_position_a_node(
    data: dict[str, Any], update: Any
) -> None:
    def pointers_of(value: Any) -> set[Pointer]:
        pointers: set[Pointer] = set()
        rest: list[tuple[Pointer, Any]] = [((), value)]
        while rest:
            at, node = rest.pop()
            pointers.add(at)
            if isinstance(node, dict):
                rest += [((*at, key), member) for key, member in node.items()]
            elif isinstance(node, list):
                rest += [((*at, index), member) for index, member in enumerate(node)]
        return pointers

    try:
        after, _ = apply(loads(dumps(data), "d.json"), [made(update)])
    except PipelineError:
        return
    assert set(after.positions) == pointers_of(after.data)


@given(OBJECTS)
def test_copying_everything_into_an_empty_object(data: dict[str, Any]) -> None:
    before = loads(dumps({"from": data, "to": {}}), "d.json")
    after, _ = apply(before, [overlay("- {target: $.to, copy: $.from}\n")])
    assert dumps(after.data) == dumps({"from": data, "to": data})


def test_a_document_without_positions() -> None:
    after, _ = apply(Document("d", {"a": 1}, {}), [overlay("- {target: $, update: {b: 2}}\n")])
    assert after.data == {"a": 1, "b": 2}
    assert after.positions == {("b",): Position("o.yaml", 4, 24)}
