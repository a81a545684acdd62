"""The documentation: it builds, its links lead somewhere, and its examples run as shown."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from importlib.util import cache_from_source
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from zipfile import ZipFile

import pytest
import social_publishing.errors
from bs4 import BeautifulSoup
from documentation import DOCS, sphinx
from hatchling.builders.wheel import WheelBuilder

from pipeline.codegen.views.errors import ERRORS, status_errors
from release.examples import Outcome, run_page
from release.page import load_page
from tests.support import AS_INSTALLED

ROOT = DOCS.parent
SKILL = ROOT / "cli/src/social_publishing_cli/SKILL.md"
PAGES = [
    *sorted(DOCS.glob("*.md")),
    ROOT / "README.md",
    SKILL,
    ROOT / "sandbox/README.md",
    ROOT / "generated/client/README.md",
]
MOST_SKIPPED = 44
"""How many blocks are not run; the page gives the reason of each. Every other block is run."""

SHOWN = {
    "sandbox/README.md": (
        "HTTP/1.1 200",
        "publishedOnNetwork",
        '"views"',
        "curl says 52",
        '"status":"ready"',
    ),
}
"""What has to come, of pages that do not show it."""


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


# Code


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment's programs, with both packages as if they were installed."""
    folder = tmp_path_factory.mktemp("tools")
    python = sys.executable
    plugin = "-p no:cacheprovider -p social_publishing_sandbox.pytest_plugin"
    for program, command in {
        "python": python,
        # What else is installed here, a reader has not, and it takes seconds to import.
        "pytest": f"env PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 {python} -m pytest {plugin}",
        "social-publishing-sandbox": f"{python} -m social_publishing_sandbox",
        "social-publishing": f"{python} -m social_publishing_cli",
        "nox": f"{python} -m nox --no-venv --no-install",
    }.items():
        file = folder / program
        file.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        file.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, tools: Path) -> Path:
    """A checkout of the project, with its programs where the pages say that they are."""
    folder = tmp_path_factory.mktemp("project")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True,
    )  # fmt: skip
    for each in filter(None, listed.stdout.decode().split("\0")):
        # With what Python has compiled of it, so that each page's commands need not.
        for kept in (each, os.path.relpath(cache_from_source(ROOT / each), ROOT)):
            if (ROOT / kept).is_file():
                (folder / kept).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / kept, folder / kept)
    known = [*(folder / "overlays/confirmed").glob("*/*.yaml")]
    for each in known:  # the pages begin where nothing is confirmed
        each.unlink()
    for command in (
        [("-m", "pipeline", "generate"), ("tests/contract/recording.py",)] if known else []
    ):
        subprocess.run([sys.executable, *command], cwd=folder, check=True, capture_output=True)
    (folder / ".venv").mkdir()
    (folder / ".venv/bin").symlink_to(tools)
    return folder


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=name)
def test_a_page_is_read_in_a_few_minutes(page: Path) -> None:
    """Code and tables count, bars of tables and marks for the tests do not."""
    text = re.sub(r"<!--.*?-->", "", page.read_text(encoding="utf-8"), flags=re.S)
    assert sum(bool(re.search(r"\w", word)) for word in text.split()) <= 900


DAYS = {
    "today": None,
    "leap day": "2028-02-29T12:00:00Z",
    "clock change": "2027-03-28T00:59:45Z",  # in Berlin, 15 seconds before the clocks leap
    "2031": "2031-07-01T09:00:00Z",
}
MONTH = DOCS / "month-from-a-spreadsheet.md"
FRONT = [ROOT / "README.md", DOCS / "quickstart.md", MONTH]
ALONE = [ROOT / "README.md", MONTH, DOCS / "command-line.md"]
"""Pages whose reader has no account, nor a sandbox but the one that the page starts."""


def dated() -> Iterator[Any]:
    """Yield every page with every day.

    The pages that are read first run on two of them, and all others on one, in turns; the rest is
    for the night.
    """
    for number, page in enumerate(PAGES):
        for turn, day in enumerate(DAYS):
            is_now = turn in ((0, 3) if page in FRONT else (number % len(DAYS),))
            marks = [] if is_now else [pytest.mark.nightly]
            yield pytest.param(page, day, marks=marks, id=f"{name(page)}-{day}")


SHIM = (
    (AS_INSTALLED / "sitecustomize.py").read_text(encoding="utf-8")
    + """
import threading
import time

time.sleep = lambda seconds: threading.Event().wait(seconds) and None
"""
)
"""libfaketime 0.9.10 refuses the sleep of Python."""


@pytest.fixture(scope="module")
def shared() -> Iterator[str]:
    """Give what all processes of another day share, as FAKETIME_SHARED.

    Without it, each makes its own, which its children look for, and removes it when it ends: a
    child that starts at that moment fails.
    """
    semaphore, libc = f"/faketime-{os.getpid()}", ctypes.CDLL(None)
    libc.sem_open(semaphore.encode(), os.O_CREAT, 0o600, 1)
    memory = SharedMemory(create=True, size=4096)
    yield f"{semaphore} /{memory.name}"
    memory.close()
    memory.unlink()
    libc.sem_unlink(semaphore.encode())


def on(day: str, folder: Path, request: pytest.FixtureRequest) -> dict[str, str]:
    """Return the environment of processes for which it is this day; skip where that cannot be."""
    sources = [ROOT / "cli/src", ROOT / "sandbox/src", ROOT / "generated/client/src"]
    if (moment := DAYS[day]) is None:
        return {"PYTHONPATH": os.pathsep.join(map(str, [AS_INSTALLED, *sources]))}
    (folder / "sitecustomize.py").write_text(SHIM)
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not found:
        pytest.skip("another day needs libfaketime")
    offset = datetime.fromisoformat(moment).timestamp() - time.time()
    faked = {"FAKETIME": f"{offset:+.0f}s", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    # With it, a thread that waits for another one, as for the interpreter, is woken at once: it
    # asks again and again, and a command takes ten times its work.
    faked["FAKETIME_FORCE_MONOTONIC_FIX"] = "0"
    faked["FAKETIME_SHARED"] = request.getfixturevalue("shared")
    path = os.pathsep.join(map(str, [folder, *sources]))
    return {"LD_PRELOAD": str(found[0]), **faked, "TZ": "Europe/Berlin", "PYTHONPATH": path}


def run(page: Path, folder: Path, tools: Path, day: str, request: pytest.FixtureRequest) -> Outcome:
    """Run a page in a HOME of its own, as if it were this day."""
    around = ["social-publishing-sandbox", "run", "--now", "2026-12-01T09:00:00Z", "--"]
    home = folder.parent / "home"
    home.mkdir()
    return run_page(
        page,
        python=tools / "python",
        around=[] if page in ALONE else [str(tools / around[0]), *around[1:]],
        folder=folder,
        environment={
            "HOME": str(home),
            "SOCIAL_PUBLISHING_OUTPUT": "table",  # as in a terminal
            "RUNTIME__DLTHUB_TELEMETRY": "false",
            **on(day, folder.parent, request),
        },
        timeout=300,
    )


@pytest.mark.skipif(shutil.which("curl") is None, reason="a tour is made with curl")
@pytest.mark.parametrize(("page", "day"), [*dated()])
def test_every_block_of_a_page_does_what_it_says_on_any_day(
    page: Path, day: str, tools: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    if load_page(page).project:
        folder = tmp_path / "project"
        shutil.copytree(request.getfixturevalue("project"), folder, symlinks=True)
    outcome = run(page, folder, tools, day, request)
    assert not outcome.failures, "\n\n".join(outcome.failures)
    for each in SHOWN.get(name(page), ()):
        assert each in outcome.output


def test_few_blocks_are_not_run() -> None:
    skipped = [each.skip for page in PAGES for each in load_page(page).blocks if each.skip]
    assert len(skipped) <= MOST_SKIPPED, "\n".join(skipped)


def printed(program: str) -> str:
    """Return what a program that stands beside the pages prints."""
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=DOCS, capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_pictures_of_the_terminal_show_what_the_commands_write() -> None:
    shown = json.loads(printed("import json, pictures; print(json.dumps(pictures.pictures()))"))
    assert {*shown} >= {each.name for each in (DOCS / "_static").glob("month-*.svg")} > set()
    for picture, drawn in shown.items():
        kept = (DOCS / "_static" / picture).read_text(encoding="utf-8")
        assert kept == drawn, f"{picture} is out of date: run python docs/pictures.py"
        assert "http" not in re.sub(r'xmlns="[^"]*"', "", drawn)
        assert "prefers-color-scheme: dark" in drawn
        # A phone shows some 350 pixels of page: its letters have to stay legible.
        if picture.endswith("-narrow.svg"):
            widest = max(float(each) for each in re.findall(r'viewBox="0 0 ([\d.]+)', drawn))
            assert 350 / widest * 20 > 10, picture


def test_commands_are_reported_from_what_they_print() -> None:
    """A prompt is what the site goes by: in its colours, and in what its button copies.

    The README is read where a button copies all of a block: there, prompts would be in the way.
    """
    texts = [page.read_text(encoding="utf-8") for page in PAGES if page != ROOT / "README.md"]
    blocks = re.findall(r"^```console\n(.*?)^```", "\n".join(texts), re.M | re.S)
    assert len(blocks) > 50
    assert not [each for each in blocks if not each.startswith("$ ")]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_command_needs_the_environment_of_a_session(page: Path) -> None:
    """Readers of the pages have nox; what the sessions install is in the sessions alone."""
    seen = re.sub(r"<!--.*?-->", "", page.read_text(encoding="utf-8"))
    assert not re.search(r"python -m (pipeline|release|demo)\b", seen)


# The site


class Links(NamedTuple):
    """What an HTML page refers to.

    Attributes:
        anchors: what can be linked to.
        links: where a reader can go.
        loaded: what a browser asks for to show the page.
        headings: their levels, in order.
        titles: how many the page has.
    """

    anchors: set[str]
    links: list[str]
    loaded: list[str]
    headings: list[int]
    titles: int


def links(file: Path) -> Links:
    page = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
    shown = [e for e in page("link") if e["rel"][0] not in ("index", "search", "next", "prev")]
    return Links(
        {each["id"] for each in page(id=True)},
        [each["href"] for each in page("a", href=True)],
        [*(each["src"] for each in page(src=True)), *(each["href"] for each in shown)],
        [int(each.name[1]) for each in page(re.compile("^h[1-6]$"))],
        len(page.head("title")),  # and not that of a drawing
    )


@pytest.fixture(scope="module")
def site(built: Path) -> dict[str, Links]:
    """Its pages by their paths."""
    return {each.relative_to(built).as_posix(): links(each) for each in built.rglob("*.html")}


def test_every_link_of_the_site_leads_somewhere(site: dict[str, Links]) -> None:
    seen = 0
    for file, page in site.items():
        for link in page.links:
            target = urlsplit(link)
            if target.scheme or target.netloc:
                continue
            path = Path(os.path.normpath(Path(file).parent / unquote(target.path))).as_posix()
            found = site.get(path if target.path else file)
            assert found or Path(path).suffix != ".html", f"{file}: {link}"
            anchor = unquote(target.fragment)
            assert not anchor or (found and anchor in found.anchors), f"{file}: {link}"
            seen += 1
    assert seen > 500


def test_a_browser_asks_nobody_else(site: dict[str, Links]) -> None:
    elsewhere = {link for page in site.values() for link in page.links if urlsplit(link).netloc}
    assert {urlsplit(link).hostname for link in elsewhere} <= {
        "devguide.python.org",
        "dlthub.com",
        "docs.astral.sh",
        "docs.github.com",
        "github.com",
        "peps.python.org",
        "procrastinate.readthedocs.io",
        "semver.org",
        "modelcontextprotocol.io",
        "www.sphinx-doc.org",
    }
    for file, page in site.items():
        assert page.loaded
        for each in page.loaded:
            assert not urlsplit(each).netloc, f"{file}: {each}"


def test_style_sheets_and_scripts_load_nothing_from_elsewhere(built: Path) -> None:
    files = (*built.rglob("*.css"), *built.rglob("*.js"))
    assert {each.suffix for each in files} == {".css", ".js"}
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"@import|url\(\s*['\"]?(?:https?:)?//", text), file
        assert not re.search(r"""(?:fetch|importScripts|import)\(\s*['"](?:https?:)?//""", text), (
            file
        )


def test_pages_have_one_title_and_headings_in_order(site: dict[str, Links]) -> None:
    assert site
    for file, page in site.items():
        if file in ("genindex.html", "search.html"):
            continue
        assert page.titles == 1 and page.headings.count(1) == 1, file
        steps = zip(page.headings, page.headings[1:], strict=False)
        assert all(after <= before + 1 for before, after in steps), file


def errors() -> list[str]:
    """Return the names of the errors that programs may catch."""
    base = social_publishing.SocialPublishingError
    members = vars(social_publishing.errors).values()
    return [each.__name__ for each in members if isinstance(each, type) and issubclass(each, base)]


def explained() -> list[str]:
    """Return those that the pages explain: a confirmed status may have a class of its own."""
    usual = {*ERRORS, *(each.name for each in status_errors((), 429))}
    new = {each.__name__ for each in social_publishing.errors.BY_STATUS.values()} - usual
    return [each for each in errors() if each not in new]


def test_each_error_leads_to_where_it_is_explained(site: dict[str, Links]) -> None:
    for error in explained():
        assert error.lower() in site["errors.html"].anchors, error
    # Until the pages have an address, each installation of the client can show its own text.
    *command, name = social_publishing.errors.NotFoundError.documentation.split()
    assert command == ["python", "-m", "pydoc"]
    shown = subprocess.run(
        [sys.executable, *command[1:], name],
        env={"PYTHONPATH": str(ROOT / "generated/client/src")}, capture_output=True, text=True,
    )  # fmt: skip
    assert "Status 404: " in shown.stdout


def test_the_search_finds_each_error_by_its_name(built: Path) -> None:
    index = (built / "searchindex.js").read_text(encoding="utf-8")
    found = json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))
    page = found["docnames"].index("errors")
    assert explained()
    for error in explained():
        assert [page, error.lower()] in found["alltitles"].get(error, ()), error


def tokens(text: str) -> int:
    """Return how many tokens a text is, by the rule of thumb of four characters each."""
    return len(text) // 4


def test_programs_get_a_line_a_page_and_all_pages_in_a_file(built: Path) -> None:
    short = (built / "llms.txt").read_text(encoding="utf-8")
    links = re.findall(r"^- \[.+\]\((.+?)\)(?:: \S|$)", short, re.M)
    assert all((built / link).is_file() for link in links)
    guides = {f"{page.stem}.html" for page in DOCS.glob("*.md")} - {"index.html"}
    assert guides <= set(links) and "- `posts.list(" in short
    full = (built / "llms-full.txt").read_text(encoding="utf-8")
    for page in DOCS.glob("*.md"):
        title = re.search(r"^# .+$", page.read_text(encoding="utf-8"), re.M)
        assert title is None or f"{title.group()}\n" in full
    assert "<!-- example" not in full and "{toctree}" not in full
    assert tokens(short) <= 3_000 and tokens(full) <= 45_000


def test_the_skill_is_what_the_command_offers() -> None:
    shown = printed("import for_programs; print(for_programs.skill(), end='')")
    kept = SKILL.read_text(encoding="utf-8")
    assert kept == shown, "SKILL.md is out of date: run python docs/for_programs.py"
    assert "`posts update" in kept and tokens(kept) <= 1_250


def test_the_skill_is_in_the_wheel(tmp_path: Path) -> None:
    [wheel] = WheelBuilder(str(ROOT / "cli")).build(directory=str(tmp_path))
    with ZipFile(wheel) as file:
        assert file.read(f"social_publishing_cli/{SKILL.name}") == SKILL.read_bytes()


def test_each_resource_has_a_page_of_its_own(site: dict[str, Links]) -> None:
    reference = (ROOT / "generated/client/api.md").read_text(encoding="utf-8")
    parts = re.split(r"^## ", reference, flags=re.M)[1:]
    methods = {name for part in parts for name in re.findall(r"^### (\w+\.\w+)$", part, re.M)}
    assert len(methods) > 20
    for name in methods:
        resource = name.partition(".")[0]
        page = site[f"reference/methods/{resource}.html"]
        assert name.replace(".", "") in page.anchors
        others = {each.replace(".", "") for each in methods if not each.startswith(f"{resource}.")}
        assert not others & page.anchors
    links = set(site["reference/api.html"].links)
    for name in methods:
        assert f"methods/{name.partition('.')[0]}.html#{re.sub('[._]', '-', name)}" in links


def test_a_link_that_leads_nowhere_fails_the_build(tmp_path: Path) -> None:
    """Also one in a page that is included, and one to a file that is no part of the site."""
    (tmp_path / "docs").mkdir()
    for file in ("conf.py", "splitting.py", "for_programs.py", "in_browser.py"):
        shutil.copyfile(DOCS / file, tmp_path / "docs" / file)
    (tmp_path / "docs/_static").mkdir()
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (tmp_path / "included.md").write_text("# Included\n\n[an anchor](#not-included)\n")
    (tmp_path / "LICENSE").write_text("A file.\n")
    (tmp_path / "docs/index.md").write_text(
        "# Index\n\n[a page](nowhere.md), [a heading](other.md#nowhere), [here](#not-here),\n"
        "[a folder](../tests), [a name](nothing)\n\n```{toctree}\nother\n```\n"
    )
    (tmp_path / "docs/other.md").write_text("```{include} ../included.md\n```\n")
    done = sphinx(tmp_path / "docs", tmp_path / "site", "dummy")
    assert done.returncode == 1
    for each in (
        "'nowhere.md'",
        "'other': 'nowhere'",
        "'not-here'",
        "'../tests'",
        "'nothing'",
        "included.md:3: WARNING: 'myst' cross-reference target not found: 'not-included'",
    ):
        assert each in done.stderr, each


def test_the_page_for_assistants_has_a_row_for_each_tool() -> None:
    """In the order in which people meet them; a new tool needs its row, and a gone one loses it."""
    listed = json.loads((SKILL.parent / "catalogue" / "tools.json").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    table = page.partition("| tool | what it is for |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", table, re.M)
    assert sorted(name for name, _ in rows) == sorted(listed), "docs/agents.md, table of tools"
    assert all(text.strip() for _, text in rows)
