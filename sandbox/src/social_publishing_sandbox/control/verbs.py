"""What can be done to a post, an account or a fault: one table of routes and of forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from social_publishing_sandbox.control.control import Control
from social_publishing_sandbox.documents.objects import Post
from social_publishing_sandbox.state.documents import Json


@dataclass(frozen=True, slots=True)
class Verb:
    """Something that can be done to an object.

    Attributes:
        path: of the form, below the console's pages; of the route, below `/_sandbox`.
        do: takes the control, the object's id and what is `given`; gives the body of the response.
        done: what the console says, by what `do` gave, or by the id where it gave nothing.
        given: the arguments of `do` that may be given.
        method: of the route; one that is no POST stands at the object itself.
    """

    path: str
    do: Callable[..., Any]
    done: Callable[[Control, Any], str]
    given: tuple[str, ...] = ()
    method: str = "POST"

    @property
    def route(self) -> str:
        """Return the path of the route, below `/_sandbox`."""
        return self.path if self.method == "POST" else self.path.rpartition("/")[0]

    @property
    def page(self) -> str:
        """Return the console's page that comes next."""
        return _PAGES[self.path.split("/")[1]]


_PAGES: Final = {"posts": "/posts/{id}", "social_accounts": "/groups", "faults": "/faults"}


def _status(control: Control, post: Post) -> str:
    return control.service.transitions.name[post.status]


def _approved(control: Control, post: Post) -> str:
    waits = _status(control, post) == "IN_REVIEW"
    return f"Approved.{' It waits for the other assignees.' if waits else ''}"


def _failed(control: Control, post: Post) -> str:
    failed = _status(control, post) == "FAILED"
    return "Failed." if failed else "It will fail when its time comes."


def _switch(on: bool) -> Callable[[Control, str], Json]:
    def switch(control: Control, identifier: str) -> Json:
        control.switch_fault(identifier, on)
        return control.faults.get(identifier).to_json()

    return switch


VERBS: Final = (
    Verb("/posts/{id}/approve", Control.approve, _approved, ("user",)),
    Verb("/posts/{id}/reject", Control.reject, lambda *_: "Rejected.", ("user", "reason")),
    Verb("/posts/{id}/fail", Control.fail, _failed, ("reason",)),
    Verb(
        "/posts/{id}/reschedule",
        lambda control, identifier, publication_date="": control.reschedule(
            identifier, publication_date
        ),
        lambda _, post: (
            f"It is due on {post.publication_date:%d %b %Y, %H:%M} UTC, if its state allows that."
        ),
        ("publication_date",),
    ),
    Verb(
        "/social_accounts/{id}/expire",
        Control.expire_connection,
        lambda _, account: f"The connection of {account['name']} has expired: posts fail on it.",
        ("at",),
    ),
    Verb(
        "/social_accounts/{id}/refresh",
        Control.refresh_connection,
        lambda _, account: f"{account['name']} is connected again.",
    ),
    Verb(
        "/faults/{id}/enable",
        _switch(True),
        lambda _, fault: f"{fault['id']!r} is switched on.",
    ),
    Verb(
        "/faults/{id}/disable",
        _switch(False),
        lambda _, fault: f"{fault['id']!r} is switched off.",
    ),
    Verb(
        "/faults/{id}/remove",
        Control.remove_fault,
        lambda _, identifier: f"{identifier!r} is removed.",
        method="DELETE",
    ),
)
