"""Worlds: everything that a sandbox knows at the start.

`make` gives a seeded world: `small` for learning and tests, `agency` for size. `load` reads one
that is written by hand. A world is JSON; only `format` and the tokens of the users are required,
the rest is filled in:

    {"format": 1, "now": "2026-12-01T09:00:00Z",
     "users": [{"token": "secret-of-ada", "name": "Ada"},
               {"token": "secret-of-tom", "name": "Tom", "groupIds": ["Bakery"]}],
     "groups": [{"name": "Bakery", "timezone": "Europe/Berlin", "max_social_accounts": 5}],
     "social_accounts": [{"socialNetwork": "threads", "username": "bakery"},
                         {"socialNetwork": "bluesky", "username": "bakery"}],
     "posts": [{"content": "Bread!", "status": "SCHEDULED", "publication_delay_between": 10,
                "publication_date": "2026-12-02T07:00:00Z",
                "selectedAccountIds": ["threads:bakery", "bluesky:bakery"]}],
     "calendar_notes": [{"title": "Market", "start_date": "2026-12-05T07:00:00Z"}]}

The lists are `users`, `groups`, `social_accounts`, `labels`, `media`, `posts`, `calendar_notes` and
`activities`; beside them stands `organization` (`name`, `approval_workflow`, `task_integration`).
The objects have the fields of the service's specification (§2.2 to §2.11), and in addition

- a user a `token`, which is what a client sends;
- a post `labelIds`, and `details`, one for each selected account in the same order, unless they are
  left to be made; `comments`, `tasks` and `approvals` hold small objects of the sandbox's own;
- a calendar note a `series`: notes with the same one are grouped (§4.4);
- a post and media `sandbox`, in a world that a sandbox gave: what only that sandbox knows of it.

What is null may be left out, and what is left out is null, false, empty or something sensible.
Where an identifier is expected, a name does as well: of a user, group, label or post the `name`, of
media the `client_name`, of an account the `username` or `network:username`. Where a code is
expected, its name does: `SCHEDULED` for 25. Accounts that name no group are in the first one. A
post without a status is a draft, or scheduled or published according to its date.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from social_publishing_sandbox.worlds import agency, small
from social_publishing_sandbox.worlds.loading import load
from social_publishing_sandbox.worlds.problems import BadWorld, Problem

__all__ = ["NAMES", "BadWorld", "Problem", "load", "make"]

_WORLDS: Final[dict[str, Callable[..., dict[str, Any]]]] = {
    "small": small.make,
    "agency": agency.make,
}
NAMES: Final = tuple(_WORLDS)
"""The names of the seeded worlds."""


def make(name: str, *, seed: int, now: int) -> dict[str, Any]:
    """A seeded world: the same for the same name, seed and moment.

    Args:
        name: one of `NAMES`.
        seed: decides identifiers, tokens and whatever else has to be chosen.
        now: the moment at which the world stands, in milliseconds since 1970; what is scheduled
            lies after it, what is published before it.

    Raises:
        ValueError: there is no such world.
    """
    if name not in _WORLDS:
        raise ValueError(f"there is no world {name!r}; there are {', '.join(NAMES)}")
    return _WORLDS[name](seed=seed, now=now)
