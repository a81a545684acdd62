"""`mcp`: the server for assistants."""

from __future__ import annotations

import getpass
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from ..command import Folder, pass_session, session_options
from ..installed import extra, how_to_add
from ..profiles import PREFIX, SignInError
from ..session import Session

if TYPE_CHECKING:
    from ..mcp.service import Options


def _names(ctx: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> Any:
    if not all(each.strip() for each in value):
        raise click.BadParameter("a person needs a name")
    return value


@click.command()
@click.option(
    "--allow-writes",
    is_flag=True,
    envvar=f"{PREFIX}ALLOW_WRITES",
    help="Allow applying plans, each after your approval.",
)
@click.option("--group", metavar="GROUP", help="Default group for calls that name none.")
@click.option(
    "--journals",
    type=Folder(),
    envvar=f"{PREFIX}JOURNALS",
    help="Folder for plans and journals. Default: a folder of your user account.",
)
@click.option(
    "--http",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve several people at this port of this machine, over HTTP. 0 picks a free one.",
)
@click.option(
    "--person",
    "people",
    multiple=True,
    metavar="NAME",
    callback=_names,
    help="With --http: a person who has a token and plans of their own; repeatable. Default: you.",
)
@session_options
@pass_session
def mcp(session: Session, /, http: int | None, people: tuple[str, ...], **given: Any) -> None:
    """Let AI assistants read posts and propose changes that you approve.

    Serves the Model Context Protocol over standard input and output. The server only reads, unless
    you pass --allow-writes; even then it changes posts only by a plan that you have approved.
    """
    if find_spec("mcp") is None:
        raise click.UsageError(f"mcp is not installed: {how_to_add(*extra('mcp'))}")
    from ..mcp.service import Options

    if people and http is None:
        raise click.UsageError("--person needs --http")
    session.shares_sandbox = True
    given["group"] = session.default_group(given["group"])
    try:
        session.account().checked()
    except SignInError as error:
        session.note(f"{error}. Until then, an assistant gets this error from every call")
    if http is not None:
        _over_http(session, Options(**given), people, http)
        return
    from ..mcp.server import serve

    if sys.stdin.isatty():
        session.note(
            "waiting for an assistant on standard input: its program is meant to start this "
            "command (social-publishing help agents). Ctrl-C ends it"
        )
    serve(session, Options(**given))


def _over_http(session: Session, options: Options, people: tuple[str, ...], port: int) -> None:
    from ..mcp.http import listening, serve

    try:
        at = listening(port)
    except OSError as error:
        raise click.UsageError(f"--http {port}: {error.strerror or error}") from None
    serve(session, options, people or (getpass.getuser(),), at)
