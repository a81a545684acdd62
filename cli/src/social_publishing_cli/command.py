"""The command: its groups, the options that all of them have, and how a run ends."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import click

from . import statuses
from .catalogues import catalogue, version
from .files import is_stream
from .installed import missing
from .operations import MOMENT, command_of
from .output import FORMATS, NARROW, abandon, tell, wrapped
from .profiles import PREFIX
from .session import Session

_DEBUG = f"{PREFIX}DEBUG"

_OURS = ("social_publishing", "social_publishing_cli", "social_publishing_sandbox")

_CALL = re.compile(r"client\.(\w+(?:\.\w+)?)")

F = TypeVar("F", bound=Callable[..., Any] | click.Command)

pass_session = click.make_pass_decorator(Session, ensure=True)

# Where each command is. It is loaded when it is used, or its help is shown.
_COMMANDS = {
    "export": ("commands.export:export", "Export a month of posts to a spreadsheet."),
    "plan": ("commands.planning:plan", "Compare a sheet with the service. Changes nothing."),
    "show": ("commands.planning:show", "Show a saved plan. Needs no account."),
    "apply": ("commands.planning:apply", "Apply a plan."),
    "resume": ("commands.planning:resume", "Continue an interrupted plan."),
    "status": ("commands.planning:status", "Show the plans on this machine and their results."),
    "undo": ("commands.planning:undo", "Undo the changes of a plan."),
    "calendar": ("commands.calendar:calendar", "Show a month of posts and notes as a calendar."),
    "metrics": ("commands.metrics:metrics", "Show the metrics of published posts."),
    "mcp": (
        "commands.mcp:mcp",
        "Let AI assistants read posts and propose changes that you approve.",
    ),
    "names": ("commands.names:names", "Show the groups and accounts whose names stand for ids."),
    "help": ("commands.help:help_", "Show a page of the documentation, or the help of a command."),
    "auth": ("commands.auth:auth", "Sign in, sign out, and show who is signed in."),
    "sandbox": ("commands.sandbox:sandbox", "Reset the sandbox that --sandbox uses."),
    "doctor": (
        "commands.doctor:doctor",
        "Check versions, profile, addresses, clock and rate limit.",
    ),
}


class _Formatter(click.HelpFormatter):
    """Help in which no word is broken; in a narrow terminal, options stand above what they do."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        # click writes 50 columns in a terminal that has fewer.
        width = width or min(shutil.get_terminal_size().columns, max_width or 80) - 2
        super().__init__(indent_increment, max(width, 20))

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        self.write(wrapped(f"{prefix or 'Usage: '}{prog} {args}", self.width, "    ") + "\n")

    def write_text(self, text: str) -> None:
        pad = " " * self.current_indent
        paragraphs = []
        for paragraph in re.split(r"\n\s*\n", text.strip()):
            lines = paragraph.splitlines()
            if lines[:1] != ["\b"]:  # which says that lines stay as they are
                lines = wrapped(" ".join(paragraph.split()), self.width - len(pad)).splitlines()
            paragraphs.append("".join(f"{pad}{line}\n" for line in lines if line != "\b"))
        self.write("\n".join(paragraphs))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        rows, pad = [*rows], " " * self.current_indent
        beside = min(max(len(name) for name, _ in rows), col_max) + col_spacing
        column = len(pad) + (beside if self.width >= NARROW else 4)
        for name, text in rows:
            head = pad + wrapped(name, self.width - len(pad), f"{pad}  ", r"\s+|(?<=\|)")
            lines = wrapped(text, self.width - column).splitlines()
            if lines and self.width >= NARROW and len(name) <= beside - col_spacing:
                head = head.ljust(column) + lines.pop(0)
            self.write("\n".join([head, *(" " * column + line for line in lines)]) + "\n")


class _Context(click.Context):
    formatter_class = _Formatter


class Group(click.Group):
    """A group that knows what a misspelt command may mean."""

    context_class = _Context

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        command = super().get_command(ctx, name)
        if command:
            command.context_class = _Context
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        command = None if name.startswith("-") else self.get_command(ctx, name)
        if command is None and not name.startswith("-"):
            import difflib

            near = difflib.get_close_matches(name, self.list_commands(ctx), 1)
            hint = f"Did you mean {near[0]!r}?" if near else self.why_not(name)
            ctx.fail(f"There is no command {name!r}. {hint}".rstrip())
        if command is None:
            return super().resolve_command(ctx, args)
        _said_once(command.context_class(command, parent=ctx, info_name=name), args[1:])
        return name, command, args[1:]

    def why_not(self, name: str) -> str:
        """Say why there is no command of a name, where that is known."""
        return ""


def _said_once(ctx: click.Context, arguments: list[str]) -> None:
    """See that an option that takes one value is not given two: neither would be the right one."""
    if isinstance(ctx.command, click.Group):
        return
    try:
        given = ctx.command.make_parser(ctx).parse_args([*arguments])[2]
    except click.UsageError:  # which is told when the command is run
        return
    for each in given:
        if (
            isinstance(each, click.Option)
            and each.expose_value
            and not (each.is_flag or each.count or each.multiple)
            and given.count(each) > 1
        ):
            names = "/".join(each.opts)
            ctx.fail(f"{names} takes one value, and is given {given.count(each)}: keep one.")


class _Resource(Group):
    """The commands of one resource of the client; each is made when it is used."""

    @property
    def _known(self) -> Mapping[str, Any]:
        commands: Mapping[str, Any] = catalogue()[_attribute(str(self.name))]["commands"]
        return commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [_word(name) for name in self._known]

    def why_not(self, name: str) -> str:
        """Say that the service documents no such operation, with the § and what comes nearest."""
        return _undocumented(_attribute(str(self.name)), name)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if _attribute(name) not in self._known:
            return None
        command = command_of(_attribute(str(self.name)), _attribute(name))
        command.context_class = _Context
        return session_options(command)


class _App(Group):
    """The command itself: commands of its own, and a group for each resource of the client."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_COMMANDS, *map(_word, catalogue())]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in _COMMANDS:
            module, attribute = _COMMANDS[name][0].split(":")
            command: click.Command = getattr(import_module(f".{module}", __package__), attribute)
            command.context_class = _Context
            return command
        known = catalogue().get(_attribute(name))
        return session_options(_Resource(name, help=known["doc"])) if known else None

    def why_not(self, name: str) -> str:
        """Say that the service documents no operations of a name that its specification lists."""
        told = _undocumented("", name)
        return told if "§" in told else ""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("A month of posts"):
            formatter.write_dl([(name, _COMMANDS[name][1]) for name in _COMMANDS])
        with formatter.section("Every documented operation"):
            formatter.write_dl([(_word(name), each["doc"]) for name, each in catalogue().items()])


def _undocumented(resource: str, name: str) -> str:
    """Return what the client says of a method that it does not have, in the words of commands."""
    from social_publishing.undocumented import explain

    told = str(explain(resource, _attribute(name), ())).partition(": ")[2]
    told = _CALL.sub(lambda call: " ".join(map(_word, call[1].split("."))), told)
    return told[:1].upper() + told[1:]


def _word(name: str) -> str:
    return name.replace("_", "-")


def _attribute(word: str) -> str:
    return word.replace("-", "_")


def _keep(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Note an option in the session, wherever on the command line it stood."""
    if value not in (None, False, ()) and parameter.name:
        setattr(ctx.ensure_object(Session), parameter.name, value)


def _show_version(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"social-publishing, version {version()}")
        ctx.exit()


def _columns(ctx: click.Context, parameter: click.Parameter, value: str | None) -> None:
    names = tuple(each.strip() for each in (value or "").split(",") if each.strip())
    _keep(ctx, parameter, names)


class Folder(click.Path):
    """A folder, which may not be there yet; devices, which click takes for one, are none."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(str(super().convert(value, param, ctx)))
        return self.fail(f"{path} is no folder", param, ctx) if is_stream(path) else path


class _Format(click.Choice[str]):
    """A format of the output; a file is what -o is for."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if isinstance(value, str) and value not in FORMATS and re.search(r"[./\\]", value):
            takes = ctx is not None and any("-o" in each.opts for each in ctx.command.params)
            hint = (
                f"write a file with -o {value}"
                if takes
                else "write a file with --output csv > FILE"
            )
            self.fail(f"{value!r} is no format ({', '.join(FORMATS)}): {hint}", param, ctx)
        return super().convert(value, param, ctx)


def _option(*names: str, **attributes: Any) -> Callable[[F], F]:
    return click.option(*names, **{"callback": _keep, "expose_value": False, **attributes})


_OPTIONS = (
    _option(
        "--profile",
        metavar="NAME",
        help="Use the account of this profile.",
        envvar=f"{PREFIX}PROFILE",
    ),
    _option("--sandbox", is_flag=True, help="Use a sandbox on this machine; needs no account."),
    _option(
        "--sandbox-now",
        type=MOMENT,
        metavar="TIME",
        help="Move the clock of the sandbox forward to this time.",
    ),
    _option(
        "--output",
        type=_Format(FORMATS),
        envvar=f"{PREFIX}OUTPUT",
        help="Output format. Default: a table in a terminal, else JSON lines.",
    ),
    _option(
        "--columns", metavar="A,B.C", help="Fields to show, separated by commas.", callback=_columns
    ),
    _option("--jq", metavar="FILTER", help="Filter the output with jq."),
    _option("--no-wait", is_flag=True, help="Exit with 6 instead of waiting for the rate limit."),
    _option("--quiet", is_flag=True, help="Hide progress and notes."),
)


def options(*several: Callable[[Any], Any]) -> Callable[[F], F]:
    """Return what gives a command several options."""

    def give(command: F) -> F:
        # A function keeps its options the other way round.
        for option in several if isinstance(command, click.Command) else several[::-1]:
            command = option(command)
        return command

    return give


session_options = options(*_OPTIONS)


force_option = click.option("--force", is_flag=True, help="Overwrite an existing file.")


@click.group(cls=_App, context_settings={"help_option_names": ["-h", "--help"]})
@session_options
@_option(
    "--version",
    is_flag=True,
    is_eager=True,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.pass_context
def app(ctx: click.Context) -> None:
    """Posts, groups and media of the Social Publishing Service.

    Try it without an account: social-publishing --sandbox groups get 9032915132417572866
    """
    session = ctx.ensure_object(Session)
    ctx.call_on_close(session.close)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status.

    Data is written to standard output, everything else to standard error.
    """
    arguments = [*(sys.argv[1:] if arguments is None else arguments)]
    warnings.showwarning = _warn
    _open_streams()
    _use_unicode()
    status = _run(arguments)
    try:
        sys.stdout.flush()
    except OSError as error:
        abandon(sys.stdout)
        if status == statuses.DONE and not isinstance(error, BrokenPipeError):
            _report(error, f"standard output: {error.strerror or error}", arguments)
            return statuses.FAILED
    return status


def _run(arguments: Sequence[str]) -> int:
    try:
        status = app.main(
            [*arguments],
            prog_name="social-publishing",
            standalone_mode=False,
            obj=Session(arguments=[*arguments]),
        )
        return status if isinstance(status, int) else statuses.DONE
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as bare:
        print(bare.format_message())
        return statuses.DONE
    except (SystemExit, BrokenPipeError):  # nobody reads on: no failure, for which click exits
        abandon(sys.stdout)
        return statuses.DONE
    except (click.Abort, KeyboardInterrupt) as stop:
        _report(stop.__cause__ or stop, "interrupted", arguments)
        return statuses.INTERRUPTED
    except click.ClickException as error:
        message = _elsewhere(error, arguments) or error.format_message()
        if message.startswith("Got unexpected extra argument"):
            message += ": a value with spaces needs quotation marks"
        _report(error, message, arguments, error)
        return statuses.status_of(error)
    except Exception as error:
        if _is_ours(error):
            _report(error, _reason(error), arguments)
        elif isinstance(error, ModuleNotFoundError) and not os.environ.get(_DEBUG):
            _report(error, missing(error), arguments)
        elif os.environ.get(_DEBUG):
            raise
        else:
            what = f"{type(error).__name__}: {error}"
            _report(error, f"{what} (a bug in this program; {_DEBUG}=1 shows where)", arguments)
        return statuses.status_of(error)


def _elsewhere(error: click.ClickException, arguments: Sequence[str]) -> str:
    """Say where an option belongs that the command has in another place, or in another form."""
    if not isinstance(error, click.NoSuchOption):
        return ""
    command: click.Command = app
    path, context = ["social-publishing"], click.Context(app)
    for word in arguments:
        inner = command.get_command(context, word) if isinstance(command, click.Group) else None
        if inner is not None:
            command, path = inner, [*path, word]
    line = " ".join(path)
    for each in command.params:
        argument = each.human_readable_name.strip("[].") * isinstance(each, click.Argument)
        if error.option_name == f"--{argument.lower()}":
            return f"{error.option_name} is no option of this command: {line} {argument}"
        if isinstance(each, click.Option) and error.option_name in each.opts:
            return f"{error.option_name} belongs after the command: {line} {error.option_name}"
    if isinstance(command, click.Group):
        below = (command.get_command(context, name) for name in command.list_commands(context))
        takes = [each.name for each in below if each and _takes(each, error.option_name)]
        if 0 < len(takes) <= 3:
            several = " or ".join(f"{line} {name}" for name in takes)
            return f"{error.option_name} is an option of {several}"
    return ""


def _takes(command: click.Command, option: str) -> bool:
    return any(isinstance(each, click.Option) and option in each.opts for each in command.params)


def _open_streams() -> None:
    """Open nothing in the place of a standard stream that the caller has closed.

    A file that is opened later would get its number, and what is printed.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _use_unicode() -> None:
    """Write UTF-8 where no terminal says otherwise, and let no character end a run."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    """Show a warning as one line, and not with the line of a program that gave it."""
    tell(f"warning: {message}")


def _is_ours(error: Exception) -> bool:
    """Return whether an error is meant for people, and is no mistake in the program."""
    return any(
        kind.__module__.split(".")[0] in _OURS for kind in type(error).__mro__
    ) or isinstance(error, OSError)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _wants_json(arguments: Sequence[str]) -> bool:
    named = [
        b if a == "--output" else a.removeprefix("--output=")
        for a, b in pairwise([*arguments, ""])
        if a == "--output" or a.startswith("--output=")
    ]
    return (named or [os.environ.get(f"{PREFIX}OUTPUT", "")])[-1] in ("json", "jsonl")


def _report(
    error: BaseException,
    message: str,
    arguments: Sequence[str],
    usage: click.ClickException | None = None,
) -> None:
    from .pages import explained, where

    page = where(explained(error))
    if _wants_json(arguments):
        described = {**statuses.described(error), "message": message}
        described |= {"documentation": page} if page else {}
        print(json.dumps(described, ensure_ascii=False), file=sys.stderr)
        return
    if isinstance(usage, click.UsageError) and usage.ctx is not None:
        tell(f"Try '{usage.ctx.command_path} --help'.")
    stopped = isinstance(error, click.Abort | KeyboardInterrupt)
    # A terminal shows ^C at the end of its line.
    tell("\n" * sys.stderr.isatty() + message if stopped else f"error: {message}")
    for note in getattr(error, "__notes__", ()):
        tell(note)
    if page:
        tell(f"see: {page}")
