"""The command: its groups, the options that all of them have, and how a run ends."""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, TypeVar

import click

from . import statuses
from .output import FORMATS
from .profiles import PREFIX
from .session import Session

__all__ = ["LazyGroup", "app", "main", "pass_session", "session_options"]

F = TypeVar("F", bound=Callable[..., Any])

pass_session = click.make_pass_decorator(Session, ensure=True)

# Where each command is. It is loaded when it is used, or its help is shown.
_COMMANDS = {
    "export": ("commands.export:export", "Write a month of posts into a spreadsheet."),
    "plan": ("commands.planning:plan", "Compare a sheet with the service, and change nothing."),
    "apply": ("commands.planning:apply", "Make the changes of a plan."),
    "resume": ("commands.planning:resume", "Go on with a plan that was interrupted."),
    "status": ("commands.planning:status", "Say what became of the plans of this machine."),
    "undo": ("commands.planning:undo", "Take back what a plan has changed."),
    "auth": ("commands.auth:auth", "Sign in, look who is signed in, sign out."),
    "doctor": ("commands.doctor:doctor", "Look at everything that can be in the way."),
}


class LazyGroup(click.Group):
    """A group whose commands are loaded when they are used.

    Args:
        lazy: By name: where the command is, as `module:attribute`, and its one line of help.
    """

    def __init__(self, *args: Any, lazy: dict[str, tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.lazy, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.lazy:
            return super().get_command(ctx, name)
        module, attribute = self.lazy[name][0].split(":")
        found: click.Command = getattr(import_module(f".{module}", __package__), attribute)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            near = difflib.get_close_matches(name, self.list_commands(ctx), 1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"There is no command {name!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lines = [(name, self.lazy[name][1]) for name in self.lazy]
        lines += [
            (name, command.get_short_help_str(100))
            for name in super().list_commands(ctx)
            if (command := super().get_command(ctx, name)) and not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(lines)


class _App(LazyGroup):
    """The command itself."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; that nobody reads what it writes any more is no failure."""
        try:
            found = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return statuses.DONE
        return found


def _keep(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Note an option in the session, wherever on the command line it stood."""
    if value not in (None, False, ()) and parameter.name:
        setattr(ctx.ensure_object(Session), parameter.name, value)


def _columns(ctx: click.Context, parameter: click.Parameter, value: str | None) -> None:
    names = tuple(each.strip() for each in (value or "").split(",") if each.strip())
    _keep(ctx, parameter, names)


_OPTIONS = (
    click.option(
        "--profile", metavar="NAME", help="Whose account it is.", envvar=f"{PREFIX}PROFILE"
    ),
    click.option("--sandbox", is_flag=True, help="Use a sandbox of its own; no account is needed."),
    click.option(
        "--output",
        type=click.Choice(FORMATS),
        envvar=f"{PREFIX}OUTPUT",
        help="How to write; a table in a terminal, JSON lines elsewhere.",
    ),
    click.option("--columns", metavar="A,B.C", help="The fields to write."),
    click.option("--jq", metavar="FILTER", help="Pass what is written through a filter of jq."),
    click.option(
        "--no-wait", is_flag=True, help="Exit with 6 where the rate limit would make it wait."
    ),
    click.option("--quiet", is_flag=True, help="No progress, no notes."),
)


def session_options(command: F) -> F:
    """Give a command the options that all commands have."""
    for option in reversed(_OPTIONS):
        command = option(command)
    wrapped: F = command
    for parameter in getattr(wrapped, "__click_params__", ()):
        if parameter.expose_value and parameter.name in Session.__dataclass_fields__:
            parameter.expose_value = False
            parameter.callback = _columns if parameter.name == "columns" else _keep
    return wrapped


@click.group(cls=_App, lazy=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@session_options
@click.version_option(package_name="social-publishing-cli")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Posts, groups and media of the Social Publishing Service.

    Try it without an account: social-publishing --sandbox export --help
    """
    session = ctx.ensure_object(Session)
    ctx.call_on_close(session.close)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status.

    Data is written to standard output, everything else to standard error.

    Args:
        arguments: What stands behind the command's name; that of the process where left out.
    """
    arguments = [*(sys.argv[1:] if arguments is None else arguments)]
    try:
        found = app.main(arguments, prog_name="social-publishing", standalone_mode=False)
        return found if isinstance(found, int) else statuses.DONE
    except click.exceptions.Exit as end:
        return end.exit_code
    except (click.Abort, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
        return statuses.INTERRUPTED
    except click.ClickException as error:
        _report(error, error.format_message(), arguments, error)
        return statuses.status_of(error)
    except Exception as error:
        if not _is_ours(error):
            raise
        _report(error, str(error), arguments)
        return statuses.status_of(error)


def _is_ours(error: Exception) -> bool:
    """Whether an error is one that people are meant to see, and not a mistake in the program."""
    return any(
        kind.__module__.split(".")[0] in ("social_publishing", "social_publishing_cli")
        for kind in type(error).__mro__
    ) or isinstance(error, OSError)


def _wants_json(arguments: Sequence[str]) -> bool:
    pairs = [*zip(arguments, [*arguments[1:], ""], strict=True)]
    named = [
        b if a == "--output" else a.removeprefix("--output=")
        for a, b in pairs
        if a == "--output" or a.startswith("--output=")
    ]
    return (named or [os.environ.get(f"{PREFIX}OUTPUT", "")])[-1] in ("json", "jsonl")


def _report(
    error: BaseException,
    message: str,
    arguments: Sequence[str],
    usage: click.ClickException | None = None,
) -> None:
    if _wants_json(arguments):
        found = {**statuses.described(error), "message": message}
        print(json.dumps(found, ensure_ascii=False), file=sys.stderr)
        return
    if isinstance(usage, click.UsageError) and usage.ctx is not None:
        print(f"Try '{usage.ctx.command_path} --help'.", file=sys.stderr)
    print(f"error: {message}", file=sys.stderr)
