"""Check links: the operation takes what it is given, and the response has what is given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from pipeline.lint.python_names import body_fields
from pipeline.lint.run import Rule, Run
from pipeline.openapi.documents import Pointer
from pipeline.openapi.model import Operation, Schema
from pipeline.openapi.objects import as_dict, members
from pipeline.openapi.wording import near

_EXPRESSION: Final = re.compile(
    r"\$(?:url|method|statusCode"
    r"|(?P<source>request|response)\."
    r"(?:(?P<place>header|query|path)\.(?P<name>.+)|body(?:#(?P<pointer>(?:/.*)?))?))"
)


class _Link(NamedTuple):
    """A link of a response, with the place of that and the operations that have it."""

    at: Pointer
    value: Mapping[str, Any]
    response: tuple[Pointer, Mapping[str, Any]]
    operations: list[Operation]


def _links(run: Run) -> None:
    """A link leads to an operation, and gives it what it takes of what there is."""
    for link in _all(run):
        target = _target(run, link)
        _expressions(run, link)
        if target is not None:
            _parameters(run, link, target)
            _body(run, link, target)


def _all(run: Run) -> Iterator[_Link]:
    users: dict[Pointer, list[Operation]] = {}
    for operation in run.operations:
        for status, value in as_dict(operation.value.get("responses")).items():
            at, _ = run.follow((*operation.pointer, "responses", status), value)
            users.setdefault(at, []).append(operation)
    for node in run.of("response"):
        for name, value in as_dict(node.value.get("links")).items():
            at, link = run.follow((*node.pointer, "links", name), value)
            if isinstance(link, dict):
                yield _Link(at, link, (node.pointer, node.value), users.get(node.pointer, []))


def _target(run: Run, link: _Link) -> Operation | None:
    name, reference = link.value.get("operationId"), link.value.get("operationRef")
    if isinstance(name, str):
        known = {each.title: each for each in run.operations}
        if name not in known:
            _report(run, link, f"there is no operation {name}{near(name, known)}", "operationId")
        return known.get(name)
    if isinstance(reference, str) and reference.startswith("#"):
        at = {each.pointer: each for each in run.operations}
        operation = at.get(run.target(reference) or ())
        if operation is None:
            _report(run, link, f"{reference} does not lead to an operation", "operationRef")
        return operation
    return None  # in another document, or none, which is another rule's concern


def _parameters(run: Run, link: _Link, target: Operation) -> None:
    known = {str(node.value.get("name")): str(node.value.get("in")) for node in target.parameters}
    given = as_dict(link.value.get("parameters"))
    for name in given:
        place, _, rest = name.partition(".")
        if name not in known and known.get(rest) != place:
            text = f"{name} is not a parameter of {target.title}{near(name, known)}"
            _report(run, link, text, "parameters", name)


def _body(run: Run, link: _Link, target: Operation) -> None:
    if "requestBody" not in link.value:
        return
    if "requestBody" not in target.value:
        _report(run, link, f"{target.title} takes no body", "requestBody")
        return
    fields = body_fields(run, target)
    for name in as_dict(link.value["requestBody"]):
        if fields and name not in fields:
            text = f"{name} is not a property of the body of {target.title}{near(name, fields)}"
            _report(run, link, text, "requestBody", name)


def _expressions(run: Run, link: _Link) -> None:
    for member in ("parameters", "requestBody"):
        for path, text in _texts((member,), link.value.get(member)):
            expressions = [text] if text.startswith("$") else []
            for expression in [*expressions, *re.findall(r"\{(\$[^{}]*)\}", text)]:
                problem = _problem(run, link, expression)
                if problem:
                    _report(run, link, f"{expression} {problem}", *path)


def _texts(path: Pointer, value: Any) -> Iterator[tuple[Pointer, str]]:
    """Yield the texts in a value, and where they are."""
    if isinstance(value, str):
        yield path, value
    for key, item in members(value):
        yield from _texts((*path, key), item)


def _problem(run: Run, link: _Link, expression: str) -> str | None:
    match = _EXPRESSION.fullmatch(expression)
    if match is None:
        return "is not a runtime expression"
    source, place, name = match["source"], match["place"], match["name"]
    if source == "response" and place == "header":
        known = {each.lower() for each in as_dict(link.response[1].get("headers"))}
        return None if name.lower() in known else "is not a header of the response"
    if source == "response" and place is not None:
        return "is not in a response"
    if source == "response":
        return _astray(run, run.json(*link.response), match["pointer"], "the response")
    for operation in link.operations if source else ():
        if place is None:
            sent, body = f"the request of {operation.title}", run.json(*run.request_body(operation))
            problem = _astray(run, body, match["pointer"], sent)
        elif (place, name) not in [
            (node.value.get("in"), node.value.get("name")) for node in operation.parameters
        ]:
            problem = f"is not a parameter of {operation.title}"
        else:
            problem = None
        if problem:
            return problem
    return None


def _astray(run: Run, body: Schema | None, pointer: str | None, message: str) -> str | None:
    """Return why a pointer leads to nothing in a body; None where it leads to something."""
    if body is None:
        return f"leads nowhere: {message} has no JSON body"
    schemas = [body]
    for part in (pointer or "").split("/")[1:]:
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        schemas = [inner for schema in schemas for inner in _inside(run, schema, key)]
        if not schemas:
            return f"leads nowhere: {message} has no {key} there"
    return None


def _inside(run: Run, schema: Schema, key: str) -> Iterator[Schema]:
    """Yield the schemas of what stands below a key or an index."""
    for at, part in run.applied(schema.pointer, schema.value, "anyOf", "oneOf"):
        properties = as_dict(part.get("properties"))
        if key in properties:
            yield Schema((*at, "properties", key), properties[key])
        elif isinstance(part.get("additionalProperties"), dict):
            yield Schema((*at, "additionalProperties"), part["additionalProperties"])
        if key.isdecimal() and isinstance(part.get("items"), dict):
            yield Schema((*at, "items"), part["items"])


def _report(run: Run, link: _Link, message: str, *path: str | int) -> None:
    run.report((*link.at, *path), f"link {link.at[-1]}: {message}", "link", run.house)


RULES: Final[tuple[Rule, ...]] = (_links,)
