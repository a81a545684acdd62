"""Worlds: everything that a sandbox knows at the start.

`make` gives a seeded world: `small` for learning and tests, `agency` for size, `odd` for the texts
that break pages. `load` reads one that is written by hand. A world is JSON or YAML; only `format`
and the tokens of the users are required, the rest is filled in:

    {"format": 1, "now": "2026-12-01T09:00:00Z",
     "users": [{"token": "secret-of-ada", "name": "Ada"},
               {"token": "secret-of-tom", "name": "Tom", "groupIds": ["Bakery"]}],
     "groups": [{"name": "Bakery", "timezone": "Europe/Berlin", "max_social_accounts": 5}],
     "social_accounts": [{"socialNetwork": "threads", "username": "bakery"},
                         {"socialNetwork": "bluesky", "username": "bakery"}],
     "posts": [{"content": "Bread!", "status": "SCHEDULED", "publication_delay_between": 10,
                "publication_date": "+1d 08:00 Europe/Berlin",
                "selectedAccountIds": ["threads:bakery", "bluesky:bakery"]}],
     "calendar_notes": [{"title": "Market", "start_date": "2026-12-05T07:00:00Z"}]}

`small.yaml`, beside this file, is a longer example. The lists are `users`, `groups`,
`social_accounts`, `labels`, `media`, `posts`, `calendar_notes` and `activities`; beside them stands
`organization` (`name`, `approval_workflow`, `task_integration`). The objects have the fields of the
service's specification (§2.2 to §2.11), and in addition

- a user a `token`, which is what a client sends;
- a post `labelIds`, and `details`, one for each selected account in the same order, unless they are
  left to be made; `comments`, `tasks` and `approvals` hold small objects of the sandbox's own;
- a calendar note a `series`: notes with the same one are grouped (§4.4);
- a post and media `sandbox`, in a world that a sandbox gave: what only that sandbox knows of it.

What is null may be left out, and what is left out is null, false, empty or something sensible.
Where an identifier is expected, a name does as well: of a user, group, label or post the `name`, of
media the `client_name`, of an account the `username` or `network:username`. Where a code is
expected, its name does: `SCHEDULED` for 25. A moment may count from `now`: `-3.5d` is so many days
before it, `-12m` so many minutes, `+1d 08:00 Europe/Berlin` that hour of the next day there (in UTC
without a zone). Accounts that name no group are in the first one. A post without a status is a
draft, or scheduled or published according to its date.
"""

from __future__ import annotations

from social_publishing_sandbox.worlds.loading import load
from social_publishing_sandbox.worlds.problems import BadWorld, Problem
from social_publishing_sandbox.worlds.seeded import NAMES, make

__all__ = ["NAMES", "BadWorld", "Problem", "load", "make"]
