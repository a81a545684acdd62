"""What a plan says that a network would refuse is what the sandbox refuses, in the same words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from social_publishing_cli.catalogues import catalogue
from social_publishing_cli.plans.networks import changed, refusals
from social_publishing_sandbox.state import documents
from social_publishing_sandbox.state.behaviour import limits
from social_publishing_sandbox.state.behaviour.text import content_for, media_ids_for

ASSUME = documents.load().main.assume
NETWORKS = sorted(ASSUME["networks"])
LIMITS = {n: ASSUME["networks"][n]["limits"] for n in NETWORKS}


def near(name: str) -> st.SearchStrategy[Any]:
    """Draw nothing, any number, or one beside a limit that some network has."""
    known = sorted({each[name] for each in LIMITS.values() if name in each}) or [1]
    beside = st.tuples(st.sampled_from(known), st.sampled_from([-1, -0.01, 0, 0.01, 1]))
    return st.one_of(st.none(), beside.map(lambda pair: max(0, sum(pair))))


pictures = st.fixed_dictionaries(
    {"type": st.just(1), "height": st.sampled_from([None, 1000])},
    optional={
        "size": near("picture too large"),
        "width": st.sampled_from([None, 799, 800, 801, 1909, 1910, 1911]),
    },
)
videos = st.fixed_dictionaries(
    {"type": st.just(2)},
    optional={
        "size": near("video too large"),
        "duration": st.one_of(near("video too long"), near("video too short")),
    },
)
files = st.one_of(pictures, videos, st.just({"type": 4}))
PIECES = ["r", "é", "ライ", "\u2764\ufe0f", "👩\u200d👩\u200d👧", "☝🏽", "\n", " ", "🇩🇪"]
pieces = st.sampled_from(PIECES)
texts = st.one_of(
    st.none(),
    st.lists(pieces, max_size=12).map("".join),
    st.builds(
        lambda piece, count: piece * count,
        pieces,
        st.sampled_from([139, 140, 160, 280, 281, 500, 501]),
    ),
)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    media = {
        str(n): each | {"id": str(n)} for n, each in enumerate(draw(st.lists(files, max_size=12)))
    }
    accounts = {
        str(n): {
            "id": str(n),
            "name": draw(st.sampled_from([None, "", "Rye {limit} & Co"])),
            "username": "rye",
            "socialNetwork": network,
            "connection_expired_at": draw(st.sampled_from([None, None, "2026-12-01T00:00:00Z"])),
            "pi_default_board_id": draw(st.sampled_from([None, "b1"])),
        }
        for n, network in enumerate(draw(st.lists(st.sampled_from(NETWORKS), max_size=5)))
    }
    own = st.fixed_dictionaries(
        {},
        optional={"content": texts, "media_ids": st.one_of(st.none(), st.just(sorted(media)[:1]))},
    )
    post = {
        "content": draw(texts),
        "selectedAccountIds": sorted(accounts),
        "selected_media_ids": sorted(media),
        "customized": draw(
            st.one_of(st.none(), st.dictionaries(st.sampled_from(NETWORKS), own, max_size=3))
        ),
        "ig_post_type": draw(st.sampled_from([None, 1, 3])),
        "fb_post_type": draw(st.sampled_from([None, 3])),
        "pi_boards": draw(st.sampled_from([None, [], [None], ["b2"]])),
    }
    return post, accounts, media


@given(cases())
def test_a_plan_and_the_sandbox_say_the_same_of_every_post_and_account(case: Any) -> None:
    post, accounts, media = case
    planned = [each.reason for each in refusals(post, accounts, media)]
    refused = []
    for account in accounts.values():
        network = account["socialNetwork"]
        sent = [media[each] for each in media_ids_for(post, network)]
        refused.append(limits.refusal(content_for(post, network), post, account, sent, ASSUME, 0))
    assert planned == [each for each in refused if each]


@pytest.mark.parametrize("piece", [each for each in PIECES if each.strip()])
def test_a_text_weighs_the_same_on_both_sides(piece: str) -> None:
    account = {"id": "1", "name": "Rye", "socialNetwork": "twitter"}
    lengths = set()
    for count in (70, 140, 141, 280, 281):
        post = {"content": piece * count, "selectedAccountIds": ["1"]}
        planned = [each.reason for each in refusals(post, {"1": account}, {})]
        refused = limits.refusal(post["content"], post, account, [], ASSUME, 0)
        assert planned == ([refused] if refused else [])
        lengths.add(bool(refused))
    assert lengths == {False, True}


@pytest.mark.parametrize(
    ("units", "file", "refused"),
    [
        ({}, {"size": 1000, "duration": 60}, False),
        ({}, {"size": 1001, "duration": 60}, True),
        ({"size": "kilobytes"}, {"size": 1, "duration": 60}, False),
        ({"size": "kilobytes"}, {"size": 2, "duration": 60}, True),
        ({"size": "kibibytes"}, {"size": 1, "duration": 60}, True),
        ({"duration": "milliseconds"}, {"size": 1000, "duration": 60_000}, False),
        ({"duration": "milliseconds"}, {"size": 1000, "duration": 60_001}, True),
        ({"duration": "minutes"}, {"size": 1000, "duration": 1}, False),
        ({"duration": "minutes"}, {"size": 1000, "duration": 1.1}, True),
    ],
)
def test_a_plan_reads_files_in_their_units(units: Any, file: Any, refused: bool) -> None:
    assumed = json.loads(json.dumps(catalogue("assumed")["main"]))
    assert assumed["x-unit"]["Media"]["size"] == "bytes"
    assumed["x-unit"]["Media"] |= units
    assumed["x-assume"]["networks"]["threads"] = {
        "limits": {"video too large": 1000, "video too long": 60}
    }
    account = {"1": {"id": "1", "name": "Rye", "socialNetwork": "threads"}}
    post = {"selected_media_ids": ["2"], "selectedAccountIds": ["1"]}
    assert any(refusals(post, account, {"2": {"type": 2, **file}}, assumed)) == refused


@pytest.mark.parametrize(
    ("rule", "date", "is_refused"),
    [
        ("with any date", "2099-01-01T00:00:00Z", True),
        ("once past", "2099-01-01T00:00:00Z", False),
        ("once past", "2098-12-31T10:00:00Z", True),
        ("once past", "2098-12-31T10:00:01Z", False),
        ("once past", "2001-01-01T00:00:00Z", True),
    ],
)
def test_a_plan_sees_when_a_connection_is_renewed(rule: str, date: str, is_refused: bool) -> None:
    """What counts is the moment at which the post goes out, and now for one without."""
    assumed = json.loads(json.dumps(catalogue("assumed")["main"]))
    assumed["x-assume"]["accounts"]["renewal"] = rule
    account = {"id": "1", "name": "Rye", "socialNetwork": "threads", "connection_expired_at": date}
    dated = {
        "content": "r",
        "selectedAccountIds": ["1"],
        "publication_date": "2098-12-31T10:00:00Z",
    }
    undated = {**dated, "publication_date": None}
    assert any(refusals(dated, {"1": account}, {}, assumed)) == is_refused
    is_due = rule == "with any date" or date < "2098"
    assert any(refusals(undated, {"1": account}, {}, assumed)) == is_due


def test_the_command_has_what_the_documents_assume() -> None:
    assert catalogue("assumed")["main"]["x-assume"] == documents.load().main.data["x-assume"]


def test_the_column_that_has_the_text_is_named() -> None:
    account = {"1": {"id": "1", "name": "Rye", "socialNetwork": "threads"}}
    post = {"content": "r" * 501, "selectedAccountIds": ["1"]}
    own = changed(post, {"content": "short", "content[threads]": "r" * 501})
    back = changed(own, {"content[threads]": None})
    found = [[each.field for each in refusals(each, account, {})] for each in (post, own, back)]
    assert found == [["content"], ["content[threads]"], []]


def test_a_confirmed_limit_has_no_label_and_a_missing_one_refuses_nothing() -> None:
    account = {"1": {"id": "1", "name": "Rye", "socialNetwork": "threads"}}
    post = {"content": "r" * 501, "selectedAccountIds": ["1"]}
    assumed = json.loads(json.dumps(catalogue("assumed")["main"]))
    (refusal,) = refusals(post, account, {}, assumed)
    assert str(refusal).endswith("501 characters of at most 500. (assumed: networks.text)")
    assumed["x-assumed"].remove("networks.text")
    (refusal,) = refusals(post, account, {}, assumed)
    assert str(refusal).endswith("501 characters of at most 500.")
    del assumed["x-assume"]["networks"]["threads"]["limits"]["text too long"]
    assert not [*refusals(post, account, {}, assumed)]
