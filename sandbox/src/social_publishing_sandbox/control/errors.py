"""The error of a control command."""

from __future__ import annotations

from social_publishing_sandbox.state.errors import SandboxError


class ControlError(SandboxError, ValueError):
    """A command or an argument that cannot be carried out, and why.

    Attributes:
        field: the argument that is at fault, if it is one.
    """

    def __init__(self, message: str, field: str | None = None, *, missing: bool = False) -> None:
        super().__init__(message)
        self.field = field
        self.missing = missing
