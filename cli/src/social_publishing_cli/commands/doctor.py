"""`doctor`: checks installation and connection; works when nothing else does."""

from __future__ import annotations

import difflib
import os
import platform
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, NamedTuple

import click

from .. import profiles, statuses
from ..command import pass_session, session_options
from ..session import Session

_PACKAGES = ("social-publishing-cli", "social-publishing", "social-publishing-sandbox")
_VARIABLES = (
    "API_TOKEN",
    "BASE_URL",
    "MEDIA_URL",
    "PROFILE",
    "GROUP",
    "OUTPUT",
    "CONFIG",
    "JOURNALS",
    "ALLOW_WRITES",
    "DEBUG",
    # The sandbox sets these for what it runs, and the contract tests read the last.
    "SANDBOX_CONTROL_URL",
    "SANDBOX_CONTROL_TOKEN",
    "SANDBOX_CONSOLE_URL",
    "GROUP_ID",
)
_TIMEOUT = 5.0
_SKEW = 5.0


class Check(NamedTuple):
    """The result of one check: "ok", "note" or "fail", and the details."""

    check: str
    state: str
    found: str


@click.command()
@click.option("--offline", is_flag=True, help="Send nothing.")
@session_options
@pass_session
def doctor(session: Session, /, offline: bool) -> int:
    """Check the installation and the connection, and report every problem.

    Checks versions, profiles, the source of the token, the addresses, the clock and the rate limit.
    Never shows the token.
    """
    every = [*_checks(session, offline)]
    session.show("")
    session.write((dict(each._asdict()) for each in every), uncut=("found",))
    return statuses.FAILED if any(each.state == "fail" for each in every) else statuses.DONE


def _checks(session: Session, offline: bool) -> Iterator[Check]:
    yield Check("python", "ok", f"{platform.python_version()} on {platform.system()}")
    for name in _PACKAGES:
        try:
            yield Check(name, "ok", version(name))
        except PackageNotFoundError:
            here = find_spec(name.removesuffix("-cli").replace("-", "_"))
            yield Check(name, "note", "from a checkout" if here else "not installed")
    keyring = profiles.keyring_name()
    yield Check(
        "keyring", "ok" if keyring else "note", keyring or "no keyring; tokens are saved in a file"
    )
    yield from _misspelt()
    try:
        account = session.account()
    except (profiles.ProfileError, profiles.SignInError) as error:
        yield Check("profiles", "fail", str(error))
        return
    for note in account.notes:
        yield Check("profiles", "note", note)
    known = f"from the {account.sources['api_token']}" if account.api_token else _none("api_token")
    yield Check("token", "ok" if account.api_token else "fail", known)
    for name in ("base_url", "media_url"):
        address = getattr(account, name)
        known = f"{address}, from the {account.sources[name]}" if address else _none(name)
        is_needed = name == "base_url"
        why = "" if address or is_needed else " (only media commands ask for it)"
        yield Check(name, "ok" if address else "fail" if is_needed else "note", known + why)
        if re.match(r"http://(?!(localhost|127\.0\.0\.1|\[::1\])([:/]|$))", address):
            yield Check(name, "note", "no TLS: others on the network can read the token")
    if not offline and account.api_token and account.base_url:
        yield from _called(account, session.show)


def _none(name: str) -> str:
    """Say what to do about a part of the account that is not there."""
    return f"none: run social-publishing auth login, or set {profiles.PREFIX}{name.upper()}"


def _misspelt() -> Iterator[Check]:
    known = [profiles.PREFIX + name for name in _VARIABLES]
    for name in sorted(os.environ):
        if name.startswith(profiles.PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, 1)
            if near:
                yield Check("environment", "note", f"{name} is not known; did you mean {near[0]}?")


def _called(account: profiles.Account, show: Callable[[str], object]) -> Iterator[Check]:
    """Send requests that change nothing to both addresses, and look at what their responses say."""
    from social_publishing import (
        Exchange,
        NotFoundError,
        SocialPublishing,
        SocialPublishingError,
        StatusError,
    )

    seen: list[Exchange] = []

    def watch(attempt: Any, send: Callable[[Any], Exchange]) -> Exchange:
        exchange = send(attempt)
        seen.append(exchange)
        return exchange

    try:
        client = SocialPublishing(
            api_token=account.api_token,
            base_url=account.base_url,
            media_url=account.media_url or None,
            deadline=4 * _TIMEOUT,
            timeout=_TIMEOUT,
            retries=0,
            pacing="off",
            middleware=[watch],
        )
    except SocialPublishingError as error:
        yield Check("addresses", "fail", str(error))
        return
    with client:
        calls: dict[str, Callable[[], object]] = {
            "base_url": partial(client.posts.get_many, ids=["1"]),
            **({"media_url": partial(client.media.status, "1")} if account.media_url else {}),
        }
        for name, call in calls.items():
            show(f"Asking {name}")
            try:
                with suppress(NotFoundError):
                    call()
            except SocialPublishingError as error:
                status = f"status {error.status}: " if isinstance(error, StatusError) else ""
                yield Check(f"{name}: request", "fail", f"{status}{error}")
            else:
                yield Check(f"{name}: request", "ok", "the token is accepted")
        room = client.rate_limit
        if seen and room:
            state = "ok" if room.remaining else "note"
            yield Check("rate limit", state, f"{room.remaining} of {room.limit} requests left")
    date = seen[-1].headers.get("date") if seen else None
    if date:
        try:
            skew = time.time() - parsedate_to_datetime(date).timestamp()
        except ValueError:
            return
        state = "ok" if abs(skew) <= _SKEW else "note"
        ahead = "ahead of" if skew > 0 else "behind"
        yield Check("clock", state, f"{abs(skew):.0f} s {ahead} the service")
