"""One origin: an API below its base path, and beside it what people look at."""

from __future__ import annotations

from collections.abc import Callable

from social_publishing_sandbox.api.http import Api
from social_publishing_sandbox.api.transport import App, Receive, Scope, Send


class Origin:
    """An ASGI application of one host and port.

    Args:
        site: makes the application for every other path; called when the first such path is asked
            for, so that nobody waits for what they do not use.
    """

    def __init__(self, api: Api, site: Callable[[], App]) -> None:
        self._api = api
        self._make_site = site
        self._site: App | None = None
        self._closed = False

    def close(self) -> None:
        """Serve nothing any more; who asks without a socket gets an error."""
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
