"""Which tokens are taken out of what an error shows, at the length from which they are."""

from __future__ import annotations

import html
import json
from urllib.parse import quote

import pytest
from runtime.response.redaction import Redaction

FORMS = [str, lambda text: json.dumps(text)[1:-1], lambda text: quote(text, safe=""), html.escape]


@pytest.mark.parametrize(("length", "hidden"), [(7, False), (8, True), (9, True), (40, True)])
@pytest.mark.parametrize("form", FORMS)
def test_a_token_is_hidden_from_eight_characters_on(
    length: int, hidden: bool, form: object
) -> None:
    """A shorter one may be a word of the text, which would be garbled."""
    token = 'q"/&bcdefghijklmnopqrstuvwxyz0123456789ABCD'[:length]
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
