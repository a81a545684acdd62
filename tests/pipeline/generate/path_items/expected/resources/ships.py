def build_get_ship(ship: int) -> Request[Ship]:
    return prepare(
        operation="ships.get_ship",
        server="document",
        method="GET",
        path="/ships/{ship}",
        path_parameters=[Parameter("ship", ship, int, "ship")],
        returns=Ship,
        retry_safety="safe",
    )

def build_sink_ship(ship: int, why: str) -> Request[None]:
    return prepare(
        operation="ships.sink_ship",
        server="document",
        method="DELETE",
        path="/ships/{ship}",
        path_parameters=[Parameter("ship", ship, int, "ship")],
        json=SinkShipBody(why=why),
        returns=None,
        retry_safety="idempotent",
    )
