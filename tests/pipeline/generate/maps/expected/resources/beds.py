def build_plant(
    seasons: Mapping[Season, Mapping[str, int]],
    *,
    notes: Mapping[str, str] | UnsetType = UNSET,
    loose: Mapping[str, Any] | UnsetType = UNSET,
) -> Request[Grown]:
    return prepare(
        operation="beds.plant",
        server="document",
        method="PUT",
        path="/beds",
        json=Plan(seasons=seasons, notes=notes, loose=loose),
        returns=Grown,
        retry_safety="idempotent",
    )

def build_water(body: Mapping[Season, float]) -> Request[dict[str, dict[str, int]]]:
    return prepare(
        operation="beds.water",
        server="document",
        method="PUT",
        path="/waters",
        json=Parameter(
            "body",
            body,
            Annotated[Mapping[Season, Annotated[float, Meta(ge=0)]], Meta(min_length=1)],
            "body",
        ),
        returns=dict[str, dict[str, int]],
        retry_safety="idempotent",
    )
