"""Keeping the token out of what an error shows: some services repeat it when they refuse it."""

from __future__ import annotations

from typing import TypeVar

from ..core.errors import Exchange, ExchangeError

__all__ = ["Redaction"]

SHORTEST = 8  # characters; to take a shorter token out would garble the rest

E = TypeVar("E", bound=ExchangeError)


class Redaction:
    """Takes a token out of exchanges, errors and texts. Its own text does not show it.

    The token is found as it is, and as JSON, an address or HTML write it.
    """

    __slots__ = ("_token",)

    def __init__(self, token: str) -> None:
        self._token = token

    def __repr__(self) -> str:
        return "Redaction()"

    def __call__(self, exchange: Exchange) -> Exchange:
        """Return the exchange without the token."""
        headers, body = exchange.headers, exchange.body
        for form in self._forms():
            headers = {name: value.replace(form, "***") for name, value in headers.items()}
            body = body.replace(form.encode(), b"***")
        return exchange._replace(headers=headers, body=body)

    def text(self, text: str) -> str:
        """Return the text without the token."""
        for form in self._forms():
            text = text.replace(form, "***")
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
            if any(form in text for form in self._forms()):
                return True
            cause = cause.__cause__ or cause.__context__
        return False

    def _forms(self) -> list[str]:
        """Return all that the token may look like, the longest first: it may hold a shorter one."""
        if len(self._token) < SHORTEST:
            return []
        from html import escape
        from json import dumps
        from urllib.parse import quote

        quoted = dumps(self._token)[1:-1]
        forms = {
            self._token,
            quoted,
            quoted.replace("/", r"\/"),
            quote(self._token, safe=""),
            escape(self._token),
        }
        return sorted(forms, key=len, reverse=True)
