"""The command: serve a sandbox, write a world to edit, record and replay.

Modules are imported when they are needed, so that help and errors appear at once.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from social_publishing_sandbox import __version__
from social_publishing_sandbox.installed import missing
from social_publishing_sandbox.state.errors import SandboxError

if TYPE_CHECKING:
    from social_publishing_sandbox.recording.serving import Servers
    from social_publishing_sandbox.sandbox import Sandbox
    from social_publishing_sandbox.serving import Interrupt

NAME: Final = "social-publishing-sandbox"
_DEBUG: Final = "SOCIAL_PUBLISHING_DEBUG"

_ABOUT: Final = """\
Run the Social Publishing Service on this machine: both HTTP APIs, with state. You can move its
clock and make it fail on purpose. The same seed always produces the same world."""

_EXAMPLES: Final = f"""\
examples:
  {NAME} serve
      a small world on free ports
  {NAME} serve --port 8000 --media-port 8001 --db state.db
      on fixed ports; the state is kept in a file
  {NAME} serve --world agency --clock frozen
      20,000 posts; the clock stands still
  {NAME} run -- pytest
      run a command with a sandbox of its own
  {NAME} world small > mine.json
      print a world to edit, for serve --world mine.json

Run a command with --help for its options."""

_SERVE_ABOUT: Final = """\
Serve both APIs until Ctrl-C. First print the addresses, a token for each role and the address
of the console; with --json, as one line of JSON."""


_MCP_ABOUT: Final = """\
Serve the Model Context Protocol over standard input and output, and both APIs beside it. An
assistant tests a program with three tools: look (addresses, objects, what was sent), change (the
world, the clock) and fault. It needs the extra mcp of this package."""


_RUN_ABOUT: Final = """\
Start a sandbox on free ports and run a command with it. The command finds the owner's token and
both base addresses in the environment, where the client looks for them:

  SOCIAL_PUBLISHING_API_TOKEN  SOCIAL_PUBLISHING_BASE_URL  SOCIAL_PUBLISHING_MEDIA_URL

The control API is in SOCIAL_PUBLISHING_SANDBOX_CONTROL_URL and _CONTROL_TOKEN, and the console in
SOCIAL_PUBLISHING_SANDBOX_CONSOLE_URL; its address is also printed to standard error. Signals are
forwarded to the command, and its exit status is returned. The sandbox stops when the command ends;
processes that the command leaves in the background go on without it."""


class Refused(SandboxError):
    """The command cannot be carried out."""


class Unwritable(Refused):
    """Standard output cannot be written."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: the arguments; those of the process if None.

    Returns:
        The exit status: 0; 1 if recorded requests of a replay were never made; 2 for an error; 130
            after Ctrl-C before anything was served. `run` returns the status of its command, 128
            plus the signal that ended it, or 126 or 127 if it cannot be run.
    """
    name = NAME
    _open_streams()
    try:
        parser = _parser()
        arguments = parser.parse_args(argv)
        if arguments.command is None:
            parser.print_help()
            parser.exit()
        name = f"{NAME} {arguments.command}"
        status: int = arguments.run(arguments)
        return status
    except SandboxError as error:
        if isinstance(error, Unwritable):
            _drop_output()
        print(f"{name}: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _drop_output()
        return 1
    except Exception as error:
        if os.environ.get(_DEBUG):
            raise
        if isinstance(error, ModuleNotFoundError):
            print(f"{name}: {missing(error)}", file=sys.stderr)
            return 1
        what = f"{type(error).__name__}: {error}"
        print(f"{name}: {what} (a bug in this program; {_DEBUG}=1 shows where)", file=sys.stderr)
        return 1


def _open_streams() -> None:
    """Open nothing in the place of a standard stream that the caller has closed.

    A socket that is opened later would get its number, and what is printed. Write UTF-8 where no
    terminal says otherwise, and let no character end a run.
    """
    for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, stream) is None:
            setattr(sys, stream, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for output in (sys.stdout, sys.stderr):
        if isinstance(output, io.TextIOWrapper):
            encoding = None if output.isatty() else "utf-8"
            output.reconfigure(encoding=encoding, errors="backslashreplace")


def _drop_output() -> None:
    """Lead output nowhere: at exit, Python would try once more to write what nobody takes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# Arguments


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            from social_publishing_sandbox.state.wording import nearest

            known = [*map(str, action.choices)]
            hint = nearest(str(value), known).removeprefix("; ")
            reason = f"invalid choice: {value!r}; {hint or 'choose ' + ', '.join(known)}"
            raise argparse.ArgumentError(action, reason)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        if action.option_strings and arg_strings == ["--"]:  # argparse makes an empty list of it
            raise argparse.ArgumentError(action, "expected one argument")
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        _say()
        super().exit(status, message)


def _layout(prog: str) -> argparse.HelpFormatter:
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=30, width=100)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog=NAME, description=_ABOUT, epilog=_EXAMPLES, formatter_class=_layout)
    parser.add_argument("--version", action="version", version=f"{NAME} {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    def command(run: Any, summary: str, about: str = "") -> _Parser:
        about = about or f"{summary[0].upper()}{summary[1:]}."
        name = run.__name__.removeprefix("_")
        parser: _Parser = commands.add_parser(
            name, help=summary, description=about, formatter_class=_layout
        )
        parser.set_defaults(run=run)
        return parser

    serve = command(_serve, "serve both APIs and the console", _SERVE_ABOUT)
    control = _add_sandbox(serve)
    about = "write the client's variables into a new file, removed at the end"
    control.add_argument("--env", type=Path, metavar="FILE", help=about)
    control.add_argument("--json", action="store_true", help="print addresses and tokens as JSON")
    control.add_argument("--open", action="store_true", help="open the console in a browser")
    run = command(_run, "run a command with a sandbox of its own", _RUN_ABOUT)
    run.usage = f"{NAME} run [options] -- COMMAND [ARGUMENT ...]"
    _add_sandbox(run)
    about = "the command and its arguments, after --"
    run.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND", help=about)
    about = "serve an assistant that tests a program: it sees and steers the sandbox"
    _add_sandbox(command(_mcp, about, _MCP_ABOUT))
    _add_world(command(_world, "print a world as JSON, to edit"))
    about = "Sit between a client and the service, and record the traffic. Secrets are left out."
    _add_record(command(_record, "record the traffic between a client and the service", about))
    about = "Serve a recording. Exits with 1 if a recorded request was never made."
    replay = command(_replay, "serve a recording", about)
    replay.add_argument("recording", type=Path, help="folder or file of the recording")
    replay.add_argument("--any-order", action="store_true", help="accept requests in any order")
    _add_listening(replay, help=_AFTER)
    return parser


def _add_sandbox(parser: _Parser) -> argparse._ArgumentGroup:
    """Add the options of a sandbox; return the group of those that control it."""
    where = parser.add_argument_group("where")
    _add_listening(where, default=0, help="port of the media API (0)")
    state = parser.add_argument_group("state")
    about = "small, agency, odd (long and hostile texts), or a JSON or YAML file (small)"
    state.add_argument("--world", default="small", metavar="NAME|FILE", help=about)
    _add_seed(state)
    about = "file that keeps the state; an existing file is continued"
    state.add_argument("--db", type=Path, metavar="FILE", help=about)
    time = parser.add_argument_group("time")
    about = "real, frozen, or a speed such as x60 (real)"
    time.add_argument("--clock", default="real", metavar="MODE", help=about)
    about = "start of a new world's clock (ISO 8601; UTC where it names no zone)"
    time.add_argument("--now", metavar="DATETIME", help=about)
    _add_behaviour(parser.add_argument_group("behaviour"))
    control = parser.add_argument_group("control")
    about = "token of the control API (random)"
    control.add_argument("--control-token", metavar="TOKEN", help=about)
    return control


def _add_behaviour(group: argparse._ArgumentGroup) -> None:
    about = "requests per minute and user (as documented)"
    group.add_argument(
        "--rate-limit", type=_rate, default="documented", metavar="N|off", help=about
    )
    about = "send fields without a value as null"
    group.add_argument("--nulls", action="store_true", help=about)
    about = "seconds that processing takes after an upload (by size)"
    group.add_argument("--processing", type=float, metavar="SECONDS", help=about)
    for option, metavar, about in (
        ("--allow-fetch", "HOST", "allow uploads from URLs on this host (*.example.com, *)"),
        ("--cors", "ORIGIN", "let pages of this origin (http://localhost:3000, *) call both APIs"),
    ):
        about = f"{about}; repeatable"
        group.add_argument(option, action="append", default=[], metavar=metavar, help=about)
    about = "also allow hosts in the local network"
    group.add_argument("--allow-private", action="store_true", help=about)
    about = "serve main.json and media.json from here instead"
    group.add_argument("--documents", type=Path, metavar="DIR", help=about)
    about = "do not check responses against the documents"
    group.add_argument("--no-check", action="store_true", help=about)


def _add_world(parser: _Parser) -> None:
    parser.add_argument("name", choices=("small", "agency", "odd"), help="its name")
    _add_seed(parser)
    about, now = "when the world starts (%(default)s)", "2026-12-01T09:00:00Z"
    parser.add_argument("--now", default=now, metavar="DATETIME", help=about)


def _add_record(parser: _Parser) -> None:
    for name, dest, api in (("base", "base_url", "main"), ("media", "media_url", "media")):
        about = f"base address of the {api} API of the service"
        option = f"--upstream-{name}"
        parser.add_argument(option, dest=dest, required=True, metavar="URL", help=about)
    about = "folder of the recording"
    parser.add_argument("-o", "--out", required=True, type=Path, metavar="DIR", help=about)
    parser.add_argument("--name", default="recording", help="name of the recording (%(default)s)")
    _add_listening(parser, help=_AFTER)


_AFTER: Final = "port of the media API (the one after --port)"


def _add_listening(group: argparse._ActionsContainer, **media_port: Any) -> None:
    group.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    about = "port of the main API; 0 picks a free one (0)"
    group.add_argument("--port", type=int, default=0, help=about)
    group.add_argument("--media-port", type=int, metavar="PORT", **media_port)


def _add_seed(group: argparse._ActionsContainer) -> None:
    about = "seed of everything that looks random (7)"
    group.add_argument("--seed", type=int, default=7, help=about)


def _rate(text: str) -> int | str | None:
    if text == "off":
        return None
    if text == "documented":
        return text
    if not (text.isascii() and text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"must be a number from 1, or off, not {text!r}")
    return int(text)


# What they do


def _serve(arguments: argparse.Namespace) -> int:
    with (
        _served(arguments, waits=True) as (sandbox, interrupt),
        _kept(arguments.env, sandbox) if arguments.env else nullcontext(),
    ):
        _say(_greeting_json(sandbox) if arguments.json else _greeting(sandbox, arguments))
        if arguments.open:
            _open(sandbox.console_url)
        interrupt.wait()
    return 0


def _open(address: str) -> None:
    import webbrowser

    if not webbrowser.open(address):
        print(f"--open: there is no browser; open {address} in one", file=sys.stderr, flush=True)


@contextmanager
def _kept(path: Path, sandbox: Sandbox) -> Iterator[None]:
    """Keep what a client needs in a file of lines `NAME=value`, as long as it is true."""
    from social_publishing_sandbox.running import client_variables

    lines = [f"{name}={value}\n" for name, value in client_variables(sandbox).items()]
    try:
        # For its owner alone: it has a token.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.writelines(lines)
    except FileExistsError:
        raise Refused(f"--env {path}: already exists, and was not changed") from None
    except OSError as error:
        raise Refused(f"--env {path}: {error.strerror}") from None
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def _run(arguments: argparse.Namespace) -> int:
    from social_publishing_sandbox import running

    words: list[str] = arguments.words
    command = words[1:] if words[:1] == ["--"] else words
    if not command:
        raise Refused("give the command to run after --, for example: -- pytest")
    running.check(command)
    with _served(arguments, waits=False) as (sandbox, _):
        print(f"Console: {sandbox.console_url}", file=sys.stderr, flush=True)
        status = running.run(command, running.environment(sandbox, os.environ))
    if status >= 0:
        return status
    if -status not in (signal.SIGINT, signal.SIGTERM):
        ended = f"{command[0]} was terminated by {running.name_of(-status)}"
        print(f"{NAME} run: {ended}", file=sys.stderr)
    return 128 - status


def _mcp(arguments: argparse.Namespace) -> int:
    if find_spec("mcp") is None:
        raise Refused("mcp is not installed: pip install 'social-publishing-sandbox[mcp]'")
    from social_publishing_sandbox import steering

    with _served(arguments, waits=False) as (sandbox, _):
        print(f"Console: {sandbox.console_url}", file=sys.stderr, flush=True)
        if sys.stdin.isatty():
            about = "Waiting for an assistant on standard input; its program starts this command."
            print(about, file=sys.stderr, flush=True)
        steering.serve(sandbox)
    return 0


@contextmanager
def _served(arguments: argparse.Namespace, *, waits: bool) -> Iterator[tuple[Sandbox, Interrupt]]:
    """Serve the sandbox that was asked for.

    Args:
        waits: the block waits for the interrupt; without, the first Ctrl-C ends the process.
    """
    if _takes_time(arguments):
        print(f"Preparing the world {arguments.world} …", file=sys.stderr, flush=True)
    # What is imported is no place to clean up in: until it is through, Ctrl-C just ends it all.
    importlib.import_module("social_publishing_sandbox.sandbox")
    from social_publishing_sandbox.serving import Interrupt

    with Interrupt() as interrupt:
        sandbox = _sandbox(arguments)
        try:
            interrupt.waits = waits
            _start(sandbox)
            yield sandbox, interrupt
        finally:
            sandbox.close()


def _takes_time(arguments: argparse.Namespace) -> bool:
    """Return whether the world is a large one, or a file that can be."""
    if arguments.db and arguments.db.exists():
        return False
    return arguments.world == "agency" or Path(arguments.world).is_file()


def _sandbox(arguments: argparse.Namespace) -> Sandbox:
    """Return the sandbox that was asked for."""
    from social_publishing_sandbox import ControlError, Sandbox

    try:
        return Sandbox(
            check=not arguments.no_check,
            fetch_hosts=arguments.allow_fetch,
            fetch_private=arguments.allow_private,
            cors=arguments.cors,
            **_given(
                arguments,
                "world seed clock now rate_limit db host port media_port nulls processing "
                "documents control_token",
            ),
        )
    except ControlError as error:
        raise Refused(_by_option(str(error), error.field or "")) from None
    except OSError as error:
        raise Refused(_reason(error)) from None


def _start(sandbox: Sandbox) -> None:
    try:
        sandbox.start()
    except OSError as error:
        reason = str(error.strerror)
        raise Refused(_by_option(reason, reason.partition(" ")[0])) from None


def _by_option(reason: str, argument: str) -> str:
    """Return a reason that begins with an argument of `Sandbox`, with the option in its place."""
    option = argument.replace("fetch_hosts", "allow_fetch").replace("_", "-")
    return f"--{option}{reason.removeprefix(argument)}" if reason.startswith(argument) else reason


def _greeting(sandbox: Sandbox, arguments: argparse.Namespace) -> str:
    from social_publishing_sandbox.running import client_variables

    tokens = sandbox.tokens
    width = max(map(len, tokens))
    shown = [f"{role:<{width}}  {token}" for role, token in tokens.items()]
    limits = sandbox.service.limits
    limit = f"{limits.limit} requests {limits.period}" if limits.limit else "no rate limit"
    moment = f"{sandbox.now:%Y-%m-%d %H:%M} UTC"
    lines = [
        f"The sandbox is ready: clock {sandbox.clock_mode}, {moment}; {limit}.",
        "",
        f"  main API   {sandbox.base_url}",
        f"  media API  {sandbox.media_url}",
        f"  console    {sandbox.console_url}",
        f"  reference  {sandbox.service.origins['main']}/docs",
        f"  control    {sandbox.control_url}  (token {sandbox.control_token})",
        "",
        f"  tokens     {shown[0]}",
        *(f"             {token}" for token in shown[1:]),
        "",
        "For a program in another terminal:",
        "",
        *(_EXPORT.format(name, value) for name, value in client_variables(sandbox).items()),
        "",
    ]
    if sandbox.resumed:
        lines.append(f"Continuing with {arguments.db}; --world, --seed and --now have no effect.")
    lines.append("Press Ctrl-C to stop it.")
    return "\n".join(lines)


_EXPORT: Final = '  $env:{} = "{}"' if os.name == "nt" else "  export {}={}"


def _greeting_json(sandbox: Sandbox) -> str:
    return json.dumps(
        {
            "base_url": sandbox.base_url,
            "media_url": sandbox.media_url,
            "console_url": sandbox.console_url,
            "control_url": sandbox.control_url,
            "control_token": sandbox.control_token,
            "tokens": dict(sandbox.tokens),
            "now": sandbox.now.isoformat(),
            "resumed": sandbox.resumed,
            "pid": os.getpid(),
        }
    )


def _world(arguments: argparse.Namespace) -> int:
    from social_publishing_sandbox import ControlError, worlds
    from social_publishing_sandbox.state import times
    from social_publishing_sandbox.state.arguments import check

    given = _given(arguments, "seed now")
    try:
        for name, value in given.items():
            check(name, value)
    except ControlError as error:
        raise Refused(_by_option(str(error), error.field or "")) from None
    now = times.milliseconds(arguments.now)
    made = worlds.make(arguments.name, seed=arguments.seed, now=now)
    _say(json.dumps(made, indent=2, ensure_ascii=False))
    return 0


def _given(arguments: argparse.Namespace, names: str) -> dict[str, Any]:
    """Return some arguments by their names."""
    return {name: getattr(arguments, name) for name in names.split()}


def _record(arguments: argparse.Namespace) -> int:
    from social_publishing_sandbox.recording import Recorder
    from social_publishing_sandbox.state.wording import counted

    given = _given(arguments, "out name host port media_port")
    recorder = Recorder(arguments.base_url, arguments.media_url, say=_say, **given)
    _until_asked(recorder, f"recording to {recorder.path}; Ctrl-C ends it")
    _say(f"{counted(recorder.recorded, 'interaction')} in {recorder.path}")
    return 0


def _replay(arguments: argparse.Namespace) -> int:
    from social_publishing_sandbox.recording import Replayer
    from social_publishing_sandbox.state.wording import counted

    given = _given(arguments, "host port media_port")
    replayer = Replayer(arguments.recording, not arguments.any_order, **given)
    count = len(replayer.recording.interactions)
    _until_asked(replayer, f"replaying {counted(count, 'interaction')}")
    for sentence in replayer.refused:
        _say(sentence)
    for interaction in replayer.left:
        _say(f"never requested: {interaction.request}")
    return 1 if replayer.left else 0


def _until_asked(servers: Servers, what: str) -> None:
    """Serve a recorder or a replayer until the process is asked to end."""
    from social_publishing_sandbox.serving import Interrupt

    with Interrupt() as interrupt, servers:
        interrupt.waits = True
        _say(f"main API:  {servers.base_url}\nmedia API: {servers.media_url}\n{what}")
        interrupt.wait()


def _say(text: str = "") -> None:
    """Write a line, if there is one, to standard output, and all that waits to be written."""
    try:
        sys.stdout.write(text and f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unwritable(f"standard output: {error.strerror}") from None


def _reason(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)
