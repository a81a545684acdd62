"""Who writes to a journal: people who share one are told of each other's values, not passed over.

Two users of a system with one home folder, two containers that mount it, and two users of the
service at one machine are different people.
"""

from __future__ import annotations

import getpass
import hashlib
import os
import platform
import sys
from contextlib import suppress


def writer(token: str = "") -> str:
    """Return who writes here: the user of the system, the machine, and a digest of the token.

    Args:
        token: The token of the user of the service; empty where it is not known.
    """
    digest = hashlib.sha256(f"writer {token}".encode()).hexdigest()[:12] if token else ""
    return f"{_user()}@{platform.node()} {digest}".strip()


def _user() -> str:
    if sys.platform == "win32":
        return getpass.getuser()
    with suppress(ImportError, KeyError):  # a container has users without names
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    return str(os.getuid())


def are_same(one: str, other: str) -> bool:
    """Return whether both name one person; an empty user or token matches any."""
    (user, _, token), (user_2, _, token_2) = one.partition(" "), other.partition(" ")
    is_same_user = user == user_2 or not (user and user_2)
    return is_same_user and (token == token_2 or not (token and token_2))


def named(by: str) -> str:
    """Return what a person is called: the user of the system, and the machine."""
    return by.partition(" ")[0]
