"""The documentation in a browser: it fits, it can be read, and names stay in one piece.

Where `tests.support.browser` finds no browser, these tests are skipped.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.browser import NARROW, WIDE, WIDER, barriers, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]

PAGES = (
    *("index", "errors", "testing-with-the-sandbox", "benchmarks"),
    *("reference/client", "reference/api", "reference/methods/posts"),
)

# Names in code that go on in another line, although they are short enough for one.
BROKEN = """() =>
  [...document.querySelectorAll("article code .pre:not(.long)")]
    .filter((each) => each.checkVisibility() && each.getClientRects().length > 1)
    .map((each) => each.textContent)
"""

# Tables and charts that are cut off, or have to be scrolled sideways.
CUT = """() =>
  [...document.querySelectorAll("article :is(.table-wrapper, svg)")]
    .filter((each) => !each.closest(".figures"))
    .filter((each) => each.scrollWidth > each.clientWidth + 1 ||
      [...each.querySelectorAll("text")].some((text) =>
        text.getBoundingClientRect().right > each.getBoundingClientRect().right + 12))
    .map((each) => each.textContent.trim().slice(0, 60))
"""

# How light the page is, and each block of code on it, from 0 to 1.
GROUNDS = """() =>
  [...document.querySelectorAll("body, article .highlight pre")].map((each) => {
    let up = each;
    while (getComputedStyle(up).backgroundColor === "rgba(0, 0, 0, 0)") up = up.parentElement;
    const parts = getComputedStyle(up).backgroundColor.match(/[0-9]+/g).map(Number);
    return (parts[0] + parts[1] + parts[2]) / 765;
  })
"""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_and_can_be_read(browser: Browser, built: Path, name: str) -> None:
    page = browser.new_page()
    errors: list[Any] = []
    page.on("pageerror", lambda error: errors.append(error))
    for scheme, size in (("light", WIDE), ("dark", NARROW)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.goto((built / f"{name}.html").as_uri())
        assert page.evaluate(WIDER) <= 0
        assert page.evaluate(BROKEN) == []
        assert page.evaluate(CUT) == []
        assert barriers(page) == [], scheme
        ground, *blocks = page.evaluate(GROUNDS)
        assert all(abs(each - ground) > 0.025 for each in blocks), "code does not stand out"
    assert not errors
    page.close()
