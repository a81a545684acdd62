"""Claims about status codes and what comes with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.evidence.claims import Claim, Observation, Place, Sources, Update
from pipeline.evidence.documented import Documented
from pipeline.evidence.routes import Call, Operation
from pipeline.evidence.traffic import (
    Traffic,
    choices_of,
    error_schemas,
    number_or_text,
    response_of,
    responses_of,
    schema_of,
)
from pipeline.evidence.values import a, fits_alone, shown, takes, type_of
from pipeline.openapi.documents import Pointer
from pipeline.openapi.media_types import is_json
from pipeline.openapi.objects import as_dict
from pipeline.openapi.overlay import Action
from pipeline.openapi.wording import either

# They come from the way to the service and not from the operation.
_NOT_ITS_OWN: Final = frozenset({405, 406, 407, 408, 421, 425, 426, 431, 451})
_SEEN: Final = "Seen in traffic."


class Statuses(Claim):
    """An operation responds with these codes, and with these bodies.

    An action on several operations at once describes one code; on one operation it lists the codes
    of its kind, and another one is against it.
    """

    def __init__(self, sources: Sources, action: Action, places: Sequence[Place]) -> None:
        self.codes: dict[str, Any] = {
            code: node for code, node in action.update.items() if not code.startswith("x-")
        }
        super().__init__(sources, action, either(self.codes).replace(" or ", " and "))
        self.concerned = sources.operations_around(places)
        self.parts = tuple(self.codes)
        self.kinds = {code[0] for code in self.codes}
        self.is_list = len(self.concerned) == 1
        if self.kinds == {"2"}:
            self.unseen = "no such response"
        else:
            text = f"no response with {either(self.codes)}"
            self.unseen = "nothing was refused" if self.is_list else text

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for operation in self.concerned:
            others = self._others(operation)
            for call in traffic.of(operation):
                code = str(call.exchange.status)
                claimed = [each for each in (code, f"{code[0]}XX") if each in self.codes]
                if _is_page(call):
                    continue
                if claimed:
                    yield self._as_claimed(call, claimed[0])
                elif self.is_list and code[0] in self.kinds and code not in others:
                    yield from self._other_code(call, code)

    def _others(self, operation: Operation) -> set[str]:
        """Return the codes that the document has for other reasons."""
        responses, _ = responses_of(self.sources.effective[operation.document], operation)
        return {code for code in responses if code.isdecimal() and code not in self.codes}

    def _other_code(self, call: Call, code: str) -> Iterator[Observation]:
        status = call.exchange.status
        if status < 500 and status not in _NOT_ITS_OWN:
            body = self._body_name(call)
            if status < 400:
                body = "a body" if body and self._has_no_body(call) else ""
            text = f"{code} with {body}" if body else code
            yield Observation("against", text, call, data=call)

    def _has_no_body(self, call: Call) -> bool:
        """Return whether success is assumed to bring no body."""
        found = [self.says(call).resolved(node, ())[0] for node in self.codes.values()]
        return not any(node.get("content") for node in found)

    def _as_claimed(self, call: Call, code: str) -> Observation:
        response, at = response_of(self.says(call), call.operation, call.exchange.status)
        assert response is not None
        body = call.exchange.response
        schema = schema_of(response, at, body.media_type) if body.kind == "json" else None
        if problem := self._body_problem(call, response, schema):
            return Observation("against", f"{code} with {problem}", call, code, call)
        if any(map(is_json, response.get("content") or ())):
            if body.kind != "json":
                return Observation("fits", f"{code}, whose body is not known", call, code)
            if schema and call.ok and (odd := self.says(call).mismatch(schema, body.value)):
                return Observation("fits", f"{code}, with {odd}", call, code)
        for name, node in as_dict(as_dict(self.codes[code]).get("headers")).items():
            if "$ref" in node:
                continue
            text = call.exchange.headers.get(name.lower())
            if text is None:
                return Observation("fits", f"{code} without {name}", call, code)
            value = number_or_text(text)
            if not fits_alone(as_dict(node.get("schema")), value):
                seen = f"{code} with another form of {name}: {shown(value)}"
                return Observation("against", seen, call, code, call)
        return Observation("shows", code, call, code)

    def _body_problem(self, call: Call, response: Mapping[str, Any], schema: Pointer | None) -> str:
        """Return what is wrong with a body for a response; empty for nothing."""
        body, content = call.exchange.response, response.get("content")
        if body.kind == "unknown":
            return ""
        if not content:
            return f"a body, {a(type_of(body.value))}" if body.kind == "json" else ""
        if body.kind == "none":
            return "no body"
        if any(map(is_json, content)) and not is_json(body.media_type):
            return f"a body of type {body.media_type or 'unknown'}"
        if schema is None:
            return ""
        says = self.says(call)
        if call.ok:
            return "" if takes(says.types(schema), body.value) else a(type_of(body.value))
        own = min(says.distance(each, body.value) for each in choices_of(says, schema))
        best = self._nearest(call)
        if own[0] or (best is not None and says.distance(best, body.value) < own):
            return self._body_name(call)
        return ""

    def _nearest(self, call: Call) -> Pointer | None:
        """Return the error body of the operation that a response is nearest to."""
        body, says = call.exchange.response, self.says(call)
        return says.closest(error_schemas(says, call.operation, body.media_type), body.value)

    def _body_name(self, call: Call) -> str:
        """Return what a response carries, in words; empty for nothing."""
        body = call.exchange.response
        if body.kind in ("none", "unknown"):
            return ""
        if body.kind != "json":
            return f"a body of type {body.media_type or 'unknown'}"
        best = self._nearest(call)
        if best is None:
            return f"another body, {a(type_of(body.value))}"
        return f"the body {_name(self.says(call), best)}"

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        if not self.is_list:
            return None
        found: dict[str, list[Observation]] = {}
        for each in seen:
            found.setdefault(str(each.call.exchange.status), []).append(each)
        update: dict[str, Any] = {}
        for code, observed in sorted(found.items()):
            fits = code in self.codes and all(each.outcome != "against" for each in observed)
            calls = [each.call for each in observed]
            update[code] = self.codes[code] if fits else self._response(code, calls)
        return self.instead(update) if update and None not in update.values() else None

    def _response(self, code: str, calls: Sequence[Call]) -> Any:
        """Return a response as it came; None if it cannot be written."""
        bodies = [call.exchange.response for call in calls]
        values = [body.value for body in bodies if body.kind == "json"]
        if any(body.kind not in ("json", "none") for body in bodies):
            return None
        if values and len(values) != len(bodies):
            return None
        document = self.says(calls[0])
        if code[0] == "2":
            for own, node in self.codes.items():
                if own[0] == "2":
                    content = document.resolved(node, ())[0].get("content")
                    if bool(content) == bool(values):
                        return node
                    break
            return (
                _with_body(document, values) if values else {"description": "Done; no body came."}
            )
        if not values:
            return {"description": _SEEN}
        return self._named(document, calls) or _with_body(document, values)

    def _named(self, document: Documented, calls: Sequence[Call]) -> Any:
        """Return a reference to the response that has the body of all calls, if there is one."""
        nearby = {self._nearest(call) for call in calls}
        nearest = nearby.pop()
        if nearby or nearest is None:
            return None
        end = f"/schemas/{_name(document, nearest)}"
        responses = as_dict(as_dict(document.data.get("components")).get("responses"))
        for key, node in responses.items():
            schema = schema_of(node, ("components", "responses", key), "application/json")
            if schema and as_dict(document.node(schema)).get("$ref", "").endswith(end):
                return {"$ref": f"#/components/responses/{key}", "description": _SEEN}
        return None


def _with_body(document: Documented, values: Sequence[Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": document.schema_like(values)}}
    return {"description": _SEEN, "content": content}


def _name(document: Documented, pointer: Pointer) -> str:
    reference = str(as_dict(document.node(pointer)).get("$ref", ""))
    return reference.rpartition("/")[2] or str(pointer[-1])


def _is_page(call: Call) -> bool:
    """Return whether something on the way responded with a page for people."""
    body = call.exchange.response
    return body.kind != "none" and body.media_type in ("text/html", "text/plain")
