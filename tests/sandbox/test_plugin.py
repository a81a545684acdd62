"""The pytest plugin, in test runs of its own."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path

import pytest

import social_publishing_sandbox
from social_publishing_sandbox import Sandbox, serving

pytest_plugins = "pytester"

MODULE = "social_publishing_sandbox.pytest_plugin"
WITH_PLUGIN = ["-p", "no:cacheprovider", "-p", MODULE]


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other plugin takes part; processes of their own find the package where it is."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(Path(social_publishing_sandbox.__path__[0]).parent))


def run(
    pytester: pytest.Pytester, source: str, *options: str, apart: bool = False
) -> pytest.RunResult:
    """The outcome of a test file; in a process of its own if it is `apart`."""
    pytester.makepyfile(source)
    start = pytester.runpytest_subprocess if apart else pytester.runpytest_inprocess
    return start(*WITH_PLUGIN, *options)


def test_what_a_test_gets(pytester: pytest.Pytester) -> None:
    run(
        pytester,
        """
        import httpx2

        def test_it(sandbox):
            assert sandbox.clock_mode == "frozen"
            assert sandbox.service.settings.seed == 7
            with httpx2.Client(headers={"authorization": f"Bearer {sandbox.token}"}) as client:
                for _ in range(70):
                    answer = client.get(f"{sandbox.base_url}/posts")
            assert answer.status_code == 422, "there is no rate limit"
            assert sandbox.token.startswith("sandbox-owner-")
        """,
    ).assert_outcomes(passed=1)


def test_each_test_has_its_own(pytester: pytest.Pytester) -> None:
    run(
        pytester,
        """
        import httpx2, pytest

        left_over = []

        @pytest.mark.parametrize("n", range(3))
        def test_writes(sandbox, n):
            headers = {"authorization": f"Bearer {sandbox.token}"}
            client = httpx2.Client(headers=headers)
            assert client.post(f"{sandbox.base_url}/labels", json={"name": "x"}).is_success
            assert len(sandbox.find("labels", name="x")) == 1
            assert len(sandbox.requests()) == 1
            for other, url in left_over:
                with pytest.raises(httpx2.TransportError):
                    other.post(f"{url}/labels", json={"name": "y"})
            assert len(sandbox.requests()) == 1
            left_over.append((client, sandbox.base_url))
        """,
        apart=True,
    ).assert_outcomes(passed=3)


def test_a_port_does_not_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that who held on to an address cannot reach the sandbox of a later test."""
    bound = serving._bound
    given: list[int] = []

    def the_last_one_again(host: str, port: int) -> socket.socket:
        """Chance, at its worst: every other time, the port that was had last."""
        with contextlib.suppress(OSError):
            if given and not port:
                return bound(host, given.pop())
        listener = bound(host, port)
        given.append(listener.getsockname()[1])
        return listener

    monkeypatch.setattr(serving, "_bound", the_last_one_again)
    used: list[str] = []
    for _ in range(5):
        with Sandbox(clock="frozen") as sandbox:
            addresses = (sandbox.base_url, sandbox.media_url)
            used += [address.split("/")[2] for address in addresses]
    assert len(set(used)) == len(used)


def test_the_marker_has_the_arguments(pytester: pytest.Pytester) -> None:
    run(
        pytester,
        """
        import pytest

        pytestmark = pytest.mark.sandbox(seed=5, rate_limit=9)

        @pytest.mark.sandbox(rate_limit=3, world={"format": 1, "users": [{"token": "mine"}]})
        def test_nearest_wins(sandbox):
            assert sandbox.settings()["rate_limit"] == 3
            assert sandbox.service.settings.seed == 5
            assert sandbox.token == "mine"

        def test_of_the_module(sandbox):
            assert sandbox.settings()["rate_limit"] == 9

        @pytest.mark.sandbox(listen=False)
        def test_without_sockets(sandbox):
            import asyncio, httpx2

            async def ask():
                transport = httpx2.ASGITransport(sandbox.app)
                async with httpx2.AsyncClient(transport=transport) as client:
                    return await client.get(f"{sandbox.base_url}/posts")

            assert "sandbox.test" in sandbox.base_url
            assert asyncio.run(ask()).status_code == 401
        """,
        "--strict-markers",
    ).assert_outcomes(passed=3)


@pytest.mark.parametrize(
    ("marker", "reason"),
    [
        ("'agency'", "pytest.mark.sandbox takes named arguments: world=, seed="),
        ("wrold='small'", "unexpected keyword argument 'wrold'"),
        ("clock='slow'", "clock must be real, frozen"),
    ],
)
def test_a_marker_that_cannot_be(pytester: pytest.Pytester, marker: str, reason: str) -> None:
    source = f"import pytest\n@pytest.mark.sandbox({marker})\ndef test_it(sandbox): pass"
    result = run(pytester, source)
    result.assert_outcomes(errors=1)
    assert reason in result.stdout.str()


def test_the_factory_closes_all(pytester: pytest.Pytester) -> None:
    run(
        pytester,
        """
        made = []

        def test_two(sandbox_factory):
            made.extend([sandbox_factory(), sandbox_factory("small", clock="real", listen=False)])
            assert not any(each.closed for each in made)
            made[0].close()
            assert made[1].clock_mode == "real"

        def test_afterwards():
            assert all(each.closed for each in made)
        """,
    ).assert_outcomes(passed=2)


def test_a_failure_shows_the_last_requests(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        import httpx2, pytest

        def ask(sandbox, times):
            with httpx2.Client(headers={"authorization": f"Bearer {sandbox.token}"}) as client:
                for number in range(times):
                    client.get(f"{sandbox.base_url}/posts?number={number}")

        def test_fails(sandbox):
            sandbox.add_fault("status", status=503, times=1)
            ask(sandbox, 25)
            raise AssertionError("on purpose")

        def test_of_two(sandbox, sandbox_factory):
            other = sandbox_factory()
            other.add_fault("drop-before", times=1, id="gone", operations="getPosts")
            with pytest.raises(httpx2.TransportError):
                httpx2.get(f"{other.base_url}/posts-bulk?ids=7")
            other.add_fault("latency", ms=0, id="late")
            ask(other, 1)
            other.remove_fault("late")
            other.add_fault("status", status=400, id="bad")
            ask(other, 1)
            raise AssertionError("on purpose")

        def test_passes(sandbox):
            ask(sandbox, 1)
        """,
    )
    result.assert_outcomes(passed=1, failed=2)
    shown = result.stdout.str()
    assert shown.count("sandbox requests") == 2
    assert "5 earlier ones" in shown
    accept = "  The request must have the header Accept: application/json (§1, §5)."
    token = "  The request must have the header Authorization: Bearer <API_TOKEN> (§5)."
    refused = (
        f'{accept}  rests on §4.1:  {{"message":"One of groupId or socialAccountIds is required. '
        '(and 1 more error)","errors":{"groupId":["One of groupId or socialAccountIds is '
        'required."],"socialAccountIds":["One of groupId or socialAccountIds is required."]}}'
    )
    asked = [
        *(
            f"{n:>4}  422  GET /v1/posts?number={n - 1}  (Mira Lindqvist){refused}"
            for n in range(6, 26)
        ),
        f"   1  dropped  GET /v1/posts-bulk?ids=7  (nobody)  fault gone{accept}{token}",
        f"   2  422  GET /v1/posts?number=0  (Mira Lindqvist)  fault late{refused}",
        f"   3  400  GET /v1/posts?number=0  (Mira Lindqvist)  fault bad{accept}"
        '  {"message":"A fault is set: status 400."}',
    ]
    assert [each for each in result.outlines if "  GET /v1/posts" in each] == asked
    result.stdout.fnmatch_lines(["*sandbox 2 requests*"])
    assert "number=4 " not in shown
    assert "sandbox-owner-" not in shown, "tokens are not shown"


def test_a_test_without_a_sandbox_shows_nothing(pytester: pytest.Pytester) -> None:
    result = run(pytester, "def test_it(): assert 0")
    result.assert_outcomes(failed=1)
    assert "sandbox requests" not in result.stdout.str()


def test_with_xdist(pytester: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    pytester.makepyfile(
        """
        import httpx2, pytest

        @pytest.mark.parametrize("n", range(12))
        def test_it(sandbox, n):
            headers = {"authorization": f"Bearer {sandbox.token}"}
            body = {"name": "x"}
            assert httpx2.post(f"{sandbox.base_url}/labels", json=body, headers=headers).is_success
            assert n != 7
        """
    )
    result = pytester.runpytest_subprocess(*WITH_PLUGIN, "-p", "xdist", "-n", "2")
    result.assert_outcomes(passed=11, failed=1)
    assert "sandbox requests" in result.stdout.str()


SENDS = """
import httpx2, pytest

def send(sandbox, **headers):
    headers["authorization"] = f"Bearer {sandbox.token}"
    with httpx2.Client(headers=headers) as client:
        client.post(f"{sandbox.base_url}/labels", json={"name": "x"})

def test_without(sandbox):
    send(sandbox)

def test_with(sandbox):
    send(sandbox, accept="application/json")

@pytest.mark.sandbox(strict=True)
def test_always(sandbox):
    send(sandbox)

@pytest.mark.sandbox(strict=False)
def test_never(sandbox):
    send(sandbox)

def test_both(sandbox_factory):
    sandbox_factory()
    send(sandbox_factory(strict=False))
"""


@pytest.mark.parametrize(
    ("options", "failed"),
    [
        ([], 1),
        (["--sandbox-strict"], 2),
        (["-o", "sandbox_strict=true"], 2),
        (["-o", "sandbox_strict=false"], 1),
    ],
)
def test_a_strict_sandbox_fails_tests_that_break_a_must(
    pytester: pytest.Pytester, options: list[str], failed: int
) -> None:
    result = run(pytester, SENDS, *options)
    result.assert_outcomes(passed=5 - failed, failed=failed)
    report = result.stdout.str()
    assert 'requests break a "must" of the specification:' in report
    assert "  POST /v1/labels: The request must have the header Accept: application/json" in report
