"""`sandbox reset`: begin the sandbox of `--sandbox` anew."""

from __future__ import annotations

import click

from ..command import Group, pass_session, session_options
from ..session import Session, forget_sandbox


@click.group(cls=Group)
@session_options
def sandbox() -> None:
    """Begin the sandbox of --sandbox anew.

    It is kept between commands, with everything that you changed in it, and its clock stands still.
    """


@sandbox.command()
@session_options
@pass_session
def reset(session: Session, /) -> None:
    """Forget what was changed in the sandbox, and begin it anew.

    It begins on the morning of 1 December 2026, whatever the date is, or at --sandbox-now. Its
    posts are around that time.
    """
    forget_sandbox()
    session.sandbox = True
    session.account()
