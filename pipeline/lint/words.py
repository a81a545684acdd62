"""The use of the `x-` words in a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final
from zoneinfo import available_timezones

from pipeline.lint.run import Rule, Run
from pipeline.openapi import extensions
from pipeline.openapi.documents import Document
from pipeline.openapi.extensions import DocumentWords, problems, vocabulary
from pipeline.openapi.model import Schema, branches
from pipeline.openapi.objects import Node, as_dict, as_list
from pipeline.openapi.problems import Finding
from pipeline.openapi.wording import close, either, field, near, with_article


def _shapes(run: Run) -> None:
    """Words of ours stand where they mean something, have the right shape, and are spelt right."""
    known = vocabulary()
    for node in run.nodes:
        for key, value in as_dict(node.value).items():
            at = (*node.pointer, key)
            if key in known:
                _shape(run, node, key, value)
            elif key.startswith("x-") and (meant := close(key, known)):
                text = f"{key}: unknown word; did you mean {meant}?"
                run.report(at, text, "word", run.house)


def _shape(run: Run, node: Node, key: str, value: Any) -> None:
    kinds = vocabulary()[key]
    if kinds and node.kind not in kinds:
        here, places = with_article(node.kind), with_article(either(sorted(kinds)))
        run.report(
            (*node.pointer, key), f"{key}: is not allowed on {here}, only on {places}", "word"
        )
        return
    for path, problem in problems(key, value):
        text = f"{field((key, *path))} {problem}" if path else f"{key}: {problem}"
        run.report((*node.pointer, key, *path), text, "word")


def _sections(run: Run) -> None:
    """The section that an object comes from is among the sections of the document."""
    sections = as_dict(as_dict(run.data).get("x-sections"))
    for node in run.of(*vocabulary()["x-section"]):
        section = node.value.get("x-section")
        if sections and isinstance(section, str) and section not in sections:
            text = f"x-section: {section} is not among the x-sections of the document"
            run.report((*node.pointer, "x-section"), text, "word")


def _rate_limit(run: Run) -> None:
    """The headers of the rate limit are those of a response, and a refusal has none but these."""
    word = extensions.read(DocumentWords, as_dict(run.data)).rate_limit
    if word is None:
        return
    headers = [name for node in run.of("response") for name in as_dict(node.value.get("headers"))]
    named = {
        key: run.data["x-rate-limit"].get(key) for key in ("limit", "remaining", "reset", "wait")
    }
    for key, name in named.items():
        if name and name.lower() not in map(str.lower, headers):
            text = f"x-rate-limit: no response has a header {name}{near(name, headers)}"
            run.report(("x-rate-limit", key), text, "word")
    known = {"retry-after", *(name.lower() for name in named.values() if name)}
    for operation in run.operations:
        raw = operation.responses.get(str(word.status))
        at, response = run.follow((*operation.pointer, "responses", str(word.status)), raw)
        own = {name.lower(): name for name in as_dict(as_dict(response).get("headers"))}
        if word.wait.lower() not in own:
            for name in sorted(own.keys() - known):
                text = (
                    f"nothing reads the header {own[name]}: if it says how long to wait,"
                    f" `x-rate-limit: {{wait: {own[name]}}}` makes the client wait as long"
                )
                run.report((*at, "headers", own[name]), text, "word", "note")
            known |= own.keys()  # once, however many operations have it


def rate_limits(documents: Iterable[Document]) -> Iterator[Finding]:
    """Yield the rate limits of documents that differ from the first: all share one token."""
    first: tuple[Document, Any] | None = None
    for document in documents:
        word = as_dict(document.data).get("x-rate-limit")
        first = first or (word and (document, word))
        if word and first and word != first[1]:
            text = (
                f"x-rate-limit: differs from that of {first[0].name}: all documents share one rate,"
                " so an overlay that changes it is written for each of them"
            )
            yield Finding(text, document.at(("x-rate-limit",)), "word")


def _date_times(run: Run) -> None:
    """A date-time in a format of its own is a string; only such a one has a zone, which exists."""
    for node in run.of("schema"):
        written = "x-datetime-format" in node.value
        if written and run.types(node.pointer, node.value) - {"null"} != {"string"}:
            _report(run, node, "x-datetime-format", "needs type: string")
        if "x-timezone" in node.value and not written:
            _report(run, node, "x-timezone", "needs x-datetime-format")
        zone = node.value.get("x-timezone")
        if not isinstance(zone, str) or any(problems("x-timezone", zone)):
            continue
        if (zones := _zones()) and zone not in zones:
            text = f"there is no zone {zone}{near(zone, sorted(zones))}"
            _report(run, node, "x-timezone", text)


@cache
def _zones() -> set[str]:
    """Return the zones that this machine knows; to list them opens hundreds of files."""
    return available_timezones()


def _booleans(run: Run) -> None:
    """Only a flag of a request line or a header has texts of its own."""
    for node in run.of("schema"):
        if "x-boolean-format" not in node.value:
            continue
        if run.types(node.pointer, node.value) - {"null"} != {"boolean"}:
            _report(run, node, "x-boolean-format", "needs type: boolean")
        elif "parameters" not in node.pointer:
            _report(run, node, "x-boolean-format", "belongs to the schema of a parameter")


def _units(run: Run) -> None:
    """A number alone has a unit, and an object has it in a property, where readers look for it."""
    for node in run.of("schema"):
        if "x-unit" not in node.value:
            continue
        if not run.types(node.pointer, node.value) & {"integer", "number"}:
            _report(run, node, "x-unit", "needs type: integer or number")
        elif node.pointer[-2:-1] != ("properties",):
            _report(run, node, "x-unit", "belongs to a property of a schema")


def _open_sets(run: Run) -> None:
    """The values of an open set have the type of their schema, and no closed set beside them."""
    for node in run.of("schema"):
        codes = node.value.get("x-extensible-enum")
        if "x-extensible-enum" in node.value and "enum" in node.value:
            _report(run, node, "x-extensible-enum", "conflicts with enum, which closes the set")
        elif codes and not any(problems("x-extensible-enum", codes)):
            kinds = run.types(node.pointer, node.value)
            if kinds and ("string" if isinstance(codes[0], str) else "integer") not in kinds:
                text = f"has values that are not of type {either(sorted(kinds))}"
                _report(run, node, "x-extensible-enum", text)


def _keyed_by(run: Run) -> None:
    """Check that what is keyed by a property is a list or a map of objects that have it."""
    for node in run.of("schema"):
        wire = node.value.get("x-keyed-by")
        if not isinstance(wire, str):
            continue
        cases = [Schema(*each) for each in branches(node.pointer, node.value)]
        listed = [items for each in cases if (items := run.items(each))]
        if not listed or not any(run.items(each, "additionalProperties") for each in cases):
            text = "belongs on an anyOf of an array and a map of the same objects"
            _report(run, node, "x-keyed-by", text)
        elif wire not in run.members(listed[0]):
            text = f"nothing in this array or map has a property {wire}"
            _report(run, node, "x-keyed-by", text)


def _error_fields(run: Run) -> None:
    """Only a property fills an attribute of an exception."""
    for node in run.of("schema"):
        is_property = node.pointer[-2:-1] == ("properties",)
        if isinstance(node.value.get("x-error-field"), str) and not is_property:
            _report(run, node, "x-error-field", "is allowed only on a property")


def _report(run: Run, node: Node, key: str, message: str) -> None:
    run.report((*node.pointer, key), f"{key}: {message}", "word")


def _windows(run: Run) -> None:
    """An operation with a window has one parameter for each end of it, and no other has ends."""
    for operation in run.operations:
        ends = [node for node in operation.parameters if "x-window" in node.value]
        if "x-window-under-days" in operation.value:
            sides = [node.value["x-window"] for node in ends]
            for end in ("start", "end"):
                if sides.count(end) != 1:
                    text = f"x-window-under-days: needs one parameter with x-window: {end}"
                    run.report((*operation.pointer, "x-window-under-days"), text, "word")
        elif ends:
            text = f"x-window: {operation.title} has no x-window-under-days"
            run.report((*ends[0].pointer, "x-window"), text, "word")


def _required_any(run: Run) -> None:
    """Parameters of which one must be given exist."""
    for operation in run.operations:
        names = as_list(operation.value.get("x-required-any"))
        known = [str(node.value.get("name")) for node in operation.parameters]
        for index, name in enumerate(names):
            if isinstance(name, str) and name not in known:
                text = f"x-required-any: {name} is not a parameter of {operation.title}"
                at = (*operation.pointer, "x-required-any", index)
                run.report(at, f"{text}{near(name, known)}", "word")


RULES: Final[tuple[Rule, ...]] = (
    _shapes,
    _sections,
    _rate_limit,
    _date_times,
    _booleans,
    _units,
    _open_sets,
    _keyed_by,
    _error_fields,
    _windows,
    _required_any,
)
