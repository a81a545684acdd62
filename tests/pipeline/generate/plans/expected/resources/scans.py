def build_add(
    file: FileInput,
    *,
    back: FileInput | UnsetType = UNSET,
    progress: Progress | None = None,
) -> Request[Scan]:
    return prepare(
        operation="scans.add",
        server="document",
        method="POST",
        path="/scans",
        files=[
            FilePart("file", file, "file", progress=progress),
            FilePart("back", back, "back", progress=progress),
        ],
        returns=Scan,
        retry_safety="unsafe",
    )

def plan_add(
    file: FileInput,
    *,
    back: FileInput | UnsetType = UNSET,
    progress: Progress | None = None,
    wait: bool = False,
) -> Call[Scan]:
    return Awaited(
        "scans.add",
        lambda: build_add(file, back=back, progress=progress),
        wait,
        lambda response: plan_wait_for_text(response.scan_id),
        busy="is_busy",
    )

def build_state(scan: str) -> Request[ScanState]:
    return prepare(
        operation="scans.state",
        server="document",
        method="GET",
        path="/scans/{scan}",
        path_parameters=[Parameter("scan", scan, str, "scan")],
        returns=ScanState,
        retry_safety="safe",
    )

def plan_wait_for_text(scan: str) -> Call[Scan]:
    return Polling(
        "scans.wait_for_text",
        lambda: build_state(scan),
        result="the_scan",
        busy={"state": "busy", "the_scan.is_busy": True, "tries": 0},
        failed="failure",
    )

class ScansResource(Resource):
    """Operations of `scans`."""

    @cached_property
    def with_raw_response(self) -> ScansResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return ScansResourceWithRawResponse(self._client)

    def add(
        self,
        file: FileInput,
        *,
        back: FileInput | UnsetType = UNSET,
        progress: Progress | None = None,
        wait: bool = False,
    ) -> Scan:
        """Add a scan.

        It is read by a machine afterwards.

        An error while it waits has a note of what the request itself has made.

        Args:
            file: The picture.
            back: Its other side.
            progress: Called as the file leaves, with the bytes that were sent so far and the bytes
                in all (None where that is not known); `progress_bar()` makes one.
            wait: True waits until it is ready, and gives it as it is then; without a deadline at
                most 15 minutes. `scans.wait_for_text` does the same later.

        Returns:
            The scan.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.
            ProcessingFailed: The service reports that it failed.
            DeadlineExceeded: It was not ready within the deadline, or within 15 minutes where there
                is none; `last` is the newest response.
            OutcomeUnknown: No response came, or a 5xx; it may have been done: look before you
                repeat it.

        POST /scans.
        """
        return self._client.send(plan_add(file, back=back, progress=progress, wait=wait))

    def state(self, scan: str) -> ScanState:
        """Read a scan.

        Tells how far it is.

        Args:
            scan: The scan.

        Returns:
            How far it is.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.scans.state("s1")

        GET /scans/{scan}.
        """
        return self._client.send(build_state(scan))

    def wait_for_text(self, scan: str) -> Scan:
        """Wait for the text of a scan.

        Asks with `scans.state`, with growing pauses, until it is ready or has failed; without a
        deadline for 15 minutes at most.

        Args:
            scan: The scan.

        Returns:
            A scan, as it is when it is ready.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.
            ProcessingFailed: The service reports that it failed.
            DeadlineExceeded: It was not ready within the deadline, or within 15 minutes where there
                is none; `last` is the newest response.

        Example:
            >>> client.scans.wait_for_text("s1")

        GET /scans/{scan}, until it is ready.
        """
        return self._client.send(plan_wait_for_text(scan))
