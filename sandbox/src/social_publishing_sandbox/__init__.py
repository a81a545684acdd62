"""A stateful sandbox of the Social Publishing Service: run it, move its clock, make it fail."""

from __future__ import annotations

import importlib
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from social_publishing_sandbox.api.request_log.entry import Entry
    from social_publishing_sandbox.sandbox import Sandbox
    from social_publishing_sandbox.state.errors import ClientMissing, ControlError, SandboxError
    from social_publishing_sandbox.state.store import BadDatabase
    from social_publishing_sandbox.worlds import BadWorld

__version__ = resources.files(__name__).joinpath("documents", "VERSION").read_text().strip()

__all__ = [
    "BadDatabase",
    "BadWorld",
    "ClientMissing",
    "ControlError",
    "Entry",
    "Sandbox",
    "SandboxError",
    "__version__",
]

_HOMES: Final = {
    "BadDatabase": "state.store",
    "BadWorld": "worlds",
    "ClientMissing": "state.errors",
    "ControlError": "state.errors",
    "Entry": "api.request_log.entry",
    "Sandbox": "sandbox",
    "SandboxError": "state.errors",
}


def __getattr__(name: str) -> Any:
    """Import public names on first use: the command's help and the pytest plugin need none."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
