"""The table of `docs/what-is-kept.md` is what reading such values gives.

`python tests/client/test_what_is_kept.py` writes it anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from social_publishing import Drift
from social_publishing._runtime.core.drift import DriftWatch
from social_publishing._runtime.core.errors import Exchange
from social_publishing._runtime.response.decode import decode
from social_publishing._runtime.response.redaction import Redaction
from social_publishing.models import Post

PAGE = Path(__file__).parents[2] / "docs" / "what-is-kept.md"
HEAD = "| what comes | for example | the attribute | `to_json()` | drift |\n|---|---|---|---|---|\n"

# What is odd, the field, and the JSON that comes for it.
ODDITIES: list[tuple[str, str, bytes]] = [
    ("nothing odd", "publication_date", b'"2026-12-01T09:00:00Z"'),
    ("null", "publication_date", b"null"),
    ("a fraction beyond microseconds", "publication_date", b'"2026-12-31T23:59:59.9999999Z"'),
    ("ISO 8601 in short", "publication_date", b'"2026-12-01t09:00+01"'),
    ("a date-time without a zone", "publication_date", b'"2026-12-01T09:00:00"'),
    ("a date alone", "publication_date", b'"2026-12-01"'),
    ("an empty text", "publication_date", b'""'),
    ("seconds since 1970", "publication_date", b"1796115600"),
    ("a number as a text", "content_weighted_length", b'"5"'),
    ("an integer with a point", "content_weighted_length", b"5.0"),
    ("a fraction for an integer", "content_weighted_length", b"2.5"),
    ("NaN", "content_weighted_length", b"NaN"),
    ("a truth value as a text", "should_skip", b'"false"'),
    ("a number for a text", "name", b"5"),
    ("an object for a text", "name", b'{"en":"Loaf"}'),
    ("half of a character", "name", b'"Loaf \\ud83e"'),
    ("bytes that are no UTF-8", "name", b'"B\xe4cker"'),
    ("a code that is new", "status", b"77"),
    ("a null among texts", "selected_media_ids", b'["7",null]'),
    ("an odd item among objects", "labels", b'[{"id":"7"},5]'),
    ("a member that no document names", "mood", b'{"happy":1.0}'),
]


class Reading(NamedTuple):
    """A post that came, and how it differs from what the documents say."""

    post: Post
    drifts: list[Drift]


class Asked(NamedTuple):
    """What decoding has to know of a request."""

    operation: str = "posts.get"
    returns: Any = Post
    keyed_by: str | None = None
    by_status: dict[int, Any] = {}  # noqa: RUF012


def reading(field: str, text: bytes) -> Reading:
    drifts: list[Drift] = []
    body = b'{"id":"1","%s":%s}' % (field.encode(), text)
    exchange = Exchange("posts.get", "GET", "", 200, {}, body)
    watch = DriftWatch("ignore", drifts.append)
    there = decode(Asked(), exchange, Redaction(""), watch)
    quick = decode(Asked(), exchange, Redaction(""), DriftWatch())
    assert quick == there, "whether somebody looks at drift or not, the values are the same"
    assert quick.to_json() == there.to_json()
    return Reading(there, [drift for drift in drifts if drift.kind != "missing field"])


def rows() -> Iterator[str]:
    for oddity, field, text in ODDITIES:
        post, drifts = reading(field, text)
        if hasattr(Post, field):
            attribute = f"{field} → {getattr(post, field)!r}"
        else:
            attribute = f"additional_properties → {post.additional_properties!r}"
        attribute = re.sub(r"datetime\.(?=datetime|timez|timed)", "", attribute)
        wire = re.fullmatch(rb'\{"id":"1","\w+":(.*)\}', post.to_json())
        assert wire is not None
        shown = [f"`{drift.reason}`" for drift in drifts]
        cells = (f"`{_text(text)}`", f"`{attribute}`", f"`{_text(wire[1])}`", ", ".join(shown))
        yield " | ".join((f"| {oddity}", *(_cell(cell) for cell in cells))) + " |\n"


def _text(json_text: bytes) -> str:
    return json_text.decode("utf-8", "backslashreplace")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def test_the_table_is_what_reading_gives() -> None:
    table = HEAD + "".join(rows())
    assert table in PAGE.read_text(encoding="utf-8"), f"run `python {Path(__file__).name}`"


@pytest.mark.parametrize(("oddity", "field", "text"), ODDITIES, ids=[row[0] for row in ODDITIES])
def test_the_text_is_as_it_came(oddity: str, field: str, text: bytes) -> None:
    post = reading(field, text).post
    came = post.to_json()
    if oddity != "bytes that are no UTF-8":
        assert came == b'{"id":"1","%s":%s}' % (field.encode(), text)
    assert list(post.to_dict(wire=True)) == ["id", field]
    json.dumps(post.to_dict(), allow_nan=False).encode()


@pytest.mark.parametrize(("oddity", "field", "text"), ODDITIES, ids=[row[0] for row in ODDITIES])
def test_what_is_set_to_what_came_is_no_change(oddity: str, field: str, text: bytes) -> None:
    """Whatever its spelling; and what is set to anything else stands in its place."""
    post = reading(field, text).post
    came = post.to_json()
    if hasattr(Post, field):
        setattr(post, field, post.stored(field))
    assert post.to_json() == came
    kept = came.removeprefix(b'{"id":"1",').removesuffix(b"}")
    for name, value in [("note", "é"), ("note", None), ("id", "2"), ("is_publicly_shared", True)]:
        setattr(post, name, value)
        written = post.to_json()
        assert kept in written
        assert (
            b'"%s":%s' % (name.encode(), json.dumps(value, ensure_ascii=False).encode()) in written
        )


@pytest.mark.parametrize("spelled", [b'"\\u00e9"', b'"\\u00E9"', '"é"'.encode()])
def test_a_text_set_anew_keeps_its_spelling(spelled: bytes) -> None:
    post = reading("name", spelled).post
    post.name = "é"
    assert post.to_json() == b'{"id":"1","name":%s}' % spelled
    post.name = "e"
    assert post.to_json() == b'{"id":"1","name":"e"}'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b' [ {"id": "1"},  2 ] ', b' [ {"id": "1"},  2 ] '),
        (b'[\n  {"id": "a\\nb"},\n  2\n]', b'[{"id":"a\\nb"},2]'),
        (b"[\r1, 2]", b"[1,2]"),
    ],
)
def test_a_text_with_line_breaks_is_put_on_one_line(text: bytes, line: bytes) -> None:
    """Any other stays as it is, with its blanks."""
    assert reading("labels", text).post.to_json() == b'{"id":"1","labels":%s}' % line


def test_an_item_of_another_response_is_a_change() -> None:
    """Also in the same place of the same field, and the text of each is its own."""
    texts = [b'[{"id":"%d","odd":%d}]' % (number, number) for number in (1, 2)]
    one, other = (reading("labels", text).post for text in texts)
    assert one.labels is not None and other.labels is not None
    assert one.to_json() == b'{"id":"1","labels":%s}' % texts[0]
    one.labels[0] = other.labels[0]
    assert one.to_json() == other.to_json() == b'{"id":"1","labels":%s}' % texts[1]


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    start = page.index(HEAD)
    end = page.index("\n\n", start) + 1
    PAGE.write_text(page[:start] + HEAD + "".join(rows()) + page[end:], encoding="utf-8")
