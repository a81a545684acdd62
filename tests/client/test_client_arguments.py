"""Arguments: checked before anything is sent, and named."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from inspect import signature
from itertools import product
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import social_publishing.models as models
from calls import CALLS, GROUP, ID, NOTE, OTHER, Call
from server import Server
from social_publishing import ArgumentError, File, SocialPublishing
from social_publishing.resources import calendar_notes, posts

Use = Callable[[Any], Any]
START = datetime(2026, 12, 1, tzinfo=UTC)


def refused(client: SocialPublishing, server: Server, use: Use) -> list[str]:
    """The arguments that are refused; nothing may have been sent."""
    with pytest.raises(ArgumentError) as caught:
        use(client)
    assert server.requests == []
    assert all(problem.reason for problem in caught.value.problems)
    return [problem.argument for problem in caught.value.problems]


class Text(str):
    """As those of template engines and of numpy."""


class Faulty:
    def __repr__(self) -> str:
        raise RuntimeError


HOSTILE: list[Any] = [
    *(object(), Faulty(), b"x", {1}, 10**5000, math.nan, math.inf, "\ud800", int, ..., None, True),
    *([object()], [[1]], [{}], {(1, 2): 1}, {None: Faulty()}, iter([1]), datetime.max, 2**70),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)
def test_no_argument_raises_an_error_of_another_kind(call: Call) -> None:
    names = list(signature(call.build).parameters)
    given = {**dict(zip(names, call.args, strict=False)), **call.kwargs}
    for name, value in product(names, HOSTILE):
        try:
            call.build(**{**given, name: value})
        except ArgumentError as error:
            assert str(error)


def test_a_text_of_a_class_of_the_callers_own_is_sent_as_text(
    client: SocialPublishing, server: Server
) -> None:
    client.posts.update(Text(ID), content=Text("a"), label_ids=[Text(OTHER)])
    assert server.requests[0].target.endswith(f"/posts/{ID}")
    assert server.requests[0].json == {"content": "a", "labelIds": [OTHER]}


# (part and case, call, the arguments that are named); without a name the call is accepted.
LIMITS: list[tuple[str, Use, list[str]]] = [
    ("8 200 ids", lambda c: c.posts.get_many(ids=["1"] * 200), []),
    ("8 201 ids in one request", lambda c: posts.build_get_many(ids=["1"] * 201), ["ids"]),
    ("8 201 ids to delete", lambda c: posts.build_delete_many(ids=["1"] * 201), ["ids"]),
    ("8 no ids", lambda c: posts.build_get_many(ids=[]), ["ids"]),
    ("8 no ids to delete", lambda c: posts.build_delete_many(ids=[]), ["ids"]),
    (
        "8 the cap is not stated for drafts",
        lambda c: c.posts.set_draft(is_draft=True, post_ids=["1"] * 1000),
        [],
    ),
    ("4.1 neither of both", lambda c: c.posts.list(), ["group_id or social_account_ids"]),
    (
        "4.1 an include alone",
        lambda c: c.posts.list(include=["media"]),
        ["group_id or social_account_ids"],
    ),
    ("4.1 one", lambda c: c.posts.list(group_id="1").first_page(), []),
    ("4.1 the other", lambda c: c.posts.list(social_account_ids=["1"]).first_page(), []),
    ("4.2 50 characters", lambda c: c.groups.replace(ID, **{**GROUP, "name": "ü" * 50}), []),
    ("4.2 51 characters", lambda c: c.groups.replace(ID, **{**GROUP, "name": "a" * 51}), ["name"]),
    (
        "8 characters, not bytes or UTF-16",
        lambda c: c.groups.replace(ID, **{**GROUP, "name": "👋" * 50, "note": "👋" * 500}),
        [],
    ),
    (
        "4.2 501 characters",
        lambda c: c.groups.replace(ID, **{**GROUP, "name": "a", "note": "a" * 501}),
        ["note"],
    ),
    (
        "4.2 at least one account",
        lambda c: c.groups.replace(ID, **{**GROUP, "name": "a", "max_social_accounts": 0}),
        ["max_social_accounts"],
    ),
    (
        "4.2 one account",
        lambda c: c.groups.replace(ID, **{**GROUP, "name": "a", "max_social_accounts": 1}),
        [],
    ),
    (
        "2.6 null is unlimited",
        lambda c: c.groups.replace(ID, **{**GROUP, "name": "a", "max_social_accounts": None}),
        [],
    ),
    (
        "4.4 100 characters",
        lambda c: c.calendar_notes.replace(ID, **{**NOTE, "title": "a" * 100}),
        [],
    ),
    (
        "4.4 101 characters",
        lambda c: c.calendar_notes.replace(ID, **{**NOTE, "title": "a" * 101}),
        ["title"],
    ),
    (
        "4.4 500 characters",
        lambda c: c.calendar_notes.replace(ID, **{**NOTE, "content": "a" * 500}),
        [],
    ),
    (
        "4.4 501 characters",
        lambda c: c.calendar_notes.replace(ID, **{**NOTE, "content": "a" * 501}),
        ["content"],
    ),
    ("4.4 color 0", lambda c: c.calendar_notes.replace(ID, **{**NOTE, "color": 0}), ["color"]),
    ("4.4 color 10", lambda c: c.calendar_notes.replace(ID, **{**NOTE, "color": 10}), ["color"]),
    (
        "4.4 Color(10)",
        lambda c: c.calendar_notes.replace(ID, **{**NOTE, "color": models.Color(10)}),
        ["color"],
    ),
    ("4.4 color 9", lambda c: c.calendar_notes.replace(ID, **{**NOTE, "color": 9}), []),
    (
        "4.2 weekday 0",
        lambda c: c.groups.replace(ID, **{**GROUP, "name": "a", "week_start_day": 0}),
        [],
    ),
    (
        "4.2 weekday 7",
        lambda c: c.groups.replace(ID, **{**GROUP, "name": "a", "week_start_day": 7}),
        ["week_start_day"],
    ),
    ("4.4 group null", lambda c: c.calendar_notes.replace(ID, **{**NOTE, "group_id": None}), []),
    (
        "4.4 private null",
        lambda c: c.calendar_notes.replace(ID, **{**NOTE, "is_private": None}),
        ["is_private"],
    ),
    (
        "8 just under 60 days",
        lambda c: c.calendar_notes.list(
            start=START, end=START + timedelta(days=60) - timedelta(seconds=1)
        ),
        [],
    ),
    (
        "8 exactly 60 days",
        lambda c: calendar_notes.build_list(start=START, end=START + timedelta(days=60)),
        ["end"],
    ),
    (
        "8 exactly 60 days in two zones",
        lambda c: calendar_notes.build_list(
            start=START,
            end=(START + timedelta(days=60)).astimezone(timezone(timedelta(hours=14))),
        ),
        ["end"],
    ),
    (
        "8 60 days by the clock, an hour less in truth",
        lambda c: c.calendar_notes.list(
            start=datetime(2026, 3, 1, tzinfo=ZoneInfo("Europe/Berlin")),
            end=datetime(2026, 4, 30, tzinfo=ZoneInfo("Europe/Berlin")),
        ),
        [],
    ),
    (
        "8 61 days",
        lambda c: calendar_notes.build_list(start=START, end=START + timedelta(days=61)),
        ["end"],
    ),
    ("4.8 pages count from one", lambda c: c.posts.activities(ID, page=0), ["page"]),
    ("4.1.1 null where it can be", lambda c: c.posts.update(ID, content=None, note=None), []),
    ("4.1.1 null where it cannot be", lambda c: c.posts.update(ID, is_draft=None), ["is_draft"]),
    ("4.1.1 nothing", lambda c: c.posts.update(ID), []),
    (
        "4.1.1 a map, not an array",
        lambda c: c.posts.update(ID, pi_boards=["1"]),
        ["pi_boards"],
    ),
    (
        "4.1.1 a map by account",
        lambda c: c.posts.update(ID, yt_playlists={"mine": "PL1"}),
        ["yt_playlists, key"],
    ),
    (
        "4.1.1 a network that the map has no key for",
        lambda c: c.posts.update(ID, customized={"mastodon": models.PostUpdateCustomization()}),
        ["customized, key"],
    ),
    (
        "4.1.1 deep inside",
        lambda c: c.posts.update(
            ID,
            first_comments=models.PostUpdateFirstComments(
                customized=[
                    models.PostUpdateFirstCommentsCustomization(content=5)  # type: ignore[arg-type]
                ]
            ),
        ),
        ["first_comments.customized[0].content"],
    ),
    (
        "several at once",
        lambda c: c.groups.replace(
            "", **{**GROUP, "name": "a" * 51, "timezone": 1, "max_social_accounts": 0}
        ),
        ["group_id", "name", "timezone", "max_social_accounts"],
    ),
    ("2.1 a text is no list", lambda c: c.posts.get_many(ids="123"), ["ids"]),
    ("2.1 a number is no id", lambda c: c.posts.get_many(ids=[123]), ["ids[0]"]),
    ("2.1 an id with a comma", lambda c: c.posts.get_many(ids=["1", "2,3"]), ["ids[1]"]),
    ("2.1 an empty id", lambda c: c.posts.get_many(ids=["1", ""]), ["ids[1]"]),
    ("2.1 an empty group", lambda c: c.posts.list(group_id=""), ["group_id"]),
    (
        "2.1 an empty id in a body",
        lambda c: c.social_accounts.move_to_group("1", group_id=""),
        ["group_id"],
    ),
    (
        "4.1 no accounts",
        lambda c: c.posts.list(social_account_ids=[]),
        ["group_id or social_account_ids"],
    ),
    ("2.1 21 digits", lambda c: c.posts.metrics("1" * 21), ["post_id"]),
    ("2.1 64 bits", lambda c: c.posts.get_many(ids=[str(2**64 - 1), "0"]), []),
    ("2.1 65 bits in a query", lambda c: c.posts.list(group_id=str(2**64)), ["group_id"]),
    ("2.1 65 bits in a list", lambda c: c.posts.get_many(ids=["9" * 20]), ["ids[0]"]),
    ("2.1 leading zeros", lambda c: c.posts.delete_many(ids=["1", "01"]), ["ids[1]"]),
    (
        "2.1 65 bits in a body",
        lambda c: c.social_accounts.move_to_group("1", group_id=str(2**64)),
        ["group_id"],
    ),
    (
        "2.1 65 bits in a list of a body",
        lambda c: c.posts.update(ID, label_ids=[ID, str(2**64)]),
        ["label_ids[1]"],
    ),
    (
        "2.1 65 bits as the key of a map",
        lambda c: c.posts.update(ID, yt_playlists={str(2**64): "PL1"}),
        ["yt_playlists, key"],
    ),
    (
        "limits.integers",
        lambda c: c.posts.update(ID, publication_delay_between=2**63),
        ["publication_delay_between"],
    ),
    (
        "4.1 a bool is no text",
        lambda c: c.posts.delete_many(ids=["1"], from_networks="yes"),
        ["from_networks"],
    ),
    ("4.7 an address", lambda c: c.media.upload_from_url(file_url="https://x.invalid/ä b"), []),
]


@pytest.mark.parametrize(
    ("use", "named"), [case[1:] for case in LIMITS], ids=[case[0] for case in LIMITS]
)
def test_limits(client: SocialPublishing, server: Server, use: Use, named: list[str]) -> None:
    """§4 and §8: see the ids. Exactly at a limit is accepted, one past it is refused."""
    if named:
        assert sorted(set(refused(client, server, use))) == sorted(named)
    else:
        use(client)
        assert len(server.requests) == 1


PATHS = [call for call in CALLS if call.args]


@pytest.mark.parametrize("call", PATHS, ids=lambda call: call.method)
@pytest.mark.parametrize(
    "wrong", ["", "..", "1/2", "1?x=2", "%2e", "1 ", "ä", "1\n", None, 12, "01", str(2**64)]
)
def test_identifiers_of_a_path(
    client: SocialPublishing, server: Server, call: Call, wrong: Any
) -> None:
    """§4: ids cannot leave their place in a path; an empty one is refused."""
    bad = Call(call.method, (wrong,), call.kwargs)
    assert len(refused(client, server, bad.of)) == 1


# Dates: (case, argument, value, text on the wire); None where the value is refused.
BERLIN, TOKYO = ZoneInfo("Europe/Berlin"), timezone(timedelta(hours=9))
DATES: list[tuple[str, str, Any, str | None]] = [
    ("UTC", "publication_date", datetime(2026, 12, 1, 9, 0, tzinfo=UTC), "2026-12-01T09:00"),
    ("Tokyo", "publication_date", datetime(2026, 1, 1, 8, tzinfo=TOKYO), "2025-12-31T23:00"),
    ("summer", "publication_date", datetime(2026, 7, 1, 0, 5, tzinfo=BERLIN), "2026-06-30T22:05"),
    ("twice", "publication_date", datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN), "2026-10-25T00:30"),
    (
        "the second time",
        "publication_date",
        datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=1),
        "2026-10-25T01:30",
    ),
    ("naive", "publication_date", datetime(2026, 12, 1, 9, 0), None),
    ("seconds", "publication_date", datetime(2026, 12, 1, 9, 0, 1, tzinfo=UTC), None),
    ("micros", "publication_date", datetime(2026, 12, 1, 9, 0, 0, 1, tzinfo=UTC), None),
    ("text", "publication_date", "2026-12-01T09:00", None),
    ("null", "publication_date", None, None),
    ("seconds", "gb_start_date", datetime(2026, 12, 1, 9, 0, 7, tzinfo=UTC), "2026-12-01 09:00:07"),
    ("Tokyo", "gb_end_date", datetime(2026, 12, 1, 1, tzinfo=TOKYO), "2026-11-30 16:00:00"),
    ("naive", "gb_start_date", datetime(2026, 12, 1), None),
    ("micros", "gb_end_date", datetime(2026, 12, 1, 0, 0, 0, 5, tzinfo=UTC), None),
]


@pytest.mark.parametrize(
    ("argument", "value", "text"), [d[1:] for d in DATES], ids=[f"{d[1]}-{d[0]}" for d in DATES]
)
def test_dates_of_a_post(
    client: SocialPublishing, server: Server, argument: str, value: Any, text: str | None
) -> None:
    """§2.2 and §4.1.1: sent to the minute, Google's to the second, in UTC by assumption; a
    naive time and one that the format would cut are refused."""
    if text is None:
        assert refused(client, server, lambda c: c.posts.update(ID, **{argument: value})) == [
            argument
        ]
    else:
        client.posts.update(ID, **{argument: value})
        assert server.requests[-1].json == {argument: text}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime(2026, 12, 1, 9, 0, tzinfo=UTC), "2026-12-01T09:00:00Z"),
        (datetime(2026, 12, 1, 9, 0, 5, 250000, tzinfo=TOKYO), "2026-12-01T00:00:05.250000Z"),
        (datetime(2026, 12, 1, 9, 0), None),
    ],
    ids=["UTC", "with microseconds", "naive"],
)
def test_dates_of_a_note(
    client: SocialPublishing, server: Server, value: datetime, text: str | None
) -> None:
    """§4.4: notes send full date-times, in the body and in the query."""
    if text is None:
        for use in (
            lambda c: c.calendar_notes.reschedule(ID, start_date=value, end_date=value),
            lambda c: c.calendar_notes.replace(
                ID, **{**NOTE, "start_date": value, "end_date": value}
            ),
        ):
            assert refused(client, server, use) == ["start_date", "end_date"]
        assert refused(client, server, lambda c: c.calendar_notes.list(start=value, end=START)) == [
            "start"
        ]
        return
    client.calendar_notes.reschedule(ID, start_date=value, end_date=value)
    assert server.requests[-1].json == {"start_date": text, "end_date": text}
    client.calendar_notes.list(start=value, end=value)
    quoted = text.replace(":", "%3A")
    assert server.requests[-1].target == (
        f"/v1/calendar-notes?start_date={quoted}&end_date={quoted}"
    )


def test_unset_fields_are_left_out(client: SocialPublishing, server: Server) -> None:
    """§4.1.1: null in a PATCH is not documented: it is sent only when asked for; false,
    zero and empty are values."""
    client.posts.update(ID, should_skip=False, publication_delay_between=0, label_ids=[], note=None)
    assert server.requests[-1].body == (
        b'{"name":null}'.replace(b"name", b"note")[:-1]
        + b',"publication_delay_between":0,"should_skip":false,"labelIds":[]}'
    )
    client.posts.update(ID)
    assert server.requests[-1].body == b"{}"


@pytest.mark.parametrize(
    ("use", "target"),
    [
        (lambda c: c.posts.delete_many(ids=["1"]), "/v1/posts-bulk?ids=1"),
        (lambda c: c.calendar_notes.delete("1"), "/v1/calendar-notes/1"),
        (lambda c: c.groups.get("1"), "/v1/groups/1"),
        (lambda c: c.posts.list(group_id="1").first_page(), "/v1/posts?groupId=1"),
        (lambda c: c.posts.activities("1").first_page(), "/v1/posts/1/activities"),
        (
            lambda c: c.posts.delete_many(ids=["1"], from_networks=False, delete_tasks=False),
            "/v1/posts-bulk?ids=1&deleteFromNetworks=false&deleteTask=false",
        ),
    ],
    ids=["networks and tasks", "grouped notes", "include", "page", "activities", "false is said"],
)
def test_options_are_left_out_unless_asked_for(
    client: SocialPublishing, server: Server, use: Use, target: str
) -> None:
    """§4.8: names of the delete flags are placeholders, and what they do cannot be undone:
    nothing of them goes out by itself; includes and pages neither."""
    use(client)
    assert server.requests[-1].target == target


def test_media_order_is_kept(client: SocialPublishing, server: Server) -> None:
    """§2.2: the order of `selected_media_ids` is the order of publishing; repeats stay."""
    client.posts.update(ID, selected_media_ids=("3", "1", "2", "1"))
    assert server.requests[-1].json == {"selected_media_ids": ["3", "1", "2", "1"]}
    client.posts.get_many(ids=(OTHER, ID))
    assert server.requests[-1].target.endswith(f"?ids={OTHER},{ID}")


def test_pinterest_ids_are_the_networks(client: SocialPublishing, server: Server) -> None:
    """§2: boards and playlists are the networks' own ids: no digits are demanded of them."""
    client.posts.update(
        ID, pi_boards={"1": models.PinterestTarget(id="a/b?")}, yt_playlists={"1": "PL_-"}
    )
    assert server.requests[-1].json == {
        "pi_boards": {"1": {"id": "a/b?"}},
        "yt_playlists": {"1": "PL_-"},
    }


EXTENSIONS = [
    "heic",
    "avif",
    "webp",
    "jpeg",
    "png",
    "jpg",
    "gif",
    "pdf",
    "srt",
    "mp4",
    "mov",
    "mpeg",
    "webm",
    "avi",
    "mp3",
]


@pytest.mark.parametrize("extension", [*EXTENSIONS, "PNG", "Mp4"])
def test_extensions_that_are_taken(
    client: SocialPublishing, server: Server, extension: str
) -> None:
    """§4.7: the listed extensions, in capitals, too."""
    client.media.upload(file=File(b"x", name=f"a.b.{extension}"))
    assert server.requests[-1].parts[0].filename == f"a.b.{extension}"


@pytest.mark.parametrize("name", ["a.exe", "a", "png", "a.png.exe", ".png", "a.tiff", "a.mp4 "])
def test_extensions_that_are_refused(client: SocialPublishing, server: Server, name: str) -> None:
    """§4.7: all others are refused before a byte is sent."""
    assert refused(client, server, lambda c: c.media.upload(file=File(b"x", name=name))) == ["file"]


def test_size_of_an_upload(client: SocialPublishing, server: Server, tmp_path: Path) -> None:
    """§8: 2048 MB are 2,147,483,648 bytes by assumption: one more is refused unread."""
    from social_publishing.resources.media import build_upload

    path = tmp_path / "launch.mp4"
    path.touch()
    import os

    os.truncate(path, 2_147_483_649)  # sparse: no byte of it is written
    assert refused(client, server, lambda c: c.media.upload(file=path)) == ["file"]
    with path.open("rb") as file:
        assert refused(client, server, lambda c: c.media.upload(file=file)) == ["file"]
        file.seek(1)
        assert build_upload(file=file).method == "POST"
    os.truncate(path, 2_147_483_648)
    assert build_upload(file=path).body is not None


def test_files_in_every_form(client: SocialPublishing, server: Server, tmp_path: Path) -> None:
    """§4.7: a path, its text, an open file, bytes with a name; refused: no such file, a
    folder, a file opened as text, bytes without a name."""
    path = tmp_path / "launch.mp4"
    path.write_bytes(b"12345")
    with path.open("rb") as opened:
        for file in (path, str(path), opened, File(b"12345", name="launch.mp4")):
            client.media.upload(file=file)
            (part,) = server.requests[-1].parts
            assert (part.name, part.filename, part.size) == ("file", "launch.mp4", 5)
            assert int(server.requests[-1].headers["content-length"]) > 5
    server.requests.clear()
    wrong: list[Any] = [tmp_path / "none.mp4", tmp_path, b"12345", 5, None]
    with path.open() as text:
        for bad in [*wrong, text]:
            assert set(refused(client, server, partial(_upload, bad))) == {"file"}


def _upload(file: Any, client: SocialPublishing) -> Any:
    return client.media.upload(file=file)


def test_only_media_uploads_check_files(client: SocialPublishing, server: Server) -> None:
    """§4.7: the limits are stated for `/upload`: any address is left to the service."""
    client.media.upload_from_url(file_url="https://x.invalid/a.exe")
    assert server.requests[-1].json == {"file_url": "https://x.invalid/a.exe"}
