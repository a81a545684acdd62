"""Control over HTTP: who may, what it does, what it refuses, and what it tells while it happens."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import httpx2
import orjson
import pytest
from starlette.requests import Request
from starlette.routing import Route
from wire import Wire, world

from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.control import event_stream
from social_publishing_sandbox.control import routes as control_routes

Json = dict[str, Any]


@pytest.fixture
def sandbox(anew: Sandbox) -> Sandbox:
    return anew


@pytest.fixture
def control(sandbox: Sandbox) -> Iterator[httpx2.Client]:
    """A client that may."""
    headers = {"authorization": f"Bearer {sandbox.control_token}"}
    with httpx2.Client(base_url=sandbox.control_url, headers=headers, timeout=10) as client:
        yield client


@pytest.fixture
def anybody(sandbox: Sandbox) -> Iterator[httpx2.Client]:
    """A client that may not."""
    with httpx2.Client(base_url=sandbox.control_url, timeout=10) as client:
        yield client


def refusal(response: httpx2.Response, status: int, message: str, field: str | None = None) -> None:
    assert response.status_code == status, response.text
    assert message in response.json()["message"]
    assert response.json().get("field") == field


# Who may


def addresses() -> list[tuple[str, str]]:
    """Every method and path of control."""
    with Sandbox(clock="frozen") as sandbox:
        routes = [each for each in control_routes.routes(sandbox) if isinstance(each, Route)]
    found = [("GET", "/events")]
    for route in routes:
        path = route.path.removeprefix("/_sandbox")
        for name in ("{id}", "{number:int}", "{name}"):
            path = path.replace(name, "1")
        found += [(method, path) for method in ("GET", "PUT", "POST", "DELETE")]
    return found


def test_nothing_is_open(sandbox: Sandbox, anybody: httpx2.Client) -> None:
    before = sandbox.world()
    asked = addresses()
    assert len(asked) > 60
    for method, path in [*asked, ("GET", "/"), ("GET", "/console"), ("GET", "/nowhere")]:
        response = anybody.request(method, path)
        assert response.status_code == 401, (method, path)
        assert response.headers["www-authenticate"] == "Bearer"
        assert "needs the control token" in response.json()["message"]
    assert anybody.get("").status_code == 401
    assert sandbox.world() == before


@pytest.mark.parametrize(
    "authorization",
    ["Bearer", "Bearer wrong", "Bearer \xe9", "Basic {token}", "{token}", "Bearer {owner}"],
)
def test_tokens_that_open_nothing(
    sandbox: Sandbox, anybody: httpx2.Client, authorization: str
) -> None:
    sent = authorization.format(token=sandbox.control_token, owner=sandbox.token)
    response = anybody.get("/clock", headers={"authorization": sent.encode("latin-1")})
    assert response.status_code == 401
    assert sandbox.control_token not in response.text


def test_the_apis_do_not_take_the_control_token(sandbox: Sandbox) -> None:
    headers = {"authorization": f"Bearer {sandbox.control_token}"}
    assert httpx2.get(f"{sandbox.base_url}/posts", headers=headers).status_code == 401


def test_a_browser_gets_a_cookie(sandbox: Sandbox, anybody: httpx2.Client) -> None:
    response = anybody.get(f"/clock?x=1&token={sandbox.control_token}")
    assert response.status_code == 303
    assert response.headers["location"] == "/_sandbox/clock?x=1"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["cache-control"] == "no-store"
    cookie = response.headers["set-cookie"]
    for word in ("HttpOnly", "SameSite=strict", "Path=/_sandbox"):
        assert word.lower() in cookie.lower()
    assert sandbox.control_token not in cookie
    assert anybody.get("/clock").status_code == 200, "the cookie is enough"
    name, value = cookie.partition(";")[0].split("=")
    anybody.cookies.clear()
    for wrong in ("", "x", value[:-1], sandbox.control_token):
        response = anybody.get("/clock", headers={"cookie": f"{name}={wrong}"})
        assert response.status_code == 401, wrong
    assert anybody.get("/clock?token=wrong").status_code == 401
    written = anybody.post(f"/clock/advance?token={sandbox.control_token}", json={"days": 1})
    assert written.status_code == 401 and "set-cookie" not in written.headers
    assert "set-cookie" not in anybody.get("/clock?token=wrong").headers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://HOST"}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:1"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site", "origin": "http://HOST"}, 403),
    ],
)
def test_pages_of_other_sites(
    sandbox: Sandbox, anybody: httpx2.Client, headers: dict[str, str], status: int
) -> None:
    anybody.get(sandbox.console_url)
    host = sandbox.control_url.split("/")[2]
    sent = {name: value.replace("HOST", host) for name, value in headers.items()}
    response = anybody.post("/clock/advance", json={"days": 1}, headers=sent)
    assert response.status_code == status
    assert (sandbox.now.day == 2) is (status == 200)
    for method, path in (("PUT", "/settings"), ("DELETE", "/requests")):
        changed = anybody.request(method, path, headers=sent)
        assert (changed.status_code == 403) is (status == 403)
    assert anybody.get("/clock", headers=sent).status_code == 200, "looking changes nothing"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:80", 200),
        ("[::1]:80", 200),
        ("localhost:80", 200),
        ("me.localhost", 200),
        ("192.168.0.7:8000", 200),
        ("evil.example", 403),
        ("127.0.0.1.evil.example:80", 403),
        ("localhost.evil.example", 403),
        ("evillocalhost:80", 403),
        ("[::1", 403),
    ],
)
def test_names_that_are_not_this_servers(control: httpx2.Client, host: str, status: int) -> None:
    assert control.get("/clock", headers={"host": host}).status_code == status


def test_every_name_will_do_where_every_address_is_listened_on() -> None:
    with Sandbox(clock="frozen", host="0.0.0.0") as sandbox:
        assert "127.0.0.1" in sandbox.control_url
        headers = {"authorization": f"Bearer {sandbox.control_token}", "host": "sandbox.example"}
        url = f"{sandbox.control_url}/clock"
        assert httpx2.get(url, headers=headers).status_code == 200
        assert httpx2.get(url, headers={"host": "sandbox.example"}).status_code == 401


def test_only_the_main_origin_has_control(sandbox: Sandbox) -> None:
    media = sandbox.service.origins["media"]
    headers = {"authorization": f"Bearer {sandbox.control_token}"}
    assert httpx2.get(f"{media}/_sandbox/clock", headers=headers).status_code == 404


def test_the_roots_lead_somewhere(sandbox: Sandbox) -> None:
    origins = sandbox.service.origins
    assert httpx2.get(f"{origins['main']}/").headers["location"] == "/_sandbox/"
    assert httpx2.get(f"{origins['media']}/").headers["location"] == "/docs"
    for origin in origins.values():
        response = httpx2.get(f"{origin}/posts")
        assert response.status_code == 404
        assert "There is nothing at /posts: the API is below /" in response.json()["message"]


# What it does


@pytest.mark.parametrize(
    ("content", "kind", "status", "message"),
    [
        (b"{", "application/json", 400, "The body is not JSON"),
        (b"[]", "application/json", 422, "The body must be a JSON object."),
        (b"\xff", "application/json", 400, "The body is not JSON"),
        (b"[" * 100_000, "application/json", 400, "The body is not JSON"),
        (b"days=1", "application/x-www-form-urlencoded", 415, "The body must be JSON"),
        (b" " * 1_048_577, "application/json", 413, "The body may have at most 1,048,576 bytes."),
    ],
)
def test_bodies_that_cannot_be(
    control: httpx2.Client, content: bytes, kind: str, status: int, message: str
) -> None:
    response = control.post("/clock/advance", content=content, headers={"content-type": kind})
    assert response.status_code == status
    assert message in response.json()["message"]


def test_making_and_finding(control: httpx2.Client) -> None:
    made: dict[str, str] = {}
    for kind, body in {
        "groups": {"name": "Bakery"},
        "social_accounts": {"group_id": "groups", "socialNetwork": "bluesky"},
        "users": {"name": "Ada"},
        "labels": {"name": "Summer"},
        "calendar_notes": {
            "title": "Market",
            "start_date": "2026-12-05T09:00:00Z",
            "end_date": "2026-12-05T12:00:00Z",
        },
        "posts": {
            "content": "Bread",
            "status": "IN_REVIEW",
            "publication_date": "2026-12-05T09:00:00Z",
        },
    }.items():
        given = {name: made.get(value, value) for name, value in body.items()}
        response = control.post(f"/{kind}", json=given)
        assert response.status_code == 201, response.text
        made[kind] = response.json()["id"]
        assert any(each["id"] == made[kind] for each in control.get(f"/{kind}").json())
    assert [each["id"] for each in control.get("/posts?status=10&content=Bread").json()] == [
        made["posts"]
    ]
    assert control.get("/posts", params={"status": "IN_REVIEW", "content": "Bread"}).json()
    post = f"/posts/{made['posts']}"
    assert control.get(post).json()["content"] == "Bread"
    assert control.post(f"{post}/approve", json={}).json()["status"] == 25
    refusal(control.post(f"{post}/reject"), 422, "The post is SCHEDULED: it cannot be", "id")
    refusal(control.post(f"{post}/reschedule"), 422, "publication_date must be", "publication_date")
    account = f"/social_accounts/{made['social_accounts']}"
    expired = control.post(f"{account}/expire", json={"at": "2026-11-06T10:00:00Z"}).json()
    assert expired["connection_expired_at"] == "2026-11-06T10:00:00Z"
    refusal(control.post("/social_accounts/1/expire"), 404, "There is no social account 1.", "id")


@pytest.mark.parametrize("name", ["a/b", "a/b/", "100 %?#", "restore", "x/restore/y", "\u00fc"])
def test_a_snapshot_of_any_name_is_restored_and_forgotten(
    control: httpx2.Client, name: str
) -> None:
    assert control.post("/snapshots", json={"name": name}).status_code == 201
    address = f"/snapshots/{quote(name, safe='')}"
    before = control.get("/world").json()
    control.post("/labels", json={"name": "more"})
    assert control.post(f"{address}/restore").status_code == 200
    assert control.get("/world").json() == before
    assert control.delete(address).status_code == 204
    assert control.get("/snapshots").json() == []
    refusal(control.delete(address), 404, f"There is no snapshot {name!r}.", "name")


def test_a_world_goes_out_and_comes_in(control: httpx2.Client, sandbox: Sandbox) -> None:
    control.post("/clock/advance", json={"minutes": 1})
    control.post("/labels", json={"name": "mine"})
    world = control.get("/world").json()
    control.post("/reset")
    assert not sandbox.find("labels", name="mine")
    assert control.put("/world", json=world).json()["now"] == "2026-12-01T09:01:00Z"
    assert sandbox.find("labels", name="mine")


def test_requests(control: httpx2.Client, sandbox: Sandbox) -> None:
    headers = {"authorization": f"Bearer {sandbox.token}"}
    with httpx2.Client(base_url=sandbox.base_url, headers=headers) as api:
        for n in range(3):
            api.post("/labels", json={"name": f"label {n}"})
        api.get("/posts")
    first, *_, last = [each["number"] for each in reversed(control.get("/requests").json())]
    assert last == first + 3
    assert len(control.get("/requests?operation=createLabel&limit=2").json()) == 2
    assert [each["number"] for each in control.get(f"/requests?since={first}").json()] == [
        *range(first + 1, last + 1)
    ], "who goes on gets what comes next"
    (found,) = control.get("/requests?text=label+1&bodies=true").json()
    assert found["request"]["body"] == {"name": "label 1"}
    assert "request" not in control.get("/requests?text=label+1").json()[0]
    shown = control.get(f"/requests/{last}")
    assert shown.json()["status"] == 422
    assert sandbox.token not in shown.text
    assert control.get("/requests/duplicates").json() == []
    assert control.delete("/requests").status_code == 204
    assert control.get("/requests").json() == []


def test_so_many_requests_are_shown_at_once(own: Sandbox) -> None:
    own.add_fault("status", status=503)
    Wire(own)("GET", "/posts")
    (entry,) = own.requests()
    for _ in range(1_000):
        own.request_log.add(replace(entry))
    for query, most in (({}, 100), ({"limit": "0"}, 0), ({"limit": "1001"}, 1_000)):
        found = control_routes.carry_out(own, "/requests", "GET", query)
        assert [each["number"] for each in found] == [*range(1_001, 1_001 - most, -1)]
    found = control_routes.carry_out(own, "/requests", "GET", {"limit": "2", "since": "5"})
    assert [each["number"] for each in found] == [6, 7]


def test_control_is_not_in_the_request_log_and_costs_no_budget(
    control: httpx2.Client, sandbox: Sandbox
) -> None:
    control.put("/settings", json={"rate_limit": 2})
    for _ in range(5):
        control.get("/clock")
    assert sandbox.requests() == []
    assert {each["remaining"] for each in control.get("/budgets").json()} == {2}


# While it happens


@contextlib.contextmanager
def followed(sandbox: Sandbox, last_id: str | None = None) -> Iterator[Iterator[str]]:
    """The lines of a sandbox's events that come from now on, or after an event."""
    headers = {"authorization": f"Bearer {sandbox.control_token}"}
    headers |= {"last-event-id": last_id} if last_id else {}
    url = f"{sandbox.control_url}/events{'?after=0-0' * bool(last_id)}"  # which was long before
    with httpx2.stream("GET", url, headers=headers, timeout=60) as response:
        assert response.status_code == 200
        lines = response.iter_lines()
        assert any(line.startswith("retry: ") for line in lines)
        yield lines


def next_event(lines: Iterator[str]) -> tuple[str, str, Json]:
    """The next event: its kind, its position and its facts."""
    event: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if name:
            event[name] = value
        elif event:
            break
    return event["event"], event["id"], orjson.loads(event["data"])


def test_events_come_while_they_happen(sandbox: Sandbox) -> None:
    with followed(sandbox) as lines:
        sandbox.create_label(name="told")
        httpx2.get(f"{sandbox.base_url}/posts?secret=1")
        (first, _, label), (second, _, request) = next_event(lines), next_event(lines)
        assert (first, label["kind"]) == ("change", "label")
        assert second == "request"
        assert (request["target"], request["status"]) == ("/v1/posts?secret=1", 401)
        assert "request" not in request, "bodies and headers are not sent"


def test_what_is_due_happens_although_nobody_asks() -> None:
    alone = {"format": 1, "users": [{"token": "ada"}]}
    with Sandbox(alone, clock="real") as sandbox, followed(sandbox) as lines:
        soon = {"status": "SCHEDULED", "publication_date": sandbox.now + timedelta(seconds=1)}
        post = sandbox.create_post(content="Due", **soon)
        told = [next_event(lines)[2] for _ in range(2)]
    assert [each["event"] for each in told] == ["createdPost", "changedStatus"]
    assert {each["id"] for each in told} == {post.id}


def test_events_go_on_after_a_break(sandbox: Sandbox) -> None:
    with followed(sandbox) as lines:
        sandbox.create_label(name="one")
        position = next_event(lines)[1]
    sandbox.create_label(name="missed")
    httpx2.get(f"{sandbox.base_url}/missed")
    with followed(sandbox, position) as lines:
        found = [next_event(lines), next_event(lines)]
        sandbox.create_label(name="live")
        found.append(next_event(lines))
    assert sorted(kind for kind, _, _ in found) == ["change", "change", "request"]
    assert len({position for _, position, _ in found}) == 3, "each once"


def test_silence_is_broken_by_a_heartbeat(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "HEARTBEAT", 0.02)
    with followed(sandbox) as lines:
        assert [next(filter(None, lines)) for _ in range(3)] == [": still here"] * 3


def test_what_happens_while_events_are_sent_waits_for_no_heartbeat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(event_stream, "HEARTBEAT", 0)  # it comes as soon as anything is waited for
    sandbox = Sandbox(clock="frozen")

    async def follow() -> list[bytes]:
        asked = Request({"type": "http", "query_string": b"", "headers": []})
        events = aiter((await event_stream.stream(sandbox, asked)).body_iterator)
        pieces = [await anext(events), await anext(events)]
        for name in ("one", "two", "three"):
            sandbox.create_label(name=name)
            await asyncio.sleep(0)  # the bell rings
            pieces.append(await anext(events))
        await events.aclose()
        return [bytes(each).splitlines()[0] for each in pieces]

    assert asyncio.run(follow()) == [b"retry: 1000", b": still here", *[b"event: change"] * 3]


def test_events_end_when_the_sandbox_stops() -> None:
    sandbox = Sandbox(clock="frozen")
    sandbox.start()
    with followed(sandbox) as lines:
        began = time.monotonic()
        sandbox.close()
        assert time.monotonic() - began < 1, "nobody waits for the stream"
        assert not any(lines)


def test_a_slow_control_holds_nobody_up(
    sandbox: Sandbox, control: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a world is made, requests are answered and events flow."""
    from social_publishing_sandbox import worlds

    make, began, go_on = worlds.make, threading.Event(), threading.Event()

    def slowly(name: str, *, seed: int, now: int) -> Json:
        began.set()
        assert go_on.wait(600)
        return make(name, seed=seed, now=now)

    monkeypatch.setattr(worlds, "make", slowly)
    seed = time.monotonic_ns()  # one that nobody has made yet
    thread = threading.Thread(target=lambda: control.post("/reset", json={"seed": seed}))
    thread.start()
    try:
        assert began.wait(600)
        with followed(sandbox) as lines:
            assert httpx2.get(f"{sandbox.base_url}/posts").status_code == 401
            assert control.post("/labels", json={"name": "meanwhile"}).status_code == 201
            assert next_event(lines) != next_event(lines)
    finally:
        go_on.set()
        thread.join()
    assert not sandbox.find("labels", name="meanwhile")


def test_requests_that_are_gone_are_counted(sandbox: Sandbox) -> None:
    for _ in range(3):
        httpx2.get(f"{sandbox.base_url}/posts")
    last = sandbox.request_log.last_number
    sandbox.request_log.clear()
    httpx2.get(f"{sandbox.base_url}/posts")
    changes = sandbox.events.last_number
    with followed(sandbox, f"{last - 2}-{changes}") as lines:
        (first, place, lost), (second, _, request) = next_event(lines), next_event(lines)
    assert (first, lost, second) == ("lost", {"count": 2}, "request")
    assert request["number"] == last + 1
    with followed(sandbox, place) as lines:  # who has got no more than that
        assert next_event(lines)[2] == request


def test_people_are_told_where_the_token_is(anybody: httpx2.Client) -> None:
    response = anybody.get("/", headers={"accept": "text/html,*/*;q=0.8"})
    assert response.status_code == 401
    assert "printed when the sandbox started" in response.json()["message"]


def test_a_failure_of_control_is_told_and_written_down(
    sandbox: Sandbox,
    control: httpx2.Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(sandbox, "snapshots", lambda: {}["snapshot"])
    refusal(control.get("/snapshots"), 500, "The sandbox failed: KeyError.")
    assert "control failed" in caplog.text and "KeyError: 'snapshot'" in caplog.text
    closed = Sandbox(world(), clock="frozen")
    closed.close()
    with pytest.raises(ValueError, match=r"^The sandbox is closed\.$"):
        control_routes.carry_out(closed, "/snapshots", "POST", {})
