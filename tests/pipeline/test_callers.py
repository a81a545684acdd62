"""Who calls a method whose name or arguments have changed is told, with the places."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pipeline.codegen.callers import callers
from pipeline.codegen.left_behind import ByHand, left_behind, written
from pipeline.openapi.documents import Document
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.problems import Finding, Position

CALLS = ["pets.list(size=1)", "owners.list(size=1)", "`pets.list`", "toy-shop pets list --size 1"]


def shown(findings: Iterable[Finding]) -> list[str]:
    """What findings say, and every line that they name."""
    return [
        f"{each.message}: {'; '.join(each.uses.lines(every=True))}" if each.uses else each.message
        for each in findings
    ]


def listing(name: str, *arguments: str) -> Document:
    def operation(resource: str) -> dict[str, Any]:
        return {
            "operationId": f"list{resource.title()}",
            "x-python-resource": resource,
            "x-python-name": name if resource == "pets" else "list",
            "parameters": [
                {"name": each, "in": "query", "schema": {"type": "integer"}}
                for each in (arguments if resource == "pets" else ("size",))
            ],
            "responses": {},
        }

    paths = {f"/{each}": {"get": operation(each)} for each in ("pets", "owners")}
    return Document("shop", {"openapi": "3.1.0", "paths": paths}, {})


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (listing("list", "size", "page"), []),
        (listing("browse", "size", "page"), ["pets.list is pets.browse now"]),
        (listing("list"), ["pets.list takes page no more", "pets.list takes size no more"]),
    ],
)
def test_callers_of_what_is_renamed_or_removed_are_named(now: Document, said: list[str]) -> None:
    before = DocumentModel(listing("list", "size", "page"))
    found = callers([(Path("page.md"), CALLS)], {"shop": before}, {"shop": now})
    assert shown(found) == [f"{text}: page.md:1, 3, 4" for text in said]


def test_of_a_new_argument_it_is_said_what_a_test_server_does_with_it() -> None:
    before = DocumentModel(listing("list", "size"))
    now = {"shop": listing("list", "size", "pageNumber")}
    [found] = callers([(Path("page.md"), CALLS)], {"shop": before}, now)
    assert found.message == (
        "pets.list takes page_number, which is new: a test server stores pageNumber if it is read"
        " under the same name; else, its handler of listPets must read it"
    )


def test_of_a_new_method_it_is_said_what_a_test_server_wants() -> None:
    now = listing("list", "size")
    then = Document("shop", {**now.data, "paths": {"/pets": now.data["paths"]["/pets"]}}, {})
    files = [(Path("page.md"), CALLS)]
    [found] = callers(files, {"shop": DocumentModel(then)}, {"shop": now})
    said = "owners.list is new: a test server responds to listOwners once it has a handler"
    assert (found.message, found.severity) == (said, "note")
    for known, same in (([], now), (files, then)):
        assert not [*callers(known, {"shop": DocumentModel(then)}, {"shop": same})]
    assert not [*callers(files, {"shop": None}, {"shop": now})]


def coloured(*colors: str, codes: bool, others: tuple[str, ...] = ("RED",)) -> Document:
    """A document of two enumerations: of codes that have names, or of texts."""

    def enumeration(names: tuple[str, ...]) -> dict[str, Any]:
        if not codes:
            return {"type": "string", "enum": [each.lower() for each in names]}
        numbers = list(range(1, len(names) + 1))
        return {"type": "integer", "enum": numbers, "x-enum-varnames": [*names]}

    schemas = {"Color": enumeration(colors), "Light": enumeration(others)}
    return Document("shop", {"openapi": "3.1.0", "components": {"schemas": schemas}}, {})


@pytest.mark.parametrize(
    ("codes", "lines"), [(True, "1, 2, 3, 4"), (False, "1, 5")], ids=["codes", "texts"]
)
def test_who_names_a_value_that_is_gone_is_named(codes: bool, lines: str) -> None:
    written = ["Color.GRAY", "codes['GRAY']", "GRAY = 3", "| `GRAY` |", "color='gray'", "gray, RED"]
    before = DocumentModel(coloured("RED", "BLUE", "GRAY", codes=codes))
    now = {"shop": coloured("RED", "BLUE", codes=codes)}
    [found] = left_behind([(Path("page.md"), written)], {"shop": before}, now)
    word = "GRAY" if codes else "gray"
    assert shown([found]) == [f"Color.{word} is gone: page.md:{lines}"]
    same = {"shop": coloured("RED", "BLUE", "GRAY", codes=codes)}
    assert not [*left_behind([(Path("page.md"), written)], {"shop": before}, same)]


def test_of_a_value_that_another_enumeration_keeps_only_files_about_it_count() -> None:
    before = DocumentModel(coloured("RED", "GRAY", codes=True, others=("GRAY",)))
    now = {"shop": coloured("RED", codes=True, others=("GRAY",))}
    files = [(Path("one.md"), ["A Color: GRAY"]), (Path("other.md"), ["A Light: GRAY"])]
    [found] = left_behind(files, {"shop": before}, now)
    assert shown([found]) == ["Color.GRAY is gone; other schemas keep the name: one.md:1"]


def test_lines_are_counted_as_by_an_editor(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_bytes("A\u2028B\x0cC\r\nof a Book\r\nuses `old`\r\n".encode())
    found = written("`old`", ByHand([tmp_path]), "a Book", near=True)
    assert found is not None and [lines for _, lines in found.all] == [(3,)]


@pytest.mark.parametrize("lines", [0, 1, 2])
@pytest.mark.parametrize("is_before", [True, False])
def test_what_a_name_is_about_stands_on_its_line_or_beside_it(lines: int, is_before: bool) -> None:
    text = ["of a Book", *[""] * (lines - 1), "uses `old`"] if lines else ["`old` of a Book"]
    files = [(Path("page.md"), text if is_before else text[::-1])]
    assert bool(written("`old`", files, "Book", near=True)) == (lines < 2)


KINDS: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "true or false": {"type": "boolean"},
    "moment": {"type": "string", "format": "date-time"},
    "day": {"type": "string", "format": "date"},
    "object": {"type": "object"},
    "list of text": {"type": "array", "items": {"type": "string"}},
    "list of list of day": {"type": "array", "items": {"type": "array", "items": {
        "type": "string", "format": "date"}}},
    "list": {"type": "array"},
    "text or integer": {"type": ["string", "integer"]},
    "any value": {},
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_an_argument_takes_is_said_in_words(kind: str) -> None:
    """And what it took; null beside it is no other kind, and neither is any other format."""

    def of(schema: dict[str, Any]) -> Document:
        found = listing("list", "size")
        found.data["paths"]["/pets"]["get"]["parameters"][0]["schema"] = schema
        return found

    for other, schema in KINDS.items():
        found = [*callers([(Path("page.md"), CALLS)], {"shop": DocumentModel(of(schema))},
                          {"shop": of(KINDS[kind])})]  # fmt: skip
        said = f"pets.list takes {kind} as size now, and took {other}: page.md:1, 3, 4"
        assert shown(found) == ([] if kind == other else [said])
    if isinstance(type_ := KINDS[kind].get("type"), str):
        before = {"shop": DocumentModel(of({**KINDS[kind], "type": [type_, "null"]}))}
        assert not [*callers([(Path("page.md"), CALLS)], before, {"shop": of(KINDS[kind])})]


@pytest.mark.parametrize("is_kept", [False, True])
def test_what_is_of_the_schema_comes_first_and_the_rest_is_counted(is_kept: bool) -> None:
    """A few files are shown, whether another schema keeps the name or not."""

    def named(*names: str) -> Document:
        schemas = {"Box": {"properties": {each: {} for each in (*names, "size")}}}
        schemas |= {"Other": {"properties": {"label": {}}}} if is_kept else {}
        return Document("shop", {"openapi": "3.1.0", "components": {"schemas": schemas}}, {})

    about = ["a box:", *["box.label = 1"] * 9, *["it.label"] * 3]
    files = [(Path(f"{at}.py"), ["Box", "x.label"]) for at in range(20)]
    files += [(Path("b.md"), ["the `label` of a box"]), (Path("boxes.py"), about)]
    files += [(Path("a.py"), ["Box(label=1)"])]
    then = {"shop": DocumentModel(named("label"))}
    [found] = left_behind(files, then, {"shop": named()})
    assert found.uses and len(found.message) < 60
    first, second, third, *rest, last = found.uses.lines()
    assert (first, second, third) == ("boxes.py:2, 3, 4, 5, 6, 7, 8, 9", "a.py:1", "b.md:1")
    assert rest == [f"{at}.py:2" for at in range(5)]
    assert last == "and 19 more in 16 files: git grep -nwE label"
    assert max(map(len, found.uses.lines())) < 60
    every = [*found.uses.lines(every=True)]
    assert sum(len(line.split(", ")) for line in every) == 20 + 9 + 3 + 2


NAMES: list[tuple[dict[str, Any], str]] = [
    ({"x-python-resource": "pets", "x-python-name": "make"}, "pets.make"),
    ({"x-python-resource": "pets"}, "pets.add_one"),
    ({"tags": ["Pets"], "x-python-name": "make"}, "pets.make"),
    ({"tags": ["Pets", "Others"]}, "pets.add_one"),
    ({}, "default.add_one"),
]


@pytest.mark.parametrize(("words", "name"), NAMES, ids=[name for _, name in NAMES])
def test_an_operation_is_looked_for_as_the_client_has_it(words: dict[str, Any], name: str) -> None:
    """By its words, or by its tag and its id, in all notes alike: gone, changed or confirmed."""
    own = {"operationId": "addOne", **words}
    size = {"name": "size", "in": "query", "schema": {"type": "integer"}}
    one, other = {**own, "parameters": [size]}, {**own, "parameters": []}

    def shop(*operations: dict[str, Any]) -> Document:
        paths = {f"/{at}": {"post": each} for at, each in enumerate(operations)}
        return Document("shop", {"openapi": "3.1.0", "paths": paths}, {})

    files, last = [(Path("page.md"), ["", name + "(size=1)"])], shop(one)
    then = {"shop": DocumentModel(last)}
    assert shown(left_behind(files, then, {"shop": shop()})) == [
        "operation addOne is gone: page.md:2"
    ]
    said = f"{name} takes size no more: page.md:2"
    assert shown(callers(files, then, {"shop": shop(other)})) == [said]


@pytest.mark.parametrize("path", ["/a/{id}", "/b/{id}"])
@pytest.mark.parametrize("id", ["getA", "readA"])
def test_what_is_gone_is_said_at_its_place_or_at_that_of_what_is_new(path: str, id: str) -> None:
    def document(path: str, id: str) -> Document:
        paths = {"/z": {"get": {"operationId": "getZ"}}, path: {"get": {"operationId": id}}}
        places = {(): 1, ("paths",): 2, ("paths", path): 5, ("paths", path, "get"): 6}
        positions = {at: Position("shop.yaml", line, 1) for at, line in places.items()}
        return Document("shop", {"openapi": "3.1.0", "paths": paths}, positions)

    then = {"shop": DocumentModel(document("/a/{id}", "getA"))}
    files = [(Path("page.md"), ["`getA`", "/a/7"])]
    found = [*left_behind(files, then, {"shop": document(path, id)})]
    lines = {each.message.split()[0]: each.position and each.position.line for each in found}
    expected = {"operation": 6} if id != "getA" else {}
    assert lines == expected | ({"path": 5} if path != "/a/{id}" else {})
