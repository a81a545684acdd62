"""What the commands of one run share: the account, the output options, the client."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shlex
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .characters import visible
from .files import make_folder
from .installed import why_no_sandbox
from .names import Names, UnknownNameError, listed, names_path
from .output import counted, fitting, height_of, tell, write
from .profiles import (
    PREFIX,
    Account,
    ProfileError,
    SignInError,
    account_of,
    config_folder,
    sandbox_file,
    state_folder,
)
from .progress import Progress
from .readings import Readings
from .sandboxes import (
    ASIDE,
    Running,
    SandboxInUseError,
    check_free,
    clear,
    resetting,
    running,
    shared,
)

if TYPE_CHECKING:
    from social_publishing import Attempt, Exchange, FileRates, SocialPublishing

    from social_publishing_sandbox import Sandbox


_TRIES = 10  # to open the file of the sandbox; each waits a second for who has it
_LINES = 50  # of a terminal that does not say how high it is

GROUP = f"{PREFIX}GROUP"
"""The variable that names the group where no option does."""


class SandboxTimeError(Exception):
    """The sandbox cannot stand at the moment that was asked for."""

    documentation = "docs/command-line.md#the-sandbox"


@dataclass
class Session:
    """The choices of one run.

    Attributes:
        profile: The profile to use; None for the default.
        sandbox: Whether to use a sandbox instead of the service.
        sandbox_now: The moment to which to move the sandbox.
        shares_sandbox: Whether others use its sandbox meanwhile, because it runs until it is ended.
        service_time: The moment in the sandbox, once it is there; None for the service itself.
        organizations: The identifiers of those of the sandbox, once it is there.
        output: The output format; None for the default.
        columns: Fields to show, separated by commas.
        jq: The jq filter.
        dry_run: Whether to show requests instead of sending them.
        no_wait: Whether to stop instead of waiting for the rate limit.
        quiet: Whether to hide progress and notes.
        token: The token of the client, once there is one.
        arguments: The command line of this run.
        left: Requests left in this minute, by the last response of an assistants' server.
    """

    profile: str | None = None
    sandbox: bool = False
    sandbox_now: datetime | None = None
    shares_sandbox: bool = False
    service_time: datetime | None = None
    organizations: Sequence[str] = ()
    output: str | None = None
    columns: tuple[str, ...] = ()
    jq: str | None = None
    dry_run: bool = False
    no_wait: bool = False
    quiet: bool = False
    token: str = field(default="", repr=False)
    arguments: Sequence[str] = ()
    left: int | None = None
    _stack: ExitStack = field(default_factory=ExitStack)
    _client: Any = None
    _progress: Progress = field(default_factory=Progress)
    _account: Account | None = None
    _names: Names | None = None
    _sandbox: Sandbox | Running | None = None
    _sandbox_lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def client(self) -> SocialPublishing:
        """The client, created on first use."""
        return self.connect()

    def connect(self, **options: Any) -> SocialPublishing:
        """Return the client, created with these options on first use.

        Raises:
            SignInError: There is no token or no address.
        """
        if self._client is None:
            self._client = self._stack.enter_context(self._made(options))
        client: SocialPublishing = self._client
        return client

    @property
    def rate(self) -> tuple[int, int]:
        """Requests per minute that the service allows, and how many are left, as last reported."""
        room = self._client.rate_limit if self._client else None
        return (room.limit or 60, room.remaining) if room else (60, 60)

    @property
    def is_of_sandbox(self) -> bool:
        """Whether the account is that of a sandbox on this machine."""
        return self.sandbox or self.sandbox_now is not None

    @property
    def is_for_people(self) -> bool:
        """Whether data is shown as people read it, and not as a program or an option asks."""
        form = self.output or fitting(sys.stdout, self.jq)
        return form == "table" and not self.columns and not self.jq

    def account(self) -> Account:
        """Return the account to use: a profile's, or a sandbox that is started here."""
        if self._account is None:
            if self.is_of_sandbox:
                sandbox = self._sandbox = self._stack.enter_context(
                    _sandbox(self.note, self.sandbox_now, self.shares_sandbox)
                )
                self.service_time = sandbox.now
                values = (sandbox.token, sandbox.base_url, sandbox.media_url)
                self._account = Account(
                    *values, sources=dict.fromkeys(Account._fields[:3], "sandbox")
                )
                groups: list[Any] = sandbox.find("groups")
                self.organizations = sorted({str(each["organization_id"]) for each in groups})
                for kind in ("groups", "social_accounts", "labels", "users"):
                    self.names.add({kind: [{**each} for each in sandbox.find(kind)]})
            else:
                self._account = account_of(self.profile)
        return self._account

    @property
    def writer(self) -> str:
        """Who writes: the user of this system, with the token of this account."""
        from .plans.writers import writer  # only commands that load all of it ask

        token = ""
        if not self.is_of_sandbox:
            with suppress(ProfileError, SignInError):
                token = self.account().api_token
        return writer(token)

    @property
    def names(self) -> Names:
        """The names that the service has told this account; remembered from run to run."""
        if self._names is None:
            account = self.account()
            if self._names is None:  # a sandbox has told all of its own meanwhile
                known_by = (account.profile, account.base_url, account.api_token)
                path = None if self.service_time else names_path(state_folder(), *known_by)
                self._names = Names(path)
        return self._names

    def group(self, named: str | None, option: str = "--group") -> str:
        """Return the identifier of the group that is named, or that the account has by default.

        Args:
            option: What names a group in this command.

        Raises:
            UnknownNameError: The name is not known, or none is named and there is no default.
        """
        if found := self.default_group(named):
            return found
        self.account().checked()
        known = [each for each in self.names if each.kind == "group"]
        which = f" Known are {listed(known)}." if known else ""
        own = " A profile can have one of its own: social-publishing auth default-group GROUP"
        raise UnknownNameError(
            f"say which group, by its name or its id: {option}.{which}"
            f"{own * (not self.service_time)}"
        )

    def default_group(self, named: str | None = None) -> str | None:
        """Return the identifier of the group that is named, or of the default one, if any."""
        named = named or os.environ.get(GROUP)
        return self.names.resolve("group", named) if named else self.account().group or None

    def groups(self, named: Sequence[str]) -> list[str]:
        """Return the identifiers of the groups that are named; the default one where none is."""
        return [*dict.fromkeys(map(self.group, named))] or [self.group(None)]

    def next_step(self, *words: object) -> str:
        """Return a command line that goes on from this run, with its account, for a shell."""
        account = ["--sandbox"] if self.is_of_sandbox else []
        account += ["--profile", self.profile] if self.profile and not account else []
        return shlex.join(["social-publishing", *account, *map(str, words)])

    @contextmanager
    def readings(self, key: object, resumes: bool) -> Iterator[Readings]:
        """Keep what is read in the block; forget it if the block ends well.

        Args:
            key: What tells the readings of this command from others of the same account.
            resumes: Whether to take over what an interrupted run has read.
        """
        account = self.account()
        known_by = repr((account.profile, account.base_url, account.api_token, key))
        digest = hashlib.sha256(known_by.encode()).hexdigest()[:16]
        readings = Readings(state_folder() / "readings" / f"{digest}.jsonl", resumes)
        if resumes:
            self.note(f"read before: {_how_far(readings)}")
        try:
            yield readings
        except BaseException:
            if readings.counts:
                words = [each for each in self.arguments if each != "--resume"]
                step = shlex.join(["social-publishing", *words, "--resume"])
                self.note(f"read so far: {_how_far(readings)}; continue with: {step}")
            raise
        readings.forget()

    def close(self) -> None:
        """Close the client and the sandbox."""
        self.show("")
        if self._names:
            self._names.save()
        self._stack.close()

    def note(self, text: str) -> None:
        """Write a note for a person to standard error."""
        self.show("")
        if not self.quiet:
            with suppress(OSError):  # nobody reads it
                tell(text)

    def write(self, values: Iterable[Any], *preferred: str, uncut: Sequence[str] = ()) -> None:
        """Write data to standard output, in the chosen format."""
        write(
            values,
            form=self.output,
            columns=self.columns,
            jq=self.jq,
            preferred=preferred,
            uncut=uncut,
        )

    def check_can_ask(self, instead: str = "see --help") -> None:
        """See that there is a terminal to ask a person in.

        Args:
            instead: What to do where there is none.
        """
        import click

        if not sys.stdin.isatty():
            raise click.UsageError(
                "this asks a person before it changes anything, and there is no terminal to ask "
                f"in: run it in one, or {instead}"
            )

    def confirmed(self, question: str) -> bool:
        """Ask a person to confirm with y; any other answer changes nothing."""
        import click

        self.show("")
        asked = f"{visible(question)} [y/N]"
        answer = click.prompt(asked, "", show_default=False, prompt_suffix=": ", err=True)
        if answer.strip().lower() in ("y", "yes"):
            return True
        print("nothing was changed", file=sys.stderr)
        return False

    def paged(self, lines: Sequence[str]) -> bool:
        """Show what a person is asked about, a screen at a time; whether all of it was shown.

        A question about more than a screen is only asked of somebody who has seen all of it.
        """
        import click

        self.show("")
        height = max(10, (height_of(sys.stderr) or _LINES) - 3)
        for start in range(0, len(lines), height):
            print("\n".join(lines[start : start + height]), file=sys.stderr)
            left = len(lines) - start - height
            if left <= 0:
                break
            more = f"{left:,} more lines before the question. Enter: go on, q: stop"
            answer = click.prompt(more, "", show_default=False, prompt_suffix=" ", err=True)
            if answer.strip().lower().startswith(("q", "n")):
                print("nothing was changed", file=sys.stderr)
                return False
        return True

    @property
    def shows(self) -> bool:
        """Whether progress is visible: there is a terminal, and `quiet` is off."""
        return not self.quiet and sys.stderr.isatty()

    def show(self, text: str, done: float | None = None, total: float | None = None) -> None:
        """Show a step at the foot of the terminal, which the next one replaces; "" for none.

        Args:
            text: What is done, such as "Reading group 12 of 35".
            done: How much of it is done.
            total: How much there is to do; None if nobody knows.
        """
        if not text:
            self._progress.clear()
        elif self.shows:
            self._progress.step(text, done, total)

    def wait(self, seconds: float, reason: str) -> None:
        """Count down a wait beside the step; a long one that no terminal shows is a note."""
        if self.shows:
            self._progress.wait(seconds, reason)
        elif seconds >= 2:
            self.note(f"waiting {seconds:.0f} s {reason}")

    def _made(self, options: Mapping[str, Any]) -> SocialPublishing:
        from social_publishing import SocialPublishing

        account = self.account().checked()
        self.token = account.api_token
        for note in account.notes:
            self.note(f"note: {note}")
        middleware = options.get("middleware") or ([_show] if self.dry_run else [])
        forwarding = [self._forward] if isinstance(self._sandbox, Running) else []
        usual = {
            "pacing": "raise" if self.no_wait else "wait",
            "on_wait": (lambda wait: self.wait(wait.seconds, wait.reason)) if self.shows else None,
            "rate_store": None if self.dry_run else _rates(),
        }
        return SocialPublishing(
            api_token=account.api_token,
            base_url=account.base_url,
            media_url=account.media_url or None,
            **{**usual, **options, "middleware": [*middleware, self._learn, *forwarding]},
        )

    def _learn(self, attempt: Attempt, send: Callable[[Attempt], Exchange]) -> Exchange:
        """Remember the names in a response; what was waited for before the request is over."""
        self._progress.resume()
        exchange = send(attempt)
        if exchange.status == 404 and attempt.method == "GET":
            self.names.forget(attempt.url.partition("?")[0].rpartition("/")[2])
        elif exchange.body:
            self.names.learn(exchange.body)
        return exchange

    def _forward(self, attempt: Attempt, send: Callable[[Attempt], Exchange]) -> Exchange:
        """Send a request to the sandbox of another process; once that has ended, to one of its own.

        Of several that take it over at once, one has it, and the others use that.
        """
        account, path = self.account(), sandbox_file()
        with self._sandbox_lock:
            if isinstance(self._sandbox, Running):
                self._sandbox = running(path) or self._taken_over()
            assert self._sandbox is not None
            for name in ("base_url", "media_url"):
                begins, now = getattr(account, name), getattr(self._sandbox, name)
                if attempt.url.startswith(f"{begins}/"):
                    attempt = attempt._replace(url=now + attempt.url.removeprefix(begins))
                    break
        return send(attempt)

    def _taken_over(self) -> Sandbox | Running:
        from social_publishing import SocialPublishingError

        try:
            return self._stack.enter_context(_sandbox(lambda _: None, None, True))
        except SandboxInUseError as error:
            raise SocialPublishingError(str(error)) from None


def _how_far(readings: Readings) -> str:
    return ", ".join(counted(n, kind) for kind, n in readings.counts.items()) or "nothing"


def _rates() -> FileRates | None:
    """Share the rate limit with other runs on this machine, where a file can be kept."""
    from social_publishing import FileRates

    folder = config_folder()
    try:
        make_folder(folder)
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
    """End a call after its first request was shown, without sending it."""
    with suppress(_Unsent):
        yield
    session.note("nothing was sent")


@contextmanager
def _sandbox(
    note: Callable[[str], None], now: datetime | None, is_shared: bool
) -> Iterator[Sandbox | Running]:
    """Start a sandbox on free ports, for as long as the command runs; its state stays in a file.

    Its clock stands still, so that the same commands show the same on every day. What would take
    time, the processing of a file, takes none. Where a server has the file, its sandbox is used.
    """
    try:
        from social_publishing_sandbox import BadDatabase, ControlError, Sandbox
    except ImportError as error:
        raise SignInError(f"--sandbox {why_no_sandbox(error)}") from None
    path = sandbox_file()
    make_folder(path.parent)
    try:
        began = time.monotonic()
        for _ in range(_TRIES):
            try:
                sandbox = Sandbox(db=path, clock="frozen", now=now, processing=0)
                break
            except BadDatabase as error:
                if not error.is_in_use:
                    raise
            time.sleep(random.random() / 4)  # two that try in step would never get it
            if (other := running(path)) is None and time.monotonic() - began > _TRIES:
                raise SandboxInUseError(path)  # whatever answers there takes its time
            if other:
                if now and now != other.now:
                    raise SandboxTimeError(
                        "--sandbox-now: a server of assistants uses the sandbox, whose clock "
                        f"stands at {moment(other.now)}; end it first"
                    )
                note(f"the sandbox stands at {moment(other.now)}, as a server of assistants has it")
                yield other
                return
        else:
            raise SandboxInUseError(path)
        with sandbox:
            clear(path)
            if now and now < sandbox.now:
                raise SandboxTimeError(
                    f"--sandbox-now: the sandbox stands at {moment(sandbox.now)}, and its clock "
                    "does not go back; begin anew with: social-publishing sandbox reset"
                )
            if now:
                sandbox.set_clock(now)
            kept = "" if sandbox.resumed else f"; it is kept in {path}"
            note(f"the sandbox stands at {moment(sandbox.now)}{kept}")
            with shared(path, sandbox) if is_shared else nullcontext():
                yield sandbox
    except ControlError as error:
        if error.field != "now":
            raise
        raise SandboxTimeError(f"--sandbox-{error}") from None


def moment(time: datetime) -> str:
    """Return a moment for people, with its weekday and zone."""
    return f"{time.astimezone(UTC):%A, %Y-%m-%d %H:%M} UTC"


@contextmanager
def sandbox_anew() -> Iterator[None]:
    """Begin the sandbox of `--sandbox` anew in the block.

    If the block fails, it is as it was, unless another process has begun one by then.
    """
    path = sandbox_file()
    make_folder(path.parent)
    with resetting(path):
        check_free(path)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=ASIDE) as aside:
            _move(path, path.parent, Path(aside))
            try:
                yield
            except BaseException:
                # A server that has begun in between keeps what it has.
                with (
                    suppress(SandboxInUseError),
                    tempfile.TemporaryDirectory(dir=path.parent, prefix=ASIDE) as unwanted,
                ):
                    check_free(path)
                    _move(path, path.parent, Path(unwanted))
                    _move(path, Path(aside), path.parent)
                raise


def _move(path: Path, source: Path, target: Path) -> None:
    """Move the files of a sandbox from one folder to another."""
    for suffix in ("", "-wal", "-shm", ".files"):
        with suppress(FileNotFoundError):
            (source / (path.name + suffix)).rename(target / (path.name + suffix))
