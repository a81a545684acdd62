"""Traffic held against the register: a library's API, and recordings of it.

`evidence/expected/` has for each recording what is told and what is proposed.
"""

from __future__ import annotations

import base64
import copy
import itertools
import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from generate_support import configuration, said
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.cli import main
from pipeline.config import Config, load_config
from pipeline.evidence import Report, page, reading, text, weigh, write
from pipeline.evidence import report as reports
from pipeline.evidence.documented import Documented
from pipeline.evidence.exchanges import Body, Exchange, caller_of, headers_of
from pipeline.evidence.naming import likeness
from pipeline.evidence.proposing import texts
from pipeline.evidence.revising import nullable
from pipeline.evidence.routes import Routes
from pipeline.evidence.verdicts import Seen
from pipeline.openapi.documents import Document, load, loads
from pipeline.openapi.overlay.applying import apply
from pipeline.openapi.overlay.reading import parse_overlay
from pipeline.openapi.problems import PipelineError
from pipeline.steps import Effective, effective

CASES = Path(__file__).parent / "evidence"
AGAINST = ("refuted", "contradictory")
BROWSED = "https://books.example/app/lib/v2"
MADE = {"document": "https://a.example/lib/v2"}
CONFIG = configuration(
    "library",
    pipeline='gaps = "gaps.yaml"\n',
    source='overlays = ["overlay.yaml"]\nconfirmed = "confirmed"\naddress = "api_url"\n',
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for file in ("document.yaml", "overlay.yaml", "gaps.yaml"):
        shutil.copy(CASES / file, tmp_path)
    (tmp_path / "confirmed").mkdir()
    (tmp_path / "pyproject.toml").write_text(CONFIG, encoding="utf-8")
    return tmp_path


@pytest.fixture
def effects(project: Path) -> Effects:
    return loaded()


Effects = tuple[Config, Effective]
Held = Callable[..., Report]
DOCUMENTS: dict[tuple[tuple[str, bytes], ...], Effective] = {}
"""By the files of which they are made: to read these takes longer than to weigh what was seen."""


def loaded() -> Effects:
    """Return the configuration of the current folder, and its documents."""
    config = load_config(Path("pyproject.toml"))
    names = ("pyproject.toml", "document.yaml", "overlay.yaml", "gaps.yaml")
    files = [Path(name) for name in names]
    files += sorted(each for each in Path("confirmed").rglob("*") if each.is_file())
    made_of = tuple((str(each), each.read_bytes()) for each in files)
    if made_of not in DOCUMENTS:
        DOCUMENTS[made_of] = effective(config)
    return config, DOCUMENTS[made_of]


@pytest.fixture
def held(project: Path) -> Held:
    def hold(*names: str, **options: Any) -> Report:
        for name in names:
            shutil.copy(CASES / "traffic" / name, project)
        options.setdefault("addresses", {"document": BROWSED})
        return weigh(*loaded(), [Path(name) for name in names], **options)

    return hold


def states(report: Report) -> dict[str, str]:
    return {verdict.gap.id: verdict.state for verdict in report.verdicts}


def seen(report: Report, gap: str) -> Sequence[Seen]:
    return next(verdict.seen for verdict in report.verdicts if verdict.gap.id == gap)


@pytest.mark.parametrize("name", ["assumed.yaml", "different.yaml", "both.yaml", "browser.har"])
def test_what_is_told_and_proposed(name: str, held: Held, golden: Any, project: Path) -> None:
    report = held(name)
    told = text(report, 80)
    # An overlay is to be copied: what YAML cannot break stays whole.
    assert max(len(line) for line in told.splitlines() if line[:4].strip()) <= 80
    golden(CASES / "expected" / f"{Path(name).stem}.txt", told)
    write(report, project / "proposed")
    proposed = project / "proposed/document/traffic.yaml"
    golden(CASES / "expected" / f"{Path(name).stem}.overlay.yaml", proposed.read_text())
    # What is proposed becomes what is known: nothing is against it any more.
    shutil.copy(proposed, project / "confirmed")
    assert main(["generate"]) == 0
    again = held(name)
    against = {gap for gap, state in states(again).items() if state in AGAINST}
    assert not against & {*report.proposals["document"]}
    # Under the right name other things can be seen; what is known is not proposed again.
    assert not {*again.proposals.get("document", {})} & {*report.proposals["document"]}


# --- Whose traffic it is ------------------------------------------------------------------------


def test_a_client_proves_no_name_by_sending_it(held: Held) -> None:
    """A server that ignores what it does not know would answer the same."""
    other, own = held("browser.har"), held("browser.har", client="own")
    assert states(other)["books.shelf"] == states(other)["books.isbns"] == "confirmed"
    assert states(own)["books.shelf"] == states(own)["books.isbns"] == "consistent"
    # What stands in the place of a demanded name speaks for itself, whoever sent it.
    assert states(own)["loans.first"] == states(other)["loans.first"] == "refuted"
    assert "own" not in other.own and "generated client" in own.own


@pytest.mark.parametrize(
    ("agent", "state"),
    [("library/1.0", "consistent"), ("Mozilla/5.0", "confirmed"), (None, "consistent")],
)
def test_whose_traffic_is_told_by_the_name_of_the_client(
    project: Path, agent: str | None, state: str
) -> None:
    headers = {} if agent is None else {"user-agent": agent}
    report = weighed(exchange("GET", "/lib/v2/books?shelf=north", 200, {}, asked=headers))
    assert states(report)["books.shelf"] == state


def exchange(
    method: str,
    target: str,
    status: int,
    body: object = None,
    *,
    sent: object = None,
    asked: dict[str, str] | None = None,
    headers: dict[str, str] | None = None,
) -> dict[str, Any]:
    """An interaction of a recording."""
    request: dict[str, Any] = {"api": "document", "method": method, "target": target}
    response: dict[str, Any] = {"status": status, "headers": headers or {}}
    request["headers"] = asked or {}
    if sent is not None:
        request["body"] = {"json": sent}
    if body is not None:
        response["headers"] = {"content-type": "application/json", **response["headers"]}
        response["body"] = {"json": body}
    return {"request": request, "response": response}


def wrong(name: str) -> dict[str, Any]:
    """A refusal that names a field."""
    return {"message": "Wrong.", "errors": {name: ["Not so."]}}


def weighed(*interactions: dict[str, Any], **options: Any) -> Report:
    """What traffic says that is made up here, in the folder of the project."""
    recording = {"format": 1, "name": "made", "api_path": "/lib/v2", "documents": {}}
    Path("made.yaml").write_text(json.dumps({**recording, "interactions": list(interactions)}))
    return weigh(*loaded(), [Path("made.yaml")], addresses={}, **options)


def copied(query: str) -> dict[str, str]:
    """A list whose next page has an address with this query."""
    return {"next": f"https://a.example/lib/v2/books?{query}"}


BOOK = {"isbn": "1"}
NAMED = {"isbn": "1", "shades": {}, "named": "x", "kind": "novel", "state": "lent"}
NO = {"message": "No."}
SHELF = {"items": [{"isbn": "1", "state": "fiction"}]}
LENT = "/lib/v2/loans?first=2026-11-01T00:00:00Z&last=2026-12-01T00:00:00Z"


@pytest.mark.parametrize(
    ("gap", "state", "interactions"),
    [
        # The service refuses by a name; to accept it is no sign, as any name might be.
        ("paging.parameter", "consistent", [("GET", "/books?page=1", 200, {"number": 1})]),
        ("books.shelf", "consistent", [("GET", "/books?shelf=fiction", 200, SHELF)]),
        ("books.shelf", "confirmed", [("GET", "/books?shelf=0", 422, wrong("shelf"))]),
        ("books.shelf", "not seen", [("GET", "/books?shelf=0", 422, wrong("isbns"))]),
        # A title or a code of the error is no reason that is given for a name.
        ("books.shelf", "not seen", [("GET", "/books?shelf=0", 400, {"shelf": "Bad", "code": 1})]),
        # A comma in a text makes no list of it, nor does one with nothing behind it.
        ("books.isbns", "not seen", [("GET", "/books?isbns=One,%20two", 200, {})]),
        ("books.isbns", "not seen", [("GET", "/books?isbns=1,", 200, {})]),
        ("books.isbns", "consistent", [("GET", "/books?isbns=1,2", 200, {})]),
        ("books.isbns", "not seen", [("GET", "/books?isbns=1", 200, {})]),
        # An answer without the demanded name: there is another, or it is not demanded.
        ("loans.first", "refuted", [("GET", "/loans", 200, {})]),
        ("loans.first", "not seen", [("GET", "/loans?from=2026-11-01", 422, {"message": "No."})]),
        # Success: the code, and whether there is a body.
        ("success.dropBook", "confirmed", [("DELETE", "/books/1", 204)]),
        ("success.dropBook", "refuted", [("DELETE", "/books/1", 204, BOOK)]),
        ("success.addBook", "refuted", [("POST", "/books", 200)]),
        ("success.addBook", "consistent", [("POST", "/books", 200, {"error": "No."})]),
        ("success.addBook", "not seen", [("POST", "/books", 302)]),
        # Refusals: all of the listed codes, with their bodies, and no other one.
        ("errors.addBook", "consistent", [("POST", "/books", 401, {"message": "No."})]),
        ("errors.addBook", "refuted", [("POST", "/books", 401, {"errors": {}})]),
        ("errors.addBook", "not seen", [("POST", "/books", 405, {"message": "No."})]),
        ("errors.dropBook", "confirmed", [("DELETE", "/books/1", 404, {"message": "No."})]),
        ("errors.dropBook", "refuted", [("DELETE", "/books/1", 404, ["No."])]),
        ("limits.status", "consistent", [("GET", "/books", 429, {"message": "No."})]),
        # Values, by what else would fit.
        ("book.pages", "not seen", [("GET", "/books/1", 200, {**BOOK, "pages": 7})]),
        ("book.pages", "confirmed", [("GET", "/books/1", 200, {**BOOK, "pages": 7.5})]),
        ("book.pages", "refuted", [("GET", "/books/1", 200, {**BOOK, "pages": "7"})]),
        ("book.authors", "not seen", [("GET", "/books/1", 200, {**BOOK, "authors": []})]),
        ("book.authors", "refuted", [("GET", "/books/1", 200, {**BOOK, "authors": [{"id": "1"}]})]),
        ("book.kind", "consistent", [("GET", "/books/1", 200, {**BOOK, "kind": "novel"})]),
        ("book.kind", "answered", [("GET", "/books/1", 200, {**BOOK, "kind": "atlas"})]),
        ("book.state", "answered", [("GET", "/books/1", 200, {**BOOK, "state": "lent"})]),
        ("errors.fields", "refuted", [("POST", "/books", 422, {"message": "", "errors": []})]),
        ("loans.shape", "not seen", [("GET", LENT[7:], 200, [])]),
        ("addBook.required", "not seen", [("POST", "/books", 422, wrong("isbn"), {"title": "x"})]),
        *(
            ("loans.format", "consistent" if code in (400, 413, 414, 422) else "not seen",
             [("GET", "/loans?first=1&last=2", code, NO)])
            for code in (400, 401, 413, 414, 415, 422, 423, 500)
        ),
        *(
            ("book.state", "answered" if most <= 40 else "not seen",
             [("GET", f"/books/{n}", 200, {**BOOK, "state": f"s{n}"}) for n in range(most)])
            for most in (40, 41)
        ),
        # Requests, by what comes back.
        ("addBook.null", "consistent", [("POST", "/books", 200, BOOK, {"title": None})]),
        ("addBook.null", "refuted", [("POST", "/books", 422, wrong("title"), {"title": None})]),
        ("books.nulls", "not seen", [("POST", "/books", 200, BOOK, {"isbn": None})]),
        ("books.nulls", "answered", [("GET", "/books/1", 200, {**BOOK, "isbn": None})]),
    ],
)  # fmt: skip
def test_a_verdict(project: Path, gap: str, state: str, interactions: list[Any]) -> None:
    made = []
    for method, path, status, *more in interactions:
        body, sent = (*more, None, None)[:2]
        made.append(exchange(method, f"/lib/v2{path}", status, body, sent=sent))
    assert states(weighed(*made))[gap] == state


@pytest.mark.parametrize(
    "body",
    [
        {"message": "No.", "errors": {"from": ["Required."], "to": ["Required."]}},
        {"errors": {"from": "is required", "to": "is required"}},
        {"errors": [{"field": "from", "message": "No."}, {"field": "to", "message": "No."}]},
        {"detail": [{"loc": ["query", name], "msg": "No."} for name in ("from", "to")]},
        {"errors": [{"source": {"parameter": name}} for name in ("from", "to")]},
        {"errors": ["The to field is required.", "The from field is required."]},
        {"message": "Missing required parameter: until; Missing required parameter: since"},
        {"errors": {"until": ["No."], "since": ["No."]}},
    ],
)
@pytest.mark.parametrize("status", [400, 422])
def test_a_refusal_names_what_the_service_wants(
    project: Path, body: dict[str, Any], status: int
) -> None:
    """Whatever its form; each end of a range has its own name."""
    report = weighed(*[exchange("GET", LENT, status, body)] * 2)
    names = {
        gap: report.proposals["document"][gap][0]["update"]["name"]
        for gap in ("loans.first", "loans.last")
    }
    assert names in (
        {"loans.first": "from", "loans.last": "to"},
        {"loans.first": "since", "loans.last": "until"},
    )
    assert states(report)["loans.first"] == states(report)["loans.last"] == "refuted"
    assert [fact.name for fact in report.facts if "never" in fact.seen[0].text] == ["GET /loans"]


@pytest.mark.parametrize(
    ("interactions", "facts"),
    [
        # Who asks, and what is not there, is no argument; what a list had is there.
        ([("GET", LENT[7:], 401, NO)], []),
        ([("GET", "/books/77777", 404, NO)], []),
        ([("GET", "/books", 200, {"items": [{"isbn": "77777"}]}), ("GET", "/books/77777", 404, NO)],
         ["GET /books/{isbn}"]),
        ([("GET", "/books/1", 500, NO)], ["GET /books/{isbn}"]),
        ([("GET", "/books/1", 500, NO), ("GET", "/books/1", 200, BOOK)], []),
        # Values, headers, and fields in the place of others.
        ([("GET", "/books/1", 200, {"isbn": 1})], ["Book.isbn"]),
        ([("GET", "/books/1", 200, {"isbn": "1", "bought_on": "1.12.2026"})], ["Book.bought_on"]),
        ([("GET", "/books/1", 200, {"title": "x"})], ["Book.isbn"]),
        ([("GET", "/books/1", 200, NAMED), ("GET", "/books/2", 200, NAMED)], ["Book.title"]),
        # Also where the objects of another operation have it.
        ([("GET", "/books", 200, {"items": [{"isbn": "1", "title": "x", "shade": "x"}]}),
          ("GET", "/books/1", 200, NAMED), ("GET", "/books/2", 200, NAMED)], ["Book.title"]),
        ([("GET", "/books/1", 200, {"isbn": "1", "title": "x", "shade": "x"})], []),
        ([("GET", "/books/1", 200, {"isbn": "1", "sold_on": "2026-01-02T03:04:05Z"})],
         ["Book.returned_on"]),
        # An object of which the half is known is one of those; of which less is, is another.
        ([("GET", "/books/1", 200, {"isbn": "1", "shade": "x"})], []),
        ([("GET", "/books/1", 200, {"isbn": "1", "shade": "x", "hue": "x"})], ["Book"]),
    ],
)  # fmt: skip
def test_documented_facts(project: Path, interactions: list[Any], facts: list[str]) -> None:
    kept = {"x-limit": "9", "x-left": "9", "x-reset": "9"}
    made = [
        exchange(method, f"/lib/v2{path}", status, body, headers=kept)
        for method, path, status, body in interactions
    ]
    found = weighed(*made).facts
    assert {fact.name for fact in found} == {*facts}
    assert all(fact.position.file == "document.yaml" and fact.position.line > 1 for fact in found)
    del made[-1]["response"]["headers"]["x-left"]
    lacking = {fact.documented for fact in weighed(*made).facts}
    assert ("X-Left comes with every response" in lacking) == (interactions[-1][2] < 300)


def test_a_code_from_the_way_to_the_service_is_not_the_operations(project: Path) -> None:
    path, line = (
        project / "document.yaml",
        "        default: {$ref: '#/components/responses/Refusal'}\n",
    )
    path.write_text(path.read_text(encoding="utf-8").replace(line, ""), encoding="utf-8")
    codes = [*range(302, 305), *range(400, 453), 499, 500, 501, 599]
    report = weighed(*(exchange("GET", "/lib/v2/books/1", code, NO) for code in codes))
    told = [int(one.text[:3]) for fact in report.facts for one in fact.seen if "of get" in one.text]
    apart = {304, 405, 406, 407, 408, 421, 425, 426, 429, 431, 451, 500, 501, 599}
    assert {*told} == {*codes} - apart


def test_a_header_that_need_not_come_is_no_fact_to_contradict(project: Path) -> None:
    made = exchange("GET", "/lib/v2/books/1", 200, BOOK, headers={"x-limit": "9", "x-reset": "9"})
    (fact,) = weighed(made).facts
    shown = " ".join(text(weighed(made), 200).split())
    assert "correct the document with required: false at this header" in shown
    path, line = project / fact.position.file, fact.position.line
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[line - 1] = lines[line - 1].replace("{", "{required: false, ")  # as it says
    path.write_text("\n".join(lines), encoding="utf-8")
    assert not weighed(made).facts


PAGE: dict[str, Any] = {"items": []}
REFUSALS: list[tuple[list[Any], list[str]]] = [
    # A parameter that is refused by its name, or without which the same request succeeds.
    ([("/books?isbns=1", 422, wrong("isbns")), ("/books", 200, PAGE)], ["isbns"]),
    ([("/books?isbns=1&shelf=a", 422, wrong("isbns")), ("/books?shelf=b", 200, PAGE)], ["isbns"]),
    ([("/books?shelf=a", 500, NO), ("/books", 200, PAGE)], ["shelf"]),
    ([("/books?shelf=a", 403, NO), ("/books", 200, PAGE)], []),  # there may be no such shelf
    ([("/books?shelf=a&page=2", 422, NO), ("/books?page=1", 200, PAGE)], ["shelf"]),
    ([("/books?shelf=a&page=2", 422, NO), ("/books", 200, PAGE)], []),  # one of the two
    ([("/books?page=2", 422, NO), ("/books", 200, PAGE), ("/books?page=1", 200, PAGE)], []),
    ([("/books?page=x", 422, wrong("page")), ("/books", 200, PAGE)], []),  # it is no page
    ([("/books?isbns=77777", 422, NO), ("/books", 200, PAGE)], []),  # whose is it?
    # Who asks, and how often, unless the same client succeeds elsewhere.
    ([("/books/1", 401, NO), ("/books", 200, PAGE)], ["GET /books/{isbn}"]),
    ([("/books/1", 401, NO), ("/books", 200, PAGE, "other")], []),
    ([("/books/1", 429, NO), ("/books", 200, PAGE)], []),
    ([("/books/1", 429, NO)] * 2 + [("/books", 200, PAGE)], ["GET /books/{isbn}"]),
    ([("/books", 200, PAGE)] + [("/books/1", 429, NO)] * 2, []),
    ([("/books", 200, PAGE), *[("/books/1", 429, NO)] * 2] * 2, ["GET /books/{isbn}"]),
    ([("/books/1", 500, NO), ("/books/1", 304, None), ("/books/1", 302, None)], []),
    ([("/books/1", 302, None), ("/books", 200, PAGE)], ["GET /books/{isbn}"]),
    # A request that lacks what is demanded, or asks for too long a window.
    ([("/loans", 422, NO), ("/books", 200, PAGE)], []),
    ([(LENT[7:].replace("2026-12", "2027-12"), 422, NO)], []),
    ([(LENT[7:], 422, NO)], ["GET /loans"]),
    ([(LENT[7:].replace("2026-12-01", "2027-01-30"), 422, NO)], []),  # 90 days, which are not under
    ([(LENT[7:].replace("2026-12-01", "2027-01-29"), 422, NO)], ["GET /loans"]),
    ([(LENT[7:].replace("2026-11", "2027-11"), 422, NO)], []),  # the wrong way round
]


@pytest.mark.parametrize(("made", "names"), REFUSALS)
def test_what_is_always_refused(project: Path, made: list[Any], names: list[str]) -> None:
    """Though the documents allow it, whatever the status: an operation, or an argument."""
    kept = {"x-limit": "9", "x-left": "9", "x-reset": "9", "location": "/"}
    report = weighed(
        *(
            exchange("GET", f"/lib/v2{path}", status, body, headers=kept,
                     asked={"authorization": f"Bearer <{who[0] if who else 'token'}>"})
            for path, status, body, *who in made
        )
    )  # fmt: skip
    refused = [fact for fact in report.facts if "never succeeded" in fact.seen[0].text]
    assert [fact.name.split(" parameters ")[-1] for fact in refused] == names
    assert all(fact.position.line > 1 and report.speaks_against for fact in refused)
    assert "Bearer" not in text(report, 100)


@pytest.mark.parametrize(
    ("weights", "seen", "kinds"),
    [
        ([3, 0.125, 0.5004], "0.125 to 0.5, not an integer at Book.weight", "number"),
        (
            [3, "light", None],
            "a string, not an integer at Book.weight",
            ["integer", "string", "null"],
        ),
    ],
)
def test_another_type_leads_to_the_gap_of_the_unit(
    project: Path, weights: list[Any], seen: str, kinds: object
) -> None:
    made = [
        exchange("GET", f"/lib/v2/books/{number}", 200, {"isbn": "1", "weight": weight})
        for number, weight in enumerate(weights)
    ]
    report = weighed(*made)
    (fact,) = (each for each in report.facts if each.name == "Book.weight")
    assert [each.text for each in fact.seen] == [seen]
    lines = " ".join(" ".join(reports.entry(report, fact, 100)).split())
    assert "written document.yaml:141:9, overlay.yaml:79:5" in lines
    assert "gap book.weight: Its unit. Assumed: Weight in grams." in lines
    assert "confirm confirmed/book.weight.yaml: overlay: 1.1.0" in lines
    (update,) = (each["update"] for each in report.proposals["document"]["book.weight"][-1:])
    assert update["type"] == kinds
    assert ("description" in update) == (kinds == "number")
    write(report, project / "proposed")
    shutil.copy(project / "proposed/document/traffic.yaml", project / "confirmed")
    assert main(["lint"]) == 0
    assert not [each for each in weighed(*made).facts if each.name == "Book.weight"]


def weights(*values: Any) -> Report:
    """What is said where books have these weights, one after the other."""
    made = [{"isbn": "1", "weight": value} for value in values]
    return weighed(*(exchange("GET", f"/lib/v2/books/{n}", 200, b) for n, b in enumerate(made)))


@pytest.mark.parametrize("update", ["{type: number}", "{description: Weight in grams.}"])
def test_what_was_confirmed_and_is_wrong_is_for_people_to_correct(
    project: Path, update: str
) -> None:
    """Nobody but them knows whether traffic or what they confirmed is out of date."""
    known = (
        "overlay: 1.1.0\ninfo: {title: Known., version: '1'}\nactions:\n"
        f"  - target: $.components.schemas.Book.properties.weight\n    update: {update}\n"
        "    x-confirmed: {gap: book.weight, evidence: A letter.}\n"
    )
    (project / "confirmed/known.yaml").write_text(known)
    report = weights(3, 0.25, "light")
    assert "book.weight" not in report.proposals.get("document", {})
    assert report.lacking["book.weight"] == "confirmed/known.yaml:4:5 is wrong: correct it"


@pytest.mark.parametrize("weights", [["7"], [7.5, "7"]], ids=["refuted", "contradictory"])
def test_what_is_confirmed_counts_where_more_is_proposed(project: Path, weights: list[Any]) -> None:
    """Of one gap nothing is assumed any more: the proposals for others are tried beside it."""
    overlay = Path("overlay.yaml").read_text()
    whole = re.search(r"  - target: \S+Book.properties.pages.type\n.*\n.*\n", overlay)
    assert whole
    Path("overlay.yaml").write_text(overlay.replace(whole[0], ""))
    known = (
        whole[0]
        .replace("x-assumption", "x-confirmed")
        .replace("basis: convention, because: A guess.", "evidence: A letter.")
    )
    head = "overlay: 1.1.0\ninfo: {title: Known., version: '1'}\nactions:\n"
    (project / "confirmed/known.yaml").write_text(head + known)
    books = [{**BOOK, "pages": each, "authors": [{"id": 1}]} for each in weights]
    report = weighed(*(exchange("GET", "/lib/v2/books/1", 200, book) for book in books))
    assert report.lacking["book.pages"] == "confirmed/known.yaml:4:5 is wrong: correct it"
    assert "book.authors" in report.proposals["document"]


def test_a_schema_of_what_came_where_nothing_was_to_come(project: Path) -> None:
    one = {"on": "2026-01-02", "at": "2026-01-02T03:04:05Z", "n": 1, "x": [], "by": {"7": 1}}
    other = {**one, "n": 1.5, "x": ["a", 2], "z": None}
    report = weighed(*(exchange("DELETE", "/lib/v2/books/1", 200, each) for each in (one, other)))
    (action, *_) = report.proposals["document"]["success.dropBook"]
    schema = action["update"]["200"]["content"]["application/json"]["schema"]
    assert schema["required"] == ["on", "at", "n", "x", "by"]
    assert {
        name: {key: each[key] for key in each if key != "description"}
        for name, each in schema["properties"].items()
    } == {
        "on": {"type": "string", "format": "date"},
        "at": {"type": "string", "format": "date-time"},
        "n": {"type": "number"},
        "x": {"type": "array", "items": {"type": ["string", "integer"]}},
        "by": {"type": "object", "additionalProperties": {"type": "integer"}},
        "z": {"type": "null"},
    }


def test_of_each_gap_a_few_are_shown_and_each_file_by_a_name_of_its_own(project: Path) -> None:
    kinds = [exchange("GET", "/lib/v2/books/1", 200, {**BOOK, "kind": f"k{n}"}) for n in range(4)]
    for most, more in ((4, False), (5, True)):
        assert (f"{' ' * 11}and 1 more" in text(weighed(*kinds), 200).splitlines()) is more
        kinds.append(exchange("GET", "/lib/v2/books/1", 200, {**BOOK, "kind": f"k{most}"}))
    for folder in ("a", "b"):
        Path(folder).mkdir()
        shutil.copy("made.yaml", folder)
    report = weigh(*loaded(), [Path("a/made.yaml"), Path("b")], addresses={})
    assert text(report, 9) == text(report, 60) != text(report, 61)
    assert "once; made.yaml, " not in text(report, 200) and "a/made.yaml, 1: " in text(report, 200)


def test_what_else_is_assumed_stays_beside_the_types_that_came(project: Path) -> None:
    """But for words, such as a unit: they are what is in doubt."""
    schemas = "$.components.schemas"
    with Path("overlay.yaml").open("a") as overlay:
        for target, update in (
            ("BookInput.properties", "{weight: {type: integer, description: Weight.}}"),
            ("Book.properties.pages", "{description: Of what weighs.}"),
            ("Book.properties.pages", "{description: Of what weighs., x-unit: pages}"),
        ):
            overlay.write(f"  - target: {schemas}.{target}\n    update: {update}\n")
            words = "{gap: book.weight, basis: convention, because: A guess.}"
            overlay.write(f"    x-assumption: {words}\n")
    report = weights(3, 0.25)
    made = report.proposals["document"]["book.weight"]
    assert [(each["target"], each["update"]) for each in made] == [
        (
            f"{schemas}.Book.properties.weight",
            {"type": "number", "description": "Weight. In recorded traffic: 0.25."},
        ),
        (
            f"{schemas}.BookInput.properties",
            {"weight": {"type": "integer", "description": "Weight."}},
        ),
    ]


def test_a_type_that_came_where_the_gap_is_another_nodes_names_the_gap(project: Path) -> None:
    """Else nobody could tell, at the place where it is written, that it was ever in doubt."""
    text = Path("document.yaml").read_text()
    kind = "{type: integer, description: Weight., x-gap: book.weight}"
    assert text.count(kind) == 1
    referring = "{$ref: '#/components/schemas/Weight', description: Weight.}"
    text = text.replace(kind, referring).replace(
        "    BookInput:", f"    Weight: {kind}\n    BookInput:", 1
    )
    Path("document.yaml").write_text(text)
    overlay = Path("overlay.yaml").read_text()
    Path("overlay.yaml").write_text(overlay.replace("Book.properties.weight", "Weight"))
    report = weights(3, 0.25)
    removed, typed = report.proposals["document"]["book.weight"]
    assert removed["remove"] and "update" not in removed
    assert (typed["update"]["type"], typed["update"]["x-gap"]) == ("number", "book.weight")
    write(report, project / "proposed")
    shutil.copy(project / "proposed/document/traffic.yaml", project / "confirmed")
    assert main(["lint"]) == 0


def test_what_nothing_speaks_against_is_brief(held: Held) -> None:
    report = held("assumed.yaml", "different.yaml")
    brief, whole = (text(report, 80, every=every) for every in (False, True))
    assert all(each.gap.id in brief for each in report.verdicts)
    assert brief.count("overlay: 1.1.0") < whole.count("overlay: 1.1.0")
    assert len(brief.splitlines()) < len(whole.splitlines())
    for one in reports.against(report):
        assert "\n".join(reports.entry(report, one, 80)) in brief


def test_a_text_in_the_place_of_json_is_told_with_the_documented_types(project: Path) -> None:
    made = exchange("GET", "/lib/v2/books/1", 200, headers={"content-type": "text/plain"})
    made["response"]["body"] = {"text": "hello"}
    said = {fact.documented for fact in weighed(made).facts if "text/plain" in fact.seen[0].text}
    assert said == {"a body of application/json"}


@pytest.mark.parametrize(
    ("gap", "status", "text", "state"),
    [
        # A page for people comes from something on the way; its type alone is no body.
        ("success.dropBook", 200, "<html>", "not seen"),
        ("success.dropBook", 204, "", "confirmed"),
        ("success.dropBook", 200, "", "refuted"),
        ("errors.dropBook", 404, "<html>", "not seen"),
        ("errors.dropBook", 410, "<html>", "not seen"),
    ],
)
def test_pages_for_people(project: Path, gap: str, status: int, text: str, state: str) -> None:
    page = {"content-type": "text/html; charset=utf-8"}
    made = exchange("DELETE", "/lib/v2/books/1", status, headers=page)
    if text:
        made["response"]["body"] = {"text": text}
    assert states(weighed(made))[gap] == state


def assumed_too(gap: str, target: str, update: str) -> None:
    """One more assumption, in the folder of the project."""
    for name, more in {
        "gaps.yaml": f"  - {{id: {gap}, section: '1', missing: More., decision: overlay}}\n",
        "overlay.yaml": f"  - target: {target}\n    update: {update}\n"
        f"    x-assumption: {{gap: {gap}, basis: convention, because: A guess.}}\n",
    }.items():
        Path(name).write_text(Path(name).read_text() + more)


MAXIMUM = "$.paths['/books'].get.parameters[1].schema", "{maxItems: 2}"
RANGE = (
    "$.paths['/books/{isbn}'].get.responses",
    "{4XX: {$ref: '#/components/responses/Message', description: No.}}",
)
LEFT = "headers: {X-Left: {description: Left., schema: {type: integer}}}"
HEADED = (
    RANGE[0],
    f"{{'400': {{description: No., {LEFT}, content: {{application/json: {{schema: "
    "{$ref: '#/components/schemas/Message'}}}}}",
)
CODES = "$.components.schemas.Book.properties.weight", "{x-extensible-enum: [1, 2]}"
ASKED = "$.paths['/books'].get.parameters[0].schema", "{x-extensible-enum: [north]}"
MEMBER = "$.components.schemas.Book.properties", "{lent: {type: boolean, description: Lent.}}"


@pytest.mark.parametrize(
    ("assumed", "target", "status", "body", "state"),
    [
        (MAXIMUM, "/books?isbns=1,2,3", 200, {}, "refuted"),
        (MAXIMUM, "/books?isbns=1,2,3", 422, wrong("isbns"), "confirmed"),
        (MAXIMUM, "/books?isbns=1,2,3", 422, wrong("isbns.2"), "confirmed"),
        # It was refused for another reason.
        (MAXIMUM, "/books?isbns=1,2,3", 422, wrong("page"), "consistent"),
        (MAXIMUM, "/books?isbns=1,2,3", 404, {"message": "No."}, "not seen"),
        # A range of codes has every code in it.
        (RANGE, "/books/1", 410, {"message": "It is gone."}, "confirmed"),
        (RANGE, "/books/1", 410, ["It is gone."], "refuted"),
        # A refusal without the headers comes from something on the way.
        (HEADED, "/books/1", 400, {"message": "No."}, "consistent"),
        # Zero is a value as any other.
        (CODES, "/books/1", 200, {**BOOK, "weight": 0}, "answered"),
        (CODES, "/books/1", 200, {**BOOK, "weight": 2}, "consistent"),
        (ASKED, "/books?shelf=north", 200, {}, "consistent"),
        (ASKED, "/books?shelf=south", 200, {}, "answered"),
        (MEMBER, "/books/1", 200, {**BOOK, "lent": True}, "confirmed"),
        (MEMBER, "/books/1", 200, {**BOOK, "lent": "no"}, "refuted"),
        (MEMBER, "/books/1", 200, BOOK, "not seen"),
    ],
)
def test_one_more_assumption(
    project: Path, assumed: tuple[str, str], target: str, status: int, body: object, state: str
) -> None:
    assumed_too("more", *assumed)
    report = weighed(exchange("GET", f"/lib/v2{target}", status, body))
    assert states(report)["more"] == state


@pytest.mark.parametrize("update", ["{const: 2}", "{enum: [2]}", "{format: int32}"])
def test_no_word_of_what_was_refuted_is_proposed(project: Path, update: str) -> None:
    with Path("overlay.yaml").open("a") as overlay:
        overlay.write(f"  - target: {CODES[0]}\n    update: {update}\n")
        overlay.write("    x-assumption: {gap: book.weight, basis: convention, because: Why.}\n")
    *_, action = weights(2.5).proposals["document"]["book.weight"]
    assert action["update"].keys() <= {"type", "description"}


def test_all_that_fills_a_gap_is_proposed_together(project: Path) -> None:
    """The words for a server go along with the codes, those that are assumed and the one seen."""
    report = weighed(exchange("DELETE", "/lib/v2/books/1", 404, {"message": "Gone."}))
    assert len(report.proposals["document"]["errors.dropBook"]) == 2
    report = weighed(exchange("DELETE", "/lib/v2/books/1", 409, {"message": "It is lent."}))
    assert states(report)["errors.dropBook"] == "refuted"
    codes, words = report.proposals["document"]["errors.dropBook"]
    assert [*codes["update"]] == ["404", "409"] and "x-assume" in words["update"]


# --- All of it ----------------------------------------------------------------------------------


def _every() -> list[dict[str, Any]]:
    """The interactions of all recordings."""
    found = []
    for file in sorted((CASES / "traffic").glob("*.yaml")):
        found += load(file).data["interactions"]
    return found


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(
    chosen=st.lists(st.sampled_from(range(len(_every()))), min_size=1, max_size=30), data=st.data()
)
def test_no_verdict_depends_on_the_order(
    project: Path, chosen: list[int], data: st.DataObject
) -> None:
    """And one exchange that does not fit is enough: no other one makes it good."""
    every = _every()
    report = weighed(*(every[index] for index in chosen), checks=False)
    shuffled = data.draw(st.permutations(chosen))
    again = weighed(*(every[index] for index in shuffled), checks=False)
    assert _told(report) == _told(again)
    for verdict in report.verdicts:
        assert any(one.against for one in verdict.seen) == (verdict.state in AGAINST)
    fewer = weighed(*(every[index] for index in chosen[: len(chosen) // 2 + 1]), checks=False)
    worse = {gap for gap, state in states(fewer).items() if state in AGAINST}
    assert all(states(report)[gap] in AGAINST for gap in worse)


def _told(report: Report) -> list[Any]:
    return [
        (
            verdict.state,
            verdict.why,
            verdict.lacking,
            [(one.text, one.count) for one in verdict.seen],
        )
        for verdict in report.verdicts
    ]


def test_several_recordings_are_one_body_of_evidence(held: Held, project: Path) -> None:
    report = held("assumed.yaml", "different.yaml")
    assert states(report)["success.addBook"] == states(report)["errors.addBook"] == "contradictory"
    assert {one.text for one in seen(report, "loans.shape")} == {
        "an array at Loans",
        "an object at Loans",
    }
    assert report.exchanges == 22
    told = text(report, 80)
    assert "assumed.yaml, 6: " in told and "different.yaml, 3: " in told
    assert _told(held("different.yaml", "assumed.yaml")) == _told(report)


def test_a_folder_is_read_whole(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(CASES / "traffic", "seen")
    Path("seen/blobs").mkdir()
    Path("seen/notes.txt").write_text("mine")
    for name, other in (("browser.har", "BROWSER.HAR"), ("assumed.yaml", "a.Yml")):  # as people do
        Path("seen", name).rename(Path("seen", other))
    assert main(["gaps", "--evidence", "seen", f"--address=document={BROWSED}"]) == 0
    assert capsys.readouterr().out.startswith("38 exchanges: ")


@pytest.mark.parametrize(
    "name", ["Authorization", "COOKIE", "set-cookie", "Proxy-Authorization", "X-API-Key"]
)
def test_what_shows_who_asks_is_not_kept_and_tells_callers_apart(name: str) -> None:
    one, same, other = ([(name, value), ("Accept", "a")] for value in ("ann", "ann", "ben"))
    assert caller_of(one) == caller_of(same) != caller_of(other)
    assert caller_of([("Accept", "a")]) == ""
    both = [(name, "ann"), ("X-Api-Key", "9"), ("Cookie", "7")]
    assert caller_of(both) == caller_of([(key.lower(), value) for key, value in both[::-1]])
    assert headers_of(one) == {"accept": "a"}
    assert "ann" not in caller_of(one)


def test_nothing_personal_is_told(held: Held, project: Path) -> None:
    report = held("browser.har", "assumed.yaml", "different.yaml")
    write(report, project / "proposed")
    told = text(report, 80)
    told += (project / "proposed/document/traffic.yaml").read_text()
    for secret in ("very-secret", "Ann", "/ann", "visitor", "diary", "private", "978000", "token"):
        assert secret not in told


@pytest.mark.parametrize("place", ["names", "values", "keys", "texts", "type", "headers"])
@pytest.mark.parametrize("secret", ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.s_", "sekret12345x"])
def test_no_secret_is_told_wherever_it_stands(project: Path, place: str, secret: str) -> None:
    number = itertools.count()

    def marked(value: Any = "") -> Any:
        if isinstance(value, dict):
            return {marked() if place == "keys" else k: marked(v) for k, v in value.items()}
        if isinstance(value, list):
            return [marked(each) for each in value]
        is_kept = not isinstance(value, str) or (place == "keys" and value)
        return value if is_kept else f"{secret}{next(number)}"

    recording = yaml.safe_load((CASES / "traffic/different.yaml").read_text())
    for each in recording["interactions"]:
        request, response = each["request"], each["response"]
        names, values = "(?<=[?&])[^=&]+", "(?<==)[^&]+"
        if place in ("names", "values"):
            pattern = names if place == "names" else values
            request["target"] = re.sub(pattern, lambda _: marked(), request["target"])
        elif place == "type":
            response["headers"]["content-type"] = f"application/{marked()}+json"
        elif place == "headers":
            response["headers"] = marked(response["headers"])
        else:
            for body in (message["body"] for message in (request, response) if "body" in message):
                body |= {"json": marked(body["json"])} if "json" in body else {}
    Path("made.yaml").write_text(json.dumps(recording))
    report = weigh(*loaded(), [Path("made.yaml")], addresses={}, client="other")
    told = "".join([text(report, 80), page(report, {}), *texts(report.proposals).values()])
    assert next(number) > 3 and secret.lower() not in told.lower()


@pytest.mark.parametrize(
    ("kind", "body"),
    [("text/html", "<p>Log in"), ("application/json", "[]]"), ("application/xml", "<a/>")],
)
def test_a_success_with_the_body_of_another_accepts_nothing(
    held: Held, project: Path, kind: str, body: str
) -> None:
    log = json.loads((CASES / "traffic/browser.har").read_text())
    for response in (each["response"] for each in log["log"]["entries"]):
        response["headers"] = [{"name": "Content-Type", "value": kind}]
        response["content"] = {"mimeType": kind, "text": body}
    Path("page.har").write_text(json.dumps(log))
    report = weigh(*loaded(), [Path("page.har")], addresses={"document": BROWSED})
    assert held("browser.har").proposals and not report.proposals
    assert not {*states(report).values()} & {"confirmed", "answered", "contradictory"}


def test_what_is_known_is_judged_and_not_proposed_again(held: Held, project: Path) -> None:
    known = (CASES / "expected/assumed.overlay.yaml").read_text()
    (project / "confirmed/known.yaml").write_text(known)
    report = held("different.yaml")
    assert states(report)["success.addBook"] == "refuted"
    assert states(report)["success.listBooks"] == "confirmed"
    assert "success.listBooks" not in report.proposals.get("document", {})


# --- The command --------------------------------------------------------------------------------


def test_the_exit_status(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(CASES / "traffic", "seen")
    command = ["gaps", "--evidence", "seen/different.yaml"]
    status, out, err = said(capsys, *command)
    assert status == 0 and "Refuted" in out
    assert "14 gaps of document: -o DIR writes DIR/document/traffic.yaml" in err
    assert said(capsys, *command, "--strict")[0] == 1
    assert said(capsys, "gaps", "--evidence", "seen/both.yaml", "--strict")[0] == 1
    assert said(capsys, "gaps", "--evidence", "seen/assumed.yaml", "--strict")[0] == 0
    assert sorted(path.name for path in project.iterdir()) == [
        "confirmed", "document.yaml", "gaps.yaml", "overlay.yaml", "pyproject.toml", "seen"
    ]  # fmt: skip


def test_nothing_is_overwritten(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(CASES / "traffic/both.yaml", project)
    command = ["gaps", "--evidence", "both.yaml", "-o", "proposed"]
    status, _, err = said(capsys, *command)
    assert status == 0 and "wrote proposed/document/traffic.yaml" in err
    Path("proposed/document/traffic.yaml").write_text("mine")
    status, out, err = said(capsys, *command)
    assert (status, out) == (1, "")
    assert "proposed/document/traffic.yaml already exists, and is not overwritten" in err
    assert Path("proposed/document/traffic.yaml").read_text() == "mine"


HEAD = "format: 1\nname: x\napi_path: /lib/v2\n"
GET = "request: {api: document, method: GET, target: /lib/v2/books}"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.yaml", None, "a.yaml:1:1: cannot read the file: No such file"),
        ("a.txt", "x", "a.txt:1:1: neither a recording (.yaml) nor a HAR file (.har)"),
        ("a.yaml", "overlay: 1.1.0", "a.yaml:1:1: not a recording: `interactions` is missing"),
        ("a.yaml", "interactions: []", "a.yaml:1:1: `format` is missing"),
        ("a.yaml", "format: 2\ninteractions: []", "a.yaml:1:1: format: format 2 is not known"),
        ("a.yaml", f"{HEAD}interactions: 5", "a.yaml:4:1: interactions: must be an array"),
        (
            "a.yaml", f"{HEAD}interactions:\n- {GET}",
            "a.yaml:5:3: interactions[0]: `response` is missing; is the file incomplete?",
        ),
        ("a.har", "[]", "a.har:1:1: not a HAR file: it must be an object with `log`"),
        ("a.har", '{"log": {"entries":\n [{"request": ', "a.har:2:15: not JSON: "),
        (
            "a.har", '{"log": {"entries": [\n{"request": {}}]}}',
            "a.har:2:1: log.entries[0]: `response` is missing",
        ),
        ("a.har", '{"log": {"entries": []}}', "it contains no exchange"),
        ("a.har", f'{{"log": {"[" * 99_999}', "a.har:1:1: nested too deeply"),
        ("a.har", b'{"log":\n "\xff"}', "a.har:2:3: the file is not UTF-8"),
    ],
)  # fmt: skip
def test_bad_input(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: str | bytes | None,
    message: str,
) -> None:
    if content is not None:
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    status, out, err = said(capsys, "gaps", "--evidence", name, "-o", "proposed")
    assert (status, out) == (1, "")
    first, last = err.splitlines()
    assert message in first and last == "1 problem; nothing was written."
    assert not Path("proposed").exists()


def test_every_bad_file_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.yaml").write_text("x: 1")
    Path("b.har").write_text("{")
    _, _, err = said(capsys, "gaps", "--evidence", "a.yaml", "b.har")
    assert "a.yaml:1:1: " in err and "b.har:1:2: " in err and "2 problems" in err


# --- HAR files ----------------------------------------------------------------------------------


def har(*entries: dict[str, Any]) -> None:
    Path("made.har").write_text(json.dumps({"log": {"version": "1.2", "entries": list(entries)}}))


def entry(method: str, url: str, status: int = 200, **content: Any) -> dict[str, Any]:
    request = {"method": method, "url": url, "headers": []}
    content.setdefault("mimeType", "application/json")
    return {"request": request, "response": {"status": status, "headers": [], "content": content}}


def test_the_address_of_a_har_file_is_given(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    har(entry("GET", "https://a.example/lib/v2/books"), entry("GET", "https://b.example/books"))
    status, _, err = said(capsys, "gaps", "--evidence", "made.har")
    assert status == 1 and "--address NAME=URL" in err
    command = ["gaps", "--evidence", "made.har", "--address"]
    status, out, _ = said(capsys, *command, "document=https://a.example/lib/v2/")
    assert status == 0 and out.startswith(
        "2 exchanges: 1 of 1 operation; passed over: 1 sent to other"
    )
    for wrong in ("document", "document=x", "document=https://", "other=https://a.example/lib/v2"):
        status, _, err = said(capsys, *command, wrong)
        assert status == 1 and err.startswith(f"--address {wrong}: ")


def test_bodies_of_every_kind(project: Path) -> None:
    packed = base64.b64encode(b'{"isbn": "1", "kind": "atlas"}').decode()
    made = [
        entry("GET", "https://a.example/lib/v2/books/1", text=packed, encoding="base64"),
        entry(
            "GET", "https://a.example/lib/v2/books/2", text='{"isbn": "1", "kind": "map"', size=9
        ),
        entry("GET", "https://a.example/lib/v2/books/3", size=99),
        entry("GET", "https://a.example/lib/v2/books/4", text="\ufeff{}", mimeType="text/html"),
    ]
    form = entry("POST", "https://a.example/lib/v2/books", text='{"isbn": "1"}')
    form["request"]["postData"] = {
        "mimeType": "application/x-www-form-urlencoded",
        "params": [{"name": "isbn", "value": "9%201"}],
    }
    har(*made, form)
    report = weigh(*loaded(), [Path("made.har")], addresses=MADE)
    assert [one.text for one in seen(report, "book.kind")] == ["atlas at Book.kind"]


@pytest.mark.parametrize(
    ("content", "extra", "state"),
    [
        ({"size": 0}, {}, "refuted"),
        ({"size": 0, "text": ""}, {"bodySize": 0}, "refuted"),
        ({"size": 0}, {"bodySize": 120}, "consistent"),
        ({"size": -1}, {}, "consistent"),
        ({}, {}, "consistent"),
        (None, {}, "consistent"),
        ({"size": 0}, {"headers": [{"name": "Content-Length", "value": "17"}]}, "consistent"),
    ],
)
def test_a_body_that_was_not_kept_is_no_empty_one(
    project: Path, content: dict[str, Any] | None, extra: dict[str, Any], state: str
) -> None:
    made = entry("GET", "https://a.example/lib/v2/books")
    made["response"] |= {"content": content, **extra}
    har(made)
    report = weigh(*loaded(), [Path("made.har")], addresses=MADE)
    assert states(report)["success.listBooks"] == state


def test_documents_may_share_an_address() -> None:
    documents = {
        name: Document(name, {"servers": [{"url": "/v1"}], "paths": {path: {"get": {}}}}, {})
        for name, path in {"one": "/a", "other": "/b"}.items()
    }
    address = {name: "https://x.example/v1" for name in documents}
    read = [
        Exchange("x.har", 1, "GET", "https://x.example", path, (), Body(), 200, {}, Body())
        for path in ("/v1/a", "/v1/b", "/v1/c", "/v1", "/v10/a", "/v", "/a")
    ]
    places = map(Routes(documents, address).place, read)
    assert [place and place[0] for place in places] == ["one", "other", "one", "one"] + [None] * 3


def test_what_is_no_evidence_is_counted(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = "https://a.example/lib/v2"
    har(
        entry("GET", f"{base}/books"),
        entry("GET", f"{base}/books", 0),
        entry("OPTIONS", f"{base}/books"),
        entry("GET", "data:text/plain,x"),
        entry("GET", "https://elsewhere.example/"),
        entry("GET", f"{base}/shelves/7/ann@example.org", text="[]"),
        entry("GET", f"{base}/nowhere", 404),
    )
    _, out, _ = said(capsys, "gaps", "--evidence", "made.har", f"--address=document={base}")
    told = " ".join(out.split())
    assert told.startswith(
        "7 exchanges: 1 of 1 operation, 2 of no operation; passed over: 1 not HTTP, 1 of OPTIONS, "
        "1 sent to other addresses, 1 without a response."
    )


# --- Files of any kind --------------------------------------------------------------------------

ODD: list[Any] = [
    None, True, 0, -1, 1.5, 10**30, float("nan"), float("inf"), "", "x", "\ud800", "[", "//[", "²",
    "9" * 5000, "0001-01-01T00:00:00+01:00", "2026-01-01", [], {}, [None], {"": None}, {"a": {}},
    "http://[", "http://a:b/", "HTTPS://a.example/lib/v2/books", "page=2&page=%ff", "base64",
    "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", 200, 204, 404, 422,
    '--x\r\nContent-Disposition: form-data; name="\n"\r\n\r\nx\r\n--x--', "H4sIAAAAAAAA",
    "[" * 900 + "]" * 900,
]  # fmt: skip


def _places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = [(*at, key) for key in (value if isinstance(value, dict) else range(len(value)))]
    for key, each in inner:
        if isinstance(each, dict | list):
            found += _places(each, (*at, key))
    return found


@st.composite
def odd_files(draw: st.DrawFn) -> tuple[str, str]:
    """The name and the text of a recording or a HAR file in which a few values are others."""
    file = draw(st.sampled_from(sorted((CASES / "traffic").iterdir())))
    data = json.loads(file.read_text()) if file.suffix == ".har" else load(file).data
    data = json.loads(json.dumps(data))
    for _ in range(draw(st.integers(1, 4))):
        if places := _places(data):
            *around, key = draw(st.sampled_from(places))
            holder = data
            for step in around:
                holder = holder[step]
            holder[key] = copy.deepcopy(draw(st.sampled_from(ODD)))
    return f"odd{file.suffix}", json.dumps(data)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(file=odd_files())
def test_any_file_is_weighed_or_refused(
    project: Path, effects: Effects, file: tuple[str, str]
) -> None:
    name, content = file
    Path(name).write_text(content)
    try:
        report = weigh(*effects, [Path(name)], addresses={"document": BROWSED})
    except PipelineError as error:
        assert error.findings
    else:
        assert len(report.verdicts) == 29


def test_depth_is_no_way_out(project: Path) -> None:
    """A recursive schema, and a value as deep as a reader takes."""
    nested = '{"items":[' * 2000 + "]}" * 2000
    har(entry("GET", "https://a.example/lib/v2/books", text=nested, size=9))
    (found,), _ = reading.read([Path("made.har")], {})
    assert found.response.kind == "other"


@pytest.mark.parametrize(
    ("came", "said"),
    [
        ("2026-12-24 09:30:00", "of the form 2026-11-30 08:15:00 at Book.lent_at; date-time was"),
        ("24.12.2026 09:30", "of the form 30.11.2026 08:15 at Book.lent_at; date-time was"),
        ("2026-12-24T09:30:00", "of the form 2026-11-30T08:15:00 at Book.lent_at; date-time was"),
        ("2026-12-24", "of the form 2026-11-30 at Book.lent_at; date-time was expected"),
        ("2026-12-24T09:30:00+02:00", "a date-time at +02:00, not in UTC, at Book.lent_at"),
        ("soon, or later", "a text at Book.lent_at"),
        ("2026-12-24T09:30:00Z", ""),
        ("2026-12-24T09:30:00+00:00", ""),
    ],
)
def test_another_form_of_a_date_is_named(project: Path, came: str, said: str) -> None:
    path = project / "document.yaml"
    whole = path.read_text(encoding="utf-8").replace("tags: [", "x-timezone: UTC\ntags: [", 1)
    at = "        bought_on:"
    assert at in whole
    member = "        lent_at: {type: string, format: date-time, description: When.}\n"
    path.write_text(whole.replace(at, member + at), encoding="utf-8")
    report = weighed(exchange("GET", "/lib/v2/books/1", 200, {**BOOK, "lent_at": came}))
    facts = [each for each in report.facts if each.name == "Book.lent_at"]
    assert bool(facts) is bool(said)
    assert all(said in each.seen[0].text for each in facts)
    shown = " ".join(text(report, 200).split())
    has_form = "of the form" in said or "not in UTC" in said
    assert ("correct the document with x-datetime-format: '%" in shown) is has_form
    if said:  # of two forms, none is the one to write
        two = (exchange("GET", "/lib/v2/books/1", 200, {**BOOK, "lent_at": each})
               for each in (came, "30 Nov 2026"))  # fmt: skip
        assert "x-datetime-format: '%" not in text(weighed(*two), 200)
    if has_form:  # what is told to be done, done
        (form,) = re.findall("x-datetime-format: '%.*?'", shown)
        member = f"lent_at: {{type: string, {form}, description: When.}}\n"
        followed = re.sub("lent_at: .*\n", member, path.read_text(encoding="utf-8"))
        path.write_text(followed, encoding="utf-8")
        again = weighed(exchange("GET", "/lib/v2/books/1", 200, {**BOOK, "lent_at": came}))
        assert "Book.lent_at" not in {each.name for each in again.facts}


@pytest.mark.parametrize(
    ("kind", "is_seen"),
    [
        ("application/json; charset=utf-8", False),
        ("application/vnd.api+json", True),
        ("text/json", True),
    ],
)
def test_another_type_of_json_is_seen(project: Path, kind: str, is_seen: bool) -> None:
    made = exchange("GET", "/lib/v2/books/1", 200, BOOK, headers={"content-type": kind})
    said = [seen.text for fact in weighed(made).facts for seen in fact.seen]
    assert any(f"200 with a body of type {kind}" in each for each in said) is is_seen


@pytest.mark.parametrize("body", [{"message": {"code": 1}}, {"message": [1], "more": 2}])
def test_an_error_with_members_of_other_types_is_another_body(
    project: Path, body: dict[str, Any]
) -> None:
    """So the same body is refuted for each operation, and none is proposed."""
    report = weighed(exchange("DELETE", "/lib/v2/books/77777", 404, body))
    assert states(report)["errors.dropBook"] == "refuted"
    proposed = report.proposals.get("document", {}).get("errors.dropBook", [])
    assert "responses/Message'" not in str(proposed)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [("username", "user_name", True), ("username", "userName", True), ("user_id", "USERID", True),
     ("username", "headline", False), ("username", "usernames", False), ("id", "ids", False)],
)  # fmt: skip
def test_names_that_differ_in_their_writing_alone_are_alike(
    one: str, other: str, alike: bool
) -> None:
    assert (likeness(one, other) == 1) is (likeness(other, one) == 1) is alike


def test_of_two_strange_names_the_earlier_date_begins_a_range(project: Path) -> None:
    """Where names say nothing; one that says both ends of a range is neither of them."""
    days = ("2026-12-01T00:00:00Z", "2026-11-01T00:00:00Z")
    report = weighed(exchange("GET", f"/lib/v2/loans?x={days[0]}&y={days[1]}", 200, {}))
    made = report.proposals["document"]
    names = [made[f"loans.{end}"][0]["update"]["name"] for end in ("first", "last")]
    assert names == ["y", "x"] and likeness("first", "from_until") < 0


def test_what_is_proposed_for_one_code_has_no_failure_of_the_service_beside_it(
    project: Path,
) -> None:
    """A code that is new comes along; of what failed, nobody says that it is how it fails."""
    path, text = project / "document.yaml", (project / "document.yaml").read_text("utf-8")
    at = text.index("get:", text.index("/books/{isbn}:")) + len("get:")
    path.write_text(f"{text[:at]}\n      x-gap: more{text[at:]}", encoding="utf-8")
    busy = "{content: {application/json: {schema: {type: object}}}, description: Busy.}"
    assumed_too("more", "$.paths['/books/{isbn}'].get.responses", f"{{'503': {busy}}}")
    report = weighed(
        exchange("GET", "/lib/v2/books/1", 503, ["Busy."]),
        *(exchange("GET", "/lib/v2/books/2", code, {"a": "b"}) for code in (500, 501, 599)),
    )
    assert [*report.proposals["document"]["more"][0]["update"]] == ["503"]


@pytest.mark.parametrize("body", [True, 3, 0.5, "no", None, [1], [], {}], ids=repr)
def test_an_error_may_have_any_body(project: Path, body: Any) -> None:
    """Also one that is no object: a proposal for it is tried on the same traffic."""
    path = "/lib/v2/books?isbns=9780000000000"
    calls = [exchange("GET", path, status, body) for status in (404, 429, 500)]
    assert weighed(*calls).exchanges


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"}, {"type": ["string", "integer"]}, {"$ref": "#/components/schemas/B"},
        {"type": "string", "enum": ["a", "b"]},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_proposed_for_nulls_takes_null_and_all_else_that_it_took(schema: Any) -> None:
    data = {"components": {"schemas": {"B": {"type": "string"}, "A": schema}}}
    node = ("components", "schemas", "A")
    actions = [*nullable(Documented(Document("d", data, {})), node)]
    head = {"overlay": "1.1.0", "info": {"title": "Nulls", "version": "1"}}
    overlay = parse_overlay(loads(json.dumps({**head, "actions": actions}), "o.yaml"))
    made, _ = apply(Document("d", data, {}), [overlay])
    takes = jsonschema_rs.validator_for({**made.data, "$ref": "#/components/schemas/A"})
    assert takes.is_valid(None) and takes.is_valid("a") and not takes.is_valid([])


def test_a_document_may_have_parts_in_a_folder_that_is_allowed(project: Path) -> None:
    text, author = Path("document.yaml").read_text(), re.compile(r"    Author:\n(      .*\n)+")
    part = author.search(text)
    assert part
    Path("parts.yaml").write_text(f"components:\n  schemas:\n{part[0]}")
    Path("doc").mkdir()
    refers = "    Author: {$ref: ../parts.yaml#/components/schemas/Author}\n"
    Path("doc/document.yaml").write_text(author.sub(refers, text))
    changed = CONFIG.replace('"document.yaml"', '"doc/document.yaml"\nallow_files = ["."]')
    Path("pyproject.toml").write_text(changed)
    report = weighed(exchange("GET", "/lib/v2/books/1", 200, {**BOOK, "authors": [{"id": 1}]}))
    assert states(report)["book.authors"] == "refuted"


@pytest.mark.parametrize(
    ("words", "is_open"),
    [
        ({}, False),
        ({"additionalProperties": False}, False),
        ({"additionalProperties": {}}, True),
        ({"patternProperties": {"^x": {}}}, True),
        ({"anyOf": [{}, {"additionalProperties": True}]}, True),
        ({"allOf": [{"properties": {"b": {}}}]}, False),
    ],
)
def test_whether_an_object_may_have_others(words: dict[str, Any], is_open: bool) -> None:
    data = {"components": {"schemas": {"A": {"properties": {"a": {}}, **words}}}}
    known, others = Documented(Document("d", data, {})).members(("components", "schemas", "A"))
    assert ([*known], others) == (["a", *("b" for _ in words.get("allOf", ()))], is_open)


def test_a_value_is_of_the_alternative_that_knows_most_of_its_members() -> None:
    kinds = {"A": "a", "B": "abc", "C": "abcd"}
    schemas = {key: {"properties": {each: {} for each in names}} for key, names in kinds.items()}
    document = Documented(Document("d", {"components": {"schemas": schemas}}, {}))
    places = [("components", "schemas", key) for key in kinds]
    for members, nearest in {"a": "A", "ab": "B", "abx": "B", "abxd": "C", "ax": "A"}.items():
        found = document.closest(places, dict.fromkeys(members, 1))
        assert found and found[-1] == nearest, members


def test_of_two_names_none_is_proposed(project: Path) -> None:
    """Which of those that a refusal names is the right one, nobody can tell."""
    bodies = [{"errors": {name: ["Required."]}} for name in ("until", "till")]
    report = weighed(*(exchange("GET", LENT, 422, body) for body in bodies * 2))
    assert "confirm no overlay: till and until were seen instead" in " ".join(
        text(report, 200).split()
    )
    assert "loans.last" not in report.proposals.get("document", {})
