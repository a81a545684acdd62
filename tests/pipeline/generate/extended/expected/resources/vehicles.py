def build_list_vehicles() -> Request[list[OneOf[Vehicle | Bicycle | Truck | Tipper]]]:
    return prepare(
        operation="vehicles.list_vehicles",
        server="document",
        method="GET",
        path="/vehicles",
        returns=list[OneOf[Vehicle | Bicycle | Truck | Tipper]],
        retry_safety="safe",
    )

def build_add_vehicle(
    body: VehicleInput | BicycleInput | TruckInput | TipperInput,
) -> Request[OneOf[Truck | Tipper]]:
    return prepare(
        operation="vehicles.add_vehicle",
        server="document",
        method="POST",
        path="/vehicles",
        json=Parameter(
            "body", body, one_of[VehicleInput | BicycleInput | TruckInput | TipperInput], "body"
        ),
        returns=one_of[Truck | Tipper],
        retry_safety="unsafe",
    )

def build_read_box() -> Request[Box]:
    return prepare(
        operation="vehicles.read_box",
        server="document",
        method="GET",
        path="/box",
        returns=Box,
        retry_safety="safe",
    )
