"""`sandbox reset`: forget what was changed in the sandbox of `--sandbox`."""

from __future__ import annotations

from pathlib import Path

import click

from ..command import Group, pass_session, session_options
from ..plans.journal import forget
from ..session import Session, sandbox_anew
from .planning import journal_option


@click.group(cls=Group)
@session_options
def sandbox() -> None:
    """Reset the sandbox that --sandbox uses.

    The sandbox keeps what you change in it from command to command. Its clock stands still.
    """


@sandbox.command()
@journal_option
@session_options
@pass_session
def reset(session: Session, /, folder: Path | None) -> None:
    """Forget everything that was changed in the sandbox, and the plans that were applied there.

    The new sandbox stands at 1 December 2026, 09:00 UTC, on any day, or at --sandbox-now. Its posts
    are of the weeks before and after.
    """
    session.sandbox = True
    with sandbox_anew():
        session.account()
    for organization in session.organizations:
        forget({"organization_id": organization}, folder, session.note)
