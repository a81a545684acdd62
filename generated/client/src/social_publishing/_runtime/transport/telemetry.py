"""Spans of OpenTelemetry for every attempt, as a middleware: `middleware=[tracing()]`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import parse_qsl, urlsplit

from ..core.errors import ConfigurationError

if TYPE_CHECKING:
    from ..core.errors import Exchange
    from .middleware import AsyncMiddleware, Attempt, Middleware


class TracerProvider(Protocol):
    """Where spans go: a `TracerProvider` of OpenTelemetry, or what is like it."""

    def get_tracer(self, instrumenting_module_name: str, /) -> Any:
        """Return what makes the spans of a module."""


def tracing(tracer_provider: TracerProvider | None = None) -> Middleware:
    """Return a middleware that makes a span of every attempt, by the conventions for HTTP clients.

    The span has the name of the method that was called, such as `books.lend`. The service gets
    its `traceparent`. The values of the query, header fields, bodies and the texts of errors
    are not shown, and so the token is not either.

    Args:
        tracer_provider: where the spans go; the one that is set for the process by default.

    Raises:
        ConfigurationError: OpenTelemetry is not installed.
    """
    tracer = _tracer(tracer_provider)

    def trace(attempt: Attempt, send: Callable[[Attempt], Exchange]) -> Exchange:
        with _span(tracer, attempt) as (span, traced):
            return _noted(span, send(traced))

    return trace


def tracing_async(tracer_provider: TracerProvider | None = None) -> AsyncMiddleware:
    """Do what `tracing` does, for the asynchronous client."""
    tracer = _tracer(tracer_provider)

    async def trace(attempt: Attempt, send: Callable[[Attempt], Awaitable[Exchange]]) -> Exchange:
        with _span(tracer, attempt) as (span, traced):
            return _noted(span, await send(traced))

    return trace


def _tracer(provider: TracerProvider | None) -> Any:
    try:
        trace: Any = import_module("opentelemetry.trace")
    except ImportError as error:
        raise ConfigurationError(
            "spans need OpenTelemetry: install opentelemetry-api, or the extra opentelemetry"
        ) from error
    return trace.get_tracer(__name__.partition(".")[0], tracer_provider=provider)


@contextmanager
def _span(tracer: Any, attempt: Attempt) -> Generator[tuple[Any, Attempt]]:
    """The span of an attempt, and the attempt that carries it to the service."""
    with tracer.start_as_current_span(
        attempt.operation,
        kind=import_module("opentelemetry.trace").SpanKind.CLIENT,
        attributes=_facts(attempt),
        # Neither the text of an error nor its traceback is known to be fit for others to read.
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        headers = dict(attempt.headers)
        import_module("opentelemetry.propagate").inject(headers)
        try:
            yield span, attempt._replace(headers=headers)
        except BaseException as error:
            kind = type(error)
            _fail(span, f"{kind.__module__}.{kind.__qualname__}")
            raise


def _facts(attempt: Attempt) -> dict[str, Any]:
    """Return what is known of an attempt before it leaves."""
    parts = urlsplit(attempt.url)
    query = "&".join(f"{name}=REDACTED" for name, _ in parse_qsl(parts.query, True))
    facts: dict[str, Any] = {
        "http.request.method": attempt.method,
        "url.full": parts._replace(query=query).geturl(),
        "server.address": parts.hostname or "",
        "server.port": parts.port or (443 if parts.scheme == "https" else 80),
    }
    if attempt.number > 1:
        facts["http.request.resend_count"] = attempt.number - 1
    return facts


def _noted(span: Any, exchange: Exchange) -> Exchange:
    """Return the response, once its span knows of it."""
    status = exchange.status
    if status is not None:
        span.set_attribute("http.response.status_code", status)
        if status >= 400:
            _fail(span, str(status))
    return exchange


def _fail(span: Any, kind: str) -> None:
    trace: Any = import_module("opentelemetry.trace")
    span.set_attribute("error.type", kind)
    span.set_status(trace.Status(trace.StatusCode.ERROR))
