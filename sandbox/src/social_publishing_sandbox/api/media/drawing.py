"""Pictures, documents and videos for worlds whose media have no files: drawn from a seed.

The same arguments give the same bytes, as long as Pillow is the same.
"""

from __future__ import annotations

import io
import math
import random
import textwrap
import unicodedata
from typing import Final, Literal

from PIL import Image, ImageDraw, ImageFont, ImageOps

from social_publishing_sandbox.api.media.avi import avi

Colour = tuple[int, int, int]

# Two ends of a gradient, and two colours that go with it.
PALETTES: Final[tuple[tuple[Colour, Colour, Colour, Colour], ...]] = (
    ((24, 40, 72), (75, 108, 183), (255, 209, 102), (239, 131, 84)),
    ((11, 72, 107), (59, 134, 134), (205, 219, 172), (255, 244, 214)),
    ((66, 39, 90), (189, 92, 131), (255, 183, 3), (255, 214, 224)),
    ((19, 78, 74), (72, 164, 121), (250, 227, 156), (230, 111, 81)),
    ((176, 62, 44), (240, 160, 75), (255, 238, 207), (61, 64, 91)),
    ((44, 62, 80), (127, 140, 160), (236, 203, 174), (211, 84, 82)),
    ((88, 24, 69), (199, 0, 57), (255, 195, 0), (255, 140, 97)),
    ((13, 59, 102), (94, 160, 200), (250, 240, 202), (238, 150, 75)),
)
INK: Final = (255, 255, 255)


def draw(seed: int, width: int, height: int, title: str = "") -> bytes:
    """Return a picture: discs on a gradient, with a title at the bottom."""
    chance = random.Random(seed)
    first, last, *accents = PALETTES[_pick(chance, len(PALETTES))]
    picture = _gradient(width, height, first, last, chance.random())
    for number in range(5):
        _add_disc(picture, chance, accents[number % 2])
    _add_title(picture, title)
    return _file(picture, "PNG")


def sample_pdf(seed: int, pages: int) -> bytes:
    """Return a PDF of so many A4 pages, each with a coloured band and its number."""
    first, last, *_ = PALETTES[_pick(random.Random(seed), len(PALETTES))]
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Count {} /Kids [{}] >>".format(
            pages, " ".join(f"{4 + 2 * page} 0 R" for page in range(pages))
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for page in range(pages):
        content = (
            f"{_pdf_colour(first)} rg 0 702 595 140 re f {_pdf_colour(last)} rg 0 696 595 6 re f\n"
            f"BT 1 1 1 rg /F1 32 Tf 56 760 Td (Sample document) Tj ET\n"
            f"BT 0.3 0.3 0.3 rg /F1 14 Tf 56 650 Td (Page {page + 1} of {pages}) Tj ET"
        )
        objects += [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * page} 0 R >>",
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        ]
    return _pdf_file(objects)


def sample_video(
    seed: int, seconds: int, size: tuple[int, int] = (320, 180), fps: int = 10
) -> bytes:
    """Return an AVI video (Motion JPEG, no sound): a disc that wanders over a gradient, and a bar
    that shows how far the video has come.
    """
    chance = random.Random(seed)
    first, last, accent, light = PALETTES[_pick(chance, len(PALETTES))]
    width, height = size
    background = _gradient(width, height, first, last, chance.random())
    start, radius = chance.random() * math.tau, height / 6
    total = seconds * fps
    frames = []
    for number in range(total):
        angle = start + math.tau * number / total
        x = width / 2 + math.cos(angle) * width * 0.32
        y = height / 2 + math.sin(2 * angle) * height * 0.22
        frame = background.copy()
        pen = ImageDraw.Draw(frame)
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), accent)
        pen.rectangle((0, height * 0.96, width * (number + 1) / total, height), light)
        frames.append(_file(frame, "JPEG"))
    return avi(frames, size, fps)


def _pick(chance: random.Random, among: int) -> int:
    # The other methods of Random may draw differently in another release of Python.
    return int(chance.random() * among)


def _gradient(width: int, height: int, first: Colour, last: Colour, turn: float) -> Image.Image:
    """Return a gradient in a direction given by `turn`, from 0 to 1 for the full circle."""
    middle = 128
    cosine, sine = math.cos(turn * math.tau) / 1.5, math.sin(turn * math.tau) / 1.5
    ramp = Image.linear_gradient("L").transform(
        (256, 256),
        Image.Transform.AFFINE,
        (cosine, sine, middle * (1 - cosine - sine), -sine, cosine, middle * (1 - cosine + sine)),
        Image.Resampling.BILINEAR,
    )
    return ImageOps.colorize(ramp, first, last).resize((width, height), Image.Resampling.BICUBIC)


def _add_disc(picture: Image.Image, chance: random.Random, colour: Colour) -> None:
    """Lay a translucent disc on a picture, in place."""
    radius = max(1.0, min(picture.size) * (0.12 + 0.28 * chance.random()))
    left = int(picture.width * chance.random() - radius)
    top = int(picture.height * chance.random() * 0.8 - radius)
    opacity = int(50 + 90 * chance.random())
    # Drawn four times as large, so that its edge becomes smooth; at most so large, to stay quick.
    drawn = min(int(radius * 8), 1024)
    disc = Image.new("L", (drawn, drawn))
    ImageDraw.Draw(disc).ellipse((0, 0, drawn - 1, drawn - 1), opacity)
    side = max(1, int(radius * 2))
    picture.paste(colour, (left, top), disc.resize((side, side), Image.Resampling.BOX))


def _add_title(picture: Image.Image, title: str) -> None:
    """Write a title at the bottom left, in place, on a shade that makes it readable."""
    size = max(10.0, min(picture.size) / 12)
    margin = size * 0.9
    columns = int((picture.width - 2 * margin) / (size * 0.55))
    if columns < 4:  # no room for a word
        return
    lines = textwrap.wrap(_drawable(title), columns, max_lines=3, placeholder="...")
    if not lines:
        return
    shade = Image.linear_gradient("L").resize((picture.width, max(1, picture.height // 2)))
    top = picture.height - shade.height
    picture.paste((0, 0, 0), (0, top), shade.point(lambda value: value * 0.6))
    place, font = (margin, picture.height - margin), ImageFont.load_default(size)
    ImageDraw.Draw(picture).multiline_text(place, "\n".join(lines), INK, font, anchor="ld")


def _drawable(text: str) -> str:
    """Return the text as far as the font goes that Pillow has: without accents, and without other
    scripts.
    """
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().strip()


def _file(picture: Image.Image, form: Literal["PNG", "JPEG"]) -> bytes:
    out = io.BytesIO()
    picture.save(out, form, **({} if form == "PNG" else {"quality": 85}))
    return out.getvalue()


def _pdf_colour(colour: Colour) -> str:
    return " ".join(f"{level / 255:.3f}" for level in colour)


def _pdf_file(objects: list[str]) -> bytes:
    """Return a PDF of these objects; the first is the catalogue."""
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n".encode("ascii")
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode("ascii")
    for place in places:
        out += f"{place:010} 00000 n \n".encode("ascii")
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n".encode("ascii")
    out += f"startxref\n{table}\n%%EOF\n".encode("ascii")
    return bytes(out)
