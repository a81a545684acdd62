"""The measure of what was reached: a document of which every goal is known."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from harness.coverage import Reason, Tally, summary
from harness.coverage_goals import Unmeasured
from tests.support.documents import Document, Operation, Values

FLAG = {"type": "boolean"}
TINY: dict[str, Any] = {
    "servers": [{"url": "https://tiny.invalid/v1"}],
    "paths": {
        "/books/{book}": {
            "put": {
                "operationId": "putBook",
                "tags": ["Books"],
                "x-required-any": ["page", "mark"],
                "parameters": [
                    {
                        "name": "book",
                        "in": "path",
                        "required": True,
                        "schema": {"$ref": "#/components/schemas/Id"},
                    },
                    {"name": "page", "in": "query", "schema": {"type": "integer", "minimum": 1}},
                    {
                        "name": "mark",
                        "in": "query",
                        "schema": {
                            "type": "array",
                            "items": {"enum": ["a", "b"], "type": "string"},
                        },
                    },
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Book"}}
                    },
                },
                "responses": {
                    "200": {
                        "headers": {"X-Left": {"schema": {"type": "integer"}}},
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Book"}}
                        },
                    },
                    "default": {"description": "Anything else."},
                },
            }
        }
    },
    "components": {
        "schemas": {
            "Id": {"type": "string", "pattern": "^[0-9]{1,4}$"},
            "Book": {
                "type": "object",
                "required": ["title"],
                "properties": {
                    "title": {"type": "string", "maxLength": 5},
                    "lent": {"anyOf": [FLAG, {"type": "null"}]},
                    "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Book"}},
                },
            },
        }
    },
}
EXPECTED = {
    "operations": ["putBook: sent"],
    "statuses": [
        "putBook 200: answered",
        "putBook 200: X-Left",
        "putBook 200 body: given",
        "putBook default: answered",
    ],
    "parameters": [
        "putBook path.book: given",
        "putBook query.page: given",
        "putBook query.page: left out",
        "putBook query.mark: given",
        "putBook query.mark: left out",
    ],
    "body properties": [
        "putBook body.title: given",
        "putBook body.lent: given",
        "putBook body.lent: left out",
        "putBook body.lent: null",
        "putBook body.parts: given",
        "putBook body.parts: left out",
        # The book in a book: a component, met once however deep.
        "Book.title (sent): given",
        "Book.lent (sent): given",
        "Book.lent (sent): left out",
        "Book.lent (sent): null",
        "Book.parts (sent): given",
        "Book.parts (sent): left out",
    ],
    "response properties": [
        "Book.title (read): given",
        "Book.lent (read): given",
        "Book.lent (read): left out",
        "Book.lent (read): null",
        "Book.parts (read): given",
        "Book.parts (read): left out",
        "Book.parts (read): null",
    ],
    "values": [
        "putBook path.book: 1 characters",
        "putBook path.book: 4 characters",
        "putBook path.book: 0 characters, refused",
        "putBook path.book: 5 characters, refused",
        "putBook path.book: another form, refused",
        "putBook path.book: another type, refused",
        "putBook path.book: null, refused",
        "putBook query.page: 1",
        "putBook query.page: 0, refused",
        "putBook query.page: another type, refused",
        "putBook query.page: null, refused",
        "putBook query.mark: 0 items",
        "putBook query.mark: more items",
        "putBook query.mark: another type, refused",
        "putBook query.mark: null, refused",
        "putBook query.mark[]: 'a'",
        "putBook query.mark[]: 'b'",
        "putBook query.mark[]: an unknown value, refused",
        "putBook query.mark[]: another type, refused",
        "putBook query.mark[]: null, refused",
        "putBook: page alone",
        "putBook: mark alone",
        "putBook: none of page, mark, refused",
        *(
            f"{place}: {what}"
            for place, end in (("putBook body", ""), ("Book", " (sent)"))
            for place, what in (
                (f"{place}.title{end}", "0 characters"),
                (f"{place}.title{end}", "5 characters"),
                (f"{place}.title{end}", "6 characters, refused"),
                (f"{place}.title{end}", "another type, refused"),
                (f"{place}.title{end}", "null, refused"),
                (f"{place}.lent{end}", "true"),
                (f"{place}.lent{end}", "false"),
                (f"{place}.lent{end}", "another type, refused"),
                (f"{place}.parts{end}", "0 items"),
                (f"{place}.parts{end}", "more items"),
                (f"{place}.parts{end}", "another type, refused"),
                (f"{place}.parts{end}", "null, refused"),
                (f"{place}.parts{end}[]", "another type, refused"),
                (f"{place}.parts{end}[]", "null, refused"),
            )
        ),
        "Book.title (read): 0 characters",
        "Book.title (read): more characters",
        "Book.lent (read): true",
        "Book.lent (read): false",
        "Book.parts (read): 0 items",
        "Book.parts (read): more items",
    ],
}
BOOK = {"title": "abcde", "lent": None, "parts": []}


@pytest.fixture
def tally() -> Tally:
    return Tally(Document("tiny", TINY))


@pytest.fixture
def operation() -> Operation:
    return Document("tiny", TINY).operations["putBook"]


def _shown(tally: Tally) -> set[str]:
    return {str(goal).removeprefix("tiny: ") for goal, count in tally.counts.items() if count}


def test_the_goals_are_all_that_the_document_says(tally: Tally) -> None:
    found: dict[str, list[str]] = {}
    for goal in tally.counts:
        found.setdefault(goal.column, []).append(str(goal).removeprefix("tiny: "))
    for column, expected in EXPECTED.items():
        assert Counter(found[column]) == Counter(expected), column
    assert set(found) == set(EXPECTED)


def test_a_request_that_was_sent_shows_what_is_in_it_and_what_is_not(
    tally: Tally, operation: Operation
) -> None:
    inner = {"title": "", "lent": True}
    values: Values = {
        "path.book": "1234",
        "query.mark": ["a", "b"],
        "body.title": "abcde",
        "body.lent": None,
        "body.parts": [inner, inner],
    }
    tally.sent(operation, values)
    assert _shown(tally) == {
        "putBook: sent",
        "putBook: mark alone",
        "putBook path.book: given",
        "putBook path.book: 4 characters",
        "putBook query.page: left out",
        "putBook query.mark: given",
        "putBook query.mark: more items",
        "putBook query.mark[]: 'a'",
        "putBook query.mark[]: 'b'",
        "putBook body.title: given",
        "putBook body.title: 5 characters",
        "putBook body.lent: given",
        "putBook body.lent: null",
        "putBook body.parts: given",
        "putBook body.parts: more items",
        "Book.title (sent): given",
        "Book.title (sent): 0 characters",
        "Book.lent (sent): given",
        "Book.lent (sent): true",
        "Book.parts (sent): left out",
    }


USUAL = {"path.book": "1", "query.page": 1, "body.title": "a"}


@pytest.mark.parametrize(
    ("changed", "shown"),
    [
        ({"path.book": "12345"}, ["path.book: 5 characters", "path.book: another form"]),
        ({"path.book": "x"}, ["path.book: another form"]),
        ({"path.book": 1}, ["path.book: another type"]),
        ({"path.book": None}, ["path.book: null"]),
        ({"query.page": 0}, ["query.page: 0"]),
        ({"query.page": -3}, []),
        ({"query.page": "1"}, ["query.page: another type"]),
        ({"query.page": True}, ["query.page: another type"]),
        ({"query.mark": ["a", "c"]}, ["query.mark[]: an unknown value"]),
        ({"body.title": "abcdef"}, ["body.title: 6 characters"]),
        ({"body.title": "abcdefg"}, []),
        ({"body.lent": "yes"}, ["body.lent: another type"]),
        ({"body.parts": [{"title": "abcdef"}]}, ["Book.title (sent): 6 characters"]),
        ({"body.parts": [7]}, ["body.parts[]: another type"]),
    ],
)
def test_a_request_that_was_refused_shows_the_one_thing_that_is_wrong(
    tally: Tally, operation: Operation, changed: Values, shown: list[str]
) -> None:
    tally.refused(operation, {**USUAL, **changed})
    assert {each.removeprefix("putBook ") for each in _shown(tally)} == {
        f"{each}, refused" for each in shown
    }


def test_of_two_wrong_things_nobody_knows_which_was_refused(
    tally: Tally, operation: Operation
) -> None:
    tally.refused(operation, {**USUAL, "query.page": 0, "body.title": "abcdef"})
    assert _shown(tally) == set()


def test_a_rule_is_broken_where_all_values_are_right(tally: Tally, operation: Operation) -> None:
    tally.refused(operation, {"path.book": "1", "body.title": "a"})
    assert _shown(tally) == {"putBook: none of page, mark, refused"}


def test_a_response_shows_its_status_header_fields_and_body(
    tally: Tally, operation: Operation
) -> None:
    tally.received(operation, 200, {**BOOK, "parts": [{"title": ""}]}, {"x-left": "7"})
    assert _shown(tally) == {
        "putBook 200: answered",
        "putBook 200: X-Left",
        "putBook 200 body: given",
        "Book.title (read): given",
        "Book.title (read): 0 characters",
        "Book.title (read): more characters",
        "Book.lent (read): given",
        "Book.lent (read): null",
        "Book.lent (read): left out",
        "Book.parts (read): given",
        "Book.parts (read): left out",
    }


def test_another_status_is_one_of_the_rest(tally: Tally, operation: Operation) -> None:
    tally.received(operation, 418, None, {})
    assert _shown(tally) == {"putBook default: answered"}


def test_what_was_never_made_is_missing(tally: Tally, operation: Operation) -> None:
    """As though the generator never gave null."""
    for lent in (True, False):
        tally.received(operation, 200, {**BOOK, "lent": lent}, {})
    missing = {str(goal) for goal in tally.missing()}
    assert "tiny: Book.lent (read): null" in missing
    tally.received(operation, 200, BOOK, {})
    assert {str(goal) for goal in tally.missing()} == missing - {"tiny: Book.lent (read): null"}


def test_what_cannot_be_measured_is_no_zero() -> None:
    schema = {"type": "string", "contentEncoding": "base64"}
    book = {"type": "object", "properties": {"title": schema}}
    odd = {**TINY, "components": {"schemas": {"Id": {"type": "string"}, "Book": book}}}
    with pytest.raises(Unmeasured, match=r"title: nothing measures contentEncoding"):
        Tally(Document("odd", odd))


def test_a_reason_excuses_what_it_names_and_nothing_else(tally: Tally) -> None:
    reasons = [Reason(r"body\.parts", "there are no parts here"), Reason("nowhere", "stale")]
    found = summary([tally], reasons)
    assert sum("there are no parts here" in line for line in found.reasons) == 8
    assert "not reached: tiny: putBook: sent" in found.failures
    assert not any("body.parts" in line for line in found.failures)
    assert "no reason any more, all is reached: nowhere" in found.failures


# The end of a run

CONFTEST = """
    from pathlib import Path
    from tests.support.documents import Document
    from harness.coverage import Measuring
    from test_contract_coverage import TINY

    DOCUMENT = Document("tiny", TINY)

    def asked(item):
        return item.path.name != "test_live.py"

    def pytest_configure(config):
        measuring = Measuring(Path(__file__).parent, [DOCUMENT], asked, [])
        config.pluginmanager.register(measuring)

    def pytest_collection_modifyitems(config, items):
        config.hook.pytest_deselected(items=[each for each in items if not asked(each)])
        items[:] = filter(asked, items)
"""
TESTS = """
    from conftest import DOCUMENT
    from harness import coverage

    def test_one():
        operation = DOCUMENT.operations["putBook"]
        coverage.sent(operation, {"path.book": "1", "query.page": 1, "body.title": "a"})

    def test_other():
        pass
"""


needs_xdist = pytest.mark.skipif(not find_spec("xdist"), reason="pytest-xdist is not installed")


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        ([], 1, "not reached: tiny: putBook query.page: left out"),
        (["-k", "one"], 0, "1 passed"),
        (["test_some.py::test_one", "test_more.py", "test_live.py"], 0, "2 passed"),
        (
            ["-v", "test_some.py", "test_live.py"],
            0,
            "not reached: tiny: putBook query.page: left out",
        ),
        (["-v", "test_some.py"], 0, "Not all contract tests have passed: this is no verdict."),
        pytest.param(
            ["-n", "2"], 1, "not reached: tiny: putBook query.page: left out", marks=needs_xdist
        ),
        pytest.param(["-n", "2", "-k", "one"], 0, "1 passed", marks=needs_xdist),
    ],
)
def test_a_whole_run_fails_where_something_is_missing(
    tmp_path: Path, arguments: list[str], status: int, told: str
) -> None:
    done = _run(tmp_path, arguments)
    assert (done.returncode, told in done.stdout) == (status, True), done.stdout + done.stderr
    assert "not reached: tiny: putBook: sent" not in done.stdout
    if status == 0 and "-v" not in arguments:
        assert "not reached" not in done.stdout


def _run(folder: Path, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text(textwrap.dedent(CONFTEST))
    (folder / "test_some.py").write_text(textwrap.dedent(TESTS))
    for name in ("test_more.py", "test_live.py"):
        (folder / name).write_text("def test_more(): pass\n")
    path = [str(Path(__file__).parent), *sys.path]
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:schemathesis",
            "--rootdir",
            folder,
            *arguments,
        ],
        cwd=folder,
        env={"PYTHONPATH": ":".join(path), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
    )
