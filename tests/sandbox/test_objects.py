"""Objects that control finds and makes: attributes with types, from the documents."""

from __future__ import annotations

import datetime as dt
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from social_publishing_sandbox import ControlError, Sandbox
from social_publishing_sandbox.control.objects import KINDS
from social_publishing_sandbox.documents.objects import Post
from social_publishing_sandbox.json_objects import Object, wire_name
from social_publishing_sandbox.state.documents import load


def fits(value: Any, type_: Any) -> bool:
    """Whether a value is one of a type, at every depth."""
    kind, of = get_origin(type_) or type_, get_args(type_)
    if kind is UnionType:
        return any(fits(value, each) for each in of)
    if kind is Any:
        return True
    if not isinstance(value, (int, float) if kind is float else kind):
        return False
    if kind is list:
        return all(fits(each, of[0]) for each in value)
    if kind is dict:
        return all(fits(each, of[1]) for each in value.values())
    if isinstance(value, Object):
        types = get_type_hints(kind).items()
        return all(fits(getattr(value, name), each) for name, each in types if name[0] != "_")
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_objects_of_the_world_have_their_promised_types(shared: Sandbox, kind: str) -> None:
    found = shared.find(kind)
    assert found
    for each in found:
        assert fits(each, KINDS[kind].shown), each


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_of_the_documents_is_an_attribute(shared: Sandbox, kind: str) -> None:
    wires = load().main.schema(KINDS[kind].schema)["properties"]
    (first, *_) = shared.find(kind)
    names = set(dir(first)) - set(dir(Object({})))
    assert wires.keys() <= {wire_name(type(first), each) for each in names}


def test_what_is_made_and_changed_comes_back_typed() -> None:
    with Sandbox(clock="frozen") as sandbox:
        date = sandbox.now + dt.timedelta(days=6)
        post = sandbox.create_post(
            content="We open on Monday.",
            status="SCHEDULED",
            publication_date=date,
            selected_account_ids=["threads:kornblume.bakery"],
        )
        assert (post.publication_date, post.content) == (date, "We open on Monday.")
        later = date + dt.timedelta(days=1)
        assert sandbox.reschedule(post.id, later).publication_date == later
        sandbox.advance(days=8)
        (detail,) = sandbox.read_post(post.id).details or ()
        assert (detail.post_id, detail.status) == (post.id, 40)


BEFORE_IT_IS_OUT = "NOT_SCHEDULE DRAFT REVIEW_REJECTED REVIEW_MISSED SCHEDULED"
STATES = {
    **{each: {"fail", "reschedule"} for each in BEFORE_IT_IS_OUT.split()},
    "IN_REVIEW": {"approve", "reject", "fail", "reschedule"},
    "IN_PROGRESS": {"fail"},
    "FAILED": {"reschedule"},
    "SKIPPED": {"reschedule"},
    "PUBLISHED": set(),
    "DELETED": set(),
}


@pytest.mark.parametrize("state", STATES)
def test_what_can_become_of_a_post_in_each_state(state: str) -> None:
    with Sandbox(clock="frozen") as sandbox:
        assert {*sandbox.service.transitions.name.values()} == {*STATES}
        given = {"assignee_ids": [sandbox.find("users", role="owner")[0].id]}
        moment = sandbox.now + dt.timedelta(days=-1 if state == "PUBLISHED" else 1)
        possible = set()
        for verb in ("approve", "reject", "fail", "reschedule"):
            post = sandbox.create_post(
                status=state,
                publication_date=moment,
                selected_account_ids=["threads:kornblume.bakery"],
                **(given if state == "IN_REVIEW" else {}),
            )
            more = [sandbox.now + dt.timedelta(days=9)] if verb == "reschedule" else []
            try:
                getattr(sandbox, verb)(post.id, *more)
            except ControlError as error:
                assert state in str(error)
            else:
                possible.add(verb)
        assert possible == STATES[state]


class Held(Object):
    numbers: list[int]
    moments: dict[str, dt.date | None]
    inner: list[Object]


def test_a_text_that_is_no_moment_is_given_as_it_is() -> None:
    given = {"numbers": ["x"], "moments": {"a": "soon", "b": "2026-12-01"}}
    held = Held(given)
    assert held.moments == {"a": "soon", "b": dt.date(2026, 12, 1)}
    assert (
        repr(held) == "Held(numbers=['x'], moments={'a': 'soon', 'b': datetime.date(2026, 12, 1)})"
    )
    assert Post({"published_at": "soon"}).published_at == "soon"


def test_what_is_nothing_in_a_list_or_a_map_stays_in_its_place() -> None:
    given = {
        "numbers": [0, 1, 0],
        "moments": {"a": "2026-12-01", "b": None},
        "inner": [{}, {"a": 0}],
    }
    held = Held(given)
    assert held.numbers == [0, 1, 0]
    assert held.moments == {"a": dt.date(2026, 12, 1), "b": None}
    assert [dict(each) for each in held.inner] == [{}, {"a": 0}]
    shown = "moments={'a': datetime.date(2026, 12, 1), 'b': None}, inner=[Object(), Object()]"
    assert repr(held) == f"Held(numbers=[0, 1, 0], {shown})" and repr(Held({})) == "Held()"
    assert {"numbers", "moments", "inner"} <= {*dir(held)}
    with pytest.raises(AttributeError, match=r"^Held\.numbers: what was read cannot be changed$"):
        held.numbers = []
    with pytest.raises(AttributeError, match=r"^Held has no attribute 'number'$"):
        _ = held.number  # type: ignore[attr-defined]
