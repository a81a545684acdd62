"""Open pictures that may be broken or hostile, and make thumbnails."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from PIL import ExifTags, Image, ImageFile, ImageOps
from PIL.AvifImagePlugin import SUPPORTED as AVIF
from PIL.AvifImagePlugin import AvifImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

MAX_PIXELS: Final = 120_000_000
"""Width times height that is still decoded: the largest common cameras have 108 megapixels."""
MAX_BYTES: Final = 256 << 20
"""WebP and AVIF are decoded from memory."""
WHITE: Final = (255, 255, 255)


class Unreadable(Exception):
    """A file is not what its extension says, or cannot be read; the message says why."""


@contextlib.contextmanager
def opened(path: Path) -> Iterator[ImageFile.ImageFile | None]:
    """Open a picture by its header, whatever its extension; None when this installation cannot
    read its format.

    The reader is chosen by the first bytes, from the formats that may be uploaded: `Image.open`
    would try every format that it knows, and would warn of large pictures in its own way.

    Raises:
        Unreadable: it is no picture, is broken or is too large. What goes wrong inside the `with`
            block counts as well.
    """
    with path.open("rb") as file:
        start = file.read(32)
    try:
        reader = _reader(start)
        if reader is None:
            yield None
            return
        if path.stat().st_size > MAX_BYTES:
            raise Unreadable(f"The picture has more than {MAX_BYTES >> 20} MB.")
        with reader(path) as picture:
            width, height = picture.size
            if width * height > MAX_PIXELS:
                raise Unreadable(
                    f"The picture has {width} × {height} pixels; "
                    f"at most {MAX_PIXELS // 1_000_000} million are read."
                )
            yield picture
    except Unreadable:
        raise
    except Exception as error:  # a decoder that is fed nonsense may raise anything
        raise Unreadable("The picture is broken.") from error


def orientation(picture: Image.Image) -> int:
    """Return how the camera was held, from 1 (upright) to 8, as EXIF says; from 5 on, width and
    height change places. A picture that says nothing sensible is upright.
    """
    said = picture.getexif().get(ExifTags.Base.Orientation)
    return said if isinstance(said, int) and 1 <= said <= 8 else 1


def _reader(start: bytes) -> Callable[[Path], ImageFile.ImageFile] | None:
    if start.startswith(b"\x89PNG\r\n\x1a\n"):
        return PngImageFile
    if start.startswith(b"\xff\xd8\xff"):
        return JpegImageFile
    if start.startswith((b"GIF87a", b"GIF89a")):
        return GifImageFile
    if start.startswith(b"RIFF") and start[8:12] == b"WEBP":
        return WebPImageFile
    if start[4:8] == b"ftyp":
        # Of this family, AVIF is read; for HEIC there is no decoder.
        return AvifImageFile if AVIF and start[8:12] in {b"avif", b"avis"} else None
    raise Unreadable("The file has the extension of a picture, but is not one.")


def thumbnail(path: Path, out: Path, size: tuple[int, int] = (400, 400)) -> tuple[int, int]:
    """Make a thumbnail of a picture: upright (EXIF), on white where it is transparent, the first
    image of an animation. Its proportions stay; it is never larger than the picture itself.

    Documents, videos and sounds have none.
    """
    with opened(path) as picture:
        if picture is None:
            raise Unreadable("Pictures of this format are not decoded here.")
        held = orientation(picture)
        box = size if held < 5 else (size[1], size[0])
        picture.draft(None, (box[0] * 2, box[1] * 2))  # a JPEG is decoded at a fraction of its size
        small = _blendable(picture)
        small.thumbnail(box, Image.Resampling.LANCZOS, reducing_gap=2.0)
        small = _on_white(ImageOps.exif_transpose(small) if held > 1 else small)
    small.save(out, quality=85)
    return small.size


def _blendable(picture: Image.Image) -> Image.Image:
    """Return the picture in a mode whose pixels can be mixed."""
    if picture.mode.startswith("I"):  # 16 bits a pixel
        return picture.point(lambda value: value / 256).convert("L")
    see_through = picture.mode[0] == "P" or picture.mode[-1] in "Aa"
    return picture.convert("RGBA" if see_through or "transparency" in picture.info else "RGB")


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode != "RGBA":
        return image.convert("RGB")
    white = Image.new("RGB", image.size, WHITE)
    white.paste(image, mask=image.getchannel("A"))
    return white
