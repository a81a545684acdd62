"""Examples that run in a reader's browser: they print what pages show, and load nothing foreign.

Python for the browser is fetched from npm and the index, so the tests that start it run at night.
"""

from __future__ import annotations

import http.server
import importlib
import io
import json
import random
import re
import socket
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import cycle, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from bs4 import BeautifulSoup
from documentation import DOCS, sphinx
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from sphinx.application import Sphinx

from release.examples import shows
from release.page import load_page
from tests.support.browser import NARROW, WIDE, WIDER, barriers, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

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
    with serving(site) as found:
        yield found


@pytest.mark.nightly
def test_a_real_file_that_is_spoilt_ends_in_a_sentence(browser: Browser, address: str) -> None:
    """Its size is right, so that Pyodide meets it; some of its failures would last for ever."""
    with opened(browser, f"{address}/metrics.html") as page:
        names = asked_for(page)
    assert len(names) > 7
    for name in names:
        with opened(browser, f"{address}/metrics.html", {name: "garbage"}) as page:
            assert "Press Run again" in failure(page)
            succeeds(page)


# What runs the examples, with a Python that is none


PYTHON = {
    "pyodide-lock.json": '{"info": {"python": "3.14.2"}}',
    "python_stdlib.zip": "PK the library",
    "pyodide.asm.wasm": "\0asm\1\0\0\0",
    "pyodide.asm.mjs": "export default () => 'made';",
    # It is used by the site and by Node, which compiles for it.
    "pyodide.mjs": """
        const zipped = (bytes) => {
          if (bytes[0] !== 80) throw new Error("Traceback\\n  1\\nno zip file\\n");
        };
        export const loadPyodide = async ({ indexURL, createPyodideModule }) => {
          if (createPyodideModule) {
            if (createPyodideModule() !== "made") throw new Error("no module");
            const library = await (await fetch(`${indexURL}python_stdlib.zip`)).bytes();
            if (library[0] !== 80) throw { status: 1 };
            const wasm = fetch(`${indexURL}pyodide.asm.wasm`);
            await WebAssembly.instantiateStreaming(wasm).catch(() => new Promise(() => {}));
          }
          let kept, write;
          const run = (number, code) => { write(new TextEncoder().encode(`${number} ${code}`)); };
          run.callPromising = (number, code) =>
            code === "for ever" ? new Promise(() => {}) : run(number, code);
          return {
            FS: { writeFile(_, bytes) { zipped(bytes); kept = bytes; }, readFile: () => kept },
            runPython() {},
            unpackArchive: zipped,
            pyimport: () => ({ path: { push() {} }, run }),
            setStdout(to) { write = to.write; },
            setStderr() {},
          };
        };
    """,
}
CODE = random.Random(1).randbytes(400_000)
PAGE = """
    <!doctype html><title>Examples</title><article>
    <div class="runs"><pre>one</pre></div><div class="runs"><pre>two</pre></div></article>
    <script type="module" src="_static/run.js"></script>
"""


@pytest.fixture(scope="module")
def brought(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Have the Python above fetched, and files of two packages."""
    folder = tmp_path_factory.mktemp("python")
    for name, text in PYTHON.items():
        (folder / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(in_browser, "PYODIDE", folder)
        patch.setattr(in_browser, "WHEELS", folder)
        patch.setattr(in_browser, "files", lambda: [("msgspec/a.py", b""), ("b.py", CODE)])
        yield


@pytest.mark.usefixtures("brought")
def test_pages_have_buttons_as_soon_as_python_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And none where it is gone; a build takes from the one before only what is still so."""
    (tmp_path / "conf.py").write_text("extensions = ['myst_parser', 'in_browser']")
    (tmp_path / "index.md").write_text(f"# A\n\n{in_browser.MARK}\n```python\n1\n```\n")
    site = tmp_path / "site"
    said = io.StringIO()

    def build() -> tuple[int, bool, bool]:
        said.truncate(0)
        options = {"run_examples": "1"}
        app = Sphinx(tmp_path, tmp_path, site, site, "html", options, status=said, warning=None)
        app.build()
        page = (site / "index.html").read_text("utf-8")
        return page.count("runs "), "run.js" in page, (site / "_static/python").exists()

    for _ in range(2):
        assert build() == (1, True, True)
        assert "no Run buttons" not in said.getvalue()
        with monkeypatch.context() as patch:
            patch.setattr(in_browser, "WHEELS", tmp_path / "wheels")
            assert build() == (0, False, False)
            assert "The examples have no Run buttons" in said.getvalue()


@pytest.fixture(scope="module")
def small(brought: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site of one page with two examples, whose Python prints their code."""
    site = tmp_path_factory.mktemp("small")
    in_browser.write(site / "_static/python")
    (site / "index.html").write_text(PAGE)
    (site / "long.html").write_text(PAGE.replace("one", "for ever"))
    (site / "_static/run.js").write_bytes((DOCS / "_static/run.js").read_bytes())
    with serving(site) as found:
        yield found


@contextmanager
def serving(site: Path) -> Iterator[str]:
    handler = partial(Spoiling, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Spoiling(http.server.SimpleHTTPRequestHandler):
    """Serves files, of Python those whole that are not to be spoilt."""

    spoilt: ClassVar[dict[str, str]] = {}
    released = threading.Event()

    def do_GET(self) -> None:
        name = self.path.rpartition("/")[2]
        kind = self.spoilt.get(name) if "/python/" in self.path else None
        with suppress(ConnectionError):  # a page that does not wait for the others
            if kind:
                self.spoil(kind, Path(self.translate_path(self.path)).read_bytes())
            else:
                super().do_GET()

    def spoil(self, kind: str, body: bytes) -> None:
        self.close_connection = True
        if kind in ("404", "500"):
            return self.send_error(int(kind))
        if kind == "reset":
            return self.connection.shutdown(socket.SHUT_RDWR)
        page = b"<!doctype html><title>Sign in</title>"
        sent = {"page": page, "garbage": body[::-1], "nothing": b""}.get(kind, body)
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if kind == "page" else "text/javascript")
        if kind not in ("cut", "nothing"):
            self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        half = len(sent) // 2
        self.wfile.write(sent[:half])
        if kind == "stalled":
            self.released.wait(60)
        if kind in ("garbage", "page"):
            self.wfile.write(sent[half:])

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing of requests."""


@contextmanager
def opened(browser: Browser, address: str, spoilt: dict[str, str] | None = None) -> Iterator[Page]:
    """Open a page with nothing in the browser's cache, where some files are spoilt."""
    Spoiling.spoilt = spoilt or {}
    Spoiling.released.clear()
    page = browser.new_page()
    try:
        page.goto(address)
        yield page
    finally:
        Spoiling.spoilt = {}
        Spoiling.released.set()
        page.close()


def asked_for(page: Page) -> list[str]:
    """Run an example, and return which files of Python the page has asked for."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    succeeds(page)
    return sorted(
        {url.rpartition("/")[2] for url in asked if "/python/" in url and url.startswith("http:")}
    )


def succeeds(page: Page) -> None:
    """Press the last button: the examples print something."""
    Spoiling.spoilt = {}
    page.locator(".run button").last.click()
    page.wait_for_function(ALL_RAN, timeout=30_000)
    assert page.locator(".ran.failed").count() == 0
    assert "" not in page.locator(".ran").all_text_contents()


def test_what_takes_long_is_counted(browser: Browser, small: str) -> None:
    """Starting Python, and an example, which can be stopped; the next one waits for it."""
    from playwright.sync_api import expect

    with opened(browser, f"{small}/long.html") as page:
        page.clock.install()
        first, last = page.locator(".run").all()
        page.locator(".run button").last.click()
        expect(first.get_by_role("button")).to_have_text("Running…")
        page.clock.run_for(1000)
        assert first.locator("span").inner_text() == ""
        page.clock.run_for(5000)
        text = "seconds so far; beyond sixty requests a minute, calls wait"
        expect(first.locator("span")).to_have_text(re.compile(rf"[6-9] {text}"))
        assert last.locator("span").inner_text() == "after those above"
        last.get_by_role("button").focus()
        page.keyboard.press("Enter")  # which does nothing
        assert last.get_by_role("button").inner_text() == "Starting…"
        assert page.evaluate("document.activeElement.textContent") == "Starting…"
        stop = first.get_by_role("button", name="Stop: example 1")
        stop.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")  # impatiently
        assert page.locator(".run button").all_inner_texts() == ["Run", "Run"]
        texts = page.locator(".ran:visible").all_inner_texts()
        assert texts == ["Stopped. The next Run starts Python anew."] * 2
        page.clock.run_for(5000)
        assert first.locator("span").inner_text() == "here, against a sandbox in your browser"
        assert page.evaluate("document.activeElement.textContent") == "Run"
        page.keyboard.press("Enter")
        expect(first.get_by_role("button")).to_have_text("Running…")
        assert page.evaluate("document.activeElement.textContent") == "Running…"
    with opened(browser, f"{small}/") as page:
        page.clock.install()
        page.evaluate("Worker.prototype.postMessage = () => {}")  # nothing starts
        note = page.locator(".run span").last
        page.locator(".run button").last.click()
        expect(note).to_have_text("starting Python…")
        page.clock.run_for(5000)
        expect(note).to_have_text(re.compile("starting Python: [5-9] seconds so far"))
        page.clock.run_for(120_000)
        expect(page.locator(".ran:visible")).to_have_text(re.compile("took more than 120 seconds"))
        expect(note).to_have_text("after those above")


NONE_WAITS = """() =>
  [...document.querySelectorAll(".run button")].every((each) =>
    each.ariaDisabled === "false" && each.textContent === "Run")
"""


def failure(page: Page) -> str:
    """Press the last button, and return the one line that says why it does not run."""
    page.locator(".run button").last.click()
    page.wait_for_function(NONE_WAITS, timeout=30_000)
    shown = page.locator(".ran:visible")
    assert shown.count() == 1
    text = shown.text_content() or ""
    assert "\n" not in text and "[object" not in text and "undefined" not in text
    return text


REASONS = {
    "404": "the server answered 404",
    "500": "the server answered 500",
    "reset": "the connection broke",
    "broken": "the connection broke",
    "cut": "it did not arrive whole",
    "nothing": "it did not arrive whole",
    "page": "a web page came in its place",
}


def check_reasons(browser: Browser, address: str, kinds: Iterable[str]) -> int:
    """Spoil one after the other of the files that a page asks for; the button works again."""
    with opened(browser, address) as page:
        names = asked_for(page)
        assert {"info.json", "worker.mjs", "packages.zip", "pyodide.asm.wasm"} < {*names}
        for name, kind in zip(names, kinds, strict=False):
            Spoiling.spoilt = {name: kind}
            page.reload()
            wanted = f"Python cannot start: {name} could not be loaded, {REASONS[kind]}. Press Run"
            assert failure(page).startswith(wanted)
            assert failure(page).startswith(wanted)
            succeeds(page)
    return len(names)


def test_a_file_that_cannot_be_loaded_is_named(browser: Browser, small: str) -> None:
    """Each of them in one way, and each way for one of them."""
    assert check_reasons(browser, small, cycle(REASONS)) >= len(REASONS)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", REASONS)
def test_any_file_may_fail_in_any_way(browser: Browser, small: str, kind: str) -> None:
    assert check_reasons(browser, small, repeat(kind)) > 7


def test_a_file_that_is_not_what_it_should_be_is_loaded_anew(browser: Browser, small: str) -> None:
    with opened(browser, small) as page:
        names = asked_for(page)
        assert len(names) > 7
        for name in names:
            Spoiling.spoilt = {name: "garbage"}
            page.reload()
            text = failure(page)
            assert text.startswith("Python cannot start")
            assert "Press Run again" in text
            succeeds(page)


def test_loading_shows_how_far_it_is(browser: Browser, small: str) -> None:
    """And where nothing comes any more, it says so, and ends."""
    with opened(browser, small, {"packages.zip": "stalled"}) as page:
        note = page.locator(".run span").last
        before = note.text_content()
        page.clock.install()
        page.locator(".run button").last.click()
        page.wait_for_function("/[1-9].* of .* MB/.test(document.querySelector('.run').innerText)")
        page.clock.run_for(20_000)
        assert re.fullmatch(
            r"loading Python: \d\.\d of \d\.\d MB, nothing came for \d+ seconds",
            note.text_content() or "",
        )
        assert page.locator(".run button[aria-disabled=true]").count() == 2
        page.clock.run_for(15_000)
        page.wait_for_function(NONE_WAITS)
        text = page.locator(".ran.failed").text_content() or ""
        assert "packages.zip could not be loaded, nothing came for 30 seconds. Press Run" in text
        assert note.text_content() == before
        succeeds(page)
        assert note.text_content() == before


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
    assert [url for url in sent if not url.removeprefix("blob:").startswith(address)] == []
    assert errors == []


@pytest.mark.nightly
def test_a_browser_in_which_calls_cannot_wait(browser: Browser, address: str) -> None:
    """The synchronous client needs no wait; an example that does says which browsers can."""
    page = browser.new_page()
    forgets = b"delete WebAssembly.Suspending; delete WebAssembly.promising;\n"
    worker = forgets + (DOCS / "browser/worker.mjs").read_bytes()

    def with_its_size(route: Route) -> None:
        known = route.fetch().json()
        known["files"]["worker.mjs"] = len(worker)
        route.fulfill(json=known)

    page.route("**/worker.mjs", lambda route: route.fulfill(body=worker))
    page.route("**/info.json", with_its_size)
    page.goto(f"{address}/quickstart.html")
    page.locator(".run button").last.click()
    page.wait_for_function(ALL_RAN, timeout=120_000)
    first, *_, last = page.locator(".ran").all_text_contents()
    assert shows(marked("quickstart")[0][1], first)
    assert "try Chrome or Edge" in last
    assert page.locator(".ran.failed").count() == 1
