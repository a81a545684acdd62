class Scan(ResponseModel, kw_only=True):
    """A scan.

    Attributes:
        scan_id: Its id.
        is_busy: Whether it is being read.
    """

    scan_id: str = field(name="scanId")
    is_busy: Maybe[bool] = field(default=UNSET, name="isBusy")

class ScanState(ResponseModel, kw_only=True):
    """How far a scan is.

    Attributes:
        state: The state.
        the_scan: A scan.
        tries: How often.
        failure: Why it failed.
    """

    state: Maybe[str] = UNSET
    the_scan: Maybe[Scan] = field(default=UNSET, name="theScan")
    tries: Maybe[int] = UNSET
    failure: Maybe[str] = UNSET
