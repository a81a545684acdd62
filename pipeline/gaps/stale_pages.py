"""Find pages that call assumed, or not documented, what is confirmed by now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pipeline.openapi.documents import read_text
from pipeline.openapi.overlay.model import CONFIRMED, Change
from pipeline.openapi.problems import Finding, Position

_UNKNOWN: Final = re.compile(
    r"assum|undocumented|\b(not|never|nobody|nowhere)\b[^.]{0,20} "
    r"(documented|known|said|shown|stated)",
    re.IGNORECASE,
)


def stale_pages(
    pages: Iterable[Path], changes: Mapping[str, Sequence[Change]]
) -> Iterator[Finding]:
    """Yield a note for each paragraph that calls a confirmed gap assumed, or not documented.

    Args:
        pages: Markdown files, and folders of them.
    """
    known = {
        change.action.gap
        for made in changes.values()
        for change in made
        if CONFIRMED in change.action.words
    }
    found = (file for path in pages for file in (sorted(path.rglob("*.md")) or [path]))
    files = [file for file in found if file.is_file()]  # a copy may have no documentation
    for file in files if known else ():
        line = 1
        for paragraph in re.split(r"(\n\s*\n)", read_text(file)):
            if _UNKNOWN.search(paragraph):
                for gap in re.findall(r"`([A-Za-z][\w.-]*)`", paragraph):
                    if gap in known:
                        text = f"{gap} is confirmed, and this calls it assumed or unknown"
                        yield Finding(text, Position(str(file), line, 1), "page", "note")
            line += paragraph.count("\n")
