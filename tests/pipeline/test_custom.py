"""Modules written by hand inside of a generated package: mixed in, and left alone."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import httpx2
import pytest
from generate_support import configuration, on_path, operation, operations, said

DOCUMENT = operations(
    {
        "/things": {"get": operation(answer={"type": "array", "items": {"type": "string"}})},
        "/more": {"get": operation("more", answer={"type": "string"}, tags=["more"])},
    }
)
ORDERS = """\
from ..resources import things
from ._help import loud

class ThingsResource(things.ThingsResource):
    def loud(self) -> list[str]:
        return loud(self.list_things())

class AsyncThingsResource(things.AsyncThingsResource):
    async def loud(self) -> list[str]:
        return loud(await self.list_things())
"""
CLIENT = """\
from .. import client

class Sample(client.Sample):
    def everything(self) -> list[str]:
        return [*self.things.loud(), self.more.more()]
"""


@pytest.fixture
def custom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    """The folder for modules of a package that was generated."""
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text(configuration("sample"))
    Path("document.yaml").write_text(json.dumps(DOCUMENT))
    assert said(capsys, "generate")[0] == 0
    folder = tmp_path / "generated/client/src/sample/custom"
    folder.mkdir()
    return folder


def test_a_custom_class_takes_the_place_of_the_generated_one(
    custom: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {
        "orders.py": ORDERS,
        "_help.py": "def loud(texts: list[str]) -> list[str]:\n    return [texts[0].upper()]\n",
        "deep/sample.py": CLIENT.replace("from ..", "from ..."),
    }
    for name, text in texts.items():
        (custom / name).parent.mkdir(exist_ok=True)
        (custom / name).write_text(text)
    assert said(capsys, "check")[0] == 1  # the client has to name them
    status, out, err = said(capsys, "generate")
    assert (status, err) == (0, "") and "custom" not in out
    assert said(capsys, "check")[0] == 0
    assert {path.relative_to(custom).as_posix() for path in custom.rglob("*.py")} == {*texts}

    def respond(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json=["a"] if request.url.path.endswith("things") else "b")

    transport = httpx2.MockTransport(respond)
    with on_path(custom.parents[1], "sample"):
        import sample  # type: ignore[import-not-found]

        sender = httpx2.Client(transport=transport)
        with sample.Sample(base_url="https://a.test", http_client=sender) as client:
            assert client.everything() == ["A", "b"]
            assert client.things.with_raw_response.list_things().parse() == ["a"]
            with pytest.raises(AttributeError, match="loud"):
                client.things.louder()

        async def run() -> list[str]:
            awaited = httpx2.AsyncClient(transport=transport)
            async with sample.AsyncSample(base_url="https://a.test", http_client=awaited) as client:
                result: list[str] = await client.things.loud()
                return result

        assert asyncio.run(run()) == ["A"]


@pytest.mark.parametrize("own", ["", "Async"])
def test_a_class_of_one_of_both_clients_takes_the_place_of_that_one_alone(
    own: str, custom: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"{own}ThingsResource"
    text = f"from ..resources import things\n\nclass {name}(things.{name}):\n    own = 1\n"
    (custom / "mine.py").write_text(text)
    assert said(capsys, "generate")[0] == 0
    with on_path(custom.parents[1], "sample"):
        import sample

        for kind in ("", "Async"):
            client = getattr(sample, f"{kind}Sample")(base_url="https://a.test")
            assert hasattr(type(client.things), "own") == (kind == own)
            assert not hasattr(type(client.more), "own")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"a.py": "class ThingsResource:\n    pass\n"},
            "a.py:1:1: ThingsResource must extend the generated class",
        ),
        ({"a.py": ORDERS, "b.py": ORDERS}, "b.py:4:1: ThingsResource is also in custom.a"),
        (
            {"a.py": "\nclass ThingsResource(\n"},
            "a.py:2:1: is no Python module: '(' was never closed ",
        ),
        ({"a.py": "\n\nx = " + "(" * 300}, "a.py:3:1: is no Python module: too many nested"),
        ({"a.py": "\0"}, "a.py:1:1: is no Python module: source code string cannot contain null"),
    ],
)
def test_what_cannot_be_mixed_in_is_named(
    custom: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str], message: str
) -> None:
    for name, text in files.items():
        (custom / name).write_text(text)
    status, out, err = said(capsys, "generate")
    assert status == 1 and message in err and not out


def test_a_module_of_which_nothing_is_used_is_noted(
    custom: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (custom / "thing.py").write_text("class Thing:\n    pass\n")
    (custom / "__init__.py").write_text("")
    status, _, err = said(capsys, "generate")
    assert status == 0 and "thing.py:1:1: has no class of a resource or of the client" in err
