"""Goldens: what comes out for small documents of other APIs, one for each construct.

`generate/<case>/expected` holds the notes, and what a user can see of the client: pages, methods,
what each argument takes and what is sent of it, what is made of responses, models, documents.
All cases are also imported, used, compared between both clients, and checked by mypy and pyright.
"""

from __future__ import annotations

import ast
import asyncio
import datetime
import importlib
import inspect
import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
from describing import changed, commands, described, renamed
from generate_support import (
    CASES,
    NAMES,
    config_of,
    minimal,
    objects_module,
    on_path,
    structs,
    write_package,
)
from ruff import find_ruff_bin

from pipeline.codegen import TEMPLATES, views
from pipeline.codegen.code import CLASS_NAMES
from pipeline.codegen.render import render_objects
from pipeline.codegen.views import OperationView, PackageView
from pipeline.codegen.views.security import OPTIONS
from pipeline.openapi.documents import load
from pipeline.steps import generate
from tests.support.completeness import incomplete
from tests.support.server import Request, Response, serve

OWN_RUNTIME = Path(__file__).parents[2] / "generated/client/src/social_publishing/_runtime"
PLAINEST = "path_items"
MOMENT = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, Any]]]:
    """All cases in one folder of packages, on the path; and files, notes and view of each."""
    folder = tmp_path_factory.mktemp("cases")
    found: dict[str, Any] = {}
    for name in NAMES:
        kept: list[PackageView] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(views, "build", _kept(views.build, kept))
            files, notes = generate(config_of(CASES / name, name))
        write_package(files, folder)
        found[name] = (files, notes, kept[0])
    with on_path(folder, *NAMES):
        yield folder, found


def _kept(build: Callable[..., PackageView], views: list[PackageView]) -> Any:
    """Return a function that builds a view and keeps it: to build it again takes its time."""

    def keep(*given: Any) -> PackageView:
        views.append(build(*given))
        return views[-1]

    return keep


@pytest.mark.parametrize("name", NAMES)
def test_files(name: str, made: Any, golden: Any, request: pytest.FixtureRequest) -> None:
    files, notes, _ = made[1][name]
    expected = CASES / name / "expected"
    # The plainest client shows what all have in common.
    plain = {} if name == PLAINEST else renamed(made[1][PLAINEST][0], PLAINEST, name)
    client = described(name, files, plain)
    client += "".join(f"{each}\n" for each in commands(json.loads(files["commands.json"]), client))
    objects = re.findall(r"^(?:class |    \w+: ).*", files["openapi/objects.py"], re.M)
    client += "".join(f"{each}\n" for each in objects)
    shown = {"client.txt": client + _documents(name, files)}
    if notes:
        # Of a stranger's document, that nothing is described.
        told = [e for e in notes if not name.startswith("strange") or e.rule != "description"]
        lines = [f"{note.severity} {note.rule}: {note}" for note in told]
        shown["notes.txt"] = "\n".join(lines).replace(f"{CASES / name}/", "") + "\n"
    if request.config.getoption("--update-goldens"):
        for path in expected.rglob("*"):
            if path.is_file() and path.relative_to(expected).as_posix() not in shown:
                path.unlink()
    for path, text in shown.items():
        (expected / path).parent.mkdir(parents=True, exist_ok=True)
        golden(expected / path, text)
    held = {p.relative_to(expected).as_posix() for p in expected.rglob("*") if p.is_file()}
    assert held == set(shown)


def _documents(name: str, files: dict[str, str]) -> str:
    """Return what was made of the documents of a case."""
    found = ""
    for source in config_of(CASES / name).sources:
        made = [json.loads(files[f"openapi/{place}{source.name}.json"]) for place in ("", "plain/")]
        found += f"# {source.name}\n{changed(load(source.path).data, *made)}"
    return found


def test_classes_of_json_objects_have_types_that_can_be_read(made: Any) -> None:
    with_objects = [made[1][name][2] for name in NAMES if made[1][name][2].objects]
    assert len(with_objects) > 1
    for view in with_objects:
        with objects_module(render_objects(view, TEMPLATES)) as module:
            for object_ in view.objects:
                empty = getattr(module, object_.name)({})
                assert all(getattr(empty, field) is None for field, _ in object_.fields)


@pytest.mark.parametrize("name", NAMES)
def test_package_imports_and_models_work(name: str, made: Any) -> None:
    package = importlib.import_module(name)
    assert package.__all__
    for public in package.__all__:
        assert getattr(package, public) is not None
    resources = importlib.import_module(f"{name}.resources")
    for module in pkgutil.iter_modules(resources.__path__):
        found = importlib.import_module(f"{name}.resources.{module.name}")
        assert all(hasattr(found, public) for public in found.__all__)
    for struct in structs(importlib.import_module(f"{name}.models")):
        node = msgspec.inspect.type_info(struct)
        value = minimal(node)
        model = msgspec.json.decode(json.dumps(value), type=struct)
        assert (
            msgspec.to_builtins(model) == value | _constants(node)
            or "_" in str(value)
            or _is_time(value)
        )
        if hasattr(model, "to_dict"):
            assert model.to_dict(wire=True).keys() == value.keys()


def _constants(node: msgspec.inspect.StructType) -> dict[str, Any]:
    """The members of a model that are sent without being asked for."""
    return {
        field.encode_name: field.default
        for field in node.fields
        if isinstance(field.type, msgspec.inspect.LiteralType)
        and isinstance(field.default, str | int)
    }


def _is_time(value: Any) -> bool:
    return "2026" in json.dumps(value)


def test_streams_come_over_the_wire(made: Any) -> None:
    """What asks for a stream is sent, and what comes is typed, on both clients."""
    package, models = (importlib.import_module(name) for name in ("streams", "streams.models"))
    step, order = models.Step(done=0.5), models.Order(id="o1")
    bodies = {
        ("POST", "/v1/orders"): (
            "text/event-stream",
            b'id: 1\ndata: {"done": 0.5}\n\ndata: {}\n\ndata: {"done": 0.5}\n\n'
            b'data: end of order\n\ndata: {"done": 1}\n\n',
        ),
        ("GET", "/v1/orders"): ("application/x-ndjson", b'{"id": "o1"}\n\n{"id": "o1"}'),
        ("GET", "/v1/kitchen/temperatures"): ("application/json-seq", b"\x1e21.5\n\x1e22\n"),
        ("GET", "/v1/kitchen"): (
            "text/event-stream",
            b'event: step\ndata: {"done": 0.5}\n\nevent: order\ndata: {"id": "o1"}\n\n',
        ),
    }

    def respond(request: Request) -> Response:
        media_type, body = bodies[request.method, request.path]
        return Response(body=body, headers={"Content-Type": media_type})

    def taken(stream: Any) -> list[Any]:
        found = []
        with stream:
            while True:
                try:
                    found.append(next(stream))
                except StopIteration:
                    return found
                except package.DecodeError as error:
                    found.append(type(error))

    async def on_other(address: str) -> list[Any]:
        async with package.AsyncStreams(base_url=address, api_token="t") as client:
            temperatures = client.kitchen.list_temperatures_stream()
            return [each async for each in temperatures]

    with serve(respond) as server:
        address = server.url("/v1")
        with package.Streams(base_url=address, api_token="t") as client:
            events = taken(client.orders.order_stream("soup"))
            assert [getattr(each, "data", each) for each in events] == [
                step, package.DecodeError, step
            ]  # fmt: skip
            assert server.requests[0].json == {"dish": "soup", "stream": True, "detail": "full"}
            assert server.requests[0].headers["accept"] == "text/event-stream"
            assert [*client.orders.export_orders()] == [order, order]
            assert [each.data for each in client.kitchen.watch()] == [step, order]
        assert asyncio.run(on_other(address)) == [21.5, 22.0]


def test_an_argument_chooses_the_media_type(made: Any) -> None:
    package, models = (
        importlib.import_module(name) for name in ("alternatives", "alternatives.models")
    )

    def respond(request: Request) -> Response:
        return Response(body=b'{"name": "mars"}')

    with (
        serve(respond) as server,
        package.Alternatives(base_url=server.url(), api_token="t") as client,
    ):
        found = [
            client.planets.get_planet("mars", **given)
            for given in ({}, {"accept": "application/xml"}, {"accept": "application/pdf"})
        ]
        assert found == [models.Planet(name="mars"), '{"name": "mars"}', b'{"name": "mars"}']
        raw = client.planets.with_raw_response.list_planets(accept="text/csv")
        assert raw.parse() == '{"name": "mars"}'
        problems = "application/problem+json"
        assert [each.headers["accept"] for each in server.requests] == [
            f"application/json, {problems}", f"application/xml, {problems}",
            f"application/pdf, {problems}", "text/csv",
        ]  # fmt: skip
        for wrong in ("text/html", ["text/csv"]):
            with pytest.raises(
                package.ArgumentError, match="accept: expected one of application/j"
            ):
                client.planets.get_planet("mars", accept=wrong)


def test_a_body_has_a_media_type_that_can_carry_it(made: Any) -> None:
    """Every media type can be had; what no one of them can carry is refused, and nothing leaves."""
    bodies, jobs = (importlib.import_module(f"bodies{end}") for end in ("", ".resources.jobs"))
    png = bodies.File(b"png", name="a.png")

    def sent(build: Any, **given: Any) -> tuple[str | None, Any]:
        request = build(**given)
        body = request.body if isinstance(request.body, bytes | None) else b"".join(request.body)
        return (request.content_type or "").partition("; boundary")[0], body

    add, change, replace = jobs.build_add_job, jobs.build_change_jobs, jobs.build_replace_job
    assert sent(add, sheets=["s"]) == ("application/json", b'{"sheets":["s"]}')
    assert sent(add, body="a,b") == ("text/csv; charset=utf-8", b"a,b")
    assert sent(add, body=b"png", content_type="image/png") == ("image/png", b"png")
    media_type, form = sent(add, drawing=png, title="t")
    assert media_type == "multipart/form-data"
    assert b'name="drawing"; filename="a.png"' in form and b'name="title"' in form
    assert sent(change) == ("", None)
    assert sent(change, body={"a": 1}) == ("application/merge-patch+json", b'{"a":1}')
    assert sent(change, body=[{"op": "test"}])[0] == "application/json-patch+json"
    assert sent(change, body={}, content_type="application/json-patch+json")[1] == b"{}"
    assert sent(change, body="a: 1") == ("application/apply-patch+yaml", b"a: 1")
    # A text is a path, too, so JSON has to be asked for.
    assert sent(replace, drawing=png, title="t")[0] == "multipart/form-data"
    as_text = {"drawing": "AA", "title": "t", "content_type": "application/json"}
    assert sent(replace, **as_text) == ("application/json", b'{"drawing":"AA","title":"t"}')

    refused = [
        (add, {}, "sheets: is required"),
        (add, {"sheets": ["s"], "title": "t"}, "title: cannot be sent as application/json"),
        (add, {"sheets": [1]}, r"sheets\[0\]: expected a text"),
        (add, {"body": "a", "content_type": "text/html"}, "content_type: expected one of appl"),
        (add, {"body": "a", "content_type": "image/png"}, "body: 'a' cannot be read"),
        (add, {"body": "a", "content_type": "application/json"}, "body: cannot be sent as"),
        (replace, {"drawing": png, "title": 1}, "title: expected a text"),
        (replace, {"drawing": png, "title": "t", "content_type": "application/json"}, "drawing"),
    ]
    for build, given, message in refused:
        with pytest.raises(bodies.ArgumentError, match=message):
            build(**given)


@pytest.mark.parametrize("name", NAMES)
def test_client_has_every_method(name: str, made: Any) -> None:
    view: PackageView = made[1][name][2]
    package = importlib.import_module(name)
    addresses = {server.argument: "https://host.invalid/v1" for server in view.servers}
    client = getattr(package, view.client.class_name)(api_token="t", **addresses)
    assert view.methods
    for each in view.methods:
        resource = getattr(client, each.resource)
        for method in (getattr(resource, each.name), getattr(type(resource), each.name)):
            assert callable(method)
            assert each.summary.rstrip(".") in method.__doc__
        is_sent_once = isinstance(each, OperationView) or each.manner == "modified" or each.build
        whole = getattr(resource.with_raw_response, each.name, None)
        assert callable(whole) is bool(is_sent_once)
    client.close()


@pytest.mark.parametrize("name", NAMES)
def test_both_clients_have_the_same_methods(name: str, made: Any) -> None:
    """The goldens show the synchronous class; the other one differs by what waits."""
    view: PackageView = made[1][name][2]
    assert view.methods
    for resource in {each.resource for each in view.methods}:
        source = inspect.getsource(importlib.import_module(f"{name}.resources.{resource}"))
        one, other, *_ = (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
        assert _without_waiting(one) == _without_waiting(other)


def _without_waiting(node: ast.ClassDef) -> str:
    return re.sub(r"\b(async|await) |Async|_async\b", "", ast.unparse(node))


# What the goldens alone might not make plain


def test_recursive_models_decode(made: Any) -> None:
    models = importlib.import_module("recursion.models")
    person = msgspec.json.decode(
        b'{"office": {"people": [{"office": {"people": []}, "boss": null}]}}', type=models.Person
    )
    assert person.office.people[0].office.people == []
    tree = {"name": "a", "children": [{"name": "b", "children": []}]}
    assert msgspec.convert(tree, models.Tree).to_dict(wire=True) == tree


def test_texts_reach_help_as_they_were_written(made: Any) -> None:
    models = importlib.import_module("texts.models")
    words = importlib.import_module("texts.resources.words")
    assert 'Ends with a quote"' in models.Word.__doc__
    tree = ast.parse(inspect.getsource(models.Word))
    texts = [each.value.value for each in tree.body[0].body if isinstance(each, ast.Expr)]
    assert r"A \" escaped one and \u0041 that stays." in texts
    doc = words.WordsResource.say.__doc__
    assert r'First """quoted""" and \n kept; {{ not }} {% evaluated %} # no comment.' in doc
    assert "how: Line one line two \\" in doc
    assert words.__doc__.startswith('A """triple""", a \\ and {{ braces }} {% if %}.')
    client = importlib.import_module("texts.client")
    assert r'Texts: "quoted", \back\, """, {{ x }}' in client.Texts.__doc__


def test_absent_null_and_value_are_three_things(made: Any) -> None:
    models = importlib.import_module("nullable.models")
    base = {"sky": None, "wind": None, "trend": None, "place": None, "beaufort": 1}
    station = msgspec.convert(base, models.Station)
    assert station.to_dict(wire=True) == base  # `frost` is absent
    assert (
        msgspec.convert({**base, "frost": None}, models.Station).to_dict(wire=True)["frost"] is None
    )
    assert models.StationBeaufort.LIGHT_AIR == 1


def test_one_class_for_a_component_of_two_documents(made: Any) -> None:
    carts = importlib.import_module("two_documents.resources.carts")
    models = importlib.import_module("two_documents.models")
    pallets = importlib.import_module("two_documents.models.pallets")
    shared = importlib.import_module("two_documents.models.shared")
    assert pallets.Price is shared.Price
    request = carts.build_add_cart(price=models.PriceInput(amount=1, currency="EUR"))
    assert (request.server, request.returns) == ("document", shared.Price)
    pallet = importlib.import_module("two_documents.resources.pallets")
    assert pallet.build_get_pallet(1).server == "depot"


def _plans(answer: Callable[[Any], Any]) -> tuple[Any, list[str]]:
    """A client of the case `plans`, and what it sends; `answer` gives the JSON of an answer."""
    sent: list[str] = []

    def handle(request: httpx2.Request) -> httpx2.Response:
        body = request.read().decode()
        line = f"{request.method} {request.url.raw_path.decode().removeprefix('/v1')}"
        sent.append(line + (f" {body}" if body.startswith("{") else ""))
        return httpx2.Response(200, json=answer(request))

    client = importlib.import_module("plans").Plans(
        api_token="t",
        base_url="https://host.invalid/v1",
        pacing="off",
        http_client=httpx2.Client(transport=httpx2.MockTransport(handle)),
    )
    return client, sent


def test_plans_go_through_pages_and_chunks_and_windows(made: Any) -> None:
    def answer(request: httpx2.Request) -> Any:
        asked = request.url.params
        if "shelf" in asked:
            page = int(asked.get("pageNumber", 1))
            books = [{"bookId": f"p{page}", "title": f"p{page}", "read_at": MOMENT.isoformat()}]
            return {"bookList": books, "meta": {"current-page": page, "lastPage": 2}}
        if "bookIds" in asked:
            return [{"bookId": each} for each in reversed(asked["bookIds"].split(","))]
        return [{"readingId": "same"}, {"readingId": asked["from"]}]

    client, sent = _plans(answer)
    assert [book.book_id for book in client.books.list(shelf=7)] == ["p1", "p2"]
    assert sent == ["GET /books?shelf=7", "GET /books?shelf=7&pageNumber=2"]
    kept = client.books.list(shelf=7, title=["p2"], read_since=MOMENT)
    assert [book.book_id for book in kept] == ["p2"] and len(sent) == 4
    sent.clear()
    assert client.books.get_one("b").book_id == "b"
    assert sent == ["GET /books/many?bookIds=b"]
    names = [f"b{number}" for number in range(60)]
    assert [book.book_id for book in client.books.get_many(book_ids=names)] == names
    assert sorted(line.count(",") + 1 for line in sent[1:]) == [10, 50]
    start = MOMENT
    readings = client.readings.list(since=start, until=start + datetime.timedelta(days=45))
    assert len(sent[3:]) == 2 and len(readings) == 3
    raw = client.books.with_raw_response.list(shelf=7)
    assert raw.parse().book_list[0].book_id == "p1"


def test_plans_change_and_wait_and_write_back(made: Any) -> None:
    models = importlib.import_module("plans.models")

    def answer(request: httpx2.Request) -> Any:
        if "/scans" in request.url.path:
            busy = {"scanId": "s1", "isBusy": request.method == "POST"}
            return busy if request.method == "POST" else {"state": "done", "theScan": busy}
        return {"shelf-id": 7, "bookId": "b", "label": "Novels", "height": None}

    client, sent = _plans(answer)
    client.shelves.update(7, label="Poems", tell=True)
    replaced = 'PUT /shelves/7?tell=true {"label":"Poems","height":null}'
    assert sent == ["GET /shelves/7", replaced]
    shelf = msgspec.convert(
        {"shelf-id": 5, "wood": {"kind": "oak", "grain": "fine"}, "rows": {"a": "x", "b": "y"}},
        models.Shelf,
    )
    client.shelves.amend(shelf, rows={"a": "new"}, wood=models.ShelfWoodChange())
    amended = 'PATCH /shelves/5 {"wood":{"kind":"oak"},"rows":{"a":"new","b":"y"}}'
    assert sent.pop() == amended
    told: list[int] = []
    file = importlib.import_module("plans").File(b"abc", name="a.png")
    scan = client.scans.add(file=file, progress=lambda done, all_: told.append(done), wait=True)
    assert not scan.is_busy and told[-1] == 3
    assert sent[2:] == ["POST /scans", "GET /scans/s1"]
    book = msgspec.convert(
        {"bookId": "a", "title": None, "tags": [{"tagId": "t"}], "chapters": ["one"],
         "remarks": {"byReader": {"ann": "fine"}}, "shelf": ["here"]},
        models.Book,
    )  # fmt: skip
    found = client.books.update_arguments(book)
    assert found["title"] is None and found["tag_ids"] == ["t"]
    assert found["contents"] == ["one"] and found["remarks"].by_reader == ["fine"]
    assert {each.field for each in found.lost} >= {"shelf", "contents"}
    client.books.update("b", **found)
    package = importlib.import_module("plans")
    expected = [package.LimitationWarning, package.AssumedNameWarning]
    with pytest.warns((*expected,)) as caught:
        client.books.with_raw_response.remove_many(book_ids=["a"], burn=True)
    assert [each.category for each in caught] == expected
    assert "burn, and that name is assumed (removeBooks.burn)" in str(caught[1].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        client.books.remove_many(book_ids=["a"], burn=False, drown=True)


# Checked by the tools


@pytest.fixture(autouse=True)
def _goldens_first(request: pytest.FixtureRequest) -> None:
    """Skip the slow tools while goldens are written: they write none."""
    is_tool = request.function.__name__.startswith(("test_mypy", "test_pyright"))
    if is_tool and request.config.getoption("--update-goldens"):
        pytest.skip("goldens are being written")


def test_imports_are_those_that_are_used_and_known(made: Any) -> None:
    folder, _ = made
    for path in [*folder.glob("*/models/[!_]*.py"), *folder.glob("*/resources/[!_]*.py")]:
        names = {
            each.name
            for node in ast.parse(path.read_text()).body
            if isinstance(node, ast.ImportFrom)
            and (node.module or "").partition(".")[0] in ("_runtime", "typing", "collections")
            for each in node.names
        }  # fmt: skip
        assert names <= CLASS_NAMES, path
    modules = [
        path for name in NAMES for path in (folder / name).iterdir() if path.name != "_runtime"
    ]
    done = subprocess.run(
        [find_ruff_bin(), "check", "--isolated", "--no-cache", "--select", "F,I001", *modules],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_only_clients_with_streams_have_their_runtime(made: Any, name: str) -> None:
    folder = made[0] / name
    texts = [path.read_text() for path in folder.glob("resources/*.py")]
    has_streams = any("EventStream" in text or "ItemStream" in text for text in texts)
    for module in ("plans/streams.py", "response/events.py", "response/items.py"):
        assert (folder / "_runtime" / module).exists() is has_streams


@pytest.mark.nightly
def test_mypy_strict(made: Any) -> None:
    """Of the cases with the most to check: each brings the whole runtime, and pyright has all."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary",
         "alternatives", "bodies", "extended", "plans", "streams", "unions"],
        cwd=made[0],
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_pyright_strict(made: Any, tmp_path: Path) -> None:
    """Of all cases, beside one runtime that has what each of theirs has."""
    pytest.importorskip("pyright")
    for name in ("streams", "webhooks", "servers", "security"):  # whose parts others lack
        shutil.copytree(made[0] / name / "_runtime", tmp_path / "runtime", dirs_exist_ok=True)
    for path in made[0].rglob("*.py"):
        if "_runtime" not in path.parts:
            copy = tmp_path / path.relative_to(made[0])
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(re.sub(r"from \.+_runtime\b", "from runtime", path.read_text()))
    settings = {
        # `nox -s lint` looks at the rest of the runtime in the client itself.
        "exclude": sorted(
            f"runtime/{path.relative_to(OWN_RUNTIME).as_posix()}"
            for path in OWN_RUNTIME.rglob("*.py")
        ),
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
    )
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        pytest.skip(f"pyright does not run here: {(done.stderr or done.stdout).strip()[-200:]}")
    problems = [
        f"{each['file']}:{each['range']['start']['line'] + 1}: {each['message']}"
        for each in report["generalDiagnostics"]
    ]
    assert not problems, "\n".join(problems[:40])
    assert report["summary"]["filesAnalyzed"] > len(NAMES)


def test_pyright_knows_every_public_type(made: Any, tmp_path: Path) -> None:
    """Of the cases whose clients have parts that others are without, in one package."""
    (tmp_path / "clients").mkdir()
    for name in ("__init__.py", "py.typed"):
        (tmp_path / "clients" / name).touch()
    for name in ("alternatives", "security", "servers", "streams", "webhooks"):
        shutil.copytree(made[0] / name, tmp_path / "clients" / name)
    assert incomplete("clients", tmp_path) == []


def test_arguments_for_credentials_take_the_place_of_no_other(made: Any) -> None:
    client = importlib.import_module("security").Security
    own = {
        each.argument
        for each in (*made[1]["security"][2].credentials, *made[1]["security"][2].servers)
    } | {argument for argument, *_ in made[1]["security"][2].choices}
    assert inspect.signature(client).parameters.keys() - own == OPTIONS


@pytest.mark.parametrize("name", NAMES)
def test_the_first_example_runs_without_the_service(
    name: str, made: tuple[Path, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    files, _, package = made[1][name]
    readme = files["client/README.md"]
    trial = readme.partition("**Try it without an account.**")[2]
    if not (first := package.shown["first"]) or first.example_files:
        assert not trial and "No example shows a call without an account" in readme
        return
    exec(re.findall("```python\n(.*?)```", trial, re.DOTALL)[0], {})
    sent, error = capsys.readouterr().out.splitlines()[:2]
    assert re.fullmatch(r"[A-Z]+ http://127\.0\.0\.1/\S*", sent)
    assert "responded with 400" in error
