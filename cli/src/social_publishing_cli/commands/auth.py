"""`auth`: sign in, look who is signed in, sign out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click

from .. import profiles
from ..command import Group, pass_session, session_options
from ..output import tell
from ..session import GROUP, Session

_NAME = click.argument("name", required=False, metavar="[PROFILE]")


@click.group(cls=Group)
@session_options
def auth() -> None:
    """Sign in, sign out, and show who is signed in."""


@auth.command()
@_NAME
@click.option("--base-url", metavar="URL", help="Address of the main API; ends with /v1.")
@click.option("--media-url", metavar="URL", help="Address of the media API; ends with /api/v1.")
@click.option("--token-stdin", is_flag=True, help="Read the token from standard input.")
@click.option("--no-check", is_flag=True, help="Save the token without testing it.")
@session_options
@pass_session
def login(
    session: Session,
    /,
    name: str | None,
    base_url: str | None,
    media_url: str | None,
    token_stdin: bool,
    no_check: bool,
) -> None:
    """Save a token and the two addresses as a profile.

    Create the token in the account settings of the service, in the API section. The command tests
    it with one request that changes nothing. It saves the token in the keyring of your system or,
    without a keyring, in a file that only you can read.
    """
    name = _profile(session, name)
    profiles.check_name(name)
    known = profiles.load().get(name, {})
    base_url = _asked("base_url", base_url, known, "Address of the main API (…/v1)")
    media_url = _asked("media_url", media_url, known, "Address of the media API (…/api/v1)")
    from social_publishing import SocialPublishing

    if token_stdin:
        token = sys.stdin.readline().strip()
        if not token:
            raise click.UsageError("--token-stdin: no token came on standard input")
    elif sys.stdin.isatty():
        token = _answer("Token", partial(_refused, "api_token"), hide_input=True)
    else:
        raise click.UsageError(
            "cannot ask for the token without a terminal: pass it with --token-stdin"
        )
    with SocialPublishing(
        api_token=token, base_url=base_url, media_url=media_url, deadline=30, retries=0
    ) as client:
        if not no_check:
            client.posts.get_many(ids=["1"])
    where = profiles.save(name, token, base_url, media_url)
    session.note(f"signed in as profile {name}; the token is in {where}")


def _profile(session: Session, name: str | None) -> str:
    """Return the profile that is meant: the argument, or that of --profile."""
    if session.is_of_sandbox:
        raise click.UsageError("a sandbox has no profiles: leave out --sandbox")
    is_of_option = session.profile != os.environ.get(f"{profiles.PREFIX}PROFILE")
    if name and session.profile and name != session.profile and is_of_option:
        raise click.UsageError(f"two profiles are named, {name} and --profile {session.profile}")
    return name or session.profile or profiles.DEFAULT


def _asked(name: str, given: str | None, known: dict[str, str], question: str) -> str:
    """Return an address: given, known, or asked for until it is one that can be used."""
    value = given or os.environ.get(profiles.PREFIX + name.upper()) or known.get(name)
    if value:
        if reason := _refused(name, value):
            raise click.BadParameter(reason, param_hint=f"--{name.replace('_', '-')}")
        return value
    option = f"--{name.replace('_', '-')}"
    if not sys.stdin.isatty():
        raise click.UsageError(f"cannot ask without a terminal: pass {option}")
    return _answer(question, partial(_refused, name))


def _answer(question: str, refused: Callable[[str], str], **how: Any) -> str:
    """Ask until an answer can be used; each is checked as it is given."""
    while True:
        value = str(click.prompt(question, err=True, **how)).strip()
        reason = refused(value)
        if not reason:
            return value
        tell(f"error: {reason}")


def _refused(name: str, value: str) -> str:
    """Return why the client does not take one of its settings; empty where it does."""
    from social_publishing import ConfigurationError, SocialPublishing

    usable: dict[str, Any] = {
        "api_token": "t",
        "base_url": "https://localhost/v1",
        "media_url": "https://localhost/api/v1",
    }
    try:
        SocialPublishing(**{**usable, name: value}).close()
    except ConfigurationError as error:
        return str(error)
    return ""


@auth.command()
@session_options
@pass_session
def status(session: Session, /) -> None:
    """Show the profiles, and which token commands use."""
    used = session.account()

    def found() -> Iterator[dict[str, str]]:
        for name, profile in profiles.load().items():
            kept = "file" if "api_token" in profile else "keyring"
            yield {
                "profile": name,
                "base_url": profile.get("base_url", ""),
                "token": kept,
                "group": profile.get("group", ""),
            }

    session.write(found())
    used.checked()
    session.note(f"used: the token of the {used.sources['api_token']}, at {used.base_url}")
    for note in used.notes:
        session.note(f"note: {note}")


@auth.command("default-group")
@click.argument("group", required=False)
@click.option("--none", "none", is_flag=True, help="Have no default group any more.")
@session_options
@pass_session
def default_group(session: Session, /, group: str | None, none: bool) -> None:
    """Set the group that a profile means where no command names one; or show it.

    GROUP is its name or its id. It is read once, to see that it is there.
    """
    account = session.account()
    if not account.profile:
        raise click.UsageError(
            "only a profile has a default group: sign in with social-publishing auth login, or set "
            f"the variable {GROUP}"
        )
    if group and none:
        raise click.UsageError("give a group or --none, not both")
    if group:
        found = session.client.groups.get(session.names.resolve("group", group))
        profiles.set_group(account.profile, found.id)
        session.note(f"profile {account.profile}: the default group is {found.name} ({found.id})")
    elif none:
        profiles.set_group(account.profile, None)
        session.note(f"profile {account.profile} has no default group any more")
    elif account.group:
        session.write([{"group": account.group, "name": session.names.label(account.group)}])
    else:
        session.note(f"profile {account.profile} has no default group")


@auth.command()
@_NAME
@session_options
@pass_session
def logout(session: Session, /, name: str | None) -> None:
    """Delete a profile and its token from this machine."""
    name = _profile(session, name)
    if not profiles.forget(name):
        raise profiles.SignInError(f"there is no profile {name!r}")
    session.note(f"deleted profile {name}; the token itself remains valid at the service")
