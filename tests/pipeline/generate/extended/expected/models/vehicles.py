class TipperInput(RequestModel, kw_only=True):
    """A truck that tips."""

    kind: Literal["tipper"] = "tipper"
    """Which one it is."""

    wheels: int
    """How many it has."""

    tows: "OneOf[VehicleInput | BicycleInput | TruckInput | TipperInput] | None | UnsetType" = UNSET
    """What it tows."""

    load: int | UnsetType = UNSET
    """What it carries."""

    angle: int | UnsetType = UNSET
    """How far it tips."""

class TruckInput(RequestModel, kw_only=True):
    """A truck."""

    kind: Literal["Truck"] = "Truck"
    """Which one it is."""

    wheels: int
    """How many it has."""

    tows: "OneOf[VehicleInput | BicycleInput | TruckInput | TipperInput] | None | UnsetType" = UNSET
    """What it tows."""

    load: int | UnsetType = UNSET
    """What it carries."""

class BicycleInput(RequestModel, kw_only=True):
    """A bicycle."""

    kind: Literal["two"] = "two"
    """Which one it is."""

    wheels: int
    """How many it has."""

    tows: "OneOf[VehicleInput | BicycleInput | TruckInput | TipperInput] | None | UnsetType" = UNSET
    """What it tows."""

    bell: str
    """How it rings."""

class VehicleInput(RequestModel, kw_only=True):
    """A vehicle. Its subclasses extend it."""

    kind: str
    """Which one it is."""

    wheels: int
    """How many it has."""

    tows: "OneOf[VehicleInput | BicycleInput | TruckInput | TipperInput] | None | UnsetType" = UNSET
    """What it tows."""

class Tipper(ResponseModel, kw_only=True, gc=True):
    """A truck that tips."""

    kind: Literal["tipper"] = MISSING
    """Which one it is."""

    wheels: int = MISSING
    """How many it has."""

    tows: "OneOf[Vehicle | Bicycle | Truck | Tipper] | None" = MISSING
    """What it tows."""

    load: int | None = MISSING
    """What it carries."""

    angle: int | None = MISSING
    """How far it tips."""

class Truck(ResponseModel, kw_only=True, gc=True):
    """A truck."""

    kind: Literal["Truck"] = MISSING
    """Which one it is."""

    wheels: int = MISSING
    """How many it has."""

    tows: "OneOf[Vehicle | Bicycle | Truck | Tipper] | None" = MISSING
    """What it tows."""

    load: int | None = MISSING
    """What it carries."""

class Bicycle(ResponseModel, kw_only=True, gc=True):
    """A bicycle."""

    kind: Literal["two"] = MISSING
    """Which one it is."""

    wheels: int = MISSING
    """How many it has."""

    tows: "OneOf[Vehicle | Bicycle | Truck | Tipper] | None" = MISSING
    """What it tows."""

    bell: str = MISSING
    """How it rings."""

class Vehicle(ResponseModel, kw_only=True, gc=True):
    """A vehicle. Its subclasses extend it."""

    kind: str = MISSING
    """Which one it is."""

    wheels: int = MISSING
    """How many it has."""

    tows: "OneOf[Vehicle | Bicycle | Truck | Tipper] | None" = MISSING
    """What it tows."""

class Box(ResponseModel, kw_only=True):
    """It has no discriminator, so who refers to it means it alone."""

    size: int | None = MISSING
    """How large it is."""
