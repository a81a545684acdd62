"""`/docs` and `/openapi.json`: what they say, that it is true, and that they need nobody else."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast
from urllib.parse import urljoin

import httpx2
import pytest
from openapi_spec_validator import validate

from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.reference.notes import annotated
from social_publishing_sandbox.state.documents import Document
from tests.sandbox.wire import exchange, world

APIS = ("main", "media")
SITE = "http://site.test:1234"
GAPS = "/docs/gaps"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(world(posts=[{"name": "Rolls"}]), clock="frozen") as found:
        yield found


def fetch(
    sandbox: Sandbox, api: str, path: str, status: int = 200, **given: Any
) -> httpx2.Response:
    """What an origin responds to a GET, by nobody unless headers are given."""
    app = sandbox.app if api == "main" else sandbox.media_app
    response = exchange(app, "GET", urljoin(SITE, path), **given)
    assert response.status_code == status, response.text
    return response


def of(sandbox: Sandbox, api: str) -> Document:
    contract = sandbox.service.contract
    return contract.main if api == "main" else contract.media


# The document


def stripped(node: Any) -> Any:
    """A copy without the texts of descriptions."""
    if isinstance(node, list):
        return [stripped(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        name: stripped(value)
        for name, value in node.items()
        if not (name == "description" and isinstance(value, str))
    }


def descriptions(node: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every description with its place."""
    if isinstance(node, list):
        node = {str(index): each for index, each in enumerate(node)}
    if isinstance(node, dict):
        if isinstance(node.get("description"), str):
            yield place, node["description"]
        for name, value in node.items():
            yield from descriptions(value, f"{place}/{name}")


@pytest.mark.parametrize("api", APIS)
def test_the_document_has_notes_and_this_address(sandbox: Sandbox, api: str) -> None:
    document = of(sandbox, api)
    served = fetch(sandbox, api, "/openapi.json").json()
    assert served["servers"] == [{"url": SITE + document.base, "description": "This sandbox."}]
    served["servers"] = document.data["servers"]
    assert stripped(served) == stripped(document.data)
    shown = dict(descriptions(served))
    for place, text in descriptions(document.data):
        unlinked = re.sub(r"\(\[([\w.]+)\]\(/docs/gaps#\1\)\)\.", r"(\1).", shown[place])
        assert unlinked.startswith(text)
    validate(served)


@pytest.mark.parametrize("api", APIS)
def test_each_operation_says_what_is_assumed_in_it(sandbox: Sandbox, api: str) -> None:
    served = fetch(sandbox, api, "/openapi.json").json()
    seen = 0

    def look(node: Any, text: str) -> None:
        nonlocal seen
        for each in node.values() if isinstance(node, dict) else node:
            if isinstance(each, dict | list):
                look(each, text)
        for gap in node.get("x-assumed", []) if isinstance(node, dict) else ():
            assert f"({GAPS}#{gap})" in text
            assert served["x-gaps"][gap]["because"] in text
            seen += 1

    for operation in (each for item in served["paths"].values() for each in item.values()):
        look(operation, operation["description"])
    assert seen > (50 if api == "main" else 8)
    text = json.dumps(served["components"], ensure_ascii=False)
    named = set(re.findall(r"assumed \(\[([\w.]+)\]\(/docs/gaps#\1\)\)\.", text))
    assert named and not re.search(r"assumed \(\w", text), "each label leads to its gap"
    assert all("basis" in served["x-gaps"][each] for each in named)


def test_the_document_counts_its_gaps(sandbox: Sandbox) -> None:
    served = fetch(sandbox, "main", "/openapi.json").json()
    assumed = sum("basis" in each for each in served["x-gaps"].values())
    known = sum("evidence" in each for each in served["x-gaps"].values())
    left = len(served["x-gaps"]) - assumed - known
    text = served["info"]["description"]
    confirmed = f", {known} confirmed" if known else ""
    assert f"({assumed} assumed, {left} left open{confirmed})" in text
    assert f"]({GAPS}) has all {len(served['x-gaps'])}." in text


REGISTER = {
    "a.guess": {"section": "2", "missing": "A.", "basis": "seen", "because": "It was."},
    "a.fact": {"section": "2", "missing": "F.", "because": "No.", "evidence": "Ticket 1."},
    "a.hole": {"section": "2", "missing": "H.", "decision": "open", "because": "No use."},
}
GUESS = f"> **Assumed:** A. *Seen:* It was. [a.guess]({GAPS}#a.guess)"
FACT = f"> **Confirmed:** F. *Evidence:* Ticket 1. [a.fact]({GAPS}#a.fact)"
HOLE = f"> **Left open:** H. *Why:* No use. [a.hole]({GAPS}#a.hole)"


def test_a_note_says_what_was_decided_and_why() -> None:
    body = {"x-confirmed": ["a.fact"], "example": [{"x-gap": ["a.guess", "a.hole"]}]}
    given = {
        "both": {"description": "Text.", "x-assumed": ["a.guess"], "requestBody": body},
        "open": {"parameters": [{"x-gap": "a.hole"}, {"x-gap": "a.hole"}]},
        "unknown": {"x-assumed": ["nobody.knows"]},
    }
    paths = {"/a": {name: {**each, "responses": {}} for name, each in given.items()}}
    shown = annotated({"info": {"title": "T"}, "x-gaps": REGISTER, "paths": paths})
    assert {name: each.get("description") for name, each in shown["paths"]["/a"].items()} == {
        "both": f"Text.\n\n{GUESS}\n\n{FACT}\n\n{HOLE}",
        "open": HOLE,
        "unknown": None,
    }


# The pages


class Tags(HTMLParser):
    """The tags of a page, with their attributes, and the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("path", ["/docs", GAPS])
@pytest.mark.parametrize("api", APIS)
def test_a_page_takes_everything_from_its_own_origin(sandbox: Sandbox, api: str, path: str) -> None:
    response = fetch(sandbox, api, path)
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    policy = response.headers["content-security-policy"]
    allowed = {each.split()[0]: each.split()[1:] for each in policy.split(";")}
    assert allowed.pop("img-src") == ["'self'", "data:"]
    assert allowed.pop("default-src") == ["'none'"]
    assert all(each in (["'self'"], ["'none'"]) for each in allowed.values())
    page = Tags(response.text)
    assert not [tag for tag, found in page.tags if tag == "style" or "style" in found]
    assert all("src" in found for tag, found in page.tags if tag == "script")
    assert not [name for _, found in page.tags for name in found if name.startswith("on")]
    taken = {
        cast("str", found.get("src") or found.get("href"))
        for tag, found in page.tags
        if tag in ("script", "link", "img")
    }
    assert taken and all(each.startswith("/docs/assets/") for each in taken)
    for each in taken:
        content = fetch(sandbox, api, each)
        kinds = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
        assert content.headers["content-type"].startswith(kinds[each.rpartition(".")[2]])
        assert "immutable" in content.headers["cache-control"]
        assert content.headers["x-content-type-options"] == "nosniff"
        assert len(content.content) > 100


@pytest.mark.parametrize("api", APIS)
def test_the_list_has_every_gap(sandbox: Sandbox, api: str) -> None:
    register = of(sandbox, api).data["x-gaps"]
    page = Tags(fetch(sandbox, api, GAPS).text)
    assert [found["id"] for tag, found in page.tags if tag == "tr" and "id" in found] == sorted(
        register, key=lambda gap: ("basis" not in register[gap], "evidence" not in register[gap])
    )
    for entry in register.values():
        assert entry["missing"].replace("`", "") in page.text
        assert (entry.get("evidence") or entry["because"]).replace("`", "") in page.text


def test_the_list_shows_texts_as_they_are(tmp_path: Path, sandbox: Sandbox) -> None:
    for document in sandbox.service.contract.documents:
        data = copy.deepcopy(document.data)
        data["info"]["title"] = "<b>T</b>"
        data["x-gaps"] = {
            "a.guess": {"missing": "<i>`<u>`</i>", "basis": "seen", "because": "It is."},
            "a.fact": {"missing": "F.", "because": "No.", "evidence": "<s>Ticket</s> 1."},
        }
        (tmp_path / f"{document.name}.json").write_text(json.dumps(data), encoding="utf-8")
    found = Sandbox(documents=tmp_path)
    page = fetch(found, "main", GAPS)
    found.close()
    assert {"u", "s"}.isdisjoint(tag for tag, _ in Tags(page.text).tags)
    assert "&lt;b&gt;T&lt;/b&gt;" in page.text
    assert "&lt;i&gt;<code>&lt;u&gt;</code>&lt;/i&gt;" in page.text
    assert "Confirmed <small>1</small>" in page.text
    assert "&lt;s&gt;Ticket&lt;/s&gt; 1." in page.text


@pytest.mark.parametrize("path", ["/docs", GAPS, "/openapi.json"])
def test_what_everybody_may_read_holds_no_token(sandbox: Sandbox, path: str) -> None:
    for api in APIS:
        text = fetch(sandbox, api, path).text
        for token in (*sandbox.tokens.values(), sandbox.control_token):
            assert f'"{token}"' not in text and f"token={token}" not in text
