def build_get_scan(scan: str) -> Request[bytes]:
    return prepare(
        operation="scans.get_scan",
        server="document",
        method="GET",
        path="/scans/{scan}",
        path_parameters=[Parameter("scan", scan, str, "scan")],
        accept="application/pdf, application/problem+json",
        returns=bytes,
        retry_safety="safe",
    )

def build_make_scan(scan: str) -> Request[Scan | int | None]:
    return prepare(
        operation="scans.make_scan",
        server="document",
        method="PUT",
        path="/scans/{scan}",
        path_parameters=[Parameter("scan", scan, str, "scan")],
        returns=Scan,
        by_status={202: int, 204: None},
        retry_safety="idempotent",
    )

def build_change_scan(scan: str) -> Request[Scan | str]:
    return prepare(
        operation="scans.change_scan",
        server="document",
        method="PATCH",
        path="/scans/{scan}",
        path_parameters=[Parameter("scan", scan, str, "scan")],
        accept="application/json, text/plain",
        returns=Scan,
        by_status={200: Scan, 2: str},
        retry_safety="unsafe",
    )

def build_list_scans() -> Request[list[Scan]]:
    return prepare(
        operation="scans.list_scans",
        server="document",
        method="GET",
        path="/scans",
        returns=list[Scan],
        retry_safety="safe",
    )

def build_export_scans() -> Request[str]:
    return prepare(
        operation="scans.export_scans",
        server="document",
        method="POST",
        path="/scans",
        accept="text/csv, application/json",
        returns=str,
        retry_safety="unsafe",
    )

def build_name_scan(scan: str) -> Request[str]:
    return prepare(
        operation="scans.name_scan",
        server="document",
        method="GET",
        path="/scans/{scan}/name",
        path_parameters=[Parameter("scan", scan, str, "scan")],
        returns=Present[str],
        retry_safety="safe",
    )

def build_watch_scan(scan: str) -> Request[str]:
    return prepare(
        operation="scans.watch_scan",
        server="document",
        method="GET",
        path="/scans/{scan}/progress",
        path_parameters=[Parameter("scan", scan, str, "scan")],
        accept="text/event-stream",
        returns=str,
        retry_safety="safe",
    )

def plan_watch_scan(scan: str) -> StreamedEvents[ProgressModel]:
    return StreamedEvents(build_watch_scan(scan), ProgressModel)

def build_redo_scan(scan: str) -> Request[Scan]:
    return prepare(
        operation="scans.redo_scan",
        server="document",
        method="POST",
        path="/scans/{scan}/progress",
        path_parameters=[Parameter("scan", scan, str, "scan")],
        returns=Scan,
        retry_safety="unsafe",
    )

def plan_redo_scan_stream(scan: str) -> StreamedEvents[OneOf[ProgressModel | Scan]]:
    return StreamedEvents(build_redo_scan(scan), one_of[ProgressModel | Scan])
