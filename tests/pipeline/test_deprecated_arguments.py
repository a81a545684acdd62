"""An argument that the service has deprecated warns whoever gives it, and nobody else."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from generate_support import operation, operations, project, sample


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder: Path = tmp_path_factory.mktemp("deprecated")
    text = {"type": "string"}
    parameters = [
        {"name": name, "in": place, "schema": text, "deprecated": name != "fine"}
        for name, place in (("old", "query"), ("X-Old", "header"), ("fine", "query"))
    ]
    body = {"type": "object", "properties": {"grey": {**text, "deprecated": True}, "new": text}}
    made = operation("write", body=body, parameters=parameters)
    document = operations({"/a": {"post": made}})
    with sample(project(folder, document)) as made:
        yield made


@pytest.mark.parametrize("awaited", [False, True])
@pytest.mark.parametrize("given", [(), ("fine",), ("new",), ("old",), ("grey", "x_old", "fine")])
def test_who_gives_it_is_warned_at_the_line(
    package: Any, awaited: bool, given: tuple[str, ...]
) -> None:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(204))
    arguments, base = dict.fromkeys(given, "a"), {"base_url": "https://a.test/v1"}
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        if awaited:
            client = package.AsyncSample(
                http_client=httpx2.AsyncClient(transport=transport), **base
            )
            asyncio.run(client.things.write(**arguments))
        else:
            client = package.Sample(http_client=httpx2.Client(transport=transport), **base)
            client.things.write(**arguments)
    found = [each for each in heard if each.category is DeprecationWarning]
    names = sorted({*given} & {"old", "x_old", "grey"})
    assert sorted(str(each.message) for each in found) == [
        f"things.write: the service has deprecated {name}" for name in names
    ]
    if not awaited:
        assert {each.filename for each in found} <= {__file__}
