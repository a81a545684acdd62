"""The pages of a month and of what it did, seen by a browser: light, dark, print, wide, narrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cli_support import NOW, Command, rows_of, write

from social_publishing_sandbox import Sandbox
from tests.support.browser import NARROW, WIDE, WIDER, barriers, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Request

__all__ = ["browser"]

SLIM = """Math.min(...[...document.querySelectorAll('.publications td')]
    .map(e => e.clientWidth))"""
CUT = """[...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth)
    .map(e => e.getAttribute('aria-label'))"""

BROKEN = """[...document.querySelectorAll('th, caption, h1, h2, h3, b, small')].flatMap(e => {
    const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), found = []
    const unit = e.tagName == 'SMALL' ? /.+/g : /[A-Za-z]{1,15}(?![^ ,:.)])/g
    for (let node; node = walker.nextNode();)
        for (const word of node.data.matchAll(unit)) {
            const range = document.createRange()
            range.setStart(node, word.index)
            range.setEnd(node, word.index + word[0].length)
            const tops = new Set([...range.getClientRects()].map(r => Math.round(r.top)))
            if (tops.size > 1) found.push(word[0])
        }
    return found
})"""


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(world="odd", now=NOW, rate_limit=100_000) as made:
        yield made


def test_nothing_keeps_anybody_from_reading_it(
    browser: Browser, command: Command, sandbox: Sandbox, tmp_path: Path
) -> None:
    """A width says nothing of colours: over two groups, each width has each scheme, and paper."""
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    posts = Counter(str(each.group_id) for each in sandbox.find("social_accounts"))
    for number, (group, _) in enumerate(posts.most_common(2)):
        month, report = tmp_path / f"{number}.html", tmp_path / f"report-{number}.html"
        words = ("calendar", "--group", group, "--month", "2026-12", "-o", str(month))
        assert command(*words).status == 0
        assert command("metrics", "--group", group, "-o", str(report)).status == 0
        plan = tmp_path / f"plan-{number}.html"
        sheet = tmp_path / f"{number}.csv"
        assert command("export", "posts", "--group", group, "-o", str(sheet)).status == 0
        rows = rows_of(sheet)
        for row in rows:
            row["name"] = f"{row['name']} <b> and more"
        write(sheet, rows)
        assert command("plan", str(sheet), "--rehearse", "--page", str(plan)).status == 0
        for file in (month, report, plan):
            page = browser.new_page()
            page.on("request", note)
            page.goto(file.as_uri())
            schemes = ("light", "dark") if number else ("dark", "light")
            for width, scheme in zip((WIDE, NARROW), schemes, strict=True):
                page.set_viewport_size(width)  # type: ignore[arg-type]
                for media in ("screen", "print"):
                    page.emulate_media(media=media, color_scheme=scheme)  # type: ignore[arg-type]
                    assert page.evaluate(WIDER) <= 0
                    assert page.evaluate(BROKEN) == []
                    assert barriers(page) == []
                    # On paper nobody scrolls.
                    assert file != report or page.evaluate(CUT) == []
                    if file == report and width == NARROW:
                        assert page.evaluate(SLIM) > 200  # a card is as wide as the page
            page.close()
    assert [each for each in asked if not each.startswith("file:")] == []
