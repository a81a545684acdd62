"""Values that are empty, a clock that begins anew, letters beyond ASCII."""

from __future__ import annotations

import sqlite3
import traceback
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from plans_support import BOTH, Side, script
from runtime.core.errors import ConnectionFailed, Exchange
from runtime.engine.credentials import Credential
from runtime.limits.file_rates import KEPT_SECONDS, FileRates
from runtime.limits.ledger import Message
from runtime.request.outcome import _together
from runtime.response.redaction import Redaction
from test_polling import polling

from tests.support.clock import StillClock


@BOTH
@pytest.mark.parametrize(
    ("answer", "result", "value"),
    [
        ({"state": "ready", "pageText": ""}, "page_text", ""),
        ({"state": "ready", "data": {"id": "1", "words": []}}, "data.words", []),
        ({"state": "ready", "data": {"id": "1", "is_busy": False}}, "data.is_busy", False),
    ],
)
def test_a_result_that_is_empty_is_one(
    side: type[Side], answer: Any, result: str, value: Any
) -> None:
    assert side(script(answer), StillClock()).send(polling(result=result)) == value


def test_of_nothing_that_is_known_nobody_can_tell_what_became() -> None:
    assert _together({}, []).done is None


@pytest.mark.parametrize(
    "password", ["contraseña-larga", "ñandú-año-1", "пароль", "plain-password"]
)
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_password_is_hidden_however_it_comes_back(password: str, encoding: str) -> None:
    secret = Credential("login", "T_LOGIN", None, "basic").secret(("ann", password))
    try:
        body = f"wrong password: {password}!".encode(encoding)
    except UnicodeEncodeError:
        return
    exchange = Exchange("pets.list", "GET", "https://a.test", 401, {}, body)
    assert Redaction(*secret.hidden)(exchange).body == b"wrong password: ***!"


@pytest.mark.parametrize(("later", "kept"), [(KEPT_SECONDS - 1, True), (KEPT_SECONDS + 1, False)])
@pytest.mark.parametrize("back", [True, False])
def test_who_sends_nothing_for_a_day_is_forgotten(
    tmp_path: Path, later: float, kept: bool, back: bool
) -> None:
    """By a clock that began anew, too, as after a restart of the machine."""
    start = 900_000.0
    now = [start]
    store = FileRates(tmp_path / "rates.db", now=lambda: now[0])
    store.reserve("before", Message("a", 1, 0.0, 0, 60, 60.0))
    now[0] = start - later if back else start + later
    store.reserve("now", Message("a", 1, 0.0, 0, 60, 60.0))
    with closing(sqlite3.connect(tmp_path / "rates.db")) as base:
        keys = {key for [key] in base.execute("SELECT key FROM rates")}
    assert keys == ({"before", "now"} if kept else {"now"})


@pytest.mark.parametrize("how", ["cause", "context"])
def test_a_secret_shows_in_no_traceback_however_errors_follow_each_other(how: str) -> None:
    exchange = Exchange("pets.list", "GET", "https://pets.example", None, {})
    error = ConnectionFailed("gone", exchange, False)
    try:
        try:
            raise OSError("cannot send Bearer SECRET-TOKEN")
        except OSError as inner:
            if how == "cause":
                raise ValueError("broken pipe") from inner
            raise ValueError("broken pipe")  # noqa: B904
    except ValueError as outer:
        error.__cause__ = outer
    Redaction("SECRET-TOKEN").error(error)
    assert "SECRET-TOKEN" not in "".join(traceback.format_exception(error))
