"""Settings that all copies of a client share: addresses, the token, the rate."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.clock import Clock
from ..core.errors import ConfigurationError
from ..limits.budget import PROCESS_RATES
from ..limits.rates import read_rate
from .credentials import Credential, Secret, written_into
from .options import with_cookie, with_fields

if TYPE_CHECKING:
    from ..core.errors import StatusError
    from ..limits.budget import Budget, InProcessRates
    from ..limits.ledger import RateStore
    from ..limits.rates import RateRule
    from ..request.request import Request

Choose = Callable[[object, list[str]], str | None]
Explain = Callable[[str, str, Iterable[str]], AttributeError]

# Addresses in which there is nothing that could be wrong.
_LABEL = "[A-Za-z0-9-]{1,63}"
_USUAL = rf"https?://{_LABEL}(?:\.{_LABEL})*(?::(?:[0-9]{{1,4}}|[1-5][0-9]{{4}}))?(?:/[^?#]*)?"


class Settings:
    """Settings that all copies of a client share. Their text never shows a secret.

    Args:
        security: what a request needs that says nothing else: any of these, each as arguments of
            credentials; if it is not given, any one credential.
        servers: for addresses of which the document offers several, or with variables, what returns
            the chosen one: called with a whole address that was given, and a list for problems.
        beside: of servers of operations, the server of the document: an address without a host is
            resolved against its address.
        addresses: the base address of each server, with the names of its argument and environment
            variable, and the path with which it ends: `/v1`, or nothing. Without the first there is
            no client; of the others, one that is missing is asked for by the requests to it.
        rate: the rate limit as the documents have it; None where they have none.
        rate_key: names the user whose rate it is, where the token alone does not.
        rate_store: shares the count with other processes.
        rates: where the budgets of this process are; if it is not given, where all clients have
            theirs.
        explain: returns the error of a name that an object of the client does not have: called with
            the resource (empty for the client), the name, and all names that are there.

    Raises:
        ConfigurationError: something is missing or cannot be used; all of it is named at once.
    """

    def __init__(
        self,
        *,
        credentials: Iterable[Credential],
        security: Sequence[Sequence[str]] | None = None,
        addresses: Mapping[str, tuple[str | None, str, str, str]],
        defaults: Mapping[str, str] | None = None,
        servers: Mapping[str, Choose] | None = None,
        beside: Mapping[str, str] | None = None,
        user_agent: str,
        status_errors: Mapping[int, type[StatusError]],
        rate: RateRule | None = None,
        rate_key: str | None = None,
        rate_store: RateStore | None = None,
        rates: InProcessRates | None = None,
        clock: Clock | None = None,
        explain: Explain | None = None,
    ) -> None:
        problems: list[str] = []
        self._credentials = {each.argument: each.read(problems) for each in credentials}
        self._security = [(each,) for each in self._credentials] if security is None else security
        if not any(map(self._has, self._security)):
            problems.append(self._missing(self._security))
        defaults = defaults or {}
        ends = {argument: end for _, argument, _, end in addresses.values()}
        beside = beside or {}
        chosen = {
            server: address
            for server, choose in (servers or {}).items()
            if (address := choose(addresses[server][0], problems))
        }
        self.addresses: dict[str, str] = {}
        self._unknown: dict[str, str] = {}
        for server, (value, argument, variable, _) in addresses.items():
            if value is None and server not in chosen:
                value = os.environ.get(variable)
            if value is None:
                value = chosen.get(server, defaults.get(server))
                source = beside.get(server)
                if value and source is not None and "://" not in value:
                    if problems or source in self._unknown:
                        self.addresses[server] = ""
                        self._unknown[server] = self._unknown.get(source, "")
                        continue
                    from urllib.parse import urljoin  # few documents have such servers

                    value = urljoin(self.addresses[source], value)
            self.addresses[server] = _address(value, argument, ends, problems)
            if not self.addresses[server]:
                self._unknown[server] = f"{argument} is missing: pass it, or set {variable}"
        first = next(iter(self.addresses), "")
        if first in self._unknown:
            problems += dict.fromkeys(self._unknown.values())
        if rate_key is not None and (not isinstance(rate_key, str) or not rate_key):  # pyright: ignore[reportUnnecessaryIsInstance]
            problems.append("rate_key must be a non-empty string")
        self._rates = PROCESS_RATES if rates is None else rates
        if rate_store is not None:
            from ..limits.ledger import RateStore  # seldom used, and not free to load
            from ..limits.shared import shared_rates

            if isinstance(rate_store, RateStore):  # pyright: ignore[reportUnnecessaryIsInstance]
                self._rates = shared_rates(rate_store)
            else:
                given = type(rate_store).__name__
                problems.append(f"rate_store must be a RateStore, got {given}")
        if problems:
            raise ConfigurationError("; ".join(dict.fromkeys(problems)))
        self.user_agent = user_agent
        self._explain = explain
        self.status_errors = status_errors
        self.clock: Clock = clock or Clock()
        self.rate = rate
        self.rate_key = rate_key
        self._budgets: dict[tuple[str, str], Budget] = {}

    def __repr__(self) -> str:
        addresses = ", ".join(f"{name}={url!r}" for name, url in self.addresses.items() if url)
        secrets = "".join(f", {each!r}" for each in self._credentials.values())
        return addresses + secrets

    def unknown_name(self, owner: object, resource: str, name: str) -> AttributeError:
        """Return the error of a name that an object of the client does not have."""
        if self._explain is None or name.startswith("_"):
            return AttributeError(f"{type(owner).__name__!r} object has no attribute {name!r}")
        known = [each for each in dir(owner) if not each.startswith("_")]
        return self._explain(resource, name, known)

    def url(self, request: Request[Any]) -> str:
        """Return the full address of a request: base and target put together as they are.

        Raises:
            ConfigurationError: the base address is missing.
        """
        if request.server in self._unknown:
            raise ConfigurationError(f"{request.operation}: {self._unknown[request.server]}")
        return self.addresses[request.server] + request.target

    def headers(
        self, request: Request[Any], more: Mapping[str, str], secrets: Iterable[Secret]
    ) -> tuple[dict[str, str], str]:
        """Return all header fields of a request, and the secrets of its query string."""
        headers = {
            "Accept": request.accept,
            "Accept-Encoding": "gzip, deflate",
            "User-Agent": self.user_agent,
        }
        for fields in (more, request.headers):
            if fields:
                headers = with_fields(headers, fields)
        if request.cookie:
            headers = with_cookie(headers, request.cookie)
        headers, query = written_into(headers, secrets)
        if request.content_type is not None:
            headers["Content-Type"] = request.content_type
        length = getattr(request.body, "length", None)
        if length is not None:
            headers["Content-Length"] = str(length)
        return headers, query

    def credentials_for(self, request: Request[Any] | None = None) -> tuple[Credential, ...]:
        """Return what a request shows of the user: the first that is allowed and was given.

        Raises:
            ConfigurationError: none of what is allowed was given.
        """
        allowed = self._security
        if request is not None and request.security is not None:
            allowed = request.security
        given = [names for names in allowed if self._has(names)]
        if not given:
            operation = "" if request is None else f"{request.operation}: "
            raise ConfigurationError(f"{operation}{self._missing(allowed)}")
        names = next(filter(None, given), ())
        return tuple(self._credentials[name] for name in names)

    def _has(self, names: Sequence[str]) -> bool:
        return all(self._credentials[name].given is not None for name in names)

    def _missing(self, allowed: Sequence[Sequence[str]]) -> str:
        wanted = " or ".join(" and ".join(names) for names in allowed)
        variables = " or ".join(
            " and ".join(self._credentials[name].variable for name in names) for names in allowed
        )
        are, them = ("are", "them") if any(len(each) > 1 for each in allowed) else ("is", "it")
        return f"{wanted} {are} missing: pass {them}, or set {variables}"

    @property
    def user(self) -> str | None:
        """What tells the user's requests from those of others; None where a function gives it."""
        needed = self.credentials_for()
        given = [each.renewal.owner if each.renewal else each.given for each in needed]
        texts = [text for text in given if isinstance(text, str)]
        return "\n".join(texts) if len(texts) == len(given) else None

    def budget(self, user: str, server: str = "") -> Budget | None:
        """Return the budget of the user whose token it is; None if no rate is documented.

        Where each server counts by itself, it is that for `server`; without one, for the first.
        """
        if self.rate is None:
            return None
        who = self.rate_key or user
        address = next(iter(self.addresses.values()), "")  # some clients know no other
        if self.rate.counts == "server":
            address = self.addresses.get(server) or address
        budget = self._budgets.get((who, address))
        if budget is None:
            from hashlib import sha256

            # Only a digest is kept there: the store may lie outside of the process.
            whose = "key" if self.rate_key else "token"
            text = "\n".join([whose, who, address])
            key = sha256(text.encode()).hexdigest()
            budget = self._rates.budget(key, self.rate)
            # Only the newest: tokens that are renewed must not pile up.
            kept = {each: held for each, held in self._budgets.items() if each[0] == who}
            self._budgets = {**kept, (who, address): budget}
        return budget

    def budgets(self) -> Iterable[Budget]:
        """Return the budgets that were used."""
        return self._budgets.values()

    def reports_reset(self, headers: Mapping[str, str], wall: float) -> bool:
        """Return whether the header fields of a response say when the rate allows more."""
        return self.rate is not None and read_rate(self.rate, headers, wall, 0.0).end is not None

    @property
    def needs_tls(self) -> bool:
        """Whether any base address is reached by https."""
        return any(url.lower().startswith("https:") for url in self.addresses.values())


def _address(address: object, argument: str, ends: Mapping[str, str], problems: list[str]) -> str:
    if not address:
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
    """
    path = "/" + address.partition("://")[2].partition("/")[2]
    wanted, longest = ends[argument], max(filter(path.endswith, ends.values()), key=len, default="")
    if not wanted or longest == wanted:
        return None
    owner = "".join(f", which belongs to {name}" for name, end in ends.items() if end == longest)
    return f"must end with {wanted}, but its path is {path}{owner}"


def _unfit(address: str) -> str | None:
    """Return why an address cannot be a base address; None when it can.

    It is never shown: somebody may have given the token in its place.
    """
    if not re.fullmatch(r"[!-~]+", address):
        return "holds white space or characters that an address cannot carry"
    if re.fullmatch(_USUAL, address):
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
