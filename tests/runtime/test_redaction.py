"""Which tokens are taken out of what an error shows, at the length from which they are."""

from __future__ import annotations

import html
import json
import pickle
import traceback
from urllib.parse import quote, quote_plus

import pytest
from runtime.core.errors import (
    ConnectionFailed,
    Exchange,
    ExchangeError,
    RequestTimedOut,
    ResponseTooLarge,
)
from runtime.engine.credentials import Credential
from runtime.response.redaction import Redaction

FORMS = [
    str,
    lambda text: json.dumps(text)[1:-1],
    lambda text: json.dumps(text)[1:-1].replace("/", r"\/"),
    lambda text: quote(text, safe=""),
    quote_plus,
    html.escape,
]


@pytest.mark.parametrize(("length", "hidden"), [(7, False), (8, True), (9, True), (40, True)])
@pytest.mark.parametrize("form", FORMS)
def test_a_token_is_hidden_from_eight_characters_on(
    length: int, hidden: bool, form: object
) -> None:
    """A shorter one may be a word of the text, which would be garbled."""
    token = 'q" /&bcdefghijklmnopqrstuvwxyz0123456789ABCD'[:length]
    shown = f"before {form(token)} after"  # type: ignore[operator]
    assert Redaction(token).text(shown) == ("before *** after" if hidden else shown)


@pytest.mark.parametrize(("kept", "hidden"), [(7, False), (8, True), (9, True), (11, True)])
def test_a_token_that_was_cut_off_is_hidden_from_eight_characters_on(
    kept: int, hidden: bool
) -> None:
    shown = "before " + "abcdefghijkl"[:kept]
    assert Redaction("abcdefghijkl").text(shown) == ("before ***" if hidden else shown)


def test_each_of_two_tokens_is_hidden() -> None:
    redaction = Redaction("first-token", "second-token", "short")
    assert redaction.text("first-token, second-token, short") == "***, ***, short"
    for tokens in (("inner-token", "an-inner-token-more"), ("an-inner-token-more", "inner-token")):
        found = Redaction(*tokens).text("an-inner-token-more, inner-token")
        assert found == "***, ***", "one may hold the other"


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("is_said", [True, False])
def test_it_stands_in_no_cause_of_an_error(depth: int, is_said: bool) -> None:
    """Neither in one that `from` names, nor in one that was being handled."""
    token = "a-secret-token"

    def fail(depth: int) -> None:
        try:
            if depth == 0:
                raise ValueError(f"Bearer {token}")
            fail(depth - 1)
        except Exception as error:
            if is_said:
                raise OSError("failed") from error
            raise OSError("failed")  # noqa: B904

    exchange = Exchange("books.list", "GET", "https://a.test")
    error = ConnectionFailed("failed", exchange, False)
    with pytest.raises(OSError) as caught:
        fail(depth)
    error.__cause__ = caught.value
    assert token in "".join(traceback.format_exception(error))
    assert token not in "".join(traceback.format_exception(Redaction(token).error(error)))


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_password_is_hidden_in_each_encoding(encoding: str) -> None:
    secret = Credential("login", "T_LOGIN", None, "basic").secret(("me", "gehä:geheim-ö1"))
    body = "wrong: gehä:geheim-ö1".encode(encoding)
    exchange = Exchange("books.list", "GET", "https://a.test", 401, {}, body)
    assert Redaction(*secret.hidden)(exchange).body == b"wrong: ***"


@pytest.mark.parametrize("kind", [ConnectionFailed, RequestTimedOut, ResponseTooLarge])
@pytest.mark.parametrize("place", ["text", "headers", "body", "cause", "context"])
def test_an_error_holds_it_nowhere_and_nothing_else_is_lost(
    kind: type[ExchangeError], place: str
) -> None:
    """What holds an error may write all of it down, such as a queue of tasks that pickles it."""
    token = "a-secret-token"
    said = {
        each: f"{each} {token}" if each == place else each for each in ("text", "body", "headers")
    }
    exchange = Exchange(
        "books.list", "GET", "https://a.test", 200, {"x": said["headers"]}, said["body"].encode()
    )
    error = kind(said["text"], exchange)
    if place == "cause":
        error.__cause__ = ValueError(token)
    if place == "context":
        error.__context__ = ValueError(token)
    found = Redaction(token).error(error)
    shown = [str(found), repr(found), repr(found.args), repr(found.exchange.headers)]
    shown += [*traceback.format_exception(found), repr(vars(found)), found.exchange.body.decode()]
    assert token not in "".join(shown)
    assert token.encode() not in pickle.dumps(found)
    assert type(found) is kind and str(found) == said["text"].replace(token, "***")
    assert found.exchange.headers == {"x": said["headers"].replace(token, "***")}
    assert found.exchange.body.decode() == said["body"].replace(token, "***")
