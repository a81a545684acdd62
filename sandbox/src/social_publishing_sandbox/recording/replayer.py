"""Serve a recording: each request gets its recorded response."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Unpack

from starlette.types import ASGIApp, Receive, Scope, Send

from social_publishing_sandbox.api.transport import Disconnected, chunks
from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.recording import scenario, serving
from social_publishing_sandbox.recording.addresses import Addresses, map_strings, with_texts
from social_publishing_sandbox.recording.intake import Intake
from social_publishing_sandbox.recording.matching import Difference, Facts, differences, facts
from social_publishing_sandbox.recording.model import (
    Api,
    Binary,
    Interaction,
    Json,
    Request,
    Response,
    Text,
)
from social_publishing_sandbox.recording.serving import Headers, Listening

_SHOWN_DIFFERENCES = 5


class Replayer(serving.Servers):
    """A replay, as a context manager that serves while it is open.

    If strict, the requests must come in the recorded order, each once. Otherwise they may come in
    any order and repeatedly: equal requests get their responses in order, and then the last one
    again.

    Any credentials are accepted. If several tokens were recorded, each new token is mapped to one
    of them.

    Args:
        place: the scenario file, or a folder that contains one.
        strict: whether the order counts.
        listening: `host`, `port` and `media_port`; see `Listening`.

    Raises:
        RecordingError: the recording cannot be read, or a port is in use.
    """

    def __init__(
        self,
        place: Path | str,
        strict: bool = True,
        **listening: Unpack[Listening],
    ) -> None:
        self.recording = scenario.load(place)
        self.refused: list[str] = []
        """A sentence for each request that was not recorded."""
        self._interactions = self.recording.interactions
        self._facts = [facts(each.request) for each in self._interactions]
        self._strict = strict
        self._served = [0] * len(self._interactions)
        self._cast: dict[str, str] = {}  # who a token that came stands for
        self._roles = {
            role for item in self._interactions if (role := _credentials(item.request)) is not None
        }
        paths = (self.recording.base_path, self.recording.media_path)
        super().__init__(self._app, paths, listening)

    @property
    def left(self) -> list[Interaction]:
        """Return the recorded interactions that were not requested yet."""
        counted = zip(self._interactions, self._served, strict=True)
        return [interaction for interaction, served in counted if not served]

    def _app(self, api: Api) -> ASGIApp:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            ours = serving.local(scope, self.addresses)
            try:
                request = await _read(api, scope, receive, ours)
            except Disconnected:
                return
            response = self._respond(request)
            if isinstance(response, str):
                await serving.send_error(send, 501, api, response)
            else:
                await self._send(send, request, response, ours)

        return app

    async def _send(
        self, send: Send, request: Request, response: Response, ours: Addresses
    ) -> None:
        body = response.body
        if isinstance(body, Binary):
            message = f"the response to {request} was recorded without its content"
            await serving.send_error(send, 501, request.api, message)
            return
        headers = _headers(response, ours)
        if request.method == "HEAD" or response.status in (204, 304):
            await serving.send_all(send, response.status, headers, b"")
            return
        data = _bytes(body, ours)
        headers.append((b"content-length", b"%d" % len(data)))
        await serving.send_all(send, response.status, headers, data)

    def _respond(self, asked: Request) -> Response | str:
        """Return the recorded response, which counts as served now; or why there is none.

        All requests come in one loop, so that none comes in between.
        """
        now = facts(asked)
        number = self._next(asked, now) if self._strict else self._any(asked, now)
        if isinstance(number, str):
            self.refused.append(f"the recording has no response to {asked}: {number}")
            return self.refused[-1]
        interaction = self._interactions[number]
        self._served[number] += 1
        token, role = _credentials(asked), _credentials(interaction.request)
        if token is not None and role is not None:
            self._cast[token] = role
        return interaction.response

    def _next(self, asked: Request, now: Facts) -> int | str:
        number = sum(self._served)
        if number == len(self._interactions):
            return "it has been served to its end"
        if self._same(asked, now, number):
            return number
        reason = f"number {number + 1} is next"
        if same := self._all_same(asked, now):
            when = "was served already" if same[0] < number else "comes later"
            reason += f", and number {same[0] + 1}, which is this one, {when}"
        return reason + self._compared(asked, now, number)

    def _any(self, asked: Request, now: Facts) -> int | str:
        if same := self._all_same(asked, now):
            return next((number for number in same if not self._served[number]), same[-1])
        if not self._interactions:
            return "it is empty"
        distances = [
            sum(each.weight for each in self._differences(asked, now, number))
            for number in range(len(self._interactions))
        ]
        nearest = distances.index(min(distances))
        return "nothing in it is the same" + self._compared(asked, now, nearest)

    def _compared(self, asked: Request, now: Facts, number: int) -> str:
        recorded = self._interactions[number].request
        differences = list(map(str, self._differences(asked, now, number)))
        shown = differences[:_SHOWN_DIFFERENCES]
        if more := len(differences) - len(shown):
            shown.append(f"and {more} more differences")
        return f"; nearest is number {number + 1}, {recorded}: {'; '.join(shown)}"

    def _all_same(self, asked: Request, now: Facts) -> list[int]:
        numbers = range(len(self._interactions))
        return [number for number in numbers if self._same(asked, now, number)]

    def _same(self, asked: Request, now: Facts, number: int) -> bool:
        return next(self._differences(asked, now, number), None) is None

    def _differences(self, asked: Request, now: Facts, number: int) -> Iterator[Difference]:
        yield from differences(now, self._facts[number])
        yield from self._miscast(asked, self._interactions[number].request)

    def _miscast(self, asked: Request, recorded: Request) -> list[Difference]:
        """Return how the credentials differ from those that asked for it when it was recorded."""
        token, role = _credentials(asked), _credentials(recorded)
        if (token is None) != (role is None):
            words = ("absent" if one is None else "present" for one in (token, role))
            return [Difference(("authorization",), *words)]
        if token is None or role is None or len(self._roles) < 2:
            return []
        plays = token if token in self._roles else self._cast.get(token)
        if plays is None and role in self._cast.values():
            return [Difference(("authorization",), "a token not seen before", f"the one of {role}")]
        if plays is not None and plays != role:
            return [Difference(("authorization",), f"the one of {plays}", f"the one of {role}")]
        return []


def _credentials(request: Request) -> str | None:
    return request.headers.get("authorization")


async def _read(api: Api, scope: Scope, receive: Receive, ours: Addresses) -> Request:
    content_type = serving.header(scope, b"content-type")
    encoded = serving.header(scope, b"content-encoding").lower() not in ("", "identity")
    # As when it was recorded: what is compressed is known by its digest.
    intake = Intake("application/octet-stream" if encoded else content_type)
    async for data in chunks(receive):
        intake.feed(data)
    authorization = serving.header(scope, b"authorization")
    headers = {"authorization": authorization} if authorization else {}
    body = with_texts(intake.finish(), ours.to_placeholders)
    return Request(api, scope["method"], serving.target(scope), headers, body)


def _headers(response: Response, ours: Addresses) -> Headers:
    return [
        (name.encode("latin-1"), ours.from_placeholders(value).strip(" \t").encode("latin-1"))
        for name, value in response.headers.items()
        if name != "content-length"
    ]


def _bytes(body: Json | Text | None, ours: Addresses) -> bytes:
    match body:
        case None:
            return b""
        case Json(value):
            return orjson.dumps(map_strings(value, ours.from_placeholders))
        case Text(text):
            return text.encode()
