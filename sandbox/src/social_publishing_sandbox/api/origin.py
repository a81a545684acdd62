"""One origin: an API below its base path, and pages for people beside it."""

from __future__ import annotations

from collections.abc import Callable

from social_publishing_sandbox.api.http import Api
from social_publishing_sandbox.api.transport import App, Receive, Scope, Send


class Origin:
    """An ASGI application of one host and port.

    Args:
        site: creates the application for all other paths, on the first request for such a path.
    """

    def __init__(self, api: Api, site: Callable[[], App]) -> None:
        self._api = api
        self._make_site = site
        self._site: App | None = None
        self._closed = False

    def close(self) -> None:
        """Stop serving; a call without a socket raises an error."""
        self._closed = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._closed:
            raise RuntimeError("the sandbox is closed")
        if scope["type"] == "http" and self._api.serves(scope["path"]):
            await self._api(scope, receive, send)
            return
        if self._site is None:
            self._site = self._make_site()
        await self._site(scope, receive, send)


def address(host: str, port: int) -> str:
    """Return where this machine reaches a server, also one that listens on all of its addresses."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
