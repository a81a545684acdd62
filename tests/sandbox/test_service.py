"""The service itself: changes that are whole or not at all, and the clock under them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wire import WORLD, Wire

from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.operations import media
from social_publishing_sandbox.state.clock import Clock
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.service import Service

HOUR = 3_600_000


# Changes


def test_what_is_told_is_stored(sandbox: Sandbox) -> None:
    told: list[tuple[str, bool]] = []
    connection = sandbox.service.store.connection
    sandbox.service.listeners.append(
        lambda event, facts: told.append((event, connection.in_transaction))
    )
    post = sandbox.create_post(content="Bread.")
    assert Wire(sandbox)("PATCH", f"/posts/{post['id']}", {"name": "Bread"}).status_code == 200
    sandbox.create_label(name="Cake")
    assert told == [("post", False), ("post", False), ("label", False)]


def test_what_is_refused_is_not_told(sandbox: Sandbox) -> None:
    post = sandbox.create_post(content="Bread.")
    before = sandbox.events.last_number
    # It is written and logged before it turns out that there is no account to publish on.
    body = {"content": "Cake.", "isPublishNow": True}
    assert Wire(sandbox)("PATCH", f"/posts/{post['id']}", body).status_code == 422
    assert sandbox.events.since(before) == []
    assert sandbox.read_post(post["id"])["content"] == "Bread."

    sandbox.create_label(name="Rye")
    assert [each.kind for each in sandbox.events.since(before)] == ["label"]


def test_what_fails_by_the_clock_leaves_everything_as_it_was(sandbox: Sandbox) -> None:
    """Identifiers are given again, nothing is told, and what was due is due still."""
    service = sandbox.service
    made: list[str] = []
    fails = True

    def happens(service: Service, identifier: str) -> None:
        made.append(service.new_id())
        service.emit("happened", {"at": service.now()})
        if fails and len(made) == 3:
            raise RuntimeError("broken")

    service.on("test", happens)
    moments = [service.clock.now() + number * HOUR for number in (1, 2, 3)]
    for number, moment in enumerate(moments):
        service.plan(moment, "test", str(number))
    before = sandbox.events.last_number
    with pytest.raises(RuntimeError, match="broken"):
        sandbox.advance(hours=4)
    assert sandbox.events.since(before) == []
    first, made[:] = made[:], []

    fails = False
    sandbox.advance(hours=4)
    assert made == first
    told = [each.facts for each in sandbox.events.since(before) if each.kind == "happened"]
    assert told == [{"at": moment} for moment in moments]


def test_an_upload_that_outlives_its_user_is_refused(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sandbox is given another world while the file is looked at."""
    looked = media._look

    def look(*given: object) -> tuple[Json, str | None]:
        sandbox.reset({**WORLD, "users": [{"token": "eve", "name": "Eve"}]})
        return looked(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(media, "_look", look)
    file = {"file": ("talk.srt", b"1\n00:00:00,000 --> 00:00:02,000\nHello\n")}
    response = Wire(sandbox, "max")("POST", "/upload", media=True, files=file)
    assert response.status_code == 401
    assert len(sandbox.find("media")) == len(WORLD["media"])
    assert list(sandbox.service.files.iterdir()) == []


# The clock


@given(st.lists(st.tuples(st.sampled_from(["reach", "run"]), st.integers(-HOUR, HOUR))))
def test_a_clock_never_goes_back(steps: list[tuple[str, int]]) -> None:
    """However fast it runs meanwhile: between two looks, some of its time passes."""
    ticking = itertools.count()
    clock = Clock("x1000000", 0, real=lambda: next(ticking) / 1_000)
    last = 0
    for kind, number in steps:
        if kind == "reach":
            clock.reach(last + number)
            assert clock.now() >= last + number
        else:
            clock.run(("real", "frozen", "x60")[number % 3])
        now = clock.now()
        assert now >= last
        last = now


def test_a_clock_shows_no_moment_of_its_own_change() -> None:
    """Whoever looks while it is put on sees how it was or how it is, and nothing between."""
    seen: list[int] = []

    def real() -> float:
        if started:
            seen.append(started[0]._going[0])
        return 1_000.0 * len(seen)

    started: list[Clock] = []
    clock = Clock("x60", 5, real=real)
    started.append(clock)
    clock.restore(50)
    assert seen == [5]
    assert clock._going[0] == 50
