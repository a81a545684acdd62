"""Uploads: forms however they are cut or broken, names whatever they hold, files kept or gone."""

from __future__ import annotations

import asyncio
import errno
import os
import tempfile
import tracemalloc
from collections.abc import AsyncIterator, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from social_publishing_sandbox.api.media import forms, names, storing
from social_publishing_sandbox.api.media.forms import BadForm, read_form
from social_publishing_sandbox.api.media.storing import Upload
from social_publishing_sandbox.api.space import NoSpace, no_space
from social_publishing_sandbox.state.refusals import Reason

BOUNDARY = "cut-here"
FORM = f"multipart/form-data; boundary={BOUNDARY}"
DISPOSITION = 'form-data; name="file"; filename="cat.png"'


def part(
    disposition: str | bytes = DISPOSITION, content: bytes = b"meow", more: bytes = b""
) -> bytes:
    if isinstance(disposition, str):
        disposition = disposition.encode()
    return b"Content-Disposition: " + disposition + b"\r\n" + more + b"\r\n" + content


def form(*parts: bytes) -> bytes:
    delimiter = f"--{BOUNDARY}".encode()
    return b"".join(delimiter + b"\r\n" + each + b"\r\n" for each in parts) + delimiter + b"--\r\n"


async def cut(data: bytes, cuts: Iterable[int]) -> AsyncIterator[bytes]:
    places = [0, *sorted(place % (len(data) + 1) for place in cuts), len(data)]
    for start, stop in pairwise(places):
        yield data[start:stop]


def read(
    data: bytes, into: Path, cuts: Iterable[int] = (), content_type: str | None = FORM, **more: Any
) -> Upload:
    return asyncio.run(read_form(content_type, cut(data, cuts), into, **more))


def refused(data: bytes, into: Path, content_type: str | None = FORM, **more: Any) -> BadForm:
    """What a form is refused with, the same in one piece and byte by byte; no file is left."""
    responses = []
    for cuts in ((), range(len(data))):
        with pytest.raises(BadForm) as caught:
            read(data, into, cuts, content_type, **more)
        responses.append(caught.value)
    assert str(responses[0]) == str(responses[1])
    assert list(into.iterdir()) == []
    return responses[0]


# What may look like the end of a part, and is none.
shreds = st.sampled_from(
    [
        b"\r",
        b"\n",
        b"\r\n",
        b"-",
        b"--",
        b"cut",
        b"cut-here",
        b"--cut-here",
        b"\r\n--cut-her",
        b"\0",
    ]
)
contents = st.lists(st.one_of(shreds, st.binary(max_size=20)), min_size=1).map(b"".join)


@given(content=contents, other=contents, cuts=st.lists(st.integers(0, 10_000), max_size=40))
@example(content=b"\r\n--cut-her", other=b"-", cuts=list(range(400)))
def test_a_file_arrives_as_it_was_however_the_form_is_cut(
    content: bytes, other: bytes, cuts: list[int]
) -> None:
    assume(b"\r\n--cut-here" not in content + other and content)
    data = form(
        part('form-data; name="note"', other),
        part(content=content, more=b"Content-Type: image/png\r\n"),
        part('form-data; name="other"; filename="dog.png"', other),
    )
    with tempfile.TemporaryDirectory() as folder:
        upload = read(data, Path(folder), cuts)
        assert upload.path.read_bytes() == content
        assert upload == Upload(upload.path, "cat.png", "image/png", len(content))
        assert list(Path(folder).iterdir()) == [upload.path]


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\\\r\n"), max_size=60))
@example("../../etc/passwd")
@example("C:\\images\\cat.png")
@example('a"b;c=d.png')
@example("кошка 🐈.png")
@example("cat.png\0.exe")
@example("..")
def test_a_file_name_loses_its_folders_and_is_never_opened(name: str) -> None:
    quoted = name.replace('"', '\\"')
    data = form(part(f'form-data; name="file"; filename="{quoted}"'))
    with tempfile.TemporaryDirectory() as folder:
        try:
            expected = names.safe_name(name)
        except ValueError as error:
            with pytest.raises(BadForm, match=f"^The name of the file {error}.$"):
                read(data, Path(folder))
            return
        upload = read(data, Path(folder))
        assert upload.filename == expected
        assert upload.path.parent == Path(folder)
        assert upload.path.name.startswith("incoming-")


@pytest.mark.parametrize(
    ("content_type", "sentence"),
    [
        (None, "A file must be sent as multipart/form-data, and the request has no Content-Type."),
        ("application/json", "A file must be sent as multipart/form-data, not application/json."),
        ("multipart/form-data", "The Content-Type must name a boundary, and has none."),
        ("multipart/form-data; boundary=", "The Content-Type must name a boundary, and has none."),
        (
            "multipart/form-data; boundary=" + "x" * 71,
            "The Content-Type must name a boundary, and has one of more than 70 bytes.",
        ),
        (
            "multipart/form-data; boundary=other",
            "The body does not begin with the boundary that its Content-Type names.",
        ),
    ],
)
def test_a_content_type_that_promises_no_form(
    content_type: str | None, sentence: str, tmp_path: Path
) -> None:
    response = refused(form(part()), tmp_path, content_type)
    assert (response.message, response.cites) == (sentence, ("§4.7",))


WHOLE = form(part())


def named(name: str) -> bytes:
    return form(part(f'form-data; name="file"; filename="{name}"'))


BROKEN: dict[str, dict[str, tuple[bytes, str]]] = {
    "malformed": {
        "no body": (b"", "The body is empty"),
        "no form": (b'{"file": "cat.png"}', "does not begin with the boundary"),
        "cut in the file": (WHOLE[: WHOLE.index(b"meow") + 2], "cut off"),
        "cut in the last boundary": (WHOLE[:-4], "cut off"),
        "no disposition": (
            form(b"Content-Type: image/png\r\n\r\nmeow"),
            "Part 1 of the form has no Content-Disposition",
        ),
        "attachment": (
            form(part('attachment; filename="a.png"')),
            "Part 1 of the form has no Content-Disposition",
        ),
        "two dispositions": (
            form(part(more=b"content-disposition: form-data\r\n")),
            "has the header content-disposition twice",
        ),
        "base64": (
            form(part(more=b"Content-Transfer-Encoding: base64\r\n")),
            "in the encoding base64",
        ),
        "header without colon": (
            form(b"what is this\r\n\r\nmeow"),
            "part 1 of the form is broken at byte 17",
        ),
        "text in a header": (form(part(more=b"Caf\xe9: 1\r\n")), "part 1 of the form is broken"),
    },
    "not_accepted": {
        "no parts": (form(), "has no part named file"),
        "another part": (
            form(part('form-data; name="image"; filename="a.png"')),
            "has no part named file",
        ),
        "a text": (form(part('form-data; name="file"')), "must be sent as a file"),
        "no name": (named(""), "name of the file is empty"),
        "dots": (named("../.."), "name of the file is empty"),
        "a nul": (named("a\0.png"), "has control characters"),
    },
    "odd": {
        "two files": (form(part(), part()), "more than one part named file"),
        "empty": (form(part(content=b"")), "The file is empty"),
    },
}


UNSAID = {"two dispositions", "base64", "no name", "dots", "a nul"}
"""What the service says nothing about."""


@pytest.mark.parametrize(
    ("kind", "case"), [(kind, case) for kind, cases in BROKEN.items() for case in cases]
)
def test_a_broken_form_is_refused_and_leaves_nothing(
    kind: str, case: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data, words = BROKEN[kind][case]
    response = refused(data, tmp_path)
    unsaid = "upload.form" if case in UNSAID else "§4.7"
    assert response.cites == ("upload.content" if kind == "odd" else unsaid,)
    assert response.reason is Reason.INVALID
    assert words in response.message and response.message.endswith(".")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("encoding", [b"binary", b"8bit", b"7bit", b"BINARY"])
def test_a_file_may_say_that_it_comes_as_it_is(encoding: bytes, tmp_path: Path) -> None:
    data = form(part(more=b"Content-Transfer-Encoding: " + encoding + b"\r\n"))
    assert read(data, tmp_path).size == 4


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EACCES])
def test_which_errors_mean_that_there_is_no_space(code: int) -> None:
    assert bool(no_space(OSError(code, "x"))) is (code != errno.EACCES)


@given(st.binary(max_size=300))
@example(b"--cut-here")
@example(b"--cut-here\r\n\r\n")
def test_nonsense_is_refused_and_nothing_else_happens(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for body_ in (data, b"--cut-here\r\n" + data, WHOLE[:-20] + data):
            with pytest.raises(BadForm):
                read(body_, Path(folder))
            assert list(Path(folder).iterdir()) == []


ON_EACH_SIDE: list[tuple[str, bytes, int, str]] = [
    ("max_bytes", form(part()), 4, "The file is larger than 3 bytes."),
    ("max_bytes", form(part(content=b"x" * ((1 << 20) + 1))), (1 << 20) + 1, "The file is larger"),
    ("PARTS", form(part(), part('form-data; name="a"')), 2, "The form has more than 1 parts."),
    (
        "FIELD_BYTES",
        form(part('form-data; name="a"'), part('form-data; name="b"'), part()),
        8,
        "The form has more than 7 bytes beside the file.",
    ),
    *(
        ("HEADER_BYTES", form(part(more=more)), least, "Part 1 of the form has more than")
        for more, least in (
            (b"X-A: " + b"a" * 60 + b"\r\n", 124),
            (b"".join(b"X-%d: b\r\n" % n for n in range(20)), 151),
        )
    ),
]


@pytest.mark.parametrize(("limit", "data", "least", "sentence"), ON_EACH_SIDE)
def test_a_form_is_taken_at_a_limit_and_refused_above(
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    data: bytes,
    least: int,
    sentence: str,
    tmp_path: Path,
) -> None:
    def limited(to: int) -> dict[str, int]:
        if limit == "max_bytes":
            return {limit: to}
        monkeypatch.setattr(forms, limit, to)
        return {}

    cuts = range(0, len(data), 1000)
    read(data, tmp_path, cuts, **limited(least)).path.unlink()
    given = limited(least - 1)
    if len(data) > 2000:
        with pytest.raises(BadForm) as caught:
            read(data, tmp_path, cuts, **given)
        response = caught.value
    else:
        response = refused(data, tmp_path, **given)
    cites = "§8" if limit == "max_bytes" else "upload.form"
    assert response.message.startswith(sentence) and response.cites == (cites,)
    assert response.reason is Reason.TOO_LARGE
    assert list(tmp_path.iterdir()) == []


def test_what_follows_the_form_is_passed_over_up_to_a_limit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(forms, "FIELD_BYTES", 8)
    data = form(part()) + b"12345678"
    assert read(data, tmp_path, [-9]).path.read_bytes() == b"meow"
    with pytest.raises(BadForm, match="more than 8 bytes beside the file"):
        read(data + b"9", tmp_path, [-10])


def test_a_forbidden_extension_is_refused_before_reading(
    tmp_path: Path,
) -> None:
    consumed = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal consumed
        yield form(part('form-data; name="file"; filename="virus.exe"'))[:-20]
        while True:
            consumed += 1
            yield bytes(1000)

    with pytest.raises(BadForm, match=r"^The file must have one of the extensions gif, png\.$"):
        asyncio.run(read_form(FORM, endless(), tmp_path, extensions=["png", "gif"]))
    assert consumed == 0
    assert read(form(part()), tmp_path, extensions=["png"]).filename == "cat.png"
    upper = form(part('form-data; name="file"; filename="CAT.PNG"'))
    assert read(upper, tmp_path, extensions=["png"]).filename == "CAT.PNG"


def test_memory_stays_the_same_for_64_megabytes(tmp_path: Path) -> None:
    chunk = bytes(1 << 18)

    async def much() -> AsyncIterator[bytes]:
        yield WHOLE[: WHOLE.index(b"meow")]
        for _ in range(256):
            yield chunk
        yield WHOLE[WHOLE.index(b"meow") + 4 :]

    tracemalloc.start()
    try:
        upload = asyncio.run(read_form(FORM, much(), tmp_path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert upload.size == upload.path.stat().st_size == 64 << 20
    assert peak < 8 << 20


@pytest.mark.parametrize("size", [10, 3 << 20])
def test_a_full_disk_is_told_and_leaves_nothing(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class FullDisk:
        def __init__(self, descriptor: int, mode: str) -> None:
            self._descriptor = descriptor

        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self) -> None:
            os.close(self._descriptor)

    monkeypatch.setattr(storing.os, "fdopen", FullDisk)
    with pytest.raises(NoSpace, match="the sandbox has no space left"):
        read(form(part(content=b"x" * size)), tmp_path, range(0, size, 1 << 19))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "safe", "extension"),
    [
        ("a" * 300 + ".jpeg", "a" * 250 + ".jpeg", "jpeg"),
        ("a" * 300, "a" * 255, ""),
        ("x." + "y" * 300, ("x." + "y" * 300)[:255], "y" * 253),
        ("Photo.PNG", "Photo.PNG", "png"),
        (".png", ".png", ""),
        ("archive.tar.gz", "archive.tar.gz", "gz"),
        ("/a/b\\c/ d .png ", "d .png", "png"),
    ],
)
def test_names_are_cut_and_keep_their_extension(name: str, safe: str, extension: str) -> None:
    assert names.safe_name(name) == safe
    assert names.extension(safe) == extension
