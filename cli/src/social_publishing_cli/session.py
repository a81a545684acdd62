"""What all commands of one run share: whose account it is, how output looks, the client."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from .output import visible, write
from .profiles import Account, SignInError, account_of, config_folder, sandbox_file

if TYPE_CHECKING:
    from social_publishing import Attempt, Exchange, FileRates, SocialPublishing

    from social_publishing_sandbox import Sandbox


class SandboxTimeError(Exception):
    """The sandbox cannot stand at the moment that was asked for."""

    documentation = "docs/command-line.md#the-sandbox"


@dataclass
class Session:
    """The choices of one run.

    Attributes:
        profile: The profile that was named; None for the default one.
        sandbox: Whether the sandbox of this user takes the place of the service.
        sandbox_now: The moment to which the sandbox is moved, or at which a new one begins.
        service_time: The moment in the sandbox, once it is there; None for the service itself.
        output: The format that was asked for; None for the one that fits.
        columns: The fields that were asked for.
        jq: The filter that was asked for.
        dry_run: Whether requests are shown and not sent.
        no_wait: Whether a run ends where the rate limit would make it wait.
        quiet: Whether progress and notes are left out.
        token: The token of the client, once it is made.
    """

    profile: str | None = None
    sandbox: bool = False
    sandbox_now: datetime | None = None
    service_time: datetime | None = None
    output: str | None = None
    columns: tuple[str, ...] = ()
    jq: str | None = None
    dry_run: bool = False
    no_wait: bool = False
    quiet: bool = False
    token: str = field(default="", repr=False)
    _stack: ExitStack = field(default_factory=ExitStack)
    _client: Any = None
    _shown: str = ""

    @property
    def client(self) -> SocialPublishing:
        """The client; made when it is first asked for."""
        return self.connect()

    def connect(self, **options: Any) -> SocialPublishing:
        """Return the client; made with these options of it where there is none yet.

        Raises:
            SignInError: There is no token or no address.
        """
        if self._client is None:
            self._client = self._stack.enter_context(self._made(options))
        client: SocialPublishing = self._client
        return client

    @property
    def limit(self) -> int:
        """Requests that the service allows in a minute, as far as this run has heard."""
        room = self._client.rate_limit if self._client else None
        return (room.limit if room else None) or 60

    def account(self) -> Account:
        """Return the account to use: that of a profile, or of the sandbox, which is started."""
        if not self.sandbox and not self.sandbox_now:
            return account_of(self.profile)
        made = self._stack.enter_context(_sandbox(self.note, self.sandbox_now))
        self.service_time = made.now
        values = made.token, made.base_url, made.media_url
        return Account(*values, sources=dict.fromkeys(Account._fields[:3], "sandbox"))

    def close(self) -> None:
        """Close the client and the sandbox."""
        self.show("")
        self._stack.close()

    def note(self, text: str) -> None:
        """Tell a person something, beside the data."""
        self.show("")
        if not self.quiet:
            with suppress(OSError):  # nobody reads it
                print(visible(text), file=sys.stderr)

    def write(self, values: Iterable[Any], *preferred: str, uncut: Sequence[str] = ()) -> None:
        """Write data to standard output, as was asked for."""
        write(
            values,
            form=self.output,
            columns=self.columns,
            jq=self.jq,
            preferred=preferred,
            uncut=uncut,
        )

    def confirmed(self, question: str) -> bool:
        """Ask a person, who has to type y; anything else changes nothing, and says so."""
        import click

        self.show("")
        if click.confirm(visible(question), err=True):
            return True
        print("nothing was changed", file=sys.stderr)
        return False

    @property
    def shows(self) -> bool:
        """Whether somebody sees how far a command is: there is a terminal, and it is not quiet."""
        return not self.quiet and sys.stderr.isatty()

    def show(self, text: str) -> None:
        """Show how far a command is: in one line that the next text takes the place of.

        The client shows its waits in the same line.
        """
        if not self.shows or text == self._shown:
            return
        from rich.cells import set_cell_size

        with suppress(OSError, ValueError):
            width = (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1
            sys.stderr.write(f"\r{set_cell_size(visible(text), width)}" + "\r" * (not text))
            sys.stderr.flush()
            self._shown = text

    def _made(self, options: Mapping[str, Any]) -> SocialPublishing:
        from social_publishing import SocialPublishing

        account = self.account().checked()
        self.token = account.api_token
        for note in account.notes:
            self.note(f"note: {note}")
        usual = {
            "pacing": "raise" if self.no_wait else "wait",
            "on_wait": None if self.quiet else "terminal",
            "middleware": [_show] if self.dry_run else [],
            "rate_store": None if self.dry_run else _rates(),
        }
        return SocialPublishing(
            api_token=account.api_token,
            base_url=account.base_url,
            media_url=account.media_url,
            **{**usual, **options},
        )


def _rates() -> FileRates | None:
    """Share the rate limit with other runs on this machine, where a file can be kept."""
    from social_publishing import FileRates

    folder = config_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return FileRates(folder / "rates.db", on_lost="open")


class _Unsent(Exception):
    """Ends a call before its request leaves."""


def _show(attempt: Attempt, send: Callable[[Attempt], Exchange]) -> Exchange:
    """Write a request to standard output, without the token, and do not send it."""
    print(visible(f"{attempt.method} {attempt.url}"))
    for name, value in attempt.headers.items():
        if name.lower() != "authorization":
            print(visible(f"{name}: {value}"))
    if isinstance(attempt.body, bytes):
        try:
            shown = json.dumps(json.loads(attempt.body), ensure_ascii=False, indent=2)
        except ValueError:
            shown = attempt.body.decode("utf-8", "replace")
        print(visible(f"\n{shown}"))
    elif attempt.body is not None:
        print("\n(a file)")
    raise _Unsent


@contextmanager
def shown_only(session: Session) -> Iterator[None]:
    """Let a call end where its first request was shown, and not sent."""
    with suppress(_Unsent):
        yield
    session.note("nothing was sent")


@contextmanager
def _sandbox(note: Callable[[str], None], now: datetime | None) -> Iterator[Sandbox]:
    """Start a sandbox on free ports, for as long as the command runs; its state stays in a file.

    Its clock stands still, so that the same commands show the same on every day. What would take
    time, the processing of a file, takes none.
    """
    try:
        from social_publishing_sandbox import ControlError, Sandbox
    except ImportError:
        raise SignInError(
            "--sandbox needs the sandbox: pip install social-publishing-sandbox"
        ) from None
    path = sandbox_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        sandbox = Sandbox(db=path, clock="frozen", now=now, processing=0)
        with sandbox:
            if now and now < sandbox.now:
                raise SandboxTimeError(
                    f"--sandbox-now: the sandbox stands at {moment(sandbox.now)}, and its clock "
                    "does not go back; begin anew with: social-publishing sandbox reset"
                )
            if now:
                sandbox.set_clock(now)
            kept = "" if sandbox.resumed else f"; it is kept in {path}"
            note(f"the sandbox stands at {moment(sandbox.now)}{kept}")
            yield sandbox
    except ControlError as error:
        if error.field != "now":
            raise
        raise SandboxTimeError(f"--sandbox-{error}") from None


def moment(time: datetime) -> str:
    """Return a moment for people, with its weekday and zone."""
    return f"{time.astimezone(UTC):%A, %Y-%m-%d %H:%M} UTC"


def forget_sandbox() -> bool:
    """Remove the state of the sandbox, and return whether there was one."""
    path = sandbox_file()
    was_there = path.exists()
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    shutil.rmtree(path.with_name(f"{path.name}.files"), ignore_errors=True)
    return was_there
