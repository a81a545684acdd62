"""References inside a document lead where their pointers say, and every reading of one ends."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.openapi.documents import found, pointer_text
from pipeline.openapi.references import followed, pointer_of, resolved, target

INDICES = st.sampled_from(["0", "1", "-1", "+1", "01", " 1", "1_0"])
TEXTS = st.text(max_size=5) | st.text("~/01a", max_size=5) | INDICES
KEYS = st.lists(TEXTS.filter(lambda each: "%" not in each), max_size=4)


@given(KEYS)
def test_a_pointer_is_read_as_it_is_written(keys: list[str]) -> None:
    reference = pointer_text(tuple(keys))
    assert pointer_of(reference) == tuple(keys)
    document: Any = "here"
    for key in reversed(keys):
        document = {key: document}
    assert target(document, reference) == tuple(keys)
    assert followed(document, {"$ref": reference}) == (tuple(keys), "here")
    for key in keys:  # of a list, also where another file has it
        assert found(["a", "b"], (key,)) == {"0": "a", "1": "b"}.get(key)
        assert target(["a", "b"], pointer_text((key,))) == {"0": (0,), "1": (1,)}.get(key)


@pytest.mark.parametrize("reference", ["other.json#/a", "#name", "", "a/b", None, 5])
def test_other_references_lead_nowhere(reference: Any) -> None:
    assert target({"a": {}, "#name": {}, "name": {}}, reference) is None
    assert followed({}, {"$ref": reference}, ("x",)) == (("x",), {})


def test_what_stands_beside_a_reference_wins_and_circles_end() -> None:
    document = {
        "list": [{"a": 1, "b": 1}],
        "one": {"$ref": "#/list/0", "b": 2},
        "round": {"$ref": "#/back", "a": 1},
        "back": {"$ref": "#/round", "b": 1},
    }
    assert resolved(document, {"$ref": "#/one", "c": 3}) == {"a": 1, "b": 2, "c": 3}
    assert followed(document, {"$ref": "#/one"}) == (("list", 0), document["list"][0])
    assert resolved(document, {"$ref": "#/round"}) == {"a": 1, "b": 1}
    assert followed(document, {"$ref": "#/round"})[1] == {}
    with pytest.raises(LookupError):
        resolved(document, {"$ref": "#/none"})
    with pytest.raises(LookupError):
        resolved(document, {"$ref": "#none"})
