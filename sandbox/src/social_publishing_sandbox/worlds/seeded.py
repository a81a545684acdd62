"""Seeded worlds: files in this folder, completed according to the seed."""

from __future__ import annotations

import json
from importlib import resources
from random import Random
from typing import Final

from social_publishing_sandbox.state import ids, times, yamls
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.worlds import loading
from social_publishing_sandbox.worlds.shapes import KINDS

NAMES: Final = ("small", "agency", "odd")
"""The names of the seeded worlds."""


def make(name: str, *, seed: int, now: int, posts: int | None = None) -> Json:
    """Return a seeded world: the same for the same name, seed and moment.

    Args:
        seed: decides tokens, most identifiers, and the minutes at which things happened.
        now: the moment at which the world stands, in milliseconds since 1970; what is scheduled
            lies after it, what is published before it.
        posts: how many posts the agency has, if not as many as usual.
    """
    if name not in NAMES:
        raise ValueError(f"there is no world {name!r}; there are {', '.join(NAMES)}")
    chance = Random(f"{name}:{seed}")
    now -= now % times.SECOND
    given = _given("agency" if name == "agency" else "small")
    if name == "agency":
        from social_publishing_sandbox.worlds.agency import Agency

        world = Agency(given, chance, now).world(given["posts"] if posts is None else posts)
    else:
        # It fits the shapes, as tests show; to compile them takes longer than all the rest.
        world = loading.normal({**given, "now": times.text(now)}, name, now=now)
    for user in world["users"]:
        key = user["token"]  # readable, and the same for the same seed
        user["token"] = f"sandbox-{key}-{ids.digest(f'token:{key}:{seed}', 16)}"
    loading.complete(world, name, chance=chance, seed=seed)
    if name == "odd":
        from social_publishing_sandbox.worlds.odd import made_odd

        made_odd(world)
    for kind in KINDS:
        world[kind].sort(key=lambda each: int(each["id"]))
    return world


def _given(name: str) -> Json:
    """Return what a file of this folder has; in a browser, where YAML takes seconds, as JSON."""
    folder = resources.files(__package__)
    quick = folder.joinpath(f"{name}.json")
    given: Json = (
        json.loads(quick.read_bytes())
        if quick.is_file()
        else yamls.read(folder.joinpath(f"{name}.yaml")).data
    )
    return given
