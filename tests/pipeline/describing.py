"""What a user can see of a client: its pages, what it sends, what it makes of responses.

Nothing here knows how a package is made: names come from its pages and from `inspect`.
"""

from __future__ import annotations

import ast
import datetime
import importlib
import inspect
import itertools
import json
import re
import typing
import uuid
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from typing import Any
from unittest.mock import patch

import httpx2
import msgspec

_ABSENT: Any = object()
_MOMENT = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)
_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2, 3, 4, 1.5, "", "a", "ab", "abc", "abcd", "1", "2026-01-02"),
    *(_MOMENT, _MOMENT.date(), b"a", [], ["a"], ["a", "a"], ["a", "b", "c"], ["a", "b", "c", "d"]),
    *([1], [1, 2, 3], {}, {"a": "b"}, {"a": 1}),
)
"""On both sides of every limit: those of the documents are small."""
_STATUSES = (200, 201, 204, 302, 400, 401, 403, 404, 409, 410, 413, 415, 422, 429, 500, 503)
_PLAIN = (str, int, float, bool, bytes, datetime.date, datetime.datetime, uuid.UUID)
_WANTED = re.compile(r"expected [^;]+?(?=, got)")
_MOST = 20  # requests of one call
_USUAL = (
    "; 302 410 StatusError; 400 BadRequestError; 401 AuthenticationError"
    "; 403 PermissionDeniedError; 404 NotFoundError; 409 ConflictError; 413 PayloadTooLargeError"
    "; 415 UnsupportedMediaTypeError; 422 UnprocessableEntityError"
    "; 429 RateLimitError for the rate; 500 503 ServerError"
)
_ADDRESS = "https://host.invalid/v1"
_SAMPLES: dict[str, Any] = {
    **{"string": "", "integer": 2, "number": 2.5, "boolean": True, "array": [], "object": {}}
}
_TEXTS = {
    **{"date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "byte": "YQ=="},
    "uuid": "12345678-1234-1234-1234-123456789abc",
}


def described(name: str, files: Mapping[str, str], plain: Mapping[str, str]) -> str:
    """Return what a package, which can be imported, is for its users.

    Of its pages, it has what those of the plainest client, if one is given, do not say.
    """
    pages = _pages(files, plain)
    said = "\n".join(pages)
    documents = [json.loads(files[each]) for each in files if re.match(r"openapi/\w+\.json$", each)]
    lines = itertools.chain(
        pages,
        _rate(name),
        _methods(name, said, documents),
        _deliveries(name) if f"client/src/{name}/webhooks.py" in files else (),
        _models(name, said),
    )
    return "".join(f"{line}\n" for line in lines)


def _deliveries(package: str) -> Iterator[str]:
    """Yield the functions that read what comes to webhooks."""
    module = importlib.import_module(f"{package}.webhooks")
    for name in module.__all__:
        if inspect.isfunction(function := getattr(module, name)):
            first = (inspect.getdoc(function) or "").partition("\n\n")[0]
            yield f"{name}{inspect.signature(function)}: {' '.join(first.split())}"


def class_name(package: str) -> str:
    """Return the name of the client of a case."""
    return "".join(word.capitalize() for word in package.split("_"))


def renamed(files: Mapping[str, str], name: str, other: str) -> dict[str, str]:
    """Return the files of a package as they were if it had another name."""

    def named(text: str) -> str:
        for form in (str, str.upper, class_name, lambda each: each.replace("_", "-")):
            text = text.replace(form(name), form(other))
        return text

    return {path: named(text) for path, text in files.items()}


def changed(written: Any, effective: Any, plain: Any) -> str:
    """Return what a run changes of a document, and what other tools get of it instead."""
    lines = [f"effective {each}" for each in _changes("", written, effective)]
    lines += [f"plain {each}" for each in _changes("", effective, plain)]
    return "".join(f"{each}\n" for each in lines)


def commands(catalogue: Mapping[str, Any], said: str) -> Iterator[str]:
    """Yield what a command line gets to know of each method, but for texts that were said."""
    for resource, group in catalogue.items():
        for name, command in group["commands"].items():
            words = {key: command[key] for key in command if key != "arguments"}
            yield f"command {resource}.{name} {_unsaid(words, said)}"
            for each in command.get("arguments", ()):
                yield f"    {_unsaid(each, said)}"


def _unsaid(words: Mapping[str, Any], said: str) -> str:
    texts = ("summary", "description", "doc")
    kept = {key: each for key, each in words.items() if key not in texts or each not in said}
    return json.dumps(kept, ensure_ascii=False)


def _changes(place: str, before: Any, after: Any) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            old, new = before.get(key, _ABSENT), after.get(key, _ABSENT)
            yield from _changes(f"{place}.{key}", old, new)
    elif before is _ABSENT or after is _ABSENT or json.dumps(before) != json.dumps(after):
        for sign, value in (("-", before), ("+", after)):
            if value is not _ABSENT:
                yield f"{sign} {place[1:]}: {json.dumps(value, ensure_ascii=False)}"


def _pages(files: Mapping[str, str], plain: Mapping[str, str]) -> list[str]:
    """Return the lines of its pages that the plainest client has not, each of them once."""
    found: list[str] = []
    for page in ("api.md", "README.md", "llms.txt"):
        common = {each.strip() for each in plain.get(f"client/{page}", "").splitlines()}
        known = common | {each.strip() for each in found}
        lines = [e for e in files[f"client/{page}"].splitlines() if e.strip() not in known]
        found += [f"# {page}", *lines] * bool(lines)
    return found


def _rate(name: str) -> list[str]:
    rule = getattr(importlib.import_module(f"{name}.client"), "RATE", None)
    return [f"# {rule!r}"] if rule else []


def _fresh(text: str | None, said: str) -> list[str]:
    """Return the lines of a docstring of which nothing above says the same."""
    lines = [each.rstrip() for each in inspect.cleandoc(text or "").splitlines()]
    return [
        f"    {each}"
        for each in lines
        if each.strip()
        and each.strip() not in said
        and not each.lstrip().startswith((">>>", "..."))
        and each.partition(": ")[2] not in said.replace("`", "")
    ]


def _models(name: str, said: str) -> Iterator[str]:
    models = importlib.import_module(f"{name}.models")
    yield "# models"
    for public in models.__all__:
        found = getattr(models, public)
        if not isinstance(found, type):
            yield f"{public} = {_bare(repr(found), name)}"
            continue
        bases = ", ".join(each.__name__ for each in found.__bases__)
        words = getattr(found, "__struct_config__", found)
        flags = ["omit_defaults", "_open_set"] + ["gc"] * ("Request" not in bases)
        marks = "".join(f", {e.strip('_')}=True" for e in flags if getattr(words, e, False))
        yield f"{public}({bases}{marks})"
        yield from _fresh(found.__doc__, said)
        if issubclass(found, msgspec.Struct):
            types = found.__annotations__
            for each in msgspec.structs.fields(found):
                given = "" if each.required else f" = {_default(each)}"
                wire = f"  # {each.encode_name}" if each.encode_name != each.name else ""
                own = types.get(each.name, "(inherited)")
                text = _bare(getattr(own, "__name__", "") if own in _PLAIN else str(own), name)
                yield f"    {each.name}: {text}{given}{wire}"
        else:
            for each in getattr(found, "__members__", {}).values():
                yield f"    {each.name} = {each.value!r}"


def _default(field: Any) -> str:
    if field.default_factory is not msgspec.NODEFAULT:
        return f"{field.default_factory.__name__}()"
    return repr(field.default)


def _bare(text: str, name: str) -> str:
    own = rf"{name}\.(models|_runtime)(\.[a-z_0-9]+)*"
    return re.sub(rf"\b(typing|msgspec|collections\.abc|{own})\.", "", text)


def _client(name: str, respond: Callable[[httpx2.Request], httpx2.Response]) -> Any:
    kind = getattr(importlib.import_module(name), class_name(name))
    given: dict[str, Any] = {}
    for argument, each in inspect.signature(kind).parameters.items():
        if argument.endswith("url"):
            given[argument] = _ADDRESS
        elif "tuple[str, str]" in (text := str(each.annotation)):
            given[argument] = ("u", "p")
        elif "Callable[[], str]" in text or "Token" in text:
            given[argument] = "t"
    sender = httpx2.Client(transport=httpx2.MockTransport(respond))
    return kind(**given, http_client=sender, pacing="off", retries=0)


def _methods(name: str, said: str, documents: Sequence[Any]) -> Iterator[str]:
    answers: dict[str, Any] = {"status": 200, "whole": True}
    sent: list[httpx2.Request] = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        request.read()
        sent.append(request)
        if len(sent) > _MOST:
            raise OverflowError("too many requests")
        if answers["body"] is None:
            return _documented(request, documents, answers["whole"], len(sent))
        return httpx2.Response(answers["status"], content=answers["body"])

    client = _client(name, respond)
    results: list[Any] = []
    makers: dict[str, Any] = {}  # of arguments from what was read
    for resource in dir(client):
        found = getattr(client, resource)
        if not type(found).__module__.startswith(f"{name}.resources."):
            continue
        module = importlib.import_module(type(found).__module__)
        for public in [each for each in vars(type(found)) if not each.startswith(("_", "with_"))]:
            method = getattr(found, public)
            for variant in (*typing.get_overloads(getattr(type(found), public)), method):
                old = getattr(variant, "__deprecated__", "")
                text = f"{public}{inspect.signature(variant)}{f' DEPRECATED: {old}' * bool(old)}"
                yield f"# {resource}.{text}" if variant is method else f"#     {text}"
            yield from _fresh(method.__doc__, said)
            call = _example(name, method, client)
            if isinstance(vars(type(found))[public], staticmethod):
                makers[f"{resource}.{public}"] = method
            if call is None:
                continue
            for answers["body"] in (b"{}", b"[]"):
                outcomes: dict[str, list[int]] = {}
                for answers["status"] in _STATUSES:
                    sent.clear()
                    outcomes.setdefault(_outcome(method, call), []).append(answers["status"])
                    if answers["status"] == 200 and answers["body"] == b"{}":
                        yield from dict.fromkeys(map(_request, sent))
                each = [f"{' '.join(map(str, found))} {text}" for text, found in outcomes.items()]
                yield f"    {answers['body'].decode()}: {'; '.join(each)}".replace(_USUAL, "")
            shown = {_request(each) for each in sent[:1]}
            answers["body"] = None
            for word in ("as documented", "at least"):
                answers["whole"] = word == "as documented"
                sent.clear()
                lines = [f"    {word}: {_outcome(method, call, results)}"]
                lines = [*map(_request, sent), *lines]
                yield from (
                    each for each in lines if each.replace(word, "as documented") not in shown
                )
                shown.update(lines)
            if build := getattr(module, f"build_{public}", None):
                yield from _probes(build, call)
    client.close()
    for public, method in makers.items():
        (given,) = [each.annotation for each in inspect.signature(method).parameters.values()]
        fitting = [each for each in results if type(each).__name__ in str(given)]
        calls = [inspect.signature(method).bind(each) for each in fitting]
        told = dict.fromkeys(_outcome(method, each) for each in calls)
        yield from (f"    {public}({given}): {outcome}" for outcome in told)


def _documented(
    request: httpx2.Request, documents: Sequence[Any], whole: bool, number: int
) -> httpx2.Response:
    """Return a success as a document has it: `whole`, or with nothing but what has to be there."""
    for document in documents:
        for path, item in document["paths"].items():
            way = re.sub(r"\\{[^{}]+\\}", "[^/]+", re.escape(path.partition("#")[0]))
            operation = _meant(document, item).get(request.method.lower())
            if operation is None or not re.search(f"{way}$", request.url.path):
                continue
            for status, each in operation["responses"].items():
                content = _meant(document, each).get("content", {})
                if status[0] == "2":
                    media = next((name for name in content if "json" in name), "")
                    schema = content.get(media, {}).get("schema")
                    following = str(request.url.copy_set_param("again", number))
                    texts = {"next": following, "": f" {number}" * (number > 1)}
                    value = _value(document, schema, whole, texts)
                    body = json.dumps(value).encode() if media else b""
                    return httpx2.Response(int(status.replace("XX", "00")), content=body)
    return httpx2.Response(200)


def _meant(document: Any, value: Any) -> Any:
    """Return what a reference leads to; anything else as it is."""
    while isinstance(value, dict) and "$ref" in value:
        place = value["$ref"].split("/")[1:]
        value = document
        for part in place:
            value = value[part.replace("~1", "/").replace("~0", "~")]
    return value


def _value(
    document: Any,
    schema: Any,
    whole: bool,
    texts: Mapping[str, str],
    name: str = "it",
    depth: int = 0,
) -> Any:
    """Return a value that a schema allows; most texts are the name of their property."""

    def inner(each: Any, name: str = name) -> Any:
        return _value(document, each, whole, texts, name, depth + 1)

    schema = _meant(document, schema)
    if not isinstance(schema, dict) or depth > 5:
        return None
    fixed = [schema[word] for word in ("const", "default") if word in schema]
    fixed += [schema[word][0] for word in ("enum", "x-extensible-enum") if word in schema]
    if fixed:
        return fixed[0]
    cases = [*schema.get("oneOf", ()), *schema.get("anyOf", ())]
    parts = [inner(each) for each in [*cases[:1], *schema.get("allOf", ())]]
    kinds = schema.get("type", "object" if "properties" in schema else "")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    kind = next((each for each in kinds if each in _SAMPLES), "")
    if not whole and "null" in kinds:
        return None
    if kind == "array":
        return [inner(schema.get("items"))]
    if kind == "object":
        listed = schema.get("properties", {})
        members = {
            k: inner(listed[k], k) for k in listed if whole or k in schema.get("required", ())
        }
        if isinstance(schema.get("additionalProperties"), dict):
            members["more"] = inner(schema["additionalProperties"], "more")
        return members | dict(
            pair for each in parts if isinstance(each, dict) for pair in each.items()
        )
    if kind == "integer" and ("last" in name.lower() or name.lower().endswith("s")):
        return 9
    if kind == "string":
        if "next" in name.lower():
            return texts["next"]
        usual = ("a" if name.lower().endswith("id") else name) + texts[""]
        return _TEXTS.get(schema.get("format", ""), usual)
    return _SAMPLES[kind] if kind else next(iter(parts), None)


def _example(name: str, method: Any, client: Any) -> inspect.BoundArguments | None:
    """Return the arguments of the example of a docstring."""
    lines = re.findall(r"(?:>>>|\.\.\.) (.*)", method.__doc__ or "")
    if not lines:
        return None
    scope: dict[str, Any] = {"client": client}
    code = ast.parse("\n".join(lines))
    calls = [
        node
        for node in ast.walk(code)
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("client.")
    ]
    for line in code.body:
        if isinstance(line, ast.Import | ast.ImportFrom):
            exec(ast.unparse(line), scope)
    scope |= {"datetime": datetime.datetime, "UUID": uuid.UUID} | scope
    scope |= vars(importlib.import_module(f"{name}.models"))
    call = next(each for each in calls if ast.unparse(each.func).endswith(method.__name__))
    made = ast.unparse(ast.Call(ast.Name("bind"), call.args, call.keywords))
    found: inspect.BoundArguments = eval(made, scope | {"bind": inspect.signature(method).bind})
    return found


def _outcome(method: Any, call: inspect.BoundArguments, results: list[Any] | None = None) -> str:
    try:
        with (
            patch("time.monotonic", return_value=0.0),
            patch("time.sleep"),
            warnings.catch_warnings(record=True) as warned,
        ):
            warnings.simplefilter("always")
            result = method(*call.args, **call.kwargs)
            if isinstance(result, Iterable) and not isinstance(result, Sized):
                result = list(itertools.islice(result, 3))
            if results is not None:
                results.append(result)
    except Exception as error:
        text, body = str(error).partition("\n")[0], getattr(error, "error", None)
        own = "" if "responded with" in text else f" {text}"
        own += " for the rate" * getattr(error, "over_rate", False)
        return f"{type(error).__name__}{own}{f' {body!r}' if body else ''}"
    told = "".join(f"; {each.category.__name__}: {each.message}" for each in warned)
    text = "None" if result is None else f"{type(result).__name__} {result!r}"
    text += f"; lost {result.lost!r}" if hasattr(result, "lost") else ""
    return text + told


def _request(request: httpx2.Request) -> str:
    usual = ("host", "user-agent", "accept-encoding", "connection", "content-length")
    fields = [f"{key}: {value}" for key, value in request.headers.items() if key not in usual]
    text = "; ".join([f"{request.method} {request.url}", *fields])
    body = request.content.decode("utf-8", "replace")
    return _drawn(f"    {text} {body!r}" if body else f"    {text}")


def _drawn(text: str) -> str:
    """Return a text without what is drawn anew for each request."""
    text = re.sub(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "UUID", text)
    return re.sub(r"[0-9a-f]{32}", "BOUNDARY", text)


def _probes(build: Any, call: inspect.BoundArguments) -> Iterator[str]:
    """Say of each argument what is sent of each value, and what is said of those that are not."""
    usual = _built(build, call.arguments)
    for argument in inspect.signature(build).parameters:
        given = call.arguments.get(argument)
        yield from _probed(build, call, usual, (argument,), given)


def _probed(
    build: Any, call: inspect.BoundArguments, usual: Any, place: tuple[str, ...], given: Any
) -> Iterator[str]:
    accepted: dict[str, tuple[list[str], str]] = {}
    refused: dict[str, list[str]] = {}
    others = ""
    for value in (_ABSENT, *_VALUES):
        shown = "nothing" if value is _ABSENT else _shown(value)
        try:
            made = _built(build, _replaced(dict(call.arguments), place, value))
        except Exception as error:
            if wanted := _WANTED.search(str(error)):
                others = others or f"else {wanted[0]}"
            elif value is not _ABSENT:
                text = str(error).partition(": ")[2].partition(", got ")[0]
                refused.setdefault(text, []).append(shown)
        else:
            same = [*accepted.get(type(value).__name__, ([],))[0], shown]
            sent = " ".join(each for each in made if each not in usual) or "as before"
            accepted[type(value).__name__] = (same, sent)
    of_each = [f"{' '.join(values)} ({sent})" for values, sent in accepted.values()]
    if not refused and not others:
        of_each = [f"anything {of_each[-1]}"]
    yield f"  {'.'.join(place)}: {'; '.join(of_each)}"
    limits = [f"{' '.join(values)}: {text}" for text, values in refused.items()]
    limits += [others] * bool(others)
    yield from (f"    {'; '.join(limits)}" for _ in limits[:1])
    if isinstance(given, msgspec.Struct) and len(place) < 3:
        for each in msgspec.structs.fields(given):
            inner = getattr(given, each.name, None)
            yield from _probed(build, call, usual, (*place, each.name), inner)


def _shown(value: Any) -> str:
    is_time = isinstance(value, datetime.date)
    return f"{type(value).__name__}({value})" if is_time else repr(value)


def _replaced(given: Any, place: tuple[str, ...], value: Any) -> Any:
    first, *rest = place
    if isinstance(given, msgspec.Struct):
        if not rest and value is _ABSENT:
            value = msgspec.UNSET
        elif rest:
            value = _replaced(getattr(given, first), tuple(rest), value)
        return msgspec.structs.replace(given, **{first: value})
    if rest:
        return {**given, first: _replaced(given[first], tuple(rest), value)}
    return {key: each for key, each in (given | {first: value}).items() if each is not _ABSENT}


def _built(build: Any, arguments: Mapping[str, Any]) -> list[str]:
    """Return what a request has of its own, in pieces that can be compared."""
    call = inspect.signature(build).bind_partial(**arguments)
    request = build(*call.args, **call.kwargs)
    body = request.body
    if body is not None and not isinstance(body, bytes):
        body = b"".join(body)
    path, _, query = request.target.partition("?")
    fields = [f"{key}: {value}" for key, value in request.headers.items()]
    pieces = [path, *filter(None, query.split("&")), *fields, request.cookie]
    pieces += [request.content_type or "", repr((body or b"").decode("utf-8", "replace"))]
    return [*map(_drawn, pieces)]
