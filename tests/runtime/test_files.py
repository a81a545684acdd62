"""Files: what may be sent, and a multipart body that others can read."""

from __future__ import annotations

import asyncio
import io
import os
import tempfile
import tracemalloc
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

import anyio
import httpx2
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from runtime.core.errors import ArgumentError
from runtime.request import file_content as contents
from runtime.request.file_content import content_of
from runtime.request.multipart import File, FilePart, Multipart
from runtime.request.validation import Checker
from runtime_support import TOKEN, Wire, on_both, request
from werkzeug.formparser import MultiPartParser

MIB = 1 << 20
AT_ITS_END = "media: the file was read or written to its end: go back with seek(0)"


def multipart(value: Any, fields: dict[str, list[str]] | None = None, **limits: Any) -> Multipart:
    checker = Checker()
    part = FilePart("file", value, "file", **limits).checked(checker)
    assert checker.problems == []
    return Multipart(fields or {}, [part], "pets.add")


def problems(value: Any, **limits: Any) -> list[str]:
    checker = Checker()
    FilePart("file", value, "media", **limits).checked(checker)
    return [str(problem) for problem in checker.problems]


def send(body: Multipart, asynchronous: bool, take: Callable[[bytes], object]) -> None:
    """One sending, of which each chunk is taken by a function."""

    async def main() -> None:
        async for chunk in body:
            take(chunk)

    if asynchronous:
        return asyncio.run(main())
    for chunk in body:
        take(chunk)


def gather(body: Multipart, asynchronous: bool) -> bytes:
    """One sending, whole."""
    chunks: list[bytes] = []
    send(body, asynchronous, chunks.append)
    return b"".join(chunks)


def parsed(raw: bytes, content_type: str) -> tuple[list[tuple[str, str]], list[Any]]:
    boundary = content_type.partition("boundary=")[2].encode()
    parser = MultiPartParser(max_form_memory_size=None, max_form_parts=None)
    form, files = parser.parse(io.BytesIO(raw), boundary, len(raw))
    return list(form.items(multi=True)), list(files.items(multi=True))


CONTROLS = {*map(chr, [*range(32), 127])} - {*"\t\r\n"}
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
    assert gather(body, True) == raw


def test_a_file_may_hold_what_an_earlier_form_was() -> None:
    earlier = b"".join(multipart(File(b"x", "a.png")))
    body = multipart(File(earlier, "b.png"))
    _, ((_, file),) = parsed(b"".join(body), body.content_type)
    assert file.read() == earlier


@pytest.mark.parametrize("code", [0, 7, 8, 11, 12, 14, 31, 127])
def test_a_name_with_a_control_character_is_refused(code: int) -> None:
    [problem] = problems(File(b"x", f"a{chr(code)}.png"))
    assert "control character" in problem and "\0" not in problem


@given(name=TEXT.filter(lambda name: name and not set(name) & CONTROLS))
def test_no_name_breaks_out_of_its_header(name: str) -> None:
    body = multipart(File(b"x", name + '\r\nX-Evil: 1"; a=b'))
    head = b"".join(body).partition(b"\r\n\r\n")[0].decode()
    lines = head.split("\r\n")
    assert len(lines) == 3
    assert lines[1].count('"') == 4
    assert not {*"\r\n"} & {*lines[1]}


def test_the_type_is_guessed_from_the_name_or_said() -> None:
    def head(file: File, **documented: Any) -> bytes:
        return b"".join(multipart(file, **documented)).partition(b"\r\n\r\n")[0]

    assert head(File(b"", "a.PNG")).endswith(b"Content-Type: image/png")
    assert head(File(b"", "a.zzz")).endswith(b"Content-Type: application/octet-stream")
    assert head(File(b"", "a.png", "image/x")).endswith(b"Content-Type: image/x")
    for said, leaves in (("", b"image/y"), ("image/x", b"image/x")):
        sent = head(File(b"", "a.png", said or None), content_type="image/y")
        assert sent.endswith(b"Content-Type: " + leaves)
    assert problems(File(b"", "a.png", "a/b\r\nX-Evil: 1")) == [
        "media: 'a/b\\r\\nX-Evil: 1' is not a media type"
    ]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_an_open_file_is_read_from_its_position(asynchronous: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"0123456789")
    with path.open("rb") as file:
        file.seek(4)
        body = multipart(file, max_bytes=6)
        assert file.tell() == 4
        raw = gather(body, asynchronous)
        assert b"\r\n\r\n456789\r\n" in raw
        assert b'filename="a.png"' in raw
        assert len(raw) == body.length
        assert not file.closed
        file.seek(40)
        assert problems(file) == [AT_ITS_END]


def closed_file() -> Any:
    file = io.BytesIO(b"abc")
    file.close()
    return File(file, "a.png")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("/missing/a.png", "'/missing/a.png' cannot be read: No such file or directory"),
        pytest.param(tempfile.gettempdir(), "it is a directory", id="directory"),
        ("a\0.png", "embedded null"),
        ("/dev/null", "it is not a regular file"),
        (File(io.StringIO("x"), "a.png"), "text mode: open it with 'rb'"),  # type: ignore[arg-type]
        (File(b"x", "a.png", 3), "3 is not a media type"),  # type: ignore[arg-type]
        (File(b"x", "a.png", size=-1), "the size must be a whole number of bytes, got -1"),
        (File(b"x", "a.png", size=2), "the size is given as 2 bytes, but the content has 1"),
        (File(b"x", ""), "the file needs a name"),
        (None, "expected a path, a binary file or a File(content, name='a.png'), got NoneType"),
        ({"a": 1}, "expected a path, a binary file or a File(content, name='a.png'), got dict"),
        (File(bytearray(b"x"), "a.png"), "got bytearray"),
        (closed_file(), "closed file"),
    ],
)
def test_what_is_no_file_is_refused_once(value: Any, words: str) -> None:
    (problem,) = problems(value)
    assert problem.startswith("media: ")
    assert words in problem


def test_bytes_without_a_name_have_that_of_the_field() -> None:
    """Unless the documents limit extensions, which a name has."""
    for value in (lambda: b"x", lambda: io.BytesIO(b"x"), lambda: iter([b"x"])):
        assert b'name="file"; filename="file"' in b"".join(multipart(value()))
        (problem,) = problems(value(), extensions=("png",))
        assert "has no name: wrap it, as in File(content, name='a.png')" in problem


def test_extensions_are_compared_without_case() -> None:
    allowed = ("png", "jpg")
    assert problems(File(b"", "a.PnG"), extensions=allowed) == []
    assert problems(File(b"", "a.b.JPG"), extensions=allowed) == []
    assert problems(File(b"", "a.gif"), extensions=allowed) == [
        "media: 'a.gif' has the extension 'gif'; allowed are png, jpg"
    ]
    for name in ("png", ".png", "a.", "a.png.exe", "a.png "):
        assert len(problems(File(b"", name), extensions=allowed)) == 1
    for name, is_allowed in (("a.png", True), ("a.PnG", False), ("a.JPG", True), ("a.jpg", False)):
        assert (not problems(File(b"", name), extensions=("png", "JPG"), exact=True)) is is_allowed


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


@pytest.mark.parametrize("asynchronous", [False, True])
def test_memory_stays_flat(asynchronous: bool, tmp_path: Path) -> None:
    body = multipart(sparse(tmp_path / "a.mp4", 64 * MIB))
    sizes: list[int] = []
    tracemalloc.start()
    try:
        send(body, asynchronous, lambda chunk: sizes.append(len(chunk)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sum(sizes) == body.length
    assert peak < 6 * MIB


# What is read while it leaves: iterators, sizes that do not hold, second sendings, closing.

PIECE = st.binary(max_size=40).flatmap(
    lambda data: st.sampled_from([data, bytearray(data), memoryview(data)])
)


async def awaited(items: Iterable[Any]) -> AsyncIterator[Any]:
    for item in items:
        await asyncio.sleep(0)
        yield item


class AsyncReader:
    """A file whose `read` is awaited."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)

    async def read(self, size: int) -> bytes:
        return self._file.read(size)


def halted(body: Multipart, asynchronous: bool) -> tuple[bytes, ArgumentError]:
    """What left of a sending before it was refused."""
    left: list[bytes] = []

    with pytest.raises(ArgumentError) as caught:
        send(body, asynchronous, left.append)
    assert caught.value is body.failure
    return b"".join(left), caught.value


@contextmanager
def small_chunks(chunk: int, joined: int) -> Iterator[None]:
    """Sizes in which a property can move."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contents, "CHUNK", chunk)
        patch.setattr(contents, "JOINED", joined)
        yield


BOTH = pytest.mark.parametrize("asynchronous", [False, True])


@given(
    pieces=st.lists(PIECE, max_size=12),
    kind=st.sampled_from(["iterator", "list", "async", "file", "reader"]),
    asynchronous=st.booleans(),
    said=st.booleans(),
)
def test_any_pieces_arrive_as_the_same_bytes(
    pieces: list[Any], kind: str, asynchronous: bool, said: bool
) -> None:
    data = b"".join(pieces)
    content: Any = {
        "iterator": iter(pieces),
        "list": pieces,
        "async": awaited(pieces),
        "file": io.BytesIO(data),
        "reader": AsyncReader(data),
    }[kind]
    asynchronous = asynchronous or kind in ("async", "reader")
    assert kind == "list" or problems(content, whole=True) == []
    with small_chunks(24, 10):
        body = multipart(File(content, "a.bin", size=len(data) if said else None))
        raw = gather(body, asynchronous)
    _, ((field, file),) = parsed(raw, body.content_type)
    assert (field, file.read()) == ("file", data)
    assert body.length == (len(raw) if said or kind == "file" else None)
    assert body.replayable is (kind == "file")


@given(sizes=st.lists(st.integers(0, 60), max_size=30))
def test_small_pieces_are_joined_and_large_ones_cut(sizes: list[int]) -> None:
    with small_chunks(24, 10):
        chunks = list(content_of(bytes(size) for size in sizes).chunks())
    assert sum(map(len, chunks)) == sum(sizes)
    assert all(1 <= len(chunk) <= 24 for chunk in chunks)
    assert len(chunks) <= 1 + sum(sizes) // 10


def test_the_async_client_sends_smaller_pieces() -> None:
    async def sizes() -> list[int]:
        return [len(chunk) async for chunk in multipart(File(bytes(MIB + 1), "a.bin"))]

    assert max(asyncio.run(sizes())) == 1 << 18


@pytest.mark.parametrize("content", [b"", b"abc"])
@pytest.mark.parametrize("said", [0, 1, 3, 5])
def test_a_size_that_cannot_hold_is_refused_before_anything_is_sent(
    content: bytes, said: int
) -> None:
    has = len(content)
    wanted = f"media: the size is given as {said} bytes, but the content has {has}"
    assert problems(File(content, "a.bin", size=said)) == ([] if said == has else [wanted])


@given(
    data=st.binary(max_size=60),
    said=st.integers(0, 60),
    asynchronous=st.booleans(),
)
def test_a_size_that_does_not_hold_never_makes_a_whole_body(
    data: bytes, said: int, asynchronous: bool
) -> None:
    assume(said != len(data))
    with small_chunks(7, 3):
        body = multipart(File(iter([data]), "a.bin", size=said))
        left, error = halted(body, asynchronous)
    assert body.length is not None
    assert len(left) < body.length
    assert b"--\r\n" not in left.rpartition(b"\r\n\r\n")[2]  # the end of the body
    assert left.partition(b"\r\n\r\n")[2] == data[: len(left.partition(b"\r\n\r\n")[2])]
    assert str(error) == (
        f"pets.add: file: 'a.bin' ended after {len(data)} of {said} bytes"
        if said > len(data)
        else f"pets.add: file: 'a.bin' has more than the {said} bytes that were announced"
    )


@BOTH
def test_the_limit_holds_where_only_reading_tells_the_size(asynchronous: bool) -> None:
    taken: list[int] = []

    def long() -> Iterator[bytes]:
        for _ in range(20):
            taken.append(MIB)
            yield bytes(MIB)

    body = multipart(File(long(), "a.bin"), max_bytes=3 * MIB + 1)
    left, error = halted(body, asynchronous)
    assert len(left) < 3 * MIB + 1000
    assert len(taken) == 4
    assert str(error) == f"pets.add: file: at most {3 * MIB + 1} bytes, 'a.bin' has more"


@BOTH
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_lower_limit_holds_where_only_reading_tells_the_size(
    count: int, asynchronous: bool
) -> None:
    body = multipart(File(iter([b"x"] * count), "a.bin"), min_bytes=2)
    if count >= 2:
        assert b"x" * count in gather(body, asynchronous)
    else:
        left, error = halted(body, asynchronous)
        assert not left.endswith(b"--\r\n")
        assert str(error) == "pets.add: file: at least 2 bytes, 'a.bin' has 1"


@BOTH
@pytest.mark.parametrize(
    ("item", "kind"), [("text", "str"), (3, "int"), (None, "NoneType"), ([b"x"], "list")]
)
def test_what_is_no_bytes_is_refused_on_the_way(asynchronous: bool, item: Any, kind: str) -> None:
    body = multipart(File(iter([b"x", item]), "a.bin"))
    _, error = halted(body, asynchronous)
    assert str(error) == f"pets.add: file: it yielded {kind}, not bytes"


@BOTH
def test_a_file_that_would_make_us_wait_is_not_taken_for_its_end(asynchronous: bool) -> None:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with os.fdopen(reader, "rb", 0) as pipe, os.fdopen(writer, "wb"):
        file = multipart(File(ReadsNothingFirst(pipe), "a.bin"))
        _, error = halted(file, asynchronous)
    assert "NoneType, not bytes" in str(error)


class ReadsNothingFirst:
    """A raw file that does not block; looked at with `read(0)` it gives no bytes, as files do."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def read(self, size: int) -> bytes | None:
        found: bytes | None = self._file.read(size) if size else b""
        return found


# Second sendings


@BOTH
@pytest.mark.parametrize("kind", ["bytes", "path", "file", "closed path"])
def test_what_can_be_read_again_is_the_same_again(
    asynchronous: bool, kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"0123456789" * 1000)
    with path.open("rb") as file:
        file.seek(7)
        body = multipart({"bytes": File(b"abc", "a"), "file": file}.get(kind, path))
        assert body.replayable
        assert not body.started
        first = gather(body, asynchronous)
        assert body.started
        assert gather(body, asynchronous) == first
        part = iter(body)
        next(part)
        next(part)
        part.close()
        assert gather(body, asynchronous) == first


def test_a_file_at_its_end_is_refused_and_an_empty_one_is_not() -> None:
    file = io.BytesIO()
    assert problems(File(file, "a.bin")) == []
    file.write(b"just written")
    assert problems(File(file, "a.bin")) == [AT_ITS_END]


@BOTH
def test_what_can_be_read_once_is_refused_the_second_time(asynchronous: bool) -> None:
    body = multipart(File(iter([b"abc"]), "a.bin"))
    assert not body.replayable
    first, second = iter(body), iter(body)
    assert not body.started
    next(first)
    assert body.started
    for refused in (lambda: iter(body), lambda: body.__aiter__(), lambda: next(second)):
        with pytest.raises(ArgumentError, match="was already read, and can be read only once"):
            refused()
    assert b"abc" in b"".join(first)


@pytest.mark.parametrize("content", [awaited([b"x"]), AsyncReader(b"x")])
def test_what_has_to_be_awaited_needs_the_asynchronous_client(content: Any) -> None:
    body = multipart(File(content, "a.bin"))
    with pytest.raises(ArgumentError, match="use the asynchronous client"):
        iter(body)
    assert not body.started
    assert b"\r\n\r\nx\r\n" in gather(body, True)


@BOTH
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda path: path.write_bytes(b"abcd"), "has changed: it had 3 bytes, and has 4"),
        (lambda path: path.write_bytes(b"ab"), "has changed: it had 3 bytes, and has 2"),
        (lambda path: path.unlink(), "cannot be read: No such file or directory"),
    ],
)
def test_a_path_that_changed_since_it_was_checked(
    asynchronous: bool, change: Any, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"abc")
    body = multipart(path)
    gather(body, asynchronous)
    change(path)
    left, error = halted(body, asynchronous)
    assert words in str(error)
    assert left.endswith(b"\r\n\r\n")  # nothing of the file


@given(turns=st.lists(st.booleans(), max_size=20), data=st.binary(max_size=30))
@example(turns=[False, True] * 10, data=bytes(range(30)))
@example(turns=[False, False, False, True, True, True] * 3, data=bytes(range(30)))
def test_two_sendings_of_one_open_file_are_never_wrong(turns: list[bool], data: bytes) -> None:
    with small_chunks(7, 1):
        body = multipart(File(io.BytesIO(data), "a.bin"))
        right = gather(body, False)
        sendings = {turn: iter(body) for turn in (False, True)}
        left = {turn: b"" for turn in (False, True)}
        refused: set[bool] = set()
        for turn in [*turns, *[False] * 20, *[True] * 20]:
            try:
                left[turn] += next(sendings[turn], b"")
            except ArgumentError:
                refused.add(turn)
    for turn, sent in left.items():
        assert right.startswith(sent) if turn in refused else right == sent
        assert turn not in refused or sent != right


# Progress


Calls = list[tuple[int, int | None]]


def counted(content: Any, asynchronous: bool, size: int | None = None) -> tuple[Calls, Multipart]:
    calls: Calls = []
    file = File(content, "a.bin", size=size)
    body = multipart(file, {"a": ["b"]}, progress=lambda *now: calls.append(now))
    gather(body, asynchronous)
    return calls, body


@BOTH
@given(size=st.integers(0, 100), chunk=st.integers(1, 30), kind=st.integers(0, 2))
def test_progress_begins_at_nothing_and_ends_at_all(
    asynchronous: bool, size: int, chunk: int, kind: int
) -> None:
    content: Any = [bytes(size), io.BytesIO(bytes(size)), iter([bytes(size)])][kind]
    with small_chunks(chunk, 1):
        calls, _ = counted(content, asynchronous, size if kind == 2 else None)
    expected = [min(size, sent) for sent in range(0, size + chunk, chunk)]
    assert calls == [(sent, size) for sent in expected]


@BOTH
def test_what_has_not_been_taken_is_not_reported(asynchronous: bool) -> None:
    """Whoever sends takes a piece when the one before it has left."""
    reported: list[int] = []
    taken = 0
    body = multipart(
        File(bytes(3 * MIB + 5), "a.bin"), progress=lambda sent, _: reported.append(sent)
    )

    def take(chunk: bytes) -> None:
        nonlocal taken
        assert reported and reported[-1] <= taken
        taken += len(chunk)

    send(body, asynchronous, take)
    assert reported[-1] == 3 * MIB + 5 < taken


@BOTH
def test_one_callback_for_two_files_counts_both(asynchronous: bool) -> None:
    calls: Calls = []

    def progress(sent: int, total: int | None) -> None:
        calls.append((sent, total))

    checker = Checker()
    parts = [
        FilePart("a", File(b"abc", "a"), "a", progress=progress),
        FilePart("c", File(b"de", "c"), "c", progress=progress),
    ]
    body = Multipart({}, [part.checked(checker) for part in parts])
    body.on_progress = lambda *_: pytest.fail("a file has a callback of its own")
    gather(body, asynchronous)
    assert calls == [(0, 5), (3, 5), (5, 5)]


@BOTH
@pytest.mark.parametrize("at", [0, MIB, 2 * MIB])
@pytest.mark.parametrize("error", [OSError("mine"), ValueError("mine"), KeyboardInterrupt()])
def test_what_a_callback_raises_ends_the_sending_as_it_is(
    asynchronous: bool, at: int, error: BaseException, tmp_path: Path
) -> None:
    def progress(sent: int, _: int | None) -> None:
        if sent >= at:
            raise error

    path = sparse(tmp_path / "a.bin", 2 * MIB)
    body = multipart(path, progress=progress)
    with opened_files() as opened, pytest.raises(type(error)) as caught:
        gather(body, asynchronous)
    assert caught.value is error
    assert body.failure is (error if isinstance(error, Exception) else None)
    assert all(file.closed for file in opened)


@BOTH
@pytest.mark.parametrize("error", [OSError("mine"), httpx2.ReadError("of another service")])
def test_what_the_callers_own_file_raises_is_no_error_of_the_service(
    asynchronous: bool, error: Exception
) -> None:
    """Also where it is a response of another service that breaks off, by the same library."""

    def pieces() -> Iterator[bytes]:
        yield b"begun"
        raise error

    wire = Wire(204)
    call = request("POST", files=[FilePart("file", pieces(), "file")], retry_safety="unsafe")
    with pytest.raises(type(error)) as caught:
        on_both(asynchronous, wire, lambda client: client.send(call))
    assert caught.value is error
    sent = vars(error).get("_request", httpx2.Request("POST", "https://a.test"))
    assert not [each for each in sent.headers.values() if TOKEN in each]


@BOTH
def test_a_body_that_is_refused_as_it_starts_was_not_sent(asynchronous: bool) -> None:
    """Neither client sends what was read before; one of them none that has to be awaited."""
    wire, read = Wire(204), iter([b"x"])
    used = request("POST", files=[FilePart("file", read, "file")], retry_safety="unsafe")
    on_both(asynchronous, wire, lambda client: client.send(used))
    calls = [used]
    if not asynchronous:
        part = FilePart("file", awaited([b"x"]), "file")
        calls.append(request("POST", files=[part], retry_safety="unsafe"))
    for call in calls:
        with pytest.raises(ArgumentError) as caught:
            on_both(asynchronous, wire, lambda client, call=call: client.send(call))
        assert not caught.value.may_be_done and "may have been" not in str(caught.value)
    assert len(wire.seen) == 1


async def coroutine(sent: int, total: int | None) -> None: ...


@pytest.mark.parametrize("progress", [3, "bar", coroutine])
def test_a_progress_that_cannot_be_called_is_refused(progress: Any) -> None:
    assert problems(File(b"", "a"), progress=progress) == [
        "progress: expected a plain function of two numbers, or None"
    ]


# Closing, waiting, cancelling


@contextmanager
def opened_files() -> Iterator[list[Any]]:
    """The files that we open meanwhile."""
    opened: list[Any] = []
    real = open

    def recording(*args: Any) -> Any:
        opened.append(real(*args))
        return opened[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contents, "open", recording, raising=False)
        yield opened


@pytest.mark.parametrize("kind", ["pipe", "iterator"])
def test_a_cancel_does_not_wait_for_bytes_that_do_not_come(kind: str) -> None:
    reader, writer = os.pipe()
    late = Timer(5, os.close, [writer])  # or else a wait would last for ever
    late.start()
    with os.fdopen(reader, "rb") as pipe:

        def items() -> Iterator[bytes]:
            yield pipe.read(1)

        body = multipart(File(pipe if kind == "pipe" else items(), "a.bin"))

        async def run() -> None:
            with anyio.move_on_after(0.05) as scope:
                async for _ in body:
                    pass
            assert scope.cancelled_caught
            assert late.is_alive()
            late.cancel()
            os.close(writer)  # the thread that waits comes to its end

        asyncio.run(run())


@pytest.mark.parametrize("wound_back", [True, False])
def test_the_callers_files_stay_open(wound_back: bool) -> None:
    file = io.BytesIO(b"abc") if wound_back else os.fdopen(os.open("/dev/null", os.O_RDONLY), "rb")
    with file:
        body = multipart(File(file, "a.bin"))
        with closing(iter(body)) as sending:
            next(sending)
        with pytest.raises(RuntimeError, match="of the bar"):
            gather(multipart(File(file, "a.bin"), progress=raising), False)
        assert not file.closed


def raising(sent: int, total: int | None) -> None:
    raise RuntimeError("of the bar")
