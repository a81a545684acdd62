"""What the sandbox takes from its documents, and from others with the same operations."""

from __future__ import annotations

import copy
import itertools
import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.state import documents as contract
from social_publishing_sandbox.state.documents import Document

DATA = json.loads((contract.FOLDER / "main.json").read_text("utf-8"))


def document(change: Any) -> Document:
    data = copy.deepcopy(DATA)
    change(data)
    return Document("main", data)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", r"main\.json: is not JSON: .*line 1"),
        ("[" * 100_000, r"main\.json: is not JSON"),
        ("[]", r"main\.json: is not an OpenAPI document: it must be an object"),
        ('{"paths": {}}', r"main\.json: is not an OpenAPI document: it has no info"),
    ],
)
def test_what_is_no_document_is_named(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "main.json").write_text(text, "utf-8")
    (tmp_path / "media.json").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=reason):
        contract.load(tmp_path)


def test_documents_that_change_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In their folder, and where another folder has the same relative path."""

    def titled(folder: Path, title: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        brought(folder, put("info", "title", value=title))

    for place, title in (("a", "one"), ("a", "edited"), ("b", "two")):
        titled(tmp_path / place / "documents", title)
        monkeypatch.chdir(tmp_path / place)
        made = contract.load(Path("documents"))
        assert made.main.data["info"]["title"] == title
        assert contract.load(tmp_path / place / "documents").digest == made.digest
        assert contract.load(Path("documents")) is made, "the same is taken apart once"


# Documents that somebody brings

Change = Callable[[Any], Any]
SCHEMAS = "components", "schemas"
JSON = "application/json", "schema"


def brought(folder: Path, *changes: Change, of: str = "main") -> contract.Contract:
    """The contract with one of the shipped documents changed."""
    for name in ("main", "media"):
        data = copy.deepcopy(getattr(contract.load(), name).data)
        for change in changes if name == of else ():
            change(data)
        (folder / f"{name}.json").write_text(json.dumps(data), "utf-8")
    return contract.load(folder)


def without(*path: str) -> Change:
    return put(*path, value=None)


def put(*path: Any, value: Any) -> Change:
    """A change that puts a value in a place; None takes out what is there."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        if value is None:
            del data[path[-1]]
        else:
            data[path[-1]] = value

    return change


OPENAPI = r"main\.json: is not an OpenAPI document: "


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (without("components"), f"{OPENAPI}it has no components"),
        (without("info"), f"{OPENAPI}it has no info"),
        (put("servers", value=[{}]), rf"{OPENAPI}servers\.0: it has no url"),
        (put("paths", "/labels", value=[]), rf"{OPENAPI}paths\./labels: it must be an object"),
        (
            without("paths", "/labels", "post", "responses"),
            rf"{OPENAPI}paths\./labels\.post: it has no responses",
        ),
        (
            put("paths", "/posts", "get", "parameters", 0, value={"name": "x", "in": "query"}),
            rf"{OPENAPI}paths\./posts\.get\.parameters\.0: it has no schema",
        ),
        (
            without(*SCHEMAS, "PostStatus", "x-enum-varnames"),
            r"components\.schemas\.PostStatus: x-enum-varnames is missing",
        ),
        (
            put(*SCHEMAS, "PostStatus", "x-enum-varnames", 1, value="DRAFTY"),
            r"components\.schemas\.PostStatus: it has no DRAFT, to which the sandbox moves",
        ),
        *(
            (
                put(*SCHEMAS, name, "enum", 1, value=new),
                rf"components\.schemas\.{name}: {of} is {new!r}, and {old!r} in the worlds of",
            )
            for name, of, old, new in (
                ("PostStatus", "DRAFT", 5, 6),
                ("MediaType", "VIDEO", 2, 9),
                ("Network", "LINKEDIN", "linkedin", "work"),
            )
        ),
        *(
            (
                put(*SCHEMAS, "GroupType", "x-enum-varnames", value=[*names]),
                rf"components\.schemas\.GroupType: \d codes, and {len(names)} names",
            )
            for names in ("", "A", "ABCDEFGHIJ")
        ),
        *(
            (
                put(*SCHEMAS, "Label", *path, value=value),
                r"components\.schemas\.Label: cannot be us",
            )
            for path, value in (
                (("type",), "thing"),
                (("properties", "name"), {"minLength": "2"}),
                (("properties", "id", "pattern"), "["),
            )
        ),
        *(
            (
                put(*path, value={"type": "thing"}),
                rf"main\.json: {re.escape('.'.join(path))}: cannot be used: \"thing\" is not",
            )
            for path in (
                ("paths", "/labels", "post", "requestBody", "content", *JSON),
                ("components", "responses", "ValidationError", "content", *JSON),
            )
        ),
        (
            put(
                *("components", "responses", "exampleOfMine"),
                value={"content": {JSON[0]: {"schema": {"type": "thing"}}}},
            ),
            r"components\.responses\.exampleOfMine\.content\.application/json\.schema: cannot be ",
        ),
        (
            put("paths", "/posts", "get", "parameters", 0, "schema", value={"pattern": "["}),
            r"paths\./posts\.get\.parameters\.0\.schema: cannot be used: ",
        ),
        (
            without("x-assume", "weightedLength", "weight"),
            r"x-assume\.weightedLength\.weight: is missing",
        ),
        *(
            (put("x-rate-limit", each, value=wrong), rf"{OPENAPI}x-rate-limit\.{each}: it must")
            for each, *values in (
                ("requests", "60", 0, 1.5),
                ("seconds", "60", 0, -1),
                *((each, 5, "", "a b", "a:") for each in ("limit", "remaining", "reset", "wait")),
                ("status", "429", 399, 600),
                *((each, "other", 1) for each in ("format", "counts", "begins")),
            )
            for wrong in values
        ),
        (put("x-rate-limit", value=[60]), rf"{OPENAPI}x-rate-limit: it must be an object"),
        (
            put("x-assume", "weightedLength", "emojis", value="["),
            r"x-assume\.weightedLength\.emojis: is no regular expression: unterminated",
        ),
        (
            put("x-assume", "networks", "treads", value={"limits": {}}),
            r"x-assume\.networks\.treads: is not known here; did you mean",
        ),
        (
            put("x-assume", "transitions", 0, "to", value="GONE"),
            r"x-assume\.transitions\.0\.to: must be one of .*DRAFT",
        ),
        (
            put("x-assume", "perPage", "defualt", value=0),
            r"x-assume\.perPage\.defualt: is not known here; did you mean",
        ),
    ],
)
def test_what_a_document_lacks_is_named(tmp_path: Path, change: Change, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        brought(tmp_path, change)
    assert str(caught.value).startswith(f"{tmp_path / 'main.json'}: ")
    assert "\n" not in str(caught.value)


def test_assumptions_that_are_missing_are_the_shipped_ones(tmp_path: Path) -> None:
    shipped, few = contract.load(), {"listOrder": "oldest first"}
    found = brought(tmp_path, put("x-assume", value=few))
    assert found.main.assume == {**shipped.main.assume, **few}
    digests = {shipped.digest, found.digest}
    for of in ("main", "media"):
        (tmp_path / of).mkdir()
        found = brought(tmp_path / of, without("x-assume"), of=of)
        assert [each.assume for each in found.documents] == [
            each.assume for each in shipped.documents
        ]
        digests.add(found.digest)
    assert shipped.documents == (shipped.main, shipped.media) and len(digests) == 4


@given(random=st.randoms(use_true_random=False))
@settings(max_examples=8)
def test_whatever_is_taken_out_of_a_document_is_served_or_named(random: Random) -> None:
    """One error, whatever is missing; and what is served can be made a sandbox of."""
    name = random.choice(["main", "media"])

    def change(data: Any) -> None:
        node = data
        for depth in itertools.count():
            key = random.choice(list(node) if isinstance(node, dict) else list(range(len(node))))
            below = node[key]
            if not isinstance(below, dict | list) or not below or (depth and random.random() < 0.2):
                del node[key]
                return
            node = below

    with tempfile.TemporaryDirectory() as folder:
        try:
            brought(Path(folder), change, of=name)
            served = Sandbox(TINY, clock="frozen", documents=folder)
        except ValueError as error:
            assert f"{name}.json: " in str(error)
            assert "cannot be read as a document" not in str(error)
        else:
            with served:
                assert served.token == "secret"


TINY = {"format": 1, "users": [{"token": "secret", "name": "Ada", "role": "owner"}]}
