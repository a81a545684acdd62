def build_read_station(
    station: str,
    *,
    zone: str | None | UnsetType = UNSET,
    since: int | bool | None | UnsetType = UNSET,
) -> Request[Station]:
    return prepare(
        operation="stations.read_station",
        server="document",
        method="GET",
        path="/stations/{station}",
        path_parameters=[Parameter("station", station, str, "station")],
        query=[
            Parameter("zone", zone, Optional[Annotated[str, Meta(max_length=3)]], "zone"),
            Parameter("since", since, Optional[Annotated[int, Meta(ge=1)] | bool], "since"),
        ],
        returns=Station,
        retry_safety="safe",
    )
