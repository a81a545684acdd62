"""Files for worlds whose media have none: drawn pictures, blank documents and one short video.

The same arguments give the same bytes, as long as Pillow and pypdf are the same.
"""

from __future__ import annotations

import io
import textwrap
import unicodedata
from importlib import resources
from typing import Final

from PIL import Image, ImageDraw, ImageFont, ImageOps

Colour = tuple[int, int, int]

# The two ends of a gradient.
PALETTES: Final[tuple[tuple[Colour, Colour], ...]] = (
    ((24, 40, 72), (75, 108, 183)),
    ((11, 72, 107), (59, 134, 134)),
    ((66, 39, 90), (189, 92, 131)),
    ((19, 78, 74), (72, 164, 121)),
    ((176, 62, 44), (240, 160, 75)),
    ((44, 62, 80), (127, 140, 160)),
    ((88, 24, 69), (199, 0, 57)),
    ((13, 59, 102), (94, 160, 200)),
)
INK: Final = (255, 255, 255)

VIDEO: Final = resources.files(__package__).joinpath("sample.avi")
"""A video (Motion JPEG) of two seconds without sound, 320 × 180."""


def draw(seed: int, width: int, height: int, title: str = "") -> bytes:
    """Return a picture: a gradient, with a title at the bottom."""
    first, last = PALETTES[seed % len(PALETTES)]
    gradient = ImageOps.colorize(Image.linear_gradient("L"), last, first)
    picture = gradient.resize((width, height), Image.Resampling.BICUBIC)
    _add_title(picture, title)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def sample_pdf(pages: int) -> bytes:
    """Return a PDF of so many blank A4 pages."""
    from pypdf import PdfWriter

    writer = PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(595, 842)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _add_title(picture: Image.Image, title: str) -> None:
    """Write a title at the bottom left, in place."""
    size = max(10.0, min(picture.size) / 12)
    margin = size * 0.9
    columns = int((picture.width - 2 * margin) / (size * 0.55))
    if columns < 4:  # no room for a word
        return
    # As far as the font goes that Pillow has: without accents, and without other scripts.
    known = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    lines = textwrap.wrap(known, columns, max_lines=3, placeholder="...")
    place, font = (margin, picture.height - margin), ImageFont.load_default(size)
    ImageDraw.Draw(picture).multiline_text(place, "\n".join(lines), INK, font, anchor="ld")
