"""`names`: the groups and accounts that are known by their names."""

from __future__ import annotations

import click

from ..command import pass_session, session_options
from ..session import Session


@click.command()
@click.argument("groups", nargs=-1, metavar="[GROUP]...")
@session_options
@pass_session
def names(session: Session, /, groups: tuple[str, ...]) -> None:
    """Show the groups and accounts whose names stand for their ids.

    They are those that the service has told of, in a response to any command. GROUP, an id or a
    name, is read first: one request each. No operation lists all groups (§4.8,
    `endpoints.missing`).
    """
    for group in groups:
        session.client.groups.get(session.names.resolve("group", group))
    known = [*session.names]
    rows = (
        {
            "kind": each.kind,
            "name": each.label,
            "id": each.id,
            "username": each.username,
            "group": session.names.label(each.group) if each.group else "",
        }
        for each in known
    )
    session.write(rows, "kind", "name", "id", "group", uncut=("name",))
    if not known:
        session.note("no names are known yet: social-publishing names ID reads those of a group")
    elif default := session.account().group:
        session.note(f"default group: {session.names.label(default)} ({default})")
