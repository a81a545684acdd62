"""The site keeps the documentation of every release, and messages lead to that of their own."""

from __future__ import annotations

import functools
import itertools
import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import social_publishing.errors
from bs4 import BeautifulSoup
from documentation import DOCS

from pipeline.config import load_config
from social_publishing_cli import pages
from tests.support.browser import NARROW, WIDE, WIDER, barriers, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]

ROOT = DOCS.parent


sys.path.append(str(DOCS))
import versions  # noqa: E402


def keep(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command, with nothing but Python."""
    command = [sys.executable, "-S", str(DOCS / "versions.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


def refused(*arguments: object) -> subprocess.CompletedProcess[str]:
    """What the command says to what it cannot keep, before anything is built as after."""
    before, after = keep("--check", *arguments), keep(*arguments)
    assert (before.returncode, before.stderr) == (after.returncode, after.stderr)
    return after


def build(folder: Path, text: str) -> Path:
    """A site of one page, with what Sphinx leaves beside it."""
    for name in ("_static/a.css", ".doctrees/index.doctree", ".buildinfo", "_sources/index.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "index.html").write_text(text)
    (folder / "llms.txt").write_text(f"- [One](one.html): {text}\n[Two](https://a.invalid/b)\n")
    (folder / "llms-full.txt").write_text(text)
    return folder


def listed(site: Path) -> list[tuple[str, bool]]:
    entries = json.loads((site / "versions.json").read_text(encoding="utf-8"))
    for each in entries:
        assert (site / each["url"] / "index.html").is_file()
        assert each["name"].startswith(each["version"])
    return [(each["version"], each["preferred"]) for each in entries]


def files(folder: Path) -> dict[str, bytes]:
    found = [each for each in folder.rglob("*") if each.is_file()]
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in found}


def test_every_release_stays_as_it_was(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "CNAME").write_text("docs.invalid")  # of whoever serves it
    order = ["latest", "v0.9.0", "0.10.0rc1", "0.10.0rc2", "0.10.0", "0.9.1", "1.0.0rc1", "latest"]
    kept: dict[str, dict[str, bytes]] = {}
    for number, name in enumerate(order):
        versions.keep(build(tmp_path / str(number), f"{number}: {name}"), site, name)
        folder = name.removeprefix("v")
        kept[folder] = files(site / folder)
        assert set(kept[folder]) == {"index.html", "_static/a.css", "llms.txt", "llms-full.txt"}
        assert {each: files(site / each) for each in kept} == kept
        final = [each for each in ("0.10.0", "0.9.0", "latest") if each in kept]
        assert files(site / "stable") == kept[final[0]]
    assert listed(site) == [
        ("stable", False),
        ("latest", False),
        ("1.0.0rc1", False),
        ("0.10.0", True),
        ("0.10.0rc2", False),
        ("0.10.0rc1", False),
        ("0.9.1", False),
        ("0.9.0", False),
    ]
    assert (site / "CNAME").is_file() and (site / ".nojekyll").is_file()
    assert not [each for each in site.glob(".*") if each.is_dir()]
    # The files that programs look for lead to the newest release.
    assert (site / "llms.txt").read_text() == (
        "- [One](stable/one.html): 4: 0.10.0\n[Two](https://a.invalid/b)\n"
    )
    assert (site / "llms-full.txt").read_text() == "4: 0.10.0"
    front = BeautifulSoup((site / "index.html").read_text(encoding="utf-8"), "html.parser")
    assert [each["href"] for each in front("a")] == ["stable/"]


def test_before_the_first_release_the_newest_is_what_is_not_released(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert keep(build(tmp_path / "a", "A"), site, "1.0.0rc1").returncode == 0
    assert listed(site) == [("stable", False), ("1.0.0rc1", True)]
    versions.keep(build(tmp_path / "b", "B"), site, "latest")
    assert listed(site) == [("stable", False), ("latest", True), ("1.0.0rc1", False)]
    assert files(site / "stable") == files(site / "latest")


NO_VERSIONS = [
    *("", "main", "stable", "../up", "1", "1.0/..", "1.0.0rc", "v"),
    *("1.0", "1.0.0.0", "01.0.0", "1.0.0rc01", "١.٢.٣"),
]


@pytest.mark.parametrize("name", NO_VERSIONS)
def test_only_a_version_gets_a_folder(name: str, tmp_path: Path) -> None:
    done = refused(build(tmp_path / "a", "A"), tmp_path / "site", name)
    assert done.returncode == 1
    assert done.stderr == f"error: {name!r} is no version: write 1.2.0, 1.2.0rc1 or latest\n"
    assert not (tmp_path / "site").exists()


def test_what_is_not_built_is_not_kept(tmp_path: Path) -> None:
    assert keep(build(tmp_path / "a", "A"), tmp_path / "site", "1.0.0").returncode == 0
    before = files(tmp_path / "site")
    done = keep("--check", tmp_path / "nowhere", tmp_path / "site", "1.0.0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = keep(tmp_path / "nowhere", tmp_path / "site", "1.0.0")
    assert done.returncode == 1 and "build the documentation first" in done.stderr
    assert files(tmp_path / "site") == before


@pytest.mark.parametrize("inside", [".", "site"])
def test_no_site_is_kept_in_what_is_built(inside: str, tmp_path: Path) -> None:
    built = build(tmp_path / "a", "A")
    before = files(built)
    done = refused(built, built / inside, "1.0.0")
    assert done.returncode == 1 and "keep it elsewhere" in done.stderr
    assert files(built) == before


def test_help_says_what_to_write() -> None:
    done = keep("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "BUILT SITE NAME" in done.stdout and "latest" in done.stdout


@pytest.mark.parametrize("given", [(), ("a",), ("a", "b"), ("a", "b", "1.0.0", "c"), ("a", "", "")])
def test_a_wrong_number_of_arguments_is_a_wrong_use(given: tuple[str, ...]) -> None:
    done = refused(*given)
    assert (done.returncode, done.stdout) == (2, "")
    assert "BUILT SITE NAME" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("site", "wrong"),
    [("file", "file"), ("file/site", "file"), ("has", "has/1.0.0"), ("stays", "stays/stable")],
)
def test_a_file_is_no_folder_of_versions(site: str, wrong: str, tmp_path: Path) -> None:
    """The error names what is in the way, and all stays as it was."""
    built = build(tmp_path / "built", "A")
    for name in ("file", "has/1.0.0", "stays/stable"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    before = files(tmp_path)
    done = refused(built, tmp_path / site, "1.0.0")
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {tmp_path / wrong} is no folder: ")
    assert files(tmp_path) == before


FOREIGN = [
    *("source/a.py", "index.html", "404.html", "llms.txt", "llms-full.txt"),
    *("1.0.0/notes.txt", "stable/notes.txt", "latest/notes.txt"),
]


@pytest.mark.parametrize("foreign", FOREIGN)
def test_a_folder_of_something_else_is_no_site(foreign: str, tmp_path: Path) -> None:
    """Files that it leaves alone, and hidden folders, may be there before."""
    built, site = build(tmp_path / "built", "A"), tmp_path / "site"
    for name in (".git/a", "CNAME", foreign):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("mine")
    before = files(tmp_path)
    done = refused(built, site, "1.0.0")
    assert done.returncode == 1
    name = foreign.partition("/")[0]
    assert done.stderr.startswith(f"error: {site} is no site: it has {name} and no versions.json")
    assert files(tmp_path) == before
    (site / foreign).rename(tmp_path / "moved")
    if name != foreign:
        (site / name).rmdir()
    assert keep(built, site, "1.0.0").returncode == 0
    (site / "source").mkdir(exist_ok=True)  # put there by whoever keeps the site
    assert keep(built, site, "2.0.0").returncode == 0


LISTS = [
    *("", "{broken", "[]", "{}", "null", "[1]", "[" * 100_000, '"stable"'),
    '[{"version": "0.1.0", "title": "0.1.0", "aliases": ["latest"]}]',
    '[{"version": "stable", "name": "stable", "url": "stable/"}]',
    '[{"version": "stable", "name": "stable", "url": "https://a.dev/stable/", "preferred": true}]',
    '[1, {"version": "stable", "name": "stable", "url": "stable/", "preferred": true}]',
    '[{"version": "1.0.0", "name": "1.0.0", "url": "1.0.0/", "preferred": true}]',
]


@pytest.mark.parametrize("text", LISTS, ids=range(len(LISTS)))
def test_a_list_of_versions_of_something_else_is_none(text: str, tmp_path: Path) -> None:
    built, site = build(tmp_path / "built", "A"), tmp_path / "site"
    for name in ("0.1.0/a.html", "index.html", "versions.json"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    before = files(tmp_path)
    done = refused(built, site, "0.1.0")
    assert (done.returncode, files(tmp_path)) == (1, before)
    assert done.stderr.startswith(f"error: {site} is no site: its versions.json is of something")


def test_links_and_hidden_files_of_others_are_left_alone(tmp_path: Path) -> None:
    """A file that is renewed comes in the place of a link; what the link leads to stays."""
    built, site = build(tmp_path / "built", "A"), tmp_path / "site"
    assert keep(built, site, "1.0.0").returncode == 0
    renewed = ["index.html", "404.html", "versions.json", "llms.txt"]
    for name in renewed:
        (tmp_path / name).write_text("mine")
        (site / name).unlink()
        (site / name).symlink_to(tmp_path / name)
    (tmp_path / "versions.json").write_text(
        '[{"version": "stable", "name": "stable", "url": "stable/", "preferred": true}]'
    )
    mine = (".1.0.0/a", ".stable/a", ".versions.json", "v1.9.0/a")
    for name in mine:
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_text("mine")
    assert keep(built, site, "2.0.0").returncode == 0
    assert {(site / name).read_text() for name in mine} == {"mine"}
    assert not any((site / name).is_symlink() for name in renewed)
    assert {(tmp_path / name).read_text() for name in renewed if name != "versions.json"} == {
        "mine"
    }
    listed = json.loads((site / "versions.json").read_text())
    assert [each["version"] for each in listed] == ["stable", "2.0.0", "1.0.0"]


@pytest.mark.parametrize("moment", range(12))
@pytest.mark.parametrize("is_first", [True, False])
def test_an_interrupted_keep_goes_on(
    is_first: bool, moment: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is stopped: what was there is whole, and the same command ends as without it."""
    old, built = build(tmp_path / "old", "A"), build(tmp_path / "built", "B")
    site, other = tmp_path / "site", tmp_path / "other"
    for each in (site, other):
        if not is_first:
            assert keep(old, each, "1.0.0").returncode == 0
    before = files(site)
    versions.keep(built, other, "1.0.0")
    steps = itertools.count()

    def stopping(function: Callable[..., Any]) -> Callable[..., Any]:
        def step(*given: Any, **how: Any) -> Any:
            if next(steps) == moment:
                raise KeyboardInterrupt
            return function(*given, **how)

        return step

    with monkeypatch.context() as patch:
        patch.setattr("shutil.copyfile", stopping(shutil.copyfile))
        patch.setattr("shutil.copy2", stopping(shutil.copy2))
        for name in ("rename", "replace"):
            patch.setattr(Path, name, stopping(getattr(Path, name)))
        with suppress(KeyboardInterrupt):
            versions.keep(built, site, "1.0.0")
    assert next(steps) > moment, "it was not stopped"
    for name, text in before.items():
        assert (site / name).read_bytes() in (text, (other / name).read_bytes())
    versions.keep(built, site, "1.0.0")
    assert files(site) == files(other)


def test_what_is_built_is_not_lost_with_what_it_replaces(tmp_path: Path) -> None:
    site = tmp_path / "site"
    built = build(site / "1.0.0" / "built", "A")
    before = files(tmp_path)
    done = refused(built, site, "1.0.0")
    assert done.returncode == 1 and "build it elsewhere" in done.stderr
    assert files(tmp_path) == before


def test_what_cannot_be_copied_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    built, site = build(tmp_path / "built", "A"), tmp_path / "site"
    assert keep(built, site, "1.0.0").returncode == 0
    before = files(site)
    (built / "lost.css").symlink_to(tmp_path / "nowhere")
    done = keep(built, site, "2.0.0")
    assert done.returncode == 1 and done.stderr.startswith(f"error: {built / 'lost.css'}: ")
    assert files(site) == before and sorted(site.glob(".*")) == [site / ".nojekyll"]


def test_a_site_may_link_to_its_newest_version(tmp_path: Path) -> None:
    built, site = build(tmp_path / "built", "A"), tmp_path / "site"
    assert keep(built, site, "1.0.0").returncode == 0
    for name in ("1.0.0", "stable"):
        (site / name).rename(tmp_path / name)
        (site / name).symlink_to(tmp_path / name)
    assert keep(built, site, "1.0.0").returncode == 0
    assert files(site / "stable") == files(site / "1.0.0") == files(tmp_path / "stable")


# The whole of it, as a browser and a message see it


@pytest.fixture(scope="module")
def address(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site of this documentation, whose 0.2.0 has no page of errors."""
    folder = tmp_path_factory.mktemp("versions")
    site = folder / "docs"
    for name in ("latest", "0.1.0", "0.2.0"):
        versions.keep(built, site, name)
    for name in ("0.2.0", "stable"):
        (site / name / "errors.html").unlink()

    class Handler(SimpleHTTPRequestHandler):
        def send_error(self, code: int, *_: Any, **__: Any) -> None:
            """As GitHub does, with a page of the site."""
            text = (site / "404.html").read_bytes()
            self.send_response(code)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: Any) -> None: ...

    handler = functools.partial(Handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/docs"
        server.shutdown()
        thread.join()


def test_a_reader_changes_between_versions(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=WIDE)  # type: ignore[arg-type]
    wrong: list[Any] = []
    page.on("pageerror", lambda error: wrong.append(error))
    page.goto(f"{address}/")
    page.wait_for_url(f"{address}/stable/")
    choice = page.locator(".versions summary")
    choice.wait_for()
    assert choice.inner_text() == "Version stable (0.2.0)"
    assert page.locator(".other-version").count() == 0
    choice.focus()
    page.keyboard.press("Enter")
    assert page.locator(".versions a").all_inner_texts() == [
        "stable (0.2.0)",
        "latest (not released)",
        "0.2.0",
        "0.1.0",
    ]
    assert page.locator(".versions a[aria-current]").inner_text() == "stable (0.2.0)"
    page.goto(f"{address}/0.2.0/reference/client.html#pacing")
    choice.click()
    page.locator(".versions").get_by_role("link", name="0.1.0").click()
    page.wait_for_url(f"{address}/0.1.0/reference/client.html#pacing")
    page.go_back()
    page.wait_for_url(f"{address}/0.2.0/reference/client.html#pacing")
    assert choice.inner_text() == "Version 0.2.0"
    page.go_forward()
    note = page.locator(".other-version")
    note.wait_for()
    assert note.inner_text() == ("This is the documentation of 0.1.0. The newest release is 0.2.0.")
    for scheme, size in (("light", WIDE), ("dark", NARROW)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert page.evaluate(WIDER) <= 0 and barriers(page) == [], scheme
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    note.get_by_role("link").click()
    page.wait_for_url(f"{address}/stable/reference/client.html#pacing")
    page.goto(f"{address}/latest/errors.html")  # 0.2.0 is without it
    note.wait_for()
    assert "of what is not released yet." in note.inner_text()
    choice.click()
    page.locator(".versions").get_by_role("link", name="0.2.0", exact=True).click()
    page.wait_for_url(f"{address}/0.2.0/")
    assert not wrong
    page.close()


def test_an_address_without_a_page_leads_to_versions_that_have_it(
    browser: Browser, address: str
) -> None:
    page = browser.new_page()
    for folder, why in (
        ("0.2.0/", "The documentation of 0.2.0 has no such page."),
        ("0.3.0/", "There is no documentation of 0.3.0 here."),  # not released yet
        ("", "The documentation has no page at this address."),
    ):
        page.goto(f"{address}/{folder}errors.html#notfounderror")
        last = page.get_by_role("link", name="The first page")
        last.wait_for()
        assert page.locator("#why").inner_text() == why
        found = [each.get_attribute("href") for each in page.get_by_role("link").all()]
        root = f"{address[address.rindex('/') :]}/"
        wanted = [f"{root}{each}/errors.html#notfounderror" for each in ("latest", "0.1.0")]
        first = "0.2.0" if folder == "0.2.0/" else "stable"
        assert found == [*wanted, f"{root}{first}/"]
    page.goto(f"{address}/of/another/site.html")
    page.get_by_role("link", name="The first page").click()
    page.wait_for_url(f"{address}/stable/")
    page.close()


def test_messages_lead_to_the_pages_of_their_version(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the client and of the command, as they are generated where the pages have an address."""
    site = tmp_path / "site"
    base = "https://docs.invalid/"
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    place = ROOT / "pyproject.toml"
    head = "[tool.pipeline.client]\n"
    given = f'{head}urls = {{ Documentation = "{base}{{version}}/" }}\n'
    assert text.count(head) == 1
    (tmp_path / place.name).write_text(text.replace(head, given))
    client = load_config(tmp_path / place.name).client
    version = client.version
    versions.keep(built, site, version)
    monkeypatch.setattr(pages, "catalogue", lambda _: {"address": client.urls["Documentation"]})
    errors = re.findall(r"^class (\w+)", Path(social_publishing.errors.__file__).read_text(), re.M)
    explained = BeautifulSoup((site / version / "errors.html").read_text(), "html.parser")
    named = [each for each in errors if explained.find(id=each.lower())]
    assert len(named) > 10
    shown = [f"{client.explains}{each.lower()}" for each in named]
    shown += [pages.where(f"docs/errors.md#{each.lower()}") for each in named]
    shown.append(pages.where("docs/month-from-a-spreadsheet.md"))
    shown.append(pages.where("docs/reference/sheets.md"))
    for each in shown:
        assert each.startswith(f"{base}{version}/"), each
        path, _, anchor = each.removeprefix(base).partition("#")
        page = BeautifulSoup((site / path).read_text(encoding="utf-8"), "html.parser")
        assert not anchor or page.find(id=anchor), each
