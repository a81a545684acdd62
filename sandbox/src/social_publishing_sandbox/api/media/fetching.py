"""Download a file from an address that a user gave, safely.

The address is not trusted. It may name a machine of the local network, a name that resolves
differently between check and connection, or a server that redirects there, never ends, or sends
more than it announced. So every hop is checked: scheme, host, and each IP address of the host. The
connection goes to an address that was checked.
"""

from __future__ import annotations

import asyncio
import functools
import socket
import ssl
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import httpx2

from social_publishing_sandbox.api.media import names
from social_publishing_sandbox.api.media.addresses import is_allowed, is_public
from social_publishing_sandbox.api.media.storing import Incoming, TooLarge, Upload
from social_publishing_sandbox.state.file_types import EXTENSIONS
from social_publishing_sandbox.state.refusals import Reason, Refusal
from social_publishing_sandbox.state.wording import listed, megabytes

MAX_REDIRECTS: Final = 5
DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_EXTENSION_OF: Final = {mime_type: extension for extension, (_, mime_type) in EXTENSIONS.items()}

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gives the IP addresses of a host and port."""


class FetchFailed(Refusal):
    """A file could not be downloaded, or was refused.

    The message gives the reason. It reveals nothing about the target that is not in the address
    itself.
    """

    def __init__(self, sentence: str, reason: Reason = Reason.UNREACHABLE) -> None:
        unreachable = reason is Reason.UNREACHABLE
        cites = "uploadFromUrl.addresses" if unreachable else "uploadFromUrl.limits"
        super().__init__(reason, sentence, {"file_url": [sentence]}, cites=cites)


async def resolve_host(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host, as this machine resolves it."""
    loop = asyncio.get_running_loop()
    resolved = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in resolved))


async def fetch(
    url: str,
    into: Path,
    *,
    allowed_hosts: Collection[str],
    allow_private: bool = False,
    max_bytes: int = 2048 << 20,
    timeout: float = 30,
    extensions: Collection[str] | None = None,
    exact: bool = False,
    resolve: Resolve = resolve_host,
) -> Upload:
    """Download the file of `POST {media_url}/upload/url/sync` (§4.7).

    Its name comes from Content-Disposition, or else from the end of the address. If the name has no
    known extension, the Content-Type decides. Proxies of the environment are not used: a proxy
    would resolve the name again, unchecked.

    Args:
        url: an http or https address, without user name and password.
        into: an existing folder; the file gets a name of its own there.
        allowed_hosts: names, `*.example.com`, or `*`.
        allow_private: whether this machine and the local network may be reached.
        max_bytes: how large the file may be.
        timeout: seconds for everything together.
        extensions: lower-case extensions that the file's name may have; None: any.
        exact: compare extensions case-sensitively.
        resolve: gives the IP addresses of a host and port.
    """
    try:
        async with (
            asyncio.timeout(timeout),
            httpx2.AsyncHTTPTransport(verify=trusted()) as transport,
        ):
            route = _Route(transport, frozenset(allowed_hosts), allow_private, resolve, timeout)
            address, response = await route.follow(url)
            try:
                _check_response(response, max_bytes)
                filename = _file_name(response, [address.path, httpx2.URL(url).path])
                _check_extension(filename, extensions, exact)
                return await _store(response, filename, into, max_bytes)
            finally:
                await response.aclose()
    except TimeoutError as error:
        raise FetchFailed(f"The file did not arrive within {timeout:g} seconds.") from error
    except (httpx2.TransportError, httpx2.InvalidURL) as error:
        raise FetchFailed(_what_broke(error)) from error


@functools.cache
def trusted() -> ssl.SSLContext:
    """Return the certificates that are trusted; to read them takes longer than a request."""
    return httpx2.create_ssl_context()


@dataclass(frozen=True, slots=True)
class _Route:
    """The way of a download: the hosts that it may ask, and its redirects."""

    transport: httpx2.AsyncHTTPTransport
    allowed_hosts: frozenset[str]
    allow_private: bool
    resolve: Resolve
    timeout: float

    async def follow(self, url: str) -> tuple[httpx2.URL, httpx2.Response]:
        """Return the first response on the way that is no redirect, still to be read and closed,
        and the address that it comes from.
        """
        failing = "The address does not work: "
        address = _address(url, failing)
        for _ in range(MAX_REDIRECTS + 1):
            reachable = await self._reachable(address, failing)
            response = await self._ask(address, reachable)
            if response.status_code not in _REDIRECTS:
                return address, response
            # Unread, so that its connection is not kept: connections are made to IP addresses, and
            # the next host may be another one at the same address.
            await response.aclose()
            failing = "The address redirects to another address, which does not work: "
            address = _address(response.headers.get("location", ""), failing, address)
        raise FetchFailed(f"The address redirects more than {MAX_REDIRECTS} times.")

    async def _reachable(self, address: httpx2.URL, failing: str) -> Sequence[str]:
        """Return the IP addresses of an address' host, once it is clear that it may be reached."""
        host = address.raw_host.decode("ascii")
        if not (
            is_allowed(host, self.allowed_hosts) or is_allowed(address.host, self.allowed_hosts)
        ):
            hosts = listed(self.allowed_hosts) or "none at all"
            raise FetchFailed(
                f"{failing}files are fetched only from these hosts: {hosts}. "
                "The sandbox's option --allow-fetch HOST (fetch_hosts in Python) adds one."
            )
        try:
            addresses = await self.resolve(host, address.port or DEFAULT_PORTS[address.scheme])
        except (OSError, UnicodeError) as error:
            raise FetchFailed(f"{failing}its host has no IP address.") from error
        if not self.allow_private and not all(map(is_public, addresses)):
            raise FetchFailed(
                f"{failing}it leads into the local network. The sandbox's option "
                "--allow-private (fetch_private in Python) permits that."
            )
        return addresses

    async def _ask(self, address: httpx2.URL, reachable: Sequence[str]) -> httpx2.Response:
        """Return the response of the first of these IP addresses that takes a connection."""
        host = address.raw_host.decode("ascii").rstrip(".")
        failure: httpx2.TransportError = httpx2.ConnectError("no IP address")
        for ip in reachable:
            request = httpx2.Request(
                "GET",
                address.copy_with(host=ip),
                headers={
                    "Host": address.netloc.decode("ascii"),
                    "Accept": "*/*",
                    "Accept-Encoding": "identity",
                    "User-Agent": "social-publishing-sandbox",
                },
                extensions={
                    "sni_hostname": host,
                    "timeout": {"connect": self.timeout / len(reachable)},
                },
            )
            try:
                return await self.transport.handle_async_request(request)
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                failure = error
        raise failure


def _address(text: str, failing: str, base: httpx2.URL | None = None) -> httpx2.URL:
    """Read an address, relative to where it was found."""
    try:
        address = httpx2.URL(text) if base is None else base.join(text)
        host = address.host  # decoded from its ASCII spelling, which may be none
    except (httpx2.InvalidURL, ValueError) as error:
        raise FetchFailed(f"{failing}it is not a valid URL.") from error
    if address.scheme not in DEFAULT_PORTS:
        raise FetchFailed(f"{failing}it must begin with http:// or https://.")
    port = DEFAULT_PORTS[address.scheme] if address.port is None else address.port
    if not host or not 1 <= port <= 65535:
        raise FetchFailed(f"{failing}it is not a valid URL.")
    if address.userinfo:
        raise FetchFailed(f"{failing}it must not contain a user name or password.")
    return address


def _check_response(response: httpx2.Response, max_bytes: int) -> None:
    if response.status_code != 200:
        raise FetchFailed(f"The server responded with the status {response.status_code}.")
    encoding = response.headers.get("content-encoding", "identity").lower()
    if encoding != "identity":
        # Unpacking could make a small response endless.
        raise FetchFailed(
            f"The server sent the file compressed ({encoding}), although this was not requested."
        )
    length = response.headers.get("content-length", "")
    if length.isdecimal() and int(length) > max_bytes:
        raise _too_large(max_bytes)


def _check_extension(filename: str, extensions: Collection[str] | None, exact: bool) -> None:
    if extensions is not None and names.extension(filename, exact=exact) not in extensions:
        raise FetchFailed(
            f"The file must have one of the extensions {listed(extensions)}.", Reason.INVALID
        )


def _file_name(response: httpx2.Response, paths: Sequence[str]) -> str:
    """Return the file's name: the server's, else the first path's that ends in one."""
    _, disposition = names.parameters(response.headers.get("content-disposition", ""))
    ends = [unquote(path.rsplit("/", 1)[-1]) for path in paths]
    filename = _first_name([disposition.get("filename", ""), *ends])
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if names.extension(filename) not in EXTENSIONS and kind in _EXTENSION_OF:
        return names.safe_name(f"{filename}.{_EXTENSION_OF[kind]}")
    return filename


def _first_name(candidates: Sequence[str]) -> str:
    for candidate in candidates:
        with suppress(ValueError):
            return names.safe_name(candidate)
    return "file"


async def _store(response: httpx2.Response, filename: str, into: Path, max_bytes: int) -> Upload:
    with Incoming(into, max_bytes) as file:
        try:
            async for chunk in response.aiter_raw():
                file.add(chunk)
                await file.drain()
        except TooLarge as error:
            raise _too_large(max_bytes) from error
        if file.size == 0:
            raise FetchFailed("The server sent an empty file.", Reason.INVALID)
        await file.finish()
        return Upload(file.path, filename, response.headers.get("content-type"), file.size)


def _too_large(max_bytes: int) -> FetchFailed:
    return FetchFailed(f"The file is larger than {megabytes(max_bytes)}.", Reason.TOO_LARGE)


def _what_broke(error: Exception) -> str:
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return "The server's certificate is not trusted."
    return "The connection to the server failed before the file was complete."
