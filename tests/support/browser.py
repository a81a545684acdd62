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
    from playwright.sync_api import Browser, sync_playwright
else:
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

# Texts whose contrast is less than what WCAG 2.2 asks for at level AA.
WEAK = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const over = (below, color) => {
    const key = `${below} ${color}`;
    if (!known.has(key)) {
      canvas.fillStyle = `rgb(${below.join(" ")})`;
      canvas.fillRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      known.set(key, [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3));
    }
    return known.get(key);
  };
  const behind = (each) => {
    const line = [];
    for (let up = each; up; up = up.parentElement) {
      line.unshift(getComputedStyle(up).backgroundColor);
    }
    return line.reduce(over, [255, 255, 255]);
  };
  const light = (color) => {
    const [red, green, blue] = color
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const passed = ".unseen, .skip, .noted.on, option, :disabled, .off";
  const weak = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.data.trim();
    const each = texts.currentNode.parentElement;
    if (!text || !each.checkVisibility({ visibilityProperty: true }) || each.closest(passed)) {
      continue;
    }
    let clear = 1;
    for (let up = each; up; up = up.parentElement) clear *= getComputedStyle(up).opacity;
    const ground = behind(each);
    const front = over(ground, getComputedStyle(each).color);
    const seen = front.map((part, n) => part * clear + ground[n] * (1 - clear));
    const [more, less] = [light(ground), light(seen)].sort((a, b) => b - a);
    const ratio = (more + 0.05) / (less + 0.05);
    if (ratio < 4.5) weak.push(`${ratio.toFixed(2)} .${each.className}: ${text.slice(0, 40)}`);
  }
  return [...new Set(weak)];
}"""
