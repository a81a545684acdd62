"""Cases, made by schemathesis.

Schemathesis stands in this module and in `stateful` alone. What it has no public door for is taken
through `_covering`; test_contract_harness.py holds that these still do what they did.
"""

from __future__ import annotations

import json
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any, Literal

import hypothesis
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import HypothesisWarning, NonInteractiveExampleWarning
from hypothesis.internal.conjecture.providers import Constants, HypothesisProvider
from schemathesis import GenerationMode
from schemathesis.generation.drivers import CoverageGenerator
from schemathesis.generation.feedback import NO_FEEDBACK
from schemathesis.generation.overrides import Override

from harness.documents import Json, Operation, Response, Schema, Values
from harness.judging import moment
from harness.mirrors import request_mirror, response_mirror

# Hypothesis takes constants from the modules that happen to be imported. Cases come from the
# documents and the seed alone: a new name in the client must not change them.
HypothesisProvider._local_constants = Constants()  # type: ignore[assignment]

Kind = Literal["positive", "negative"]
THOROUGH = 100
"""Random cases from which on nothing is left out of what is covered."""


@dataclass(frozen=True)
class Plan:
    """How many cases are made at random, and from which seed."""

    examples: int = 20
    seed: int = 1


class Mirror:
    """A mirror, loaded once; `path` names one of its bodies."""

    def __init__(self, document: Schema) -> None:
        self._schema: Any = schemathesis.openapi.from_dict(document)

    def covering(self, path: str, kind: Kind) -> list[Json]:
        """The bodies that differ in one place each: every boundary, value, type and absence."""
        operation = self._schema[f"/{path}"]["POST"]
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
        strategy = self._schema[f"/{path}"]["POST"].as_strategy(
            generation_mode=GenerationMode(kind)
        )
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
        at_random(strategy, plan, lambda case: check(whole(case.body)))


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
    """All requests that `explore_requests` would check, each once."""
    found: list[Values] = []
    explore_requests(operation, kind, plan, found.append)
    yield from _once(found)


@lru_cache(maxsize=4)
def _answers_of(document: Any) -> Mirror:
    responses = [(o, each) for o in document.operations.values() for each in o.responses.values()]
    return Mirror(response_mirror(responses))


def explore_answers(
    operation: Operation, response: Response, kind: Kind, plan: Plan, check: Callable[[Json], None]
) -> None:
    """Check answers as `{"headers": …, "body": …}`, valid or not.

    What many operations answer is looked into for one of them, and no more than that for the
    others, but for a plan that is thorough.
    """
    mirror = _answers_of(operation.document)
    first = _firsts(operation.document).get(_heart(operation, response), (operation, response))
    most: int | None = None
    if plan.examples < THOROUGH:
        is_first = first == (operation, response)
        most, share = _MOST[kind] if is_first else _LITTLE
        plan = Plan(-(-plan.examples // share), plan.seed)
    mirror.explore(f"{operation.id}/{response.status}", kind, plan, check, most)


# Covering cases at most, and the share of the random ones.
_MOST = {"positive": (1000, 1), "negative": (160, 4)}
_LITTLE = (20, 20)


def covering_answers(operation: Operation, response: Response) -> list[Json]:
    """The valid answers that differ in one place each, the shortest first."""
    return _covering(_answers_of(operation.document), f"{operation.id}/{response.status}")


@lru_cache(maxsize=256)
def _covering(mirror: Mirror, path: str) -> list[Json]:
    found = map(whole, mirror.covering(path, "positive"))
    return sorted(found, key=lambda each: len(json.dumps(each)))


def _heart(operation: Operation, response: Response) -> str | None:
    """The component that an answer is, or has many of."""
    node = response.schema or {}
    schema = operation.document.resolve(node)
    items = operation.node.get("x-paging", {}).get("items")
    if items in schema.get("properties", {}):
        schema = schema["properties"][items]
    return operation.document.named(schema.get("items", node))


@lru_cache(maxsize=4)
def _firsts(document: Any) -> dict[str | None, tuple[Operation, Response]]:
    """The first answer that each component is alone in."""
    return {
        document.named(each.schema): (operation, each)
        for operation in reversed(document.operations.values())
        for each in operation.responses.values()
        if each.schema and "$ref" in each.schema
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
    """All bodies that `explore` would check, each once."""
    found: list[Json] = []
    mirror.explore(path, kind, plan, found.append)
    yield from _once(found)


def _once(found: list[Json]) -> Iterator[Json]:
    """Each value once, without those that are no JSON: schemathesis makes bytes of some."""
    seen: set[str] = set()
    for value in found:
        try:
            key = json.dumps(value, sort_keys=True)
        except TypeError:
            continue
        if key not in seen:
            seen.add(key)
            yield value
