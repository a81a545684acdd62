def build_add_cart(price: PriceInput) -> Request[Price]:
    return prepare(
        operation="carts.add_cart",
        server="document",
        method="POST",
        path="/carts",
        json=AddCartBody(price=price),
        returns=Price,
        retry_safety="unsafe",
    )
