"""A file from an address or a path, within bounds of time and size."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import httpx2

from pipeline.openapi.documents import MAX_BYTES
from pipeline.openapi.problems import Finding, PipelineError

MAX_REDIRECTS: Final = 5
SECONDS: Final = 60.0  # for everything together
_SECONDS_OF_SILENCE: Final = 15.0


def fetch(source: str, root: Path, seconds: float = SECONDS, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the bytes at an http or https address, or of a file; `root` is where paths begin.

    A redirect is followed to https, and from http to http on the same host and port.
    """
    if "://" not in source:
        return _read(root / source, source, max_bytes)
    try:
        with httpx2.Client(timeout=min(_SECONDS_OF_SILENCE, seconds)) as client:
            return _download(client, source, time.monotonic() + seconds, max_bytes)
    except httpx2.TimeoutException:
        raise _failed(source, f"does not respond in time ({seconds:g} seconds at most)") from None
    except httpx2.TransportError as error:
        raise _failed(source, f"cannot be reached: {error}") from None


def _read(path: Path, source: str, max_bytes: int) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except OSError as error:
        raise _failed(source, f"cannot be read: {error.strerror or error}") from None
    if len(data) > max_bytes:
        raise _too_large(source, max_bytes)
    return data


def _download(client: httpx2.Client, source: str, until: float, max_bytes: int) -> bytes:
    address = _address(source, source)
    for _ in range(MAX_REDIRECTS + 1):
        with client.stream("GET", address, headers={"Accept-Encoding": "identity"}) as response:
            if not response.has_redirect_location:
                return _body(response, source, until, max_bytes)
            target = response.headers["location"]
            if time.monotonic() > until:
                raise httpx2.ReadTimeout("")
        following = _address(source, target, address)
        same = (address.scheme, address.netloc) == (following.scheme, following.netloc)
        if following.scheme != "https" and not same:
            reason = "only https, or http on the same host, is followed"
            raise _failed(source, f"redirects to {following.scheme}://{following.host}; {reason}")
        address = following
    raise _failed(source, f"redirects more than {MAX_REDIRECTS} times")


def _address(source: str, text: str, base: httpx2.URL | None = None) -> httpx2.URL:
    where = "redirects to an address that" if base else "is an address that"
    try:
        address = httpx2.URL(text) if base is None else base.join(text)
    except (httpx2.InvalidURL, ValueError):
        raise _failed(source, f"{where} is not well-formed") from None
    if address.scheme not in ("http", "https") or not address.host:
        raise _failed(source, f"{where} does not begin with http:// or https:// and a host")
    if address.userinfo:
        raise PipelineError(Finding("an address must not contain a user name or password"))
    return address


def _body(response: httpx2.Response, source: str, until: float, max_bytes: int) -> bytes:
    if response.status_code != 200:
        status = f"{response.status_code} {response.reason_phrase}".strip()
        raise _failed(source, f"responds with the status {status}")
    encoding = response.headers.get("content-encoding", "identity").lower()
    if encoding != "identity":  # unpacking could make a small response endless
        raise _failed(source, f"is compressed ({encoding}), although this was not requested")
    data = bytearray()
    for piece in response.iter_raw():
        data += piece
        if len(data) > max_bytes:
            raise _too_large(source, max_bytes)
        if time.monotonic() > until:
            raise httpx2.ReadTimeout("")
    return bytes(data)


def _failed(source: str, reason: str) -> PipelineError:
    return PipelineError(Finding(f"{source} {reason}"))


def _too_large(source: str, max_bytes: int) -> PipelineError:
    return _failed(source, f"is larger than {max_bytes:,} bytes")
