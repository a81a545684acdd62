"""A process from its start to its first answer over the loopback, with the client and by hand.

By hand is what a careful programmer writes who wants little: httpx2 used directly, and one msgspec
struct with the few fields that the program needs. Three questions hide in one: what a program
pays in all, what it pays where both load the TLS authorities, and where neither does.
"""

from __future__ import annotations

from benchmarks import server
from benchmarks.figures import Figure, at_most
from benchmarks.measuring import TOKEN, Process, processes

TITLE = "The first answer of a process"

ROUNDS = 25

_OURS = """
from social_publishing import SocialPublishing
with SocialPublishing(api_token={token!r}, base_url={base!r}, media_url={media!r}) as client:
    answer = client.{call}
    assert {proof}
"""

_BY_HAND = """
import httpx2, msgspec
class {name}(msgspec.Struct):
    {fields}
{extra}
with httpx2.Client(
    base_url={base!r}, headers={{"Authorization": "Bearer " + {token!r}}}{verify}
) as client:
    response = client.{send}
    response.raise_for_status()
    answer = msgspec.json.decode(response.content, type={type})
    assert {proof}
"""

_NO_AUTHORITIES = ', verify=__import__("ssl").SSLContext(__import__("ssl").PROTOCOL_TLS_CLIENT)'

# the client's call, the same by hand, the struct, and what must come out
_CASES: dict[str, dict[str, str]] = {
    "groups.get": {
        "call": 'groups.get("1")',
        "send": 'get("/groups/1")',
        "name": "Group",
        "fields": 'id: str; name: str; timezone: str; social_accounts_count: int | None = None',
        "extra": "",
        "type": "Group",
        "proof": "answer.name",
    },
    "labels.create": {
        "call": 'labels.create(name="Opening")',
        "send": 'post("/labels", json={"name": "Opening"})',
        "name": "Label",
        "fields": "id: str; name: str; color: int | None = None",
        "extra": "",
        "type": "Label",
        "proof": "answer.name",
    },
    "posts.list": {
        "call": 'posts.list(group_id="1", page=1).first_page()',
        "send": 'get("/posts", params={"groupId": "1", "page": 1})',
        "name": "Post",
        "fields": "id: str; status: int | None = None; content: str | None = None",
        "extra": "class Page(msgspec.Struct):\n    data: list[Post]",
        "type": "Page",
        "proof": "len(answer.data) == 20 and answer.data[19].content",
    },
}  # fmt: skip


def measure() -> list[Figure]:
    """The first answer of three operations: as it is, then with TLS alike on both sides."""
    rows = []
    with server.running() as base:
        for name, case in _CASES.items():
            values = {**case, "token": TOKEN, "base": base}
            # A media address by https makes the client load the authorities; the call itself stays
            # on the loopback without encryption, so that nothing else differs.
            programs = {
                "plain": _OURS.format(**values, media=base),
                "hand": _BY_HAND.format(**values, verify=""),
                "secure": _OURS.format(**values, media="https://b.invalid/api/v1"),
                "light": _BY_HAND.format(**values, verify=_NO_AUTHORITIES),
            }
            times = processes(
                {key: Process([["-c", program]]) for key, program in programs.items()}, ROUNDS
            )
            rows += [
                Figure(f"{name}, http", times["plain"], "by hand", times["hand"], at_most(1.1)),
                Figure(
                    f"{name}, both load TLS",
                    times["secure"],
                    "by hand",
                    times["hand"],
                    at_most(1.1),
                ),
                Figure(f"{name}, neither does", times["plain"], "by hand", times["light"]),
            ]
    return rows
