"""Metrics of published posts."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.behaviour.metrics import ENGAGEMENTS, metric
from social_publishing_sandbox.state.behaviour.networks import NETWORKS, social_post_id

DOCUMENT = json.loads((files("social_publishing_sandbox") / "documents/main.json").read_bytes())
# The details here have what matters to metrics, and not all that a service sends of them.
del DOCUMENT["components"]["schemas"]["PostDetail"]["required"]
SCHEMA = {"$ref": "#/components/schemas/PostMetric", "components": DOCUMENT["components"]}
VALIDATOR = jsonschema_rs.validator_for(SCHEMA)
PUBLISHED = times.parse("2026-11-30T09:00:00Z")

GROWING = (
    "score",
    "views",
    "reach",
    *ENGAGEMENTS,
    "engagements",
    "video_views",
    "video_watch_time_total",
    "poll_votes",
    *(f"score_{number}" for number in range(1, 11)),
)
LI_POLL = {
    "question": "Which?",
    "option_1": "Rye",
    "option_2": "Spelt",
    "option_3": "",
    "option_4": None,
}

ages = st.integers(0, 400 * times.DAY)


@st.composite
def published(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], int]:
    """A detail, its post and its account, as they come out of a store; and a seed."""
    network = draw(st.sampled_from(sorted(NETWORKS)))
    form = draw(st.sampled_from(["feed", "video", "reel", "poll", "story"]))
    detail: dict[str, Any] = {
        "id": str(draw(st.integers(10**18, 2**64 - 1))),
        "published_at": times.text(PUBLISHED),
        "post_type": form,
        "content": draw(st.sampled_from(["Rye is back.", "Rye: https://rye.example/"])),
    }
    if form == "story":
        detail |= {
            "is_story": True,
            "stories": draw(st.lists(st.text("ab1"), max_size=4, unique=True)),
        }
    post = {"id": "10000000000000000001", "li_poll": LI_POLL, "tw_poll": ["Rye", "Spelt", None]}
    account = {
        "id": "9032915132417572869",
        "socialNetwork": network,
        "followers_count": draw(st.none() | st.integers(0, 10**9)),
    }
    return detail, post, account, draw(st.integers(0, 2**32))


@given(published(), ages)
def test_a_metric_is_what_the_documents_say(subject: Any, age: int) -> None:
    detail, post, account, seed = subject
    result = metric(detail, post, account, PUBLISHED + age, seed)
    VALIDATOR.validate(result)
    assert set(result) <= set(DOCUMENT["components"]["schemas"]["PostMetric"]["properties"])
    assert result["post_detail_id"] == detail["id"]
    assert result["postDetail"] == detail
    assert result["post_id"] == post["id"]
    assert result["social_account_id"] == account["id"]
    assert result["social_post_id"] == social_post_id(account["socialNetwork"], detail["id"], seed)


@given(published(), ages, st.integers(0, 30 * times.DAY))
def test_counts_never_shrink(subject: Any, age: int, later: int) -> None:
    detail, post, account, seed = subject
    before = metric(detail, post, account, PUBLISHED + age, seed)
    after = metric(detail, post, account, PUBLISHED + age + later, seed)
    assert set(before) == set(after)
    for name in GROWING:
        assert before.get(name, 0) <= after.get(name, 0), name


@given(published())
def test_half_of_all_views_come_in_half_a_life(subject: Any) -> None:
    """A story, which is gone after a day, has them after four hours, if its network is slower."""
    detail, post, account, seed = subject
    hours = NETWORKS[account["socialNetwork"]].half_life
    half = times.HOUR * (min(hours, 4) if detail.get("is_story") else hours)
    at_half, at_last = (
        metric(detail, post, account, PUBLISHED + age, seed)["views"]
        for age in (half, half * 999)  # of which 999 parts of 1,000 are there
    )
    assert at_half == pytest.approx(at_last * 1000 / 999 / 2, rel=1e-3, abs=2)


@given(published(), ages)
def test_the_numbers_agree_with_each_other(subject: Any, age: int) -> None:
    detail, post, account, seed = subject
    whole = metric(detail, post, account, PUBLISHED + age, seed)
    for one in [whole, *whole.get("items", [])]:
        views, engagements = one["views"], one["engagements"]
        assert all(type(value) is int for name, value in one.items() if "rate" in name)
        assert engagements == sum(one.get(part, 0) for part in ENGAGEMENTS)
        assert engagements <= one.get("reach", views) <= views
        assert one["engagement_rate_impressions"] == pytest.approx(
            100 * engagements / max(1, views), abs=0.5
        )
        assert ("reach" in one) == ("engagement_rate_reach" in one)
        if "reach" in one:
            assert one["engagement_rate_reach"] == pytest.approx(
                100 * engagements / max(1, one["reach"]), abs=0.5
            )
        if "video_views" in one:
            assert one["video_views"] <= views
            total, watched = one["video_watch_time_total"], one["video_views"]
            assert one["video_watch_time_avg"] == total // max(1, watched)
        if "poll_votes" in one:
            assert one["poll_votes"] == sum(map(int, one["poll_results"])) <= views


@pytest.mark.parametrize(
    ("network", "there", "not_there"),
    [
        ("youtube", {"dislikes", "video_views"}, {"quotes", "saves", "reach"}),
        ("instagram", {"saves", "reach", "follows"}, {"dislikes", "quotes", "post_link_clicks"}),
        ("twitter", {"quotes", "post_link_clicks"}, {"reach", "engagement_rate_reach"}),
        ("bluesky", {"quotes"}, {"video_views", "saves"}),
        ("pinterest", {"saves"}, {"dislikes", "quotes"}),
    ],
)
def test_a_network_has_the_fields_that_it_counts(
    network: str, there: set[str], not_there: set[str]
) -> None:
    detail = {"id": "10000000000000000123", "published_at": times.text(PUBLISHED)}
    account = {"id": "9032915132417572869", "socialNetwork": network, "followers_count": 20_000}
    at = PUBLISHED + times.DAY
    fields = set(metric({**detail, "post_type": "video"}, {"id": "1"}, account, at, 1))
    assert there <= fields
    assert not fields & not_there
    assert not {"poll_votes", "poll_results", "items"} & fields


def test_the_same_post_has_the_same_metrics(golden: Any) -> None:
    """In each form of each network, a day after it went out."""
    lines = []
    for name, network in NETWORKS.items():
        account = {"id": "9032915132417572869", "socialNetwork": name, "followers_count": 20_000}
        for form in network.forms.values():
            detail = {"id": "10000000000000000123", "published_at": times.text(PUBLISHED)}
            detail |= {"post_type": form, "content": "https://shop.example"}
            detail |= {"is_story": form == "story", "stories": ["a", "b"]}
            post = {"id": "1", "li_poll": LI_POLL, "tw_poll": ["Rye", "Spelt"]}
            found = metric(detail, post, account, PUBLISHED + times.DAY, 7)
            for item in found.pop("items", []):
                lines.append(f"{name} {form} {item['id']} {json.dumps(_numbers(item))}\n")
            lines.append(f"{name} {form} {json.dumps(_numbers(found))}\n")
    golden(Path(__file__).parent / "sessions" / "metrics.lines", "".join(lines))


def _numbers(found: dict[str, Any]) -> dict[str, Any]:
    numbers = {key: each for key, each in found.items() if isinstance(each, int | list)}
    return {key: each for key, each in numbers.items() if not key.startswith("score_")}


@pytest.mark.parametrize("number", range(2, 5))
@pytest.mark.parametrize("network", ["linkedin", "twitter"])
def test_a_poll_has_a_result_for_each_of_its_options(network: str, number: int) -> None:
    options = [f"Loaf {each}" for each in range(number)]
    post = {
        "id": "1",
        "li_poll": {f"option_{at}": text for at, text in enumerate(options, 1)},
        "tw_poll": options,
    }
    account = {"id": "9032915132417572869", "socialNetwork": network, "followers_count": 20_000}
    detail = {"id": "1", "published_at": times.text(PUBLISHED), "post_type": "poll"}
    found = metric(detail, post, account, PUBLISHED + times.DAY, 1)
    assert len(found["poll_results"]) == number


@pytest.mark.parametrize("detail", [{}, {"published_at": None}])
def test_what_is_not_published_has_no_metrics(detail: dict[str, Any]) -> None:
    account = {"id": "9032915132417572869", "socialNetwork": "twitter"}
    with pytest.raises(ValueError, match="10000000000000000123 is not published"):
        metric({"id": "10000000000000000123"} | detail, {"id": "1"}, account, PUBLISHED, 1)
