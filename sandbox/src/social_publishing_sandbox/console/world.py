"""The page of the world: its contents, reset, snapshots and download."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request

from social_publishing_sandbox import worlds
from social_publishing_sandbox.console.base import (
    Console,
    Form,
    Notice,
    Question,
    Wrong,
)
from social_publishing_sandbox.state import arguments

_BEFORE: Final = "before the reset"


def read(console: Console, request: Request) -> dict[str, Any]:
    """Return what there is, and the snapshots."""
    service = console.service
    store = service.store
    counts = {
        "Posts": store.posts.count("status <> ?", [service.codes["DELETED"]]),
        "Social accounts": store.accounts.count(),
        "Groups": store.groups.count(),
        "Users": store.users.count(),
        "Media": store.media.count(),
        "Labels": store.labels.count(),
        "Calendar notes": store.notes.count(),
        "Activities": store.activities.count(),
    }
    return {
        "counts": counts,
        "seed": service.settings.seed,
        "file": store.file,
        "snapshots": console.control.snapshots(),
        "names": worlds.NAMES,
        "digest": service.contract.digest,
        "settings": service.settings,
    }


def ask(console: Console, form: Form) -> Question | None:
    """Return what to ask before something is lost."""
    name = form.get("name", "")
    match form["verb"]:
        case "reset":
            text = (
                "The world returns to its initial state, including the clock. The request log and "
                f"all faults are deleted. The current state is saved as the snapshot {_BEFORE!r}."
            )
            return Question("Begin again?", text, "Begin again")
        case "restore":
            text = "Changes since then will be lost, unless you take a snapshot first."
            return Question(f"Go back to {name!r}?", text, "Go back")
        case "forget":
            return Question(
                f"Forget {name!r}?", "A deleted snapshot cannot be recovered.", "Forget it"
            )
    return None


def act(console: Console, form: Form) -> Notice:
    """Reset the world, or keep, restore or forget a state of it."""
    control, verb = console.control, form["verb"]
    name, seed = form.get("name", ""), form.get("seed", "")
    if verb == "reset":
        if name and name not in worlds.NAMES:
            raise Wrong(f"There is no world {name!r} here.")
        chosen = arguments.read("seed", seed) if seed else None
        control.snapshot(_BEFORE)
        control.reset(name or None, seed=chosen)
        return Notice(f"The world was reset. Its previous state was saved as {_BEFORE!r}.")
    if verb == "snapshot":
        return Notice(f"Saved as {control.snapshot(name or None)!r}.")
    if verb == "restore":
        control.restore(name)
        return Notice(f"Everything is restored from {name!r}, including the clock.")
    if verb == "forget":
        control.forget_snapshot(name)
        return Notice(f"{name!r} was deleted.")
    raise Wrong(f"A world cannot {verb}.")
