"""The pages of the documentation that come with the package, and how errors point to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .catalogues import catalogue

_HEADING = re.compile(r"^(#{1,4}) +(.+?) *$", re.MULTILINE)
_UNSEEN = re.compile(r"<!--.*?-->\n?|^!\[.*?\]\(.*?\)\n|^:::.*\n", re.MULTILINE | re.DOTALL)
_OUTSIDE = re.compile(r"\[([^\]]*)\]\((https?:[^)]*)\)")
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)([^)#]*)(#[^)]*)?\)")


class Section(NamedTuple):
    """A part of a page, with all that is below its heading.

    Attributes:
        topic: What it is called: `errors`, or `errors#argumenterror`.
    """

    topic: str
    title: str
    text: str


def pages() -> Mapping[str, str]:
    """Return the text of each page by its name."""
    texts: Mapping[str, str] = catalogue("pages")["pages"]
    return texts


def sections() -> Iterator[Section]:
    """Yield every page, and every section of each."""
    for name, text in pages().items():
        fences = [match.span() for match in re.finditer(r"^```.*?^```", text, re.M | re.S)]
        headings = [
            each
            for each in _HEADING.finditer(text)
            if not any(start < each.start() < end for start, end in fences)
        ]
        for at, heading in enumerate(headings):
            ends = (h.start() for h in headings[at + 1 :] if len(h[1]) <= len(heading[1]))
            part = text[heading.start() : next(ends, len(text))]
            anchor = "" if len(heading[1]) == 1 else f"#{_slug(heading[2])}"
            yield Section(name + anchor, heading[2], _readable(part))


def found(topic: str) -> list[Section]:
    """Return the sections that a topic may mean: a page, a heading, or both with a `#` between."""
    name, _, anchor = topic.lower().removeprefix("docs/").partition("#")
    wanted = name.rpartition("/")[2].removesuffix(".md") + (f"#{anchor}" if anchor else "")
    every = [*sections()]
    exact = [each for each in every if each.topic == wanted]
    return exact or [each for each in every if each.topic.partition("#")[2] == _slug(wanted)]


def explained(error: BaseException) -> str:
    """Return what explains an error: of the client's, the section of the nearest class with one."""
    documentation: str = getattr(error, "documentation", "")
    if not documentation or "://" in documentation or documentation.startswith("docs/"):
        return documentation
    known = {each.topic for each in sections()}
    topics = (f"errors#{kind.__name__.lower()}" for kind in type(error).__mro__)
    return next((f"docs/{topic.replace('#', '.md#')}" for topic in topics if topic in known), "")


def where(documentation: str) -> str:
    """Return how a person reaches what explains an error: an address, or a command.

    Empty where nothing explains it.
    """
    if not documentation:
        return ""
    address = str(catalogue("pages")["address"]).rstrip("/")
    if "://" in documentation:
        return documentation
    page, _, anchor = documentation.removeprefix("docs/").partition("#")
    name = page.removesuffix(".md")
    if address:
        return f"{address}/{name}.html" + (f"#{anchor}" if anchor else "")
    return "social-publishing help " + name.rpartition("/")[2] + (f"#{anchor}" if anchor else "")


def _slug(title: str) -> str:
    return re.sub(r"[^\w-]", "", title.lower().replace(" ", "-"))


def _readable(text: str) -> str:
    """Return a page as it is read in a terminal: no pictures, and links as text."""
    text = _OUTSIDE.sub(r"\1 (\2)", _UNSEEN.sub("", text))
    return _LINK.sub(lambda link: link[1] or link[2].removesuffix(".md"), text).strip() + "\n"
