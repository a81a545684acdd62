"""Limits of the files of a form: what the docstring says is checked before they are sent."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx2
import pytest
from generate_support import on_path, operation, operations, project, write_package

from pipeline.steps import generate
from tests.support.both import BACKENDS, now, run

FILE = {"type": "string", "format": "binary"}
SEVERAL = {"type": "array", "items": FILE, "minItems": 2, "maxItems": 4}
KEYED = {
    "type": "object",
    "additionalProperties": FILE,
    "minProperties": 2,
    "maxProperties": 4,
}
SIZED = {**FILE, "minLength": 2, "maxLength": 4}
REFERRED = {"$ref": "#/components/schemas/Several"}
NULLABLE = {**SEVERAL, "type": ["array", "null"]}
EACH_SIZED = {"type": "array", "items": SIZED}


def items(number: int) -> list[bytes]:
    return [b"x"] * number


def members(number: int) -> dict[str, bytes]:
    return {str(key): b"x" for key in range(number)}


def sizes(number: int) -> list[bytes]:
    return [b"xxx", b"x" * number]


@pytest.mark.parametrize("backend", ["sync", BACKENDS[0]])
@pytest.mark.parametrize(
    ("schema", "made", "at", "unit"),
    [
        (SEVERAL, items, "files", "item"),
        (REFERRED, items, "files", "item"),
        (NULLABLE, items, "files", "item"),
        (KEYED, members, "files", "member"),
        (SIZED, lambda number: b"x" * number, "files", "byte"),
        (EACH_SIZED, sizes, "files[1]", "byte"),
    ],
)
def test_as_many_are_sent_as_the_document_allows(
    tmp_path: Path, schema: Any, made: Callable[[int], Any], at: str, unit: str, backend: str
) -> None:
    form = {"type": "object", "required": ["files"], "properties": {"files": schema}}
    document = operations({"/a": {"post": operation("sendA")}})
    document["components"] = {"schemas": {"Several": SEVERAL}}
    document["paths"]["/a"]["post"]["requestBody"] = {
        "required": True,
        "content": {"multipart/form-data": {"schema": form}},
    }
    files, _ = generate(project(tmp_path, document, package="limited"))
    write_package(files, tmp_path)
    sent: list[bytes] = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        sent.append(request.content)
        return httpx2.Response(200)

    transport = httpx2.MockTransport(respond)
    with on_path(tmp_path, "limited"):
        module = import_module("limited")
        kind = {"sync": ("Limited", "Client")}.get(backend, ("AsyncLimited", "AsyncClient"))
        of_package, of_library = getattr(module, kind[0]), getattr(httpx2, kind[1])
        client = of_package(base_url="https://a.test", http_client=of_library(transport=transport))
        if at == "files":
            said = f"At least 2 {unit}s; at most 4 {unit}s."
            assert said in (inspect.getdoc(client.things.send_a) or "")

        async def send(number: int) -> None:
            await now(client.things.send_a(files=made(number)))

        for number in (2, 3, 4):
            run(backend, send, number)
        assert len(sent) == 3
        for number, limit in ((1, "at least 2"), (5, "at most 4")):
            with pytest.raises(module.ArgumentError, match=f"{limit} {unit}s") as error:
                run(backend, send, number)
            [problem] = error.value.problems
            assert problem.argument == at
        assert len(sent) == 3
