# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `animals`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from typing import Any

from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Parameter, Request, prepare
from ..models.animals import Animals, CatInput, DogInput, Named

__all__ = [
    "AsyncAnimalsResource",
    "AnimalsResource",
    "build_list_animals",
    "build_add_animal",
    "build_list_names",
]


def build_list_animals() -> Request[Animals]:
    """List the animals.

    Lists them.

    Returns:
        The animals.

    Raises:
        StatusError: any other status outside 200 to 299.

    GET /animals.
    """
    return prepare(
        operation="animals.list_animals",
        server="document",
        method="GET",
        path="/animals",
        returns=Animals,
        retry_safety="safe",
    )


def build_add_animal(*, body: CatInput | DogInput) -> Request[dict[str, Any]]:
    """Add an animal.

    Adds one.

    Args:
        body: The body.

    Returns:
        The animal.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no answer came, or one of 5xx, and it may have been done; look before you
            repeat it.

    POST /animals.
    """
    return prepare(
        operation="animals.add_animal",
        server="document",
        method="POST",
        path="/animals",
        json=Parameter("body", body, Any, "body"),
        returns=dict[str, Any],
        retry_safety="unsafe",
    )


def build_list_names() -> Request[dict[str, Named]]:
    """Name them.

    A list or a map, always as a map.

    Returns:
        The cats.

    Raises:
        StatusError: any other status outside 200 to 299.

    GET /names.
    """
    return prepare(
        operation="animals.list_names",
        server="document",
        method="GET",
        path="/names",
        returns=list[Named] | dict[str, Named],
        keyed_by="name",
        retry_safety="safe",
    )


class AnimalsResource(Resource[M]):
    """Operations of `animals`."""

    @property
    def with_raw_response(self) -> AnimalsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AnimalsResource(self._client, raw=True)

    list_animals = Method(build_list_animals)
    """List the animals."""

    add_animal = Method(build_add_animal)
    """Add an animal."""

    list_names = Method(build_list_names)
    """Name them."""


class AsyncAnimalsResource(AsyncResource[M]):
    """Operations of `animals`."""

    @property
    def with_raw_response(self) -> AsyncAnimalsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncAnimalsResource(self._client, raw=True)

    list_animals = AsyncMethod(build_list_animals)
    """List the animals."""

    add_animal = AsyncMethod(build_add_animal)
    """Add an animal."""

    list_names = AsyncMethod(build_list_names)
    """Name them."""
