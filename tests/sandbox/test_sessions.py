"""All that a sandbox shows to somebody: a file of `sessions/` has what is typed, and what is shown.

What is typed stands after `$`: `ada GET /posts` is a request of the user Ada, with a body behind
it, and `ada UPLOAD a.gif` that of a file; `control POST /reset` one of the control API;
`page /calendar` a page of the console, `shell /calendar` what stands around it, and `form
/clock/step to=day` what its form leads to; `rude` asks without saying what it accepts;
`sandbox …` is the command. Names in `<…>` stand for identifiers, and `{operation.argument}` for the
name of a parameter. Of an object or a page that was shown already, only what has changed is shown
again. Behind an arrow stand the events of those who watch.
"""

from __future__ import annotations

import difflib
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup, NavigableString, Tag
from wire import Json, exchange, ids

from social_publishing_sandbox import Sandbox, cli
from social_publishing_sandbox.api import http
from social_publishing_sandbox.console import requests
from social_publishing_sandbox.console.base import PAGES
from social_publishing_sandbox.state.rate_limit import RateLimit
from tests.support.documents import sent_as

SESSIONS = Path(__file__).parent / "sessions"
PICTURE = b"GIF89a\2\0\1\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\2\0\1\0\0\2\2\4\n\0;"  # two by one


@pytest.mark.parametrize("name", sorted(each.stem for each in SESSIONS.glob("*.txt")))
def test_session(
    name: str, golden: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = SESSIONS / f"{name}.txt"
    lines = file.read_text(encoding="utf-8").splitlines()
    ticking = itertools.count(1_796_000_000_250, 1_500)
    real = SimpleNamespace(time=lambda: next(ticking) / 1_000, perf_counter_ns=lambda: 0)
    for module in (http, requests):
        monkeypatch.setattr(module, "time", real)
    monkeypatch.setenv("COLUMNS", "100")
    sandbox = Sandbox(SESSIONS / "world.yaml", clock="frozen", rate_limit=None)
    sandbox.service.limits = RateLimit(None, real=lambda: 1_796_000_000)
    session = Session(sandbox, capsys)
    said = [f"{line}\n{session.run(line[2:])}" for line in lines if line.startswith("$ ")]
    assert said
    golden(file, "".join(said))
    sandbox.close()


class Session:
    """Somebody who asks a sandbox one thing after the other, without sockets."""

    def __init__(self, sandbox: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
        self.sandbox = sandbox
        self.capsys = capsys
        self.known = ids(sandbox)
        self.shown: dict[str, Json] = {}
        self.pages: dict[str, list[str]] = {}
        self.heard = sandbox.events.last_number

    def run(self, line: str) -> str:
        line = re.sub(r"<([^>]+)>", lambda match: self.known[match[1]], line)
        line = re.sub(r"{(\w+)\.(\w+)}", lambda match: sent_as(*match.groups()), line)
        who, what, *rest = line.split(" ", 3)
        if who == "sandbox":
            return self._command(line.split(" ")[1:])
        if who == "page":
            said = self._page(what if what.startswith("/_") else f"{PAGES}{what}")
        elif who == "shell":
            said = self._page(f"{PAGES}{what}", shell=True)
        elif who == "form":
            form: dict[str, list[str]] = {}
            for name, _, value in (each.partition("=") for each in line.split(" ")[2:]):
                form.setdefault(name, []).append(value)
            response = self._ask("POST", f"{PAGES}{what}", data=form)
            said = self._page(response.headers.get("location", ""), response)
        else:
            said = self._json(who, what, *rest)
        said = re.sub(r"(Documents \| |static/|boundary=)[0-9a-f]+", r"\1…", said)  # a digest
        said += self._events()
        self.known = ids(self.sandbox)
        names = {identifier: name for name, identifier in self.known.items()}
        return re.sub(r"\d{19,20}", lambda match: f"<{names.get(match[0], '')}>", said)

    def _events(self) -> str:
        """What those are told who watch: kinds of changes, with what each is about."""
        changes = self.sandbox.events.since(self.heard)
        self.heard = self.sandbox.events.last_number
        told = [" ".join(map(str, (each.kind, *each.facts.values()))) for each in changes]
        return f"  → {', '.join(told)}\n" if told else ""

    def _command(self, words: list[str]) -> str:
        try:
            status = cli.main(words)
        except SystemExit as end:
            status = int(end.code or 0)
        out, err = self.capsys.readouterr()
        # What Pythons and systems write in different ways, and what is drawn anew each time.
        said = re.sub(r"(?s)usage: .*?\n\n", "", out) + err.replace("\\", "/")
        said = re.sub(r"(-\w) [A-Z]+, (--\w+)", r"\1, \2", said)
        said = re.sub(r":\d+/_sandbox", ":…/_sandbox", re.sub("  +", "  ", said))
        lines = [*said.splitlines(), *[f"exit status {status}"] * bool(status)]
        return "".join(f"  {line}\n" for line in lines if line)

    def _ask(self, method: str, path: str, token: str = "", **sent: Any) -> Any:
        token = token or self.sandbox.control_token
        headers = {"authorization": f"Bearer {token}", "accept": "application/json"}
        headers |= {"user-agent": "somebody", "accept-encoding": "identity"}
        if token == "rude":
            headers |= {"accept": "*/*", "content-type": "text/plain"}
        api, _, path = path.rpartition(":/")
        app = self.sandbox.media_app if api else self.sandbox.app
        url = f"{self.sandbox.service.origins[api or 'main']}/{path.removeprefix('/')}"
        return exchange(app, method, url, headers=headers, **sent)

    def _json(self, who: str, method: str, path: str, body: str = "") -> str:
        sent: Json = {"json": json.loads(body)} if body[:1] == "{" else {}
        if method == "UPLOAD":
            sent = {"files": {"file": (path, body.encode() or PICTURE)}}
            response = self._ask("POST", "media:/api/v1/upload", who, **sent)
        elif who == "control":
            response = self._ask(method, f"/_sandbox{path}", **sent)
        else:
            base = "media:/api" if path.startswith("media:") else ""
            response = self._ask(method, f"{base}/v1{path.removeprefix('media:')}", who, **sent)
        status = f"{response.status_code} " * (response.status_code != 200)
        told = ["allow", "retry-after", "www-authenticate"]
        told += ["x-ratelimit-remaining"] * (response.status_code == 429)
        status += "".join(
            f"{each}: {response.headers[each]} " for each in told if each in response.headers
        )
        value = self._fresh(response.json()) if response.content else None
        rows = value if isinstance(value, list) and value else [value]
        if isinstance(value, dict) and isinstance(value.get("data"), list):  # a page
            rows = [*value["data"], value["meta"]]
        return "".join(f"  {status}{json.dumps(each, ensure_ascii=False)}\n" for each in rows)

    def _fresh(self, value: Any) -> Any:
        """Return a value without what was shown of its objects before."""
        if isinstance(value, list):
            return [self._fresh(each) for each in value]
        if not isinstance(value, dict):
            return value
        fresh = {key: self._fresh(each) for key, each in value.items()}
        if not isinstance(identifier := value.get("id"), str):
            return fresh
        before = self.shown.get(identifier, {})
        gone = [key for key in before.keys() - value.keys() if is_always_there(before[key])]
        self.shown[identifier] = {
            key: each for key, each in {**before, **value}.items() if key not in gone
        }
        return {
            key: each
            for key, each in fresh.items()
            if key == "id" or before.get(key, NOTHING.get(repr(each))) != value[key]
        } | ({"gone": sorted(gone)} if gone else {})

    def _page(self, path: str, response: Any = None, shell: bool = False) -> str:
        response = self._ask("GET", path) if path else response
        page = BeautifulSoup(response.text, "html.parser")
        shown = page.select("nav.side, header.top" if shell else "main")
        pieces = "".join(piece for part in shown for piece in _pieces(part)) or response.text
        if shell:
            pieces += f"\n{page.title.text}\nlive: {page.body.get('data-live')}"
        lines = [" ".join(line.split()) for line in pieces.split("\n") if line.strip()]
        lines += [f"status {response.status_code}"] * (response.status_code != 200)
        place = "shell" if shell else str(response.url).partition("?")[0]
        before, self.pages[place] = self.pages.get(place, []), lines
        if before:
            changes = list(difflib.ndiff(before, lines))
            lines = [each for each in changes if each[0] == "+"]
            lines += [f"- {gone} lines" for gone in [sum(e[0] == "-" for e in changes)] if gone]
        return "".join(f"  {line}\n" for line in lines)


def is_always_there(value: Any) -> bool:
    """Return whether a member is no relation, which is given only where somebody asks for it."""
    return bool(value) and (
        "id" not in value if isinstance(value, dict) else not isinstance(value, list)
    )


NOTHING: Json = {"None": None, "[]": [], "False": False}
"""What is not worth a word where it is shown for the first time."""

BLOCKS = {"tr", "li", "p", "h1", "h2", "h3", "form", "nav", "header", "div", "section", "article"}
CLASSES = re.compile(r"(is-.+|over.*|outside|today|free|off|x\d|failed|wrong|c\d)$")


def _pieces(node: Tag) -> Iterator[str]:
    """Yield what somebody sees of a part of a page, and what a click or a key would do."""
    if node.name == "svg" and not node.find("polyline"):
        return
    words = [each for each in node.get_attribute_list("class") if each and CLASSES.match(each)]
    words += [each for each in ("disabled", "checked", "aria-current") if each in node.attrs]
    if node.name == "select":
        options = node.find_all("option")
        chosen = next((each for each in options if "selected" in each.attrs), options[0])
        texts = ", ".join(each.get_text() for each in options)
        yield f" [{node['name']}={chosen.get_text()} of {texts}] "
        return
    if node.name in ("input", "button", "textarea"):
        given = (f"{key}={node[key]}" for key in ("name", "value", "min", "max") if node.get(key))
        words += given
    words += [f"{key}: {node[key]}" for key in ("title", "points", "data-speed") if node.get(key)]
    if href := node.get("href") or node.get("src") or node.get("action"):
        words.append(f"→ {unquote(str(href)).removeprefix(PAGES)}")
    around = f"{node.get('class')} {node.parent.get('class') if node.parent else ''}"
    is_apart = (node.name in BLOCKS or "kinds" in around) and "bare" not in around
    yield "\n" * is_apart
    for child in node.children:
        if isinstance(child, Tag):
            yield from _pieces(child)
        elif type(child) is NavigableString:
            yield str(child).replace("\n", " ")
    if words:
        yield f" [{', '.join(words)}] "
    yield " | " if node.name in ("td", "th", "dt") else "\n" * is_apart
