"""The generated client, and the server that its tests talk to."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "generated" / "client" / "src"))

from calls import TOKEN
from server import Server, serve

if TYPE_CHECKING:
    from social_publishing import SocialPublishing


@pytest.fixture(scope="session")
def _server() -> Iterator[Server]:
    with serve() as server:
        yield server


@pytest.fixture
def server(_server: Server) -> Server:
    """The server, with nothing recorded and no answer set."""
    _server.requests.clear()
    _server.answers.clear()
    _server.answered.clear()
    return _server


@pytest.fixture
def client(server: Server) -> Iterator[SocialPublishing]:
    """A client of the server that sends everything once, at once."""
    from social_publishing import SocialPublishing

    with SocialPublishing(
        api_token=TOKEN,
        base_url=server.base_url,
        media_url=server.media_url,
        timeout=10,
        retries=0,
        pacing="off",
    ) as client:
        yield client
