"""What a project makes of each type: how its clients read and check it, and what its sandbox does.

Every property of every schema is given a set of values in turn. The clients report what they take
for drift, refuse arguments or send them; the sandbox takes or refuses requests of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx2
import jsonschema_rs

from pipeline.openapi.references import followed

VALUES: tuple[Any, ...] = (None, "t", 7, 7.5, True, [], ["t"], [7], [None], [{}], {}, {"a": "t"})
DEEP = 5
Chain = tuple[Any, ...]
"""How a schema is reached: a schema with the name of its property, or the mark of a container."""


class Shapes:
    """The types of a project, by schema and property and by operation."""

    def __init__(self, folder: Path, calls: Mapping[str, tuple[str, Any]], codes: Iterable[str]):
        self.documents = {
            name: json.loads((folder / f"documents/{name}.json").read_text(encoding="utf-8"))
            for name in ("main", "media")
        }
        self.calls, self.values = calls, (*VALUES, *codes)
        self.file = folder / "clip.srt"
        self.sent: list[httpx2.Request] = []
        self.body: Any = {}
        self.drifts: list[Any] = []

    # Documents

    def found(self, name: str, node: Any) -> tuple[str, Any]:
        """Return the name of a schema that is referred to, and the schema itself, not null."""
        own = ""
        while isinstance(node, dict) and ("$ref" in node or "anyOf" in node):
            if "$ref" in node:
                own = node["$ref"].rpartition("/")[2]
                node = followed(self.documents[name], node)[1]
            else:
                node = next(each for each in node["anyOf"] if each.get("type") != "null")
        return own, node

    def operations(self) -> Iterator[tuple[str, str, str, str, Any]]:
        """Yield document, identifier, method, path and object of each operation that is called."""
        for name, document in self.documents.items():
            for path, item in document["paths"].items():
                for method, node in item.items():
                    if isinstance(node, dict) and node.get("operationId") in self.calls:
                        yield name, node["operationId"], method, path, node

    def response(self, name: str, node: Any) -> Any:
        """Return the schema of what an operation returns, or None."""
        codes = [each for each in node["responses"] if each[0] == "2"]
        for code in sorted(codes):
            _, response = self.found(name, node["responses"][code])
            if content := response.get("content"):
                return content["application/json"]["schema"]
        return None

    @cached_property
    def reached(self) -> dict[str, tuple[str, str, Any, Chain]]:
        """Every schema with properties that a response has: document, operation, it, the chain."""
        every: dict[str, tuple[str, str, Any, Chain]] = {}

        def walk(name: str, operation: str, node: Any, called: str, chain: Chain) -> None:
            own, schema = self.found(name, node)
            called = own or called
            if called in every or not isinstance(schema, dict) or len(chain) > 2 * DEEP:
                return
            if "properties" in schema:
                every[called] = name, operation, schema, chain
            for key, each in schema.get("properties", {}).items():
                walk(name, operation, each, f"{called}.{key}", (*chain, (schema, key)))
            if isinstance(schema.get("items"), dict):
                walk(name, operation, schema["items"], called, (*chain, "[]"))
            if isinstance(schema.get("additionalProperties"), dict):
                walk(name, operation, schema["additionalProperties"], called, (*chain, "{}"))

        for name, operation, _, _, node in self.operations():
            if schema := self.response(name, node):
                walk(name, operation, schema, operation, ())
        return every

    def least(self, name: str, node: Any) -> Any:
        """Return the smallest value of a schema."""
        _, schema = self.found(name, node)
        kinds = schema.get("type", "string")
        kind = kinds if isinstance(kinds, str) else (*kinds, "null")[0]
        if kind == "object":
            known = schema.get("properties", {})
            return {
                each: self.least(name, known[each]) for each in schema.get("required", ())
                if each in known
            }  # fmt: skip
        codes = schema.get("enum") or schema.get("x-extensible-enum")
        if codes:
            return codes[0]
        if schema.get("format") == "date-time":
            return "2026-12-01T09:00:00Z"
        return {"array": [], "integer": 1, "number": 1, "boolean": False, "null": None}.get(
            kind, "1"
        )

    # Clients

    def client(self, how: str) -> Any:
        """Return a client whose responses are given here."""
        import social_publishing

        def handle(request: httpx2.Request) -> httpx2.Response:
            self.sent.append(request)
            return httpx2.Response(200, json=self.body)

        transport = httpx2.MockTransport(handle)
        kind, http = {
            "client": (social_publishing.SocialPublishing, httpx2.Client),
            "awaited": (social_publishing.AsyncSocialPublishing, httpx2.AsyncClient),
        }[how]
        return kind(
            base_url="http://127.0.0.1:9/v1",
            media_url="http://127.0.0.1:9/api/v1",
            api_token="t",
            http_client=http(transport=transport),
            on_drift=self.drifts.append,
            retries=0,
            pacing="off",
        )

    async def called(self, client: Any, operation: str, given: Any = None) -> str:
        """Call an operation; return how it ends."""
        method, usual = self.calls[operation]
        given = usual if given is None else given
        days = {key: _day(client, method, key, each) for key, each in given.items()}
        if days.get("file"):
            days["file"] = str(self.file)
        resource, _, own = method.partition(".")
        self.sent.clear()
        self.drifts.clear()
        try:
            result = getattr(getattr(client, resource), own)(**days)
            if inspect.isawaitable(result):
                await result
            elif hasattr(result, "__aiter__"):
                async for _ in result:
                    break
            elif own in ("list", "activities"):
                next(iter(result), None)
        except Exception as error:
            return "sent" if self.sent else type(error).__name__
        return "read"

    def seen(self, how: str) -> dict[str, str]:
        """Return what a client makes of every type."""

        async def look() -> dict[str, str]:
            client = self.client(how)
            shown: dict[str, str] = {}
            with warnings.catch_warnings(action="ignore"):
                for called, (name, operation, schema, chain) in self.reached.items():
                    for wire, drifts in (
                        await self.read(client, name, operation, schema, chain)
                    ).items():
                        shown[f"{called}.{wire}"] = drifts
                for _, operation, *_ in self.operations():
                    shown |= await self.taken(client, operation)
            shown |= _annotations()
            with contextlib.suppress(Exception):
                await client.aclose()
            return shown

        return asyncio.run(look())

    async def read(
        self, client: Any, name: str, operation: str, schema: Any, chain: Chain
    ) -> dict[str, str]:
        """Return, by property, which values a client takes for drift."""
        marks: dict[str, list[str]] = {each: [] for each in schema["properties"]}
        for value in (..., *self.values):
            least = self.least(name, schema)
            inner: Any = {key: each for key, each in least.items() if key not in marks}
            if value is not ...:
                inner = dict.fromkeys(marks, value)
            self.body = self.around(name, chain, inner)
            ended = await self.called(client, operation)
            places = [each.path.replace('["', ".").replace('"]', "") for each in self.drifts]
            for each in marks:
                hits = any(f".{each}" in place for place in places)
                marks[each].append("!" if hits else "?" if ended != "read" else "-")
        return {each: "".join(found) for each, found in marks.items()}

    def around(self, name: str, chain: Chain, value: Any) -> Any:
        """Return a response in which a chain leads to a value."""
        for link in reversed(chain):
            if link == "[]":
                value = [value]
            elif link == "{}":
                value = {"1": value}
            else:
                schema, key = link
                value = {**self.least(name, schema), key: value}
        return value

    async def taken(self, client: Any, operation: str) -> dict[str, str]:
        """Return, by argument, what a client refuses to send: missing, null, and empty."""
        method, given = self.calls[operation]
        resource, _, own = method.partition(".")
        signature = inspect.signature(getattr(getattr(client, resource), own))
        self.body = {}
        shown = {
            f"{operation}()": str(signature.replace(return_annotation=inspect.Signature.empty))
        }
        for name in signature.parameters:
            rest = {key: each for key, each in given.items() if key != name}
            changed = [rest, *({**rest, name: each} for each in (None, [], ""))]
            ends = [await self.called(client, operation, each) for each in changed]
            shown[f"{operation}({name})"] = " ".join("sent" if e == "read" else e for e in ends)
        return shown

    # The sandbox

    def asked(self, sandbox: Any) -> dict[str, str]:
        """Return what the sandbox takes, and how its responses differ from the documents."""
        shown: dict[str, str] = {}
        client, http = self.client("client"), httpx2.Client()
        for name, operation, method, _path, node in self.operations():
            sandbox.reset()
            self.body = {}
            asyncio.run(self.called(client, operation))
            request = self.sent[0]
            origin = sandbox.media_url if name == "media" else sandbox.base_url
            target = request.url.raw_path.decode().removeprefix("/api").removeprefix("/v1")
            headers = {"Authorization": f"Bearer {sandbox.token}"}
            text = (
                request.content
                if request.headers.get("content-type") == "application/json"
                else b""
            )
            body = json.loads(text) if text else None
            if method == "get" or body is not None:
                response = http.request(method, origin + target, headers=headers, json=body)
                schema = self.response(name, node)
                if schema and response.is_success and response.content:
                    rules = {**self.documents[name], **schema}
                    errors = jsonschema_rs.validator_for(rules, offline=True).iter_errors(
                        response.json()
                    )
                    shown[f"{operation}: fits"] = str([str(each) for each in errors][:2])
            for member in body or ():
                for changed in (
                    {k: v for k, v in body.items() if k != member},
                    {**body, member: None},
                ):
                    sandbox.reset()
                    done = http.request(method, origin + target, headers=headers, json=changed)
                    shown.setdefault(f"{operation}({member})", "")
                    shown[f"{operation}({member})"] += f" {done.status_code}"
        http.close()
        return shown

    def bodies(self) -> dict[str, list[str]]:
        """Return the operations whose bodies are made of a schema, by its name."""
        every: dict[str, list[str]] = {}
        for name, operation, _, _, node in self.operations():
            text = json.dumps(node.get("requestBody", {}))
            for schema in self.documents[name]["components"]["schemas"]:
                if f'/schemas/{schema}"' in text:
                    every.setdefault(schema, []).append(operation)
        return every


def _day(client: Any, method: str, name: str, value: Any) -> Any:
    from datetime import UTC, date, datetime

    if not isinstance(value, tuple):
        return value
    resource, _, own = method.partition(".")
    signature = inspect.signature(getattr(getattr(client, resource), own))
    is_day = "datetime" not in str(signature.parameters[name].annotation)
    return date(*value) if is_day else datetime(*value, tzinfo=UTC)


def _annotations() -> dict[str, str]:
    """Return the annotation of each field of each public model, and the codes that it names."""
    from social_publishing import models

    every = {name: getattr(models, name) for name in models.__all__}
    codes = {
        name: f"{[str(each) for each in found.__mro__[1:]]} {[*getattr(found, '__members__', ())]}"
        for name, found in every.items()
        if isinstance(found, type)
    }
    shown = {f"{name} :": text for name, text in codes.items()}
    for name in codes:
        for field, type_ in inspect.get_annotations(every[name]).items():
            named = [each for each in re.findall(r"\w+", str(type_)) if each in codes]
            shown[f"{name}.{field} :"] = f"{type_} {[codes[each] for each in named]}"
    return shown
