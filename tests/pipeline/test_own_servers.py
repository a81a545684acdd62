"""Servers of single operations: relative ones and variables follow what the client is given."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from generate_support import operation, operations, project, sample
from test_servers import address

from pipeline.config import Config

UPLOADS = {
    "url": "https://{region}.up.shop.dev/{edition}",
    "description": "Uploads",
    "variables": {"region": {"default": "us"}, "edition": {"default": "v9"}},
}
CLOSED = {"default": "eu", "enum": ["eu", "ap"]}
OWN = {
    "/relative": [{"url": "/v2"}],
    "/filled": [{"url": "/{edition}/x", "variables": {"edition": {"default": "v3"}}}],
    "/variable": [UPLOADS],
    "/named": [
        {"url": "https://us.n.dev", "name": "us"},
        {"url": "https://eu.n.dev", "name": "eu"},
    ],
    "/more": [{"url": "https://m.dev", "name": "us"}, {"url": "/asia", "name": "asia"}],
    "/part": [{"url": f"https://{name}.p.dev", "name": name} for name in ("us", "old", "eu")],
    "/usual": [{"url": "https://{region}.e.dev", "variables": {"region": {"default": "asia"}}}],
    "/closed": [{"url": "https://{region}.c.dev", "variables": {"region": CLOSED}}],
    "/whole": [{"url": "https://whole.dev/w"}],
    "/same": [{"url": "/v1"}],
    "/other": [{"url": "//other.dev/o/"}],
}
GENERAL = {
    "url": "https://{region}.api.dev/v1",
    "name": "us",
    "variables": {"region": {"default": "us", "enum": ["us", "eu"]}},
}


def own_config(folder: Path, servers: list[dict[str, Any]] | None) -> Config:
    """A document with these servers, whose operations have some of their own."""
    paths = {
        path: {"get": operation(f"read{path[1:].title()}"), "servers": own}
        for path, own in OWN.items()
    }
    document = operations(paths | {"/a": {"get": operation("readA")}})
    document["servers"] = servers
    if servers is None:
        del document["servers"]
    return project(folder, document)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A client of operations with servers of their own."""
    servers = [GENERAL, {"url": "https://eu.dev/z", "name": "eu"}]
    with sample(own_config(tmp_path_factory.mktemp("own"), servers)) as made:
        yield made


@pytest.mark.parametrize(
    ("method", "given", "url"),
    [
        ("relative", {}, "https://us.api.dev/v2/relative"),
        ("relative", {"base_url": "http://mock:8/x"}, "http://mock:8/v2/relative"),
        ("relative", {"region": "eu"}, "https://eu.api.dev/v2/relative"),
        ("relative", {"server": "eu"}, "https://eu.dev/v2/relative"),
        ("relative", {"v2_url": "http://own:9/y"}, "http://own:9/y/relative"),
        ("filled", {}, "https://us.api.dev/v3/x/filled"),
        ("filled", {"edition": "v4", "base_url": "http://mock:8"}, "http://mock:8/v4/x/filled"),
        ("usual", {}, "https://asia.e.dev/usual"),
        ("usual", {"region": "eu"}, "https://eu.e.dev/usual"),
        ("variable", {}, "https://us.up.shop.dev/v9/variable"),
        ("variable", {"region": "eu"}, "https://eu.up.shop.dev/v9/variable"),
        ("variable", {"edition": "v8"}, "https://us.up.shop.dev/v8/variable"),
        ("variable", {"server": "eu", "region": "eu"}, "https://eu.up.shop.dev/v9/variable"),
        ("variable", {"base_url": "http://mock:8"}, "https://us.up.shop.dev/v9/variable"),
        ("named", {}, "https://us.n.dev/named"),
        ("named", {"server": "eu"}, "https://eu.n.dev/named"),
        ("more", {"server": "us"}, "https://m.dev/more"),
        ("more", {"server": "eu"}, "https://m.dev/more"),
        ("more", {"m_server": "asia", "server": "us"}, "https://us.api.dev/asia/more"),
        ("part", {"server": "eu"}, "https://eu.p.dev/part"),
        ("closed", {}, "https://eu.c.dev/closed"),
        ("closed", {"region": "us"}, "https://eu.c.dev/closed"),  # which has no `us`
        ("closed", {"region": "ap"}, "https://ap.c.dev/closed"),
        ("relative", {"region": "ap"}, "https://us.api.dev/v2/relative"),
        ("whole", {"base_url": "http://mock:8", "region": "us"}, "https://whole.dev/w/whole"),
        ("whole", {"whole_url": "http://mock:8"}, "http://mock:8/whole"),
        ("same", {"base_url": "http://mock:8/v5"}, "http://mock:8/v1/same"),
        ("other", {"base_url": "http://mock:8/v5"}, "http://other.dev/o/other"),
    ],
)
def test_servers_of_operations_follow_the_address_that_is_given(
    own: Any, method: str, given: dict[str, Any], url: str
) -> None:
    assert address(own, f"read_{method}", **given) == url


def test_both_clients_follow(own: Any) -> None:
    sent: list[str] = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        sent.append(str(request.url))
        return httpx2.Response(200)

    async def call() -> None:
        sender = httpx2.AsyncClient(transport=httpx2.MockTransport(respond))
        async with own.AsyncSample(http_client=sender, base_url="http://mock:8/x") as client:
            await client.things.read_relative()
            await client.things.read_a()

    asyncio.run(call())
    assert sent == ["http://mock:8/v2/relative", "http://mock:8/x/a"]


def test_the_environment_comes_before_the_document(
    own: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAMPLE_BASE_URL", "http://mock:8/x")
    assert address(own, "read_relative") == "http://mock:8/v2/relative"
    monkeypatch.setenv("SAMPLE_V2_URL", "http://mock:9")
    assert address(own, "read_relative") == "http://mock:9/relative"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"region": "asia"}, "region must be 'us' or 'eu' or 'ap', got 'asia'"),
        ({"server": "asia"}, "server must be 'us' or 'eu', got 'asia'"),
        ({"m_server": "eu"}, "m_server must be 'us' or 'asia', got 'eu'"),
        ({"m_server": "us", "m_url": "https://a.dev"}, "m_url is a whole address: leave out m_ser"),
        ({"v2_url": "/v3"}, "v2_url must begin with http:// or https:// and a host"),
        ({"base_url": "http://[", "edition": "v3"}, "base_url is not a valid address"),
        ({"edition": "@evil.dev"}, "edition must be a part of an address"),
    ],
)
def test_what_cannot_be_chosen_for_operations_is_named(
    own: Any, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(own.ConfigurationError) as caught:
        address(own, "read_a", **given)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("servers", [None, [{"url": "/v1"}], [{"url": "https://example.com/v1"}]])
def test_relative_servers_need_no_documented_host(
    tmp_path: Path, servers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [each for each in sys.modules if each.partition(".")[0] == "sample"]:
        monkeypatch.delitem(sys.modules, name)
    with sample(own_config(tmp_path, servers)) as package:
        given = {"base_url": "http://a:1/v1"}
        assert address(package, "read_relative", **given) == "http://a:1/v2/relative"
        assert address(package, "read_same", **given) == "http://a:1/v1/same"
        with pytest.raises(package.ConfigurationError) as caught:
            address(package, "read_relative")
    assert str(caught.value) == "base_url is missing: pass it, or set SAMPLE_BASE_URL"
