"""Check requests and responses against the documents; problems are sentences for people."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.cookies import SimpleCookie
from typing import Any, Final
from urllib.parse import parse_qs

from social_publishing_sandbox.compiled import jsonschema_rs, orjson
from social_publishing_sandbox.state import ids
from social_publishing_sandbox.state.documents import Document, Json, Operation, Parameter, Schemas
from social_publishing_sandbox.state.given import Given
from social_publishing_sandbox.state.reading import Path
from social_publishing_sandbox.state.refusals import Problems, Reason, Refusal, invalid
from social_publishing_sandbox.state.wording import TYPES, either, rule


def parameters(
    operation: Operation, path: Mapping[str, str], query: bytes, headers: Mapping[bytes, bytes]
) -> Given:
    """Return the typed values of an operation's parameters, by their names."""
    values = Given()
    problems = Problems()
    given = parse_qs(query.decode("ascii", "replace"), keep_blank_values=True)
    wrong_path = False
    for parameter in operation.parameters:
        if parameter.place == "path":
            values[parameter.name] = path[parameter.name]
            wrong_path |= not parameter.validator.is_valid(path[parameter.name])
            continue
        texts = _texts(parameter, given, headers)
        if texts is None:
            if parameter.required:
                sentence = f"The parameter {parameter.name} is required."
                problems.add(parameter.name, sentence, cites=parameter.cites)
            continue
        if parameter.kind == "object":  # in several pieces, which a handler reads
            values[parameter.name] = texts
            continue
        try:
            value = _typed(parameter, texts)
        except ValueError as error:
            said = "query.booleans" if parameter.kind == "boolean" else parameter.value_cites
            problems.add(parameter.name, str(error), cites=said)
            continue
        except OverflowError:
            sentence = f"The parameter {parameter.name} is too large."
            problems.add(parameter.name, sentence, cites="limits.integers")
            continue
        if parameter.validator.is_valid(value):
            values[parameter.name] = value
        else:
            for problem in _problems(parameter.validator, value):
                path_of = (parameter.name, *_path(problem, value))
                cites = operation.document.cite(parameter.schema, problem, parameter.value_cites)
                _collect(problem, problems, "parameter", path_of, cites)
    if wrong_path and operation.can_refuse(Reason.NOT_FOUND):
        sentence = "The identifier in the path is not valid."
        respelled = any(map(ids.is_respelled, path.values()))
        raise Refusal(Reason.NOT_FOUND, sentence, cites="ids.form" if respelled else "§2.1")
    problems.refuse()
    _any_of(operation, values)
    return values


def _texts(
    parameter: Parameter, query: Mapping[str, list[str]], headers: Mapping[bytes, bytes]
) -> list[str] | None:
    """Return how often and as what a parameter of the query, a header or a cookie was sent."""
    if parameter.place == "query":
        pieces = [key for key in query if key.startswith(f"{parameter.name}[")]
        return query.get(parameter.name) or [text for key in pieces for text in query[key]] or None
    if parameter.place == "cookie":
        cookies = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
        return [cookies[parameter.name].value] if parameter.name in cookies else None
    sent = headers.get(parameter.name.lower().encode())
    return None if sent is None else [sent.decode("latin-1")]


def _any_of(operation: Operation, values: Json) -> None:
    """Refuse a request without any of the parameters of which it needs one (§4.1)."""
    wanted: list[str] = operation.raw.get("x-required-any", [])
    if wanted and not any(dict(values).get(name) for name in wanted):
        names = " or ".join(wanted)
        errors = {name: [f"One of {names} is required."] for name in wanted}
        raise invalid(errors, cites=operation.section)


def body(operation: Operation, content_type: str, content: bytes) -> Any:
    """Return the JSON body of a request, an object with what is documented of it.

    Raises:
        Refusal: the body is missing, is no JSON, or does not fit the document; every field at
            fault is named by its path, such as `customized.twitter.media_ids.0`.
    """
    if operation.body_validator is None:
        return Given()
    _check_content_type(content_type)
    if not content:
        raise _bad_body("The request needs a JSON body.", cites=operation.section)
    value = _with_integers(_parsed(content))
    if operation.body_validator.is_valid(value):
        if not isinstance(value, dict):
            return value
        known = operation.members or value
        return Given({name: each for name, each in value.items() if name in known})
    problems = Problems()
    for problem in _problems(operation.body_validator, value):
        cites = operation.document.cite(operation.body or {}, problem, operation.section)
        _collect(problem, problems, "field", _path(problem, value), cites)
    problems.refuse()
    return value


def _check_content_type(content_type: str) -> None:
    if content_type == "application/json":
        return
    kind, *parameters = (each.strip().lower() for each in content_type.split(";"))
    if kind != "application/json":
        said = content_type or "none"
        sentence = f"The body must have the content type application/json, not {said}."
        raise _bad_body(sentence, cites="§5")
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name == "charset" and value.strip('"') not in ("utf-8", "utf8", "us-ascii"):
            raise _bad_body(f"JSON is sent in UTF-8, not in {value}.", cites="requests.malformed")


def _parsed(content: bytes) -> Any:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        reason, cites = str(error), "§1"
    try:
        content.decode()
    except UnicodeDecodeError as error:
        reason, cites = f"byte {error.start + 1} is not valid UTF-8", "requests.malformed"
    raise _bad_body(f"The body is not JSON: {reason}.", cites=cites)


def _with_integers(value: Any, depth: int = 0) -> Any:
    """Return the same value with numbers such as `2.0`, which JSON takes for whole, as integers."""
    if depth == _DEEPEST and isinstance(value, dict | list):
        sentence = f"The body is nested more than {_DEEPEST} levels deep."
        raise _bad_body(sentence, cites="limits.body")
    match value:
        case dict():
            return {key: _with_integers(each, depth + 1) for key, each in value.items()}
        case list():
            return [_with_integers(each, depth + 1) for each in value]
        case float() if value.is_integer() and abs(value) < _EXACT:
            return int(value)
    return value


_DEEPEST: Final = 64
_EXACT: Final = 2**53  # from here on, a float is no longer the number that was sent


def _bad_body(sentence: str, *, cites: str) -> Refusal:
    return invalid({"body": [sentence]}, cites=cites)


def _problems(
    validator: jsonschema_rs.Draft202012Validator, value: Any
) -> list[jsonschema_rs.ValidationError]:
    """Return the problems of a value that is not valid.

    Of long lists only the beginning is looked at, for every problem holds a copy of the value.
    """
    if errors := list(validator.iter_errors(_beginning(value))):
        return errors
    try:
        validator.validate(value)
    except jsonschema_rs.ValidationError as first:
        return [first]
    return []


def _beginning(value: Any) -> Any:
    match value:
        case dict():
            some = itertools.islice(value.items(), _SHOWN)
            return {key: _beginning(each) for key, each in some}
        case list():
            return [_beginning(each) for each in value[:_SHOWN]]
    return value


_PROBLEMS: Final = 10  # of a response that are reported
_CUT: Final = 300  # characters of what the validator says, in which whole values may stand
_SHOWN: Final = 250  # more than any list may have entries, so that this is still said


class ResponseCheck:
    """Holds responses against the documents.

    Args:
        nulls: fields without a value are sent as null; optional members may then be null.
    """

    def __init__(self, documents: tuple[Document, ...], *, nulls: bool = False) -> None:
        self._schemas: dict[str, Schemas] = {}
        for document in documents:
            components = document.data["components"]
            self._schemas[document.name] = Schemas(_with_nulls(components) if nulls else components)
        # Filled as responses come: nobody waits for what is never sent.
        self._validators: dict[tuple[str, int], jsonschema_rs.Draft202012Validator] = {}

    def problems(self, operation: Operation, status: int, content: bytes) -> list[str]:
        """Return what the documents do not allow in this response, a sentence each."""
        documented = operation.responses.get(status)
        if documented is None and status >= 400 and operation.default:
            documented = operation.error(status)
        if documented is None:
            return [f"{operation.id} documents no response with status {status}"]
        if documented.schema is None:
            return [f"status {status} documents no body"] if content else []
        validator = self._validators.get((operation.id, status))
        if validator is None:
            validator = self._schemas[operation.api].validator(documented.schema)
            self._validators[operation.id, status] = validator
        try:
            value = orjson.loads(content)
        except orjson.JSONDecodeError as error:
            return [f"the body is not JSON: {error}"]
        problems = [
            f"{'.'.join(map(str, violation.instance_path)) or 'body'}: {violation.message[:_CUT]}"
            for violation in validator.iter_errors(value)
        ]
        more = len(problems) - _PROBLEMS
        return [*problems[:_PROBLEMS], f"{more} more"] if more > 0 else problems


def _with_nulls(node: Any) -> Any:
    """Return the same schemas, with null allowed for every member that is not required."""
    if isinstance(node, list):
        return [_with_nulls(each) for each in node]
    if not isinstance(node, dict):
        return node
    node = {key: _with_nulls(value) for key, value in node.items()}
    properties = node.get("properties")
    if isinstance(properties, dict) and node.get("type") == "object":
        required = node.get("required", [])
        node["properties"] = {
            name: schema if name in required else {"anyOf": [schema, {"type": "null"}]}
            for name, schema in properties.items()
        }
    return node


def _typed(parameter: Parameter, texts: list[str]) -> Any:
    if parameter.kind == "array":
        if (delimiter := parameter.delimiter) is not None:
            texts = [item for text in texts if text for item in text.split(delimiter)]
        return [_converted(parameter, parameter.item_kind, text) for text in texts]
    if len(texts) > 1:
        raise ValueError(f"The parameter {parameter.name} is given {len(texts)} times.")
    return _converted(parameter, parameter.kind, texts[0])


def _converted(parameter: Parameter, kind: str, text: str) -> Any:
    convert, wanted = _CONVERSIONS.get(kind), TYPES[kind]
    if kind == "boolean":
        convert, wanted = (
            {t: t == parameter.flags[0] for t in parameter.flags}.__getitem__,
            either(parameter.flags),
        )
    try:
        return convert(text) if convert else text
    except (KeyError, ValueError):
        subject = "Each value of the" if parameter.kind == "array" else "The"
        sentence = f"{subject} parameter {parameter.name} must be {wanted}."
        raise ValueError(sentence) from None


def _integer(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]+", text, re.ASCII):
        raise ValueError(text)
    if len(text) > 20 or not -(2**63) <= int(text) < 2**63:  # sqlite's integers end there
        raise OverflowError(text)
    return int(text)


def _number(text: str) -> float:
    if not re.fullmatch(r"-?[0-9]{1,18}(\.[0-9]{1,18})?", text, re.ASCII):
        raise ValueError(text)
    return float(text)


_CONVERSIONS: Final[dict[str, Callable[[str], Any]]] = {
    "integer": _integer,
    "number": _number,
}


def complaints(
    validator: jsonschema_rs.Draft202012Validator, value: Any, path: Path = ()
) -> Iterator[tuple[Path, str]]:
    """Yield what is wrong with a value, a sentence each, with its place."""
    if not validator.is_valid(value):
        for problem in _problems(validator, value):
            yield from _sentences(problem, "field", (*path, *_path(problem, value)))


def _collect(
    problem: jsonschema_rs.ValidationError,
    problems: Problems,
    noun: str,
    path: Path,
    cites: Sequence[str],
) -> None:
    for where, sentence in _sentences(problem, noun, path):
        problems.add(".".join(map(str, where)) or "body", sentence, cites=cites)


def _path(problem: jsonschema_rs.ValidationError, value: Any) -> Path:
    """Return where in the value the problem is: names, and the positions in lists as numbers.

    The problem itself gives the name `"1"` as the number 1, too.
    """
    path: list[str | int] = []
    for step in problem.instance_path:
        path.append(str(step) if isinstance(value, dict) else step)
        value = value.get(path[-1]) if isinstance(value, dict) else value[step]
    return tuple(path)


def _sentences(
    problem: jsonschema_rs.ValidationError, noun: str = "field", path: Path = ()
) -> Iterator[tuple[Path, str]]:
    """Return the fields or parameters at fault, each with the problem."""
    subject = _subject(noun, path)
    facts = problem.kind.as_dict()
    match problem.kind.name:
        case "required":
            missing = facts["property"]
            yield (*path, missing), f"The field {missing} is required."
        case "propertyNames":
            inner = facts["error"]
            for _, sentence in _sentences(inner):
                wanted = sentence.partition(" must be ")[2]
                yield path, f"{subject} has the name {inner.instance!r}, which must be {wanted}"
        case "anyOf" | "oneOf":
            yield path, _alternatives(subject, problem)
        case _:
            yield path, f"{subject} {rule(problem) or f'is not valid: {problem.message}'}."


def _subject(noun: str, path: Path) -> str:
    match path:
        case ():
            return "The body"
        case (*_, str(name), int(index)):
            return f"Entry {index + 1} of the {noun} {name}"
    return f"The {noun} {path[-1]}"


def _alternatives(subject: str, problem: jsonschema_rs.ValidationError) -> str:
    """Return all the things that a value might have been."""
    sentences = [
        sentence.partition(" must be ")[2].rstrip(".")
        for branch in problem.kind.as_dict().get("context", [])
        for error in branch
        for _, sentence in _sentences(error)
        if " must be " in sentence
    ]
    if not sentences:
        return f"{subject} is not valid."
    return f"{subject} must be {either(list(dict.fromkeys(sentences)))}."
