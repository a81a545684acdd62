"""What is confirmed to be gone takes with it all that overlays and words say of it, and no more."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pipeline import gaps
from pipeline.config import load_config
from pipeline.gaps.uses import ids, objects
from pipeline.lint import assumed, lint
from pipeline.openapi.bundle import bundle
from pipeline.openapi.documents import Document, Pointer, found, load, loads
from pipeline.openapi.overlay.applying import apply, removals
from pipeline.openapi.overlay.model import Action, Change, Overlay
from pipeline.openapi.overlay.reading import load_overlay, parse_overlay
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.preparing import leave_out_gone, prepare

ROOT = Path(__file__).parents[2]
CONFIG = load_config(ROOT / "pyproject.toml")
SOURCES = {source.name: source for source in CONFIG.sources}
WORDS = load(ROOT / "overlays/assume.schema.yaml")
KNOWN = "known.yaml"
TURNS = {"main": 8, "media": 2}


@cache
def document(name: str) -> Document:
    return bundle(SOURCES[name].path, [], ())


@cache
def overlays(name: str) -> tuple[Overlay, ...]:
    return tuple(map(load_overlay, SOURCES[name].overlay_files()))


@cache
def whole(name: str) -> tuple[Document, list[Change]]:
    return apply(document(name), overlays(name))


def overlay(*actions: dict[str, Any], name: str = KNOWN) -> Overlay:
    made = {"overlay": "1.1.0", "info": {"title": "a", "version": "1"}, "actions": actions}
    return parse_overlay(loads(json.dumps(made), name))


def removed(gap: str, target: str) -> dict[str, Any]:
    return {"target": target, "remove": True, "x-confirmed": {"gap": gap, "evidence": "Seen."}}


def errors(of: Document) -> list[Finding]:
    return [each for each in (*lint(of), *assumed(WORDS, of)) if each.severity == "error"]


def without(
    name: str, *confirmed: dict[str, Any], client: tuple[Overlay, ...] = ()
) -> tuple[Document, list[Finding]]:
    """An effective document from which things are gone, and notes."""
    given, known, notes = [*overlays(name), *client], overlay(*confirmed), list[Finding]()
    made, _ = apply(document(name), given, confirmed=[known], notes=notes)

    def staying(gone: Sequence[Action]) -> Document:
        left = tuple(each for each in known.actions if all(each is not e for e in gone))
        return apply(document(name), given, confirmed=[Overlay(KNOWN, left)])[0]

    made, more = leave_out_gone(made, removals(document(name), [known]), staying, errors)
    return made, [*notes, *more]


def target(pointer: Pointer) -> str:
    return "$" + "".join(f"[{json.dumps(each)}]" for each in pointer)


def of_gaps(name: str) -> Iterator[dict[str, Any]]:
    """The removal of every parameter and property of which something is not documented."""
    for pointer, node in objects(document(name).data):
        if ids(node.get("x-gap")) and ("in" in node or pointer[-2:-1] == ("properties",)):
            yield removed(ids(node["x-gap"])[0], target(pointer))


@pytest.mark.parametrize(
    ("name", "turn"), [(name, turn) for name in SOURCES for turn in range(TURNS[name])]
)
def test_whatever_is_gone_needs_no_other_change(name: str, turn: int) -> None:
    """No word names it then, be it of the client, assumed or documented; no gap is undecided."""
    gone = overlay(*[*of_gaps(name)][turn :: TURNS[name]])
    made, changes = apply(document(name), overlays(name), confirmed=[gone], notes=[])
    made, _ = leave_out_gone(made, gone.actions[:1], lambda _: whole(name)[0], errors)
    assert errors(prepare(made, confirmed=[KNOWN])[0]) == []
    both = {each: (made, changes) if each == name else whole(each) for each in SOURCES}
    documents = {each: of for each, (of, _) in both.items()}
    register = gaps.load_register(ROOT / "spec/gaps.yaml")
    assert gaps.check(register, documents, {each: by for each, (_, by) in both.items()}) == []


TASK, NETWORKS = (
    removed(f"deletePosts.{each}", f"$..parameters[?@['x-gap'] == 'deletePosts.{each}']")
    for each in ("task", "fromNetworks")
)
EVENT = removed("activity.event", "$.components.schemas.PostActivity.properties.event")
STAYS = "x-cli.shows.related.stays names what is not there"


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        ([NETWORKS], {"deletePosts.fromNetworks": [STAYS, "main.yaml"]}),
        ([TASK], {"deletePosts.task": ["main.yaml"]}),
        (
            [NETWORKS, EVENT],
            {
                "deletePosts.fromNetworks": [STAYS, "main.yaml"],
                "activity.event": ["x-cli.columns: event names", "required: event names"],
            },
        ),
    ],
)
def test_notes_tell_what_is_left_out_and_why(
    gone: list[dict[str, Any]], said: dict[str, list[str]]
) -> None:
    _, notes = without("main", *gone)
    for gap, texts in said.items():
        own = [str(each) for each in notes if f"since {gap} is confirmed at {KNOWN}" in str(each)]
        assert all(any(text in each for each in own) for text in texts) and own
    assert all(each.severity == "note" and each.message.endswith("left out") for each in notes)


def test_the_rest_of_a_word_stays() -> None:
    """Only what cannot do without what is gone goes with it."""
    made = without("main", NETWORKS, EVENT)[0].data["paths"]
    shows = made["/posts-bulk"]["delete"]["x-cli"]["shows"]
    assert shows["related"] == {
        "operation": "getSocialAccount",
        "ids": "selectedAccountIds",
        "column": "socialNetwork",
    }
    columns = made["/posts/{post}/activities"]["get"]["x-cli"]["columns"]
    assert columns == ["created_at", "user_id", "guest_name", "data"]


@pytest.mark.parametrize("word", ["columns", "confirm"])
def test_a_slip_stays_an_error(word: str) -> None:
    """What never was is no thing that is gone, though something else is."""
    slip = {"columns": ["created_at", "evnt"]} if word == "columns" else {"comfirm": "Sure?"}
    target = "$.paths['/posts/{post}/activities'].get"
    client = overlay({"target": target, "update": {"x-cli": slip}}, name="client.yaml")
    made, notes = without("main", NETWORKS, EVENT, client=(client,))
    (left,) = (e for e in errors(made) if e.position and e.position.file == "client.yaml")
    assert ("evnt" if word == "columns" else "comfirm") in left.message
    assert not any("evnt" in str(each) for each in notes)


@pytest.mark.parametrize("name", ["deletePosts.tsk", "deletePosts.from"])
def test_a_target_that_never_was_stays_an_error(name: str) -> None:
    target = f"$.paths['/posts-bulk'].delete.parameters[?@['x-gap'] == '{name}']"
    client = overlay({"target": target, "update": {"x-python-name": "a"}}, name="client.yaml")
    with pytest.raises(PipelineError, match=r"client.yaml:.* selects nothing"):
        without("main", NETWORKS, client=(client,))


def test_what_is_removed_and_written_again_is_not_gone() -> None:
    """What others assume of it is said of the new one."""
    properties = "$.components.schemas.PostUpdate.properties"
    labels = {"type": "array", "items": {"type": "string"}, "x-gap": ["updatePost.foreignLabels"]}
    again = {**removed("updatePost.labelIds", properties), "update": {"labelIds": labels}}
    del again["remove"]
    made, notes = without("main", removed("updatePost.labelIds", f"{properties}.labelIds"), again)
    now = found(made.data, ("components", "schemas", "PostUpdate", "properties", "labelIds"))
    assert now["items"] == {"type": "string"} and not any("labelIds" in str(e) for e in notes)
