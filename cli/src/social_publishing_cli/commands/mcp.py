"""`mcp`: the server for assistants."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from ..command import pass_session, session_options
from ..profiles import PREFIX
from ..session import Session


@click.command()
@click.option("--allow-writes", is_flag=True, help="Let plans be applied, each after a yes.")
@click.option("--http", "port", type=click.IntRange(0, 65535), metavar="PORT", help="Serve HTTP.")
@click.option("--group", metavar="ID", help="The group to use where a call names none.")
@click.option(
    "--files",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder from which files may be uploaded.",
)
@click.option(
    "--journals",
    type=click.Path(file_okay=False, path_type=Path),
    envvar=f"{PREFIX}JOURNALS",
    help="Folder of plans and journals; by default that of your user account.",
)
@session_options
@pass_session
def mcp(session: Session, /, port: int | None, **given: Any) -> None:
    """Serve assistants over the Model Context Protocol.

    It only reads, unless you pass --allow-writes. Even then posts change only by a plan to which
    you have said yes. Without --http it speaks over standard input and output; with it, on
    127.0.0.1, to those who have the token that it prints.
    """
    if find_spec("mcp") is None:
        raise click.UsageError("mcp is not installed: pip install 'social-publishing-cli[mcp]'")
    from ..mcp.server import serve_http, serve_stdio
    from ..mcp.service import Options

    options = Options(**given)
    if port is None:
        serve_stdio(session, options)
    else:
        serve_http(session, options, port)
