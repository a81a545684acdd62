"""What happens last, oldest first, and exactly at a limit."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from dataclasses import MISSING, fields
from datetime import datetime, timedelta
from typing import Any

import pytest
from wire import Wire

from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.request import MAX_JSON
from social_publishing_sandbox.api.request_log.entry import Entry
from social_publishing_sandbox.api.request_log.ring import BODY_BYTES, RequestLog
from social_publishing_sandbox.console.wording import cut, excerpt
from social_publishing_sandbox.recording.intake import TEXT_LIMIT, Intake
from social_publishing_sandbox.recording.model import Binary, Json, Multipart, Part, Text
from social_publishing_sandbox.state import ids
from social_publishing_sandbox.state.wording import megabytes, shown


@pytest.mark.parametrize("more", [-1, 0, 1])
@pytest.mark.parametrize("side", ["request", "response"])
def test_a_body_is_cut_beyond_its_limit(side: str, more: int) -> None:
    body = b"x" * (BODY_BYTES + more)
    needed = {
        each.name: None for each in fields(Entry) if each.default is each.default_factory is MISSING
    }
    values: dict[str, Any] = {**needed, "number": 0, f"{side}_body": body}
    entry = Entry(**values)
    RequestLog().add(entry)
    assert getattr(entry, f"{side}_cut") is (more > 0)
    assert len(getattr(entry, f"{side}_body")) == min(len(body), BODY_BYTES)


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_text_is_recorded_up_to_its_limit_and_by_its_digest_beyond(more: int) -> None:
    body = b"x" * (TEXT_LIMIT + more)
    for size in (len(body), TEXT_LIMIT // 2):
        intake = Intake("text/plain")
        for start in range(0, len(body), size):
            intake.feed(body[start : start + size])
        digest = Binary(hashlib.sha256(body).hexdigest(), len(body))
        assert intake.finish() == (digest if more > 0 else Text(body.decode()))


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_each_part_of_a_form_is_recorded_by_its_own_headers(size: int) -> None:
    is_json = "Content-Type: application/json\r\n"
    body = "".join(
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n{head}\r\n[1]\r\n'
        for name, head in (("x", is_json), ("y", ""))
    )
    intake = Intake("multipart/form-data; boundary=b")
    for start in range(0, len(body := f"{body}--b--\r\n"), size):
        intake.feed(body[start : start + size].encode())
    x, y = Part("x", None, "application/json", Json([1])), Part("y", None, None, Text("[1]"))
    assert intake.finish() == Multipart((x, y))


@pytest.mark.parametrize("more", [-1, 0, 1])
@pytest.mark.parametrize("is_announced", [True, False])
def test_a_body_of_json_is_read_up_to_its_limit(
    own: Sandbox, more: int, is_announced: bool
) -> None:
    content = b'{"name": "New"}'.ljust(MAX_JSON + more)

    async def pieces() -> AsyncIterator[bytes]:
        yield content[:-9]
        yield content[-9:]

    sent = content if is_announced else pieces()
    headers = {"Content-Type": "application/json"}
    response = Wire(own)("POST", "/labels", content=sent, headers=headers)
    assert response.status_code == (422 if more > 0 else 200)
    assert ("more than 10,485,760 bytes" in response.text) is (more > 0)


@pytest.mark.parametrize(
    ("size", "words"),
    [
        *((0, "0 bytes"), ((1 << 20) - 1, "1048575 bytes"), (1 << 20, "1 MB")),
        *((2048 << 20, "2048 MB"), ((2048 << 20) + 1, "2147483649 bytes")),
    ],
)
def test_a_size_is_said_in_whole_megabytes_or_in_bytes(size: int, words: str) -> None:
    assert megabytes(size) == words


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_text_is_cut_only_beyond_its_limit(more: int) -> None:
    text = "x" * (60 + more)
    fits, quoted = more <= 0, repr(text[2:])
    assert excerpt(text, 60) == (text if fits else f"{text[:59]}…")
    assert cut(text, 60) == (text if fits else f"{text[:60]}\n… 1 more character")
    assert shown(text[2:]) == (quoted if fits else f"{quoted[:59]}…")


@pytest.mark.parametrize("limit", [0, 10**18, 2**63, 10**19, 2**64, 10**20])
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_an_identifier_has_64_bits_and_no_sign(limit: int, more: int) -> None:
    number = limit + more
    assert ids.is_one(str(number)) is (0 <= number < 2**64)
    assert not ids.is_one(f"0{number}")
    if ids.is_one(str(number)):
        assert ids.of_key(ids.key(str(number))) == str(number)
        assert -(2**63) <= ids.key(str(number)) < 2**63


def test_a_post_is_published_when_its_last_account_is_served() -> None:
    with (
        Sandbox(clock="frozen", rate_limit=None) as sandbox,
        sandbox.client(pacing="off") as client,
    ):
        post = next(
            each
            for group in sandbox.find("groups")
            for each in client.posts.list(group_id=group.id)
            if each.status == 25 and len(each.selected_account_ids or ()) > 1
        )
        client.posts.update(post.id, publication_delay_between=90)
        assert post.publication_date
        sandbox.set_clock(post.publication_date + timedelta(hours=12))
        found = next(each for each in sandbox.world()["posts"] if each["id"] == post.id)
        assert found["status"] == 40
        moments = [datetime.fromisoformat(each["published_at"]) for each in found["details"]]
        assert datetime.fromisoformat(found["published_at"]) == max(moments) > min(moments)


def test_the_oldest_account_comes_first_whatever_the_length_of_its_identifier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Identifiers have 19 digits until 2026, and 20 from then on."""
    with (
        Sandbox(clock="frozen", rate_limit=None) as sandbox,
        sandbox.client(pacing="off") as client,
    ):
        order = "oldest account first"
        monkeypatch.setitem(sandbox.service.assume["publishing"], "order", order)
        old = next(each for each in sandbox.find("social_accounts") if len(each.id) == 19)
        new = sandbox.create_account(group_id=old.group_id, social_network="bluesky")
        assert len(new.id) == 20
        post = next(
            each
            for each in sandbox.world()["posts"]
            if each["status"] == 25 and old.id in each["selectedAccountIds"]
        )
        client.posts.update(post["id"], selected_account_ids=[new.id, old.id])
        after = next(each for each in sandbox.world()["posts"] if each["id"] == post["id"])
        assert [each["social_account_id"] for each in after["details"]] == [old.id, new.id]
