"""Names never change their meaning when a document grows, or is written in another order."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from generate_support import operation, operations, project
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pipeline.codegen.pins import Pins, Thing
from pipeline.codegen.write import write_file
from pipeline.config import Config
from pipeline.openapi.problems import PipelineError
from pipeline.steps import Built, build_package, effective

WIRES = ["fooBar", "foo_bar", "foo-bar", "FooBar", "_foo_bar", "+1", "-1", "body", "id", "_id"]
IDS = ["things_list", "thing_list", "list", "List", "list_things", "ThingsController_list"]
TAGS = ["things", "Things", "async things", "2"]


class Growing:
    """A document that grows. Whatever has a name has a description that says what it is."""

    def __init__(self, seed: int) -> None:
        self.dice, self.number = random.Random(seed), 0
        self.paths: dict[str, Any] = {}
        self.schemas: dict[str, Any] = {}
        self.grow(6)

    def schema(self, **words: Any) -> dict[str, Any]:
        self.number += 1
        return {**words, "description": f"It is no. {self.number}."}

    def grow(self, steps: int) -> None:
        """Add so many things, anywhere."""
        for _ in range(steps):
            getattr(self, self.dice.choice(["add_call", "add_class", "add_member"]))()

    def add_call(self) -> None:
        one = operation(self.dice.choice(IDS), tags=[self.dice.choice(TAGS)], parameters=[])
        if self.dice.random() < 0.2:
            del one["operationId"]
        one["responses"]["200"]["content"] = {"application/json": {"schema": self.model()}}
        if self.dice.random() < 0.5:
            one["requestBody"] = {"content": {"application/json": {"schema": self.model()}}}
        self.number += 1
        self.paths[f"/p{self.number}"] = {"post": one}

    def add_class(self) -> None:
        self.schemas.setdefault(
            self.dice.choice([*WIRES, "ListResponse", "ListBody"]), self.model()
        )

    def model(self) -> dict[str, Any]:
        if self.schemas and self.dice.random() < 0.4:
            return {"$ref": f"#/components/schemas/{self.dice.choice([*self.schemas])}"}
        one = self.schema(type="object", properties={})
        for _ in range(self.dice.randint(1, 3)):
            self.add_property(one)
        return one

    def add_property(self, model: dict[str, Any]) -> None:
        kind = self.dice.choice([{"type": "string"}, {"enum": [self.dice.choice(WIRES)] * 2}, None])
        made = self.model() if kind is None else self.schema(**kind)
        if "enum" in made:
            made |= {"type": "string", "enum": list(dict.fromkeys(self.dice.sample(WIRES, 2)))}
        model["properties"].setdefault(self.dice.choice(WIRES), made)

    def add_member(self) -> None:
        """Add a property, a parameter or a value to what is there."""
        calls = [item["post"] for item in self.paths.values()]
        models, enums = [], []
        waiting: list[Any] = [self.paths, self.schemas]
        while waiting:
            each = waiting.pop()
            waiting += each.values() if isinstance(each, dict) else each
            waiting = [value for value in waiting if isinstance(value, (dict, list))]
            if isinstance(each, dict):
                models += [each] * isinstance(each.get("properties"), dict)
                enums += [each] * isinstance(each.get("enum"), list)
        if calls and self.dice.random() < 0.5:
            wire, place = self.dice.choice(WIRES), self.dice.choice(["query", "header"])
            held = self.dice.choice(calls)["parameters"]
            if (wire, place) not in {(each["name"], each["in"]) for each in held}:
                text = self.schema()["description"]
                schema = {"type": "string"}
                held.append({"name": wire, "in": place, "description": text, "schema": schema})
        elif models and self.dice.random() < 0.6:
            self.add_property(self.dice.choice(models))
        elif enums:
            values = self.dice.choice(enums)["enum"]
            values[:] = dict.fromkeys([*values, self.dice.choice(WIRES)])

    @property
    def document(self) -> dict[str, Any]:
        """The document, in a new order."""
        return self._shuffled(operations(self.paths, **self.schemas))

    def _shuffled(self, value: Any) -> Any:
        if isinstance(value, dict):
            items = [(key, self._shuffled(item)) for key, item in value.items()]
            return dict(self.dice.sample(items, len(items)))
        if isinstance(value, list):
            return self.dice.sample([self._shuffled(item) for item in value], len(value))
        return value


def meanings(built: Built) -> dict[str, str]:
    """Return what each public name stands for."""
    found = {}
    for resource in built.package.resources:
        for each in resource.operations:
            found[each.path] = each.http
            found |= {f"{each.path}({one.name})": one.doc for one in each.arguments}
    for module in built.package.modules:
        for view in module.classes:
            if view.kind != "alias":
                found[view.name] = view.text
                own = (
                    (e.name, e.value.text if view.kind == "codes" else e.text) for e in view.fields
                )
                found |= {f"{view.name}.{name}": text for name, text in own}
    return found


def run(folder: Path, document: Any, *, keep: bool = True) -> Built:
    """Build a client as `generate` does; keep its names, and its effective document."""
    config = configured(folder, document)
    built = build_package(config, effective(config))
    if keep:
        (folder / "generated/openapi").mkdir(parents=True, exist_ok=True)
        last = json.dumps(built.effective.documents["document"].data)
        (folder / "generated/openapi/document.json").write_text(last)
        write_file(folder / "names/document.yaml", built.effective.pins["document"].text)
    return built


def configured(folder: Path, document: Any) -> Config:
    config = replace(project(folder, document), on_uncarried="skip")
    (source,) = config.sources
    return replace(config, sources=(replace(source, names=folder / "names/document.yaml"),))


def changed(before: dict[str, str], after: dict[str, str]) -> dict[str, tuple[str, str]]:
    return {n: (before[n], after[n]) for n in before.keys() & after.keys() if before[n] != after[n]}


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6))
@example(seed=35684)
def test_names_keep_their_meaning_while_a_document_grows(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, growing = tmp_path_factory.mktemp("growing"), Growing(seed)
    before = meanings(run(folder, growing.document))
    for _ in range(3):
        again = run(folder, growing.document)
        assert meanings(again) == before  # another order, and nothing else
        growing.grow(5)
        after = meanings(run(folder, growing.document))
        assert not changed(before, after)
        before = after


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6))
@example(seed=953)  # a parameter, and later a property of the body, of one name
def test_a_run_that_cannot_know_what_a_name_meant_stops(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The output is not kept, only the file of names."""
    folder, growing = tmp_path_factory.mktemp("growing"), Growing(seed)
    before = meanings(run(folder, growing.document))
    (folder / "generated/openapi/document.json").unlink()
    growing.grow(3)
    if not (folder / "names/document.yaml").exists():
        return
    try:
        assert not changed(before, meanings(run(folder, growing.document, keep=False)))
    except PipelineError as error:
        assert {each.rule for each in error.findings} == {"pins"}
        assert all(": add the line " in each.message for each in error.findings)


def test_the_line_that_is_asked_for_keeps_the_name(tmp_path: Path) -> None:
    """A property of the body came that is called as a parameter is; names of others are kept."""
    text = {"type": "string"}
    parameter = {"name": "q", "in": "query", "description": "It is asked.", "schema": text}
    posted = operation(parameters=[parameter])
    properties: dict[str, Any] = {}
    body = {"application/json": {"schema": {"type": "object", "properties": properties}}}
    posted["requestBody"] = {"content": body}
    document = operations({"/a": {"post": posted}}, fooBar={"type": "object"}, foo_bar={})
    before = meanings(run(tmp_path, document))
    (tmp_path / "generated/openapi/document.json").unlink()
    names = tmp_path / "names/document.yaml"
    properties["q"] = {**text, "description": "It is sent."}
    with pytest.raises(PipelineError, match="q can mean POST /a query q or #/paths/") as caught:
        run(tmp_path, document)
    line = str(caught.value.findings[0].message).partition(": add the line ")[2]
    names.write_text(f"{names.read_text()}{line}\n")
    after = meanings(run(tmp_path, document))
    assert not changed(before, after)
    assert "things.list_things(body_q)" in after


def two(**more: Any) -> dict[str, Any]:
    """A document whose operation takes `fooBar`, and more."""
    thing = {"type": "object", "properties": {"fooBar": {"type": "string"}, **more}}
    return operations({"/a": {"get": operation(answer=thing)}})


@pytest.mark.parametrize("wire", ["x", "x/y", "x~y", "x~1y", "x~0y", "~", "/", "~1/~0"])
def test_a_name_is_kept_for_any_spelling_of_a_property(tmp_path: Path, wire: str) -> None:
    kept = wire.replace("~", "~0").replace("/", "~1")
    file = tmp_path / "names.yaml"
    file.write_text(json.dumps({f"#/components/schemas/A/properties/{kept}": "other"}))
    assert Pins(file).concern([wire], [])
    assert not Pins(file).concern([f"{wire}z"], [])


def test_a_freed_name_is_not_reused_unasked(tmp_path: Path) -> None:
    document = two(foo_bar={})
    names = tmp_path / "names/document.yaml"
    run(tmp_path, document)
    properties = document["paths"]["/a"]["get"]["responses"]["200"]["content"]["application/json"]
    properties["schema"]["properties"] = {"FooBar": {}}
    with pytest.raises(PipelineError) as caught:
        run(tmp_path, document)
    (found,) = caught.value.findings
    assert found.position and found.position.file == str(names)
    line = found.message.partition("in its place: ")[2]
    lines = names.read_text().splitlines()
    lines[found.position.line - 1] = line
    names.write_text("\n".join(lines) + "\n")
    assert "ListThingsResponse.foo_bar" in meanings(run(tmp_path, document))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 5\n", ":1:1: a: must be a Python name"),
        ("- a\n", ":1:1: must be"),
        ("a: [", ":2:1: did not"),
    ],
)
def test_a_file_of_names_that_is_none(tmp_path: Path, text: str, message: str) -> None:
    write_file(tmp_path / "names/document.yaml", text)
    with pytest.raises(PipelineError, match=f"document.yaml{message}"):
        run(tmp_path, two())


def test_where_no_name_was_contested_no_file_is_kept(tmp_path: Path) -> None:
    run(tmp_path, two())
    assert not (tmp_path / "names").exists()


def test_members_of_enumerations_are_told_apart_by_their_signs(tmp_path: Path) -> None:
    """What the values `+1` and `-1` are called does not depend on which are there."""
    for values in (["+1", "-1"], ["-1", "+1"], ["-1", "a"], [1, -1]):
        shown = meanings(run(tmp_path, two(foo={"enum": values})))
        minus = shown["ListThingsResponseFoo.MINUS_1"]
        assert minus.strip('"') == "-1" and not (tmp_path / "names").exists()


def test_schemas_in_namespaces_have_short_names_that_stay(tmp_path: Path) -> None:
    def named(*keys: str) -> dict[str, Any]:
        thing = {"type": "object", "properties": {"a": {}}}
        answer = {"oneOf": [{"$ref": f"#/components/schemas/{key}"} for key in keys]}
        schemas = {key: {**thing, "description": f"It is {key}."} for key in keys}
        return operations({"/a": {"get": operation(answer=answer)}}, **schemas)

    first, both = (
        "io.k8s.api.batch.v1.Job",
        ("io.k8s.api.core.v1.Event", "io.k8s.api.events.v1.Event"),
    )
    before = meanings(run(tmp_path, named(first, *both)))
    assert {"Job", "CoreV1Event", "EventsV1Event"} <= before.keys()
    after = meanings(run(tmp_path, named("io.k8s.api.batch.v1beta1.Job", *both, first, "Event")))
    assert not changed(before, after) and {"Job", "V1Beta1Job", "Event"} <= after.keys()
    given = named(first, *both)
    given["components"]["schemas"][both[0]]["x-python-name"] = "Happening"
    assert {"Job", "Happening", "EventsV1Event"} <= meanings(run(tmp_path, given)).keys()
    # The short name of one that is gone is not that of another.
    assert {"V1Job"} <= meanings(run(tmp_path, named("io.k8s.api.apps.v1.Job", *both))).keys()


def renamed(built: Built) -> list[str]:
    return [each.message for each in built.notes if each.rule == "renamed"]


def test_methods_that_get_another_name_come_with_the_line_that_keeps_the_old_one(
    tmp_path: Path,
) -> None:
    """A tag, an id and a parameter are called otherwise, and two ids are exchanged."""

    def document(tag: str, ids: str, name: str) -> dict[str, Any]:
        own = {"x-python-resource": "own", "x-python-name": f"of_{tag}"}
        paths = {
            f"/{path}": {"get": operation(id, tags=[tag], **(own if path == "given" else {}))}
            for path, id in zip(["a", "b", f"c/{{{name}}}", "given"], ids.split(), strict=True)
        }
        value = {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        paths[f"/c/{{{name}}}"]["parameters"] = [value]
        return operations(paths)

    before = meanings(run(tmp_path, document("things", "readA readB readC readD", "x")))
    document_now = document("shop", "readB readA findC readE", "y")
    notes = renamed(run(tmp_path, document_now))
    names = tmp_path / "names/document.yaml"
    assert [note.partition("; to keep the name, add a line to ")[0] for note in notes] == [
        "GET /a: things.read_a is called shop.read_b now",
        "GET /b: things.read_b is called shop.read_a now",
        "GET /c/{y}: things.read_c is called shop.find_c now",
    ]
    assert not renamed(run(tmp_path, document_now))  # it is said once
    names.parent.mkdir(exist_ok=True)
    names.write_text("".join(note.partition(f"{names}: ")[2] + "\n" for note in notes))
    after = run(tmp_path, document_now)
    kept = [f"things.read_{name}" for name in "abc"]
    assert [meanings(after)[each] for each in kept] == ["GET /a", "GET /b", "GET /c/{y}"]
    assert [before[each] for each in kept[:2]] == ["GET /a", "GET /b"] and not renamed(after)


def test_names_of_values_that_are_one_to_python_are_told_apart(tmp_path: Path) -> None:
    """Python reads names by NFKC: a ligature and wide letters are plain ones."""
    words = ["ﬁ", "fi", "\uff4e\uff41\uff4d\uff45", "\uff2f\uff2b"]
    shown = meanings(run(tmp_path, two(foo={"enum": [*"abcd"], "x-enum-varnames": words})))
    names = {each.partition("Foo.")[2] for each in shown if "Foo." in each}
    assert names == {"fi", "fi_2", "NAME", "OK"}


THINGS = [
    Thing("#/a", "a", "n", wire="N"), Thing("#/c", "c", "m", wire="m", second="s"),
    Thing("#/b", "b", "n", wire="n"), Thing("#/d~1/e", "d", "n", wire="-n"),
    Thing("GET /x query q", "q", "n"), Thing("#/g", "g", "m", is_given=True),
    Thing("#/i", "i", "n_2", wire="n-2"),
]  # fmt: skip
KEPT: list[dict[str, str]] = [
    {}, {"#/b": "n"}, {"#/a": "own", "#/b": "own"}, {"#/gone": "n", "#/in/side": "m"},
    {"#/gone": "m", "#/c": "m", "#/g": "n_2"}, {"id GET /x": "a-b", "GET /x query q": "n_2"},
    {"class #/gone/x": "n"},
]  # fmt: skip
QUERY = {"parameters": [{"name": "q", "in": "query"}]}
LAST: list[Any] = [
    None,
    {"a": 1},
    {"b": [], "c": 0, "d/": {"e": 1}},
    {"paths": {"/x": {"get": QUERY}}},
]


def test_what_was_there_first_keeps_a_name_that_several_would_have(
    tmp_path: Path, golden: Any
) -> None:
    """By the names that are kept, by the document of the last run, and by how a thing is spelt."""
    lines, file, last = [], tmp_path / "names.yaml", tmp_path / "last.json"
    for number, (kept, before) in enumerate(product(KEPT, LAST)):
        taken = ("m", "s") if number % 3 == 1 else ()
        file.write_text(json.dumps(kept))
        last.write_text(json.dumps(before))
        pins = Pins(file, last)
        found = pins.settle(THINGS, taken=taken, scope=f"{'class ' * ('class' in str(kept))}#/"[:6])
        names = " ".join(found[each.key] for each in THINGS)
        said = [*pins.text.splitlines()[3:], *(each.message for each in pins.problems)]
        lines.append("; ".join([f"{kept} {before and [*before]} {taken}: {names}", *said]))
    golden(Path(__file__).with_name("settled.txt"), "".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_function_of_a_webhook_keeps_its_meaning(tmp_path: Path, is_shared: bool) -> None:
    def hook(kind: str) -> dict[str, Any]:
        schema = {"type": "object", "required": ["k"], "properties": {"k": {"const": kind}}}
        body = {"content": {"application/json": {"schema": schema}}}
        return {"post": {"requestBody": body, "responses": {"200": {"description": "Ok."}}}}

    def parsers() -> dict[str, str]:
        webhooks = run(tmp_path, document).package.webhooks
        assert webhooks is not None
        return {each.name: each.function for each in webhooks.parsers}

    document = operations({"/a": {"get": operation()}})
    items = {name: hook(name) for name in ("ev-created", "ev created", "other")}
    if is_shared:
        document["components"]["pathItems"] = {"Shared": hook("shared")}
        items |= {name: {"$ref": "#/components/pathItems/Shared"} for name in [*items][:2]}
    document["webhooks"] = {"ev-created": items["ev-created"]}
    before = parsers()
    assert before == {"ev-created": "parse_ev_created"}
    document["webhooks"] = {name: items[name] for name in reversed(items)}
    after = parsers()
    assert after == {
        "ev-created": "parse_ev_created", "ev created": "parse_ev_created_2", "other": "parse_other"
    }  # fmt: skip
    kept = (tmp_path / "names/document.yaml").read_text()
    assert "'#/webhooks/ev created': ev_created_2" in kept
    document["webhooks"] = items
    assert parsers() == after
