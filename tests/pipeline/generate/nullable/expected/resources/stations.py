def build_read_station(station: str) -> Request[Station]:
    return prepare(
        operation="stations.read_station",
        server="document",
        method="GET",
        path="/stations/{station}",
        path_parameters=[Parameter("station", station, str, "station")],
        returns=Station,
        retry_safety="safe",
    )
