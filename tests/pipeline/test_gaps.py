"""The register of gaps: reading it, checking it against documents, and telling it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pytest
import yaml
from bs4 import BeautifulSoup
from generate_support import operation, operations, project

from pipeline import gaps
from pipeline.gaps import by_operation
from pipeline.gaps.documented import documented
from pipeline.gaps.register import Gap, Register
from pipeline.openapi.documents import Document, loads
from pipeline.openapi.overlay.applying import apply
from pipeline.openapi.overlay.model import Change
from pipeline.openapi.overlay.reading import parse_overlay
from pipeline.openapi.problems import Finding, PipelineError

DOCUMENT = """\
openapi: 3.1.0
info: {title: Library, version: '1', x-note: {x-gap: unseen}}
x-sections: {'2': Books, '10': Loans}
paths:
  /books:
    get:
      x-gap: [books.order, books.errors]
      parameters:
        - {name: gap.books.author, in: query, x-gap: books.author, schema: {type: string}}
      responses: {'200': {description: fine, headers: {}}}
components:
  schemas:
    Book:
      properties:
        shelf: {x-gap: book.shelf, type: string}
"""
OVERLAY = """\
overlay: 1.1.0
info: {title: Names, version: '1'}
actions:
  - target: $.paths['/books'].get.parameters[?@['x-gap']=='books.author']
    update: {name: author}
    x-assumption: {gap: books.author, basis: analogy, because: As in loans.}
  - target: $.paths['/books'].get.responses
    update: {'404': {description: none}}
    x-assumption: {gap: books.errors, basis: convention, because: What | others do.}
  - target: $.paths['/books'].get
    update: {x-python-name: find}
"""
REGISTER = """\
gaps:
  - id: loans.limit
    section: '10'
    missing: How many.
    decision: open
    because: Nobody says.
    named: true
  - {id: books.author, section: '2', missing: The name., decision: overlay, documents: [main]}
  - id: books.errors
    section: '2'
    missing: Statuses.
    decision: overlay
    documents: [main, other]
  - {id: books.order, section: '2', missing: The order., decision: open, because: No matter.}
  - {id: book.shelf, section: '2.1', missing: Shelves., decision: open, because: Seen nowhere.}
"""
CONFIRMED = """\
overlay: 1.1.0
info: {title: Known, version: '1'}
actions:
  - target: $.paths['/books'].get.parameters[0]
    update: {name: writer}
    x-confirmed: {gap: books.author, evidence: Answer of the 3rd.}
"""

Made = tuple[gaps.Register, dict[str, Document], dict[str, Sequence[Change]]]


def register(tmp_path: Path, text: str) -> gaps.Register:
    file = tmp_path / "gaps.yaml"
    file.write_text(text, encoding="utf-8")
    return gaps.load_register(file)


def made(
    tmp_path: Path,
    *,
    text: str = REGISTER,
    document: str = DOCUMENT,
    overlay: str = OVERLAY,
    confirmed: str | None = None,
) -> Made:
    known = [parse_overlay(loads(confirmed, "confirmed/known.yaml"))] if confirmed else []
    effective, changes = apply(
        loads(document, "main.yaml"),
        [parse_overlay(loads(overlay, "overlays/names.yaml"))],
        confirmed=known,
    )
    empty = Document("other.yaml", {}, {})
    return (
        register(tmp_path, text),
        {"main": effective, "other": empty},
        {"main": changes, "other": []},
    )


def checked(found: Made) -> list[str]:
    folder = Path(found[0].file).parent.as_posix()
    return [str(finding).replace(f"{folder}/", "") for finding in gaps.check(*found)]


# --- Reading ------------------------------------------------------------------------------------


def test_reads_a_register(tmp_path: Path) -> None:
    found = register(tmp_path, REGISTER)
    gap, author, *_ = found.gaps
    assert (gap.id, author.id) == ("loans.limit", "books.author")
    assert (gap.section, gap.decision, gap.because) == ("10", "open", "Nobody says.")
    assert (gap.named, gap.documents) == (True, ())
    assert (gap.position.line, gap.position.column) == (2, 5)
    assert author.documents == ("main",) and not author.named


def test_says_everything_that_is_wrong_at_once(tmp_path: Path) -> None:
    text = """\
gaps:
  - {id: a, section: 2.1, missing: x, decision: overlay, becuase: x}
  - {id: a, section: '2', missing: ' ', decision: open}
  - {id: 'a b', section: '2', decision: maybe, documents: main, named: yes}
  - nothing
  - {id: c, section: '1', missing: x, decision: open, because: ''}
more: 1
"""
    with pytest.raises(PipelineError) as caught:
        register(tmp_path, text)
    assert str(caught.value).replace(f"{tmp_path.as_posix()}/", "").splitlines() == [
        'gaps.yaml:2:13: gaps[0].section must be a string in quotes, such as "4.1", is 2.1 [gaps]',
        "gaps.yaml:2:58: gaps[0].becuase is not a member here; did you mean because? [gaps]",
        "gaps.yaml:3:5: gaps[1] lacks because [gaps]",
        'gaps.yaml:3:27: gaps[1].missing must be a text, is " " [gaps]',
        "gaps.yaml:4:5: gaps[2] lacks missing [gaps]",
        'gaps.yaml:4:6: gaps[2].id must be the id of a gap, such as a.bC, is "a b" [gaps]',
        'gaps.yaml:4:31: gaps[2].decision must be "overlay" or "open", is "maybe" [gaps]',
        'gaps.yaml:4:48: gaps[2].documents must be an array, is "main" [gaps]',
        'gaps.yaml:4:65: gaps[2].named must be a boolean, is "yes" [gaps]',
        'gaps.yaml:5:5: gaps[3] must be an object, is "nothing" [gaps]',
        'gaps.yaml:6:55: gaps[4].because must be a text, is "" [gaps]',
        "gaps.yaml:7:1: more is not a member here [gaps]",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("5", "must be an object, is 5"),
        ("[]", "must be an object, is an array"),
        ("gaps: 5", "gaps must be an array, is 5"),
        ("other: []", "lacks gaps"),
    ],
)
def test_refuses_what_is_no_register(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(PipelineError, match=reason):
        register(tmp_path, text)


def test_an_id_stands_once(tmp_path: Path) -> None:
    one = "  - {id: a, section: '2', missing: x, decision: overlay}\n"
    with pytest.raises(PipelineError) as caught:
        register(tmp_path, f"gaps:\n{one * 3}")
    said = [str(each).partition(":")[2] for each in caught.value.findings]
    for line, each in zip((3, 4), said, strict=True):
        assert re.fullmatch(rf"{line}:6: id: a appears twice; first at .*:2:5 \[gaps\]", each)


# --- Checking -----------------------------------------------------------------------------------


def test_a_settled_register_has_no_findings(tmp_path: Path) -> None:
    assert checked(made(tmp_path)) == []


def test_an_unknown_id_is_found_where_it_stands(tmp_path: Path) -> None:
    """The gap that was meant is not said to be without an action, too."""
    document = DOCUMENT.replace("book.shelf", "book.shlef")
    overlay = OVERLAY.replace("gap: books.errors", "gap: books.erorrs")
    assert checked(made(tmp_path, document=document, overlay=overlay)) == [
        "main.yaml:15:17: x-gap: book.shlef is not registered in gaps.yaml; did you mean "
        "book.shelf? [gaps]",
        "overlays/names.yaml:7:5: gap books.erorrs is not registered in gaps.yaml; did you mean "
        "books.errors? [gaps]",
    ]


def test_a_gap_decided_by_overlay_is_filled(tmp_path: Path) -> None:
    overlay = OVERLAY.replace("books.errors", "books.author")
    assert checked(made(tmp_path, overlay=overlay)) == [
        "gaps.yaml:9:5: gap books.errors is to be filled by an overlay, but no action fills it"
        " [gaps]",
        "overlays/names.yaml:7:5: target $.paths['/books'].get.responses: gap books.author is not"
        " one of #/paths/~1books/get/responses/404/description; no x-gap there or around it names"
        " it [label]",
    ]


def test_a_gap_is_filled_in_a_document_that_it_concerns(tmp_path: Path) -> None:
    text = REGISTER.replace("documents: [main]", "documents: [other, third]")
    assert checked(made(tmp_path, text=text)) == [
        "gaps.yaml:8:5: gap books.author is to be filled by an overlay, but no action fills it"
        " [gaps]",
        "gaps.yaml:8:5: gap books.author: there is no document third [gaps]",
        "overlays/names.yaml:4:5: gap books.author concerns other and third, not main [gaps]",
    ]


def _alike(
    document: str,
    target: str,
    decision: Literal["overlay", "open"] = "overlay",
    *,
    is_known: bool = False,
) -> list[str]:
    overlay = "overlay: 1.1.0\ninfo: {title: Nulls, version: '1'}\nactions:\n  - target: >-\n"
    overlay += f"      $.components.schemas.Sent.properties[{target}].type\n    update: ['null']\n"
    overlay += (
        "    x-confirmed: {gap: sent.null, evidence: Response of the 3rd.}\n"
        if is_known
        else "    x-assumption: {gap: sent.null, basis: analogy, because: As others.}\n"
    )
    before = loads(document, "main.yaml")
    read = [parse_overlay(loads(overlay, "nulls.yaml"))]
    _, changes = apply(before, [] if is_known else read, confirmed=read if is_known else [])
    register = Register((Gap("sent.null", "2", "Null.", decision, "So."),), "gaps.yaml")
    found = gaps.alike(register, {"main": before}, {"main": changes})
    return [str(each) for each in found]


def test_what_is_like_the_filled_nodes_of_a_gap_is_filled_too() -> None:
    """A target lists names: a new property that it lacks is named, of another form it is not."""
    head = "openapi: 3.1.0\ncomponents:\n  schemas:\n    Sent:\n      properties:\n"
    marked = "        {}: {{type: {}, description: Its {}., x-gap: {}}}\n"
    document = head + "".join(
        marked.format(name, kind, name, gap)
        for name, kind, gap in (
            *(("title", "[string]", "sent.null"), ("note", "[string]", "[sent.null, other]")),
            *(("day", "[string], format: date", "sent.null"), ("size", "[integer]", "sent.null")),
        )
    )
    [found] = _alike(document, "'title'")
    assert found == (
        "main.yaml:7:56: components.schemas.Sent.properties.note names gap sent.null, which is"
        " filled for others of its form at nulls.yaml:4:5, and not here: add it to the target"
        " there [gaps]"
    )
    assert not _alike(document, "'title', 'note'")
    assert not _alike(document, "'title'", decision="open")
    assert not _alike(document, "'title'", is_known=True), "what is known may differ"


@pytest.mark.parametrize("number", [8, 9])
def test_a_property_is_asked_for_the_gap_of_nearly_all_of_its_form(number: int) -> None:
    head = "openapi: 3.1.0\ncomponents:\n  schemas:\n    Sent:\n      properties:\n"
    names = [f"text_{each}" for each in range(number)]
    marked = "".join(f"        {each}: {{type: [string], x-gap: sent.null}}\n" for each in names)
    target = ", ".join(f"'{each}'" for each in names)
    found = _alike(f"{head}        new: {{type: string}}\n{marked}", target)
    assert (
        found
        == [
            "main.yaml:6:9: components.schemas.Sent.properties.new does not name gap sent.null, as"
            " 9 others of its form do: if it is no different, name it, and fill it at"
            " nulls.yaml:4:5 [gaps]"
        ][number == 8 :]
    )  # 0.9 of all


def test_an_open_gap_is_not_assumed_but_may_be_confirmed(tmp_path: Path) -> None:
    overlay = OVERLAY.replace("gap: books.errors", "gap: books.order")
    text = REGISTER.replace(
        "Statuses.\n    decision: overlay", "S.\n    decision: open\n    because: Why."
    )
    assert checked(made(tmp_path, text=text, overlay=overlay)) == [
        "overlays/names.yaml:7:5: gap books.order is registered as open at gaps.yaml:15:5, but "
        "assumed here"
        " [gaps]"
    ]
    confirmed = CONFIRMED.replace("books.author", "books.order").replace("name: writer", "x-a: 1")
    assert checked(made(tmp_path, confirmed=confirmed)) == []


def test_no_placeholder_is_left(tmp_path: Path) -> None:
    overlay = OVERLAY.replace("update: {name: author}", "update: {description: The author.}")
    document = DOCUMENT.replace("shelf: {x", "gap.book.shelf: {x").replace(
        "headers: {}", "headers: {gap.books.left: {}}"
    )
    assert checked(made(tmp_path, overlay=overlay, document=document)) == [
        "main.yaml:9:12: gap.books.author: a placeholder remains; an overlay must give the name "
        "for gap"
        " books.author [gaps]",
        "main.yaml:10:56: gap.books.left: a placeholder remains; an overlay must give the name "
        "for gap"
        " books.left [gaps]",
        "main.yaml:15:9: gap.book.shelf: a placeholder remains; an overlay must give the name for "
        "gap"
        " book.shelf [gaps]",
    ]


# --- Telling ------------------------------------------------------------------------------------


def test_the_page(tmp_path: Path) -> None:
    page = gaps.markdown(*made(tmp_path))
    head, *parts = page.split("\n## ")
    assert "5 gaps: 2 filled by an assumption, 0 confirmed, 3 left open." in head
    assert "The service itself names 1 of them." in head
    assert [part.partition("\n")[0] for part in parts] == [
        "§2: Books",
        "§2.1",
        "§10: Loans",
    ]
    assert parts[0].splitlines()[4:] == [
        "| `books.author` | The name. | assumed (analogy): As in loans. |"
        " `overlays/names.yaml`: `$.paths['/books'].get.parameters[?@['x-gap']=='books.author']` |"
        " main `#/paths/~1books/get/parameters/0/name` |",
        "| `books.errors` | Statuses. | assumed (convention): What \\| others do. |"
        " `overlays/names.yaml`: `$.paths['/books'].get.responses` |"
        " main `#/paths/~1books/get/responses/404/description` |",
        "| `books.order` | The order. | open: No matter. | none | main `#/paths/~1books/get` |",
    ]
    assert "`loans.limit` (named) | How many. | open: Nobody says. | none | none |" in parts[2]
    assert str(tmp_path) not in page


def test_a_confirmed_gap_shows_its_evidence(tmp_path: Path) -> None:
    found = made(tmp_path, confirmed=CONFIRMED)
    page = gaps.markdown(*found)
    assert "1 filled by an assumption, 1 confirmed, 3 left open" in page
    assert (
        "| `books.author` | The name. | **confirmed:** Answer of the 3rd. |"
        " `confirmed/known.yaml`: `$.paths['/books'].get.parameters[0]` |"
        " main `#/paths/~1books/get/parameters/0/name` |" in page
    )


def test_what_hides_or_moves_a_cursor_is_written_out_on_pages(tmp_path: Path) -> None:
    found = made(
        tmp_path, confirmed=CONFIRMED.replace("Answer of the 3rd.", '"\\e[31m\\u202eAnswer of."')
    )
    for page in (gaps.markdown(*found), by_operation.page(*found, tmp_path)):
        assert r"\x1b[31m\u202eAnswer of" in page and not {*page} & {*"\x1b\u202e"}


def test_an_undecided_gap_shows(tmp_path: Path) -> None:
    overlay = OVERLAY.replace("books.errors", "books.author")
    page = gaps.markdown(*made(tmp_path, overlay=overlay))
    assert "3 left open, 1 undecided" in page
    assert "assumed (analogy, convention): As in loans. What \\| others do." in page


@pytest.mark.parametrize("number", [3, 4, 5])
def test_many_places_are_counted(tmp_path: Path, number: int) -> None:
    """Four are shown; of more, three, and how many more there are."""
    there = [f"#/paths/~1b{n}/get" for n in range(number)]
    operations = "".join(f"  /b{n}: {{get: {{x-gap: book.shelf}}}}\n" for n in range(number))
    document = DOCUMENT.replace("x-gap: book.shelf, ", "").replace(
        "components:", operations + "components:"
    )
    page = gaps.markdown(*made(tmp_path, document=document))
    shown = [f"main `{each}`" for each in (there if number < 5 else there[:3])]
    assert f"| {'<br>'.join([*shown, *['and 2 more'] * (number == 5)])} |" in page


def test_a_title_is_that_of_the_first_document(tmp_path: Path) -> None:
    found, documents, changes = made(tmp_path)
    documents["other"].data["x-sections"] = {"2": "Films", "2.1": "Reels"}
    page = gaps.markdown(found, documents, changes)
    assert re.findall("^## (.*)", page, re.MULTILINE) == ["§2: Books", "§2.1: Reels", "§10: Loans"]


@pytest.mark.parametrize("order", [1, -1])
def test_what_is_proposed_names_the_nearest_gap_of_the_commonest_family(order: int) -> None:
    """Of the families that other places have: of two, the one of most."""
    get = {"x-gap": ["other.get", "errors2.get", "errors.get", "errors.more"], "responses": {}}
    data = {"paths": {"x-gap": "errors.all", "get": get, "put": {"x-gap": "names.put"}}}
    families = ["errors.a", "errors.b", "rare.a", "names.a"][::order]
    changes = [
        SimpleNamespace(action=SimpleNamespace(gap=gap, update={"404": {}})) for gap in families
    ]
    proposed = {"get": "errors.get", "put": "errors.all"}
    for name, gap in proposed.items():
        pointer = ("paths", name, "responses")
        finding = Finding("m", None, "responses", update={"404": {}}, pointer=pointer)
        (found,) = gaps.labelled([finding], Document("a", data, {}), changes)  # type: ignore[arg-type]
        assert found.label and found.label["gap"] == gap


def test_embedded_entries(tmp_path: Path) -> None:
    found, documents, changes = made(tmp_path, confirmed=CONFIRMED)
    entries = gaps.embed(found, documents["main"], changes["main"])
    assert list(entries) == ["books.author", "books.errors", "books.order", "book.shelf"]
    assert entries["books.author"] == {
        "section": "2",
        "missing": "The name.",
        "decision": "overlay",
        "evidence": "Answer of the 3rd.",
    }
    assert entries["books.errors"] == {
        "section": "2",
        "missing": "Statuses.",
        "decision": "overlay",
        "basis": "convention",
        "because": "What | others do.",
    }
    assert entries["books.order"]["because"] == "No matter."
    assert gaps.embed(found, documents["other"], changes["other"]) == {}


def test_use_looks_past_extensions(tmp_path: Path) -> None:
    _, documents, changes = made(tmp_path)
    found = gaps.use(documents["main"], changes["main"])
    assert "unseen" not in found.marked
    assert found.marked["books.order"] == (("paths", "/books", "get"),)
    assert list(found.filled) == ["books.author", "books.errors"]


def test_a_page_says_what_is_known_of_each_operation(tmp_path: Path) -> None:
    """With what it refers to, in whichever document; foreign text is text."""
    document = DOCUMENT.replace("description: fine", "description: fine, $ref: '#/components/x'")
    document += "  x: {x-y: {$ref: '#/components/schemas/Book'}}\n"
    text = REGISTER.replace("How many.", "<script>alert(1)</script>")
    html = by_operation.page(*made(tmp_path, text=text, document=document), tmp_path)
    page = BeautifulSoup(html, "html.parser")
    assert not page.find_all(["script", "link", "img"]) and "<script>alert(1)" in page.get_text()
    sections = {}
    for heading in page.find_all("h2"):
        table = heading.find_next_sibling("table")
        sections[heading.get_text()] = [row.th.get_text() for row in table.tbody.find_all("tr")]
    assert sections.keys() == {"main: GET /books", "beside all operations"}
    met = sections["main: GET /books"]
    assert {"books.author", "books.errors"} <= {*met} and "loans.limit" not in met
    assert ("book.shelf" in met) is ("book.shelf" in REGISTER)
    assert "loans.limit" in sections["beside all operations"]
    every = [gap.id for gap in register(tmp_path, text).gaps]
    assert {*every} == {each for named in sections.values() for each in named}


@pytest.mark.parametrize("other", ["BookPreview", "Book2", "Boo"])
def test_a_component_is_not_another_whose_name_begins_like_it(other: str) -> None:
    """The operation refers to Book alone: it is documented as a whole."""
    schema = {"$ref": "#/components/schemas/Book"}
    answer = {"description": "A book.", "content": {"application/json": {"schema": schema}}}
    schemas = {"Book": {"type": "object"}, other: {"type": "object", "x-gap": "its.fields"}}
    paths = {"/books": {"get": {"operationId": "getBook", "responses": {"200": answer}}}}
    document = Document("d", {"paths": paths, "components": {"schemas": schemas}}, {})
    gap = Gap("its.fields", "1", "Its fields.", "open", "Nobody needs them.")
    html = by_operation.page(Register((gap,), "gaps.yaml"), {"d": document}, {})
    assert "1 of 1 operations are" in html and "beside all operations" in html


def test_what_stands_at_a_path_is_of_each_of_its_operations() -> None:
    """A parameter that all of a path have, and no other path, nor that of another document."""
    parameter = {"name": "id", "in": "path", "required": True, "x-gap": "its.id"}
    answers = {"responses": {"200": {"description": "Fine."}}}
    paths = {
        "/a/{id}": {"parameters": [parameter], "get": answers, "put": answers},
        "/b": {"get": answers},
    }
    gap = Gap("its.id", "1", "What it is.", "open", "Nobody needs it.")
    own, other = (Document("", {"paths": each}, {}) for each in (paths, {"/a/{id}": paths["/b"]}))
    html = by_operation.page(Register((gap,), "gaps.yaml"), {"own": own, "other": other}, {})
    assert "2 of 4 operations are" in html and "beside all operations" not in html


ASSUMED: list[Any] = [
    *(5, "a", ["a"], ["a", "b"], [{"name": "q", "in": "query", "x": 1}], {"x-extensible-enum": 1}),
    *({"type": "array", "items": {"type": "string"}}, {"maxLength": 5, "description": "A new b."}),
    *({"$ref": "#/r"}, {"description": "A b.", "x-unit": "g"}, {"200": {}, "404": {}}, {"201": {}}),
    {"a": {"b": 1, "c": 2}, "d": 3},
]
STATED: list[Any] = [
    *(None, 5, 6, "gap.x", ["b"], ["a", "c"], {}, {"const": 1}, {"enum": 1}, {"maxLength": 5}),
    *([{"name": "q", "in": "query"}], [{"name": "q", "in": "path"}], {"maxLength": 6}),
    *({"description": "A b, new."}, {"description": "Other."}, {"description": "A b."}),
    *({"type": "array"}, {"type": "array", "items": {"type": "string"}}, {"200": {}, "2XX": {}}),
    *({"type": "object", "items": {"type": "integer"}}, {"$ref": "#/r"}, {"$ref": "#/q"}),
    *({"a": {"b": 1}}, {"a": {"b": 2}, "d": 3}, {"a": {"b": 1, "c": 1}, "d": 3}, {"a": 0, "d": 4}),
]


def test_what_of_an_assumption_is_said_by_now(golden: Any) -> None:
    """Each part that a document states, and with ≠ each of which it states something else."""
    lines = []
    for assumed, stated in product(ASSUMED, STATED):
        action = SimpleNamespace(words={"x-assumption": {"gap": "g"}}, update=assumed)
        change = SimpleNamespace(action=action, pointer=("x",))
        parts = documented(Document("d", {"x": stated}, {}), [change])  # type: ignore[list-item]
        said = [f"{'≠' * each.is_other}{each.path} at {each.pointer}" for each in parts]
        if said:
            lines.append(f"{assumed} by {stated}: {'; '.join(said)}\n")
    golden(Path(__file__).with_name("documented.txt"), "".join(lines))


DROPPED = [
    # What the document says of some of the places, the target, what is assumed; what is left of it.
    ("a", "$.paths['/a','/b','/c'].get.responses", "'404'", "$.paths['/b','/c'].get.responses"),
    ("c", "$.paths['/a', '/b', '/c'].get.responses", "'404'", "$.paths['/a', '/b'].get.responses"),
    ("ab", "$.paths['/a','/b','/c'].get.responses", "'404'", "$.paths['/c'].get.responses"),
    ("abc", "$.paths['/a','/b','/c'].get.responses", "'404'", ""),
    ("abc", "$.paths.*.get.responses", "'404'", ""),
    ("a", "$.paths.*.get.responses", "'404'", "#/paths/~1a/get/responses"),
    ("ab", "$.paths['/a','/b','/c'].get.responses", "'404', '410'", "#/paths/~1a/get"),
]  # fmt: skip


@pytest.mark.parametrize(("stated", "target", "assumed", "left"), DROPPED)
def test_what_some_places_state_goes_out_of_the_target(
    tmp_path: Path, stated: str, target: str, assumed: str, left: str
) -> None:
    missing = {"description": "There is none."}
    paths: Any = {f"/{name}": {"get": operation(name, **{"x-gap": ["g", "h"]})} for name in "abc"}
    for name in stated:
        paths[f"/{name}"]["get"]["responses"]["404"] = missing
    file = tmp_path / "over" / "lay.yaml"
    file.parent.mkdir()
    update = "".join(
        f"      {each.strip()}: {json.dumps(missing)}\n" for each in assumed.split(",")
    )
    file.write_text(
        "overlay: 1.1.0\ninfo: {title: A, version: '1'}\nactions:\n"
        f"  - target: {target}\n    update:\n{update}"
        "    x-assumption: {gap: g, basis: convention, because: A guess.}\n"
        "  - target: $.info\n    update: {summary: Kept.}\n"
    )
    config = project(tmp_path, operations(paths))
    (source,) = config.sources
    config = replace(config, sources=(replace(source, overlays=(file,)),))
    if left.startswith("#"):
        with pytest.raises(PipelineError, match="take these out of it by hand: ") as caught:
            gaps.drop(config, ["g"])
        assert left in str(caught.value.findings[0])
        return
    texts = gaps.drop(config, ["g"])
    marks = [
        each["get"].get("x-gap")
        for each in yaml.safe_load(texts[source.path] or "")["paths"].values()
    ]
    assert marks == [["h"] if name in stated else ["g", "h"] for name in "abc"]
    text = texts[file] or ""
    found = [each["target"] for each in yaml.safe_load(text)["actions"]]
    assert found == [*filter(None, [left]), "$.info"]


LISTED = [
    # The properties of which the documents say it, by schema; the lists that are left.
    (["a c", "a d"], "['b'].properties['c', 'd']"),
    (["b c", "b d"], "['a'].properties['c', 'd']"),
    (["a c", "b c"], "['a', 'b'].properties['d']"),
    (["a d", "b d"], "['a', 'b'].properties['c']"),
    (["a c"], ""),
    (["a c", "a d", "b c"], ""),
]


@pytest.mark.parametrize("is_folded", [False, True])
@pytest.mark.parametrize("is_same", [False, True])
@pytest.mark.parametrize(("stated", "left"), LISTED)
def test_what_places_of_two_lists_state_goes_out_of_its_own_list(
    tmp_path: Path, stated: list[str], left: str, is_same: bool, is_folded: bool
) -> None:
    """Also where both lists have the same names. A place alone goes out of neither."""

    def named(text: str) -> str:
        return text.translate({ord("c"): "a", ord("d"): "b"}) if is_same else text

    text = {"type": "string", "x-gap": "g"}
    schemas: Any = {
        schema: {"type": "object", "properties": {named(each): {**text} for each in "cd"}}
        for schema in "ab"
    }
    for each in stated:
        schema, name = each.split()
        schemas[schema]["properties"][named(name)]["maxLength"] = 5
    target = "$.components.schemas{}.properties{}"

    def whole(lists: str) -> str:
        first, last = lists.split(".properties")
        return target.format(first, named(last))

    written = whole("['a', 'b'].properties['c', 'd']")
    file = tmp_path / "over" / "lay.yaml"
    file.parent.mkdir()
    file.write_text(
        f"{HEAD}  - target: {written.replace(' ', chr(10) + ' ' * 6) if is_folded else written}\n"
        "    update: {maxLength: 5}\n"
        "    x-assumption: {gap: g, basis: convention, because: A guess.}\n"
    )
    config = project(tmp_path, operations({}, **schemas))
    (source,) = config.sources
    config = replace(config, sources=(replace(source, overlays=(file,)),))
    if not left:
        with pytest.raises(PipelineError, match="take these out of it by hand: "):
            gaps.drop(config, ["g"])
        return
    [action] = yaml.safe_load(gaps.drop(config, ["g"])[file] or "")["actions"]
    assert action["target"] == whole(left)


HEAD = "overlay: 1.1.0\ninfo: {title: A, version: '1'}\nactions:\n"
BY_GAP = "  - target: $.paths['/a'].get.parameters[?@['x-gap'] == 'g']"
KEPT = BY_GAP + "\n    update: {description: Kept.}\n"
KNOWN = {
    "overlays": "    x-assumption: {gap: h, basis: convention, because: A guess.}\n",
    "confirmed": "    x-confirmed: {gap: h, evidence: Seen.}\n",
}


@pytest.mark.parametrize("where", KNOWN)
def test_what_was_found_by_a_gap_is_found_without_it(tmp_path: Path, where: str) -> None:
    """Whoever has written an overlay by the name of a gap keeps it when the gap is closed."""
    longest = {"type": "string", "maxLength": 5}
    query = {"name": "q", "in": "query", "x-gap": "g", "schema": longest}
    config = project(tmp_path, operations({"/a": {"get": operation("a", parameters=[query])}}))
    assumed, folder = tmp_path / "assumed.yaml", tmp_path / "confirmed"
    folder.mkdir()
    named = folder / "n.yaml" if where == "confirmed" else tmp_path / "n.yaml"
    guess = KNOWN["overlays"].replace("gap: h", "gap: g")
    other = "  - target: $.info\n    update: {summary: Kept.}\n"
    assumed.write_text(f"{HEAD}{BY_GAP}.schema\n    update: {{maxLength: 5}}\n{guess}{other}")
    named.write_text(HEAD + KEPT + KNOWN[where])
    (source,) = config.sources
    overlays = (assumed,) if where == "confirmed" else (assumed, named)
    texts = gaps.drop(
        replace(config, sources=(replace(source, overlays=overlays, confirmed=folder),)), ["g"]
    )
    assert "x-gap" not in (texts[source.path] or "")
    assert "parameters[?@.name == 'q']" in (texts[named] or "")
    assert "maxLength" not in (texts[assumed] or "")
