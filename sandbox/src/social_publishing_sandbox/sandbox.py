"""The sandbox in Python: on real ports, or as ASGI applications without sockets."""

from __future__ import annotations

import functools
import secrets
import shutil
import socket
import sys
import tempfile
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast

from social_publishing_sandbox.api.faults.kinds import unknown
from social_publishing_sandbox.api.faults.registry import Faults
from social_publishing_sandbox.api.http import Api
from social_publishing_sandbox.api.operations import media as media_operations
from social_publishing_sandbox.api.origin import Origin, address
from social_publishing_sandbox.api.request_log.ring import RequestLog
from social_publishing_sandbox.api.space import raising_no_space
from social_publishing_sandbox.api.transport import App
from social_publishing_sandbox.api.validation import ResponseCheck
from social_publishing_sandbox.control.control import Control, Moment, milliseconds
from social_publishing_sandbox.control.seeding import World
from social_publishing_sandbox.state import arguments, ids, publishing, times
from social_publishing_sandbox.state import documents as contract
from social_publishing_sandbox.state.clock import Clock
from social_publishing_sandbox.state.errors import ClientMissing, ControlError
from social_publishing_sandbox.state.rate_limit import RateLimit
from social_publishing_sandbox.state.service import Service, Settings
from social_publishing_sandbox.state.store import Store

if sys.platform == "emscripten":  # a browser has no sockets
    from social_publishing_sandbox.loopback import Server
else:
    from social_publishing_sandbox.serving import Server

if TYPE_CHECKING:
    from social_publishing import AsyncSocialPublishing, SocialPublishing


@arguments.all_checked
class Sandbox(Control):
    """A Social Publishing Service of your own.

    As a context manager, it listens on two ports, one for each API (§1)::

        with Sandbox(clock="frozen") as sandbox, sandbox.client() as client:
            client.labels.create(name="Spring")
            sandbox.advance(days=1)

    Without sockets, use the ASGI applications `app` and `media_app`.

    Args:
        world: `small`, `agency`, `odd`, the path of a JSON or YAML file, or the world itself as a
            dict.
        seed: seed of everything random; the same seed gives the same world and responses.
        clock: `real`, `frozen`, or a speed such as `x60`.
        now: when the clock of a seeded world starts, as a datetime or an ISO 8601 date-time. None
            means the present, or a fixed Tuesday morning for a frozen clock. A world of your own
            has its own `now`.
        rate_limit: requests per minute and user (by default as documented, §8); None for no limit.
        db: the file that keeps the state; None keeps it in memory. An existing file is continued,
            with the world it was made from; `world`, `seed` and `now` are ignored.
        host, port, media_port: where it listens; port 0 picks a free one.
        check: check every response against the documents; a mismatch becomes a 500.
        nulls: send fields without a value as null instead of leaving them out.
        processing: seconds that processing a file takes; None for a time that depends on its size.
        fetch_hosts: hosts from which files may be uploaded by URL (`*.example.com`, `*`).
        fetch_private: whether these hosts may be in the local network.
        cors: origins whose pages may call both APIs, such as `http://localhost:3000`, or `*`.
        documents: a folder with documents to serve instead of the shipped ones.
        control_token: the token of the control API below `/_sandbox`; None for a random one.

    Attributes:
        app: the main API as an ASGI application.
        media_app: the media API as an ASGI application.
        control_token: the token of the routes below `/_sandbox`.
        resumed: whether `db` already had a state.

    Raises:
        ControlError: an argument is invalid; it is a ValueError, too.
        worlds.BadWorld: the world is invalid; every problem is named.
        store.BadDatabase: the file is not a database of this sandbox.
    """

    @arguments.checked
    def __init__(
        self,
        world: World = "small",
        *,
        seed: int = 7,
        clock: str = "real",
        now: Moment | None = None,
        rate_limit: int | Literal["documented"] | None = "documented",
        db: str | Path | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
        media_port: int = 0,
        check: bool = True,
        nulls: bool = False,
        processing: float | None = None,
        fetch_hosts: Sequence[str] = (),
        fetch_private: bool = False,
        cors: Sequence[str] = (),
        documents: str | Path | None = None,
        control_token: str | None = None,
    ) -> None:
        changes: arguments.Changes = {
            "nulls": nulls,
            "processing": processing,
            "fetch_hosts": fetch_hosts,
            "fetch_private": fetch_private,
        }
        if rate_limit != "documented":
            changes["rate_limit"] = rate_limit
        start = None if now is None else _start(now)
        if port and port == media_port:
            reason = f"must differ from the port of the main API, {port}"
            raise ControlError(f"media_port {reason}", "media_port")
        documented = contract.load() if documents is None else _documents(Path(documents))
        store = Store(Path(db) if db else None)
        # Named before it is made: whatever ends the process then, nothing is left behind.
        name = f"{db}.files" if db else f"sandbox-files-{secrets.token_hex(8)}"
        folder = Path(name) if db else Path(tempfile.gettempdir(), name)
        self._finalizer = weakref.finalize(self, _close, store, None if db else folder)
        try:
            folder.mkdir(0o777 if db else 0o700, exist_ok=bool(db))
            kept = None if store.fresh else store.meta("state")
            clock_now = start
            if kept:
                origin = store.meta("origin") or {"world": world, "start": start}
                world, start = origin["world"], origin["start"]
                # A real clock never goes back.
                clock_now = max(kept["now"], time.time_ns() // 10**6 if clock == "real" else 0)
            rate = documented.main.rate
            service = Service(
                documented,
                store,
                Clock(clock, clock_now),
                RateLimit(
                    rate["requests"],
                    rate["seconds"],
                    rate["requests"],
                    by_server=rate["counts"] == "server",
                    by_clock=rate["begins"] == "clock",
                ),
                folder,
                Settings(seed=kept["seed"] if kept else seed),
            )
            publishing.install(service)
            media_operations.install(service)
            super().__init__(
                service,
                RequestLog(),
                Faults(lambda: service.settings.seed),
                world,
                start,
                host,
                control_token or secrets.token_urlsafe(18),
            )
            self._apis = [
                Api(
                    service,
                    document,
                    self.request_log,
                    self.faults,
                    streaming=media_operations.STREAMING,
                )
                for document in documented.documents
            ]
            self._check = check
            self.configure(**changes)
            if not kept:
                self.reset()
        except BaseException:
            self._finalizer()
            raise
        self.resumed = bool(kept)
        self.app, self.media_app = self._origins = [
            Origin(api, functools.partial(_site, self, document))
            for api, document in zip(self._apis, documented.documents, strict=True)
        ]
        self._servers = {
            "main": Server(_shared(self.app, cors, self._apis[0]), host, port),
            "media": Server(_shared(self.media_app, cors, self._apis[1]), host, media_port),
        }
        self._entered = 0

    def __repr__(self) -> str:
        if self.closed:
            return "<Sandbox, closed>"
        return f"<Sandbox {self.base_url}, clock {self.clock_mode}, {self.now:%Y-%m-%d %H:%M} UTC>"

    # On real ports

    def start(self) -> None:
        """Listen on both ports, unless it already does.

        Raises:
            OSError: a host or port is not available; the error names the argument.
            RuntimeError: the sandbox is closed.
        """
        if self.closed:
            raise RuntimeError("the sandbox is closed")
        self.events.ended = False
        try:
            for name, server in self._servers.items():
                try:
                    server.start(self._tick if name == "main" else None)
                except (OSError, UnicodeError) as error:
                    raise self._unreachable(name, server.port, error) from error
                self.service.origins[name] = address(self.host, server.port)
        except BaseException:
            self.stop()
            raise

    def _unreachable(self, name: str, port: int, error: OSError | UnicodeError) -> OSError:
        """Return why a port cannot be had."""
        if port == 0 or isinstance(error, UnicodeError | socket.gaierror):
            where = f"host {self.host!r}"  # no port of it can
        else:
            where = f"{'port' if name == 'main' else 'media_port'} {port} of {self.host}"
        number, reason = getattr(error, "errno", None), getattr(error, "strerror", None) or error
        return OSError(number, f"{where} is not available: {reason}")

    def stop(self) -> None:
        """Stop listening; the state stays, in the file or in this object."""
        self.events.end()
        for server in self._servers.values():
            server.stop()

    @property
    def closed(self) -> bool:
        """Whether the sandbox was closed; it cannot be used any more then."""
        return not self._finalizer.alive

    def close(self) -> None:
        """Stop, and release the state; a file keeps it. Closing twice is allowed.

        Raises:
            space.NoSpace: the disk is full; the file has an earlier time.
        """
        self.stop()
        if self.closed:
            return
        with self.service.store.lock:
            try:
                with raising_no_space():
                    self.save_clock()
            finally:  # on a full disk, too
                for served in self._origins:
                    served.close()
                self._finalizer()

    def __enter__(self) -> Sandbox:
        self.start()
        self._entered += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._entered -= 1
        if not self._entered:
            self.close()

    # Clients

    def client(self, *, role: str | None = None, **options: Any) -> SocialPublishing:
        """Return a client of this sandbox; close it like any other::

            with sandbox.client(role="client", retries=0) as client:
                client.groups.get("9032915132417572866")

        Args:
            role: the role whose token it uses, one of `tokens`; None for the owner.
            options: other arguments of `SocialPublishing`.

        Raises:
            ControlError: there is no user of this role, or the sandbox does not listen.
            ClientMissing: the package `social-publishing` is not installed.
        """
        arguments = self._client_arguments(role)
        with _installed():
            from social_publishing import SocialPublishing
        return SocialPublishing(**{**arguments, **options})

    def async_client(self, *, role: str | None = None, **options: Any) -> AsyncSocialPublishing:
        """Return an asynchronous client::

            async with sandbox.async_client() as client:
                await client.groups.get("9032915132417572866")

        It has the arguments and errors of `client`.
        """
        arguments = self._client_arguments(role)
        with _installed():
            from social_publishing import AsyncSocialPublishing
        return AsyncSocialPublishing(**{**arguments, **options})

    def _client_arguments(self, role: str | None) -> dict[str, Any]:
        tokens = self.tokens
        if role is not None and role not in tokens:
            raise ControlError(f"role {role!r}: {unknown('role', role, tokens)}", "role")
        if not all(each.is_listening for each in self._servers.values()):
            raise ControlError(
                "the sandbox is not listening: use it in a `with` block, or call start()"
            )
        return {
            "api_token": self.token if role is None else tokens[role],
            "base_url": self.base_url,
            "media_url": self.media_url,
        }

    # Settings

    def configure(self, **changes: Unpack[arguments.Changes]) -> None:
        super().configure(**changes)
        if "nulls" in changes:
            check = (
                _response_check(self.service.contract, changes["nulls"]) if self._check else None
            )
            for api in self._apis:
                api.check = check

    configure.__doc__ = Control.configure.__doc__

    def _tick(self) -> None:
        """Let happen what is due, unless the state is in use; then somebody else does, or this
        comes again. It runs in the loop that serves everybody, which must not wait.
        """
        lock = self.service.store.lock
        if lock.acquire(blocking=False):
            try:
                if not self.closed:  # a program that ends closes what it has left open
                    self.service.tick()
            finally:
                lock.release()


@contextmanager
def _installed() -> Iterator[None]:
    """Say what to install where the client is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "social_publishing":
            raise
        raise ClientMissing from None


def _shared(app: App, cors: Sequence[str], api: Api) -> App:
    """Return an application that pages of these origins may call from a browser.

    What a browser asks first is not counted, and its response has the rate headers, too (§8).
    """
    if not cors:
        return app
    from starlette.middleware.cors import CORSMiddleware

    class Shared(CORSMiddleware):
        def preflight_response(self, request_headers: Any) -> Any:
            response = super().preflight_response(request_headers)
            response.raw_headers += api.rate_headers()
            return response

    shared: Any = Shared(
        app,
        allow_origins=[*cors],
        allow_methods=["*"],
        allow_headers=["*"],
        expose_headers=["*"],
    )
    return cast("App", shared)


def _start(now: Moment) -> int:
    """Return the moment at which a clock is to start."""
    start = milliseconds(now, "now")
    if not 0 <= start <= ids.LAST:
        last = times.text(ids.LAST)
        raise ControlError(f"now must be between 1970 and {last}, not {now}", "now")
    return start


def _documents(folder: Path) -> contract.Contract:
    try:
        return contract.load(folder)
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}"
    except ValueError as error:
        reason = str(error)
    raise ControlError(f"documents: {reason}", "documents")


def _site(sandbox: Sandbox, document: contract.Document) -> App:
    from social_publishing_sandbox import site

    return site.make(sandbox, document)


@functools.cache
def _response_check(documented: contract.Contract, nulls: bool) -> ResponseCheck:
    return ResponseCheck(documented.documents, nulls=nulls)


def _close(store: Store, folder: Path | None) -> None:
    with store.lock:
        store.close()
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
