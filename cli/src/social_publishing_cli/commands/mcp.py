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
@click.option("--group", metavar="GROUP", help="The group to use where a call names none.")
@click.option(
    "--journals",
    type=click.Path(file_okay=False, path_type=Path),
    envvar=f"{PREFIX}JOURNALS",
    help="Folder of plans and journals; by default that of your user account.",
)
@session_options
@pass_session
def mcp(session: Session, /, **given: Any) -> None:
    """Serve assistants over the Model Context Protocol.

    It only reads, unless you pass --allow-writes. Even then posts change only by a plan to which
    you have said yes. It speaks over standard input and output.
    """
    if find_spec("mcp") is None:
        raise click.UsageError("mcp is not installed: pip install 'social-publishing-cli[mcp]'")
    from ..mcp.server import serve
    from ..mcp.service import Options

    given["group"] = session.default_group(given["group"])
    serve(session, Options(**given))
