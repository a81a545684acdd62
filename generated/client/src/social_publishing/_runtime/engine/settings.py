"""Settings that all copies of a client share: addresses, the token, the rate."""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from ..core.clock import Clock
from ..core.errors import ConfigurationError
from ..limits.budget import PROCESS_RATES
from ..limits.rates import read_rate
from .options import with_fields

if TYPE_CHECKING:
    from ..core.errors import StatusError
    from ..limits.budget import Budget, InProcessRates, RateRule
    from ..limits.leases import RateStore
    from ..request.request import Request

__all__ = ["AsyncToken", "Settings", "Token"]

# Addresses in which there is nothing that could be wrong.
_LABEL = "[A-Za-z0-9-]{1,63}"
_PLAIN = rf"https?://{_LABEL}(?:\.{_LABEL})*(?::(?:[0-9]{{1,4}}|[1-5][0-9]{{4}}))?(?:/[^?#]*)?"

Token: TypeAlias = "str | Callable[[], str]"
"""The token, or a function that gives it; it is asked before every attempt."""

AsyncToken: TypeAlias = "Token | Callable[[], Awaitable[str]]"
"""The same for the asynchronous client: the function may have to be awaited."""


class Settings:
    """Settings that all copies of a client share. Their text never shows the token.

    Args:
        token: the bearer token, or a function that gives it, and the name of its argument and
            environment variable.
        addresses: the base address of each server, likewise, and the path with which it ends:
            `/v1`, or nothing.
        user_agent: how the client names itself.
        status_errors: the exception of each status.
        rate: the rate limit as the documents have it; None where they have none.
        rate_key: names the user whose rate it is, where the token alone does not.
        rate_store: shares the count with other processes.
        rates: where the budgets of this process are; if it is not given, where all clients have
            theirs.
        clock: reports the time and lets it pass.

    Raises:
        ConfigurationError: something is missing or cannot be used; all of it is named at once.
    """

    def __init__(
        self,
        *,
        token: tuple[AsyncToken | None, str, str],
        addresses: Mapping[str, tuple[str | None, str, str, str]],
        user_agent: str,
        status_errors: Mapping[int, type[StatusError]],
        rate: RateRule | None = None,
        rate_key: str | None = None,
        rate_store: RateStore | None = None,
        rates: InProcessRates | None = None,
        clock: Clock | None = None,
    ) -> None:
        problems: list[str] = []
        self.token = _token(*token, problems)
        self._token_argument = token[1]
        ends = {argument: end for _, argument, _, end in addresses.values()}
        self.addresses = {
            server: _address(value, argument, variable, ends, problems)
            for server, (value, argument, variable, _) in addresses.items()
        }
        if rate_key is not None and (not isinstance(rate_key, str) or not rate_key):  # pyright: ignore[reportUnnecessaryIsInstance]
            problems.append("rate_key must be a non-empty string")
        self._rates = PROCESS_RATES if rates is None else rates
        if rate_store is not None:
            from ..limits.leases import RateStore  # seldom used, and not free to load
            from ..limits.shared import shared_rates

            if isinstance(rate_store, RateStore):  # pyright: ignore[reportUnnecessaryIsInstance]
                self._rates = shared_rates(rate_store)
            else:
                given = type(rate_store).__name__
                problems.append(f"rate_store must be a RateStore, got {given}")
        if problems:
            raise ConfigurationError("; ".join(problems))
        self.user_agent = user_agent
        self.status_errors = status_errors
        self.clock = clock or Clock()
        self._rate = rate
        self.rate_key = rate_key
        self._budgets: dict[str, Budget] = {}

    def __repr__(self) -> str:
        addresses = ", ".join(f"{name}={url!r}" for name, url in self.addresses.items())
        return f"{addresses}, token=***"

    def url(self, request: Request[Any]) -> str:
        """Return the full address of a request: base and target put together as they are."""
        return self.addresses[request.server] + request.target

    def headers(self, request: Request[Any], more: Mapping[str, str], token: str) -> dict[str, str]:
        """Return all header fields of a request."""
        headers = {
            "Accept": request.accept,
            "Accept-Encoding": "gzip, deflate",
            "User-Agent": self.user_agent,
        }
        for fields in (more, request.headers):
            if fields:
                headers = with_fields(headers, fields)
        headers["Authorization"] = f"Bearer {token}"
        if request.content_type is not None:
            headers["Content-Type"] = request.content_type
        length = getattr(request.body, "length", None)
        if length is not None:
            headers["Content-Length"] = str(length)
        return headers

    def checked_token(self, value: object) -> str:
        """Return a token that the caller's function gave.

        Raises:
            ConfigurationError: it cannot be sent.
        """
        problems: list[str] = []
        token = _text_token(value, f"what {self._token_argument} gives", problems)
        if problems:
            raise ConfigurationError(problems[0])
        return token

    def budget(self, token: str) -> Budget | None:
        """Return the budget of the user whose token it is; None if no rate is documented."""
        if self._rate is None:
            return None
        who = self.rate_key or token
        found = self._budgets.get(who)
        if found is None:
            from hashlib import sha256

            # Only a digest is kept there: the store may lie outside of the process.
            whose = "key" if self.rate_key else "token"
            text = "\n".join([whose, who, *sorted(self.addresses.values())])
            key = sha256(text.encode()).hexdigest()
            found = self._rates.budget(key, self._rate)
            # Only the newest: tokens that are renewed must not pile up.
            self._budgets = {who: found}
        return found

    def reports_reset(self, headers: Mapping[str, str], wall: float) -> bool:
        """Return whether the header fields of a response say when the rate allows more.

        Args:
            headers: the header fields, names in lower case.
            wall: Unix seconds, as this machine believes them to be.
        """
        return self._rate is not None and read_rate(self._rate, headers, wall, 0.0).end is not None

    @property
    def needs_tls(self) -> bool:
        """Whether any base address is reached by https."""
        return any(url.startswith("https:") for url in self.addresses.values())


def _token(
    value: AsyncToken | None, argument: str, variable: str, problems: list[str]
) -> AsyncToken:
    token = os.environ.get(variable) if value is None else value
    if not token:
        problems.append(f"{argument} is missing: pass it, or set {variable}")
        return ""
    return token if callable(token) else _text_token(token, argument, problems)


def _text_token(token: object, argument: str, problems: list[str]) -> str:
    if not isinstance(token, str):
        problems.append(f"{argument} must be a string, got {type(token).__name__}")
        return ""
    if not token:
        problems.append(f"{argument} must not be empty")
    elif not re.fullmatch(r"[!-~]+", token):
        # It goes out unchanged or not at all; which characters they are stays unsaid on purpose.
        problems.append(f"{argument} holds white space or characters that a header cannot carry")
    return token


def _address(
    value: object, argument: str, variable: str, ends: Mapping[str, str], problems: list[str]
) -> str:
    address = os.environ.get(variable) if value is None else value
    if not address:
        problems.append(f"{argument} is missing: pass it, or set {variable}")
        return ""
    if not isinstance(address, str):
        problems.append(f"{argument} must be a string, got {type(address).__name__}")
        return ""
    address = address.rstrip("/")
    reason = _unfit(address) or _misplaced(address, argument, ends)
    if reason:
        problems.append(f"{argument} {reason}")
    return address


def _misplaced(address: str, argument: str, ends: Mapping[str, str]) -> str | None:
    """Return why an address is not that of its server; None when it may be.

    The longest path that fits counts, so that one server's `/api/v1` is not another one's `/v1`.

    Args:
        ends: the path with which the address of each argument ends.
    """
    path = "/" + address.partition("://")[2].partition("/")[2]
    wanted, found = ends[argument], max(filter(path.endswith, ends.values()), key=len, default="")
    if not wanted or found == wanted:
        return None
    owner = "".join(f", which belongs to {name}" for name, end in ends.items() if end == found)
    return f"must end with {wanted}, but its path is {path}{owner}"


def _unfit(address: str) -> str | None:
    """Return why an address cannot be a base address; None when it can.

    It is never shown: somebody may have given the token in its place.
    """
    if not re.fullmatch(r"[!-~]+", address):
        return "holds white space or characters that an address cannot carry"
    if re.fullmatch(_PLAIN, address):
        return None
    from urllib.parse import urlsplit  # not free to load, and most addresses are plain

    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018  (raises where the port is none)
        (parts.hostname or "").encode("idna")  # raises where a label is empty or too long
    except ValueError:
        return "is not a valid address: the host or the port cannot be read"
    if "@" in parts.netloc:
        return "must not hold a user name or a password"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "must begin with http:// or https:// and a host"
    if "?" in address or "#" in address:
        return "must end with its path, without a query or a fragment"
    return None
