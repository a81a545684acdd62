"""Documents whose parts multiply: what a run costs grows with the document, and not faster."""

from __future__ import annotations

import cProfile
import inspect
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from generate_support import configuration, operation, operations, project, said

from pipeline.codegen.specified import Specified
from pipeline.commands import status
from pipeline.openapi.documents import Document
from pipeline.openapi.model import DocumentModel
from pipeline.starting import start
from pipeline.steps import generate

Schemas = dict[str, Any]
S = {"type": "string"}


def ref(number: int) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/A{number}"}


def one_of_the_others(count: int) -> Schemas:
    """Names that stand for any of five others, round and round."""
    return {f"A{n}": {"oneOf": [ref((n + k) % count) for k in range(1, 6)]} for n in range(count)}


def one_or_many(count: int) -> Schemas:
    """Names that stand for the next one, or an array of it."""
    last = {f"A{count}": {"type": "object", "properties": {"x": S}}}
    chain = {
        f"A{n}": {"anyOf": [ref(n + 1), {"type": "array", "items": ref(n + 1)}]}
        for n in range(count)
    }
    return chain | last


def one_after_another(count: int) -> Schemas:
    """Alternatives of which one stands for the next ones; those referred to come last."""
    return {f"A{n}": {"oneOf": [S, ref(n + 1)]} for n in range(count)} | {f"A{count}": {}}


def all_that_extend_it(count: int) -> Schemas:
    """Alternatives that all extend the name that stands for them."""
    parts = {f"A{n}": {"allOf": [ref(0), {"properties": {f"p{n}": S}}]} for n in range(1, count)}
    return {"A0": {"oneOf": [ref(n) for n in range(1, count)]}} | parts


def each_extending_twice(count: int) -> Schemas:
    """Objects that extend the next one twice."""
    chain = {f"A{n}": {"allOf": [ref(n + 1), ref(n + 1)]} for n in range(count)}
    return chain | {f"A{count}": {"type": "object", "properties": {"x": S}}}


def _twos(count: int, word: str) -> Schemas:
    """Names that stand for two objects, of which each extends the next of these names."""
    made: Schemas = {f"A{count}": {"type": "object", "properties": {"x": S}}}
    for n in range(count):
        sides = [{"allOf": [ref(n + 1), {"properties": {p: S}}]} for p in "pq"]
        made |= {f"A{n}": {word: [{"$ref": f"#/components/schemas/{p}{n}"} for p in "pq"]}}
        made |= {f"{p}{n}": each for p, each in zip("pq", sides, strict=True)}
    return made


def each_extending_both(count: int) -> Schemas:
    return _twos(count, "allOf")


def each_one_of_two(count: int) -> Schemas:
    return _twos(count, "oneOf")


def each_adding_alternatives(count: int) -> Schemas:
    """Objects that extend the next one, and are one of two each: twice as many each time."""
    sides = [{"type": "object", "properties": {p: S}} for p in "pq"]
    chain = {f"A{n}": {"allOf": [ref(n + 1)], "oneOf": sides} for n in range(count)}
    return chain | {f"A{count}": {"type": "object", "properties": {"x": S}}}


_BRANCHING = [
    all_that_extend_it, each_extending_twice, each_extending_both, each_one_of_two,
    each_adding_alternatives,
]  # fmt: skip


def calls(folder: Path, schemas: Schemas) -> int:
    """Return how many functions a run calls."""
    document = operations({"/a": {"get": operation("readA", answer=ref(0))}}, **schemas)
    return calls_of(folder, document, builtins=False)


def calls_of(folder: Path, document: dict[str, Any], *, builtins: bool) -> int:
    """Return how many functions a run calls, those of the interpreter, too, if wanted."""
    folder.mkdir()
    config = replace(project(folder, document), on_uncarried="skip")
    profile = cProfile.Profile(builtins=builtins)
    profile.runcall(generate, config)
    return sum(each.callcount for each in profile.getstats())


@pytest.mark.parametrize("made", [one_of_the_others, one_or_many, one_after_another])
def test_references_are_followed_once(tmp_path: Path, made: Callable[[int], Schemas]) -> None:
    few = calls(tmp_path / "few", made(12))
    assert calls(tmp_path / "more", made(24)) < 2.5 * few


def test_alternatives_that_multiply_are_cut_at_the_innermost(tmp_path: Path) -> None:
    schema: dict[str, Any] = S
    for level in range(9):
        schema = {"oneOf": [
            {"type": "object", "required": ["k"], "properties": {
                "k": {"const": f"{side}{level}"}, "v": schema}}
            for side in "ab"]}  # fmt: skip
    document = operations({"/a": {"get": operation("readA", answer=schema)}})
    files, notes = generate(replace(project(tmp_path, document), on_uncarried="skip"))
    module = files["client/src/sample/models/things.py"]
    assert 400 < module.count("\nclass ") < 600
    (said,) = [each for each in notes if "alternatives stand in one another" in each.message]
    assert "any value" in said.message and said.position
    assert not [each for each in notes if each.severity == "left out"]


def test_a_library_may_go_deeper_than_python_lets_functions_by_themselves(tmp_path: Path) -> None:
    """Schemas extend one another more often; what the caller has set is as it was afterwards."""
    schemas = {f"A{n}": {"allOf": [ref(n + 1), {"required": ["x"]}]} for n in range(30)}
    schemas["A30"] = {"type": "object", "properties": {"x": S}}
    document = operations({"/a": {"get": operation("readA", answer=ref(0))}}, **schemas)
    config = replace(project(tmp_path, document), on_uncarried="skip")
    before = sys.getrecursionlimit()
    low = len(inspect.stack(0)) + 45
    sys.setrecursionlimit(low)
    try:
        files, _ = generate(config)
        assert sys.getrecursionlimit() == low
    finally:
        sys.setrecursionlimit(before)
    assert "x: str = MISSING" in files["client/src/sample/models/things.py"]


def test_a_start_by_itself_may_go_as_deep(tmp_path: Path) -> None:
    """All of it, also what reads the document and looks through it before anything is written."""
    schema: Schemas = {"type": "object", "properties": {"x": S}}
    for _ in range(30):
        schema = {"allOf": [schema]}
    document = operations({"/a": {"get": operation("readA", answer=schema)}})
    source = tmp_path / "document.yaml"
    source.write_text(json.dumps(document), encoding="utf-8")
    before = sys.getrecursionlimit()
    low = len(inspect.stack(0)) + 120
    sys.setrecursionlimit(low)
    try:
        started = start(str(source), tmp_path / "made")
        assert sys.getrecursionlimit() == low
    finally:
        sys.setrecursionlimit(before)
    assert started.problems == () and started.built is not None


_OF_A_CONFIGURATION = ("generate", "check", "lint", "propose")


@pytest.mark.parametrize(
    "command",
    [
        "init {0}/document.yaml -o {0}/new",
        "overlay {0}/document.yaml {0}/overlay.yaml",
        *(f"{each} --config {{0}}/pyproject.toml" for each in _OF_A_CONFIGURATION),
    ],
)
def test_what_is_nested_too_deeply_is_one_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    text = json.dumps(operations({}, A={"examples": ["@"]}))
    text = text.replace('"@"', '{"a": [' * 2500 + "]}" * 2500)
    (tmp_path / "document.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(configuration("sample"), encoding="utf-8")
    overlay = {"overlay": "1.1.0", "info": {"title": "T", "version": "1"}, "actions": [
        {"target": "$.info", "update": {"title": "U"}}]}  # fmt: skip
    (tmp_path / "overlay.yaml").write_text(json.dumps(overlay), encoding="utf-8")
    code, out, err = said(capsys, *command.format(tmp_path).split())
    assert (code, out) == (1, "")
    (problem, footer) = err.splitlines()
    assert re.search(r"document\.yaml:1:\d+: nested more than 250 levels deep", problem)
    writes = command.split()[0] not in ("lint", "check")
    assert footer == f"1 problem{'; nothing was written' * writes}."


@pytest.mark.parametrize(
    ("error", "what"),
    [(RecursionError, "nested too deeply to be read"), (MemoryError, "too large for the memory")],
)
def test_what_is_too_much_for_python_is_one_error(
    capsys: pytest.CaptureFixture[str], error: type[Exception], what: str
) -> None:
    def run() -> int:
        raise error

    assert status(run, footer=lambda: "; nothing was written") == 1
    (problem, footer) = capsys.readouterr().err.splitlines()
    assert what in problem and "bug" not in problem
    assert footer == "1 problem; nothing was written."


def one_named_by_another(count: int) -> Schemas:
    """Names of names."""
    return {f"A{n}": ref(n + 1) for n in range(count)} | {f"A{count}": {"type": "object"}}


def one_extending_another(count: int) -> Schemas:
    """Objects that extend one another, and add nothing."""
    made = {"type": "object", "properties": {"x": S}}
    return {f"A{n}": {"allOf": [ref(n + 1)]} for n in range(count)} | {f"A{count}": made}


def one_adding_to_another(count: int) -> Schemas:
    """Objects that extend one another, each with a member of its own."""
    chain = {f"A{n}": {"allOf": [ref(n + 1), {"properties": {f"p{n}": S}}]} for n in range(count)}
    return chain | {f"A{count}": {"type": "object", "properties": {"x": S}}}


def one_adding_beside(count: int) -> Schemas:
    """Objects that extend one another, each with a member beside."""
    made = {"type": "object", "properties": {"x": S}}
    chain = {f"A{n}": {"allOf": [ref(n + 1)], "properties": {f"p{n}": S}} for n in range(count)}
    return chain | {f"A{count}": made}


_CHAINS = [
    one_named_by_another, one_extending_another, one_adding_to_another, one_adding_beside
]  # fmt: skip


@pytest.mark.parametrize("made", _BRANCHING)
def test_branches_are_followed_once(tmp_path: Path, made: Callable[[int], Schemas]) -> None:
    """Each class has all members of those it extends; nothing else is done once for each way."""
    calls(tmp_path / "first", made(10))  # it imports what is needed
    few, some, more = (calls(tmp_path / str(n), made(n)) for n in (10, 20, 40))
    assert more - some < 2.8 * (some - few)


@pytest.mark.parametrize("made", _CHAINS)
def test_chains_are_followed_once(tmp_path: Path, made: Callable[[int], Schemas]) -> None:
    """What a run takes for each further link does not grow with the chain."""
    calls(tmp_path / "first", made(2))  # it imports what is needed
    none, few, many = (calls(tmp_path / str(n), made(n)) for n in (2, 52, 152))
    assert many - few < 2.4 * (few - none)


def operations_side_by_side(count: int) -> dict[str, Any]:
    """Operations of one resource."""
    return operations({f"/{n}": {"get": operation(f"read{n}", answer=S)} for n in range(count)})


def parameters_named_by_one_another(count: int) -> dict[str, Any]:
    names = [{"$ref": f"#/components/parameters/P{n}"} for n in range(count)]
    made = {f"P{n}": name for n, name in enumerate(names[1:])}
    made[f"P{count - 1}"] = {"name": "p", "in": "query", "schema": S}
    document = operations({"/a": {"get": operation("readA", parameters=names[:1])}})
    return {**document, "components": {"parameters": made}}


def definitions_named_by_one_another(count: int) -> dict[str, Any]:
    """Names of names that are no components."""
    names = [{"$ref": f"#/components/schemas/All/$defs/A{n}"} for n in range(count)]
    made: Schemas = {f"A{n}": name for n, name in enumerate(names[1:])}
    made[f"A{count - 1}"] = {"type": "object", "properties": {"x": S}}
    paths = {"/a": {"get": operation("readA", answer=names[0])}}
    return operations(paths, All={"$defs": made})


@pytest.mark.parametrize(
    "made",
    [
        operations_side_by_side,
        parameters_named_by_one_another,
        definitions_named_by_one_another,
    ],
)
def test_many_of_one_kind_are_read_once(
    tmp_path: Path, made: Callable[[int], dict[str, Any]]
) -> None:
    """What a run takes for each further one does not grow with their number."""
    calls_of(tmp_path / "first", made(2), builtins=True)  # it imports what is needed
    none, few, many = (calls_of(tmp_path / str(n), made(n), builtins=True) for n in (10, 60, 160))
    assert many - few < 2.3 * (few - none)


def test_an_object_has_the_members_of_a_chain_that_it_extends(tmp_path: Path) -> None:
    """Also where one of the chain is extended twice, or is a type of its own."""
    for place, more in enumerate(({}, {"B": {"allOf": [ref(2), {"properties": {"b": S}}]}})):
        schemas = one_adding_beside(3) | more
        schemas["A1"]["required"] = ["x"]
        (folder := tmp_path / str(place)).mkdir()
        paths = {"/a": {"get": operation("readA", answer=ref(0))}}
        if more:
            paths["/b"] = {"get": operation("readB", answer={"$ref": "#/components/schemas/B"})}
            paths["/c"] = {"get": operation("readC", answer=ref(1))}
        files, notes = generate(project(folder, operations(paths, **schemas)))
        module = files["client/src/sample/models/things.py"]
        made = {part.split("(")[0]: part for part in module.split("\nclass ")[1:]}
        assert made.keys() == ({"A0", "A1", "B"} if more else {"A0"})
        assert [re.findall(r"    (\w+): (str .*|str)\n", made["A0"])] == [
            [("x", "str = MISSING"), *((f"p{n}", "str | None = MISSING") for n in (2, 1, 0))]
        ]
        assert not [each for each in notes if each.rule == "readers"]
        if more:
            assert "    b: str | None" in made["B"] and "    p2: str | None" in made["B"]


def test_long_chains_are_read(tmp_path: Path) -> None:
    for made in (one_named_by_another, one_extending_another):
        (tmp_path / made.__name__).mkdir()
        document = operations({"/a": {"get": operation("readA", answer=ref(0))}}, **made(1000))
        config = replace(project(tmp_path / made.__name__, document), on_uncarried="skip")
        files, notes = generate(config)
        returned = {one_extending_another: "Request[A1000]"}.get(made, "Request[")
        assert f"def build_read_a() -> {returned}" in files["client/src/sample/resources/things.py"]
        assert not [each for each in notes if each.severity == "left out"]


def each_telling_apart(count: int) -> Schemas:
    """Objects that extend one another, each with a discriminator of its own."""
    made: Schemas = {}
    for n in range(count):
        properties = {f"k{n}": S}
        made[f"A{n}"] = {"type": "object", "required": [f"k{n}"], "properties": properties}
        made[f"A{n}"]["discriminator"] = {"propertyName": f"k{n}"}
        made[f"A{n}"]["allOf"] = [ref(n - 1)] if n else []
    return made


def test_chains_of_discriminators_cost_what_is_written_of_them(tmp_path: Path) -> None:
    """Each class has a field for each that it extends, and nothing is done for each two of them."""
    calls(tmp_path / "first", each_telling_apart(2))  # it imports what is needed
    few, some, more = (calls(tmp_path / str(n), each_telling_apart(n)) for n in (20, 40, 80))
    assert more - some < 4.5 * (some - few)


def test_a_note_is_short_however_many_classes_it_is_about(tmp_path: Path) -> None:
    schemas = each_telling_apart(60)
    last = schemas["A58"]["discriminator"]
    last["mapping"] = {"z" * 900: "#/components/schemas/A59"}
    document = operations({"/a": {"get": operation("readA", answer=ref(0))}}, **schemas)
    _, notes = generate(replace(project(tmp_path, document), on_uncarried="skip"))
    said = [each.message for each in notes if each.rule == "readers"]
    assert max(map(len, said)) < 400
    (of_all,) = [each for each in said if "#/components/schemas/A1," in each]
    assert "#/components/schemas/A15 or 52 more, by openapi-python-client as" in of_all
    assert any('"zzz' in each and "…" in each for each in said)


def test_the_values_of_a_discriminator_are_looked_up_once_an_object(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = {"type": "object", "properties": {"k": S}, "discriminator": {"propertyName": "k"}}
    chain = {f"A{n}": {"allOf": [ref(n - 1), {"properties": {"x": S}}]} for n in range(1, 20)}
    model = DocumentModel(Document("a.yaml", operations({}, A0=told, **chain), {}))
    asked: list[object] = []
    look = model.properties

    def counted(pointer: Any, schema: Any) -> Any:
        asked.append(pointer)
        return look(pointer, schema)

    monkeypatch.setattr(model, "properties", counted)
    place = ("components", "schemas", "A0", "properties", "k")
    assert len(Specified(model).tags(place)) == 20
    assert len(asked) == 20
