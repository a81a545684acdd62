"""Bodies of requests: what leaves for text, forms and multipart."""

from __future__ import annotations

import pickle
import re
from email import message_from_bytes
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
from msgspec import UNSET, UnsetType
from runtime.core.errors import ArgumentError, ClientError
from runtime.core.models import RequestModel
from runtime.request.bodies import BodyOption
from runtime.request.multipart import File, FilePart
from runtime.request.request import FieldEncoding
from runtime.request.validation import Parameter
from runtime_support import SENDERS, request, sent_by

BOTH = pytest.mark.parametrize("send", SENDERS)


class Page(RequestModel):
    width: int


class Form(RequestModel):
    name: str | UnsetType = UNSET
    tags: list[str] | UnsetType = UNSET
    page: Page | UnsetType = UNSET
    marks: dict[str, str] | UnsetType = UNSET


def sent(send: Any, **parts: Any) -> httpx2.Request:
    return sent_by(send, request("POST", **parts))


def form_of(found: httpx2.Request) -> list[tuple[str, str | None, str, bytes]]:
    """The parts of a form: name, file name, media type, content."""
    head = f"Content-Type: {found.headers['Content-Type']}\r\n\r\n".encode()
    parts: Any = message_from_bytes(head + found.content).get_payload()
    return [
        (
            part.get_param("name", header="content-disposition"),
            part.get_filename(),
            part.get_content_type() if part["content-type"] else "",
            part.get_payload(decode=True),
        )
        for part in parts
    ]


@BOTH
@pytest.mark.parametrize("said", [None, "application/merge-patch+json"])
@pytest.mark.parametrize("kind", ["json", "form", "content"])
def test_a_body_has_the_media_type_that_the_document_names(
    send: Any, kind: str, said: str | None
) -> None:
    usual = {
        "json": "application/json",
        "form": "application/x-www-form-urlencoded",
        "content": "application/octet-stream",
    }
    body: Any = b"\xff" if kind == "content" else Parameter("body", {"a": "b"}, dict[str, str], "a")
    sent = sent_by(send, request("PATCH", **{kind: body}, content_type=said))
    assert sent.headers["content-type"] == (said or usual[kind])
    assert kind != "content" or sent.content == body


@BOTH
@pytest.mark.parametrize("size", [0, 1])
def test_a_file_of_a_known_size_is_announced_by_it(send: Any, size: int, tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"x" * size)
    for given in (path, b"x" * size):
        seen: list[Any] = []
        progress = lambda *at, seen=seen: seen.append(at)  # noqa: E731
        whole = sent(send, content=FilePart("", given, "content", progress=progress, whole=True))
        assert whole.headers["content-length"] == str(size) == str(len(whole.content))
        assert "transfer-encoding" not in whole.headers
        assert (seen[0], seen[-1]) == ((0, size), (size, size))


@BOTH
def test_a_form_is_written_as_its_encoding_says(send: Any) -> None:
    form = Form(name="a b", tags=["x", "y&"], page=Page(width=2), marks={"k": "1 2"})
    plain = sent(send, form=form)
    assert plain.headers["Content-Type"] == "application/x-www-form-urlencoded"
    usual = b"name=a+b&tags=x&tags=y%26&page=%7B%22width%22%3A2%7D&marks=%7B%22k%22%3A%221+2%22%7D"
    assert plain.content == usual
    encoding = {"marks": FieldEncoding("deepObject"), "tags": FieldEncoding(explode=False)}
    other = sent(send, form=Form(tags=["x", "y&"], marks={"k": "1 2"}), encoding=encoding)
    assert other.content == b"tags=x,y%26&marks%5Bk%5D=1%202"
    commas = sent(send, form=Form(tags=["a,b", "c"]), encoding=encoding)
    assert commas.content == b"tags=a%2Cb,c"
    free = sent(send, form=Parameter("body", {"a": "b c"}, dict[str, str], "body"))
    assert free.content == b"a=b+c"


@BOTH
def test_files_come_in_lists_or_not_at_all(send: Any) -> None:
    files = [
        FilePart("pages", [File(b"1", "a.png"), File(b"2", "b.png")], "pages", many=True),
        FilePart("cover", None, "cover", nullable=True),
        FilePart("", {"a": File(b"3", "c.png")}, "others", keyed=True),
        FilePart("by", {"b": File(b"4", "d.png")}, "by", keyed=True),
    ]
    found = sent(
        send,
        form=Form(page=Page(width=2)),
        encoding={"page": FieldEncoding(content_type="application/json")},
        files=files,
    )
    assert form_of(found) == [
        ("page", None, "application/json", b'{"width":2}'),
        ("pages", "a.png", "image/png", b"1"),
        ("pages", "b.png", "image/png", b"2"),
        ("a", "c.png", "image/png", b"3"),
        ("by[b]", "d.png", "image/png", b"4"),
    ]


@pytest.mark.parametrize(
    ("value", "many", "words"),
    [
        ([File(b"", "a.png"), 5], True, r"pages\[1\]: "),
        (File(b"", "a.png"), True, "pages: expected a list of files, got File"),
        (None, False, "pages: "),
        ([File(b"", "a.png")], False, "pages: "),
    ],
)
def test_files_of_another_form_are_refused(value: Any, many: bool, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        request(files=[FilePart("pages", value, "pages", many=many)])


def of_range(wanted: str, given: Any) -> Parameter:
    return Parameter(wanted, given, str, "content_type")


@BOTH
@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("image/*", "image/png"),
        ("image/*", "Image/SVG+xml"),
        ("*/*", "a/b"),
        ("text/*", "text/x;a=b"),
    ],
)
def test_the_caller_chooses_among_a_range_of_media_types(
    send: Any, wanted: str, given: str
) -> None:
    found = sent(send, content=b"a", content_type=of_range(wanted, given))
    assert found.headers["Content-Type"] == given


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("image/*", UNSET),
        ("image/*", "image/*"),
        ("image/*", "text/plain"),
        ("image/*", "images/png"),
        ("*/*", "png"),
        ("*/*", "a/b\r\nX: y"),
        ("*/*", None),
        ("*/*", b"a/b"),
    ],
)
def test_a_media_type_outside_the_range_is_refused(wanted: str, given: Any) -> None:
    got = "nothing" if given is UNSET else repr(given)
    with pytest.raises(ArgumentError) as refused:
        request("POST", content=b"a", content_type=of_range(wanted, given))
    (problem,) = refused.value.problems
    assert (problem.argument, problem.reason) == (
        "content_type",
        f"expected a media type of {wanted}, got {got}",
    )


def of_several(
    name: Any = UNSET, content: Any = UNSET, content_type: Any = UNSET, tags: Any = UNSET
) -> Any:
    """Arguments of a request that takes a form, a picture of any kind, or a text."""
    form = {"name": name, "tags": tags}
    carried = {"arguments": {"content": content}, "required": "content", "content": content}
    bodies = [
        BodyOption("application/json", "", form, "name tags", json=Form(**form)),
        BodyOption("image/*", **carried, kind=bytes),
        BodyOption("text/plain", TEXT, **carried, kind=str),
    ]
    return {"bodies": bodies, "content_type": content_type}


TEXT = "text/plain; charset=utf-8"


@BOTH
@pytest.mark.parametrize(
    ("given", "leaves"),
    [
        ({"name": "", "tags": []}, ("application/json", b'{"name":"","tags":[]}')),
        ({"content": "ü"}, (TEXT, "ü".encode())),
        ({"content": "x", "content_type": "text/plain"}, (TEXT, b"x")),
        ({"content": b"x", "content_type": "image/png"}, ("image/png", b"x")),
    ],
)
def test_of_several_bodies_the_one_leaves_that_carries_what_is_given(
    send: Any, given: dict[str, Any], leaves: tuple[str, bytes]
) -> None:
    found = sent(send, **of_several(**given))
    assert (found.headers["Content-Type"], found.content) == leaves


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "name: is required; tags: is required"),
        ({"content": b"x"}, "body: expected text, got bytes"),
        ({"content": "x", "content_type": "image/png"}, "body: expected bytes, got str"),
        ({"name": "x", "content": "y"}, "content: cannot be sent as application/json"),
        ({"content": b"x", "content_type": "image/*"}, "image/*, text/plain, got 'image/*'"),
        ({"content": b"x", "content_type": "video/x"}, "image/*, text/plain, got 'video/x'"),
        ({"bodies": (), "content": 5}, "body: expected text or bytes, got int"),
    ],
)
def test_what_none_of_several_bodies_carries_is_refused(given: Any, problem: str) -> None:
    with pytest.raises(ArgumentError, match=re.escape(problem)):
        request("POST", **(given if "bodies" in given else of_several(**given)))


@BOTH
@pytest.mark.parametrize("file", [UNSET, b"1"])
def test_a_file_beside_fields_is_a_part_of_its_own_or_left_out(send: Any, file: Any) -> None:
    given, files = {"name": "x", "tags": file}, [FilePart("tags", file, "tags")]
    several = [BodyOption("multipart/form-data", "", given, "name", form=Form, files=files)]
    picture = [("tags", "tags", "application/octet-stream", b"1")] if file else []
    for how in (
        {"bodies": several, "content_type": UNSET},
        {"form": Form(name="x"), "files": files},
    ):
        assert form_of(sent(send, **how)) == [("name", None, "", b"x"), *picture]
    none = sent(send, content=FilePart("", UNSET, "a"), content_type=of_range("a/*", UNSET))
    assert (none.content, "Content-Type" in none.headers) == (b"", False)


def test_a_pickle_of_a_request_has_all_but_its_files() -> None:
    with Path(__file__).open("rb") as file:
        call = request(
            "POST", content=FilePart("", file, "a"), headers=[Parameter("A", "b", str, "a")]
        )
        again = pickle.loads(pickle.dumps(call))
    with pytest.raises(ClientError, match="the files of a request cannot be pickled"):
        iter(again.body)
    assert msgspec.structs.replace(again, body=call.body) == call


def test_what_comes_back_is_chosen_by_the_media_type_that_is_asked_for() -> None:
    offers = {"text/csv": str, "application/pdf": bytes}
    call = request(offers=offers, accept="application/pdf", accept_errors="application/json")
    assert (call.returns, call.accept) == (bytes, "application/pdf, application/json")
    assert request(offers=offers, accept="text/csv").accept == "text/csv"
    for wrong in ("text/CSV", None, []):
        with pytest.raises(ArgumentError) as refused:
            request(offers=offers, accept=wrong)
        expected = f"accept: expected one of text/csv, application/pdf, got {wrong!r}"
        assert str(refused.value) == f"pets.list: {expected}"


@BOTH
@pytest.mark.parametrize("how", ["json", "form", "multipart"])
def test_an_optional_body_of_which_nothing_is_given_is_none(send: Any, how: str) -> None:
    multipart = {"files": [FilePart("file", UNSET, "file")]} if how == "multipart" else {}
    word = "json" if how == "json" else "form"
    empty = sent(send, body_required=False, **{word: Form()}, **multipart)
    assert (empty.content, "Content-Type" in empty.headers) == (b"", False)
    given = sent(send, body_required=False, **{word: Form(name="x")}, **multipart)
    assert b"x" in given.content and "Content-Type" in given.headers
    whole = Parameter("body", Form(), Form, "body")
    assert "Content-Type" in sent(send, **{word: whole}, **multipart).headers
