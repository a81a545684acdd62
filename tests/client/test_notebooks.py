"""Models and lists as a notebook shows them."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import msgspec
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from social_publishing import AsyncSocialPublishing, SocialPublishing, models
from social_publishing._runtime.core.models import Keyed, ResponseModel
from social_publishing._runtime.plans.batching import Found

ODD = "<script>alert(1)</script> & \"'"
ARGUMENTS: Any = {
    "api_token": "t",
    "base_url": "http://a.test/v1",
    "media_url": "http://b.test/api/v1",
}
TEXTS = st.lists(st.text(max_size=200) | st.just(ODD), max_size=60)


def rows(shown: Any) -> list[list[str]]:
    page = BeautifulSoup(shown._repr_html_(), "html.parser")
    assert not page.find_all(["script", "b", "img"])
    title, *others = page.find_all("tr")
    assert title.find("th").get("colspan")
    return [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in others]


@given(TEXTS)
def test_each_item_is_a_row_and_its_text_is_text(texts: list[str]) -> None:
    posts = [models.Post(id=str(n), content=text) for n, text in enumerate(texts)]
    head, *found = rows(Found(posts)) if posts else [[]]
    assert len(found) == min(50, len(posts))
    assert head == [
        name for name in ("id", "content") if any(map(lambda p: getattr(p, name), posts[:50]))
    ]
    for row, post in zip(found, posts, strict=False):
        assert row[0] == post.id
        assert len(head) == 1 or "".join(row[1].split())[:20] == "".join(post.content.split())[:20]


def test_a_page_shows_its_items_and_a_model_its_fields() -> None:
    posts = [models.Post(id=str(n), name=ODD, status=models.PostStatus.DRAFT) for n in range(51)]
    page = models.PostPage(data=posts, meta=models.PageMeta(total=51))
    found = rows(page)
    assert len(found) == 51 and found[0] == ["id", "name", "status"]
    assert "51 items, the first 50" in page._repr_html_()
    assert rows(posts[1]) == [["id", "1"], ["name", ODD], ["status", "DRAFT"]]
    keyed = Keyed({"7": models.PostMetric(id="1", views=2)})
    keyed.others.append(models.PostMetric(id="3"))
    assert rows(keyed) == [["", "id", "views"], ["7", "1", "2"], ["", "3", ""]]


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5])
def test_a_page_has_little_beside_its_items(count: int) -> None:
    """Up to four fields with a value; what has more is a model that holds others."""
    names = [f"note_{n}" for n in range(count - 1)]
    kind = msgspec.defstruct(
        "Page", [(each, Any, None) for each in ("data", *names, "empty")], bases=(ResponseModel,)
    )
    items = [models.Post(id="1"), models.Post(id="2")]
    found = rows(kind(**{"data": items if count else None, **dict.fromkeys(names, "said")}))
    shown = [["id"], ["1"], ["2"]] if 0 < count <= 4 else [[each, "said"] for each in names]
    assert found[-len(shown) :] == shown or found == shown == []


@pytest.mark.parametrize("many", [-1, 0, 1])
def test_a_table_has_bounds(many: int) -> None:
    """50 rows, 40 columns, 100 characters; what is left out is said."""
    items = [models.Post(id=str(n), content="x" * (100 + many)) for n in range(50 + many)]
    head, *found = rows(Found(items))
    assert [row[0] for row in found] == [str(n) for n in range(min(50, 50 + many))]
    assert ("the first 50" in Found(items)._repr_html_()) is (many > 0)
    assert found[0][1] == ("x" * (100 + many) if many <= 0 else "x" * 99 + "…")
    names = [f"field_{n}" for n in range(40 + many)]
    wide = msgspec.defstruct("Wide", [(each, Any, 1) for each in names], bases=(ResponseModel,))
    head, row = rows(Found([wide()]))
    assert head == names[:40] and row == ["1"] * len(head)
    assert (f"40 of {40 + many} fields" in Found([wide()])._repr_html_()) is (many > 0)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_a_list_shows_its_first_page(count: int) -> None:
    requests = 0

    def answer(request: httpx2.Request) -> httpx2.Response:
        nonlocal requests
        requests += 1
        data = [{"id": str(n), "name": ODD} for n in range(count)]
        last = 2 if count == 3 else 1
        return httpx2.Response(
            200, json={"data": data, "meta": {"current_page": 1, "last_page": last}}
        )

    transport = httpx2.MockTransport(answer)
    with httpx2.Client(transport=transport) as http:
        client = SocialPublishing(http_client=http, retries=0, **ARGUMENTS)
        shown = client.posts.list(group_id="1")
        assert requests == 0
        found = rows(shown)
        assert requests == 1
        assert found[1:] == [[str(n), ODD] for n in range(count)]
        title = shown._repr_html_()
        wanted = client.posts.list(group_id="1", status=models.PostStatus.DRAFT)
        assert ODD not in BeautifulSoup(wanted._repr_html_(), "html.parser").get_text()
    assert ("of the first page" in title) == (count == 3)


def test_a_list_of_several_requests_is_a_table() -> None:
    note = {"id": "7", "title": ODD, "start_date": "2026-12-01T00:00:00Z"}
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, json=[note]))
    start = datetime(2026, 12, 1, tzinfo=UTC)
    with httpx2.Client(transport=transport) as http:
        client = SocialPublishing(http_client=http, **ARGUMENTS)
        for days in (1, 100):
            found = client.calendar_notes.list(
                group_id="1", start=start, end=start + timedelta(days)
            )
            assert isinstance(found, list) and [row[0] for row in rows(found)] == ["id", "7"]


def test_a_list_that_cannot_be_read_says_why() -> None:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(404, text=ODD))
    with httpx2.Client(transport=transport) as http:
        client = SocialPublishing(http_client=http, retries=0, **ARGUMENTS)
        page = BeautifulSoup(client.posts.list(group_id="1")._repr_html_(), "html.parser")
    assert "404" in page.get_text() and not page.find_all("script")
    lists = AsyncSocialPublishing(**ARGUMENTS).posts.list(group_id="1")
    assert "await" in BeautifulSoup(lists._repr_html_(), "html.parser").get_text()


def test_identifiers_of_other_things_come_last() -> None:
    post = models.Post(id="1", organization_id="2", user_id="3", name="name", content="text")
    [head, *_] = rows(Found([post, post]))
    assert head[0] == "id" and {*head[-2:]} == {"organization_id", "user_id"}


def test_every_model_can_be_shown() -> None:
    every = [getattr(models, name) for name in dir(models) if name[0].isupper()]
    shown = [kind for kind in every if hasattr(kind, "_repr_html_")]
    assert len(shown) > 20
    assert [kind for kind in shown if rows(msgspec.convert({}, kind))] == []


def test_an_import_does_not_load_it() -> None:
    code = (
        "import sys, social_publishing.models; print([m for m in sys.modules if 'notebooks' in m])"
    )
    path = {"PYTHONPATH": ":".join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", code], env=path, capture_output=True, text=True)
    assert ended.stdout.strip() == "[]", ended.stderr
