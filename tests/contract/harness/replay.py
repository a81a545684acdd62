"""Recordings of traffic, ours or of the real service, read by the documents and made again."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from social_publishing import (
    ArgumentError,
    AsyncSocialPublishing,
    SocialPublishing,
    SocialPublishingError,
)

from harness.calls import Call, Unsayable, call_of
from harness.service import BACKENDS, Exchange, Side, captured, reply
from social_publishing_sandbox.recording import Interaction, Recording, Replayer, load
from social_publishing_sandbox.recording.addresses import (
    Address,
    Addresses,
    map_strings,
    with_texts,
)
from social_publishing_sandbox.recording.model import (
    Binary,
    Body,
    Content,
    Multipart,
    Part,
    Text,
)
from social_publishing_sandbox.recording.model import Json as JsonBody
from tests.support.both import awaited, now, run
from tests.support.documents import Operation, documents
from tests.support.wire import (
    ADDRESSES,
    TOKEN,
    Seen,
    Sent,
    comparable,
    difference,
    find,
    read,
)

BOUNDARY = "recorded"
PLACES = Addresses(Address.parse(ADDRESSES["main"]), Address.parse(ADDRESSES["media"]))
"""What `{base}` and `{media}` in a recording are read as, where nothing is sent."""


class NotReplayed(UserWarning):
    """A part of a recording is not there: it is held against the documents, and not played."""


# What the scenarios upload that is no text: of that, a recording has the digest alone.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFUlEQVR4nGP4z8DAwPAfiBlAxH8GBgA2"
    "6QX7eT1ZBAAAAABJRU5ErkJggg=="
)
NO_PICTURE = b"\x89no picture"
UPLOADED = {hashlib.sha256(data).hexdigest(): data for data in (PICTURE, NO_PICTURE)}


class NotKept(Exception):
    """A content was not recorded, only its digest or nothing of it."""


@dataclass(frozen=True)
class Recorded:
    """An interaction of a recording.

    Attributes:
        file: the recording.
        number: its position in it, counted from 1.
        base: the path of the base address that it went to.
        seen: the request as the documents read it.
        call: the call of the client that makes it; None where there is none.
        unlike: why the client never makes this request; empty where it does.
        refused: why the client refuses to make it, though the documents allow it.
        lost: what of it was not recorded, so that it cannot be made again.
    """

    file: Path
    number: int
    base: str
    interaction: Interaction
    seen: Seen
    call: Call | None = None
    unlike: tuple[str, ...] = ()
    refused: str = ""
    lost: str = ""

    @property
    def operation(self) -> Operation | None:
        return self.seen.operation

    @property
    def status(self) -> int:
        return self.interaction.response.status

    def body(self, places: Addresses = PLACES) -> bytes:
        """Return the body of the response."""
        return _content(self.interaction.response.body, places)

    def __str__(self) -> str:
        return f"{self.file.name}, number {self.number}: {self.interaction.request}"


@lru_cache(maxsize=64)
def recorded(file: Path, places: Addresses = PLACES) -> list[Recorded]:
    """Return everything in a recording.

    Args:
        places: what `{base}` and `{media}` in its texts stand for.

    Raises:
        RecordingError: it cannot be read; the text says where and why.
    """
    recording = load(file)
    return [
        _recorded(file, number, recording, each, places)
        for number, each in enumerate(recording.interactions, start=1)
    ]


def files(place: Path) -> list[Path]:
    """Return the recordings of a folder, or the one that is named."""
    return sorted(place.glob("*.y*ml")) if place.is_dir() else [place]


def _recorded(
    file: Path, number: int, recording: Recording, found: Interaction, places: Addresses
) -> Recorded:
    base = recording.base_path if found.request.api == "main" else recording.media_path
    if not found.request.target.startswith(f"{base}/"):
        reason = f"it is not below {base}"
        return Recorded(file, number, base, found, Seen(None, {}, [reason]), unlike=(reason,))
    path, _, query = found.request.target.removeprefix(base).partition("?")
    try:
        body, content_type = _written(found.request.body, places)
        _content(found.response.body, places)
    except NotKept as error:
        known = find(documents()[found.request.api], found.request.method, path)
        seen = Seen(known and known[0], {}, [])
        return Recorded(file, number, base, found, seen, lost=str(error))
    # What another client says of itself in header fields is not looked at.
    headers = [("accept", "application/json"), ("authorization", f"Bearer {TOKEN}")]
    if content_type is not None:
        headers.append(("content-type", content_type))
    address = ADDRESSES[found.request.api] + path
    if query:
        # Browsers write the commas of a list with an escape, and mean the same.
        address += "?" + re.sub("%2c", ",", query, flags=re.IGNORECASE)
    seen = read(Sent(found.request.method, address, headers, body))
    unlike = list(seen.problems)
    if not found.request.headers.get("authorization", "").startswith("Bearer "):
        unlike.append("header authorization: is no bearer token")
    if unlike or seen.operation is None:
        return Recorded(file, number, base, found, seen, unlike=tuple(unlike))
    try:
        call = call_of(seen.operation, seen.values)
        call.request()
    except Unsayable as error:
        return Recorded(file, number, base, found, seen, unlike=(str(error),))
    except ArgumentError as error:
        return Recorded(file, number, base, found, seen, call, refused=str(error))
    return Recorded(file, number, base, found, seen, call)


def _written(body: Body | None, places: Addresses) -> tuple[bytes, str | None]:
    """Return a body as it is sent, and its media type."""
    if body is None:
        return b"", None
    if not isinstance(body, Multipart):
        return _content(body, places), "application/json"
    parts = b"".join(_part(each, places) for each in body.parts)
    return parts + f"--{BOUNDARY}--\r\n".encode(), f"multipart/form-data; boundary={BOUNDARY}"


def _part(part: Part, places: Addresses) -> bytes:
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{part.name}"'
    if part.content is None:
        raise NotKept(f"the content of the part {part.name} was not recorded")
    if part.filename is not None:
        name = part.filename.replace("\\", "\\\\").replace('"', '\\"')
        head += f'; filename="{name}"'
    if part.content_type is not None:
        head += f"\r\nContent-Type: {part.content_type}"
    return f"{head}\r\n\r\n".encode() + _content(part.content, places) + b"\r\n"


def _content(kept: Content | None, places: Addresses) -> bytes:
    match kept:
        case None:
            return b""
        case Text(text):
            return text.encode()
        case Binary(sha256, size):
            if sha256 not in UPLOADED:
                raise NotKept(f"the content of {size} bytes was not recorded")
            return UPLOADED[sha256]
    return json.dumps(map_strings(kept.value, places.from_placeholders)).encode()


# Through the clients


def leaving(found: Recorded, call: Call, side: Side) -> tuple[Interaction | None, list[str]]:
    """Return what a client sends for a recorded request, and in what it differs in meaning.

    Returns:
        The interaction with the request as the client writes it: it may choose other escapes,
        another order of parameters, another zone; and the differences.
    """
    exchange = captured(call, side, reply(200, {}))
    if len(exchange.sent) != 1:
        return None, [f"{len(exchange.sent)} requests: {exchange.error or exchange.result!r}"]
    (sent,) = exchange.sent
    seen = read(sent)
    operation = call.operation
    if seen.operation is None or seen.operation.id != operation.id:
        return None, [f"{sent.method} {sent.url}, which is {seen.operation}"]
    problems = difference(
        comparable(operation, found.seen.values), comparable(operation, seen.values)
    )
    if problems or seen.problems:
        return None, [*problems, *seen.problems]
    asked = found.interaction.request
    ours = replace(asked, target=found.base + sent.url.removeprefix(ADDRESSES[asked.api]))
    if isinstance(asked.body, JsonBody):
        body = with_texts(JsonBody(json.loads(sent.body)), PLACES.to_placeholders)
        ours = replace(ours, body=body)
    return replace(found.interaction, request=ours), []


def play(there: Replayer, found: list[Recorded], side: Side) -> list[Exchange]:
    """Make the recorded calls, in their order, each by whom it was made."""
    return run(BACKENDS[side], _play, there, found, side)


async def _play(there: Replayer, found: list[Recorded], side: Side) -> list[Exchange]:
    outcomes, clients = [], {}
    kind = SocialPublishing if side == "sync" else AsyncSocialPublishing
    async with AsyncExitStack() as stack:
        for each in found:
            token = _token(each)
            if token not in clients:
                clients[token] = kind(**_options(there, token))
                await stack.enter_async_context(awaited(clients[token]))
            try:
                outcomes.append(Exchange(result=await now(_call(each).on(clients[token]))))
            except SocialPublishingError as error:
                outcomes.append(Exchange(error=error))
    return outcomes


def _options(there: Replayer, token: str) -> dict[str, Any]:
    return {
        "api_token": token,
        "base_url": there.base_url,
        "media_url": there.media_url,
        "retries": 0,  # each request that was recorded is one call
        "pacing": "off",
    }


def _token(found: Recorded) -> str:
    return found.interaction.request.headers["authorization"].partition(" ")[2]


def _call(found: Recorded) -> Call:
    assert found.call is not None
    return found.call
