# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `carts`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Request, prepare
from ..models.carts import AddCartBody, PriceInput
from ..models.shared import Price

__all__ = [
    "AsyncCartsResource",
    "CartsResource",
    "build_add_cart",
]


def build_add_cart(*, price: PriceInput) -> Request[Price]:
    """Add a cart.

    Adds one.

    Args:
        price: An amount of money.

    Returns:
        The price.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no answer came, or one of 5xx, and it may have been done; look before you
            repeat it.

    POST /carts.
    """
    return prepare(
        operation="carts.add_cart",
        server="document",
        method="POST",
        path="/carts",
        json=AddCartBody(price=price),
        returns=Price,
        retry_safety="unsafe",
    )


class CartsResource(Resource[M]):
    """Operations of `carts`."""

    @property
    def with_raw_response(self) -> CartsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return CartsResource(self._client, raw=True)

    add_cart = Method(build_add_cart)
    """Add a cart."""


class AsyncCartsResource(AsyncResource[M]):
    """Operations of `carts`."""

    @property
    def with_raw_response(self) -> AsyncCartsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncCartsResource(self._client, raw=True)

    add_cart = AsyncMethod(build_add_cart)
    """Add a cart."""
