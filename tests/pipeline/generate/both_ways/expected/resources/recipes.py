# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `recipes`.

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
from .._runtime.request.request import Request, prepare
from ..models.recipes import Course, Recipe, RecipeInput, StepInput

__all__ = [
    "AsyncRecipesResource",
    "RecipesResource",
    "build_add_recipe",
]


def build_add_recipe(
    *,
    name: str,
    secret: str | UnsetType = UNSET,
    old: str | UnsetType = UNSET,
    steps: Sequence[StepInput] | UnsetType = UNSET,
    course: Course | UnsetType = UNSET,
) -> Request[Recipe]:
    """Add a recipe.

    Adds one.

    Args:
        name: Its name. At least 1 character.
        secret: Never shown.
        old: Deprecated. Not used any more.
        steps: What to do.
        course: When it is eaten.

    Returns:
        The recipe.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no answer came, or one of 5xx, and it may have been done; look before you
            repeat it.

    POST /recipes.
    """
    return prepare(
        operation="recipes.add_recipe",
        server="document",
        method="POST",
        path="/recipes",
        json=RecipeInput(name=name, secret=secret, old=old, steps=steps, course=course),
        returns=Recipe,
        retry_safety="unsafe",
    )


class RecipesResource(Resource[M]):
    """Operations of `recipes`."""

    @property
    def with_raw_response(self) -> RecipesResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return RecipesResource(self._client, raw=True)

    add_recipe = Method(build_add_recipe)
    """Add a recipe."""


class AsyncRecipesResource(AsyncResource[M]):
    """Operations of `recipes`."""

    @property
    def with_raw_response(self) -> AsyncRecipesResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncRecipesResource(self._client, raw=True)

    add_recipe = AsyncMethod(build_add_recipe)
    """Add a recipe."""
