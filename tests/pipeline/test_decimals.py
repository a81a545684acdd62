"""Formats that the configuration reads as exact decimal numbers, in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from generate_support import call, on_path, operation, operations, project, python_of, write_package

from pipeline.config import load_config
from pipeline.steps import generate

NUMBER = {"type": "number", "format": "decimal"}
TEXT = {"type": "string", "format": "decimal"}
PRICE = {
    "type": "object",
    "required": ["amount", "text"],
    "properties": {
        "amount": {**NUMBER, "minimum": 0.1, "multipleOf": 0.01, "example": 12.5},
        "text": {**TEXT, "pattern": r"^\d+\.\d\d$", "example": "3.10"},
        "list": {"type": ["array", "null"], "items": NUMBER},
        "either": {**NUMBER, "type": ["number", "string"]},
        "mixed": {"anyOf": [NUMBER, {"type": "string"}]},
    },
}
BRANCHES = [
    {"type": "object", "title": kind, "properties": {"kind": {"const": kind}, "n": each}}
    for kind, each in (("a", NUMBER), ("b", TEXT))
]
DIGITS = "1234567890123456789012345678901.10"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, dict[str, str]]]:
    folder = tmp_path_factory.mktemp("decimals")
    above = {"name": "above", "in": "query", "schema": NUMBER}
    paths = {
        "/p": {
            "get": operation("readP", answer=PRICE, parameters=[above]),
            "put": operation("putP", answer=PRICE, body=PRICE),
        },
        "/u": {"get": operation("readU", answer={"oneOf": BRANCHES})},
    }
    files, _ = generate(replace(project(folder, operations(paths)), decimals=("decimal",)))
    write_package(files, folder)
    with on_path(folder, "sample"):
        yield import_module("sample"), files


@pytest.mark.parametrize("drift", ["ignore", "raise"])
def test_every_digit_is_read_and_kept(made: tuple[Any, Any], drift: str) -> None:
    text = f'{{"amount":{DIGITS},"text":"3.10","list":[1.10],"either":0.10,"mixed":7.50}}'
    found, request = call(made[0], text, "read_p", {"drift": drift}, above=Decimal("1E+2"))
    assert request.url.query == b"above=100"
    assert (found.amount, found.text) == (Decimal(DIGITS), Decimal("3.10"))
    assert [str(each) for each in (*found.list_, found.either, found.mixed)] == [
        "1.10", "0.10", "7.50"
    ]  # fmt: skip
    assert found.to_json().decode() == text
    found.amount, found.text = Decimal("2.0"), Decimal("4.00")
    assert found.to_json().startswith(b'{"amount":2.0,"text":"4.00",')
    for form in (DIGITS, f'"{DIGITS}"'):
        one = call(made[0], f'{{"kind":"a","n":{form}}}', "read_u")[0]
        assert str(one.n) == DIGITS


def test_another_form_is_read_and_is_drift(made: tuple[Any, Any]) -> None:
    text = '{"amount": "12.50", "text": 3.10, "list": [true]}'
    found = call(made[0], text, "read_p")[0]
    assert (str(found.amount), str(found.text), found.list_) == ("12.50", "3.10", [True])
    with pytest.raises(made[0].DriftError):
        call(made[0], text, "read_p", {"drift": "raise"})
    assert call(made[0], '{"amount": 1, "text": "abc"}', "read_p")[0].text is None


def test_what_is_sent_is_exact_and_checked(made: tuple[Any, Any]) -> None:
    reply = '{"amount":1,"text":"1.00"}'
    numbers = {"either": Decimal("1.5"), "mixed": "2.50", "list_": None}
    given = {"amount": Decimal("5.00"), "text": Decimal("3.10"), **numbers}
    body = call(made[0], reply, "put_p", **given)[1].content
    assert body == b'{"amount":5.00,"text":"3.10","list":null,"either":1.5,"mixed":"2.50"}'
    for amount, text, reason in (
        (Decimal("0.05"), Decimal("3.1"), r"amount: must be at least 0.1.*text: '3.1' does not"),
        (Decimal("0.105"), 3, "amount: must be a multiple of 0.01.*text: '3' does not fit"),
        (
            1.5,
            "3.10",
            r"amount: expected a Decimal, got float 1.5; did you mean Decimal\('1.5'\)\?; text: "
            "expected a Decimal, got str",
        ),
        (Decimal("NaN"), Decimal("1E+999999"), "amount: .*cannot be written.*text: .*cannot be"),
    ):
        with pytest.raises(made[0].ArgumentError, match=reason):
            call(made[0], reply, "put_p", amount=amount, text=text)


def test_only_named_formats_are_decimals_and_examples_show_them(
    made: tuple[Any, dict[str, str]], tmp_path: Path
) -> None:
    resource = python_of(made[1], "resources/things.py")
    assert 'amount=Decimal("12.5"), text=Decimal("3.10")' in resource
    files, _ = generate(project(tmp_path, operations({"/p": {"get": operation(answer=PRICE)}})))
    assert "Decimal" not in python_of(files, "models/things.py")
    table = '[tool.pipeline]\ndecimals = ["decimal"]\noutput = "o"\n[tool.pipeline.documents.d]\n'
    client = 'path = "d.yaml"\n[tool.pipeline.client]\nversion = "1.0"\nsummary = ""\n'
    names = 'distribution = "a"\npackage = "a"\nclass_name = "A"\nenvironment = "A"\nlicense = ""\n'
    (tmp_path / "pyproject.toml").write_text(table + client + names, encoding="utf-8")
    assert load_config(tmp_path / "pyproject.toml").decimals == ("decimal",)
