"""The error for a dropped connection without sockets, apart because it imports httpx2."""

from __future__ import annotations

import httpx2


class ConnectionDropped(httpx2.RemoteProtocolError, ConnectionError):
    """The connection ended before the response was complete.

    Raised when the API is called without a socket.
    """
