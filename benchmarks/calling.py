"""One call of a program that is warm: what the client adds to httpx2 and msgspec."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from benchmarks import samples, server
from benchmarks.figures import Figure
from benchmarks.measuring import TOKEN, loops

if TYPE_CHECKING:
    import httpx2

TITLE = "A call"

ROUNDS = 21
CALLS = 200


def measure() -> list[Figure]:
    """`groups.get` with an answer of 1 KB: over a transport in memory, and over the loopback."""
    import httpx2

    body = samples.small_group()
    fields = {"Content-Type": "application/json", **samples.rate_headers()}

    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers=fields, content=body)

    rows = [_row("in memory", "http://a.invalid/v1", lambda: httpx2.MockTransport(answer))]
    with server.running() as base:
        rows.append(_row("loopback", base, httpx2.HTTPTransport))
    return rows


def _row(name: str, base: str, transport: Callable[[], httpx2.BaseTransport]) -> Figure:
    import httpx2
    import msgspec
    from social_publishing import SocialPublishing
    from social_publishing.models.groups import Group

    decoder = msgspec.json.Decoder(Group)  # the same struct: this is about the call alone
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
    with (
        httpx2.Client(transport=transport()) as http,
        SocialPublishing(
            api_token=TOKEN, base_url=base, media_url=base, http_client=http
        ) as client,
        httpx2.Client(transport=transport(), base_url=base, headers=headers) as bare,
    ):

        def by_hand() -> Group:
            response = bare.get("/groups/2")
            response.raise_for_status()
            return decoder.decode(response.content)

        assert client.groups.get("2").to_dict() == msgspec.to_builtins(by_hand())
        cases = {"ours": lambda: client.groups.get("2"), "hand": by_hand}
        times = loops(cases, ROUNDS, CALLS)
    return Figure(f"a call of 1 KB, {name}", times["ours"], "httpx2 and msgspec", times["hand"])
