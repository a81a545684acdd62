"""A browser that looks at pages as people do: how wide they are, and whether they can be read.

It is a Chromium that is installed, found as `chromium` or named by `CHROMIUM`, and driven by
playwright. Where one of them is missing, a module that imports this is skipped.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import Browser, Page, sync_playwright
else:
    Axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed"
    ).Axe
    sync_playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed"
    ).sync_playwright

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
if CHROMIUM is None:
    pytest.skip("there is no chromium to look with", allow_module_level=True)

ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield opened
        opened.close()


WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def barriers(page: Page) -> list[str]:
    """Return what keeps somebody from using a page, as axe sees it."""
    if page.evaluate("typeof axe") == "undefined":  # a page that was looked at has it still
        page.evaluate(Axe().axe_script)
    options = {"resultTypes": ["violations"], "selectors": False}
    found = page.evaluate("(options) => axe.run(document, options)", options)["violations"]
    return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]
