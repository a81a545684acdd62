"""The use of the `x-` words in a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pipeline.lint.nodes import Node, as_dict, as_list
from pipeline.lint.run import Rule, Run
from pipeline.lint.vocabulary import WORDS, is_codes, meant
from pipeline.lint.wording import either, near, with_article
from pipeline.openapi.documents import Pointer


def _vocabulary(run: Run) -> None:
    """Words of ours stand where they mean something, have the right shape, and are spelt right."""
    for node in run.nodes:
        for key, value in as_dict(node.value).items():
            if key.startswith("x-"):
                _word(run, node, key, value)


def _word(run: Run, node: Node, key: str, value: Any) -> None:
    at, word = (*node.pointer, key), WORDS.get(key)
    if word is None:
        known = meant(key)
        if known:
            text = f"{key}: not a word that is known; {known} was meant?"
            run.say(at, text, "word", run.house)
    elif word.kinds is not None and node.kind not in word.kinds:
        here, places = with_article(node.kind), with_article(either(sorted(word.kinds)))
        run.say(at, f"{key}: has no meaning on {here}, only on {places}", "word")
    elif not word.fits(value):
        run.say(at, f"{key}: {word.must}", "word")


def _parts(run: Run) -> None:
    """The part that an object comes from is among the parts of the document."""
    parts, word = as_dict(as_dict(run.data).get("x-sections")), WORDS["x-section"]
    for node in run.of(*(word.kinds or ())):
        part = node.value.get("x-section")
        if parts and word.fits(part) and part not in parts:
            text = f"x-section: {part} is not among the x-sections of the document"
            run.say((*node.pointer, "x-section"), text, "word")


def _date_times(run: Run) -> None:
    """A date-time in a format of its own is a string, and only such a one has a zone."""
    for node in run.of("schema"):
        written = "x-datetime-format" in node.value
        if written and run.types(node.pointer, node.value) - {"null"} != {"string"}:
            _wrong(run, node, "x-datetime-format", "needs type: string beside it")
        if "x-timezone" in node.value and not written:
            _wrong(run, node, "x-timezone", "needs x-datetime-format beside it")


def _open_sets(run: Run) -> None:
    """The values of an open set have the type of their schema, and no closed set beside them."""
    for node in run.of("schema"):
        codes = node.value.get("x-extensible-enum")
        if "x-extensible-enum" in node.value and "enum" in node.value:
            _wrong(run, node, "x-extensible-enum", "stands beside enum, which closes the set")
        elif is_codes(codes):
            kinds = run.types(node.pointer, node.value)
            if kinds and ("string" if isinstance(codes[0], str) else "integer") not in kinds:
                text = f"has values that are not of type {either(sorted(kinds))}"
                _wrong(run, node, "x-extensible-enum", text)


def _keyed_by(run: Run) -> None:
    """What is keyed by a property is an array or a map of objects that have it."""
    for node in run.of("schema"):
        field = node.value.get("x-keyed-by")
        if isinstance(field, str) and not any(
            field in run.properties(*item) for item in _items(run, node.pointer, node.value)
        ):
            text = f"nothing in this array or map has a property {field}"
            _wrong(run, node, "x-keyed-by", text)


def _items(run: Run, pointer: Pointer, schema: Any) -> Iterator[tuple[Pointer, Any]]:
    """Yield the schemas of what an array or a map holds, in any of a schema's alternatives."""
    for at, part in run.applied(pointer, schema, "anyOf", "oneOf"):
        for key in ("items", "additionalProperties"):
            if isinstance(part.get(key), dict):
                yield (*at, key), part[key]


def _error_fields(run: Run) -> None:
    """Only a property fills an attribute of an exception."""
    for node in run.of("schema"):
        is_property = node.pointer[-2:-1] == ("properties",)
        if isinstance(node.value.get("x-error-field"), str) and not is_property:
            _wrong(run, node, "x-error-field", "has a meaning only on a property")


def _wrong(run: Run, node: Node, key: str, message: str) -> None:
    run.say((*node.pointer, key), f"{key}: {message}", "word")


def _windows(run: Run) -> None:
    """An operation with a window has one parameter for each end of it, and no other has ends."""
    for operation in run.operations:
        ends = [node for node in operation.parameters if "x-window" in node.value]
        if "x-window-under-days" in operation.value:
            found = [node.value["x-window"] for node in ends]
            for end in ("start", "end"):
                if found.count(end) != 1:
                    text = f"x-window-under-days: needs one parameter with x-window: {end}"
                    run.say((*operation.pointer, "x-window-under-days"), text, "word")
        elif ends:
            text = f"x-window: {operation.title} has no x-window-under-days"
            run.say((*ends[0].pointer, "x-window"), text, "word")


def _required_any(run: Run) -> None:
    """Parameters of which one must be given exist."""
    for operation in run.operations:
        names = as_list(operation.value.get("x-required-any"))
        known = [str(node.value.get("name")) for node in operation.parameters]
        for index, name in enumerate(names):
            if isinstance(name, str) and name not in known:
                text = f"x-required-any: {name} is not a parameter of {operation.title}"
                at = (*operation.pointer, "x-required-any", index)
                run.say(at, f"{text}{near(name, known)}", "word")


RULES: Final[tuple[Rule, ...]] = (
    _vocabulary,
    _parts,
    _date_times,
    _open_sets,
    _keyed_by,
    _error_fields,
    _windows,
    _required_any,
)
