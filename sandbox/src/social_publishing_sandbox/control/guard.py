"""Require the control token for everything that controls the sandbox.

What stands below `/_sandbox` changes the state and shows every token, and a browser can be made to
send requests by any page that it shows. So a request needs the token, in `Authorization: Bearer` or
in the cookie that `/_sandbox/?token=…` sets; it must be addressed to this server by a name of its
own; and it must not come from another site's page.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount

from social_publishing_sandbox.api.transport import EXTENSION, App, Receive, Scope, Send
from social_publishing_sandbox.control.control import PREFIX, Control

_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_EVERY_ADDRESS: Final = frozenset({"0.0.0.0", "::"})


def protected(sandbox: Control, routes: Sequence[BaseRoute]) -> list[BaseRoute]:
    """Return these routes behind the guard.

    It takes every path, so it stands last in an application; it refuses whatever lies below
    `/_sandbox`, known or not, to who may not control the sandbox. The routes need do nothing:
    forms in particular need no token of their own, because a request from another site's page
    does not get as far as them.
    """
    guard = Middleware(Guard, sandbox=sandbox)
    return [Mount("", routes=list(routes), middleware=[guard])]


class Guard:
    """An ASGI application in front of another one."""

    def __init__(self, app: App, sandbox: Control) -> None:
        self._app = app
        self._sandbox = sandbox

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope.get("path", "")
        if scope["type"] != "http" or not (path == PREFIX or path.startswith(f"{PREFIX}/")):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        response = self._refusal(request)
        if response is None:
            await self._app(scope, receive, send)
        else:
            response.headers["cache-control"] = "no-store"
            response.headers["referrer-policy"] = "no-referrer"
            await response(scope, receive, send)

    def _refusal(self, request: Request) -> Response | None:
        """Return the refusal of a request; None for one that may go on."""
        if not self._is_addressed(request):
            name = request.headers.get("host", "")
            return _refused(403, f"This sandbox does not answer to the host name {name!r}.")
        if request.method not in _READING and _is_from_elsewhere(request):
            return _refused(403, "A page of another site may not control the sandbox.")
        token = self._sandbox.control_token
        given = request.query_params.get("token")
        if given is not None and request.method in _READING and _same(given, token):
            return _with_cookie(request, token)
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and _same(bearer.strip(), token):
            return None
        cookie = request.cookies.get(_cookie_name(request), "")
        if _same(cookie, _cookie_value(token)):
            return None
        return _refused(401, _UNKNOWN)

    def _is_addressed(self, request: Request) -> bool:
        """Return whether the request names this server.

        A name that belongs to somebody else can be made to lead here (DNS rebinding); an address
        cannot. Where every address of the machine is listened on, or where the application is
        served by another server, the names are not known here.
        """
        host = self._sandbox.host
        if host in _EVERY_ADDRESS or EXTENSION not in request.scope.get("extensions", {}):
            return True
        try:
            name = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
        except ValueError:
            return False
        if name in (host.lower(), "localhost") or name.endswith(".localhost"):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _is_from_elsewhere(request: Request) -> bool:
    """Return whether a browser says that a page of another origin sends this."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != request.headers.get("host")


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


def _cookie_name(request: Request) -> str:
    """Return the name of a sandbox's cookie: all ports of a host share their cookies."""
    port = request.headers.get("host", "").rpartition(":")[2]
    return f"sandbox-control-{port}" if port.isdecimal() else "sandbox-control"


def _cookie_value(token: str) -> str:
    """Return a digest of the token: another server on this host is sent the cookie as well."""
    return hashlib.sha256(f"cookie of {token}".encode()).hexdigest()


def _with_cookie(request: Request, token: str) -> Response:
    """Return the same address without the token, and a cookie in its place."""
    left = [each for each in request.query_params.multi_items() if each[0] != "token"]
    query = f"?{urlencode(left)}" if left else ""
    response = RedirectResponse(f"{quote(request.scope['path'])}{query}", 303)
    response.set_cookie(
        _cookie_name(request),
        _cookie_value(token),
        path=PREFIX,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


_UNKNOWN: Final = (
    "This needs the control token: send Authorization: Bearer <control token>, or open the "
    "console with the address that was printed when the sandbox started (sandbox.console_url in "
    "Python)."
)


def _refused(status: int, message: str) -> Response:
    headers = {"www-authenticate": "Bearer"} if status == 401 else {}
    return JSONResponse({"message": message}, status, headers)
