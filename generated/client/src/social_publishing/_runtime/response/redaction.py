"""Keeping the token out of what an error shows: some services repeat it when they refuse it."""

from __future__ import annotations

from collections.abc import Iterable
from posixpath import commonprefix
from typing import TypeVar

from ..core.errors import Exchange, ExchangeError

SHORTEST = 8  # characters; to take a shorter token out would garble the rest

E = TypeVar("E", bound=ExchangeError)


class Redaction:
    """Takes tokens out of exchanges, errors and texts. Its own text does not show it.

    A token is found as it is, and as JSON, an address, a form or HTML write it; also where it is
    cut off.
    """

    __slots__ = ("_tokens",)

    def __init__(self, *tokens: str) -> None:
        self._tokens = [token for token in tokens if len(token) >= SHORTEST]

    def __repr__(self) -> str:
        return "Redaction()"

    def __call__(self, exchange: Exchange) -> Exchange:
        """Return the exchange without the token."""
        headers = {name: self.text(value) for name, value in exchange.headers.items()}
        # Byte for byte: a token is of ASCII alone.
        body = self.text(exchange.body.decode("latin-1")).encode("latin-1")
        return exchange._replace(headers=headers, body=body)

    def text(self, text: str) -> str:
        """Return the text without the token."""
        for head, tails in self._forms().items():
            before, *others = text.split(head)
            rests = (each[_shared(each, tails) :] for each in others)
            text = "***".join([before, *rests])
        return text

    def error(self, error: E) -> E:
        """Return the error without the token in its text, its exchange and what caused it."""
        text = self.text(str(error))
        error.exchange = self(error.exchange)
        error.args = (text, error.exchange)
        if self._shows_in_causes(error):
            error.__cause__ = error.__context__ = None
        return error

    def _shows_in_causes(self, error: BaseException) -> bool:
        cause = error.__cause__ or error.__context__
        while cause is not None:
            text = f"{cause} {cause.args!r}"
            if any(head in text for head in self._forms()):
                return True
            cause = cause.__cause__ or cause.__context__
        return False

    def _forms(self) -> dict[str, list[str]]:
        """Return what the token may look like: how it begins, and how it goes on.

        The longest come first: one may hold a shorter one.
        """
        if not self._tokens:
            return {}
        from html import escape
        from json import dumps
        from urllib.parse import quote, quote_plus

        forms: set[str] = set()
        for token in self._tokens:
            quoted = dumps(token)[1:-1]
            slashes = quoted.replace("/", r"\/")
            forms |= {token, quoted, slashes, escape(token)}
            forms |= {quote(token, safe=""), quote_plus(token)}
        by_start: dict[str, list[str]] = {}
        for form in sorted(forms, key=lambda form: (-len(form), form)):
            by_start.setdefault(form[:SHORTEST], []).append(form[SHORTEST:])
        return by_start


def _shared(text: str, tails: Iterable[str]) -> int:
    """Return how many characters of a text go on like one of these."""
    return max(len(commonprefix((text, tail))) for tail in tails)
