"""Two readers of every document: openapi-python-client first, ours beside it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any, Final, get_args

import openapi_python_client.parser.properties as properties
import pytest
from generate_support import documented, operation, operations

from pipeline.carrying import SupportedApi, select_supported
from pipeline.codegen import parser, schemas
from pipeline.codegen.ir import Api, Field, Node, Operation, Type
from pipeline.codegen.reader import read
from pipeline.codegen.readers import Agreement, Readers
from pipeline.codegen.specified import MISREAD
from pipeline.config import Config, load_config
from pipeline.openapi.documents import Document
from pipeline.openapi.documents import found as found_at
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.problems import PipelineError
from pipeline.steps import Effective, effective

ROOT = Path(__file__).parents[2]
_PLACE = ("components", "schemas", "Thing")


@pytest.fixture(scope="module")
def config() -> Config:
    return load_config(ROOT / "pyproject.toml")


@pytest.fixture(scope="module")
def ours(config: Config) -> Effective:
    return effective(config)


def carried(config: Config, made: Effective) -> list[SupportedApi]:
    return [
        select_supported(config, source, made.documents[source.name], made.found[source.name])
        for source in config.sources
    ]


def first(data: dict[str, Any]) -> parser.Reading:
    return parser.read(DocumentModel(Document("sample", data, {})))


def foreign(config: Config, data: dict[str, Any]) -> SupportedApi:
    document = Document("sample", data, {})
    return select_supported(config, config.sources[0], document, [])


# Every run asks it


@pytest.mark.parametrize("command", ["generate", "check", "lint", "init spec/media.yaml -o"])
def test_without_it_nothing_is_read(command: str, tmp_path: Path) -> None:
    arguments = command.split() + ([str(tmp_path / "new")] if command.endswith("-o") else [])
    program = (
        "import sys; sys.modules['openapi_python_client'] = None\n"
        f"from pipeline.cli import main; sys.exit(main({arguments}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, text=True, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert "openapi-python-client is needed to read a document" in done.stderr + done.stdout
    assert "pip install openapi-python-client" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    assert "current" not in done.stdout
    assert not [*tmp_path.iterdir()]


def test_only_one_module_knows_it() -> None:
    users = [
        path.name
        for path in (ROOT / "pipeline").rglob("*.py")
        if re.search(r"^\s*(import|from) openapi_python_client", path.read_text(), re.MULTILINE)
    ]
    assert users == ["parser.py"]


def test_every_kind_of_property_is_known() -> None:
    """A new kind in another version would end a run."""
    kinds = {each.__name__ for each in get_args(properties.Property)} | {"UnionProperty"}
    walked = {"ModelProperty", "UnionProperty", "EnumProperty"}  # the last, where they are classes
    walked |= {"ConstProperty", "LiteralEnumProperty"}  # of which the values are kept
    assert kinds - walked == parser._KINDS.keys()


# It reads our documents as we do


def test_it_reads_all_of_our_documents(config: Config, ours: Effective) -> None:
    manifest = json.loads((ROOT / "generated/MANIFEST.json").read_bytes())["readers"]
    both = carried(config, ours)
    assert len(both) == len(manifest) == 2
    for each in both:
        counts = each.agreement.counts
        assert counts == manifest[each.api.source]
        assert (counts["differ"], counts["silent"]) == (0, 0)
        fields = sum(len(model.fields) for model in each.api.models.values())
        assert counts["agree"] > 2 * fields  # a type and whether it is required, at least


def _swapped(table: dict[Any, Any], key: Any) -> Callable[[pytest.MonkeyPatch], None]:
    other = "float" if table[key] != "float" else "int"
    return lambda patch: patch.setitem(table, key, other)


def _asks(name: str, change: Callable[..., Any]) -> Callable[[pytest.MonkeyPatch], None]:
    """Let our reading find something else than it has found, before it asks."""
    asked = getattr(Readers, name)
    return lambda patch: patch.setattr(
        Readers, name, lambda self, *given: asked(self, *change(*given))
    )


def _without(wire: str) -> Callable[[pytest.MonkeyPatch], None]:
    collect = schemas.Schemas._collect

    def changed(self: Any, properties: Any, *given: Any) -> None:
        collect(self, properties, *given)
        properties.fields.pop(wire, None)

    return lambda patch: patch.setattr(schemas.Schemas, "_collect", changed)


_MISTAKES: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    **{
        f"type {key}": (_swapped(schemas._SINGLE_KINDS, key), "/")
        for key in schemas._SINGLE_KINDS
        if key in ("boolean", "integer", "string")
    },
    **{
        f"format {key}": (_swapped(schemas._FORMATS, key), "/")
        for key in ("date-time", "binary")
    },
    "an array is an object": (
        lambda patch: patch.setattr(
            schemas.Schemas, "_item", lambda self, raw, at, hint: self.read({}, (*at, "items"), "")
        ),
        "/items",
    ),
    "null is not read": (
        lambda patch: patch.setattr(
            schemas, "_union", lambda members, node: next(iter(members))
        ), "null",
    ),
    "a property is required": (
        _asks("required", lambda at, wire, own: (at, wire, own or wire == "alt_text")), "/alt_text",
    ),
    "a property is not required": (
        _asks("required", lambda at, wire, own: (at, wire, own and wire != "is_draft")),
        "/is_draft",
    ),
    "a parameter is not required": (
        _asks("parameter", lambda at, raw, own: (at, raw, own and raw["name"] != "ids")),
        "query ids",
    ),
    "a body is not required": (
        _asks("body", lambda at, offered, own: (at, offered, False)), "application/json",
    ),
    "a property is lost": (_without("visible_for_client"), "visible_for_client"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", _MISTAKES)
def test_a_mistake_of_ours_is_found_by_the_other_reader(
    config: Config, ours: Effective, mistake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant, named = _MISTAKES[mistake]
    plant(monkeypatch)
    with pytest.raises(PipelineError) as caught:
        carried(config, ours)
    assert {each.rule for each in caught.value.findings} == {"readers"}
    assert all(each.position for each in caught.value.findings)
    assert named in str(caught.value)
    assert "by openapi-python-client as" in str(caught.value)


Places = set[tuple[str | int, ...]]


def _models(api: Api, change: Callable[[Field], list[Field]]) -> Api:
    """Return an API with the last field of every model changed."""
    models = {
        name: replace(each, fields=(*each.fields[:-1], *change(each.fields[-1])))
        for name, each in api.models.items()
    }
    return replace(api, models=models)


def _operations(api: Api, change: Callable[[Operation], Operation]) -> Api:
    return replace(api, operations=tuple(map(change, api.operations)))


def _with(api: Api, at: int, changed: Operation) -> Api:
    return replace(api, operations=(*api.operations[:at], changed, *api.operations[at + 1 :]))


def _last(name: str, **changed: Any) -> Callable[[Operation], Operation]:
    """Change the last of the parameters, bodies or failures; without a change, it is lost."""

    def change(operation: Operation) -> Operation:
        *others, last = getattr(operation, name) or (None,)
        if last is None:
            return operation
        new = {key: value(last) for key, value in changed.items()}
        kept = [*others, *([replace(last, **new)] if new else [])]
        return replace(operation, **{name: tuple(kept)})

    return change


def _any(of: Any) -> Type:
    return Type("any", Node((), {}))


_FIELDS: dict[str, Callable[[Field], list[Field]]] = {
    "type": lambda each: [replace(each, type=_any(each))],
    "null": lambda each: [replace(each, type=Type("union", each.node, (each.type, _NULL)))],
    "required": lambda each: [replace(each, required=not each.required)],
    "lost": lambda each: [],
    "name": lambda each: [replace(each, wire=f"{each.wire}_")],
}
_NULL = Type("null", Node((), {}))
_DATE = Type("date", Node((), {}))
_OPERATIONS: dict[str, tuple[str, Callable[[Operation], Operation]]] = {
    "method": ("", lambda each: replace(each, method="TRACE")),
    "path": ("", lambda each: replace(each, path=f"{each.path}/more")),
    "parameter lost": ("parameters", _last("parameters")),
    "parameter elsewhere": ("parameters", _last("parameters", place=lambda each: "cookie")),
    "parameter named else": ("parameters", _last("parameters", wire=lambda each: "other")),
    "parameter required": (
        "parameters", _last("parameters", required=lambda each: not each.required),
    ),
    "body lost": ("bodies", _last("bodies")),
    "body required": ("bodies", _last("bodies", required=lambda each: not each.required)),
    "body of another type": ("bodies", _last("bodies", media_type=lambda each: "text/plain")),
    "body of another form": ("bodies", _last("bodies", form=lambda each: "text")),
    "error of another status": ("failures", _last("failures", status=lambda each: "599")),
    "error lost": ("failures", _last("failures")),
    "error described elsewhere": (
        "failures", _last("failures", place=lambda each: (*each.place[:-2], "a/b", "schema")),
    ),
    "success of another form": (
        "", lambda each: replace(each, success=replace(each.success, form="text")),
    ),
    "status lost": (
        "responses", lambda each: replace(each, responses=dict([*each.responses.items()][1:])),
    ),
}  # fmt: skip


Compared = tuple[Api, Callable[[Api], Agreement]]


def compared(read: Callable[[], object]) -> list[Compared]:
    """Return each API that is read, and what compares a changed one with the first reading."""
    made: list[Compared] = []
    agreement = Readers.agreement

    def keep(readers: Readers, api: Api, types: Any) -> Agreement:
        made.append((api, lambda changed: agreement(readers, changed, types)))
        return agreement(readers, api, types)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Readers, "agreement", keep)
        read()
    return made


@pytest.fixture(scope="module")
def finished(config: Config, ours: Effective) -> list[tuple[Api, Callable[[Api], Places]]]:
    def places(compare: Callable[[Api], Agreement]) -> Callable[[Api], Places]:
        return lambda api: {each.pointer or () for each in compare(api).differences}

    made = [(api, places(compare)) for api, compare in compared(lambda: carried(config, ours))]
    assert [differing(api) for api, differing in made] == [set(), set()]
    return made


@pytest.mark.parametrize("change", _FIELDS)
def test_it_notices_every_mistake_in_a_field(finished: Any, change: str) -> None:
    assert finished
    for api, differing in finished:
        lasts = [(each, each.fields[-1]) for each in api.models.values()]
        places = {
            last.node.pointer
            if change in ("type", "null")
            else (*each.node.pointer, "properties", last.wire)
            for each, last in lasts
            if change != "type" or last.type.kind != "any"
        }
        found = differing(_models(api, _FIELDS[change]))
        assert found >= places or change == "null", places - found
        assert found and found <= places


def _holding(type_: Type) -> Iterator[Type]:
    """Yield the outermost lists and maps of a type."""
    if type_.kind in ("list", "map"):
        yield type_
    else:
        for each in type_.items:
            yield from _holding(each)


def _items_lost(api: Api) -> Api:
    """Make any value of what lists and maps hold."""

    def lost(type_: Type) -> Type:
        if type_.kind in ("list", "map"):
            items = tuple(replace(each, kind="any", items=()) for each in type_.items)
        else:
            items = tuple(map(lost, type_.items))
        return replace(type_, items=items)

    models = {
        name: replace(each, fields=tuple(replace(f, type=lost(f.type)) for f in each.fields))
        for name, each in api.models.items()
    }
    return replace(api, models=models)


def test_it_notices_a_mistake_inside_a_list_or_a_map(finished: Any) -> None:
    assert finished
    for api, differing in finished:
        kinds = {"list": "items", "map": "additionalProperties"}
        places = {
            (*inner.node.pointer, kinds[inner.kind])
            for each in api.models.values()
            for known in each.fields
            if known.wire
            for inner in _holding(known.type)
            if inner.items[0].kind != "any"
        }
        found = differing(_items_lost(api))
        assert places <= found, places - found
    assert places


@pytest.mark.parametrize("change", _OPERATIONS)
def test_it_notices_every_mistake_in_an_operation(finished: Any, change: str) -> None:
    part, changed = _OPERATIONS[change]
    assert finished
    for api, differing in finished:
        places = {e.pointer for e in api.operations if not part or getattr(e, part)}
        assert differing(_operations(api, changed)) == places
        assert places


def test_it_notices_another_type_of_any_parameter(finished: Any) -> None:
    """Of each alone, also where several operations share one by a reference."""
    asked = 0
    for api, differing in finished:
        for at, method in enumerate(api.operations):
            for number, each in enumerate(method.parameters):
                other = [*method.parameters]
                other[number] = replace(each, type=_any(each))
                (place,) = differing(_with(api, at, replace(method, parameters=tuple(other))))
                assert found_at(api.raw, place[:-1])["name"] == each.wire
                asked += 1
    assert asked > 20


def test_it_notices_another_media_type_of_any_response(finished: Any) -> None:
    asked = 0
    for api, differing in finished:
        for at, method in enumerate(api.operations):
            wrong = replace(method.success, media_type="text/csv")
            found = differing(_with(api, at, replace(method, success=wrong)))
            assert (method.pointer in found) is bool(method.success.type)
            asked += bool(found)
    assert asked > 10


def test_it_notices_what_is_lost_as_a_whole(finished: Any) -> None:
    assert finished
    for api, differing in finished:
        *others, lost = api.operations
        assert lost.pointer in differing(replace(api, operations=tuple(others)))
        name, model = next(iter(api.models.items()))
        models = {key: each for key, each in api.models.items() if key != name}
        assert differing(replace(api, models=models)) == {
            (*model.node.pointer, "properties", each.wire) for each in model.fields
        }


@pytest.mark.parametrize("change", [lambda values: values[:-1], lambda values: (*values, "?")])
def test_it_notices_every_mistake_in_an_enumeration(finished: Any, change: Any) -> None:
    assert any(api.codes for api, _ in finished)
    for api, differing in finished:
        for name, each in api.codes.items():
            codes = {**api.codes, name: replace(each, values=change(each.values))}
            found = differing(replace(api, codes=codes))
            assert each.node.pointer in found


# What it reads counts, and ours where it is silent


_X: Final = (*_PLACE, "properties", "x")
_DECIDED: dict[str, tuple[dict[str, Any], set[Any], str]] = {
    "kind": ({"type": "integer"}, {"float"}, "float"),
    "format": ({"type": "string", "format": "date"}, {"str"}, "str"),
    "null": ({"type": "integer"}, {"int", "null"}, "union(int, null)"),
    "no null": ({"type": ["integer", "null"]}, {"int"}, "int"),
    "union": ({"type": "string"}, {"int", "str"}, "union(int, str)"),
    "list": ({"type": "string", "items": {"type": "integer"}}, {"list"}, "list(int)"),
    "no list": ({"type": "array", "items": {}}, {"str"}, "str"),
    "map": (
        {"type": "string", "additionalProperties": {"type": "integer"}}, {"map"}, "map(int)",
    ),
    "class": ({"type": "object"}, {_PLACE}, "Thing"),
    "no class": ({"type": "object", "properties": {}}, {"map"}, "map(any)"),
    "another class": ({"$ref": "#/components/schemas/Other"}, {_PLACE}, "Thing"),
    "enumeration": ({"enum": ["a", "b"]}, {'"a"', '"c"'}, "union(const, const)"),
    "constant": ({"const": "a"}, {'"b"'}, "const"),
    "any": ({"type": "integer"}, {"any"}, "any"),
}  # fmt: skip


def _written(type_: Type) -> str:
    if type_.kind == "class":
        return type_.node.component
    inner = ", ".join(map(_written, type_.items))
    return f"{type_.kind}({inner})" if inner else type_.kind


@pytest.mark.parametrize("case", _DECIDED)
def test_what_it_reads_is_what_comes_out(
    config: Config, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema, says, written = _DECIDED[case]
    data = documented(x=schema)
    data["components"]["schemas"]["Other"] = {"properties": {"a": {"type": "string"}}}
    read = parser.read

    def falsified(model: DocumentModel) -> parser.Reading:
        reading = read(model)
        assert reading.shapes[_X] != says
        reading.shapes[_X] = frozenset(says)
        return reading

    assert _written(foreign(config, data).api.models["Thing"].fields[0].type) != written or (
        case == "constant"
    )
    monkeypatch.setattr(parser, "read", falsified)
    made = foreign(config, data)
    (field,) = made.api.models["Thing"].fields
    assert _written(field.type) == written
    if case == "constant":
        assert field.type.value == "b"
    assert _X in {each.pointer for each in made.agreement.differences}
    assert made.agreement.unexplained
    assert {each.severity for each in made.agreement.differences} == {"note"}


@pytest.mark.parametrize("part", ["required", "parameters", "bodies"])
def test_whether_something_is_required_is_what_it_reads(
    config: Config, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = operation(parameters=[{"name": "b", "in": "query", "schema": {"type": "string"}}])
    one["requestBody"] = {"content": {"text/json": {"schema": {}}, "application/json": {}}}
    one["requestBody"]["content"] = {"application/json": {"schema": {"type": "string"}}}
    data = operations({"/things": {"post": one}})
    data["components"] = documented(x={"type": "integer"})["components"]
    read = parser.read

    def falsified(model: DocumentModel) -> parser.Reading:
        reading = read(model)
        facts: dict[Any, Any] = getattr(reading, part)
        assert facts
        facts.update((key, ("json", True) if part == "bodies" else True) for key in facts)
        return reading

    def needed() -> list[bool]:
        made = foreign(config, data).api
        (op,) = made.operations
        some = {"required": made.models["Thing"].fields, "parameters": op.parameters}
        return [each.required for each in some.get(part, op.bodies)]

    assert needed() == [False]
    monkeypatch.setattr(parser, "read", falsified)
    assert needed() == [True]


def _falsify(part: str, fact: Any) -> Any:
    if part == "shapes":
        return frozenset({"uuid"})
    if part == "operations":
        return "TRACE /"
    if part == "responses":
        return "text", fact[1]
    return ("text", fact[1]) if part == "bodies" else not fact


@pytest.mark.parametrize("part", [each.name for each in fields(parser.Reading)])
def test_nothing_of_our_documents_is_written_where_it_reads_something_else(
    config: Config, ours: Effective, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = parser.read
    asked = 0
    for number in range(3):  # the first, one in the middle, the last

        def falsified(model: DocumentModel, number: int = number) -> parser.Reading:
            reading = read(model)
            facts: dict[Any, Any] = getattr(reading, part)
            if facts:
                key = [*facts][(len(facts) - 1) * number // 2]
                facts[key] = _falsify(part, facts[key])
            return reading

        monkeypatch.setattr(parser, "read", falsified)
        with pytest.raises(PipelineError, match="by openapi-python-client as"):
            carried(config, ours)
        asked += 1
    assert asked == 3


@pytest.mark.parametrize("raises", [False, True])
def test_a_document_that_it_refuses_is_read_here_alone(
    config: Config, raises: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(data: Any, config: Any) -> Any:
        if raises:
            raise ValueError("Duplicate key A")
        return parser.GeneratorError(detail="Duplicate key A")

    monkeypatch.setattr(parser.GeneratorData, "from_dict", refuse)
    data = documented(x={"type": "integer"})
    made = foreign(config, data)
    assert [each.type.kind for each in made.api.models["Thing"].fields] == ["int"]
    assert made.agreement.agree == 0
    (note,) = [each for each in made.notes if each.rule == "readers"]
    assert "refuses the document" in note.message and "Duplicate key A" in note.message
    with pytest.raises(PipelineError, match="openapi-python-client refuses the document"):
        foreign(config, {**data, "x-sections": {}})


_TYPES: Final = ("string", "integer", "number", "boolean", "object", "array", "null")
_WORDS: Final[dict[str, Any]] = {
    "format": "date-time", "minimum": 1, "const": "a", "enum": ["a"],
    "items": {"type": "string"}, "additionalProperties": {"type": "integer"}, "required": ["x"],
    "properties": {"x": {"type": "integer"}}, "allOf": [{"$ref": "#/components/schemas/Base"}],
    "oneOf": [{"type": "object", "properties": {each: {"type": "string"}}} for each in "pq"],
    "anyOf": [{"type": "string"}, {"type": "integer"}],
}  # fmt: skip


def _read_of(data: dict[str, Any], reading: parser.Reading) -> dict[str, dict[str, str]]:
    api = read(Document("sample", data, {}), "sample", reading)[0]
    return {
        name: {each.wire: _written(each.type) for each in made.fields}
        for name, made in api.models.items()
    }


def test_what_it_refuses_elsewhere_changes_no_type() -> None:
    kinds: list[Any] = [*_TYPES, *([each] for each in _TYPES)]
    kinds += [*map(list, permutations(_TYPES, 2)), *map(list, combinations(_TYPES, 3))]
    schemas: dict[str, Any] = {"Base": {"type": "object", "properties": {"b": {}}}}
    for kind, word in product(kinds, _WORDS):
        schema = {"type": kind, word: _WORDS[word]}
        number = len(schemas)
        name = {"$ref": f"#/components/schemas/Named{number}"}
        inner = {"itself": schema, "named": name, "listed": {"type": "array", "items": name}}
        schemas |= {f"Named{number}": schema, f"T{number}": {"type": "object", "properties": inner}}
    whole = {each: {"$ref": f"#/components/schemas/{each}"} for each in schemas}
    answer = {"type": "object", "properties": whole}
    data = operations({"/things": {"get": operation(answer=answer)}}, **schemas)
    reading = first(data)
    assert len(reading.shapes) > 2 * len(kinds) * len(_WORDS)
    both, alone = _read_of(data, reading), _read_of(data, parser.Reading())
    assert len(both) > len(kinds) * len(_WORDS)
    assert {name: (both.get(name), alone.get(name)) for name in {*both, *alone}} == {
        name: (each, each) for name, each in both.items()
    }


@pytest.mark.parametrize(
    "elsewhere",
    [
        operations({"/others": {"get": {"operationId": "listOthers"}}}),
        documented(other={"const": {"a": 1}}, another={"const": ["a"]}),
    ],
)
def test_it_reads_a_document_that_is_valid_but_strange_to_it(elsewhere: dict[str, Any]) -> None:
    assert first(elsewhere).operations


_MISREAD: dict[str, list[dict[str, Any]]] = {
    "cases": [
        {"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}]},
        {"type": ["object", "null"], "oneOf": [{"$ref": "#/components/schemas/Thing"}]},
    ],
    "items": [{"items": {"type": "string"}}],
    "map": [{"additionalProperties": {"type": "string"}}],
    "allOf": [
        {"allOf": [{"type": "string"}, {"maxLength": 3}]},
        {"allOf": [{"type": ["boolean", "null"]}, {}]},
        {"type": "integer", "enum": [1], "allOf": [{"$ref": "#/components/schemas/Codes"}]},
        {"type": "object", "allOf": [{"$ref": "#/components/schemas/Thing"}]},
    ],
    "boolean": [{"type": "boolean", "const": True}],
    "silent": [{"anyOf": [{"$ref": "#/components/schemas/Thing"}, {}]}],
    "integers": [{"type": "integer", "enum": [1, 2**63]}],
}


@pytest.mark.parametrize(
    ("word", "schema"), [(word, each) for word, some in _MISREAD.items() for each in some]
)
def test_a_known_difference_has_its_reason_and_a_mistake_there_has_none(
    config: Config, word: str, schema: dict[str, Any]
) -> None:
    data = documented(x=schema)
    data["components"]["schemas"]["Codes"] = {"type": "integer", "enum": [1, 2]}
    ((api, compare),) = compared(lambda: foreign(config, data))
    right = compare(api)
    assert right.differences and right.unexplained == 0
    assert all(MISREAD[word] in each.message for each in right.differences)
    (field,) = api.models["Thing"].fields
    wrong = [replace(field.type, kind=kind, items=()) for kind in ("int", "float", "bool", "uuid")]
    wrong += [Type("const", Node((), {"const": 3})), Type("union", field.node, (field.type, _DATE))]
    others = {field.type.kind, "bool" if word == "boolean" else ""}  # which would agree
    fields = [replace(field, type=each) for each in wrong if each.kind not in others]
    for each in (*fields, replace(field, required=True)):
        changed = {"Thing": replace(api.models["Thing"], fields=(each,))}
        found = compare(replace(api, models={**api.models, **changed}))
        assert found.unexplained, each


def test_a_difference_without_a_known_word_has_no_reason(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("boolean", "integer"):
        with monkeypatch.context() as patch:
            patch.setitem(schemas._SINGLE_KINDS, key, "float")
            found = foreign(config, documented(x={"type": key})).agreement
        assert (len(found.differences), found.unexplained) == (1, 1), key


# What is read, by its places


@pytest.mark.parametrize(
    ("schema", "shape"),
    [
        ({"type": "string"}, {"str"}),
        ({"type": ["string", "null"]}, {"str", "null"}),
        ({"type": ["string", "integer", "null"]}, {"str", "int", "null"}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"str", "null"}),
        ({"oneOf": [{"type": ["string", "null"]}, {"type": "array", "items": {}}]},
         {"str", "null", "list"}),
        ({"enum": ["a", "b"]}, {'"a"', '"b"'}),
        ({"enum": ["a", None]}, {'"a"', "null"}),
        ({"type": "integer", "enum": [1, 2]}, {"1", "2"}),
        ({"oneOf": [{"const": "a"}, {"const": "b"}]}, {'"a"', '"b"'}),
        ({"const": "é"}, {'"é"'}),
        ({"x-extensible-enum": ["a", "b"]}, {'"a"', '"b"'}),
        ({"type": "string", "x-datetime-format": "%Y"}, {"datetime"}),
        ({"type": "string", "contentMediaType": "image/png"}, {"file"}),
        ({"type": "object"}, {"map"}),
        ({"type": "object", "properties": {}}, {(*_PLACE, "properties", "x")}),
        ({"$ref": "#/components/schemas/Thing"}, {_PLACE}),
        ({"allOf": [{"$ref": "#/components/schemas/Other"}]}, {_PLACE}),
        ({"type": "integer", "default": "none", "pattern": "(", "example": {}}, {"int"}),
    ],
)  # fmt: skip
def test_what_a_schema_is_read_as(schema: dict[str, Any], shape: set[Any]) -> None:
    data = documented(x=schema)
    data["components"]["schemas"]["Other"] = {"anyOf": [{"$ref": "#/components/schemas/Thing"}]}
    assert first(data).shapes[*_PLACE, "properties", "x"] == shape


def test_one_that_is_refused_takes_only_what_is_around_it() -> None:
    bad = {"enum": [1.5, "a"]}
    data = documented(x={"anyOf": [bad, {"type": "string"}]}, y={"type": "string"})
    data["components"]["schemas"]["Whole"] = {"properties": {"a": {"type": "string"}}}
    found = first(data)
    assert (*_PLACE, "properties", "x") not in found.shapes
    assert found.shapes["components", "schemas", "Whole"] == {("components", "schemas", "Whole")}


def test_what_is_read_of_an_operation() -> None:
    def parameter(name: str, place: str, **more: Any) -> dict[str, Any]:
        return {"name": name, "in": place, "schema": {"type": "string"}, **more}

    one = operation(parameters=[parameter("b", "query", required=True), parameter("c", "header")])
    text = {"application/json": {"schema": {"type": "string"}}}
    one["responses"]["200"] = {"description": "Yes.", "content": text}
    one["responses"] |= {"4XX": {"description": "No."}, "default": {"description": "Else."}}
    schema = {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}}
    one["requestBody"] = {
        "required": True,
        "content": {"application/json": schema, "multipart/form-data": schema, "x/y": schema},
    }
    item = {"parameters": [parameter("a", "path", required=True)], "post": one}
    at = ("paths", "/things/{a}", "post")
    found = first(operations({"/things/{a}": item}))
    assert found.parameters == {
        (at, "path", "a"): True,
        (at, "query", "b"): True,
        (at, "header", "c"): False,
    }
    assert found.bodies == {
        (at, "application/json"): ("json", True),
        (at, "multipart/form-data"): ("form", True),
    }
    assert found.operations == {at: "POST /things/{}"}
    assert found.responses[at, "4XX"] == found.responses[at, "default"] == ("none", ())
    place = (*at, "responses", "200", "content", "application/json", "schema")
    assert found.responses[at, "200"] == ("json", place)
    assert found.shapes[*at[:2], "parameters", 0, "schema"] == {"str"}
