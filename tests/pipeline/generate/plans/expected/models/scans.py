class Scan(ResponseModel, kw_only=True):
    """A scan."""

    scan_id: str = field(name="scanId")
    """Its id."""

    is_busy: Maybe[bool] = field(default=UNSET, name="isBusy")
    """Whether it is being read."""

class ScanState(ResponseModel, kw_only=True):
    """How far a scan is."""

    state: Maybe[str] = UNSET
    """The state."""

    the_scan: Maybe[Scan] = field(default=UNSET, name="theScan")
    """A scan."""

    tries: Maybe[int] = UNSET
    """How often."""

    failure: Maybe[str] = UNSET
    """Why it failed."""
