"""From what passed over the wire to what is kept of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from .addresses import Addresses, map_strings
from .model import Body, Interaction, Json, Multipart, Part, Request, Response
from .redaction import Redactor

_Body = TypeVar("_Body", bound=Body | None)


def joined(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers by name in lower case; the values of a repeated one in one line."""
    together: dict[str, str] = {}
    for name, value in headers:
        name = name.lower()
        together[name] = f"{together[name]}, {value}" if name in together else value
    return together


def redacted(interaction: Interaction, redactor: Redactor) -> Interaction:
    """An interaction without secrets; doing it again changes nothing."""
    request, response = interaction.request, interaction.response
    # First of all: what is in them is a secret wherever else it stands.
    headers = redactor.headers(request.headers.items())
    return Interaction(
        Request(
            request.api,
            request.method,
            redactor.target(request.target),
            headers,
            redactor.body(request.body),
        ),
        Response(
            response.status,
            redactor.headers(response.headers.items()),
            redactor.content(response.body),
        ),
    )


def placed(request: Request, service: Addresses, ours: Addresses | None = None) -> Request:
    """A request whose JSON names the service's origins by placeholders.

    `ours` are addresses on this machine that stand for those of the service.
    """
    return replace(request, body=_body_placed(request.body, service, ours))


def answer_placed(response: Response, service: Addresses) -> Response:
    """An answer whose JSON and headers name the service's origins by placeholders."""
    headers = {name: service.to_placeholders(value) for name, value in response.headers.items()}
    return replace(response, headers=headers, body=_body_placed(response.body, service, None))


def _body_placed(body: _Body, service: Addresses, ours: Addresses | None) -> _Body:
    def change(text: str) -> str:
        return service.to_placeholders(ours.rewrite(text, service) if ours else text)

    if isinstance(body, Json):
        return replace(body, value=map_strings(body.value, change))
    if isinstance(body, Multipart):
        parts = tuple(_part_placed(part, service, ours) for part in body.parts)
        return replace(body, parts=parts)
    return body


def _part_placed(part: Part, service: Addresses, ours: Addresses | None) -> Part:
    return replace(part, content=_body_placed(part.content, service, ours))
