"""One API over HTTP: match, count, check, carry out and log requests."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Any, Final, Literal, cast

from social_publishing_sandbox.api import validation
from social_publishing_sandbox.api.faults.registry import Action, Faults
from social_publishing_sandbox.api.faults.sending import before, drop_unread, send_with_fault
from social_publishing_sandbox.api.operations import HANDLERS
from social_publishing_sandbox.api.request import (
    Request,
    accepts_json,
    ambiguity,
    announces_body,
    check_coding,
    raw_path,
    violations,
)
from social_publishing_sandbox.api.request_log.entry import Entry
from social_publishing_sandbox.api.request_log.ring import RequestLog
from social_publishing_sandbox.api.space import no_space
from social_publishing_sandbox.api.transport import Disconnected, Receive, Scope, Send
from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state.documents import Document, DocumentedResponse, Json, Operation
from social_publishing_sandbox.state.error_bodies import error_body
from social_publishing_sandbox.state.given import Unread
from social_publishing_sandbox.state.rate_limit import Budget
from social_publishing_sandbox.state.refusals import Reason, Refusal
from social_publishing_sandbox.state.service import Call, Service
from social_publishing_sandbox.state.views import fitted
from social_publishing_sandbox.state.wording import sentence

Headers = list[tuple[bytes, bytes]]

_HOST: Final = re.compile(r"[A-Za-z0-9.\-_\[\]:]{1,255}")
_JSON: Final = (b"content-type", b"application/json")
_HANDLER_WANTED: Final = "add a handler to HANDLERS in social_publishing_sandbox/api/operations."

log = logging.getLogger("social_publishing_sandbox")


@dataclass(slots=True)
class Response:
    """A response before it is sent.

    Attributes:
        problems: what the document does not allow in the response that this one stands for.
        cites: what a refusal rests on; see `Refusal`.
    """

    status: int
    body: bytes = b""
    headers: Headers = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    cites: tuple[str, ...] = ()


Streaming = Callable[[Service, Call, Request], Awaitable[Any]]


class Api:
    """An ASGI application that serves the operations of one document below its base path."""

    def __init__(
        self,
        service: Service,
        document: Document,
        request_log: RequestLog,
        faults: Faults,
        *,
        streaming: Mapping[str, Streaming] | None = None,
    ) -> None:
        self._service = service
        self._document = document
        self._name = cast('Literal["main", "media"]', document.name)
        self._request_log = request_log
        self._faults = faults
        self._streaming = streaming or {}
        self.check: validation.ResponseCheck | None = None
        if missing := document.operations.keys() - HANDLERS.keys() - self._streaming.keys():
            names = ", ".join(sorted(missing))
            log.warning("no handler for %s, so it responds with 501: %s", names, _HANDLER_WANTED)
        self._prefix = f"{document.base}/"
        self._rate = document.rate
        limited: Json = document.assume.get("rateLimit", {})
        self._is_uncounted = limited.get("withoutUser") == "not counted"
        self._wants_json = document.assume.get("requests", {}).get("otherAccept") == "refused"

    def serves(self, path: str) -> bool:
        """Return whether a path belongs to this API."""
        return path.startswith(self._prefix) or path == self._document.base

    def rate_headers(self) -> Headers:
        """Return the rate headers (§8) of a response to nobody that another part gives."""
        return _rate_headers(self._service.limits.look("", self._document.name), self._rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, started = time.time(), time.perf_counter_ns()
        headers = dict(scope["headers"])
        read = not announces_body(scope, headers)
        request = Request(scope, receive, headers, raw_path(scope), read=read)
        try:
            response = await self._respond(request)
        except Disconnected:
            response = None
        number = self._write_down(request, response, began, started)
        if response is None:  # after it was written down: who sees the end looks there next
            return await drop_unread(request.action, scope)
        response.headers.append((b"sandbox-request", b"%d" % number))
        if not request.read:
            if not request.keeps_connection:
                response.headers.append((b"connection", b"close"))
            if not request.awaits_continue:
                send = request.responding_first(send)
        documented = request.operation.responses.get(response.status) if request.operation else None
        await send_with_fault(
            request.action,
            scope,
            send,
            response.status,
            response.headers,
            response.body,
            documented.schema if documented else None,
            self._document.resolve,
        )

    async def _respond(self, request: Request) -> Response | None:
        """Return the response to a request, with the rate that every response carries (§8).

        None where a fault ends the connection, and nothing was carried out.
        """
        methods = self._match(request)
        budget = self._identify(request)
        operation, user = request.operation, request.user
        action = request.action = self._faults.pick(
            operation.id if operation else None, *((user["id"], user["name"]) if user else ())
        )
        if action and not await before(action):
            return None
        if problem := ambiguity(request):
            documented, cites = DocumentedResponse(400, None), ("requests.malformed",)
            response = self._error(documented, problem, {}, cites=cites)
        elif operation is None:
            is_over = budget.wait and request.user
            response = self._limited(None, budget) if is_over else self._unknown(request, methods)
        else:
            forced = action if action and action.refuses and user else None
            if forced and forced.kind == "rate-limited":
                budget = budget._replace(remaining=0)
            response = await self._operate(request, operation, budget, forced)
        response.headers += _rate_headers(budget, self._rate)
        return response

    def _identify(self, request: Request) -> Budget:
        """Find whose request it is (§5), and count it (§8)."""
        service = self._service
        token = _token(request)
        with service.store.lock:
            request.user = service.user_of(token) if token else None
            name = self._document.name
            if request.user is None and self._is_uncounted:
                return service.limits.look("", name)
            return service.limits.take(request.user["id"] if request.user else "", name)

    async def _operate(
        self, request: Request, operation: Operation, budget: Budget, forced: Action | None
    ) -> Response:
        """Return an operation's response, also where it refuses the request or fails."""
        try:
            if request.user is None:
                raise Refusal(Reason.UNAUTHORIZED, _token_problem(request), cites="§5")
            if forced:
                return self._forced(operation, forced, budget)
            if budget.wait:
                response = self._limited(operation, budget)
            elif self._wants_json and not accepts_json(request.headers):
                message = "The request must accept application/json."
                documented = operation.error(406)
                return self._error(documented, message, {}, cites=("§5", "requests.accept"))
            else:
                response = await self._carry_out(request, operation, request.user)
        except Unread as unread:
            log.warning("%s", unread)
            response = self._error(operation.error(501), str(unread), {})
        except Refusal as refusal:
            documented = operation.refusal(refusal.reason)
            message, errors = refusal.message, refusal.errors
            response = self._error(documented, message, errors, cites=refusal.cites)
        except Disconnected:
            raise
        except Exception as error:
            response = self._broken(operation, error)
        if self.check:
            self._hold_against_document(operation, response, self.check)
        return response

    def _match(self, request: Request) -> Mapping[str, Operation]:
        methods, pieces = self._document.find(request.raw_path, self._document.base)
        if operation := methods.get(request.scope["method"]):
            request.operation = operation
            request.path = {
                name[1:-1]: got
                for name, got in zip(operation.segments, pieces, strict=True)
                if name[0] == "{"
            }
        return methods

    async def _carry_out(self, request: Request, operation: Operation, user: Json) -> Response:
        if operation.body or operation.form:
            check_coding(request)
        stream = self._streaming.get(operation.id)
        if not stream and operation.id not in HANDLERS:
            message = f"The sandbox has no handler for {operation.id}: {_HANDLER_WANTED}"
            return self._error(operation.error(501), message, {})
        content = await request.content() if operation.body and not stream else b""
        query = request.scope["query_string"]
        call = Call(
            operation=operation,
            user=user,
            values=validation.parameters(operation, request.path, query, request.headers),
            body=None if stream else validation.body(operation, request.content_type, content),
            address=self._address(request),
            query=query.decode("latin-1"),
        )
        result = await stream(self._service, call, request) if stream else self._work(call)
        call.check_read()
        schema = operation.responses[operation.success].schema
        if schema is None:
            return Response(operation.success)
        if operation.has_own_body:
            result = fitted(self._document, schema, result)
        return Response(operation.success, orjson.dumps(result), [_JSON])

    def _work(self, call: Call) -> Any:
        """Let an operation read or change the state, with all done that was due before."""
        service, handler = self._service, HANDLERS[call.operation.id]
        with service.store.lock:
            service.tick()
            if call.operation.method == "GET":
                return handler(service, call)
            with service.change():
                result = handler(service, call)
                call.check_read()  # else it is undone
                return result

    def _address(self, request: Request) -> str:
        """Return the request's address as the client wrote it, for links that lead back."""
        host = request.headers.get(b"host", b"").decode("latin-1")
        if _HOST.fullmatch(host):
            return f"{request.scope.get('scheme', 'http')}://{host}{request.scope['path']}"
        return f"{self._service.origins[self._name]}{request.scope['path']}"

    # Refusals

    def _unknown(self, request: Request, methods: Mapping[str, Operation]) -> Response:
        method, path = request.scope["method"], request.raw_path
        allow: Headers = [(b"allow", ", ".join(sorted(methods)).encode())] if methods else []
        message = f"There is no operation {method} {path}."
        documented = DocumentedResponse(405 if methods else 404, None)
        return self._error(documented, message, {}, allow, cites=("§4",))

    def _limited(
        self, operation: Operation | None, budget: Budget, *, is_asked: bool = False
    ) -> Response:
        """Refuse what is above the limit; an undocumented wait is sent where it is asked for."""
        status = self._rate["status"]
        documented = (operation or next(iter(self._document.operations.values()))).error(status)
        period = self._service.limits.period
        message = f"Too many requests: {budget.limit} {period} are allowed."
        name = self._rate["wait"].lower()
        until = documented.header(name, self._document)
        headers: Headers = []
        if until is not None or is_asked:  # in seconds, or as a date
            is_date = "string" in (until or {}).get("type", ())
            wait = formatdate(time.time() + budget.wait, usegmt=True) if is_date else budget.wait
            headers = [(name.encode(), str(wait).encode())]
        return self._error(documented, message, {}, headers, cites=("§8", "rateLimit.status"))

    def _forced(self, operation: Operation, forced: Action, budget: Budget) -> Response:
        """Return a refusal that a fault asks for; it looks like one of the service's own."""
        given: Mapping[str, Any] = forced.parameters
        if forced.kind == "rate-limited":
            wait = given["retry_after"]
            if wait is None:
                wait = max(budget.reset - int(time.time()), 1)
            is_asked = given["retry_after"] is not None
            return self._limited(operation, budget._replace(wait=wait), is_asked=is_asked)
        documented = operation.error(given["status"])
        message = given["message"] or f"A fault is set: status {given['status']}."
        headers: Headers = []
        if given["retry_after"] is not None:
            headers.append((b"retry-after", b"%d" % given["retry_after"]))
        return self._error(documented, message, {}, headers)

    def _error(
        self,
        documented: DocumentedResponse,
        message: str,
        errors: dict[str, list[str]],
        headers: Sequence[tuple[bytes, bytes]] = (),
        *,
        cites: tuple[str, ...] = (),
    ) -> Response:
        """Return an error with the body that the document gives it (§7)."""
        if documented.is_empty:
            return Response(documented.status, b"", [*headers], cites=cites)
        body = error_body(self._document, documented, message, errors)
        return Response(documented.status, orjson.dumps(body), [_JSON, *headers], cites=cites)

    def _broken(self, operation: Operation, error: Exception) -> Response:
        """Tell the client that something is wrong with the sandbox or its machine."""
        if full := no_space(error):
            return self._error(DocumentedResponse(507, None), sentence(str(full)), {})
        log.exception("%s failed", operation.id)
        message = f"The sandbox failed at {operation.id}: {type(error).__name__}."
        return self._error(DocumentedResponse(500, None), message, {})

    def _hold_against_document(
        self, operation: Operation, response: Response, check: validation.ResponseCheck
    ) -> None:
        problems = check.problems(operation, response.status, response.body)
        documented = operation.responses.get(response.status)
        if (
            problems
            and response.status < 300
            and documented
            and documented.schema
            and self._document.is_confirmed(operation.id, response.status)
        ):
            known = orjson.loads(response.body)  # of a world in another form than is documented
            response.body = orjson.dumps(fitted(self._document, documented.schema, known))
            problems = check.problems(operation, response.status, response.body)
        if problems and response.status < 500:
            log.error("%s broke its document: %s", operation.id, "; ".join(problems))
            message = f"The sandbox broke the contract of {operation.id}: {'; '.join(problems)}"
            failed = self._error(DocumentedResponse(500, None), message, {})
            response.status, response.body, response.headers = 500, failed.body, failed.headers
            response.problems = problems

    def _write_down(
        self, request: Request, response: Response | None, began: float, started: int
    ) -> int:
        scope, user, action = request.scope, request.user, request.action
        query = scope["query_string"]
        target = request.raw_path + (f"?{query.decode('latin-1')}" if query else "")
        entry = Entry(
            at_real=began,
            at=self._service.clock.now(),
            api=self._name,
            method=scope["method"],
            target=target,
            path=scope["path"],
            operation=request.operation.id if request.operation else None,
            status=response.status if response else None,
            duration_us=(time.perf_counter_ns() - started) // 1000,
            user=user.get("name") if user else None,
            user_id=user["id"] if user else None,
            request_headers=scope["headers"],
            request_body=None if request.note else request.body,
            response_headers=response.headers if response else [],
            response_body=response.body if response else None,
            request_note=request.note,
            faults=action.faults if action else (),
            fault=action.kind if action else None,
            problems=response.problems if response else (),
            cites=response.cites if response else (),
            violations=violations(request),
        )
        self._request_log.add(entry)
        return entry.number


def _token(request: Request) -> str:
    """Return the token that a request carries (§5); empty where it carries none."""
    scheme, _, token = request.headers.get(b"authorization", b"").partition(b" ")
    return token.decode("latin-1") if scheme.lower() == b"bearer" else ""


def _token_problem(request: Request) -> str:
    authorization = request.headers.get(b"authorization", b"")
    if not authorization:
        return "The request has no token: send the header Authorization: Bearer <API_TOKEN>."
    if not authorization.lower().startswith(b"bearer "):
        return "The header Authorization must be Bearer and a token."
    return "The token is not valid."


def _rate_headers(budget: Budget, rate: Json) -> Headers:
    reset = b"%d" % budget.reset
    if rate["format"] == "milliseconds":
        reset += b"000"
    elif rate["format"] == "duration":
        reset = b"%ds" % max(budget.reset - int(time.time()), 0)
    return [
        (rate["limit"].lower().encode(), b"%d" % budget.limit),
        (rate["remaining"].lower().encode(), b"%d" % budget.remaining),
        (rate["reset"].lower().encode(), reset),
    ]
