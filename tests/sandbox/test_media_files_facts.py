"""What files are, pictures of them, and files made up: also when they are broken or lie."""

from __future__ import annotations

import io
import struct
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from social_publishing_sandbox.api.media import containers, drawing, pdf
from social_publishing_sandbox.api.media.facts import inspect
from social_publishing_sandbox.api.media.pictures import Unreadable, thumbnail
from social_publishing_sandbox.state import documents
from social_publishing_sandbox.state.file_types import EXTENSIONS, MediaType

RED, BLUE = (220, 20, 20), (20, 20, 220)


def picture(width: int = 40, height: int = 20, form: str = "PNG", **settings: Any) -> bytes:
    """A blue picture with a red top left quarter."""
    image = Image.new("RGB", (width, height), BLUE)
    image.paste(RED, (0, 0, width // 2, height // 2))
    out = io.BytesIO()
    image.save(out, form, **settings)
    return out.getvalue()


def held(orientation: int) -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif


def written(folder: Path, content: bytes, name: str = "file") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def png_that_claims(width: int, height: int) -> bytes:
    """The smallest PNG that says that it is so large."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        check = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)

    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    data = chunk(b"IDAT", zlib.compress(bytes(100)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + data + chunk(b"IEND", b"")


def test_every_extension_that_may_be_uploaded_is_known() -> None:
    media = documents.load().media
    file = media.schema("MediaUpload")["properties"]["file"]
    assert set(file["x-file-extensions"]) == set(EXTENSIONS)
    names = media.schema("MediaType")
    assert {kind.value: kind.name for kind in MediaType} == dict(
        zip(names["enum"], names["x-enum-varnames"], strict=True)
    )


@pytest.mark.parametrize(
    ("form", "extension"),
    [
        ("PNG", "png"),
        ("JPEG", "jpg"),
        ("JPEG", "JPEG"),
        ("GIF", "gif"),
        ("WEBP", "webp"),
        ("PNG", "jpg"),
    ],
)
def test_pictures_say_how_large_they_are(form: str, extension: str, tmp_path: Path) -> None:
    facts = inspect(written(tmp_path, picture(form=form)), extension)
    kind, mime_type = EXTENSIONS[extension.lower()]
    named = {"type": kind, "mime_type": mime_type}
    assert facts == {**named, "width": 40, "height": 20, "aspect_ratio": 2.0}


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_camera_that_was_held_sideways(orientation: int, tmp_path: Path) -> None:
    content = picture(200, 100, "JPEG", exif=held(orientation), quality=95, subsampling=0)
    path, out = written(tmp_path, content), tmp_path / "out.png"
    facts = inspect(path, "jpg")
    assert (facts["width"], facts["height"]) == ((200, 100) if orientation < 5 else (100, 200))
    size = thumbnail(path, out, (50, 40))
    assert size == ((50, 25) if orientation < 5 else (20, 40))
    corners = {(0, 0): {1, 5}, (1, 0): {2, 6}, (1, 1): {3, 7}, (0, 1): {4, 8}}
    with Image.open(out) as small:
        assert small.size == size
        for (x, y), orientations in corners.items():
            pixel = small.convert("RGB").getpixel((x * (size[0] - 1), y * (size[1] - 1)))
            assert isinstance(pixel, tuple)
            assert (pixel[0] > pixel[2]) == (orientation in orientations)


@given(st.integers(1, 300), st.integers(1, 300), st.integers(1, 120), st.integers(1, 120))
@settings(max_examples=50)
def test_a_thumbnail_fits_keeps_its_proportions_and_never_grows(
    width: int, height: int, across: int, down: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), picture(width, height))
        small = thumbnail(path, Path(folder) / "out.webp", (across, down))
    assert small[0] <= min(width, across) and small[1] <= min(height, down)
    ratio = min(1, across / width, down / height)
    assert abs(small[0] - width * ratio) <= 1 and abs(small[1] - height * ratio) <= 1


@pytest.mark.parametrize("form", ["PNG", "WEBP", "GIF"])
def test_what_is_transparent_becomes_white(form: str, tmp_path: Path) -> None:
    made = Image.new("RGBA", (20, 20), (255, 0, 0, 0))
    for each, more in [(made, {}), (made.convert("RGB"), {"transparency": (255, 0, 0)})]:
        out = io.BytesIO()
        each.save(out, form, **more if form == "PNG" else {})
        thumbnail(written(tmp_path, out.getvalue()), tmp_path / "out.png", (10, 10))
        with Image.open(tmp_path / "out.png") as small:
            white = small.convert("RGB").getpixel((5, 5)) == (255, 255, 255)
            assert white is (form == "PNG" or each is made)


GREY = 128, 128, 128


@pytest.mark.parametrize(
    ("mode", "color", "form", "kept"),
    [
        *(("1", 1, "PNG", (255, 255, 255)), ("L", 128, "PNG", GREY), ("L", 128, "JPEG", GREY)),
        *(("LA", (0, 127), "PNG", GREY), ("I;16", 0x8080, "PNG", GREY), ("P", 0, "GIF", (0, 0, 0))),
        *(("RGB", GREY, "WEBP", GREY), ("RGBA", (0, 0, 0, 127), "PNG", GREY)),
        *(("RGBA", (0, 0, 0, 127), "WEBP", GREY), ("CMYK", (0, 0, 0, 127), "JPEG", GREY)),
    ],
)
def test_a_picture_of_any_mode_keeps_its_color(
    mode: str, color: Any, form: str, kept: tuple[int, ...], tmp_path: Path
) -> None:
    out = io.BytesIO()
    Image.new(mode, (20, 20), color).save(out, form)
    thumbnail(written(tmp_path, out.getvalue()), tmp_path / "out.png", (10, 10))
    with Image.open(tmp_path / "out.png") as small:
        exactly = 0 if form == "PNG" else 2
        assert small.convert("RGB").getpixel((5, 5)) == pytest.approx(kept, abs=exactly)


def animation(form: str) -> bytes:
    """Three images, the first and last red, that take a second together."""
    out = io.BytesIO()
    first, second = Image.new("RGB", (20, 20), RED), Image.new("RGB", (20, 20), BLUE)
    first.save(out, form, save_all=True, append_images=[second, first], duration=[200, 300, 500])
    return out.getvalue()


@pytest.mark.parametrize("form", ["GIF", "WEBP", "PNG"])
def test_the_first_image_of_an_animation_is_its_thumbnail(form: str, tmp_path: Path) -> None:
    path = written(tmp_path, animation(form))
    thumbnail(path, tmp_path / "out.png", (10, 10))
    with Image.open(tmp_path / "out.png") as small:
        pixel = small.convert("RGB").getpixel((5, 5))
        assert isinstance(pixel, tuple)
        assert pixel[0] > pixel[2]
    facts = inspect(path, form.lower())
    assert (facts["width"], facts["height"]) == (20, 20)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"I am a text.", "The file has the extension of a picture, but is not one."),
        (b"", "The file has the extension of a picture, but is not one."),
        (b"%PDF-1.4", "The file has the extension of a picture, but is not one."),
        (
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            "The file has the extension of a picture, but is not one.",
        ),
        (b"%!PS-Adobe-3.0 EPSF-3.0", "The file has the extension of a picture, but is not one."),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "The picture is broken."),
        (b"\xff\xd8\xff" + bytes(100), "The picture is broken."),
        (b"GIF89a", "The picture is broken."),
        (b"RIFF\0\0\0\0WEBP" + bytes(100), "The picture is broken."),
        (
            png_that_claims(50_000, 50_000),
            "The picture has 50000 × 50000 pixels; at most 120 million are read.",
        ),
    ],
)
def test_pictures_that_are_none(content: bytes, sentence: str, tmp_path: Path) -> None:
    path = written(tmp_path, content)
    for read in (lambda: inspect(path, "png"), lambda: thumbnail(path, tmp_path / "out.png")):
        with pytest.raises(Unreadable) as caught:
            read()
        assert str(caught.value) == sentence
    assert not (tmp_path / "out.png").exists()


forms = st.sampled_from(["PNG", "JPEG", "GIF", "WEBP"])


@given(forms, st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=8), st.data())
def test_a_damaged_picture_is_read_or_refused(
    form: str, damage: list[tuple[int, int]], data: st.DataObject
) -> None:
    content = bytearray(picture(form=form))
    for place, value in damage:
        content[place % len(content)] = value
    del content[data.draw(st.integers(0, len(content))) :]
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), bytes(content))
        for read in (
            lambda: inspect(path, form.lower()),
            lambda: thumbnail(path, path.with_name("out.jpg")),
        ):
            try:
                found = read()
            except Unreadable as error:
                assert str(error).endswith(".")
            else:
                size = found if isinstance(found, tuple) else (found["width"], found["height"])
                assert min(size) > 0


# Videos


def box(kind: bytes, *content: bytes) -> bytes:
    body = b"".join(content)
    return struct.pack(">I4s", 8 + len(body), kind) + body


def large_box(kind: bytes, *content: bytes) -> bytes:
    body = b"".join(content)
    return struct.pack(">I4sQ", 1, kind, 16 + len(body)) + body


def track(width: int, height: int, matrix: tuple[int, ...], version: int) -> bytes:
    times = struct.pack(">36x" if version == 0 else ">48x")
    numbers = struct.pack(">9i2I", *matrix, width << 16, height << 16)
    before = box(b"meta", b"nothing of its size")
    return box(b"trak", before, box(b"tkhd", bytes([version, 0, 0, 7]), times, numbers))


def movie(duration: int, version: int, *tracks: bytes) -> bytes:
    form = ">8xII80x" if version == 0 else ">16xIQ80x"
    header = box(b"mvhd", bytes([version, 0, 0, 0]), struct.pack(form, 600, duration))
    return box(b"moov", header, *tracks)


UPRIGHT = (0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
SIDEWAYS = (0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000)
FTYP, MDAT = box(b"ftyp", b"isom\0\0\0\0"), box(b"mdat", bytes(1000))


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize(
    ("matrix", "size"),
    [(UPRIGHT, (1920, 1080)), (SIDEWAYS, (1080, 1920)), ((0,) * 9, (1920, 1080))],
)
@pytest.mark.parametrize(
    "arrange",
    [
        lambda moov: FTYP + moov + MDAT,
        lambda moov: FTYP + MDAT + moov,
        lambda moov: FTYP + MDAT + struct.pack(">I4s", 0, b"moov") + moov[8:],  # to the end
        lambda moov: FTYP + large_box(b"mdat", bytes(99)) + moov + struct.pack(">I4s", 0, b"mdat"),
    ],
)
def test_mp4_says_how_large_and_how_long_it_is(
    arrange: Callable[[bytes], bytes],
    matrix: tuple[int, ...],
    size: tuple[int, int],
    version: int,
    tmp_path: Path,
) -> None:
    sound = track(0, 0, UPRIGHT, version)
    moov = movie(1500, version, sound, track(1920, 1080, matrix, version))
    facts = inspect(written(tmp_path, arrange(moov)), "mp4")
    assert facts == {
        "type": MediaType.VIDEO,
        "mime_type": "video/mp4",
        "width": size[0],
        "height": size[1],
        "aspect_ratio": round(size[0] / size[1], 4),
        "duration": 2.5,
    }


def test_mp4_without_pictures_or_without_length(tmp_path: Path) -> None:
    for shows_nothing in (track(0, 0, UPRIGHT, 0), box(b"trak", box(b"meta"))):
        path = written(tmp_path, FTYP + movie(1200, 0, shows_nothing))
        assert containers.motion(path, "mp4") == {"duration": 2.0}
    path = written(tmp_path, FTYP + movie(0, 0, track(64, 32, UPRIGHT, 0)))
    assert containers.motion(path, "mov") == {"width": 64, "height": 32}


def test_avi_says_how_large_and_how_long_it_is(tmp_path: Path) -> None:
    size, content = {"width": 320, "height": 180}, drawing.VIDEO.read_bytes()
    assert containers.motion(drawing.VIDEO, "avi") == {**size, "duration": 2.0, "fps": 2.0}
    for microseconds, facts in ((0, {}), (41_708, {"duration": 0.167, "fps": 23.976})):
        changed = content[:32] + struct.pack("<I", microseconds) + content[36:]
        assert containers.motion(written(tmp_path, changed), "avi") == {**size, **facts}


@given(
    st.sampled_from(["mp4", "avi"]),
    st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 255)), max_size=8),
    st.integers(0, 3000),
)
def test_a_damaged_video_says_something_or_nothing(
    extension: str, damage: list[tuple[int, int]], length: int
) -> None:
    content = bytearray(
        {
            "mp4": FTYP + movie(600, 0, track(64, 32, UPRIGHT, 0)) + MDAT,
            "avi": drawing.VIDEO.read_bytes(),
        }[extension]
    )
    for place, value in damage:
        content[place % len(content)] = value
    with tempfile.TemporaryDirectory() as folder:
        facts = containers.motion(written(Path(folder), bytes(content[:length])), extension)
        assert facts.keys() <= {"width", "height", "duration", "fps"} and all(facts.values())


def test_a_file_of_countless_pieces_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containers, "MAX_STEPS", 1000)
    late = box(b"free") * 1000 + movie(600, 0, track(64, 32, UPRIGHT, 0))
    assert containers.motion(written(tmp_path, late), "mp4") == {}
    monkeypatch.undo()
    assert containers.motion(tmp_path / "file", "mp4") != {}


# Documents


@pytest.mark.parametrize("pages", [1, 12])
def test_a_pdf_says_how_many_pages_it_has(pages: int, tmp_path: Path) -> None:
    path = written(tmp_path, drawing.sample_pdf(pages))
    known = {"type": MediaType.DOCUMENT, "mime_type": "application/pdf", "page_count": pages}
    assert inspect(path, "pdf") == known


LOOP = (
    b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    b"2 0 obj\n<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>\nendobj\n"
    b"trailer\n<< /Root 1 0 R >>\n%%EOF\n"
)


@pytest.mark.parametrize(
    "content",
    [b"", b"I am a text.", b"%PDF-1.7\n" + bytes(5000), LOOP, b"%PDF-1.4\n" + b"[" * 100_000],
    ids=["empty", "text", "nothing", "loop", "deep"],
)
def test_documents_that_are_none(
    content: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(
        Unreadable, match=r"^The file has the extension of a PDF, but cannot be read as one\.$"
    ):
        inspect(written(tmp_path, content), "pdf")
    assert capfd.readouterr() == ("", "")


def test_a_document_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    path = written(tmp_path, drawing.sample_pdf(20_000))
    with pytest.raises(pdf.BrokenDocument, match=r"^The PDF cannot be read within 0\.1 seconds\.$"):
        pdf.page_count(path, seconds=0.1)


# Made-up files


@given(st.integers(0, 2**64), st.integers(1, 200), st.integers(1, 200), st.text(max_size=80))
@settings(max_examples=40)
def test_a_drawn_picture_is_the_same_each_time(
    seed: int, width: int, height: int, title: str
) -> None:
    drawn = drawing.draw(seed, width, height, title)
    assert drawn == drawing.draw(seed, width, height, title)
    with Image.open(io.BytesIO(drawn)) as image:
        assert (image.format, image.size) == ("PNG", (width, height))


def test_a_format_without_a_decoder_says_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, b"\0\0\0\x18ftypheic" + bytes(100))
    assert inspect(path, "heic") == {"type": MediaType.IMAGE, "mime_type": "image/heic"}
    with pytest.raises(Unreadable, match="not decoded here"):
        thumbnail(path, tmp_path / "out.png")
