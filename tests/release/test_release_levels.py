"""What a change costs users: each kind of place, each limit both ways, each package."""

from __future__ import annotations

import dataclasses
import json
import zipfile
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import griffe
import pytest
from packaging.version import Version

from release import bundling
from release.changes import documents, packages, python
from release.changes.python import Surface, union
from release.config import Release, Server, Setting, load_release

HERE = Path(__file__).resolve().parents[2]
LOWER = {
    "minimum": ("{} or more", 2, 3),
    "exclusiveMinimum": ("more than {}", 2, 3),
    "minLength": ("at least {} characters", 2, 3),
    "minItems": ("at least {} items", 2, 3),
    "minProperties": ("at least {} entries", 2, 3),
}
UPPER = {
    "maximum": ("{} or less", 3, 2),
    "exclusiveMaximum": ("less than {}", 3, 2),
    "maxLength": ("at most {} characters", 3, 2),
    "maxItems": ("at most {} items", 3, 2),
    "maxProperties": ("at most {} entries", 3, 2),
    "x-max-bytes": ("at most {} bytes", 3, 2),
    "x-max-size": ("at most {} bytes", 3, 2),
}


def document(schema: dict[str, Any], *, sent: bool, **more: Any) -> dict[str, Any]:
    """Return documents with one operation, which sends or reads two fields of a schema."""
    fields = {"type": "object", "properties": {"one": schema, "other": {"type": "string"}}}
    content = {"content": {"application/json": {"schema": fields}}}
    operation: dict[str, Any] = {"operationId": "putA", "responses": {"200": {"description": "d"}}}
    if sent:
        operation["requestBody"] = content
    else:
        operation["responses"]["200"] |= content
    paths = {"/a": {"put": operation}, "/b": {"get": {"operationId": "getB", "responses": {}}}}
    return {
        "main": {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths, **more}
    }


def compared(before: dict[str, Any], after: dict[str, Any], sent: bool) -> list[tuple[str, str]]:
    sides = (document(each, sent=sent) for each in (before, after))
    return [(each.level, each.sentence) for each in documents.compare(*sides)]


@pytest.mark.parametrize("sent", [True, False])
@pytest.mark.parametrize("word", [*LOWER, *UPPER])
def test_each_limit_in_both_directions(word: str, sent: bool) -> None:
    """What may be sent breaks callers when it narrows, and what is read never does."""
    phrase, wide, narrow = {**LOWER, **UPPER}[word]
    schema = {"type": {"L": "string", "I": "array", "P": "object"}.get(word[3], "number")}
    wider, narrower, free = {**schema, word: wide}, {**schema, word: narrow}, schema
    for before, after, is_narrower in (
        (wider, narrower, True), (free, wider, True), (narrower, wider, False), (wider, free, False)
    ):  # fmt: skip
        [(level, sentence)] = compared(before, after, sent)
        assert (level == "breaking") is (sent and is_narrower), (before, after, sentence)
        assert word not in after or phrase.format(after[word]) in sentence, sentence
    assert compared(wider, dict(wider), sent) == []


@pytest.mark.parametrize(
    ("word", "one", "other", "levels"),
    [
        ("x-file-extensions", ["png", "jpg"], ["png"], ("breaking", "feature")),
        ("x-file-extensions", ["png"], ["jpg"], ("breaking", "breaking")),
        ("pattern", "a+", "b+", ("breaking", "breaking")),
        ("multipleOf", 2, 4, ("breaking", "breaking")),
    ],
)
@pytest.mark.parametrize("sent", [True, False])
def test_a_limit_that_is_no_number(
    word: str, one: Any, other: Any, levels: tuple[str, str], sent: bool
) -> None:
    schema = {"type": {"u": "array", "m": "number"}.get(word[0], "string")}
    first, second = {**schema, word: one}, {**schema, word: other}
    for before, after, level in (
        (first, second, levels[0]), (second, first, levels[1]),
        (schema, second, "breaking"), (second, schema, "feature"),
    ):  # fmt: skip
        found = [level for level, _ in compared(before, after, sent)]
        assert found == [level if sent else "patch"], (before, after)


@pytest.mark.parametrize("sent", [True, False])
@pytest.mark.parametrize(
    ("word", "nothing", "limit"),
    [
        ("minItems", 0, 1),
        ("minLength", 0, 1),
        ("minProperties", 0, 1),
        ("uniqueItems", False, True),
    ],
)
def test_a_limit_that_limits_nothing_is_none(
    word: str, nothing: Any, limit: Any, sent: bool
) -> None:
    schema = {"type": {"L": "string", "P": "object"}.get(word[3], "array")}
    free, none, one = ({**schema, **each} for each in ({}, {word: nothing}, {word: limit}))
    for before, after in ((free, none), (none, free)):
        assert [level for level, _ in compared(before, after, sent)] == ["patch"]
    for before in (free, none):
        [(level, sentence)] = compared(before, one, sent)
        assert level == ("breaking" if sent else "patch")
        [(back, undone)] = compared(one, before, sent)
        assert back == ("feature" if sent else "patch")
        assert "no longer limited" in undone and "has the" not in sentence


TWO = "`a` and `b`"
CODES: dict[str, dict[str, Any]] = {
    "any": {}, "closed": {"enum": ["a", "b"]}, "open": {"x-extensible-enum": ["a", "b"]},
}  # fmt: skip
SAID = ("patch", "has another description")
JUDGED = {
    "any closed": [("breaking", f"takes only {TWO} now"), ("feature", f"knows {TWO}, too")],
    "closed any": [
        ("feature", f"takes other values than {TWO}, too"), ("patch", f"knows {TWO} no more"),
    ],
    "open closed": [("breaking", f"takes only {TWO} now"), SAID],
    "closed open": [("feature", f"takes other values than {TWO}, too"), SAID],
    "any open": [("feature", f"knows {TWO}, too")] * 2,
    "open any": [("patch", f"knows {TWO} no more")] * 2,
}  # fmt: skip


@pytest.mark.parametrize("both", JUDGED)
@pytest.mark.parametrize("sent", [True, False])
def test_what_is_a_code_breaks_where_others_were_sent(both: str, sent: bool) -> None:
    before, after = ({"type": "string", **CODES[each]} for each in both.split())
    assert compared(before, after, sent) == [JUDGED[both][not sent]]


@pytest.mark.parametrize("sent", [True, False])
def test_another_constant_breaks_where_it_is_sent(sent: bool) -> None:
    found = compared({"const": "a"}, {"const": "b"}, sent)
    level = "breaking" if sent else "patch"
    assert found == [("feature", "knows `b`, too"), (level, "knows `a` no more")]


def test_each_kind_of_place_that_comes_and_goes() -> None:
    full, bare = document({"type": "string"}, sent=True), document({"type": "string"}, sent=True)
    del bare["main"]["paths"]["/b"]
    for before, after, level in ((bare, full, "feature"), (full, bare, "breaking")):
        assert [each.level for each in documents.compare(before, after)] == [level]
        both = documents.compare(
            {**before, "media": full["main"]}, {**after, "media": full["main"]}
        )
        assert [each.level for each in both] == [level]
    for before, after, level in (({}, full, "feature"), (full, {}, "breaking")):
        assert [each.level for each in documents.compare(before, after)] == [level]


def test_packages_that_come_and_go() -> None:
    kept = {name: SimpleNamespace(name=name, files={name: b"1"}) for name in ("cli", "client")}

    def side(**more: Any) -> Any:
        return SimpleNamespace(packages={**kept, **more}, version=Version("0.1.0"))

    other, another = (SimpleNamespace(name="new", files={"x": b"2"}) for _ in range(2))
    found = packages.compare(side(gone=other), side(new=another))
    assert [(each.level, str(each)) for each in found] == [
        ("breaking", "`gone` is no longer released"),
        ("feature", "`new` is a new package"),
    ]
    assert packages.compare(side(new=other), side(new=another)) == []


@pytest.mark.parametrize(
    ("annotation", "members"),
    [
        ("", set()),
        ("int", {"int"}),
        ("int | None | str", {"int", "None", "str"}),
        ("Literal['a', 'b'] | int", {"Literal['a']", "Literal['b']", "int"}),
        ("typing.Literal['a', 'b']", {"typing.Literal['a']", "typing.Literal['b']"}),
        ("Literal[1]", {"Literal[1]"}),
        ("Present[int] | Annotated[str, Meta(min_length=1)]", {"int", "str"}),
        ("list[Literal['a', 'b']]", {"list[Literal['a', 'b']]"}),
    ],
)
def test_members_of_a_union(annotation: str, members: set[str]) -> None:
    assert union(annotation) == members


@pytest.mark.parametrize(
    ("was", "now", "level"),
    [
        ("int | None", "int", "patch"),
        ("int", "int | None", "breaking"),
        ("int", "str", "breaking"),
        ("int", "int", None),
    ],
)
def test_what_a_method_gives(was: str, now: str, level: str | None) -> None:
    before, after = (
        Surface(functions={"books.get": griffe.Function("get", returns=each)})
        for each in (was, now)
    )
    assert [each.level for each in python.compare(before, after)] == [level] * (level is not None)


SERVER = Server(
    name="org.example/books-mcp",
    title="Books",
    description="All books.",
    author="Ann",
    license="MIT",
    package="social-publishing-cli",
    entry_point="books.server:main",
    arguments=("mcp", "serve"),
    extras=("mcp", "xlsx"),
    settings={
        "BOOKS_TOKEN": Setting("Token", "Who you are.", required=True, secret=True),
        "BOOKS_URL": Setting("Address", "Where the books are.", required=True),
        "BOOKS_SHELF": Setting("Shelf", "One shelf."),
        "BOOKS_WRITES": Setting("Writes", "May it write?", type="boolean"),
    },
)


@pytest.fixture
def made(tmp_path: Path) -> dict[str, Any]:
    """Return the bundle's manifest and modules, and the entry of the registry, of a server."""
    release: Release = load_release(HERE / "pyproject.toml")
    package = dataclasses.replace(release.packages[-1], name=SERVER.package, path=tmp_path)
    (tmp_path / "README.md").write_text(f"mcp-name: {SERVER.name}\n")
    release = dataclasses.replace(release, server=SERVER, packages=(package,))
    files = bundling.bundles(release)
    [bundle] = [name for name in files if name.endswith(".mcpb")]
    assert bundle == f"books-mcp-{release.version}.mcpb"
    with zipfile.ZipFile(BytesIO(files[bundle])) as archive:
        inside = {name: archive.read(name).decode() for name in archive.namelist()}
    registered = json.loads(files["server.json"])
    return {"version": str(release.version), "server.json": registered, **inside}


def test_the_entry_of_the_registry_is_whole(made: dict[str, Any]) -> None:
    version, registered = made["version"], made["server.json"]
    [package] = registered.pop("packages")
    variables = package.pop("environmentVariables")
    assert registered.pop("$schema").endswith("/server.schema.json")
    assert registered == {
        "name": SERVER.name, "title": "Books", "description": "All books.", "version": version,
    }  # fmt: skip
    source = f"social-publishing-cli[mcp,xlsx]=={version}"
    assert package == {
        "registryType": "pypi",
        "identifier": "social-publishing-cli",
        "version": version,
        "runtimeHint": "uvx",
        "runtimeArguments": [{"type": "named", "name": "--from", "value": source}],
        "packageArguments": [
            {"type": "positional", "value": "mcp"}, {"type": "positional", "value": "serve"},
        ],
        "transport": {"type": "stdio"},
    }  # fmt: skip
    assert [tuple(each.values()) for each in variables] == [
        ("BOOKS_TOKEN", "Who you are.", "string", True, True),
        ("BOOKS_URL", "Where the books are.", "string", True, False),
        ("BOOKS_SHELF", "One shelf.", "string", False, False),
        ("BOOKS_WRITES", "May it write?", "boolean", False, False),
    ]
    assert [*variables[0]] == ["name", "description", "format", "isRequired", "isSecret"]


def test_the_manifest_of_the_bundle_is_whole(made: dict[str, Any]) -> None:
    manifest, version = json.loads(made["manifest.json"]), made["version"]
    settings = manifest.pop("user_config")
    assert manifest == {
        "manifest_version": "0.4",
        "name": "books-mcp",
        "display_name": "Books",
        "version": version,
        "description": "All books.",
        "author": {"name": "Ann"},
        "license": "MIT",
        "tools_generated": True,
        "server": {
            "type": "uv",
            "entry_point": "server.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "server.py"],
                "env": {name: f"${{user_config.{name.lower()}}}" for name in SERVER.settings},
            },
        },
    }
    assert settings == {
        "books_token": {"type": "string", "title": "Token", "description": "Who you are.",
                        "required": True, "sensitive": True},
        "books_url": {"type": "string", "title": "Address", "required": True,
                      "description": "Where the books are."},
        "books_shelf": {"type": "string", "title": "Shelf", "description": "One shelf.",
                        "required": False, "default": ""},
        "books_writes": {"type": "boolean", "title": "Writes", "description": "May it write?",
                         "required": False, "default": False},
    }  # fmt: skip
    assert "from books.server import main\n" in made["server.py"]
    assert "sys.argv[1:] = ['mcp', 'serve']\n" in made["server.py"]
    project = made["pyproject.toml"]
    assert f'dependencies = ["social-publishing-cli[mcp,xlsx]=={version}"]' in project
