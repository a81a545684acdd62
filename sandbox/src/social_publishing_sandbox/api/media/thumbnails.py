"""Small pictures of large ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageOps

from social_publishing_sandbox.api.media.pictures import Unreadable, opened, orientation

WHITE: Final = (255, 255, 255)
SETTINGS: Final[dict[str, dict[str, Any]]] = {
    ".jpg": {"quality": 85},
    ".png": {},
    ".webp": {"quality": 80},
}
"""The formats of a thumbnail, by the extension of its file, and how they are written."""


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
    small.save(out, **SETTINGS[out.suffix])
    return small.size


def _blendable(picture: Image.Image) -> Image.Image:
    """Return the picture in a mode whose pixels can be mixed."""
    if picture.mode in {"P", "PA", "LA", "La"} or "transparency" in picture.info:
        return picture.convert("RGBA")
    if picture.mode.startswith("I"):  # 16 bits a pixel
        return picture.point(lambda value: value / 256).convert("L")
    if picture.mode in {"L", "RGB", "RGBA"}:
        return picture
    return picture.convert("RGB")


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode != "RGBA":
        return image.convert("RGB")
    white = Image.new("RGB", image.size, WHITE)
    white.paste(image, mask=image.getchannel("A"))
    return white
