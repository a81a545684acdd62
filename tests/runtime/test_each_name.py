"""Every name of a table, every limit from below, at and above it, and two of what is chosen."""

from __future__ import annotations

import itertools
import sys
import warnings
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from runtime.core import drift, waits
from runtime.core.deadline import Deadline
from runtime.core.drift import Drift, DriftWarning, DriftWatch, report_drift
from runtime.core.enums import IntCode, TextCode
from runtime.core.errors import (
    ArgumentError,
    Batch,
    ClientError,
    ConfigurationError,
    Exchange,
    PartialFailure,
    StatusError,
    shortened,
)
from runtime.core.notebooks import items_as_html
from runtime.core.undocumented import Documented, explained
from runtime.core.waits import Wait, WatchedClock
from runtime.engine.credentials import Credential, Secret, written_into
from runtime.engine.oauth import ClientCredentials, RefreshToken, locate
from runtime.engine.servers import ServerChoice, ServerVariable
from runtime.limits.header_values import read_reset
from runtime.limits.rates import RateRule, read_rate, read_retry_after, unreadable_headers
from runtime.limits.retries import (
    DEFAULT_RETRIES,
    Retries,
    is_transient,
    jittered_backoff,
    may_have_been_applied,
)
from runtime.plans.filters import Keep, keeping
from runtime.plans.paging import Pages
from runtime.response.raw import request_id
from runtime.transport.middleware import Attempt
from runtime.transport.pool import AsyncPoolResponse, PoolResponse
from runtime.transport.telemetry import _facts, _noted
from runtime_support import BASE, request, settings

from tests.support.clock import EPOCH, StillClock

MOMENT = datetime(2026, 12, 1, 9, tzinfo=UTC)
BEFORE, AFTER = MOMENT - timedelta(microseconds=1), MOMENT + timedelta(microseconds=1)


# What a list keeps


@pytest.mark.parametrize(
    ("how", "value", "kept"),
    [
        ("equal", MOMENT, [MOMENT]),
        ("equal", [BEFORE, AFTER], [BEFORE, AFTER]),
        ("equal", [], []),
        ("from", MOMENT, [MOMENT, AFTER]),
        ("before", MOMENT, [BEFORE]),
    ],
)
def test_what_is_kept_of_a_list(how: Any, value: Any, kept: list[Any]) -> None:
    keeps = keeping("a.list", Keep("a", value, "at", how), Keep("b", UNSET, "x", "before"))
    assert keeps is not None
    items = [SimpleNamespace(at=each) for each in (BEFORE, MOMENT, AFTER, None, UNSET)]
    assert [each.at for each in items if keeps(each)] == kept
    assert not keeps(SimpleNamespace())
    assert keeping("a.list", Keep("a", UNSET, "at", how)) is None  # all of them


def test_an_item_is_kept_that_fulfils_all_conditions() -> None:
    """An empty range is none; one that ends before it starts is refused."""
    conditions = Keep("a", MOMENT, "at", "from"), Keep("b", AFTER, "at", "before")
    keeps = keeping("a.list", *conditions, Keep("c", "x", "name", "equal", str))
    assert keeps is not None
    for at, name in itertools.product((BEFORE, MOMENT, AFTER), "xy"):
        assert keeps(SimpleNamespace(at=at, name=name)) is (at == MOMENT and name == "x")
    same = keeping("a.list", conditions[0], Keep("b", MOMENT, "at", "before"))
    assert same is not None
    assert not any(map(same, (SimpleNamespace(at=at) for at in (BEFORE, MOMENT, AFTER))))
    with pytest.raises(ArgumentError) as refusal:
        keeping("a.list", conditions[0], Keep("b", BEFORE, "at", "before"))
    assert [str(e) for e in refusal.value.problems] == [
        "b: must not be before a, 2026-12-01T09:00:00+00:00"
    ]
    keeping("a.list", conditions[0], Keep("b", BEFORE, "other", "before"))


@pytest.mark.parametrize(("value", "places"), [("a", ["a"]), (["x", 1, "y", 2], ["a[1]", "a[3]"])])
def test_a_condition_that_is_none_is_named_where_it_stands(value: Any, places: list[str]) -> None:
    kind = int if value == "a" else str
    with pytest.raises(ArgumentError) as refusal:
        keeping("b.list", Keep("a", value, "name", "equal", kind))
    assert refusal.value.operation == "b.list"
    assert [each.argument for each in refusal.value.problems] == places


# Numbers of header fields


@pytest.mark.parametrize(
    ("form", "digits", "unit"), [("seconds", 11, 1), ("milliseconds", 14, 1000)]
)
def test_how_many_digits_a_time_of_reset_may_have(form: str, digits: int, unit: int) -> None:
    for number in range(1, 17):
        value = 10 ** (number - 1)
        assert read_reset(str(value), form) == (value / unit if number <= digits else None)


@pytest.mark.parametrize("status", [428, 429, 430, 502, 503, 504])
@pytest.mark.parametrize("own", [429, 503])
def test_which_status_says_that_there_were_too_many(own: int, status: int) -> None:
    rule = RateRule(60, 60.0, "l", "r", "t", status=own)
    assert rule.refused(status) is (status in (own, 429))
    assert rule.refused(None) is False
    kind = type("Refused", (StatusError,), {"_over_rate": own})
    error: StatusError = kind(Exchange("a.b", "POST", BASE, status), {"message": "slow"})
    assert error.over_rate is rule.refused(status)
    assert is_transient(error) is (status in (429, 502, 503, 504))
    is_sure = status in (428, 429, own)  # a write was refused, and not lost
    assert may_have_been_applied(error, "*/*") is not is_sure


DAY = 86_400


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("-1", None), ("0", None), ("1", 1.0), (str(DAY - 1), DAY - 1.0), (str(DAY), float(DAY)),
        (str(DAY + 1), float(DAY)), ("9" * 30, float(DAY)), ("", None), ("1.5", None),
    ],
)  # fmt: skip
def test_how_long_a_service_may_ask_to_wait(text: str, seconds: float | None) -> None:
    rule = RateRule(60, 60.0, "l", "r", "t", wait="w")
    assert read_retry_after(None, {"retry-after": text}, EPOCH) == seconds
    assert read_retry_after(rule, {"retry-after": text}, EPOCH) == seconds
    assert read_retry_after(rule, {"w": text, "retry-after": "9"}, EPOCH) == seconds


@pytest.mark.parametrize("name", ["l", "r", "t", "retry-after", "w"])
def test_each_header_that_cannot_be_read_is_named(name: str) -> None:
    rule = RateRule(60, 60.0, "l", "r", "t", wait="w")
    sound = {"l": "60", "r": "0", "t": "1", "retry-after": "1", "w": "1"}
    assert [*unreadable_headers(rule, sound)] == []
    other = {"t": "1" * 14, "retry-after": "Fri, 15 Jan 2027 08:08:20 GMT"}
    assert [*unreadable_headers(rule, sound | other)] == []
    named = [(each, said) for each, said, _ in unreadable_headers(rule, {**sound, name: "soon"})]
    assert named == [(name, "soon")]
    without = [*unreadable_headers(None, {**sound, name: "soon"})]
    assert len(without) == (name == "retry-after")


@pytest.mark.parametrize(
    ("reset", "is_usable"),
    [("0", True), (str(DAY), True), (str(DAY + 1), False), ("999999", False), ("1000000", False)],
)
def test_how_far_the_end_of_a_window_may_be(reset: str, is_usable: bool) -> None:
    rule = RateRule(60, 60.0, "l", "r", "t")
    read = read_rate(rule, {"l": "0", "r": "-1", "t": reset}, EPOCH, 0.0)
    assert (read.limit, read.remaining) == (None, 0)
    assert (read.end is not None) is is_usable
    by_date = read_rate(rule, {"t": str(int(EPOCH) + int(reset))}, EPOCH, 0.0).end
    assert (by_date is not None) is (int(reset) < DAY)  # with a second for rounding


@pytest.mark.parametrize("failures", range(1, 40))
def test_a_pause_doubles_up_to_the_longest(failures: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.random", lambda: 1.0)
    longest = Retries(first_pause=0.5, longest_pause=1e12)
    assert jittered_backoff(longest, failures) == 0.5 * 2.0 ** min(failures - 1, 30)
    assert jittered_backoff(DEFAULT_RETRIES, failures) == min(0.5 * 2 ** (failures - 1), 8.0)


# Deadlines


@pytest.mark.parametrize("passed", [9.0, 10.0, 11.0])
def test_a_deadline_from_before_at_and_after_its_end(passed: float) -> None:
    clock = StillClock(5.0)
    deadline, free = Deadline(10.0, clock), Deadline(None, clock)
    clock.time += passed
    left = max(0.0, 10.0 - passed)
    assert (deadline.left, deadline.is_over) == (left, passed >= 10)
    assert (free.left, free.is_over) == (None, False)
    for pause in (left - 0.5, left, left + 0.5):
        assert deadline.allows(pause) is (pause < left) and free.allows(pause)
        assert (deadline.sooner(pause) is deadline) is (left <= pause)
        assert free.sooner(pause).left == max(0.0, pause)
    assert deadline.sooner(None) is deadline and free.sooner(None) is free
    assert deadline.or_else(1.0) is deadline and free.or_else(1.0).left == 1.0


# Waits


@pytest.mark.parametrize(
    ("seconds", "is_new"), [(5.0, False), (6.0, False), (6.5, True), (1, False)]
)
def test_an_end_that_moves_by_a_second_is_not_reported_again(seconds: float, is_new: bool) -> None:
    seen: list[Wait] = []
    watched = WatchedClock(StillClock(), seen.append, "a.b", "retry")
    for wait in (0.0, -1.0, 5.0, seconds):
        watched.expect(wait)
    assert [each.seconds for each in seen] == [5.0, seconds][: 1 + is_new]
    assert seen[0].until.timestamp() == EPOCH + 5


def test_what_stands_in_the_place_of_a_terminal_shows_no_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal, other = SimpleNamespace(isatty=lambda: True), SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(sys, "__stderr__", terminal)
    monkeypatch.setattr(sys, "stderr", terminal)
    assert waits._terminal() is terminal
    monkeypatch.setattr(sys, "stderr", other)
    assert waits._terminal() is None


# Names of a request


IDS = ("x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray")


@pytest.mark.parametrize("first", range(len(IDS)))
def test_of_several_names_of_a_request_the_first_is_taken(first: int) -> None:
    assert request_id({name: name for name in reversed(IDS[first:])}) == IDS[first]
    assert request_id({f"a-{IDS[first]}": "x"}) is None


@pytest.mark.parametrize("kind", [PoolResponse, AsyncPoolResponse])
@pytest.mark.parametrize("status", [199, 200, 201, 298, 299, 300])
def test_which_statuses_are_a_success(kind: Any, status: int) -> None:
    """RFC 9110 §15.3, for both clients alike."""
    came = SimpleNamespace(status=status, headers=[], extensions={}, stream=None)
    assert kind(came).is_success is (200 <= status <= 299)


# Spans


@pytest.mark.parametrize("status", [200, 299, 399, 400, 404, 499, 500, 599])
def test_from_which_status_on_a_span_has_failed(status: int) -> None:
    attributes: dict[str, Any] = {}
    span = SimpleNamespace(set_attribute=attributes.__setitem__, set_status=lambda _: None)
    pytest.importorskip("opentelemetry.trace")
    exchange = Exchange("a.b", "GET", BASE, status)
    assert _noted(span, exchange) is exchange
    failed = {"error.type": str(status)} if status >= 400 else {}
    assert attributes == {"http.response.status_code": status, **failed}


@pytest.mark.parametrize(
    ("url", "port"),
    [("https://a.test/v1", 443), ("http://a.test/v1", 80), ("http://a.test:443/v1", 443),
     ("https://a.test:80/v1", 80)],
)  # fmt: skip
@pytest.mark.parametrize("number", [1, 2, 3])
def test_where_an_attempt_goes_and_how_often(url: str, port: int, number: int) -> None:
    facts = _facts(Attempt("a.b", number, "GET", url, {}, None, 1.0))
    assert (facts["server.address"], facts["server.port"]) == ("a.test", port)
    assert facts.get("http.request.resend_count", 0) == number - 1


# Servers


def chosen(given: Any = None, base: Any = None, follows: Any = None, **values: Any) -> Any:
    """The address that is chosen among two, and what is wrong."""
    variables = {
        "zone": ServerVariable("zone", values.get("zone"), "eu", ("eu", "us")),
        "port": ServerVariable("port", values.get("port"), "1"),
        "kind": ServerVariable("kind", values.get("kind"), "k", shared=True),
    }
    addresses = {"first": "https://{zone}.one.dev/{kind}/", "second": "https://two.dev:{port}/v1/"}
    problems: list[str] = []
    choice = ServerChoice("server", given, addresses, variables, "base_url", follows)
    return choice.address(base, problems), problems


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ({}, None),
        ({"given": "first"}, "https://eu.one.dev/k"),
        ({"given": "second"}, "https://two.dev:1/v1"),
        ({"given": "second", "port": "2"}, "https://two.dev:2/v1"),
        ({"zone": "us"}, "https://us.one.dev/k"),
        ({"kind": "m"}, "https://eu.one.dev/m"),
        ({"follows": "second"}, "https://two.dev:1/v1"),
        ({"follows": "second", "given": "first"}, "https://eu.one.dev/k"),
        ({"follows": "other", "zone": "us"}, "https://us.one.dev/k"),
        ({"follows": "other"}, None),
        ({"given": "second", "kind": "m"}, "https://two.dev:1/v1"),
        ({"base": "https://x.dev"}, None),
        ({"base": "https://x.dev", "kind": "m"}, None),
    ],
)
def test_the_address_that_is_chosen(given: dict[str, Any], address: str | None) -> None:
    assert chosen(**given) == (address, [])
    made = settings(
        addresses={"main": (given.get("base"), "base_url", "T_NONE", "")},
        defaults={"main": "https://usual.dev"},
        servers={"main": lambda _, problems: chosen(**given)[0]},
    )
    assert made.addresses == {"main": address or given.get("base", "https://usual.dev")}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"given": "third"}, "server must be 'first' or 'second', got 'third'"),
        ({"given": 1}, "server must be 'first' or 'second', got 1"),
        ({"zone": "uk"}, "zone must be 'eu' or 'us', got 'uk'"),
        ({"given": "second", "port": ""}, "port must be a part of an address, got ''"),
        ({"given": "second", "port": "1?"}, "port must be a part of an address, got '1?'"),
        ({"given": "second", "zone": "us"}, "zone is no part of the server 'second'"),
        ({"port": "2"}, "port is no part of the server 'first'"),
        ({"base": "b", "given": "first", "zone": "us"},
         "base_url is a whole address: leave out server and zone"),
    ],
)  # fmt: skip
def test_an_address_that_cannot_be_chosen(given: dict[str, Any], problem: str) -> None:
    assert chosen(**given)[1] == [problem]


# Credentials


def test_each_secret_goes_to_its_own_place() -> None:
    places = ("bearer", "basic", "header", "query", "cookie")
    kept = {"Authorization": "old", "X-Key": "old", "Cookie": "a=1"}
    for place in places:
        secret = Secret(Credential("token", "T", "s/1", place, "x-key"), "s/1")  # type: ignore[arg-type]
        headers, query = written_into(dict(kept), [secret])
        expected = {
            "bearer": {**kept, "Authorization": "Bearer s/1"},
            "basic": {**kept, "Authorization": "Basic s/1"},
            "header": {"Authorization": "old", "x-key": "s/1", "Cookie": "a=1"},
            "query": kept,
            "cookie": {**kept, "Cookie": "a=1; x-key=s/1"},
        }[place]
        assert headers == expected
        assert query == ("x-key=s%2F1" if place == "query" else "")


@pytest.mark.parametrize(
    ("place", "fitting", "wrong"),
    [
        ("bearer", ["a", "a:/+~!"], ["a b", "ä", "a\n", "\x7f"]),
        (
            "basic",
            [("a", "b"), "a:b:c", ("a b", "ä"), ":"],
            [("a:b", "c"), "ab", "a:\n", "a\x00:b"],
        ),
        ("header", ["a", "a b", "a:;,~"], [" a", "a ", "a\tb", "ä"]),
        ("query", ["a", " a ", "~&="], ["ä", "a\n"]),
        ("cookie", ["a", "!#+-:<[]~"], ["a b", 'a"', "a,b", "a;b", "a\\b", "ä"]),
    ],
)
def test_what_each_place_can_carry(place: Any, fitting: list[Any], wrong: list[Any]) -> None:
    for value, is_fit in (*((e, True) for e in fitting), *((e, False) for e in (*wrong, 7))):
        problems: list[str] = []
        Credential("key", "KEY", value, place, "k").read(problems)
        assert bool(problems) is not is_fit, (value, problems)


@pytest.mark.parametrize(
    ("base", "urls", "found"),
    [
        ("https://a.dev/v1", ("https://b.dev/token", "https://b.dev/again"),
         ["https://b.dev/token", "https://b.dev/again"]),
        ("https://a.dev/v1", ("/token", "again"),
         ["https://a.dev/token", "https://a.dev/v1/again"]),
        ("https://a.dev/v1", ("", ""), ["", ""]),
        ("", ("https://b.dev/token", "/again"), ["https://b.dev/token", ""]),
    ],
)  # fmt: skip
def test_where_tokens_come_from_and_where_they_are_renewed(
    base: str, urls: tuple[str, str], found: list[str]
) -> None:
    """Each kind has its own address; one that the caller gives stays."""
    for own in (None, "https://own.dev"):
        made = (
            ClientCredentials("id", "secret", token_url=own),
            RefreshToken("refresh", "id", token_url=own),
        )
        for each in made:
            locate(each, base, *urls)
        assert [each.renewal.token_url for each in made] == ([own, own] if own else found)
        for each, at in zip(made, found, strict=True):
            locate(each, base, *urls)  # another client of the same service
            if at and not own:
                words = f"{type(each).__name__}: another client has it, and gets tokens from {at}; "
                words += "make one for this client, which would get them from https://other.dev/of"
                with pytest.raises(ConfigurationError, match=words):
                    locate(each, "https://other.dev", "/of-another", "/of-another")
                assert each.renewal.token_url == at


# Pages


@pytest.mark.parametrize(
    ("link", "query"),
    [
        ("<{}?page=2>; rel=next", "page=2"),
        ('<{}?page=1>; rel="prev", <{}?page=3>; rel="next"', "page=3"),
        ('<{}?page=3>; rel="last next"', "page=3"),
        ("<{}?page=3>; title=a; REL=Next", "page=3"),
        ('<{}?page=3>; rel="nextish"', None),
        ('<{}?page=3>; rel="unnext"', None),
        ("<{}?page=3>; rel=last", None),
        ("", None),
    ],
)
def test_the_link_to_the_next_page(link: str, query: str | None) -> None:
    first = request(path="/pets")
    pages: Pages[Any, Any] = Pages(first, link=True)
    headers = {"link": link.replace("{}", f"{BASE}/pets")}
    following = pages.after(SimpleNamespace(), first, BASE, headers)
    assert (following and following.query) == query


@pytest.mark.parametrize(
    ("base", "said", "is_followed"),
    [
        ("https://a.dev/v1", "https://a.dev:443/v1/pets?page=2", True),
        ("http://a.dev/v1", "http://a.dev:80/v1/pets?page=2", True),
        ("https://a.dev/v1", "https://a.dev:80/v1/pets?page=2", False),
        ("http://a.dev/v1", "http://a.dev:443/v1/pets?page=2", False),
        ("https://a.dev/v1", "http://a.dev/v1/pets?page=2", False),
        ("https://a.dev/v1", "https://b.dev/v1/pets?page=2", False),
        ("https://a.dev/v1", "https://me@a.dev/v1/pets?page=2", False),
        ("https://a.dev/v1", "https://a.dev/v2/pets?page=2", False),
        ("https://a.dev/v1", "?page=2", True),
    ],
)
def test_which_addresses_of_next_pages_are_followed(
    base: str, said: str, is_followed: bool
) -> None:
    first = request(path="/pets")
    pages: Pages[Any, Any] = Pages(first, link=True)
    try:
        following = pages.after(None, first, base, {"link": f"<{said}>; rel=next"})
    except ClientError:
        assert not is_followed
    else:
        assert is_followed and following is not None and following.query == "page=2"


# Errors, drift, names


@pytest.mark.parametrize("length", [199, 200, 201])
def test_how_much_a_message_shows(length: int) -> None:
    text = "x" * length
    assert shortened(text) == (text if length <= 200 else "x" * 200 + "…")
    assert shortened(f" a\n {text}")[:3] == "a x"


@pytest.mark.parametrize("letter", ["x", "ü", "€", "🥖"])
@pytest.mark.parametrize("length", [199, 200, 201, 300])
def test_a_body_that_is_no_json_is_cut_between_letters_and_says_so(
    letter: str, length: int
) -> None:
    error = StatusError(Exchange("a.b", "GET", BASE, 500, {}, (letter * length).encode()), {})
    shown = letter * length if length <= 200 else letter * 200 + "…"
    assert str(error).endswith(f": {shown}")


def test_of_several_members_of_an_error_the_first_of_its_kind_is_taken() -> None:
    data = {"a": None, "b": 0, "c": "text", "d": {"x": 1}, "e": "other", "f": {"y": 2}}
    error = StatusError(Exchange("a.b", "GET", BASE, 400), data)
    for order in (("a", "b", "c", "d", "e", "f"), ("f", "e", "d", "c", "b", "a"), ("z", "a")):
        texts = [name for name in order if name in ("c", "e")]
        objects = [name for name in order if name in ("d", "f")]
        others = [name for name in order if name in "bcdef"]
        assert error._text(*order) == (data[texts[0]] if texts else None)
        assert error._object(*order) == (data[objects[0]] if objects else None)
        assert error._value(*order) == (data[others[0]] if others else None)


@pytest.mark.parametrize("location", [None, "https://b.dev/x"])
@pytest.mark.parametrize("status", [299, 300, 308, 399, 400])
def test_which_statuses_redirect(status: int, location: str | None) -> None:
    headers = {} if location is None else {"location": location}
    said = str(StatusError(Exchange("a.b", "GET", BASE, status, headers, b"gone"), {}))
    is_redirect = location is not None and 300 <= status <= 399
    assert said.endswith("redirects are not followed" if is_redirect else "gone")


def test_what_is_said_of_a_call_that_failed_in_part() -> None:
    """Each number is another one."""
    lost, failed = ClientError("lost"), ClientError("no")
    lost.may_be_done = True
    made = PartialFailure(
        "a.b",
        succeeded=[Batch([1])] * 3,
        failed=[Batch([2], error=failed), *[Batch([3], error=lost)] * 4],
        not_sent=[Batch([4])] * 2,
    )
    assert made.may_be_done
    assert str(made) == (
        "a.b: 5 of 10 requests failed (4 may have been carried out), 3 succeeded,"
        " 2 were not sent: no"
    )
    sure = PartialFailure("a.b", [], [Batch([2], error=failed)], [])
    assert (sure.may_be_done, str(sure)) == (
        False, "a.b: 1 of 1 requests failed, 0 succeeded, 0 were not sent: no"
    )  # fmt: skip


@pytest.mark.parametrize("before", [998, 999, 1000])
def test_after_how_many_warnings_of_drift_none_comes(
    before: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drift, "_warned", {("a", str(n), "type") for n in range(before)})
    watch = DriftWatch("warn")
    with pytest.warns(Warning) as seen:
        report_drift([Drift("b", f"$.{name}", "type", "1", "text") for name in "xy"], watch)
        warnings.warn("at least one", UserWarning, stacklevel=1)
    drifts = [each for each in seen if issubclass(each.category, DriftWarning)]
    assert len(drifts) == min(2, 1000 - before)


class Size(IntCode, open_set=True):
    """A code of numbers."""

    BIG = 1


class Color(TextCode):
    """A code of texts."""

    RED = "red"


def test_codes_that_have_a_name_and_those_that_have_none() -> None:
    assert [(str(c), c.known, int(c)) for c in (Size(1), Size(7))] == [
        ("BIG", True, 1), ("unknown code 7", False, 7)
    ]  # fmt: skip
    assert [(str(c), c.known, c.value) for c in (Color("red"), Color("new"))] == [
        ("red", True, "red"), ("new", False, "new")
    ]  # fmt: skip
    for code in (Size(1), Size(7)):
        assert f"{code:03d}" == f"00{int(code)}"
        assert f"{code:>15}" == f"{code:>15s}" == str(code).rjust(15)
    for kind, wrong in ((Size, False), (Size, "1"), (Color, 1)):
        with pytest.raises(ValueError, match="is not a valid"):
            kind(wrong)  # type: ignore[arg-type]


VERBS = {
    "read": "get list read find search fetch retrieve load show all one count iterate query",
    "create": "create add new insert make upload duplicate copy",
    "update": "update edit change modify patch put replace set save rename move approve reject",
    "delete": "delete remove destroy discard trash clear",
}


@pytest.mark.parametrize(
    ("verb", "kind"), [(v, k) for k, all_ in VERBS.items() for v in all_.split()]
)
def test_each_verb_leads_to_the_nearest_of_its_kind(verb: str, kind: str) -> None:
    several = {"all", "find", "iterate", "list", "query", "search"}
    nearest = {"read": "list" if verb in several else "get"}.get(kind, kind)
    methods = {each: each for each in ("create", "update", "delete")}
    of_books = Documented("1.1", {"list": "read", "get": "read", **methods})
    said = str(explained({"books": of_books}, "9", "books", verb, ()))
    assert said.endswith(f"(§1.1). Nearest: client.books.{nearest}.")


@pytest.mark.parametrize("number", [49, 50, 51])
def test_how_many_items_a_table_shows(number: int) -> None:
    shown = items_as_html(range(number))
    assert shown.count("<tr>") == min(number, 50) + 2  # with a title and heads
    assert (f"{number} items, the first 50<" in shown) is (number > 50)
    assert shown.count('colspan="1"') == shown.count(">value<") == 1
    names = ("name", "title", "id", "text")
    for at, shown_by in enumerate(("name", "title", "id", "Book")):  # the first that there is
        there = names[at:]
        book = msgspec.defstruct("Book", [(each, str) for each in there])(*map(str.upper, there))
        word = shown_by.upper() if shown_by in there else shown_by
        assert all(each in items_as_html([[book]]) for each in (">1 item<", f">{word}<"))
    cells = items_as_html(["x" * (number * 2)])  # 98, 100, 102
    assert ("x" * 99 + "…" in cells) is (number > 50)
