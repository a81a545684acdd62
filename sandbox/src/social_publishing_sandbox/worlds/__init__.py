"""Worlds: the data that a sandbox starts with.

`make` creates a seeded world: `small` for learning and tests, `agency` for size, `odd` for texts
that break pages. `load` reads a handwritten one. A world is JSON or YAML. Only `format` and the
tokens of the users are required; the rest is filled in:

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

`small.yaml`, next to this file, is a longer example. The lists are `users`, `groups`,
`social_accounts`, `labels`, `media`, `posts`, `calendar_notes` and `activities`; beside them stands
`organization` (`name`, `approval_workflow`, `task_integration`). The objects have the fields of the
service's specification (§2.2 to §2.11), and in addition

- a user a `token`, which is what a client sends;
- a post `labelIds`, and `details`, one for each selected account in the same order, unless the
  sandbox is to create them; `comments`, `tasks` and `approvals` contain small objects of the
  sandbox's own;
- a calendar note a `series`: notes with the same series are grouped (§4.4);
- a post and media `sandbox`, in a world that was saved from a sandbox: its internal state.

You can leave out null. A field that is left out is null, false, empty or has a sensible default.
You can use names instead of ids: the `name` of a user, group, label or post, the `client_name` of
media, the `username` or `network:username` of an account. You can use the name of a code:
`SCHEDULED` for 25. A moment may be relative to `now`: `-3.5d` is 3.5 days earlier, `-12m` 12
minutes earlier, `+1d 08:00 Europe/Berlin` 08:00 on the next day in Berlin (in UTC without a zone).
Accounts without a group belong to the first group. A post without a status is a draft, or scheduled
or published according to its date.
"""

from __future__ import annotations

from social_publishing_sandbox.worlds.loading import load
from social_publishing_sandbox.worlds.problems import BadWorld, Problem
from social_publishing_sandbox.worlds.seeded import NAMES, make

__all__ = ["NAMES", "BadWorld", "Problem", "load", "make"]
