"""What two documents may share, which names classes get, and what cannot be said in Python."""

from __future__ import annotations

import inspect
import re
import sys
import zoneinfo
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
from generate_support import (
    documented,
    on_path,
    operation,
    operations,
    project,
    python_of,
    refused,
    view_of,
    write_package,
)
from social_publishing import AsyncSocialPublishing, SocialPublishing
from social_publishing import _runtime as runtime
from social_publishing._runtime.core import errors as runtime_errors
from social_publishing._runtime.engine import client as runtime_client

from pipeline.codegen.names import resource_name
from pipeline.codegen.runtime_index import (
    OF_OAUTH,
    OF_SERVERS,
    OF_STREAMS,
    OF_WEBHOOKS,
    runtime_index,
)
from pipeline.codegen.views.errors import RUNTIME_ERRORS, status_errors
from pipeline.codegen.views.view_models import Marks
from pipeline.config import Config
from pipeline.openapi.extensions import RateLimit
from pipeline.steps import generate

THING = {"type": "object", "description": "A thing.", "properties": {
    "a": {"type": "string", "description": "A."}}}  # fmt: skip
REFERENCE = {"$ref": "#/components/schemas/Thing"}


def with_thing(path: str, name: str, thing: dict[str, Any]) -> dict[str, Any]:
    return operations({path: {"get": operation(name, answer=REFERENCE)}}, Thing=thing)


def test_a_component_that_differs_between_documents(tmp_path: Path) -> None:
    other = {**THING, "required": ["a"]}
    one, two = with_thing("/a", "one", THING), with_thing("/b", "two", other)
    held = {"x-sections": {"1": "All"}}
    said = refused(project(tmp_path, one | held, depot=two | held))
    assert "depot.yaml:" in said and "Thing differs from the component of that name" in said


def test_marks_of_an_operation(tmp_path: Path) -> None:
    """Those of the body's fields are among them, and what was decided counts as assumed."""
    base = {"type": "object", "properties": {
        "a": {"type": "string", "description": "A.", "x-gap": "known.open"}}}  # fmt: skip
    body = {"description": "B.", "allOf": [{"$ref": "#/components/schemas/Base"}], "properties": {
        "b": {"type": "string", "description": "B.", "x-gap": "known.decided"}}}  # fmt: skip
    data = operations({"/a": {"post": operation(body=body)}}, Base=base)
    data["x-gaps"] = {
        "known.open": {"section": "1", "missing": "It.", "decision": "open", "because": "So."},
        "known.decided": {
            "section": "1",
            "missing": "It.",
            "decision": "overlay",
            "because": "So.",
        },
    }
    (found,) = view_of(project(tmp_path, data)).operations
    assert found.marks == Marks(("known.decided",), ("known.open",))


def test_which_addresses_must_end_with_the_documented_path(tmp_path: Path) -> None:
    """Those of several documents that have to be given: they must not be mistaken for another."""
    documents = [with_thing(path, name, THING) for path, name in (("/a", "one"), ("/b", "two"))]
    for document, host in zip(documents, ("sample.invalid", "depot.dev"), strict=True):
        document["servers"] = [{"url": f"https://{host}/v1"}]
    one, two = documents
    both = view_of(project(tmp_path, one, depot=two)).servers
    assert [(each.ends, each.default) for each in both] == [
        ("/v1", ""), ("", "https://depot.dev/v1")
    ]  # fmt: skip
    (tmp_path / "depot.yaml").unlink()
    assert [each.ends for each in view_of(project(tmp_path, one)).servers] == [""]


def test_names_that_clash(tmp_path: Path) -> None:
    inline = {"type": "object", "properties": {
        "a": {"type": "object", "description": "A.", "properties": {}}}}  # fmt: skip
    data = operations(
        {"/a": {"get": operation("read", answer=inline)}, "/b": {"get": operation("b")}},
        ReadResponseA=THING,
    )
    names = [c.name for m in view_of(project(tmp_path, data)).modules for c in m.classes]
    assert sorted(names) == ["ReadResponse", "ReadResponseA2"]


def ours(folder: Path, data: dict[str, Any]) -> Config:
    """A project of a document whose words are meant for us: nothing of it is left out."""
    config = project(folder, {**data, "x-sections": {"1": "All"}})
    return replace(config, on_uncarried="refuse")


def test_what_cannot_be_said(tmp_path: Path) -> None:
    paths = {
        "/a": {"get": operation()},
        "/b": {"get": {**operation("b"), "x-window-under-days": 3}},
    }
    assert "x-window" in refused(ours(tmp_path, operations(paths)))


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"anyOf": [{"type": "array", "items": REFERENCE}, {"type": "string"}]}, "x-keyed-by"),
        ({"anyOf": [{"type": "array", "items": REFERENCE},
                    {"type": "object", "additionalProperties": REFERENCE}]}, "nothing"),
    ],
)  # fmt: skip
def test_keyed_by(tmp_path: Path, schema: dict[str, Any], message: str) -> None:
    answer = {**schema, "x-keyed-by": "nothing"}
    data = operations({"/a": {"get": operation(answer=answer)}}, Thing=THING)
    assert message in refused(ours(tmp_path, data))


@pytest.mark.parametrize("name", ["Status", "Argument", "NotFound"])
def test_the_client_may_not_be_called_like_an_error(tmp_path: Path, name: str) -> None:
    from dataclasses import replace

    config = project(tmp_path, documented(a={"type": "string"}))
    config = replace(config, client=replace(config.client, class_name=name))
    assert f"{name}Error is another error" in refused(config)


def test_texts_of_the_configuration_are_escaped(tmp_path: Path) -> None:
    from dataclasses import replace

    config = project(tmp_path, documented(a={"type": "string"}))
    text = 'Says """no""" and \\ "yes"'
    config = replace(config, client=replace(config.client, summary=text, title=text, license=text))
    files, _ = generate(config)
    import tomllib

    project_table = tomllib.loads(files["client/pyproject.toml"])["project"]
    assert (project_table["description"], project_table["license"]) == (text, text)
    for part in ("__init__.py", "client.py"):
        compile(python_of(files, part), part, "exec")
    assert text in compile_doc(python_of(files, "__init__.py"))


def compile_doc(source: str) -> str:
    import ast

    return ast.get_docstring(ast.parse(source), clean=False) or ""


@pytest.mark.parametrize(
    ("example", "words", "shown"),
    [
        ("2026-01-01T10:00:00Z", {}, "2026, 1, 1, 10, 0"),
        ("2026-01-01T10:00:07Z", {}, "2026, 1, 1, 10, 0, 7"),
        ("2026-01-01T10:00:00.25+02:00", {}, "2026, 1, 1, 8, 0, 0, 250000"),
        ("2026-07-01T01:30:00-05:30", {}, "2026, 7, 1, 7, 0"),
        ("2026-07-01 09:05", {"x-datetime-format": "%Y-%m-%d %H:%M"}, "2026, 7, 1, 9, 5"),
        (
            "2026-07-01 09:05",
            {"x-datetime-format": "%Y-%m-%d %H:%M", "x-timezone": "Europe/Berlin"},
            "2026, 7, 1, 7, 5",
        ),
        ("0001-01-01T00:00:00+02:00", {}, None),
    ],
)
def test_an_example_of_a_moment_is_that_moment(
    tmp_path: Path, example: str, words: dict[str, str], shown: str | None
) -> None:
    schema = {"type": "string", **(words or {"format": "date-time"})}
    since = {"name": "since", "in": "query", "required": True, "schema": schema, "example": example}
    data = operations({"/a": {"get": operation("read", parameters=[since])}})
    files, _ = generate(project(tmp_path, data, package="sample"))
    (text,) = (str(files[each]) for each in files if str(each).endswith("resources/things.py"))
    found = {*re.findall(r"\bdatetime\((.*), tzinfo=timezone\.utc\)", text)}
    assert found == ({shown} if shown else set())


@pytest.mark.parametrize(
    ("zone", "is_shown"), [("UTC", True), (None, True), ("Europe/Berlin", False)]
)
def test_without_zones_an_example_in_one_is_left_out(
    tmp_path: Path, zone: str | None, is_shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where Python has no zones by itself."""
    monkeypatch.setitem(sys.modules, "tzdata", None)
    schema = {"type": "string", "x-datetime-format": "%Y-%m-%d %H:%M"}
    schema |= {} if zone is None else {"x-timezone": zone}
    since = {"name": "since", "in": "query", "schema": schema, "example": "2026-07-01 09:05"}
    data = operations({"/a": {"get": operation("read", parameters=[since])}})
    try:
        zoneinfo.reset_tzpath(to=[])
        ZoneInfo.clear_cache()
        files, _ = generate(project(tmp_path, data, package="sample"))
    finally:
        zoneinfo.reset_tzpath()
        ZoneInfo.clear_cache()
    (text,) = (str(files[each]) for each in files if str(each).endswith("resources/things.py"))
    assert ("2026, 7, 1, 9, 5" in text) is is_shown


def test_a_document_without_examples_has_a_readme(tmp_path: Path) -> None:
    one = operation(parameters=[
        {"name": "a", "in": "query", "required": True, "description": "A.", "schema": True}
    ])  # fmt: skip
    files, _ = generate(project(tmp_path, operations({"/a": {"get": one}})))
    assert "    ..." in files["client/README.md"]
    assert "build_" not in files["client/README.md"]


def test_a_file_in_a_multipart_body_is_an_argument(tmp_path: Path) -> None:
    data = operations({"/a": {"post": operation(requestBody={"required": True, "content": {
        "multipart/form-data": {"schema": {"type": "object", "required": ["file"], "properties": {
            "file": {"type": "string", "format": "binary", "description": ""}}}}}})}})  # fmt: skip
    (found,) = view_of(project(tmp_path, data)).operations
    assert [a.declaration.text for a in found.arguments] == [
        "file: FileInput",
        "progress: Progress | None = None",
    ]
    assert view_of(project(tmp_path, data)).modules == ()


def test_the_errors_of_the_runtime_are_public() -> None:
    """Each error of the runtime is an error of every client; two have a name or a class there."""
    source = inspect.getsource(runtime_errors)
    found = {*re.findall(r"^class ([A-Z]\w*)", source, re.MULTILINE)}
    assert found - set(RUNTIME_ERRORS) == {"ClientError", "StatusError"}
    assert list(RUNTIME_ERRORS) == sorted(RUNTIME_ERRORS)


@pytest.mark.parametrize("status", [299, 300, 304, 399, 400, 418, 499, 500, 599])
def test_a_documented_status_below_500_has_an_error_of_its_own(status: int) -> None:
    """A redirect, too; those from 500 are what the service could not do."""
    documented = [SimpleNamespace(responses={str(status): {}, "200": {}})]
    found, usual = (
        {each.status for each in status_errors(operations, 429)}
        for operations in (cast("Any", documented), [])
    )
    assert found - usual == ({status} - usual if 300 <= status < 500 else set())


def test_names_of_the_runtime_are_where_the_index_finds_them() -> None:
    index = runtime_index()
    assert index.public.keys() >= {"File", "Pager", "UNSET", "tracing"}
    for name, module in {**index.homes, **index.public}.items():
        if module in (*OF_STREAMS, *OF_WEBHOOKS, *OF_SERVERS, *OF_OAUTH):
            continue
        assert hasattr(import_module(f"{runtime.__name__}.{module}"), name), name


def test_a_resource_neither_hides_nor_is_hidden(tmp_path: Path) -> None:
    """A tag may be any attribute of a client, and any name that its classes read."""
    settings: dict[str, Any] = {"api_token": "t", "base_url": "https://a.invalid/v1"}
    settings["media_url"] = "https://b.invalid/api/v1"
    clients = [SocialPublishing(**settings), AsyncSocialPublishing(**settings)]
    bases = (runtime_client.Client, runtime_client.AsyncClient)
    own = {name for base in bases for name in dir(base)}
    own |= {name for client in clients for name in vars(client)}
    own -= {name for name in own if name.startswith("__")}
    tags = sorted(name for name in own if not name.startswith("_"))
    assert {"connections", "options", "send"} <= set(tags)
    for name in own:
        assert resource_name({"x-python-resource": name}) == f"{name}_"
    extra = {"Async": "async_", "cached_property": "cached_property_", "books": "books"}
    extra |= {"AUX": "aux_", "com1": "com1_"}  # what no file on Windows can be called
    paths = {
        f"/{tag}": {"get": operation(f"list_{tag}", tags=[tag], summary=f"List {tag}.")}
        for tag in (*tags, *extra)
    }
    files, _ = generate(project(tmp_path, operations(paths), package="hidden"))
    write_package(files, tmp_path)
    with on_path(tmp_path, "hidden"):
        package = import_module("hidden")
        for prefix, base in (("", "Resource"), ("Async", "AsyncResource")):
            client = getattr(package, f"{prefix}Hidden")(
                api_token="t", base_url="https://a.invalid/v1"
            )
            base_class = getattr(import_module("hidden._runtime.engine.resource"), base)
            for tag, name in {**{tag: f"{tag}_" for tag in tags}, **extra}.items():
                assert isinstance(getattr(client, name), base_class)
                assert callable(getattr(getattr(client, name), f"list_{tag.lower()}"))
                if tag in tags and hasattr(client, tag):
                    assert not isinstance(getattr(client, tag), base_class)


def test_a_member_of_an_error_hides_nothing_of_exceptions(tmp_path: Path) -> None:
    members = {name: {"type": "string"} for name in ("url", "with_traceback", "status", "hint")}
    body = {"application/json": {"schema": {"type": "object", "properties": members}}}
    one = operation()
    one["responses"]["400"] = {"description": "No.", "content": body}
    view = view_of(project(tmp_path, operations({"/a": {"get": one}})))
    assert [each.name for each in view.attributes] == ["url_", "with_traceback_", "status_", "hint"]


def test_two_rate_limits(tmp_path: Path) -> None:
    one, two = operations({}), operations({"/b": {"get": operation("b")}})
    names = {"limit": "A", "remaining": "B", "reset": "C"}
    headers = {name: {"schema": {"type": "integer"}} for name in "ABC"}
    for data in (one, two):
        data["components"]["responses"] = {"R": {"description": "R.", "headers": headers}}
        data["x-rate-limit"] = {"requests": 5, "seconds": 1, **names}
    config = project(tmp_path, one, depot=two)
    assert view_of(config).rate == RateLimit(5, 1, "A", "B", "C")
    two["x-rate-limit"]["requests"] = 6
    said = refused(project(tmp_path, one, depot=two))
    assert "depot.yaml:54:2: x-rate-limit: differs from that of " in said
    del two["x-rate-limit"]
    assert view_of(project(tmp_path, one, depot=two)).rate == RateLimit(5, 1, "A", "B", "C")
    del one["x-rate-limit"]
    config = project(tmp_path, one, depot=two)
    assert view_of(config).rate is None
    assert "rate=None" in python_of(generate(config)[0], "client.py")


def test_arguments_with_the_name_of_a_function_of_the_plan(tmp_path: Path) -> None:
    names = {"type": "array", "items": {"type": "string"}}
    many = operation("many", **{"x-batch": {"of": "ids", "size": 5}}, parameters=[
        {"name": "ids", "in": "query", "required": True, "schema": names},
        {"name": "nothing", "in": "query", "schema": {"type": "string"}},
    ])  # fmt: skip
    said = refused(project(tmp_path, operations({"/a": {"delete": many}})))
    assert "an argument must not be called nothing" in said
    del many["parameters"][1]
    assert not refused(project(tmp_path, operations({"/a": {"delete": many}})))


@pytest.mark.parametrize(
    ("size", "most", "sent"), [(10, 50, 10), (50, 50, 50), (None, 50, 50), (10, None, 10)]
)
def test_a_request_takes_no_more_than_both_allow(
    tmp_path: Path, size: int | None, most: int | None, sent: int
) -> None:
    ids: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
    ids |= {} if most is None else {"maxItems": most}
    word: dict[str, Any] = {"of": "ids"} | ({} if size is None else {"size": size})
    asked = {"name": "ids", "in": "query", "required": True, "schema": ids}
    many = operation("many", **{"x-batch": word}, parameters=[asked])
    files, _ = generate(project(tmp_path, operations({"/a": {"delete": many}})))
    assert f"size={sent}," in python_of(files, "resources/things.py")


def test_a_method_of_a_word_is_a_method_of_the_resource(tmp_path: Path) -> None:
    state = operation("state", answer=THING, **{
        "x-wait": {"name": "done", "result": "a", "busy": {"a": "busy"}}})  # fmt: skip
    data = operations({"/a": {"get": state, "post": operation("done")}})
    assert "things.done" in refused(ours(tmp_path, data))
    del data["paths"]["/a"]["post"]
    (found,) = view_of(project(tmp_path, data)).operations
    assert [each.path for each in found.methods] == ["things.state", "things.done"]
    (done,) = found.extras
    assert (done.summary, done.returns_doc) == ("Done.", "A, once it is ready.")
    state["x-wait"]["summary"] = "Wait for a thing"
    (found,) = view_of(project(tmp_path, data)).operations
    assert found.extras[0].summary == "Wait for a thing."


def test_a_resource_of_streams_alone(tmp_path: Path) -> None:
    answers = {"200": {"description": "Events.", "content": {"text/event-stream": {
        "schema": {"type": "object", "properties": {"a": {"type": "string"}}}}}}}  # fmt: skip
    data = operations({"/a": {"get": operation(responses=answers)}})
    files, _ = generate(project(tmp_path, data))
    compile(python_of(files, "resources/things.py"), "things.py", "exec")


def test_digits_of_a_command_line_stay_a_text_where_that_is_allowed(tmp_path: Path) -> None:
    digits = {"pattern": "^[0-9]+$"}
    schemas: dict[str, tuple[dict[str, Any], str]] = {
        "a": ({"type": "string", "format": "uint64"}, "id"),
        "b": ({"type": ["string", "integer"], **digits}, "id"),
        "c": ({"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}, "id"),
        "d": ({"type": "array", "items": {"type": ["integer", "string"]}}, "id"),
        "e": ({"type": ["string", "boolean"]}, "json"),
        "f": ({"type": "integer"}, "integer"),
        "g": ({"type": "string"}, "text"),
    }
    parameters = [
        {"name": name, "in": "query", "description": "It.", "schema": schema}
        for name, (schema, _) in schemas.items()
    ]
    data = operations({"/a": {"get": operation(parameters=parameters)}})
    (found,) = view_of(project(tmp_path, data)).operations
    kinds = {each.name: each.value and each.value.kind for each in found.arguments}
    assert kinds == {name: kind for name, (_, kind) in schemas.items()}


@pytest.mark.parametrize(
    ("words", "first"),
    [({}, 1), ({"minimum": 1}, 1), ({"minimum": 0}, 0), ({"default": 0}, 0), ({"default": 3}, 3),
     ({"minimum": 0, "default": 1}, 1), ({"default": "all"}, 1)],
)  # fmt: skip
def test_the_first_page_is_the_one_that_the_parameter_says(
    tmp_path: Path, words: dict[str, Any], first: int
) -> None:
    listed = {"type": "object", "properties": {"data": {"type": "array", "items": THING}}}
    page = {"name": "page", "in": "query", "schema": {"type": "integer", **words}}
    paging = {"items": "data", "page": "page"}
    listing = operation(answer=listed, parameters=[page], **{"x-paging": paging})
    files, _ = generate(project(tmp_path, operations({"/a": {"get": listing}})))
    module = files["client/src/sample/resources/things.py"]
    assert re.findall(r"first=(\d+)", module) == [str(first)] * (first != 1)


@pytest.mark.parametrize(
    ("least", "listed", "said"),
    [
        (0, False, "An empty list still sends one request."),
        (1, False, "At least one."),
        (1, True, "An empty list sends nothing."),
    ],
)
def test_what_a_call_about_nothing_does_is_said(
    tmp_path: Path, least: int, listed: bool, said: str
) -> None:
    """Only the service can make an object of nothing; of a list of nothing we know what it is."""
    ids = {"type": "array", "items": {"type": "string"}, "minItems": least, "maxItems": 5}
    asked = {"name": "ids", "in": "query", "required": True, "schema": ids}
    word = {"of": "ids", **({"key": "a"} if listed else {})}
    thing = {"type": "object", "properties": {"a": {"type": "string"}}}
    answer = {"type": "array", "items": thing} if listed else thing
    read = operation(answer=answer, parameters=[asked], **{"x-batch": word})
    files, _ = generate(project(tmp_path, operations({"/a": {"get": read}})))
    module = " ".join(files["client/src/sample/resources/things.py"].split())
    sentences = (
        "At least one.",
        "An empty list still sends one request.",
        "An empty list sends nothing.",
    )
    assert [each for each in sentences if each in module] == [said]


@pytest.mark.parametrize("confirmed", [False, True])
def test_a_name_that_is_confirmed_is_warned_of_no_more(tmp_path: Path, confirmed: bool) -> None:
    burn = {"name": "burn", "in": "query", "schema": {"type": "boolean"}, "x-destructive": True}
    burn |= {"x-assumed": ["a.burn"], **({"x-confirmed": ["a.burn"]} if confirmed else {})}
    data = operations({"/a": {"delete": operation(parameters=[burn])}})
    files, _ = generate(project(tmp_path, data))
    module = files["client/src/sample/resources/things.py"]
    assert ("AssumedNameWarning" in module) is not confirmed
    assert ("its name is assumed" in module) is not confirmed


@pytest.mark.parametrize(
    ("needs", "unusual"),
    [
        ([["a"], ["b"]], None),
        ([["a", "b"]], (("a", "b"),)),
        ([["a", "b"], ["b"]], (("a", "b"), ("b",))),
        ([["a"], []], ((), ("a",))),
    ],
)
def test_which_credentials_go_together(tmp_path: Path, needs: Any, unusual: Any) -> None:
    """Any one of them will do, unless something else is said."""
    data = operations({"/a": {"get": operation()}})
    scheme = {"type": "apiKey", "in": "query"}
    data["components"]["securitySchemes"] = {name: {**scheme, "name": name} for name in "ab"}
    data["security"] = [{name: [] for name in each} for each in needs]
    assert view_of(project(tmp_path, data)).security == unusual
