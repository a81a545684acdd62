"""Cases, made by schemathesis of the documents.

Schemathesis makes request bodies with their JSON types, but parameters as wire text, and no
responses at all. In a mirror everything is a request body: the flat form of a request, or the
response to one. Schemathesis stands in this module and in `walks` alone. What it has no
public door for is taken through `covering`; test_harness.py holds that it still does what
it did.
"""

from __future__ import annotations

import copy
import json
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from functools import lru_cache
from typing import Any, Literal

import hypothesis
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisWarning, NonInteractiveExampleWarning
from hypothesis.internal.conjecture.providers import Constants, HypothesisProvider
from schemathesis import GenerationMode
from schemathesis.generation.drivers import CoverageGenerator
from schemathesis.generation.feedback import NO_FEEDBACK
from schemathesis.generation.overrides import Override

from harness.options import Plan
from tests.support.documents import Document, Json, Operation, Response, Schema, Values
from tests.support.wire import moment

schemathesis.openapi.format(
    "iana-timezone", st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kolkata", "America/New_York"])
)
NAME = r"^[A-Za-z0-9 _.-]{1,20}\.(%s)$"


def request_mirror(operations: Iterable[Operation]) -> Schema:
    """Return a document whose bodies are the flat forms of these operations' requests."""
    operations = list(operations)
    document = operations[0].document
    return _mirror(
        document,
        {each.id: request_schema(each) for each in operations},
        {"schemas": {name: _closed(each) for name, each in _schemas(document).items()}},
    )


def request_schema(operation: Operation) -> Schema:
    """Return the flat form of an operation's requests."""
    return {
        "type": "object",
        "properties": {
            key: file_schema(each.schema) if each.location == "form" else each.schema
            for key, each in operation.arguments.items()
        },
        "required": [key for key, each in operation.arguments.items() if each.required],
        "additionalProperties": False,
    }


def file_schema(schema: Schema) -> Schema:
    """Return a file: its name, and its content as text that is encoded as Latin 1."""
    endings = "|".join(schema["x-file-extensions"])
    return {
        "type": "object",
        "properties": {
            "name": {"type": "string", "pattern": NAME % endings},
            "content": {"type": "string", "pattern": "^[\\u0000-\\u00ff]*$", "maxLength": 200},
        },
        "required": ["name", "content"],
        "additionalProperties": False,
    }


def response_mirror(responses: Iterable[tuple[Operation, Response]]) -> Schema:
    """Return a document whose bodies are responses: `{"headers": …, "body": …}`.

    Its paths are `/<operation>/<status>`. Where the documents let a property be left out, it may be
    null as well, as the client promises; sets of values are open.
    """
    responses = list(responses)
    document = responses[0][0].document
    return _mirror(
        document,
        {
            f"{each.id}/{response.status}": response_schema(each, response)
            for each, response in responses
        },
        {"schemas": {name: tolerant(document, node) for name, node in _schemas(document).items()}},
    )


def response_schema(operation: Operation, response: Response) -> Schema:
    """Return a response with its headers; a header's value has its type, and is written as text."""
    properties: Schema = {
        "headers": {
            "type": "object",
            "properties": dict(response.headers),
            "required": sorted(response.headers),
            "additionalProperties": False,
        }
    }
    if response.schema is not None:
        properties["body"] = tolerant(operation.document, response.schema)
    return {
        "type": "object",
        "properties": properties,
        "required": sorted(properties),
        "additionalProperties": False,
    }


def tolerant(document: Document, schema: Any) -> Any:
    """The schema as a reader takes it: optional properties may be null, sets of values are open.

    Every property has an example that no other has, for schemathesis begins with examples: of two
    fields that are both "", nobody sees that one is taken for the other.
    """
    if isinstance(schema, list):
        return [tolerant(document, each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: tolerant(document, each) for name, each in schema.items()}
    required = schema.get("required", [])
    for name, inner in schema.get("properties", {}).items():
        property_ = found["properties"][name]
        if name not in required:
            property_ = nullable(property_)
        if examples := _examples(document, name, inner):
            property_ = {**property_, "examples": examples}
        found["properties"][name] = property_
    found.pop("enum", None)
    return found


def _examples(document: Document, name: str, node: Schema) -> list[Json]:
    """Return values of a property that tell it from all others; none for an object."""
    schema = document.resolve(node)
    if "anyOf" in schema:
        return _examples(document, name, schema["anyOf"][0])
    number = zlib.crc32(name.encode())
    if known := schema.get("enum", schema.get("x-extensible-enum")):
        return [known[number % len(known)], *known, _unheard_of(schema, name)]
    if isinstance(schema.get("additionalProperties"), dict):
        return _map_examples(document, name, schema)
    if "pattern" in schema:
        return [str(number * 2**32 + 1)]
    if schema.get("format") == "date-time":
        day = f"2{number % 1000:03}-0{number % 9 + 1}-{number % 28 + 1:02}"
        return [f"{day}T0{number % 10}:59:5{number % 7}.{number % 1000:03}+0{number % 8 + 1}:30"]
    match schema.get("type"):
        case "string" | ["string", *_]:
            return [f"{name} ü"]
        case "integer" | ["integer", *_]:
            return [] if "maximum" in schema else [number + 2**53]
        case "number" | ["number", *_]:
            return [number + 0.5]
        case "boolean" | ["boolean", *_]:
            return [True]
        case "array" | ["array", *_] if "items" in schema:
            return [[each] for each in _examples(document, name, schema["items"])]
    return []


def _unheard_of(schema: Schema, name: str) -> Json:
    """Return a code that no document names."""
    return 1000 if schema.get("type") == "integer" else f"{name} of tomorrow"


def _map_examples(document: Document, name: str, schema: Schema) -> list[Json]:
    """Return a map with a key of each kind, its values as full as examples make them."""
    names = document.resolve(schema.get("propertyNames", {}))
    keys = [names["enum"][0], f"{name} of tomorrow"] if "enum" in names else [name]
    inner = document.resolve(schema["additionalProperties"])
    value: Json = {
        each: examples[0]
        for each, node in inner.get("properties", {}).items()
        if (examples := _examples(document, each, node))
    }
    if "properties" not in inner:
        value = next(iter(_examples(document, name, inner)), None)
    return [{each: value} for each in keys]


def strict(schema: Any) -> Any:
    """Return the schema of what is no drift: sets of values closed, no other fields.

    What may be absent may be null as well. Ranges and patterns are rules for what is sent.
    """
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: strict(each) for name, each in schema.items() if name not in _RULES}
    if found.get("format") == "uint64":
        del found["format"]
    if "properties" in schema:
        required = schema.get("required", [])
        for name, each in found["properties"].items():
            found["properties"][name] = each if name in required else nullable(each)
        found["additionalProperties"] = False
    if "$ref" in schema:
        found.pop("enum", None)  # what one set of codes names, another of the same kind knows
    return found


_RULES = ("pattern", "minimum", "maximum", "minLength", "maxLength", "examples")


def nullable(schema: Schema) -> Schema:
    """Return the schema, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def _schemas(document: Document) -> Schema:
    return dict(document.data["components"]["schemas"])


def _closed(schema: Any) -> Any:
    """The schema without properties that it does not name: a model has no attribute for them."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _closed(each) for name, each in schema.items()}
    if "properties" in schema and "type" in schema and "additionalProperties" not in schema:
        found["additionalProperties"] = False
    return found


def _mirror(document: Document, bodies: dict[str, Schema], components: Schema) -> Schema:
    made = {
        "openapi": "3.1.0",
        "info": {"title": f"Mirror of {document.name}", "version": "1"},
        "paths": {
            f"/{path}": {
                "post": {
                    "operationId": path,
                    "requestBody": {
                        "required": True,
                        "content": {"application/json": {"schema": schema}},
                    },
                    "responses": {"200": {"description": "Any."}},
                }
            }
            for path, schema in bodies.items()
        },
        "components": components,
    }
    return copy.deepcopy(made)


# Hypothesis takes constants from the modules that happen to be imported. Cases come from the
# documents and the seed alone: a new name in the client must not change them.
HypothesisProvider._local_constants = Constants()  # type: ignore[assignment]

Kind = Literal["positive", "negative"]
THOROUGH = 100
"""Random cases from which on nothing is left out of what is covered."""


class Mirror:
    """A mirror, loaded once; `path` names one of its bodies."""

    def __init__(self, document: Schema) -> None:
        self._schema: Any = schemathesis.openapi.from_dict(document)
        self._covering: dict[tuple[str, Kind], list[Json]] = {}
        self._random: dict[tuple[str, Kind, Plan], list[Json]] = {}

    def covering(self, path: str, kind: Kind) -> list[Json]:
        """The bodies that differ in one place each: every boundary, value, type and absence.

        Refusals of many operations are of one schema: these bodies are made once. Do not change
        them.
        """
        operation = self._schema[f"/{path}"]["POST"]
        key = (_body_of(operation), kind)
        if key not in self._covering:
            self._covering[key] = self._covered(operation, kind)
        return self._covering[key]

    def at_random(self, path: str, kind: Kind, plan: Plan, check: Callable[[Json], None]) -> None:
        """Check random bodies; a failure is raised for the smallest.

        From one seed, those of one schema are the same for each operation, and drawn once.
        """
        operation = self._schema[f"/{path}"]["POST"]
        strategy = operation.as_strategy(generation_mode=GenerationMode(kind))
        key, drawn = (_body_of(operation), kind, plan), []

        def draw(case: Any) -> None:
            drawn.append(case.body)
            check(whole(case.body))

        if key not in self._random:
            at_random(strategy, plan, draw)
            self._random[key] = drawn
            return
        try:
            for body in self._random[key]:
                check(whole(body))
        except Exception:
            at_random(strategy, plan, draw)
            raise

    def _covered(self, operation: Any, kind: Kind) -> list[Json]:
        cases = CoverageGenerator(
            operation=operation,
            generation_modes=[GenerationMode(kind)],
            generation_config=self._schema.config.generation_for(
                operation=operation, phase="coverage"
            ),
            auth_storage=None,
            override=Override(),
            feedback=NO_FEEDBACK,
        )
        return [
            case.body
            for case in cases
            if case.method == "POST" and case.media_type == "application/json"
        ]

    def explore(
        self,
        path: str,
        kind: Kind,
        plan: Plan,
        check: Callable[[Json], None],
        most: int | None = None,
    ) -> None:
        """Check each covering body, then random ones; a failure is raised for the smallest body.

        Args:
            most: how many covering bodies at most; None for all of them. Of more, half are the
                shortest, and half are spread over the others.
        """
        seen: set[str] = set()

        def once(body: Json) -> None:
            body = whole(body)
            key = json.dumps(body, sort_keys=True, default=repr)
            if key not in seen:
                seen.add(key)
                check(body)

        covering = sorted(self.covering(path, kind), key=lambda each: len(repr(each)))
        if most is not None and len(covering) > most:
            short, others = covering[: most // 2], covering[most // 2 :]
            every = -(-len(others) // (most // 2))
            covering = short + others[plan.seed % every :: every]
        for body in covering:
            once(body)
        self.at_random(path, kind, plan, check)


def _body_of(operation: Any) -> str:
    return json.dumps(operation.definition.raw["requestBody"], sort_keys=True)


def at_random(strategy: Any, plan: Plan, check: Callable[[Any], None]) -> None:
    """Check random values of a strategy; a failure is raised for the smallest."""
    if not plan.examples:
        return

    @hypothesis.seed(plan.seed)
    @settings(
        max_examples=plan.examples,
        database=None,
        deadline=None,
        derandomize=False,
        report_multiple_bugs=False,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
        verbosity=hypothesis.Verbosity.quiet,
    )
    @hypothesis.given(strategy)
    def run(value: Any) -> None:
        check(value)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HypothesisWarning)
        warnings.simplefilter("ignore", NonInteractiveExampleWarning)
        run()


def whole(value: Json) -> Json:
    """The value with integers for numbers such as 210.0, which JSON Schema takes for integers."""
    if isinstance(value, dict):
        return {name: whole(item) for name, item in value.items()}
    if isinstance(value, list):
        return [whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


@lru_cache(maxsize=4)
def _requests_of(document: Any) -> Mirror:
    return Mirror(request_mirror(document.operations.values()))


def explore_requests(
    operation: Operation, kind: Kind, plan: Plan, check: Callable[[Values], None]
) -> None:
    """Check requests of an operation in their flat form, valid or not."""
    mirror = _requests_of(operation.document)
    mirror.explore(operation.id, kind, plan, lambda values: check(_near(operation, values)))


def request_bodies(operation: Operation, kind: Kind, plan: Plan) -> Iterator[Values]:
    """Yield all requests that `explore_requests` would check, each once."""
    values: list[Values] = []
    explore_requests(operation, kind, plan, values.append)
    yield from _once(values)


@lru_cache(maxsize=4)
def _responses_of(document: Any) -> Mirror:
    responses = [(o, each) for o in document.operations.values() for each in o.responses.values()]
    return Mirror(response_mirror(responses))


def explore_responses(
    operation: Operation, response: Response, kind: Kind, plan: Plan, check: Callable[[Json], None]
) -> None:
    """Check responses as `{"headers": …, "body": …}`, valid or not.

    What many operations response is looked into for one of them, and no more than that for the
    others, but for a plan that is thorough.
    """
    mirror = _responses_of(operation.document)
    first = _firsts(operation.document).get(_heart(operation, response), (operation, response))
    most: int | None = None
    if plan.examples < THOROUGH:
        is_first = first == (operation, response)
        most, share = _MOST[kind] if is_first else _LITTLE
        plan = Plan(-(-plan.examples // share), plan.seed)
    mirror.explore(f"{operation.id}/{response.status}", kind, plan, check, most)


# Covering cases at most, and the share of the random ones.
_MOST = {"positive": (400, 2), "negative": (40, 4)}
_LITTLE = (20, 20)


def covering_responses(operation: Operation, response: Response) -> list[Json]:
    """Return the valid responses that differ in one place each, the shortest first."""
    return _covering(_responses_of(operation.document), f"{operation.id}/{response.status}")


@lru_cache(maxsize=256)
def _covering(mirror: Mirror, path: str) -> list[Json]:
    found = map(whole, mirror.covering(path, "positive"))
    return sorted(found, key=lambda each: len(json.dumps(each)))


def _heart(operation: Operation, response: Response) -> str | None:
    """Return the component that a response is, or has many of."""
    node = response.schema or {}
    schema = operation.document.resolve(node)
    items = operation.node.get("x-paging", {}).get("items")
    if items in schema.get("properties", {}):
        schema = schema["properties"][items]
    return operation.document.named(schema.get("items", node))


@lru_cache(maxsize=4)
def _firsts(document: Any) -> dict[str | None, tuple[Operation, Response]]:
    """Return the first response that each component is alone in."""
    return {
        document.named(response.schema): (operation, response)
        for operation in reversed(document.operations.values())
        for response in operation.responses.values()
        if response.schema and "$ref" in response.schema
    }


def _near(operation: Operation, values: Values) -> Values:
    """A request whose window ends near the limit of its length, for which schemas have no word."""
    days = operation.node.get("x-window-under-days")
    if days is None or not isinstance(values, dict):
        return values
    ends = {a.node["x-window"]: a.key for a in operation.arguments.values() if "x-window" in a.node}
    start, end = (moment(values.get(ends[each])) for each in ("start", "end"))
    if start is None or end is None or start.year > 9000:
        return values
    number, limit = zlib.crc32(str(values).encode()), timedelta(days=days)
    choices = (limit, limit - timedelta(milliseconds=1), number / 2**32 * limit)
    end = start + choices[number % 8 if number % 8 < 3 else 2]
    return {**values, ends["end"]: end.isoformat().replace("+00:00", "Z")}


def rendered(operation: Operation, values: Values) -> dict[str, str]:
    """The query of a request as schemathesis writes it, before it is encoded: a second opinion."""
    query = _at(values, "query")
    original = _originals(operation.document)[operation.path][operation.method]
    serialize = original.get_parameter_serializer("query")
    return {
        name: _text(value) for name, value in (serialize(query) if serialize else query).items()
    }


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@lru_cache(maxsize=4)
def _originals(document: Any) -> Any:
    return schemathesis.openapi.from_dict(document.data)


def _at(values: Values, location: str) -> dict[str, Json]:
    prefix = f"{location}."
    return {k.removeprefix(prefix): v for k, v in values.items() if k.startswith(prefix)}


def bodies(mirror: Mirror, path: str, kind: Kind, plan: Plan) -> Iterator[Json]:
    """Yield all bodies that `explore` would check, each once."""
    found: list[Json] = []
    mirror.explore(path, kind, plan, found.append)
    yield from _once(found)


def _once(found: list[Json]) -> Iterator[Json]:
    """Yield each value once, without those that are no JSON: schemathesis makes bytes of some."""
    seen: set[str] = set()
    for value in found:
        try:
            key = json.dumps(value, sort_keys=True)
        except TypeError:
            continue
        if key not in seen:
            seen.add(key)
            yield value
