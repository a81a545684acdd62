"""Claims about status codes and what comes with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.evidence.claims import Claim, Observation, Place, Sources, Update
from pipeline.evidence.documented import Documented
from pipeline.evidence.index import (
    Traffic,
    error_schemas,
    response_of,
    responses_of,
    schema_of,
)
from pipeline.evidence.matching import Call, Operation
from pipeline.evidence.shapes import (
    a,
    fits_alone,
    shown,
    takes,
    type_of,
    whole,
)
from pipeline.openapi.documents import Pointer
from pipeline.openapi.media_types import is_json
from pipeline.openapi.objects import as_dict
from pipeline.openapi.overlay import Action
from pipeline.openapi.wording import either

# They tell of the way to the service and not of the operation.
_NOT_ITS_OWN: Final = frozenset({405, 406, 407, 408, 421, 425, 426, 431, 451})
_SEEN: Final = "Seen in traffic."


class Statuses(Claim):
    """An operation answers with these codes, and with these bodies.

    An action on several operations at once says what one code looks like; on one operation it
    lists the codes of its kind, and another one is against it.
    """

    def __init__(self, sources: Sources, action: Action, places: Sequence[Place]) -> None:
        self.codes: dict[str, Any] = {
            code: node for code, node in action.update.items() if not code.startswith("x-")
        }
        super().__init__(action, either(self.codes).replace(" or ", " and "))
        self.sources = sources
        self.concerned = sources.operations_around(places)
        self.parts = tuple(self.codes)
        self.is_list = len(self.concerned) == 1

    @property
    def unseen(self) -> str:
        kinds = {code[0] for code in self.codes}
        if kinds == {"2"}:
            return "no such answer"
        return f"no answer with {either(self.codes)}" if not self.is_list else "nothing was refused"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        kinds = {code[0] for code in self.codes}
        for operation in self.concerned:
            others = self._others(operation)
            for call in traffic.of(operation):
                status = call.exchange.status
                code = str(status)
                claimed = [each for each in (code, f"{code[0]}XX") if each in self.codes]
                if _is_page(call):
                    continue
                if claimed:
                    yield self._as_claimed(call, claimed[0])
                elif (
                    self.is_list
                    and code[0] in kinds
                    and status < 500
                    and code not in others
                    and status not in _NOT_ITS_OWN
                ):
                    body = self._body_name(call)
                    odd = body and (status >= 400 or self._has_no_body(call))
                    text = f"{code} with {body if status >= 400 else 'a body'}" if odd else code
                    yield Observation("against", text, call, data=call)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        if not self.is_list:
            return None
        calls: dict[str, list[Observation]] = {}
        for each in seen:
            calls.setdefault(str(each.call.exchange.status), []).append(each)
        update: dict[str, Any] = {}
        for code, found in sorted(calls.items()):
            fitting = code in self.codes and all(each.outcome != "against" for each in found)
            made = self.codes[code] if fitting else self._response(code, found)
            if made is None:
                return None
            update[code] = made
        return self.instead(update) if update else None

    def _has_no_body(self, call: Call) -> bool:
        """Whether success is assumed to bring no body."""
        says = self.sources.effective[call.operation.document]
        found = [says.resolved(node, ())[0] for node in self.codes.values()]
        return not any(node.get("content") for node in found)

    def _others(self, operation: Operation) -> set[str]:
        """The codes that the document has for other reasons."""
        says = self.sources.effective[operation.document]
        responses, _ = responses_of(says, operation)
        return {code for code in responses if code.isdecimal() and code not in self.codes}

    def _as_claimed(self, call: Call, code: str) -> Observation:
        says = self.sources.effective[call.operation.document]
        response, at = response_of(says, call.operation, call.exchange.status)
        assert response is not None
        problem = self._body_problem(call, response, at)
        if problem:
            return Observation("against", f"{code} with {problem}", call, code, call)
        if doubt := self._doubt(call, response, at):
            return Observation("fits", f"{code}, {doubt}", call, code)
        for name, node in as_dict(as_dict(self.codes[code]).get("headers")).items():
            if "$ref" in node:
                continue
            text = call.exchange.headers.get(name.lower())
            if text is None:
                return Observation("fits", f"{code} without {name}", call, code)
            number = whole(text)
            value = text if number is None else number
            if not fits_alone(as_dict(node.get("schema")), value):
                told = f"{code} with another form of {name}: {shown(value)}"
                return Observation("against", told, call, code, call)
        return Observation("shows", code, call, code)

    def _body_problem(self, call: Call, response: Mapping[str, Any], at: Pointer) -> str:
        says = self.sources.effective[call.operation.document]
        answered = call.exchange.answered
        wanted = response.get("content")
        if answered.kind == "unknown":
            return ""
        if not wanted:
            return f"a body, {a(type_of(answered.value))}" if answered.kind == "json" else ""
        if answered.kind == "none":
            return "no body"
        if any(is_json(name) for name in wanted) and not is_json(answered.media_type):
            return f"a body of type {answered.media_type or 'unknown'}"
        schema = schema_of(response, at, answered.media_type)
        if schema is None or answered.kind != "json":
            return ""
        if call.ok:
            kinds = says.types(schema)
            return "" if takes(kinds, answered.value) else f"{a(type_of(answered.value))}"
        best = self._nearest(call)
        choices = [one for _, each in says.alternatives(schema) for one in each] or [schema]
        own = min(says.distance(each, answered.value) for each in choices)
        if own[0] or (best is not None and says.distance(best, answered.value) < own):
            return self._body_name(call)
        return ""

    def _doubt(self, call: Call, response: Mapping[str, Any], at: Pointer) -> str:
        """Why an answer with the right code is no proof; empty if it is one."""
        answered = call.exchange.answered
        if not any(map(is_json, response.get("content") or ())):
            return ""
        if answered.kind != "json":
            return "whose body is not known"
        schema = schema_of(response, at, answered.media_type)
        if schema is None or not call.ok:
            return ""
        problem = self.sources.effective[call.operation.document].mismatch(schema, answered.value)
        return problem and f"with {problem}"

    def _nearest(self, call: Call) -> Pointer | None:
        """The error body of the operation that an answer is nearest to."""
        says = self.sources.effective[call.operation.document]
        answered = call.exchange.answered
        found = error_schemas(says, call.operation, answered.media_type)
        return says.closest(found, answered.value)

    def _body_name(self, call: Call) -> str:
        """What an answer carries, in words; empty for nothing."""
        answered = call.exchange.answered
        if answered.kind in ("none", "unknown"):
            return ""
        if answered.kind != "json":
            return f"a body of type {answered.media_type or 'unknown'}"
        best = self._nearest(call)
        if best is None:
            return f"another body, {a(type_of(answered.value))}"
        says = self.sources.effective[call.operation.document]
        return f"the body {_name(says, best)}"

    def _response(self, code: str, found: Sequence[Observation]) -> Any:
        """A response as it came; None if it cannot be said."""
        calls = [each.call for each in found]
        bodies = [call.exchange.answered for call in calls]
        document = self.sources.effective[calls[0].operation.document]
        if any(body.kind == "unknown" for body in bodies):
            return None
        with_json = [body.value for body in bodies if body.kind == "json"]
        if with_json and len(with_json) != len(bodies):
            return None
        if any(body.kind in ("form", "text") for body in bodies):
            return None
        if code[0] != "2":
            return self._refusal(code, calls, with_json)
        alike = [node for own, node in self.codes.items() if own[0] == "2"]
        if alike:
            node, _ = document.resolved(alike[0], ())
            if bool(node.get("content")) == bool(with_json):
                return alike[0]
        if not with_json:
            return {"description": "Done; no body came."}
        return _with_body(document, with_json)

    def _refusal(self, code: str, calls: Sequence[Call], values: Sequence[Any]) -> Any:
        document = self.sources.effective[calls[0].operation.document]
        if not values:
            return {"description": _SEEN}
        nearby = {self._nearest(call) for call in calls}
        if len(nearby) == 1 and (nearest := nearby.pop()) is not None:
            name = _name(document, nearest)
            components = as_dict(document.data.get("components"))
            for key, node in as_dict(components.get("responses")).items():
                schema = schema_of(node, ("components", "responses", key), "application/json")
                if schema and as_dict(document.node(schema)).get("$ref", "").endswith(
                    f"/schemas/{name}"
                ):
                    return {"$ref": f"#/components/responses/{key}", "description": _SEEN}
        return _with_body(document, values)


def _with_body(document: Documented, values: Sequence[Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": document.schema_like(values)}}
    return {"description": _SEEN, "content": content}


def _name(document: Documented, pointer: Pointer) -> str:
    reference = str(as_dict(document.node(pointer)).get("$ref", ""))
    return reference.rpartition("/")[2] or str(pointer[-1])


def _is_page(call: Call) -> bool:
    """Whether something on the way answered an API's request with a page for people."""
    answered = call.exchange.answered
    return answered.kind != "none" and answered.media_type in ("text/html", "text/plain")
