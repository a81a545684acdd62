"""Files: what may be sent, and a multipart body that others can read."""

from __future__ import annotations

import asyncio
import io
import os
import tempfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime.arguments import Checker
from runtime.errors import ArgumentError
from runtime.files import File, FilePart, Multipart
from runtime.models import RequestModel
from runtime_support import SENDERS, recording, request, send_async, send_sync
from werkzeug.formparser import MultiPartParser

MIB = 1 << 20


class Form(RequestModel):
    title: str
    tags: list[str]


def named(path: Path) -> File:
    return File(str(path), "a.png")  # type: ignore[arg-type]


def multipart(value: Any, fields: dict[str, list[str]] | None = None, **limits: Any) -> Multipart:
    checker = Checker()
    part = FilePart("file", value, "file", **limits).checked(checker)
    assert checker.problems == []
    return Multipart(fields or {}, [part])


def problems(value: Any, **limits: Any) -> list[str]:
    checker = Checker()
    FilePart("file", value, "media", **limits).checked(checker)
    return [str(problem) for problem in checker.problems]


async def collect(body: Multipart) -> bytes:
    return b"".join([chunk async for chunk in body])


def parsed(raw: bytes, content_type: str) -> tuple[list[tuple[str, str]], list[Any]]:
    boundary = content_type.partition("boundary=")[2].encode()
    parser = MultiPartParser(max_form_memory_size=None, max_form_parts=None)
    form, files = parser.parse(io.BytesIO(raw), boundary, len(raw))
    return list(form.items(multi=True)), list(files.items(multi=True))


TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)
PLAIN = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)
LIKE_A_BOUNDARY = st.sampled_from([b"\r\n", b"--", b"\r\n--", b"--\r\n", b"\r\n\r\n", b"0123abcd"])
CONTENT = st.lists(st.one_of(st.binary(max_size=50), LIKE_A_BOUNDARY)).map(b"".join)


@given(
    name=PLAIN.filter(lambda text: not set('"\\') & set(text) and text.strip() == text),
    content=CONTENT,
    values=st.lists(TEXT, max_size=3),
)
def test_an_independent_parser_reads_what_was_given(
    name: str, content: bytes, values: list[str]
) -> None:
    body = multipart(File(content, name), {"title": values})
    raw = b"".join(body)
    form, files = parsed(raw, body.content_type)
    assert form == [("title", value) for value in values]
    ((field, file),) = files
    assert (field, file.filename, file.read()) == ("file", name, content)
    assert len(raw) == body.length
    assert asyncio.run(collect(body)) == raw


@given(name=TEXT.filter(bool))
def test_no_name_breaks_out_of_its_header(name: str) -> None:
    body = multipart(File(b"x", name + '\r\nX-Evil: 1"; a=b'))
    head = b"".join(body).partition(b"\r\n\r\n")[0].decode()
    lines = head.split("\r\n")
    assert len(lines) == 3
    assert lines[1].count('"') == 4
    assert "\n" not in lines[1]


def test_the_type_is_guessed_from_the_name_or_said() -> None:
    def head(file: File) -> bytes:
        return b"".join(multipart(file)).partition(b"\r\n\r\n")[0]

    assert head(File(b"", "a.PNG")).endswith(b"Content-Type: image/png")
    assert head(File(b"", "a.zzz")).endswith(b"Content-Type: application/octet-stream")
    assert head(File(b"", "a.png", "image/x")).endswith(b"Content-Type: image/x")
    assert problems(File(b"", "a.png", "a/b\r\nX-Evil: 1")) == [
        "media: 'a/b\\r\\nX-Evil: 1' is no media type"
    ]


def test_the_boundary_is_random() -> None:
    assert len({multipart(File(b"", "a")).content_type for _ in range(50)}) == 50


def test_names_that_utf_8_cannot_hold_do_not_break_the_body() -> None:
    assert b'filename="a?.png"' in b"".join(multipart(File(b"", "a\udcff.png")))


@pytest.mark.parametrize("send", SENDERS)
def test_the_length_sent_is_the_length_of_the_body(send: Any, tmp_path: Path) -> None:
    path = tmp_path / "bär.png"
    path.write_bytes(b"\0" * (2 * MIB + 7))
    made = request(
        "POST", form=Form(title="ü", tags=["a", "b"]), files=[FilePart("file", path, "file")]
    )
    seen: list[httpx2.Request] = []
    send(recording(seen), made)
    sent = seen[0]
    assert int(sent.headers["Content-Length"]) == len(sent.content)
    assert "Transfer-Encoding" not in sent.headers
    assert sent.headers["Content-Type"] == made.content_type
    assert sent.headers["Content-Type"].startswith("multipart/form-data; boundary=")
    assert sent.headers["Accept"] == "application/json"
    form, files = parsed(sent.content, sent.headers["Content-Type"])
    assert form == [("title", "ü"), ("tags", "a"), ("tags", "b")]
    assert [(name, file.filename, len(file.read())) for name, file in files] == [
        ("file", "bär.png", 2 * MIB + 7)
    ]


@pytest.mark.parametrize("send", SENDERS)
def test_an_unseekable_stream_is_sent_in_chunks(send: Any) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"from a pipe")
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        made = request("POST", files=[FilePart("file", File(pipe, "a.png"), "file", (), 5)])
        seen: list[httpx2.Request] = []
        send(recording(seen), made)
        assert not pipe.closed
    assert "Content-Length" not in seen[0].headers
    assert seen[0].headers["Transfer-Encoding"] == "chunked"
    assert b"\r\n\r\nfrom a pipe\r\n" in seen[0].content


class OnlyRead:
    """The least that a file can be."""

    name = "a.png"

    def __init__(self) -> None:
        self.left = b"abc"

    def read(self, size: int = -1) -> bytes:
        taken, self.left = (b"", self.left) if size == 0 else (self.left, b"")
        return taken


def test_a_stream_that_can_only_be_read() -> None:
    body = multipart(OnlyRead())
    assert body.length is None
    assert b"\r\n\r\nabc\r\n" in b"".join(body)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_an_open_file_is_read_from_where_it_stands_and_stays_open(
    asynchronous: bool, tmp_path: Path
) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"0123456789")
    with path.open("rb") as file:
        file.seek(4)
        body = multipart(file, max_bytes=6)
        assert file.tell() == 4
        raw = asyncio.run(collect(body)) if asynchronous else b"".join(body)
        assert b"\r\n\r\n456789\r\n" in raw
        assert b'filename="a.png"' in raw
        assert len(raw) == body.length
        assert not file.closed
        file.seek(40)
        assert multipart(file).length == len(b"".join(multipart(file)))


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_path_is_opened_and_closed_by_us(
    asynchronous: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Any] = []
    real = open

    def recording(*args: Any) -> Any:
        opened.append(real(*args))
        return opened[-1]

    monkeypatch.setitem(Multipart.__iter__.__globals__, "open", recording)
    path = tmp_path / "a.png"
    path.write_bytes(b"abc")
    body = multipart(str(path))
    assert asyncio.run(collect(body)) if asynchronous else b"".join(body)
    assert len(opened) == 2  # to be looked at, and to be read
    assert all(file.closed for file in opened)


class BytesPath:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> bytes:
        return os.fsencode(self.path)


@pytest.mark.parametrize("kind", [str, Path, BytesPath, named])
def test_kinds_of_paths(kind: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"abc")
    raw = b"".join(multipart(kind(path), extensions=("png",)))
    assert b'filename="a.png"' in raw
    assert b"\r\n\r\nabc\r\n" in raw


def closed_file() -> Any:
    file = io.BytesIO(b"abc")
    file.close()
    return File(file, "a.png")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("/missing/a.png", "'/missing/a.png' cannot be read: No such file or directory"),
        (tempfile.gettempdir(), "it is a directory"),
        ("", "cannot be read"),
        ("a\0.png", "embedded null"),
        ("/dev/null", "it is no regular file"),
        (File(io.StringIO("x"), "a.png"), "text mode: open it with 'rb'"),  # type: ignore[arg-type]
        (io.BytesIO(b"x"), "has no name: wrap it, as in File(content, name='a.png')"),
        (b"x", "has no name: wrap it"),
        (File(b"x", ""), "the file needs a name"),
        (None, "expected a path, a binary file or a File(content, name='a.png'), got NoneType"),
        (3, "got int"),
        (File(bytearray(b"x"), "a.png"), "got bytearray"),  # type: ignore[arg-type]
        (closed_file(), "closed file"),
    ],
)
def test_what_is_no_file_is_refused_once(value: Any, words: str) -> None:
    (problem,) = problems(value)
    assert problem.startswith("media: ")
    assert words in problem


def test_a_text_file_and_a_write_only_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_text("x")
    with path.open() as text, path.open("ab") as write_only:
        assert "text mode" in problems(text)[0]
        assert "cannot be read" in problems(write_only)[0]


def test_a_pipe_does_not_make_us_wait(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    os.mkfifo(path)
    assert "no regular file" in problems(path)[0]


def test_extensions_are_compared_without_case() -> None:
    allowed = ("png", "jpg")
    assert problems(File(b"", "a.PnG"), extensions=allowed) == []
    assert problems(File(b"", "a.b.JPG"), extensions=allowed) == []
    assert problems(File(b"", "a.gif"), extensions=allowed) == [
        "media: 'a.gif' has the extension 'gif'; allowed are png, jpg"
    ]
    for name in ("png", ".png", "a.", "a.png.exe", "a.png "):
        assert len(problems(File(b"", name), extensions=allowed)) == 1


def sparse(path: Path, size: int) -> Path:
    with path.open("wb") as file:
        file.truncate(size)
    return path


def test_too_large_is_said_with_numbers(tmp_path: Path) -> None:
    limit = 2 * 1024**3
    assert problems(sparse(tmp_path / "a.mp4", limit), max_bytes=limit) == []
    assert problems(sparse(tmp_path / "a.mp4", limit + 1), max_bytes=limit) == [
        "media: at most 2147483648 bytes, 'a.mp4' has 2147483649"
    ]
    assert problems(File(b"abc", "a"), max_bytes=2) == ["media: at most 2 bytes, 'a' has 3"]


def test_a_refused_file_stands_beside_the_other_problems() -> None:
    with pytest.raises(ArgumentError) as caught:
        request(
            "POST",
            form=Form(title=1, tags=[]),  # type: ignore[arg-type]
            files=[FilePart("file", "/missing.gif", "file", ("png",))],
        )
    assert sorted(problem.argument for problem in caught.value.problems) == ["file", "title"]


def drained(parts: Iterator[bytes]) -> int:
    return sum(map(len, parts))


async def drained_async(body: Multipart) -> int:
    return sum([len(chunk) async for chunk in body])


@pytest.mark.parametrize("asynchronous", [False, True])
def test_memory_stays_flat(asynchronous: bool, tmp_path: Path) -> None:
    body = multipart(sparse(tmp_path / "a.mp4", 64 * MIB))
    tracemalloc.start()
    try:
        sent = asyncio.run(drained_async(body)) if asynchronous else drained(iter(body))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sent == body.length
    assert peak < 6 * MIB


@pytest.mark.parametrize("send", [send_sync, send_async])
def test_a_form_without_its_file(send: Any) -> None:
    from msgspec import UNSET

    made = request(
        "POST", form=Form(title="a", tags=["b"]), files=[FilePart("file", UNSET, "file")]
    )
    seen: list[httpx2.Request] = []
    send(recording(seen), made)
    assert seen[0].content == b"title=a&tags=b"
