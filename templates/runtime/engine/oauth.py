"""OAuth 2 (RFC 6749): access tokens that a client gets, and renews, by itself.

All calls of a process share one renewal, in any thread and any task: one of them asks for the new
token, and the others wait for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import iscoroutinefunction
from threading import Event, Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus, urlencode, urljoin, urlsplit

from ..core.errors import ClientError, ConfigurationError, ExchangeError
from ..core.forks import restart_after_fork
from ..core.named_tuples import NamedTuple
from ..core.sources import load_json
from ..core.type_guards import is_number, is_object
from ..limits.retries import is_transient, jittered_backoff
from ..response.decode import status_error
from ..response.redaction import Redaction
from ..transport.middleware import Attempt
from ..transport.send_state import SendState
from ..transport.sending import sent, sent_async
from .effects import Pause

if TYPE_CHECKING:
    from ..core.deadline import Deadline
    from ..core.errors import Exchange
    from ..transport.connections import AsyncConnections, Connections
    from .context import Context
    from .effects import Steps

_EARLY = 60.0  # seconds before its end from which on a token is renewed
_PATIENCE = 10.0  # seconds to wait for another call, before it is taken for one that never ends
_MOST_BYTES = 1 << 20
_LOCAL = ("localhost", "127.0.0.1", "::1")


class Renewal:
    """The token of a credential: renewed before its end, and once more where it is refused.

    Args:
        name: the class of the credential, for messages.
        form: what is sent for a token; of a refresh token that comes, the newest.
        token: the one to begin with; None to get it.
        on_refresh: called with each refresh token that comes.
    """

    def __init__(
        self,
        name: str,
        form: Mapping[str, str],
        client_id: str,
        client_secret: str | None,
        token_url: str | None,
        scopes: Iterable[str],
        in_body: bool,
        token: str | None = None,
        on_refresh: Callable[[str], object] | None = None,
    ) -> None:
        if on_refresh is not None and (not callable(on_refresh) or iscoroutinefunction(on_refresh)):
            raise ConfigurationError("on_refresh must be a plain function of one text")
        needed: dict[str, Any] = {"client_id": client_id, "client_secret": client_secret, **form}
        if client_secret is None and "refresh_token" in form:
            del needed["client_secret"]
        for what, value in needed.items():
            if not isinstance(value, str) or not value:
                kind = "an empty one" if value == "" else type(value).__name__
                raise ConfigurationError(f"{name}: {what} must be a text, got {kind}")
        self.name: str = name
        self.client_id = client_id
        self.token_url = token_url
        self.has_own_url: bool = bool(token_url)
        self.held = token
        self._form = dict(form)
        self._secret = client_secret
        self._scopes = (scopes,) if isinstance(scopes, str) else tuple(scopes)
        self._in_body = in_body
        self._on_refresh = on_refresh
        self._ends: float | None = None
        self.restart()
        restart_after_fork(self)

    def restart(self) -> None:
        """Forget who renews the token: after a fork it is nobody here."""
        self._lock = Lock()
        self._renewing: Event | None = None
        self._failure: tuple[Event, ClientError] | None = None

    @property
    def owner(self) -> str:
        """What tells the user from others, whatever the token is."""
        return f"{self.client_id}\n{self.token_url}"

    def refused(self, token: str) -> None:
        """Let the next call renew a token that the service has refused, if it is still that one."""
        with self._lock:
            if self.held == token:
                self._ends = float("-inf")

    def token(self, operation: str, context: Context[Any], deadline: Deadline) -> Steps[str]:
        """Return a token that is good for a while; renew it where that has to be.

        Raises:
            ClientError: it could not be renewed, here or by the call that was doing so.
        """
        waited: Event | None = None
        while True:
            with self._lock:
                now, ends = context.clock.now(), self._ends
                if self.held is not None and (ends is None or now < ends):
                    return self.held
                if self._failure is not None and self._failure[0] is waited:
                    raise self._failure[1]
                if self._renewing is None or self._renewing is waited:
                    mine = self._renewing = Event()
                    break
                waited = self._renewing
            yield _Wait(waited, operation, deadline)  # in vain, this call takes its place
        try:
            return (yield from self._renew(operation, context, deadline))
        except ClientError as error:
            if not deadline.is_over:  # that of others may not be
                self._failure = (mine, error)
            raise
        finally:
            with self._lock:
                if self._renewing is mine:
                    self._renewing = None
            mine.set()

    def _renew(self, operation: str, context: Context[Any], deadline: Deadline) -> Steps[str]:
        asked = context.clock.now()
        form, headers = (
            dict(self._form),
            {"Accept": "application/json", "Accept-Encoding": "identity"},
        )
        headers |= {
            "Content-Type": "application/x-www-form-urlencoded",
            "User-Agent": context.settings.user_agent,
        }
        if self._scopes:
            form["scope"] = " ".join(self._scopes)
        if self._secret is None or self._in_body:
            form["client_id"] = self.client_id
            form |= {} if self._secret is None else {"client_secret": self._secret}
        else:
            headers["Authorization"] = f"Basic {_basic(self.client_id, self._secret)}"
        hidden = [*form.values(), self._secret or "", headers.get("Authorization", "Basic ")[6:]]
        public = ("grant_type", "scope", "client_id")
        hidden = [each for each in hidden if each not in [form.get(name) for name in public]]
        redact, url = Redaction(*hidden), self._address()
        retries, number = context.options.retries, 0
        while True:
            number += 1
            body = urlencode(form).encode()
            timeout = context.options.timeout
            attempt = Attempt(operation, number, "POST", url, headers, body, timeout)
            failure: ClientError
            try:
                exchange: Exchange = yield _Send(attempt, deadline)
            except ExchangeError as error:
                failure = redact.error(error)
            else:
                if 200 <= (exchange.status or 0) <= 299:
                    return self._taken(exchange, asked, operation)
                failure = status_error(redact(exchange), context.settings.status_errors)
            if deadline.is_over:
                raise deadline.exceeded(operation, "waiting for the token") from failure
            pause = jittered_backoff(retries, number)
            if number >= retries.attempts or not is_transient(failure):
                raise failure
            if not deadline.allows(pause):
                raise deadline.exceeded(operation, "waiting for the token") from failure
            yield Pause(pause, operation, "retry")

    def _taken(self, exchange: Exchange, asked: float, operation: str) -> str:
        """Return the token of a response, and keep it."""
        try:
            came: Any = load_json(exchange.body)
        except (ValueError, RecursionError):
            came = None
        answer: Mapping[str, Any] = came if is_object(came) else {}
        token, seconds = answer.get("access_token"), _seconds(answer.get("expires_in"))
        if not isinstance(token, str) or not token:
            text = f"{operation}: the response of the token's address has no access_token"
            raise ClientError(text)
        with self._lock:
            self.held, self._ends = token, None
            if seconds is not None:
                self._ends = asked + seconds - min(_EARLY, seconds / 10)
        new = answer.get("refresh_token")
        if isinstance(new, str) and new and new != self._form.get("refresh_token", new):
            self._form["refresh_token"] = new
            if self._on_refresh is not None:
                self._on_refresh(new)
        return token

    def _address(self) -> str:
        url = self.token_url or ""
        if not url:
            raise ConfigurationError(f"{self.name}: token_url is missing: pass it")
        parts = urlsplit(url)
        is_safe = parts.scheme == "https" or parts.hostname in _LOCAL
        if not is_safe or not parts.hostname or "@" in parts.netloc:
            raise ConfigurationError(f"{self.name}: token_url must begin with https://")
        return url


class _Credentials:
    """Common base of what a client gets tokens for."""

    renewal: Renewal

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.renewal.client_id!r})"

    def __reduce__(self) -> Any:
        raise ClientError(f"{type(self).__name__} cannot be pickled: it holds a secret")

    def __call__(self) -> str:
        """Return the access token that the client holds now.

        Raises:
            ClientError: there is none yet: a call of a client gets the first.
        """
        if self.renewal.held is None:
            raise ClientError("there is no token yet: a call of a client gets the first")
        return self.renewal.held


class ClientCredentials(_Credentials):
    """Credentials of a program: an access token for an id and a secret (RFC 6749 §4.4).

    Pass it in the place of a token. The first call gets the token; it is renewed before its end,
    and once more where the service refuses it with 401.

    Args:
        client_id: the id of your program.
        client_secret: its secret.
        token_url: where tokens come from. Default: the address that the document names.
        scopes: what the token is for. Default: what the service grants by itself.
        in_body: send id and secret in the body, not in the header `Authorization`.
    """

    def __init__(
        self,
        client_id: str,
        client_secret: str,
        *,
        token_url: str | None = None,
        scopes: Iterable[str] = (),
        in_body: bool = False,
    ) -> None:
        form = {"grant_type": "client_credentials"}
        given = client_id, client_secret, token_url, scopes, in_body
        self.renewal: Renewal = Renewal("ClientCredentials", form, *given)


class RefreshToken(_Credentials):
    """A user's permission: an access token for a refresh token (RFC 6749 §6).

    Pass it in the place of a token. The first call gets the access token, unless you have one; it
    is renewed before its end, and once more where the service refuses it with 401.

    Args:
        refresh_token: what stands for the user's permission.
        client_id: the id of your program.
        client_secret: its secret, if it has one.
        access_token: the token to begin with; without one, the first call gets it.
        on_refresh: called with each new refresh token that comes: save it, the old one may be
            used up.
        token_url: where tokens come from. Default: the address that the document names.
        scopes: what the token is for. Default: what the user has permitted.
        in_body: send id and secret in the body, not in the header `Authorization`.
    """

    def __init__(
        self,
        refresh_token: str,
        client_id: str,
        client_secret: str | None = None,
        *,
        access_token: str | None = None,
        on_refresh: Callable[[str], object] | None = None,
        token_url: str | None = None,
        scopes: Iterable[str] = (),
        in_body: bool = False,
    ) -> None:
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        given = client_id, client_secret, token_url, scopes, in_body, access_token, on_refresh
        self.renewal: Renewal = Renewal("RefreshToken", form, *given)


def locate(given: object, base: str, token_url: str, refresh_url: str) -> None:
    """Let what renews a token use the addresses that the document names, unless it has another.

    One without a host is one of the server at `base`.

    Raises:
        ConfigurationError: another client has it, whose addresses are others.
    """
    if not isinstance(given, _Credentials) or (renewal := given.renewal).has_own_url:
        return
    url = refresh_url if isinstance(given, RefreshToken) else token_url
    is_known = bool(url and (base or urlsplit(url).scheme))
    found = urljoin(f"{base}/", url) if is_known else ""
    if renewal.token_url and found != renewal.token_url:
        raise ConfigurationError(
            f"{renewal.name}: another client has it, and gets tokens from {renewal.token_url}; "
            f"make one for this client, which would get them from {found or 'nowhere'}"
        )
    renewal.token_url = found


class _Send(NamedTuple):
    """Send a request for a token, past the middleware: it holds secrets of another kind."""

    attempt: Attempt
    deadline: Deadline

    def run(self, context: Context[Connections]) -> Any:
        return sent(context.connections, self.attempt, self.deadline, _MOST_BYTES, SendState())

    async def run_async(self, context: Context[AsyncConnections]) -> Any:
        rest = self.deadline, _MOST_BYTES, SendState()
        return await sent_async(context.connections, self.attempt, *rest)


class _Wait(NamedTuple):
    """Wait for the call that renews the token, but not for one that never ends."""

    renewed: Event
    operation: str
    deadline: Deadline

    def run(self, context: Context[Connections]) -> None:
        self.renewed.wait(self._seconds)
        self._check()

    async def run_async(self, context: Context[AsyncConnections]) -> None:
        from anyio import move_on_after, sleep

        with context.connections.waiting(), move_on_after(self._seconds):
            while not self.renewed.is_set():  # it may be set in another thread, or another loop
                await sleep(0.01)
        self._check()

    @property
    def _seconds(self) -> float:
        left = self.deadline.left
        return _PATIENCE if left is None else max(0.0, min(left, _PATIENCE))

    def _check(self) -> None:
        if not self.renewed.is_set() and self.deadline.is_over:
            raise self.deadline.exceeded(self.operation, "waiting for the token")


def _seconds(said: Any) -> float | None:
    """Return how long a token is good for; None where a response does not say it."""
    try:
        is_said = is_number(said) or (isinstance(said, str) and said.isdecimal())
        return float(said) if is_said else None
    except OverflowError:  # for ever
        return None


def _basic(client_id: str, secret: str) -> str:
    from base64 import b64encode

    return b64encode(f"{quote_plus(client_id)}:{quote_plus(secret)}".encode()).decode()
