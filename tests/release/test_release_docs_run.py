"""Examples that run in a reader's browser: they print what pages show, and load nothing foreign.

Python for the browser is fetched from npm and the index, so the tests that start it run at night.
"""

from __future__ import annotations

import http.server
import importlib
import json
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bs4 import BeautifulSoup
from documentation import DOCS, sphinx
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from release.examples import shows
from release.page import load_page
from tests.support.browser import NARROW, WIDE, WIDER, barriers, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

__all__ = ["browser"]

ROOT = DOCS.parent
sys.path.append(str(DOCS))
in_browser = importlib.import_module("in_browser")

PAGES = ("quickstart", "metrics", "errors")
SECONDS = 5.0
"""From the press of a button to the first output, on two cores that do nothing else."""
CORES = 2
ALL_RAN = """() =>
  [...document.querySelectorAll(".run button")].every((each) => each.textContent === "Run again")
"""


def marked(page: str) -> list[tuple[str, str]]:
    """Return the examples of a page that run in a browser, each with the output that is shown."""
    path = DOCS / f"{page}.md"
    lines = path.read_text(encoding="utf-8").splitlines()
    blocks = load_page(path).blocks
    found = []
    for number, block in enumerate(blocks):
        if lines[block.line - 3] == in_browser.MARK:
            shown = blocks[number + 1] if number + 1 < len(blocks) else None
            found.append((block.code, shown.code if shown and shown.output else "…\n"))
    return found


def test_first_examples_are_marked() -> None:
    for page in PAGES:
        path = DOCS / f"{page}.md"
        python = [each.code for each in load_page(path).blocks if each.language == "python"]
        client = [code for code in python if "social_publishing" in code]
        assert marked(page)[0][0] == client[0]
        assert path.read_text(encoding="utf-8").count(in_browser.MARK) == len(marked(page))


@pytest.mark.parametrize("page", PAGES)
def test_examples_run_without_sockets_and_compiled_libraries(page: str, tmp_path: Path) -> None:
    """On any Python, what the browser runs prints what the page shows."""
    examples = marked(page)
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("as_in_a_browser.py")],
        input=json.dumps([code for code, _ in examples]),
        capture_output=True, text=True, cwd=tmp_path, timeout=120,
    )  # fmt: skip
    assert done.stderr == ""
    outcomes = json.loads(done.stdout)
    assert [error for _, error in outcomes] == [""] * len(examples)
    differing = [
        output
        for (output, _), (_, shown) in zip(outcomes, examples, strict=True)
        if not shows(shown, output)
    ]
    assert differing == []


def test_a_site_brings_along_what_the_client_needs() -> None:
    """The client's wheel names it; of what the sandbox needs, the examples need a part."""
    brought = {*in_browser.COMPILED, *in_browser.PURE, *in_browser.WITHOUT_COMPILED}
    here = {"sys_platform": "emscripten", "platform_python_implementation": "CPython"}
    needed = {}
    for folder in ("generated/client", "sandbox"):
        project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"]
        requirements = map(Requirement, project["dependencies"])
        needed[folder] = {
            canonicalize_name(each.name)
            for each in requirements
            if each.marker is None or each.marker.evaluate(here)
        }
    assert needed["generated/client"] == {"anyio", "httpx2", "msgspec"}
    assert needed["generated/client"] < brought
    assert needed["sandbox"] - brought == {
        *("jinja2", "pillow", "pypdf", "python-multipart", "starlette", "swagger-ui-bundle-v2"),
    }
    pinned = {
        canonicalize_name(line.partition("==")[0])
        for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    }
    assert brought < pinned


def test_a_site_without_python_has_no_buttons(built: Path) -> None:
    for page in PAGES:
        text = (built / f"{page}.html").read_text(encoding="utf-8")
        assert "run.js" not in text
        assert not BeautifulSoup(text, "html.parser").select(".runs")
    assert not (built / "_static/python").exists()


# In a browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site as `nox -s docs` builds it, on a port."""
    fetched = subprocess.run([sys.executable, DOCS / "in_browser.py"], capture_output=True)
    if fetched.returncode:
        pytest.skip("Pyodide cannot be fetched")
    site = tmp_path_factory.mktemp("site")
    done = sphinx(DOCS, site, "html", "-D", "run_examples=1", timeout=900)
    assert (done.returncode, done.stderr) == (0, "")
    handler = partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing of requests."""


@pytest.mark.nightly
@pytest.mark.parametrize("name", PAGES)
def test_examples_run_in_a_browser(browser: Browser, address: str, name: str) -> None:
    page = browser.new_page()
    sent: list[str] = []
    errors: list[Any] = []
    page.on("request", lambda request: sent.append(request.url))
    page.on("pageerror", lambda error: errors.append(error))
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    page.goto(f"{address}/{name}.html")
    buttons, outputs = page.locator(".run button"), page.locator(".ran")
    examples = marked(name)
    assert buttons.count() == len(examples)

    session = browser.new_browser_cdp_session()

    def spent() -> float:
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
        return float(sum(each["cpuTime"] for each in processes))

    before, began = spent(), time.monotonic()
    buttons.first.click()
    outputs.first.wait_for(state="visible", timeout=120_000)
    passed, cost = time.monotonic() - began, spent() - before
    # A machine that does other things, too, takes longer; what it spends says so.
    assert passed <= SECONDS or cost <= SECONDS * CORES, (passed, cost)

    if len(examples) > 1:  # those above it run before it
        buttons.last.click()
    page.wait_for_function(ALL_RAN, timeout=120_000)
    printed = [outputs.nth(number).text_content() or "" for number in range(len(examples))]
    differing = [
        text for text, (_, shown) in zip(printed, examples, strict=True) if not shows(shown, text)
    ]
    assert differing == []
    assert page.locator(".ran.failed").count() == 0
    for scheme, size in (("light", WIDE), ("dark", NARROW)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert page.evaluate(WIDER) == 0
        assert barriers(page) == []
    assert [url for url in sent if not url.startswith(address)] == []
    assert errors == []


@pytest.mark.nightly
def test_a_browser_in_which_calls_cannot_wait(browser: Browser, address: str) -> None:
    """The synchronous client needs no wait; an example that does says which browsers can."""
    page = browser.new_page()

    def without_jspi(route: Route) -> None:
        worker = (DOCS / "browser/worker.mjs").read_text(encoding="utf-8")
        forgets = "delete WebAssembly.Suspending; delete WebAssembly.promising;\n"
        route.fulfill(body=forgets + worker, content_type="text/javascript")

    page.route("**/worker.mjs", without_jspi)
    page.goto(f"{address}/quickstart.html")
    page.locator(".run button").last.click()
    page.wait_for_function(ALL_RAN, timeout=120_000)
    first, *_, last = page.locator(".ran").all_text_contents()
    assert shows(marked("quickstart")[0][1], first)
    assert "try Chrome or Edge" in last
    assert page.locator(".ran.failed").count() == 1
