"""The errors that the sandbox raises.

SandboxError
├── ControlError (also a ValueError)    an invalid argument or command
│   └── kinds.BadFault                  an invalid fault
├── ClientMissing                       the client is not installed
├── worlds.BadWorld                     an invalid world
├── store.BadDatabase                   a file that is not a database of the sandbox
├── space.NoSpace                       the disk is full
├── recording.RecordingError            a recording that cannot be made or replayed
├── running.NotRunnable                 a command that cannot be started
└── cli.Refused                         a command line that cannot be carried out
    └── cli.Unwritable                  standard output that cannot be written
"""

from __future__ import annotations


class SandboxError(Exception):
    """The base class of all errors of the sandbox; the message says what cannot be done, and why.

    Attributes:
        status: the exit status of the command line.
    """

    status: int = 2


class ControlError(SandboxError, ValueError):
    """A command or an argument is invalid; the message says why.

    Attributes:
        field: the wrong argument, if it is one.
        missing: whether nothing has the given name.
    """

    def __init__(self, message: str, field: str | None = None, *, missing: bool = False) -> None:
        super().__init__(message)
        self.field = field
        self.missing = missing

    def called(self, name: str) -> ControlError:
        """Return this error with another name of the argument."""
        message = str(self)
        if self.field and message.startswith(self.field):
            message = name + message.removeprefix(self.field)
        return ControlError(message, name, missing=self.missing)


class ClientMissing(SandboxError):
    """The client is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "the client is not installed: install the package social-publishing to use "
            "`client` and `async_client`, or the fixtures `social_publishing` and "
            "`async_social_publishing`"
        )
