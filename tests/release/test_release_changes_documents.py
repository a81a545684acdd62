"""Every kind of change of a document: its level and its sentence, both ways."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from release.changes import documents, gaps
from release.changes.change import Change, merged
from tests.support import yamls

Golden = Callable[[Path, str], None]
HERE = Path(__file__).parent / "changes"
TABLE = yamls.read((HERE / "documents.yaml").read_text(encoding="utf-8"))
CASES: dict[str, dict[str, Any]] = TABLE["cases"]


def edited(document: Any, edits: dict[str, Any]) -> Any:
    document = copy.deepcopy(document)
    for pointer, value in edits.items():
        if pointer == "first":
            continue
        *keys, last = [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]
        node = document
        for key in keys:
            node = node[int(key)] if isinstance(node, list) else node[key]
        if value == "removed":
            del node[int(last) if isinstance(node, list) else last]
        elif isinstance(node, list):
            node[len(node) if last == "-" else int(last) :] = [
                value,
                *([] if last == "-" else node[int(last) + 1 :]),
            ]
        else:
            node[last] = value
    return document


def sides(name: str) -> tuple[Any, Any]:
    before = edited(TABLE["document"], CASES[name].get("first", {}))
    return before, edited(before, CASES[name])


def differences(before: Any, after: Any) -> list[Change]:
    found = documents.compare({"main": before}, {"main": after})
    return [*found, *gaps.compare({"main": before}, {"main": after})]


def reported(changes: list[Change]) -> list[str]:
    return [
        f"{each.level:<8}  {each}" + f"  [{', '.join(each.gaps)}]" * bool(each.gaps)
        for each in merged(changes)
    ]


def test_every_case_is_reported_as_it_was(golden: Golden) -> None:
    lines = []
    for name in CASES:
        before, after = sides(name)
        lines += [name]
        lines += [f"  → {line}" for line in reported(differences(before, after))]
        lines += [f"  ← {line}" for line in reported(differences(after, before))]
        lines += [""]
    golden(HERE / "documents.txt", "\n".join(lines))


@pytest.mark.parametrize("name", CASES)
def test_each_change_is_noticed_and_nothing_else_is(name: str) -> None:
    before, after = sides(name)
    assert differences(before, before) == differences(after, after) == []
    assert differences(before, after)
    assert differences(after, before)


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/components/schemas/BookInput/type", "removed"),
        ("/components/schemas/BookInput/properties/shelfId/type", ["string"]),
    ],
)
def test_a_type_in_other_words_is_no_other_type(pointer: str, value: Any) -> None:
    after = edited(TABLE["document"], {pointer: value})
    found = [*differences(TABLE["document"], after), *differences(after, TABLE["document"])]
    assert [each.sentence for each in found] == ["has another description"] * 2


def reordered(node: Any, draw: Callable[[list[Any]], list[Any]]) -> Any:
    if isinstance(node, dict):
        return {key: reordered(node[key], draw) for key in draw(list(node))}
    return [reordered(each, draw) for each in node] if isinstance(node, list) else node


@settings(max_examples=25)
@given(st.data(), st.sampled_from(sorted(CASES)))
def test_the_order_of_keys_does_not_matter(data: st.DataObject, name: str) -> None:
    before, after = sides(name)
    shuffled = reordered(after, lambda keys: data.draw(st.permutations(keys)))
    assert reported(differences(before, shuffled)) == reported(differences(before, after))
    assert differences(after, shuffled) == []


@pytest.mark.parametrize("decided", ["main", "media", "both"])
def test_a_gap_of_two_documents_is_decided_by_either(decided: str) -> None:
    still = {"x-gaps": {"g": {"missing": "m"}}}
    entry = {"missing": "m", "basis": "guess", "because": "b"}
    now = {"x-gaps": {"g": entry}}
    after = {name: now if decided in (name, "both") else still for name in ("main", "media")}
    [change] = gaps.compare(dict.fromkeys(after, still), after)
    assert "g" in change.gaps or "`g`" in str(change)
    confirmed = {"x-gaps": {"g": {**entry, "evidence": "seen"}}}
    assert not [*gaps.compare(after, after)]
    assert [*gaps.compare(after, dict.fromkeys(after, confirmed))]


def test_references_that_go_round_end() -> None:
    node: dict[str, Any] = {"$ref": "#/components/schemas/Node"}
    schema = {
        "type": "object",
        "properties": {"next": node, "all": {"type": "array", "items": node}},
    }
    before = edited(TABLE["document"], {"/components/schemas/Node": schema})
    before["components"]["schemas"]["Book"]["properties"]["node"] = node
    after = edited(before, {"/components/schemas/Node/properties/name": {"type": "string"}})
    (found,) = documents.compare({"main": before}, {"main": after})
    assert str(found) == "`Node.name` is new"
    there = "#/components/schemas/Node/properties/next"
    schema["properties"]["next"] = {"type": "object", "properties": {"next": {"$ref": there}}}
    round_ = edited(before, {"/components/schemas/Node": schema})
    assert documents.compare({"main": round_}, {"main": round_}) == []
