"""Where the token and the addresses come from."""

from __future__ import annotations

import os

from .session import PREFIX, SignInError

__all__ = ["credentials"]

_NAMES = ("api_token", "base_url", "media_url")


def credentials(profile: str | None) -> tuple[str, str, str]:
    """Return the token and the addresses of a profile, both: main and media.

    Raises:
        SignInError: Something is missing; all that is missing is named.
    """
    found = {name: os.environ.get(PREFIX + name.upper(), "") for name in _NAMES}
    missing = [PREFIX + name.upper() for name, value in found.items() if not value]
    if missing:
        raise SignInError(
            f"not signed in: set {', '.join(missing)}; or try --sandbox, which needs no account"
        )
    return found["api_token"], found["base_url"], found["media_url"]
