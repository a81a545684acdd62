"""Several servers of a document: one is chosen by its name, and variables have arguments."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx2
import pytest
from generate_support import operation, operations, project, sample

from pipeline.openapi import servers
from pipeline.openapi.security import wanted

PRODUCTION = {
    "url": "https://{region}.shop.dev/{timeout}",
    "description": "Production server",
    "variables": {
        "region": {"default": "us", "enum": ["us", "eu"], "description": "Where it is. More."},
        "timeout": {"default": "v1"},
    },
}
SANDBOX = {
    "url": "https://sandbox.shop.dev:{port}/v1/",
    "description": "A server for those who only want to try things",
    "variables": {"port": {"default": "8443"}},
}
SERVERS = [
    PRODUCTION,
    {"url": "https://eu.shop.dev/v1", "name": "EU 1"},
    SANDBOX,
    {"url": "/relative"},
    {"url": "https://{nothing}.shop.dev"},
]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A client of two documents, of which both have servers to choose from."""
    folder = tmp_path_factory.mktemp("servers")
    document = operations({"/a": {"get": operation("readA")}}) | {"servers": SERVERS}
    other = operations({"/b": {"get": operation("readB")}})
    other["servers"] = [
        {"url": f"https://{name}.files.dev/f", "description": name} for name in "xy"
    ]
    with sample(project(folder, document, other=other)) as made:
        yield made


def address(package: Any, method: str = "read_a", **given: Any) -> str:
    """Where a call goes."""
    sent: list[str] = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        sent.append(str(request.url))
        return httpx2.Response(200)

    sender = httpx2.Client(transport=httpx2.MockTransport(respond))
    with package.Sample(http_client=sender, **given) as client:
        getattr(client.things, method)()
    return sent[0]


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ({}, "https://us.shop.dev/v1/a"),
        ({"region": "eu"}, "https://eu.shop.dev/v1/a"),
        ({"timeout_2": "v2/x"}, "https://us.shop.dev/v2/x/a"),
        ({"server": "production"}, "https://us.shop.dev/v1/a"),
        ({"server": "EU 1"}, "https://eu.shop.dev/v1/a"),
        ({"server": "sandbox", "port": "1"}, "https://sandbox.shop.dev:1/v1/a"),
        ({"base_url": "https://own.dev/z"}, "https://own.dev/z/a"),
        ({"other_server": "y", "method": "read_b"}, "https://y.files.dev/f/b"),
        ({"method": "read_b", "server": "EU 1"}, "https://x.files.dev/f/b"),
    ],
)
def test_the_server_that_is_named_is_called(package: Any, given: dict[str, Any], url: str) -> None:
    assert address(package, **given) == url


def test_what_is_named_comes_before_the_environment(
    package: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAMPLE_BASE_URL", "https://environment.dev/v1")
    assert address(package) == "https://environment.dev/v1/a"
    assert address(package, server="EU 1") == "https://eu.shop.dev/v1/a"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"server": "us"}, "server must be 'production' or 'EU 1' or 'sandbox', got 'us'"),
        ({"server": 3}, "got 3"),
        ({"region": "asia", "timeout_2": "?"}, "must be 'us' or 'eu', got 'asia'; timeout_2 must"),
        ({"region": "us@evil.dev"}, "region must be 'us' or 'eu'"),
        ({"server": "sandbox", "port": "1/@evil.dev"}, "port must be a part of an address"),
        ({"server": "EU 1", "region": "eu"}, "region is no part of the server 'EU 1'"),
        ({"server": "EU 1", "base_url": "https://a.dev"}, "base_url is a whole address: leave out"),
    ],
)
def test_what_cannot_be_chosen_is_named(package: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(package.ConfigurationError) as caught:
        address(package, **given)
    assert message in str(caught.value)


HOSTILE = (
    "evil.dev/",
    "evil.dev:8443/x",
    "//evil.dev",
    "https://evil.dev",
    "evil.dev:1",
    ".evil.dev",
)


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize(
    ("url", "default", "held"),
    [
        ("https://{x}.shop.dev", "a", ".shop.dev"),
        ("https://a.{x}.shop.dev/v1", "a", ".shop.dev"),
        ("https://{x}shop.dev/{x}", "", "shop.dev"),
        ("https://shop.dev{x}", "/v1", "shop.dev"),
        ("https://shop.dev/{x}", "v1", "shop.dev"),
        ("https://shop.dev/v1/{x}/w", "", "shop.dev"),
        ("https://shop.dev:{x}/v1", "443", "shop.dev"),
        ("{x}://shop.dev/v1", "https", "shop.dev"),
        ("{x}://{y}.shop.dev/v1", "https", ".shop.dev"),
        ("/{x}/v1", "a", ""),
    ],
)
def test_a_variable_cannot_name_another_host(
    package: Any, url: str, default: str, held: str, value: str
) -> None:
    runtime = importlib.import_module(f"{package.__name__}._runtime.engine.servers")
    variables = {
        "x": runtime.ServerVariable("x", value, default),
        "y": runtime.ServerVariable("y", None, "y"),
    }
    problems: list[str] = []
    choice = runtime.ServerChoice("server", None, {"first": url}, variables, "base_url")
    made = choice.address(None, problems)
    if problems:
        assert problems == [f"x must be a part of an address, got {value!r}"]
    else:
        whole = urlsplit(urljoin("https://own.dev/", made))
        assert (whole.hostname or "").endswith(held or "own.dev")


@pytest.mark.parametrize(
    ("url", "default", "values"),
    [
        ("https://{x}.shop.dev", "a", ("b", "b.c", "b-c_d")),
        ("https://{x}/v1", "a.dev", ("b.dev", "b.dev:8443", "127.0.0.1:1")),
        ("https://shop.dev{x}", "/v1", ("/v2", "/v2/w", "")),
        ("https://shop.dev/{x}", "", ("", "v1", "v1/w:x")),
        ("{x}/v1", "https://shop.dev", ("https://b.dev:1/a", "http://127.0.0.1")),
        ("{x}://shop.dev", "https", ("http",)),
        ("{x}/v1", "a", ("b", "/b", "b/c")),
    ],
)
def test_what_fits_into_an_address(
    package: Any, url: str, default: str, values: tuple[str, ...]
) -> None:
    runtime = importlib.import_module(f"{package.__name__}._runtime.engine.servers")
    for value in values:
        problems: list[str] = []
        variables = {"x": runtime.ServerVariable("x", value, default)}
        choice = runtime.ServerChoice("server", None, {"first": url}, variables, "base_url")
        assert choice.address(None, problems) == url.replace("{x}", value).rstrip("/")
        assert problems == []


def test_what_is_empty_by_default_is_no_hindrance(package: Any) -> None:
    runtime = importlib.import_module(f"{package.__name__}._runtime.engine.servers")
    variables = {
        "tenant": runtime.ServerVariable("tenant", "acme", "t0"),
        "base": runtime.ServerVariable("base", None, ""),
        "stage": runtime.ServerVariable("stage", None, "", ("-a", "-b")),
    }
    url = "https://{tenant}{stage}.shop.dev/{base}"
    problems: list[str] = []
    choice = runtime.ServerChoice("server", None, {"first": url}, variables, "base_url")
    assert choice.address(None, problems) == "https://acme.shop.dev"
    assert problems == []


def test_the_arguments_are_typed_and_described(package: Any) -> None:
    home = Path(package.__file__).parent
    text = (home / "client.py").read_text()
    assert 'server: Literal["production", "EU 1", "sandbox"] | None = None' in text
    assert 'region: Literal["us", "eu"] | None = None' in text and "port: str | None = None" in text
    doc = " ".join(package.Sample.__doc__.split())
    assert "region: `{region}` in the address: Where it is. Default: `us`." in doc
    assert all(len(line) <= 100 for line in package.Sample.__doc__.splitlines())


RESERVED = [
    *("a.invalid", "test", "a.test", "example", "b.a.example"),
    *(f"{at}example.{end}" for at in ("", "a.") for end in ("com", "net", "org")),
]
REAL = ["a.com", "attest", "test.com", "myexample.com", "example.com.de", "invalid.net"]


@pytest.mark.parametrize("host", [*RESERVED, *REAL])
def test_a_host_that_nobody_has_is_no_default(host: str) -> None:
    for end in ("", "/", "/v1", "/v1/"):
        given = [{"url": f"https://{host}{end}"}, {"url": "https://second.com"}]
        whole = f"https://{host}{end}".rstrip("/")
        assert servers.address(given) == whole
        assert servers.default_address(given) == ("" if host in RESERVED else whole)


@pytest.mark.parametrize(
    "url",
    ["", "/v1", "ftp://a.com", "https://", "https://{a}.com", "https://a.com?b", "https://a b.c"],
)
def test_what_is_no_address(url: str) -> None:
    for given in ([{"url": url}], [{"url": url}, {"url": "https://a.com"}]):
        assert (servers.address(given), servers.default_address(given)) == (None, "")


@pytest.mark.parametrize(
    ("own", "known"),
    [
        ([], ()),
        (["https://a.com/v1"], ()),
        (["/v1", "https://b.com"], ()),
        (["https://b.com"], ("https://b.com",)),
        (["/v2"], ("/v2",)),
        (["https://b.com", "https://{gone}/"], ("https://b.com",)),
        (["https://{gone}/", "https://b.com"], None),
        (["https://{host}/", "https://b.com"], ("https://{host}/", "https://b.com")),
    ],
)
@pytest.mark.parametrize("place", ["operation", "path"])
def test_servers_of_an_operation(own: list[str], known: Any, place: str) -> None:
    """Those of its document are none of its own; the first has to be known."""
    variables = {"host": {"default": "c.com"}}
    document = {"servers": [{"url": "https://a.com/v1", "variables": variables}]}
    holder = {"servers": [{"url": each} for each in own]}
    found = servers.own_servers(document, *((holder, {}) if place == "path" else ({}, holder)))
    assert (found and tuple(each["url"] for each in found)) == known


@pytest.mark.parametrize(
    ("general", "own", "needs"),
    [
        (None, None, None),
        ([], None, [()]),
        ([{"a": []}], None, [("a",)]),
        ([{"a": []}], [], [()]),
        ([{"a": []}], [{}], [()]),
        ([{"a": []}], [{"b": [], "c": []}, {}], [("b", "c"), ()]),
        (None, [{"b": []}], [("b",)]),
    ],
)
def test_what_an_operation_needs(general: Any, own: Any, needs: Any) -> None:
    """What it says itself counts, also that it needs nothing."""
    document, operation = ({} if each is None else {"security": each} for each in (general, own))
    assert wanted(document, operation) == needs
