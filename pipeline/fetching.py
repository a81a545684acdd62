"""A file from an address or a path, within bounds of time and size."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from os.path import lexists, normpath
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote, urljoin

import httpx2

from pipeline.openapi.documents import MAX_BYTES, loads
from pipeline.openapi.files import put
from pipeline.openapi.problems import Finding, PipelineError

MAX_REDIRECTS: Final = 5
SECONDS: Final = 60.0  # for everything together
_SECONDS_OF_SILENCE: Final = 15.0
_MOST_PARTS: Final = 1000
_OF_DOCUMENTS: Final = frozenset({".yaml", ".yml", ".json", ".md", ".markdown", ".txt"})


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
        silence = min(_SECONDS_OF_SILENCE, seconds)
        most = f"{silence:g} seconds of silence, {seconds:g} in all"
        raise _failed(source, f"does not respond in time ({most}, at most)") from None
    except httpx2.TransportError as error:
        raise _failed(source, f"cannot be reached: {error}") from None


def fetch_parts(
    source: str, path: Path, kept: frozenset[str], seconds: float = SECONDS
) -> list[Path]:
    """Fetch the files that a document refers to, and those that these refer to; return their paths.

    Only files beside the document or below its folder are fetched, and nothing is overwritten. What
    cannot be had stays away: it is named where a reference leads to it.

    Args:
        source: the address of the document.
        path: where the document is.
        kept: files and folders beside it into which none is written.
    """
    path, until = Path(normpath(path)), time.monotonic() + seconds
    folder, files, looked_at = path.parent, [path], {path}
    for file in files:  # which grow
        for location in _locations(file.read_bytes(), file.name):
            part = Path(normpath(file.parent / location))
            left = until - time.monotonic()
            if part in looked_at or left <= 0 or len(files) > _MOST_PARTS:
                continue
            looked_at.add(part)
            names = part.relative_to(folder).parts if part.is_relative_to(folder) else ()
            if not names or names[0] in kept or any(each.startswith(".") for each in names):
                continue
            with suppress(PipelineError, OSError, ValueError):  # no name of a file is a ValueError
                is_inside = part.parent.resolve().is_relative_to(folder.resolve())
                is_taken = lexists(part)  # also by a link that leads nowhere
                if part.suffix.lower() in _OF_DOCUMENTS and is_inside and not is_taken:
                    data = fetch(urljoin(source, quote("/".join(names))), folder, left)
                    part.parent.mkdir(parents=True, exist_ok=True)
                    put(part, data)
                    files.append(part)
    return files[1:]


def name_of(source: str, data: bytes) -> str:
    """Return what a document from an address is called; its own name where it has other parts."""
    usual = "openapi.json" if data.lstrip()[:1] == b"{" else "openapi.yaml"
    own = Path(unquote(httpx2.URL(source).path)).name
    is_name = own[:1] not in ("", ".") and Path(own).suffix.lower() in _OF_DOCUMENTS
    return own if is_name and any(_locations(data, usual)) else usual


def _locations(data: bytes, name: str) -> Iterator[str]:
    """Yield the files to which the references of a file lead."""
    waiting: list[Any] = []
    if re.search(rb"\$ref[\"']?\s*:\s*[\"']?[^#\"'\s]", data):
        with suppress(PipelineError, UnicodeDecodeError):  # it is named when it is read
            waiting.append(loads(data.decode("utf-8-sig"), name, anchors=True).data)
    while waiting:
        node = waiting.pop()
        inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        waiting += inner
        reference = node.get("$ref") if isinstance(node, dict) else None
        if not isinstance(reference, str) or re.match(r"[A-Za-z][\w+.-]+:", reference):
            continue  # an address is not fetched
        if location := unquote(reference.partition("#")[0]):
            yield location


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
            reason = "only https, or http on the same host and port, is followed"
            place = f"{following.scheme}://{following.netloc.decode()}"
            raise _failed(source, f"redirects to {place}; {reason}")
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
