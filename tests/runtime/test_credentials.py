"""What shows the service who the user is: where it goes, and that it shows nowhere else."""

from __future__ import annotations

import logging
import traceback
from base64 import b64decode
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import httpx2
import msgspec
import pytest
from runtime.core.deadline import Deadline
from runtime.core.errors import ConfigurationError, StatusError
from runtime.engine.credentials import Credential
from runtime.engine.oauth import ClientCredentials, RefreshToken
from runtime.engine.settings import Settings
from runtime_support import (
    BASE,
    SENDERS,
    STATUS_ERRORS,
    Wire,
    options,
    recording,
    request,
    sent_by,
    settings,
)

from tests.support.clock import StillClock

SECRET = "s3cr3t&Value+ñ"
PLAIN = "s3cr3t-value-of-a-key"
BOTH = pytest.mark.parametrize("send", SENDERS)


def using(*credentials: Credential, **more: Any) -> Settings:
    addresses = {"main": (BASE, "base_url", "T_BASE", "")}
    return Settings(
        credentials=credentials,
        addresses=addresses,
        user_agent="x",
        status_errors=STATUS_ERRORS,
        **more,
    )


def key(place: Any, name: str, given: Any = PLAIN) -> Credential:
    return Credential(f"{place}_key", "T_KEY", given, place, name)


LOGIN = Credential("login", "T_LOGIN", ("ann", SECRET), "basic")
KINDS = {
    "bearer": (Credential("token", "T", PLAIN), "Authorization", f"Bearer {PLAIN}"),
    "basic": (LOGIN, "Authorization", "Basic YW5uOnMzY3IzdCZWYWx1ZSvDsQ=="),
    "header": (key("header", "X-Key"), "X-Key", PLAIN),
    "header that is Authorization": (
        key("header", "authorization", "Bot abc-def"), "Authorization", "Bot abc-def"
    ),
    "cookie": (key("cookie", "session"), "Cookie", f"session={PLAIN}"),
}  # fmt: skip


@BOTH
@pytest.mark.parametrize("kind", KINDS)
def test_each_goes_to_its_place(send: Any, kind: str) -> None:
    credential, name, value = KINDS[kind]
    assert sent_by(send, request(), using(credential)).headers.get_list(name) == [value]


@BOTH
@pytest.mark.parametrize("query", ["", "a=b"])
def test_a_key_of_the_query_follows_the_rest_of_it(send: Any, query: str) -> None:
    asked = msgspec.structs.replace(request(), query=query)
    sent = sent_by(send, asked, using(key("query", "the key", "a&b=c")))
    wanted = "&".join(filter(None, [query, "the%20key=a%26b%3Dc"]))
    assert sent.url.query == wanted.encode()
    assert "key" not in f"{sent.url} {sent.url!r}", "libraries log it"


@BOTH
def test_cookies_go_together(send: Any) -> None:
    both = using(key("cookie", "a", "1"), security=(("cookie_key",),))
    sent = sent_by(send, request(), both, options(headers={"cookie": "b=2"}))
    assert sent.headers.get_list("Cookie") == ["b=2; a=1"]


@BOTH
def test_several_at_once(send: Any) -> None:
    needs = (("header_key", "query_key", "other"),)
    other = Credential("other", "T_OTHER", "c", "query", "b")
    given = using(key("header", "X-Key"), key("query", "key"), other, security=needs)
    sent = sent_by(send, request(), given)
    assert (sent.headers["X-Key"], sent.url.query) == (PLAIN, f"key={PLAIN}&b=c".encode())


@BOTH
def test_a_request_shows_what_it_needs_and_nothing_else(send: Any) -> None:
    seen: list[httpx2.Request] = []
    given = using(LOGIN, key("header", "X-Key"), key("query", "key", None))
    for needs in ((("query_key",), ("header_key",)), (("login",),), ((),), ((), ("login",))):
        send(recording(seen), request(security=needs), given)
    shown = [("X-Key" in each.headers, "Authorization" in each.headers) for each in seen]
    assert shown == [(True, False), (False, True), (False, False), (False, True)]
    with pytest.raises(
        ConfigurationError, match=r"pets.list: query_key and login are missing: .*T_"
    ):
        send(recording(seen), request(security=(("query_key", "login"),)), given)
    assert len(seen) == 4


def test_what_tells_the_user_from_others_is_none_where_a_function_gives_a_part() -> None:
    tokens = [
        RefreshToken(refresh, client_id, token_url=f"https://{host}.test/token")
        for refresh, client_id, host in [
            ("r", "a", "x"),
            ("s", "a", "x"),
            ("r", "b", "x"),
            ("r", "a", "y"),
        ]
    ]
    given = ["one", "two", *tokens, lambda: "one"]
    users: list[Any] = []
    for first in given:
        users.append(using(Credential("token", "T", first)).user)
        for second in given[:3]:
            pair = Credential("token", "T", first), key("query", "key", second)
            users.append(using(*pair, security=(("token", "query_key"),)).user)
    assert users[-4:] == [None] * 4 and None not in users[:-4]
    renewed = len(tokens) - 1  # of one program, users are told apart by nothing that stays
    assert len({*users[:-4]}) == (2 + renewed) * 4


def test_a_client_needs_something_that_an_operation_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("T_KEY", raising=False)
    either = [key("header", "X-Key", None), Credential("login", "T_LOGIN", None, "basic")]
    with pytest.raises(ConfigurationError, match="header_key or login is missing: pass it, or set"):
        using(*either)
    using(*either, security=(("login",), ()))
    monkeypatch.setenv("T_LOGIN", "ann:pass:word")
    using(*either)


@pytest.mark.parametrize("by_variable", [False, True])
def test_an_empty_text_is_as_good_as_none(
    by_variable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a variable is set to nothing, and where a program passes on what it has read."""
    monkeypatch.setenv("T_KEY", "")
    monkeypatch.setenv("T_LOGIN", "")
    given = None if by_variable else ""
    header, login = key("header", "X-Key", given), Credential("login", "T_LOGIN", given, "basic")
    with pytest.raises(ConfigurationError, match="header_key or login is missing: pass it, or set"):
        using(header, login)
    using(header, LOGIN)
    using(key("header", "X-Key"), login)


@BOTH
@pytest.mark.parametrize(
    ("name", "password"),
    [("ann", "pass:word"), ("ann", ":"), ("ann", ""), ("", "word"), ("ann b", " w ord ")],
)
@pytest.mark.parametrize("way", ["pair", "text", "function"])
def test_any_password_arrives_as_it_is(send: Any, name: str, password: str, way: str) -> None:
    """A colon ends the name alone (RFC 7617)."""
    pair = (name, password)
    given: Any = {"pair": pair, "text": f"{name}:{password}", "function": lambda: pair}[way]
    sent = sent_by(send, request(), using(LOGIN._replace(given=given)))
    kind, _, text = sent.headers["Authorization"].partition(" ")
    assert kind == "Basic"
    assert b64decode(text).decode().partition(":") == (name, ":", password)


@BOTH
def test_functions_are_asked_before_every_attempt(send: Any) -> None:
    wire, numbers = Wire(503, 204), iter(range(9))

    def login() -> tuple[str, str]:
        return "ann", f"{next(numbers)}"

    given = using(LOGIN._replace(given=login))
    send(wire.handle_request, request(), given, options(retries=1))
    assert [each.headers["Authorization"] for each in wire.seen] == [
        "Basic YW5uOjA=",
        "Basic YW5uOjE=",
    ]


NO_LOGIN = "must be a user name without a colon and a password"
CARRIED = "holds white space or characters that {} cannot carry"
REFUSED = {
    **{(place, given): f"must be a string, got {type(given).__name__}"
       for place in ("bearer", "header", "query", "cookie") for given in (7, b"a", ("a", "b"))},
    **{("basic", given): f"{NO_LOGIN}, got {kind}"
       for given, kind in ((("a", None), "str and NoneType"), ((b"a", "b"), "bytes and str"),
                           (7, "int"), (("a", "b", "c"), "tuple"))},
    **{("basic", given): "has a colon in its user name"
       for given in (("a:b", "c"), ("\xfc:er", "p\xe4"))},
    **{("bearer", given): "begins with 'Bearer ': give what comes after it"
       for given in ("Bearer t", "bearer token")},
    **{(place, given): CARRIED.format(noun)
       for place, noun, several in (
           ("bearer", "a header", ["a b", " a", "a\r\nX: y", "a\x7f", "ä"]),
           ("header", "a header", [" a", "a ", "a\r\nX: y", "a\x7f", "ä"]),
           ("query", "a query", ["a\n", "\x1f", "a\x7f", "ä"]),
           ("cookie", "a cookie", ["a; b", "a;", "a,b", 'a"', "a\\b", "a b", "ä"]),
           ("basic", "a login", ["ann", ("a", "b\n"), ("a\x7f", "b"), ("\x00", "b")]),
       )
       for given in several},
}  # fmt: skip
"""What a credential is told where it goes to a place, by the place and what is given."""


@pytest.mark.parametrize(("place", "given"), REFUSED)
def test_what_cannot_be_sent_is_refused_and_not_shown(place: Any, given: Any) -> None:
    with pytest.raises(ConfigurationError) as caught:
        using(Credential("login", "T", given, place, "name"))
    assert str(caught.value) == f"login {REFUSED[place, given]}"
    assert len(given if isinstance(given, str) else "") < 4 or given not in str(caught.value)


VISIBLE = {*map(chr, range(0x21, 0x7F))}
PRINTABLE = {*map(chr, {*range(0x20, 0x180)} - {0x7F})}
CHARACTERS = {
    "bearer": ("a{}c", VISIBLE),
    "header": ("a{}c", {*VISIBLE, " "}),
    "query": ("{}", {*VISIBLE, " "}),
    "cookie": ("{}", VISIBLE - {*'",;\\'}),
    "basic": ("a:{}", PRINTABLE),
    "basic, its name": ("a{}c:", PRINTABLE),
}
"""What of a credential is drawn for each place, and all that may stand there."""


@pytest.mark.parametrize("place", CHARACTERS)
def test_each_place_carries_these_characters_and_no_others(place: Any) -> None:
    form, carried = CHARACTERS[place]
    made = Credential("it", "T", "", place.partition(",")[0], "name")
    found: set[str] = set()
    for sign in map(chr, range(0x180)):
        problems: list[str] = []
        if made._replace(given=form.format(sign)).read(problems).given and not problems:
            found.add(sign)
    assert found == carried


EACH = [*(each for each, _, _ in KINDS.values()), key("query", "key")]
SEVERAL = (key("header", "X-Key", "header-secret"), LOGIN, key("cookie", "c", "cookie-secret"))


@BOTH
@pytest.mark.parametrize("credentials", [*((each,) for each in EACH), SEVERAL])
def test_it_shows_nowhere(
    send: Any, credentials: tuple[Credential, ...], caplog: pytest.LogCaptureFixture
) -> None:
    """Not across a redirect, in no log, no text and no error, even where the service repeats it."""
    caplog.set_level(logging.DEBUG)
    given = using(*credentials, security=(tuple(each.argument for each in credentials),))
    seen: list[httpx2.Request] = []

    def redirect(sent: httpx2.Request) -> httpx2.Response:
        seen.append(sent)
        said = f"{dict(sent.headers)} {sent.url.raw_path.decode()} {SECRET}"
        fields = {"Location": "https://stranger.test/", "X-Seen": quote(said, safe="%:/?&= ")}
        return httpx2.Response(307, headers=fields, content=said.encode())

    with pytest.raises(StatusError) as caught:
        send(redirect, request(), given, follow_redirects=True)
    error = caught.value
    assert [each.url.host for each in seen] == ["main.test"]
    shown = [
        repr(given),
        *traceback.format_exception(error),
        repr(error.exchange),
        error.exchange.url,
        repr(dict(error.exchange.headers)),
        error.exchange.body.decode(),
    ]
    shown += [record.getMessage() for record in caplog.records]
    texts = [each.given for each in credentials if isinstance(each.given, str)]
    texts += [SECRET, "YW5uOnMzY3IzdCZWYWx1ZSvDsQ=="] if LOGIN in credentials else []
    assert not [text for text in texts for each in shown if text in each]


def test_a_call_that_has_waited_in_vain_renews_the_token_itself() -> None:
    renewal = ClientCredentials("me", "secret", token_url="https://a.test/token").renewal
    context: Any = SimpleNamespace(clock=StillClock(), settings=settings(), options=options())
    deadline = Deadline(None, context.clock)
    one, other = (renewal.token("pets.list", context, deadline) for _ in range(2))
    steps = next(one), next(other), other.send(None)
    assert [type(step).__name__ for step in steps] == ["_Send", "_Wait", "_Send"]
