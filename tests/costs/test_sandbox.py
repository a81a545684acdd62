"""What a sandbox costs, counted and not timed: what it loads and compiles, what a request does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from benchmarks.measuring import ROOT
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.request_log.entry import Entry
from social_publishing_sandbox.api.request_log.ring import RequestLog
from social_publishing_sandbox.api.validation import ResponseCheck
from social_publishing_sandbox.state import documents as contract
from social_publishing_sandbox.state.documents import Schemas

SOURCES = ROOT / "sandbox" / "src"

# To answer a request: JSON, schemas, and a server with what it brings along.
NEEDED = {
    "click", "h11", "httptools", "jsonschema_rs", "orjson", "social_publishing_sandbox",
    "typing_extensions", "tzdata", "uvicorn", "uvloop", "yaml",
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """A request as ASGI has it, and the sandbox that gets it."""

    sandbox: Sandbox
    scope: dict[str, Any]
    body: bytes

    def send(self) -> int:
        """Send it; the status of the response."""
        response: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": self.body, "more_body": False}

        async def send(message: Any) -> None:
            response.append(message)

        _carry_out(self.sandbox.app({**self.scope}, receive, send))
        status: int = response[0]["status"]
        return status


def _carry_out(coroutine: Coroutine[Any, Any, None]) -> None:
    """Carry out what never has to wait; an event loop would have calls of its own."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise AssertionError("a request waited")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    sandbox = Sandbox(clock="frozen", rate_limit=None, check=False)
    yield sandbox
    sandbox.close()


def asked(sandbox: Sandbox, method: str, target: str, change: Any = None) -> Asked:
    path, _, query = target.partition("?")
    body = b"" if change is None else json.dumps(change).encode()
    headers = [(b"host", b"main.test"), (b"authorization", f"Bearer {sandbox.token}".encode())]
    if body:
        headers += [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    scope = {
        "type": "http", "http_version": "1.1", "scheme": "http", "method": method, "path": path,
        "raw_path": path.encode(), "query_string": query.encode(), "headers": headers,
    }  # fmt: skip
    return Asked(sandbox, scope, body)


def scheduled(sandbox: Sandbox) -> str:
    """A post for two accounts."""
    accounts = [each["id"] for each in sandbox.find("social_accounts")[:2]]
    at = "2026-12-09T09:00:00Z"
    post = sandbox.create_post(status="SCHEDULED", publication_date=at, selectedAccountIds=accounts)
    return str(post["id"])


def read(sandbox: Sandbox) -> Asked:
    return asked(sandbox, "GET", f"/v1/posts-bulk?ids={scheduled(sandbox)}")


def change(sandbox: Sandbox) -> Asked:
    body = {"content": "Open.", "name": "A"}
    return asked(sandbox, "PATCH", f"/v1/posts/{scheduled(sandbox)}", body)


def page(sandbox: Sandbox) -> Asked:
    return asked(sandbox, "GET", f"/v1/posts?groupId={sandbox.find('groups')[0]['id']}")


def _calls(run: Callable[[], object]) -> list[str]:
    """Return the functions in Python that this thread calls meanwhile, in order of their names."""
    made: list[str] = []

    def count(frame: Any, event: str, _: Any) -> None:
        if event == "call":
            made.append(frame.f_code.co_qualname)

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return sorted(made)


# What a request does: each value of it is marked as it is read, so that none is ignored in silence.
# A page asks for more words of the documents: its order and its paging.


@pytest.mark.parametrize(
    ("request_of", "calls"), [(read, 84), (change, 255), (page, 380)], ids=["GET", "PATCH", "page"]
)
def test_a_request_costs_no_more_python_calls(
    sandbox: Sandbox, request_of: Callable[[Sandbox], Asked], calls: int
) -> None:
    request = request_of(sandbox)
    for _ in range(3):  # views, users and statements are made once
        assert request.send() == 200
    made = _calls(request.send)
    assert len(made) <= 1.25 * calls, made


@pytest.mark.parametrize(
    ("request_of", "most"), [(read, 2), (change, 10), (page, 7)], ids=["GET", "PATCH", "page"]
)
def test_a_request_asks_the_database_no_more_than_it_did(
    sandbox: Sandbox, request_of: Callable[[Sandbox], Asked], most: int
) -> None:
    request = request_of(sandbox)
    request.send()
    statements: list[str] = []
    sandbox.service.store.connection.set_trace_callback(statements.append)
    try:
        request.send()
    finally:
        sandbox.service.store.connection.set_trace_callback(None)
    assert len(statements) <= most, statements


def test_logging_an_exchange_takes_few_calls_whatever_its_size() -> None:
    log = RequestLog(limit=10)
    made = []
    for size in (1, 100_000):
        entry = Entry(
            at_real=0.0, at=0, api="main", method="POST", target="/v1/labels", path="/v1/labels",
            operation="createLabel", status=200, duration_us=1, user="Ada", user_id="17",
            request_headers=[(b"a", b"b")] * size, request_body=b"1" * size,
            response_headers=[(b"a", b"b")] * size, response_body=b"1" * size,
        )  # fmt: skip
        made.append(_calls(partial(log.add, entry)))
    assert made[0] == made[1]
    assert len(made[0]) <= 4, made[0]


# What a start takes


def test_another_sandbox_compiles_nothing_again() -> None:
    def make() -> None:
        with Sandbox(clock="frozen", rate_limit=None):
            pass

    make()
    made = _calls(make)
    assert len(made) <= 1.25 * 379, made


def test_a_sandbox_loads_what_it_needs() -> None:
    program = """if True:
        import sys
        before = {name.partition(".")[0] for name in sys.modules}
        from social_publishing_sandbox import Sandbox
        with Sandbox() as sandbox:
            from http.client import HTTPConnection
            connection = HTTPConnection(sandbox.base_url.split("/")[2])
            connection.request("GET", "/v1/groups/1")
            connection.getresponse()
        loaded = {name.partition(".")[0] for name in sys.modules} - before
        from importlib.metadata import packages_distributions
        print(*sorted(loaded & packages_distributions().keys()))
    """
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "orjson" in done.stdout
    assert set(done.stdout.split()) <= NEEDED


def test_a_start_compiles_what_requests_may_hold_and_no_response(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled: list[object] = []
    compile_one = Schemas.validator

    def count(self: Schemas, schema: Any, *formats: Any) -> Any:
        compiled.append(schema)
        return compile_one(self, schema, *formats)

    found = contract.load()
    monkeypatch.setattr(Schemas, "validator", count)
    responses = ResponseCheck(found.documents)
    assert not compiled
    for _ in range(2):
        responses.problems(found.operations["getGroup"], 200, b"{}")
    assert len(compiled) == 1
