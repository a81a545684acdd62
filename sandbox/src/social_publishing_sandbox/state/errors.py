"""The errors that the sandbox raises to those who use it.

SandboxError
├── ControlError (also a ValueError)    an argument or a command that cannot be
│   └── kinds.BadFault                  a fault that cannot be
├── ClientMissing                       the client is not installed
├── worlds.BadWorld                     a world with faults
├── store.BadDatabase                   a file that is no database of the sandbox
├── space.NoSpace                       the disk is full
├── recording.RecordingError            a recording that cannot be made or served
└── running.NotRunnable                 a command that cannot be run
"""

from __future__ import annotations


class SandboxError(Exception):
    """Something that was asked of the sandbox cannot be done; the text says what and why.

    Attributes:
        status: the exit status of the command line.
    """

    status: int = 2


class ControlError(SandboxError, ValueError):
    """A command or an argument that cannot be carried out, and why.

    Attributes:
        field: the argument that is at fault, if it is one.
        missing: there is nothing of the name that was given.
    """

    def __init__(self, message: str, field: str | None = None, *, missing: bool = False) -> None:
        super().__init__(message)
        self.field = field
        self.missing = missing


class ClientMissing(SandboxError):
    """The client is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "the client is not installed: install the package social-publishing to use "
            "`client` and `async_client`, or the fixtures `social_publishing` and "
            "`async_social_publishing`"
        )
