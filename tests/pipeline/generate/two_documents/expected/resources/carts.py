# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `carts`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from .._runtime.methods import AsyncMethod, AsyncResource, Method, Resource
from .._runtime.request import Request, prepare
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


class CartsResource(Resource):
    """Operations of `carts`."""

    add_cart = Method(build_add_cart)
    """Add a cart."""


class AsyncCartsResource(AsyncResource):
    """Operations of `carts`."""

    add_cart = AsyncMethod(build_add_cart)
    """Add a cart."""
