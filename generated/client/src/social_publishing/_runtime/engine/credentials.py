"""Credentials: what a client shows the service, and where in a request it goes."""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from ..core.errors import ConfigurationError
from ..core.named_tuples import NamedTuple
from ..core.type_guards import is_items
from .options import with_cookie, with_fields

if TYPE_CHECKING:
    from ..core.deadline import Deadline

Token: TypeAlias = "str | Callable[[], str]"
"""A token or a key, or a function that gives it; it is asked before every attempt."""

AsyncToken: TypeAlias = "Token | Callable[[], Awaitable[str]]"
"""The same for the asynchronous client: the function may have to be awaited."""

Login: TypeAlias = "tuple[str, str] | Callable[[], tuple[str, str]]"
"""A user name and a password, or a function that gives both; it is asked before every attempt."""

AsyncLogin: TypeAlias = "Login | Callable[[], Awaitable[tuple[str, str]]]"
"""The same for the asynchronous client: the function may have to be awaited."""

# What each place can carry as it is; a query is percent-encoded.
_FITS = {
    "bearer": "[!-~]+",
    "basic": r"[^\x00-\x1f\x7f:]*:[^\x00-\x1f\x7f]*",
    "header": "[!-~]+(?: +[!-~]+)*",
    "query": "[ -~]+",
    "cookie": r"[!#-+\--:<-\[\]-~]+",
}
_LOGIN = "a user name without a colon and a password"
_NOUNS = {"bearer": "a header", "basic": "a login", "header": "a header", "cookie": "a cookie"}


class Renewal(Protocol):
    """What renews a token by itself: that of `oauth`, which few clients load."""

    @property
    def owner(self) -> str:
        """What tells the user from others, whatever the token is."""
        ...

    def token(self, operation: str, context: Any, deadline: Deadline) -> Any:
        """Return the steps to a token that is good for a while; the context is that of the call."""
        ...

    def refused(self, token: str) -> None:
        """Let the next call renew a token that the service has refused."""
        ...


class Credential(NamedTuple):
    """Something that shows the service who the user is. Its text does not show it.

    Attributes:
        variable: the environment variable that is read where the argument is left out.
        given: what the caller gave; None where there is none.
        place: where it goes: a bearer token, a name and a password, or a key.
        name: the header field, the query parameter or the cookie of a key.
    """

    argument: str
    variable: str
    given: AsyncToken | AsyncLogin | None
    place: Literal["bearer", "basic", "header", "query", "cookie"] = "bearer"
    name: str = ""

    def __repr__(self) -> str:
        return f"{self.argument}=***"

    @property
    def renewal(self) -> Renewal | None:
        """What renews its token; None where nothing does."""
        return getattr(self.given, "renewal", None)

    def read(self, problems: list[str]) -> Credential:
        """Return the credential with what is sent, or the function that is asked for it."""
        given = os.environ.get(self.variable) if self.given is None else self.given
        if given is None or given == "":
            return self._replace(given=None)
        return (
            self
            if callable(given)
            else self._replace(given=self._text(given, self.argument, problems))
        )

    def secret(self, given: object) -> Secret:
        """Return what a function of the caller's gave, as it is sent.

        Raises:
            ConfigurationError: it cannot be sent.
        """
        problems: list[str] = []
        text = self._text(given, f"what {self.argument} gives", problems)
        if problems:
            raise ConfigurationError(problems[0])
        return Secret(self, text)

    def _text(self, value: Any, who: str, problems: list[str]) -> str:
        got = type(value).__name__
        if self.place == "basic" and is_items(value) and len(value) == 2:
            is_text = all(isinstance(each, str) for each in value)
            got = " and ".join(type(each).__name__ for each in value)
            if is_text and ":" in value[0]:
                problems.append(f"{who} has a colon in its user name")
                return ""
            value = ":".join(value) if is_text else None
        if not isinstance(value, str):
            wanted = _LOGIN if self.place == "basic" else "a string"
            problems.append(f"{who} must be {wanted}, got {got}")
        elif not value:
            problems.append(f"{who} must not be empty")
        elif self.place == "bearer" and value[:7].lower() == "bearer ":
            problems.append(f"{who} begins with 'Bearer ': give what comes after it")
        elif not re.fullmatch(_FITS[self.place], value):
            # It goes out unchanged or not at all; which characters they are is not said on purpose.
            noun = _NOUNS.get(self.place, "a query")
            problems.append(f"{who} holds white space or characters that {noun} cannot carry")
        else:
            return _base64(value) if self.place == "basic" else value
        return ""


class Secret(NamedTuple):
    """A credential as one attempt sends it. Its text does not show it."""

    credential: Credential
    text: str

    def __repr__(self) -> str:
        return repr(self.credential)

    @property
    def owner(self) -> str:
        """What tells the user from others: what renews its tokens has many of them."""
        renewal = self.credential.renewal
        return renewal.owner if renewal else self.text

    def refused(self) -> bool:
        """Return whether there will be another token after one that the service has refused."""
        renewal = self.credential.renewal
        if renewal:
            renewal.refused(self.text)
        return renewal is not None

    @property
    def hidden(self) -> tuple[str, ...]:
        """What an error must not show."""
        if self.credential.place != "basic":
            return (self.text,)
        from base64 import b64decode

        password = b64decode(self.text).partition(b":")[2]
        return self.text, password.decode(), password.decode("latin-1")


def written_into(headers: dict[str, str], secrets: Iterable[Secret]) -> tuple[dict[str, str], str]:
    """Return header fields with secrets, and the query string of those that go there."""
    query: list[str] = []
    for (_, _, _, place, name), text in secrets:
        if place == "query":
            from urllib.parse import quote

            query.append(f"{quote(name, safe='')}={quote(text, safe='')}")
        elif place == "cookie":
            headers = with_cookie(headers, f"{name}={text}")
        elif place == "header":
            headers = with_fields(headers, {name: text})
        else:
            headers["Authorization"] = f"{place.capitalize()} {text}"
    return headers, "&".join(query)


def _base64(text: str) -> str:
    from base64 import b64encode

    return b64encode(text.encode()).decode()
