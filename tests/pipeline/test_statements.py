"""What `spec/` states, and what is only assumed: two sides of the same place in the documents."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pipeline.config import load_config
from pipeline.openapi.bundle import bundle
from pipeline.openapi.documents import Document
from pipeline.steps import effective

ROOT = Path(__file__).parents[2]
GONE: Any = "nothing stands there"


@cache
def documents() -> dict[str, Document]:
    return dict(effective(load_config(ROOT / "pyproject.toml")).documents)


@cache
def stated(name: str) -> Document:
    return bundle(ROOT / "spec" / f"{name}.yaml")


def at(document: Document, *steps: str | int) -> Any:
    node = document.data
    for step in steps:
        if step not in (range(len(node)) if isinstance(node, list) else node):
            return GONE
        node = node[step]
    return node


def schema(name: str, *steps: str) -> tuple[str, ...]:
    return ("components", "schemas", name, *steps)


def field(name: str, member: str, *steps: str) -> tuple[str, ...]:
    return schema(name, "properties", member, *steps)


METRICS = [field("PostMetric", f"engagement_rate_{of}", "type") for of in ("reach", "impressions")]
EXPIRY = field("SocialAccount", "connection_expired_at", "type")
OVERVIEW = ("paths", "/widgets/dashboard/todos-posts/{groupId}", "get", "responses")
IDS = ("paths", "/posts-bulk", "delete", "parameters", 0)
MESSAGES = {
    name: f"#/components/{kind}/MessageError"
    for name, kind in (("main", "responses"), ("media", "schemas"))
}
TOKEN = ("responses", "401", "content", "application/json", "schema", "$ref")
UPLOADS = (("/upload", "post"), ("/upload/url/sync", "post"), ("/status/{mediaId}", "get"))


@pytest.mark.parametrize(
    ("document", "place", "value"),
    [
        *(("main", place, "integer") for place in METRICS),  # §2.4
        ("main", EXPIRY, ["string", "null"]),  # §2.7: "when not null"
        *((name, schema("Id", "format"), "uint64") for name in ("main", "media")),  # §2.1
    ],
)
def test_what_is_documented_stays_so(document: str, place: Any, value: Any) -> None:
    assert at(stated(document), *place) == value
    assert at(documents()[document], *place) == value


@pytest.mark.parametrize("name", ["GroupReplacement", "CalendarNoteReplacement"])
def test_a_replacement_has_all_fields(name: str) -> None:
    """§4.2, §4.4: "all fields must be included"."""
    found = documents()["main"]
    assert {*at(found, *schema(name, "required"))} == {*at(found, *schema(name, "properties"))}
    assert "x-assumed" not in at(found, *schema(name))


@pytest.mark.parametrize(
    ("document", "place", "value"),
    [
        ("main", (*IDS, "required"), True),
        ("main", schema("BulkDraftUpdate", "required"), ["is_draft", "post_ids"]),
        ("main", schema("SocialAccountMove", "required"), ["group_id"]),
        ("main", schema("CalendarNoteReschedule", "required"), ["start_date", "end_date"]),
        ("main", schema("LabelCreation", "required"), ["name"]),
        ("media", schema("MediaUrlUpload", "required"), ["file_url"]),
        *(("main", (*OVERVIEW, code, "$ref"), MESSAGES["main"]) for code in ("401", "403", "404")),
        *(("media", ("paths", *each, *TOKEN), MESSAGES["media"]) for each in UPLOADS),
    ],
)
def test_what_is_only_assumed(document: str, place: Any, value: Any) -> None:
    assert at(stated(document), *place) == GONE
    assert at(documents()[document], *place) == value


@pytest.mark.parametrize(
    ("place", "gap"),
    [
        (field("PostUpdate", "isDraft"), "updatePost.isDraft"),
        (field("PostUpdate", "isPublishNow"), "updatePost.isPublishNow"),
        (field("PostUpdate", "labelIds"), "updatePost.labelIds"),
        (field("PostUpdate", "customized"), "updatePost.nested"),
        (("paths", "/posts/{post}", "patch"), "updatePost.unsent"),
        (field("Post", "comments"), "include.fields"),
        (field("Post", "details"), "include.fields"),
        (field("SocialAccount", "connection_expired_at"), "account.expiry"),
        (field("PostsOverview", "scheduledPosts"), "post.group"),
        (("paths", "/posts/{postId}/metrics", "get"), "post.group"),
    ],
)
def test_what_words_say_by_assumption(place: Any, gap: str) -> None:
    """The description that `spec/` has says less, and the node names the gap."""
    found = documents()["main"]
    assert at(stated("main"), *place, "description") != at(found, *place, "description")
    assert gap in at(found, *place, "x-assumed")


@pytest.mark.parametrize(
    ("page", "gap"),
    [
        ("scheduling-and-time-zones", "updatePost.pastDate"),
        ("scheduling-and-time-zones", "draft.repeat"),
        ("recipes", "account.expiry"),
        ("recipes", "publishing.expired"),
        ("quickstart", "updatePost.pastDate"),
    ],
)
def test_a_guess_in_a_guide_names_its_gap(page: str, gap: str) -> None:
    assert f"`{gap}`" in (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert any(gap in documents()[name].data["x-gaps"] for name in ("main", "media"))
