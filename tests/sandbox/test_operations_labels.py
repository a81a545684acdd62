"""Labels, as a client sees them (§4.5)."""

from __future__ import annotations

import pytest
from wire import Json, Wire

from social_publishing_sandbox import Sandbox


@pytest.mark.parametrize("name", ["New", "🥖", "a\0b", " x ", "x" * 100_000, "</script>"])
def test_a_new_label_is_for_all_groups(sandbox: Sandbox, wire: Wire, name: str) -> None:
    label = wire.post("/labels", {"name": name})
    assert (label["name"], label["group_id"]) == (name, None)
    assert label["color"] in range(1, 10)
    assert len(label["id"]) == 20
    newest = max(int(each["id"]) for each in sandbox.world()["labels"])
    assert int(label["id"]) == newest


@pytest.mark.parametrize("body", [{}, {"name": None}, {"name": ""}, {"name": "\t"}, {"name": 5}])
def test_a_label_needs_a_name(sandbox: Sandbox, wire: Wire, body: Json) -> None:
    before = sandbox.world()
    refused = wire.post("/labels", body, 422)
    assert (set(refused), list(refused["errors"])) == ({"message", "errors"}, ["name"])
    assert sandbox.world() == before


def test_a_name_that_is_taken_is_a_general_error(sandbox: Sandbox, wire: Wire) -> None:
    before = sandbox.world()
    refused = wire.post("/labels", {"name": "News"}, 400)
    assert set(refused) == {"title", "message", "e_code"}
    assert sandbox.world() == before
    assert wire.post("/labels", {"name": "Rolls"})["group_id"] is None  # a group's own is another


def test_a_deleted_label_leaves_every_post(
    sandbox: Sandbox, wire: Wire, known: dict[str, str]
) -> None:
    labels = [known["Rolls"], known["News"]]
    account = known["threads:bread"]
    marked = [
        sandbox.create_post(selectedAccountIds=[account], labelIds=labels, status=status)["id"]
        for status in ("DRAFT", "PUBLISHED", "FAILED")
    ]
    plain = sandbox.create_post(selectedAccountIds=[account], labelIds=[known["News"]])["id"]
    response = wire("DELETE", f"/labels/{known['Rolls']}")
    assert (response.status_code, response.content) == (204, b"")
    listed = wire.get(f"/posts?groupId={known['Bakery']}&include=labels")["data"]
    assert {each["id"] for each in listed} == {*marked, plain}
    assert all([label["name"] for label in each["labels"]] == ["News"] for each in listed)
    for post, last in ((marked[0], "removedLabel"), (plain, "createdPost")):
        assert wire.get(f"/posts/{post}/activities")["data"][0]["event"] == last
    wire.delete(f"/labels/{known['Rolls']}", 404)
    refused = wire.patch(f"/posts/{plain}", {"labelIds": [known["Rolls"]]}, 422)
    assert list(refused["errors"]) == ["labelIds.0"]
    Sandbox(sandbox.world()).close()  # in which no post has a label that is not there


def test_who_may_make_and_delete_labels(
    sandbox: Sandbox, wire: Wire, known: dict[str, str]
) -> None:
    before = sandbox.world()
    for response in (
        wire.of("cleo").post("/labels", {"name": "x"}, 403),
        wire.of("cleo").delete(f"/labels/{known['News']}", 403),
        wire.of("tom").delete(f"/labels/{known['Tyres']}", 403),
        wire.of("nobody").post("/labels", {"name": "x"}, 401),
        wire.of("nobody").delete(f"/labels/{known['News']}", 401),
    ):
        assert list(response) == ["message"]
    assert sandbox.world() == before
    wire.of("tom").delete(f"/labels/{known['Rolls']}")


@pytest.mark.parametrize("label", ["0", "x", "18446744073709551615", "9" * 20])
def test_an_unknown_label(wire: Wire, label: str) -> None:
    assert list(wire.delete(f"/labels/{label}", 404)) == ["message"]
