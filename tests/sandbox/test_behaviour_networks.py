"""The fourteen networks, and what comes of publishing on them."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from social_publishing_sandbox.state import documents
from social_publishing_sandbox.state.behaviour.networks import (
    NETWORKS,
    Published,
    outcome,
    post_link,
    post_type,
    profile_link,
    social_post_id,
)
from social_publishing_sandbox.state.file_types import MediaType

DOCUMENT = documents.load().main.data
SCHEMAS = DOCUMENT["components"]["schemas"]
ASSUME = DOCUMENT["x-assume"]
PICTURE, VIDEO, PAPER = {"type": 1}, {"type": 2}, {"type": 4}

networks = st.sampled_from(sorted(NETWORKS))


def publish(
    network: str,
    *,
    content: str | None = "Rye is back.",
    media: list[dict[str, Any]] | None = None,
    post: dict[str, Any] | None = None,
    account: dict[str, Any] | None = None,
    assume: dict[str, Any] | None = None,
) -> Published | str:
    return outcome(
        {"id": "10000000000000000123"},
        {"id": "10000000000000000001", "content": content} | (post or {}),
        {
            "id": "9032915132417572869",
            "name": "Rye & Co",
            "username": "rye.co",
            "socialNetwork": network,
            "pi_default_board_id": "b1",
        }
        | (account or {}),
        [VIDEO] if media is None else media,
        seed=1,
        assume=ASSUME if assume is None else assume,
        now=0,
    )


def message(result: Published | str) -> str:
    assert isinstance(result, str), result
    assert re.fullmatch(r"[A-Z].*\.", result)
    return result


def test_the_networks_are_those_of_the_documents() -> None:
    assert list(NETWORKS) == SCHEMAS["Network"]["enum"]


def test_first_comments_are_for_the_networks_of_the_documents() -> None:
    documented = SCHEMAS["FirstComments"]["properties"]["customized"]["propertyNames"]["enum"]
    assert {name for name, known in NETWORKS.items() if known.first_comments} == set(documented)


def test_the_forms_are_those_of_the_documents() -> None:
    fields = SCHEMAS["Post"]["properties"]
    documented = {name for name in fields if name.endswith("_post_type")}
    assert {known.form_field for known in NETWORKS.values() if known.form_field} == documented
    for known in NETWORKS.values():
        if known.form_field is not None:
            reference = fields[known.form_field]["anyOf"][0]["$ref"].rpartition("/")[2]
            names = (name.lower() for name in SCHEMAS[reference]["x-enum-varnames"])
            assert dict(zip(SCHEMAS[reference]["enum"], names, strict=True)) == known.forms


@pytest.mark.parametrize("network", NETWORKS)
def test_a_sound_post_is_published(network: str) -> None:
    result = publish(network)
    assert isinstance(result, Published)
    assert result.social_post_id == social_post_id(network, "10000000000000000123", 1)
    assert result.link.endswith(f"/rye.co/status/{result.social_post_id}")
    assert result.stories == ()
    assert publish(network) == result


@pytest.mark.parametrize("network", NETWORKS)
def test_the_limit_of_text_is_the_last_length_that_passes(network: str) -> None:
    limit = ASSUME["networks"][network]["limits"]["text too long"]
    assert isinstance(publish(network, content="r" * limit), Published)
    assert f"{limit + 1:,}" in message(publish(network, content="r" * (limit + 1)))


SIZES = {
    "too many files": lambda number: [PICTURE] * number,
    "too many videos": lambda number: [VIDEO] * number,
    "picture too large": lambda number: [PICTURE | {"size": number}],
    "picture too wide": lambda number: [PICTURE | {"width": number * 1000, "height": 1000}],
    "picture too tall": lambda number: [PICTURE | {"width": number * 1000, "height": 1000}],
    "video too short": lambda number: [VIDEO | {"duration": number}],
    "video too long": lambda number: [VIDEO | {"duration": number}],
    "video too large": lambda number: [VIDEO | {"size": number}],
}


@pytest.mark.parametrize(
    ("network", "name"),
    [(n, limit) for n in NETWORKS for limit in ASSUME["networks"][n]["limits"] if limit in SIZES],
)
def test_each_limit_of_files_is_the_last_number_that_passes(network: str, name: str) -> None:
    limit = ASSUME["networks"][network]["limits"][name]
    files, is_least = SIZES[name], name in ("picture too tall", "video too short")
    step = 1 if isinstance(limit, int) else 0.01
    inside, outside = (step, -step) if is_least else (-step, step)
    for number in filter(None, (limit, limit + inside)):
        assert isinstance(publish(network, media=files(number)), Published)
    said = message(publish(network, media=files(limit + outside)))
    assert f"{limit:,}" in said
    assert f"{round(limit + outside, 2):,}" in said
    if name == "video too short":
        assert f"{limit:,}" in message(publish(network, media=files(0)))
    without = ASSUME | {"publishing": ASSUME["publishing"] | {"failures": []}}
    assert isinstance(publish(network, media=files(limit + outside), assume=without), Published)


def test_a_story_has_any_form_and_a_file_of_which_nothing_is_known_breaks_no_limit() -> None:
    tall = PICTURE | {"width": 9, "height": 16}
    assert "too tall" in message(publish("instagram", media=[tall]))
    assert isinstance(publish("instagram", media=[tall], post={"ig_post_type": 3}), Published)
    assert "too tall" in message(publish("instagram", media=[tall], post={"fb_post_type": 3}))
    assert isinstance(publish("instagram", media=[PICTURE]), Published)
    for number in (0, 1, 3):
        stories = publish("facebook", media=[PICTURE] * number, post={"fb_post_type": 3})
        assert isinstance(stories, Published) and len(stories.stories) == max(1, number)
    assert isinstance(publish("snapchat", media=[VIDEO]), Published)


@pytest.mark.parametrize("network", NETWORKS)
def test_only_some_networks_do_without_pictures(network: str) -> None:
    needy = {"instagram", "tiktok", "youtube", "pinterest", "snapchat", "dribbble"}
    for media in ([], [PAPER]):
        result = publish(network, media=media)
        if network in needy:
            assert ASSUME["networks"][network]["title"] in message(result)
        else:
            assert isinstance(result, Published)
    assert isinstance(publish(network, media=[PICTURE]), str) == (network == "youtube")
    assert isinstance(publish(network, media=[VIDEO]), Published)


@pytest.mark.parametrize("network", NETWORKS)
def test_a_connection_with_an_expiry_publishes_nothing(network: str) -> None:
    for date in ("1970-01-01T00:00:00Z", "2079-12-31T00:00:00Z"):
        assert "Rye & Co" in message(publish(network, account={"connection_expired_at": date}))
    assert isinstance(publish(network, account={"connection_expired_at": None}), Published)


@pytest.mark.parametrize("boards", [None, [], [None], [""]])
def test_a_pin_needs_a_board(boards: list[str | None] | None) -> None:
    no_default = {"pi_default_board_id": None}
    assert "board" in message(publish("pinterest", account=no_default, post={"pi_boards": boards}))
    assert isinstance(publish("pinterest", post={"pi_boards": boards}), Published)
    chosen = publish("pinterest", account=no_default, post={"pi_boards": [None, "b2"]})
    assert isinstance(chosen, Published)
    assert isinstance(publish("instagram", account=no_default), Published)


@given(networks, st.integers(0, 2**64 - 1), st.integers(0, 2**32))
def test_a_detail_has_one_identifier_of_its_own(network: str, detail: int, seed: int) -> None:
    identifier = social_post_id(network, str(detail), seed)
    assert identifier == social_post_id(network, str(detail), seed)
    assert identifier != social_post_id(network, str(detail + 1), seed)


@given(networks, st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
@example("tumblr", "rye/co?#")
def test_links_lead_nowhere_and_name_the_user(network: str, username: str) -> None:
    profile = urlsplit(profile_link(network, username))
    assert profile.scheme == "https"
    assert re.fullmatch(r"[a-z-]+\.example", profile.netloc)
    assert unquote(profile.path) == f"/{username}"
    assert profile.path.count("/") == 1
    link = post_link({"id": "1", "socialNetwork": network, "username": username}, "42")
    assert link == f"{profile_link(network, username)}/status/42"
    for nameless in ({}, {"username": None}, {"username": ""}):
        link = post_link({"id": "1", "socialNetwork": network, **nameless}, "42")
        assert link == f"{profile_link(network, '1')}/status/42"


@pytest.mark.parametrize(("network", "pictures"), [("facebook", ""), ("tiktok", "image_carousel")])
def test_the_first_of_several_files_says_what_form_a_post_has(network: str, pictures: str) -> None:
    image, video = {"type": MediaType.IMAGE}, {"type": MediaType.VIDEO}
    plain = pictures or post_type({}, network, [])
    assert plain != "video"
    assert [post_type({}, network, [video, *more]) for more in ([], [image])] == ["video"] * 2
    assert [post_type({}, network, [image, *more]) for more in ([], [video])] == [plain] * 2
