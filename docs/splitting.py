"""A Sphinx extension that gives each part of the client's reference a page of its own.

The reference, `generated/client/api.md`, is one file for those who read it as it is. Here every
heading of its second level begins a page in `reference/methods`, which no one edits.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

REFERENCE: Final = Path("../generated/client/api.md")
FOLDER: Final = Path("reference/methods")

_HEADING: Final = re.compile(r"^##+ (.+)$", re.M)


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages before Sphinx looks for them."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    source = Path(app.srcdir) / REFERENCE
    if not source.exists():
        return
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    pages = split(source.read_text(encoding="utf-8"))
    for old in folder.glob("*.md"):
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def split(text: str) -> dict[str, str]:
    """Return the pages of a reference by the names of their files; links to headings stay links.

    `_index.md` has what stands before the first part, and the tree of the pages.
    """
    intro, *parts = re.split(r"^(?=## )", text, flags=re.M)
    named = {_anchor(_HEADING.findall(part)[0]): part for part in parts}
    places = {
        anchor: f"{name}.md" if anchor == name else f"{name}.md#{anchor}"
        for name, part in named.items()
        for anchor in map(_anchor, _HEADING.findall(part))
    }

    def linked(text: str, folder: str = "") -> str:
        for anchor in set(re.findall(r"\]\(#([^)]+)\)", text)) & places.keys():
            text = text.replace(f"](#{anchor})", f"]({folder}{places[anchor]})")
        return text

    pages = {f"{name}.md": linked(_raised(part)) for name, part in named.items()}
    tree = "".join(f"{FOLDER.name}/{name}\n" for name in named)
    index = linked(intro, f"{FOLDER.name}/")
    pages["_index.md"] = f"{index}\n```{{toctree}}\n:hidden:\n\n{tree}```\n"
    return pages


def _raised(part: str) -> str:
    """Return a part whose headings are one level higher."""
    return re.sub(r"^#(#+ )", r"\1", part, flags=re.M)


def _anchor(title: str) -> str:
    """Return what links call a heading."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
