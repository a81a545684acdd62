"""What all commands of one run share: whose account it is, how output looks, the client."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .profiles import PREFIX, SignInError, account_of

if TYPE_CHECKING:
    from social_publishing import SocialPublishing

__all__ = ["Session"]


@dataclass
class Session:
    """The choices of one run.

    Attributes:
        profile: The profile that was named; None for the default one.
        sandbox: Whether a sandbox of its own takes the place of the service.
        output: The format that was asked for; None for the one that fits.
        columns: The fields that were asked for.
        jq: The filter that was asked for.
        dry_run: Whether requests are shown and not sent.
        yes: Whether every question is answered with yes.
        no_wait: Whether a run ends where the rate limit would make it wait.
        quiet: Whether progress and notes are left out.
        verbose: Whether requests are listed on standard error.
    """

    profile: str | None = None
    sandbox: bool = False
    output: str | None = None
    columns: tuple[str, ...] = ()
    jq: str | None = None
    dry_run: bool = False
    yes: bool = False
    no_wait: bool = False
    quiet: bool = False
    verbose: bool = False
    _stack: ExitStack = field(default_factory=ExitStack)
    _client: Any = None

    @property
    def client(self) -> SocialPublishing:
        """The client; made when it is first asked for.

        Raises:
            SignInError: There is no token or no address.
        """
        if self._client is None:
            self._client = self._stack.enter_context(self._made())
        found: SocialPublishing = self._client
        return found

    def close(self) -> None:
        """Close the client and the sandbox."""
        self._stack.close()

    def note(self, text: str) -> None:
        """Tell a person something, beside the data."""
        if not self.quiet:
            print(text, file=sys.stderr)

    def _made(self) -> SocialPublishing:
        from social_publishing import SocialPublishing

        if self.sandbox:
            token, base_url, media_url = self._stack.enter_context(_sandbox())
        else:
            account = account_of(self.profile).checked()
            for note in account.notes:
                self.note(f"note: {note}")
            token, base_url, media_url = account.api_token, account.base_url, account.media_url
        return SocialPublishing(
            api_token=token,
            base_url=base_url,
            media_url=media_url,
            pacing="raise" if self.no_wait else "wait",
        )


@contextmanager
def _sandbox() -> Iterator[tuple[str, str, str]]:
    """Start a sandbox of its own, on free ports, for as long as the command runs."""
    try:
        from social_publishing_sandbox import Sandbox
    except ImportError:
        raise SignInError(
            "--sandbox needs the sandbox: pip install social-publishing-sandbox"
        ) from None
    now = os.environ.get(f"{PREFIX}SANDBOX_NOW")
    with Sandbox(now=now) as sandbox:
        yield sandbox.token, sandbox.base_url, sandbox.media_url
