class Scan(ResponseModel, kw_only=True):
    """A scan."""

    scan_id: str = field(default=MISSING, name="scanId")
    """Its id."""

    is_busy: bool | None = field(default=MISSING, name="isBusy")
    """Whether it is being read."""

class ScanState(ResponseModel, kw_only=True):
    """How far a scan is."""

    state: str | None = MISSING
    """The state."""

    the_scan: Scan | None = field(default=MISSING, name="theScan")
    """A scan."""

    tries: int | None = MISSING
    """How often."""

    failure: str | None = MISSING
    """Why it failed."""
