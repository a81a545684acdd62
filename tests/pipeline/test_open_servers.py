"""A document whose first address is open, with others beside it: each of these has a name."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import httpx2
import pytest
from generate_support import call, operation, operations, project, sample

OPEN = [
    {"url": "https://{host}/v1", "variables": {"host": {"default": "a.invalid"}}},
    {"url": "/v1"},
]
OTHERS = {"europe": "https://eu.shop.dev/v1", "us": "https://us.shop.dev/v1"}
SAID = {"europe": "Europe (§1)."}  # where it is documented is no part of its name


@pytest.mark.parametrize("first", OPEN)
@pytest.mark.parametrize("count", [0, 1, 2])
def test_each_address_beside_an_open_one_is_chosen_by_its_name(
    tmp_path: Path, first: dict[str, Any], count: int
) -> None:
    """In a client of two documents, too: each has an argument for its own servers."""
    named = dict([*OTHERS.items()][:count])
    a, b = (operations({f"/{each}": {"get": operation(f"read_{each}")}}) for each in "ab")
    others = [{"url": url, "description": SAID.get(name, "")} for name, url in named.items()]
    a["servers"] = b["servers"] = [first, *others]
    with sample(project(tmp_path, a, other=b)) as made:

        def url(method: str, **given: str | None) -> str:
            _, request = call(made, httpx2.Response(200), method, given.items())
            return str(request.url)

        both = {"base_url": "https://c.test/v1", "other_url": "https://d.test/v1"}
        assert url("read_a", **both) == "https://c.test/v1/a"
        assert url("read_b", **both) == "https://d.test/v1/b"
        for client in (made.Sample, made.AsyncSample):
            arguments = {"server", "other_server"} & inspect.signature(client).parameters.keys()
            assert len(arguments) == (2 if named else 0)
        for name, address in named.items():
            assert url("read_a", base_url=None, server=name) == f"{address}/a"
            assert url("read_b", other_server=name) == f"{address}/b"
