"""The body of an error: of the type that its media type has, and a text with quotes or without."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from itertools import permutations
from pathlib import Path
from typing import Any

import httpx2
import pytest
from generate_support import on_path, operation, operations, project, write_package

from pipeline.steps import generate

JSON, PROBLEM, TEXT = "application/json", "application/problem+json", "text/plain"
S = {"type": "string"}
PLAIN = {"type": "object", "required": ["message"], "properties": {"message": S}}
DETAILED = {"type": "object", "required": ["title"], "properties": {"title": S}}
BODIES: dict[str, dict[str, Any]] = {
    "400": {JSON: PLAIN, PROBLEM: DETAILED},
    "401": {TEXT: S, JSON: PLAIN},
    "403": {TEXT: PLAIN, JSON: PLAIN, "text/json": PLAIN},
    "404": {JSON: S},
    "409": {JSON: {"oneOf": [S, PLAIN]}},
    "410": {JSON: PLAIN, "text/*": S},
    "422": {JSON: {}, TEXT: S},
    "4XX": {PROBLEM: DETAILED, "application/vnd.plain+json": PLAIN},
    "5XX": {JSON: {"type": ["string", "null"]}},
}
Body = Callable[[int, str | None, bytes], Any]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("failing")
    responses: dict[str, Any] = {
        status: {
            "description": "Bad.",
            "content": {name: {"schema": schema} for name, schema in content.items()},
        }
        for status, content in BODIES.items()
    }
    responses["200"] = {"description": "Good."}
    data = operations({"/a": {"get": operation("readA", responses=responses)}})
    files, notes = generate(replace(project(folder, data, package="failing"), on_uncarried="skip"))
    assert [str(each) for each in notes if "is not read" in each.message] == []
    write_package(files, folder)
    with on_path(folder, "failing"):
        yield import_module("failing")


@pytest.mark.parametrize("given", permutations(["default", "4XX", "404"]), ids=" ".join)
def test_the_nearest_description_of_a_status_is_that_of_its_body(
    tmp_path: Path, given: tuple[str, ...]
) -> None:
    """By itself, by its range, then by every other: in whatever order they stand."""
    schemas = {"default": "ByOthers", "4XX": "ByRange", "404": "ByItself"}
    responses: dict[str, Any] = {"200": {"description": "Good."}}
    for status in given:
        content = {JSON: {"schema": {"$ref": f"#/components/schemas/{schemas[status]}"}}}
        responses[status] = {"description": "Bad.", "content": content}
    data = operations({"/a": {"get": operation("readA", responses=responses)}})
    data["components"]["schemas"] |= {name: PLAIN for name in schemas.values()}
    files, _ = generate(project(tmp_path, data, package="failing"))
    (text,) = (str(files[each]) for each in files if str(each).endswith("failing/errors.py"))
    found = re.findall(
        r"class (\w+)\(StatusError\):(?:(?!\nclass ).)*? -> (\w+) \| None", text, re.DOTALL
    )
    bodies = dict(found)
    assert (bodies["NotFoundError"], bodies["ConflictError"]) == ("ByItself", "ByRange")


@pytest.mark.parametrize("sections", ["NotFoundError", "StatusError NotFoundError", ""])
def test_an_error_without_a_section_leads_to_that_of_its_base(
    tmp_path: Path, sections: str
) -> None:
    """The page is written by hand; a status that is new in a document has nothing there."""
    responses = {each: {"description": "Bad."} for each in ("402", "404", "410")}
    responses["200"] = {"description": "Good."}
    data = operations({"/a": {"get": operation("readA", responses=responses)}})
    config = project(tmp_path, data, package="failing")
    names = ["FailingError", *sections.split()]
    (tmp_path / "e.md").write_text("".join(f"# {each}\n\nIt failed.\n\n" for each in names))
    urls = {"Documentation": "https://docs.invalid/"}
    client = replace(config.client, urls=urls, errors="e.md")
    files, _ = generate(replace(config, client=client))
    write_package(files, tmp_path)
    with on_path(tmp_path, "failing"):
        failing = import_module("failing.errors")
        classes = (getattr(failing, each) for each in failing.__all__)
        made = {each: each.documentation for each in classes if hasattr(each, "documentation")}
    assert {"PaymentRequiredError", "GoneError"} <= {each.__name__ for each in made}
    for kind, led in made.items():
        nearest = next(each.__name__ for each in kind.__mro__ if each.__name__ in names)
        assert led == f"https://docs.invalid/e.html#{nearest.lower()}", kind


@pytest.fixture(params=["Failing", "AsyncFailing"])
def body(client: Any, request: pytest.FixtureRequest) -> Body:
    """Of a response with a status and a media type, what the error has as its body."""

    def of(status: int, media_type: str | None, content: bytes) -> Any:
        headers = {"Content-Type": media_type} if media_type else {}

        def respond(_: httpx2.Request) -> httpx2.Response:
            return httpx2.Response(status, headers=headers, content=content)

        transport = httpx2.MockTransport(respond)
        options = {"base_url": "https://a.invalid", "retries": 0}

        async def awaited() -> None:
            sender = httpx2.AsyncClient(transport=transport)
            async with client.AsyncFailing(**options, http_client=sender) as failing:
                await failing.things.read_a()

        with pytest.raises(client.StatusError) as caught:
            if request.param == "AsyncFailing":
                asyncio.run(awaited())
            else:
                with client.Failing(**options, http_client=httpx2.Client(transport=transport)) as c:
                    c.things.read_a()
        return caught.value.body

    return of


@pytest.mark.parametrize(
    ("status", "media_type", "content", "name", "member"),
    [
        (400, JSON, b'{"message": "no"}', "ReadAError400", "message"),
        (400, f"{PROBLEM}; charset=utf-8", b'{"title": "no"}', "ReadAProblemJsonError400", "title"),
        (400, None, b'{"message": "no"}', "ReadAError400", "message"),
        (401, "Application/JSON", b'{"message": "no"}', "ReadAError400", "message"),
        (403, "text/json", b'{"message": "no"}', "ReadAError400", "message"),
        (405, PROBLEM, b'{"title": "no"}', "ReadAProblemJsonError400", "title"),
        (405, "application/vnd.plain+json", b'{"message": "no"}', "ReadAError400", "message"),
    ],
)
def test_an_object_is_that_of_its_media_type(
    body: Body, status: int, media_type: str | None, content: bytes, name: str, member: str
) -> None:
    found = body(status, media_type, content)
    assert type(found).__name__ == name and getattr(found, member) == "no"


@pytest.mark.parametrize(
    ("status", "media_type", "content", "expected"),
    [
        (401, TEXT, b"no", "no"),
        (401, TEXT, b'"no"', '"no"'),  # a text, whose quotes are its own
        (401, JSON, b"no", None),
        (410, "text/html", b"<p>no", "<p>no"),
        (422, TEXT, b"no", "no"),
        (422, JSON, b'{"a": 1}', None),
        (404, JSON, b'"no"', "no"),
        (404, JSON, b'"n\\u00f6"', "nö"),
        (404, JSON, b"no such thing", "no such thing"),
        (404, f"{JSON}; charset=latin-1", b"n\xf6", "nö"),
        (404, JSON, b"404", "404"),
        (404, JSON, b"[no] such thing", "[no] such thing"),
        (404, JSON, b'["no"]', None),
        (404, JSON, b"null", None),
        (404, JSON, b" ", None),
        (409, JSON, b"taken", "taken"),
        (409, JSON, b'{"note": "no"}', None),
        (400, JSON, b"taken", None),
        (500, JSON, b"down", "down"),
        (500, JSON, b"null", None),
    ],
)
def test_a_text_is_read_with_quotes_and_without(
    body: Body, status: int, media_type: str, content: bytes, expected: str | None
) -> None:
    assert body(status, media_type, content) == expected


def test_a_type_checker_knows_each_of_them(client: Any) -> None:
    text = Path(client.__file__).with_name("errors.py").read_text(encoding="utf-8")
    for types in (
        "ReadAError400 | ReadAProblemJsonError400",
        "ReadAError400 | str",
        "ReadAError400",
        "str",
    ):
        assert f"def body(self) -> {types} | None:" in text


def test_what_is_said_of_every_response_holds_for_errors(tmp_path: Path) -> None:
    """Where no success is documented, it is the success, too, of the same class."""
    content = {JSON: {"schema": PLAIN}}
    good = {"default": {"description": "All.", "content": content}}
    good["500"] = {"description": "Bad.", "content": {JSON: {"schema": DETAILED}}}
    data = operations({"/a": {"get": operation("readA", responses=good)}})
    write_package(generate(project(tmp_path, data, package="usual"))[0], tmp_path)
    answers = [httpx2.Response(each, json={"message": "x", "title": "y"}) for each in (200, 404)]
    answers.append(httpx2.Response(500, json={"title": "y"}))
    transport = httpx2.MockTransport(lambda _: answers.pop(0))
    with on_path(tmp_path, "usual"):
        usual = import_module("usual")
        client = usual.Usual(
            base_url="https://a.invalid", retries=0, http_client=httpx2.Client(transport=transport)
        )
        read = client.with_options(drift="ignore").things.read_a()
        with pytest.raises(usual.NotFoundError) as missing:
            client.things.read_a()
        with pytest.raises(usual.ServerError) as broken:
            client.things.read_a()
        assert type(missing.value.body) is type(read) and read.message == "x"
        assert missing.value.body.message == "x" and broken.value.body.title == "y"
        assert type(read).__name__ == "ReadAResponse"
