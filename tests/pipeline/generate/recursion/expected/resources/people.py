# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `people`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._runtime.core.models import UNSET, UnsetType
from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Parameter, Request, prepare
from ..models.people import Tree, TreeInput
from ..models.shared import Person

__all__ = [
    "AsyncPeopleResource",
    "PeopleResource",
    "build_get_person",
    "build_set_tree",
]


def build_get_person(id: str) -> Request[Person]:
    """Read a person.

    Reads one.

    Args:
        id: The person.

    Returns:
        The person.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    GET /people/{id}.
    """
    return prepare(
        operation="people.get_person",
        server="document",
        method="GET",
        path="/people/{id}",
        path_parameters=[Parameter("id", id, str, "id")],
        returns=Person,
        retry_safety="safe",
    )


def build_set_tree(
    id: str,
    *,
    name: str,
    children: Sequence[TreeInput] | UnsetType = UNSET,
) -> Request[Tree]:
    """Write a tree.

    Writes it.

    Args:
        id: The person.
        name: Its name. At most 9 characters.
        children: What hangs below.

    Returns:
        The tree.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    PUT /people/{id}.
    """
    return prepare(
        operation="people.set_tree",
        server="document",
        method="PUT",
        path="/people/{id}",
        path_parameters=[Parameter("id", id, str, "id")],
        json=TreeInput(name=name, children=children),
        returns=Tree,
        retry_safety="idempotent",
    )


class PeopleResource(Resource[M]):
    """Operations of `people`."""

    @property
    def with_raw_response(self) -> PeopleResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return PeopleResource(self._client, raw=True)

    get_person = Method(build_get_person)
    """Read a person."""

    set_tree = Method(build_set_tree)
    """Write a tree."""


class AsyncPeopleResource(AsyncResource[M]):
    """Operations of `people`."""

    @property
    def with_raw_response(self) -> AsyncPeopleResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncPeopleResource(self._client, raw=True)

    get_person = AsyncMethod(build_get_person)
    """Read a person."""

    set_tree = AsyncMethod(build_set_tree)
    """Write a tree."""
