"""The error of a broken connection where there is none; apart, because it needs an HTTP library."""

from __future__ import annotations

import httpx2


class ConnectionDropped(httpx2.RemoteProtocolError, ConnectionError):
    """The connection ended before the response was complete; raised where there is no socket."""
