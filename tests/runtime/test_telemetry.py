"""Spans of attempts: what they show, what they never show, and what the service is told."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from typing import Any

import httpx2
import pytest
from runtime.core.errors import ConfigurationError
from runtime.engine.client import AsyncClient, Client
from runtime.limits.retries import Retries
from runtime.transport.telemetry import tracing, tracing_async
from runtime_support import TOKEN, Broken, NotFound, options, request, settings

from tests.support.clock import StillClock

pytest.importorskip("opentelemetry.sdk", reason="needs opentelemetry-sdk")

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

Handler = Callable[[httpx2.Request], httpx2.Response]
Send = Callable[..., Any]


class Traced:
    """A client whose attempts become spans, and a parent of them all."""

    def __init__(self, asynchronous: bool) -> None:
        self.asynchronous = asynchronous
        self.exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))

    def send(
        self,
        handler: Handler,
        call: Any = None,
        middleware: Sequence[Any] = (),
        using: Any = None,
    ) -> Any:
        """Send a request within a span called `parent`."""
        call = call or request(path="/pets")
        using = using or settings(clock=StillClock())
        transport = httpx2.MockTransport(handler)
        ours = (tracing_async if self.asynchronous else tracing)(self.provider)
        given = options(retries=Retries(attempts=3), middleware=(ours, *middleware))
        with self.provider.get_tracer("test").start_as_current_span("parent"):
            if self.asynchronous:
                http = httpx2.AsyncClient(transport=transport)
                return asyncio.run(AsyncClient(using, given, http).send(call))
            return Client(using, given, httpx2.Client(transport=transport)).send(call)

    @property
    def spans(self) -> list[ReadableSpan]:
        """Of the attempts, in their order."""
        return [span for span in self.exporter.get_finished_spans() if span.name != "parent"]


@pytest.fixture(params=["sync", "async"])
def traced(request: pytest.FixtureRequest) -> Traced:
    return Traced(request.param == "async")


def test_a_span_for_every_attempt(traced: Traced) -> None:
    """By the conventions; each is a child of what went on, and the service is told which it is."""
    statuses = iter([503, 200])
    seen: list[httpx2.Request] = []

    def handler(sent: httpx2.Request) -> httpx2.Response:
        seen.append(sent)
        return httpx2.Response(next(statuses))

    traced.send(handler, request(path="/pets", operation="pets.list"))
    first, second = traced.spans
    assert [span.name for span in traced.spans] == ["pets.list"] * 2
    assert {span.kind for span in traced.spans} == {SpanKind.CLIENT}
    assert dict(first.attributes or {}) == {
        "http.request.method": "GET",
        "url.full": "https://main.test/v1/pets",
        "server.address": "main.test",
        "server.port": 443,
        "http.response.status_code": 503,
        "error.type": "503",
    }
    assert first.status.status_code is StatusCode.ERROR
    assert dict(second.attributes or {}) == {
        "http.request.method": "GET",
        "url.full": "https://main.test/v1/pets",
        "server.address": "main.test",
        "server.port": 443,
        "http.request.resend_count": 1,
        "http.response.status_code": 200,
    }
    assert second.status.status_code is StatusCode.UNSET
    (parent,) = (s for s in traced.exporter.get_finished_spans() if s.name == "parent")
    for span, sent in zip(traced.spans, seen, strict=True):
        assert span.parent is not None and span.parent.span_id == parent.context.span_id
        told = f"00-{span.context.trace_id:032x}-{span.context.span_id:016x}-"
        assert sent.headers["traceparent"].startswith(told)
        assert sent.headers["Authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize("status, kind", [(200, KeyError), (404, NotFound), (500, Broken)])
def test_nothing_is_shown_that_might_be_secret(
    traced: Traced, status: int, kind: type[Exception]
) -> None:
    """Neither the token nor header fields, bodies, values of the query and texts of errors."""
    inner: Any = (tracing_async if traced.asynchronous else tracing)(traced.provider)

    def secretive(attempt: Any, send: Send) -> Any:
        if status == 200:
            raise KeyError(f"swordfish {TOKEN}")
        url = attempt.url + f"?name=swordfish&empty=&token={TOKEN}&name=2"
        return inner(attempt._replace(url=url), send)

    def handler(sent: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, headers={"x-secret": "swordfish"}, content=b"swordfish")

    with pytest.raises(kind):
        traced.send(handler, None, [secretive])
    texts = [span.to_json() for span in traced.spans]
    assert not any(TOKEN in text or "swordfish" in text for text in texts)
    if status != 200:
        assert "?name=REDACTED&empty=REDACTED&token=REDACTED&name=REDACTED" in texts[0]
        assert [(span.attributes or {})["error.type"] for span in traced.spans[:2]] == [
            str(status)
        ] * 2


def test_the_provider_of_the_process_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Traced(False)
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", made.provider)
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200))
    given = options(middleware=(tracing(),))
    Client(settings(), given, httpx2.Client(transport=transport)).send(request())
    assert [span.name for span in made.spans] == ["pets.list"]


@pytest.mark.parametrize("make", [tracing, tracing_async])
def test_without_opentelemetry_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[], object]
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", None)
    with pytest.raises(ConfigurationError, match="install opentelemetry-api"):
        make()
