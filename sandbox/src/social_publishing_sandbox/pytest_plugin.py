"""pytest fixtures: a sandbox for each test, clients of it, and sandboxes with other arguments.

    def test_makes_a_label(sandbox, social_publishing):
        social_publishing.labels.create(name="Spring")
        assert sandbox.find("labels", name="Spring")

    async def test_awaits_it(async_social_publishing):  # with anyio, pytest-asyncio or the like
        await async_social_publishing.labels.create(name="Spring")

    @pytest.mark.sandbox(rate_limit=5)
    def test_waits_for_its_budget(sandbox): …

    def test_two_of_them(sandbox_factory):
        one, other = sandbox_factory(seed=1), sandbox_factory(seed=2)

When a test fails, the report shows the last requests that its sandboxes got.

The sandbox marks requests that break a "must" of the specification, such as one without
`Accept: application/json`. With `--sandbox-strict`, `sandbox_strict = true` in the configuration
of pytest or `@pytest.mark.sandbox(strict=True)` they fail the test; `strict=False` excepts one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from social_publishing import AsyncSocialPublishing, SocialPublishing

    from social_publishing_sandbox.api.request_log.entry import Entry
    from social_publishing_sandbox.sandbox import Sandbox

_SHOWN: Final = 20
_BODY: Final = 300
_SANDBOXES: Final = pytest.StashKey["list[tuple[Sandbox, bool]]"]()  # whether they are strict
_STRICT_HELP: Final = 'fail tests whose requests break a "must" of the specification'
_MARKER: Final = (
    "sandbox(**arguments): arguments of the `Sandbox` that the fixture `sandbox` gives, "
    "listen=False for one without sockets, and strict=True or False for --sandbox-strict"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--sandbox-strict`, also for the configuration file."""
    group = parser.getgroup("sandbox")
    group.addoption("--sandbox-strict", action="store_true", help=_STRICT_HELP)
    parser.addini("sandbox_strict", _STRICT_HELP, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker `sandbox`."""
    config.addinivalue_line("markers", _MARKER)


@pytest.fixture
def sandbox(request: pytest.FixtureRequest, sandbox_factory: Callable[..., Sandbox]) -> Sandbox:
    """Start a sandbox for this test alone, on two ports of its own.

    Its clock is frozen: the test sets the time. It has no rate limit, so that a test with sixty
    requests does not wait; `@pytest.mark.sandbox(rate_limit=60)` sets that of the service. The
    marker takes all arguments of `Sandbox`. `listen=False` opens no socket: use the ASGI
    applications `sandbox.app` and `sandbox.media_app`. With `strict=True` the test fails if a
    request breaks a "must" of the specification.
    """
    arguments: dict[str, Any] = {}
    # The nearest marker comes first, and wins.
    for marker in reversed(list(request.node.iter_markers("sandbox"))):
        if marker.args:
            raise pytest.UsageError("@pytest.mark.sandbox takes named arguments: world=, seed=, …")
        arguments |= marker.kwargs
    return sandbox_factory(**arguments)


@pytest.fixture
def sandbox_factory(
    request: pytest.FixtureRequest,
) -> Generator[Callable[..., Sandbox]]:
    """Return a function that creates sandboxes.

    It takes the arguments of `Sandbox`; the defaults are those of the fixture `sandbox`. All of
    them are closed after the test.
    """
    from social_publishing_sandbox.sandbox import Sandbox

    made = request.node.stash.setdefault(_SANDBOXES, [])
    config = request.config
    usual = config.getoption("--sandbox-strict") or config.getini("sandbox_strict")
    with ExitStack() as stack:

        def make(
            *world: Any, listen: bool = True, strict: bool = usual, **arguments: Any
        ) -> Sandbox:
            given = {"clock": "frozen", "rate_limit": None, **arguments}
            sandbox = Sandbox(*world, **given)
            stack.callback(sandbox.close)
            made.append((sandbox, strict))
            if listen:
                sandbox.start()
            return sandbox

        yield make
    made.clear()


@pytest.fixture
def social_publishing(sandbox: Sandbox) -> Generator[SocialPublishing]:
    """Return a client of the fixture `sandbox` with the owner's token; closed after the test.

    It needs the package `social-publishing`. For another role: `sandbox.client(role="client")`.
    """
    with sandbox.client() as client:
        yield client


@pytest.fixture
def async_social_publishing(sandbox: Sandbox) -> Generator[AsyncSocialPublishing]:
    """Return an asynchronous client, for anyio, pytest-asyncio or `asyncio.run`.

    The fixture itself is not a coroutine, so it needs none of these plugins.
    """
    client = sandbox.async_client()
    yield client
    # The connections end with the loop of the test. In a loop of its own, which is nobody's
    # current one, the client is closed without meeting that of a plugin.
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(client.close())
    finally:
        loop.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Fail a passed test whose requests to a strict sandbox break a "must"."""
    yield
    broken = [
        f"  {entry.method} {entry.target}: {' '.join(entry.violations)}"
        for sandbox, strict in item.stash.get(_SANDBOXES, [])
        for entry in (sandbox.requests(violations=True) if strict else ())
    ]
    if broken:
        title = 'requests break a "must" of the specification:'
        pytest.fail("\n".join([title, *broken]), pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the last requests to the report of a failed test."""
    report = yield
    if report.failed:
        made: list[tuple[Sandbox, bool]] = item.stash.get(_SANDBOXES, [])
        for number, (sandbox, _) in enumerate(made, 1):
            title = "sandbox requests" if number == 1 else f"sandbox {number} requests"
            report.sections.append((title, _requests(sandbox)))
    return report


def _requests(sandbox: Sandbox) -> str:
    """Return the last requests, a line each."""
    entries = sandbox.requests()
    lines = [_line(each) for each in entries[-_SHOWN:]]
    if len(entries) > _SHOWN:
        lines.insert(0, f"… {len(entries) - _SHOWN} earlier ones")
    return "\n".join(lines) or "none"


def _line(entry: Entry) -> str:
    status = entry.status or "dropped"
    notes = [f"fault {each}" for each in entry.faults] + [*entry.violations, *entry.problems]
    if entry.cites:
        notes.append(f"rests on {', '.join(entry.cites)}:")
    if entry.status and entry.status >= 400 and entry.response_body:
        notes.append(entry.response_body[:_BODY].decode(errors="replace"))
    line = f"{entry.number:>4}  {status}  {entry.method} {entry.target}"
    return "  ".join([line, f"({entry.user or 'nobody'})", *notes])
