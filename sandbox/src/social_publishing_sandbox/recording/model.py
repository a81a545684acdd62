"""Recorded traffic as plain values.

Everything here is already redacted: a value that reaches these classes may be written to disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

from social_publishing_sandbox.state.errors import SandboxError

Api: TypeAlias = Literal["main", "media"]
"""One of the two interfaces of the service (§1)."""


class RecordingError(SandboxError):
    """A recording, rules or an address cannot be used; the message names it and the reason."""


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON value: 64-bit integers, the order of keys, and null against absent are kept."""

    value: Any


@dataclass(frozen=True, slots=True)
class Text:
    """A text of UTF-8."""

    text: str


@dataclass(frozen=True, slots=True)
class Binary:
    """Anything but a text that can be searched for secrets: its content is not kept."""

    sha256: str
    size: int


Content: TypeAlias = Json | Text | Binary


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a multipart body (§4.7)."""

    name: str
    filename: str | None
    content_type: str | None
    content: Content


@dataclass(frozen=True, slots=True)
class Multipart:
    """A `multipart/form-data` body; its boundary means nothing and is not kept."""

    parts: tuple[Part, ...]


Body: TypeAlias = Content | Multipart


@dataclass(frozen=True, slots=True)
class Request:
    """A request; `target` is path and query as they stood in the request line."""

    api: Api
    method: str
    target: str
    headers: Mapping[str, str]
    body: Body | None = None

    def __str__(self) -> str:
        where = "" if self.api == "main" else "media "
        return f"{where}{self.method} {self.target}"


@dataclass(frozen=True, slots=True)
class Response:
    """A response; its body is None when it had none."""

    status: int
    headers: Mapping[str, str]
    body: Content | None = None


@dataclass(frozen=True, slots=True)
class Interaction:
    """A request and the response to it."""

    request: Request
    response: Response


@dataclass(frozen=True, slots=True)
class Recording:
    """A scenario: its interactions, in the order in which the requests came.

    `base_path` and `media_path` are the paths of the two base addresses (`/v1`, `/api/v1`), and
    `folder` is where it lies.
    """

    name: str
    base_path: str
    media_path: str
    interactions: tuple[Interaction, ...]
    folder: Path


BodyT = TypeVar("BodyT", bound=Body | None)


def with_contents(body: BodyT, change: Callable[[Any], Any]) -> BodyT:
    """Return a body whose content, or that of each of its parts, is changed; None stays."""
    if isinstance(body, Multipart):
        parts = (replace(part, content=with_contents(part.content, change)) for part in body.parts)
        return replace(body, parts=tuple(parts))
    return body if body is None else change(body)
