"""The sandbox in a container, for Testcontainers.

Install `social-publishing-sandbox[testcontainers]`:

with SandboxContainer() as sandbox, SocialPublishing(**sandbox.client_arguments()) as client:
    client.labels.create(name="Spring")
"""

from __future__ import annotations

import json
import secrets
import socket
from typing import Any, Final, TypedDict

from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import LogMessageWaitStrategy

__all__ = ["IMAGE", "ClientArguments", "SandboxContainer"]

IMAGE: Final = "social-publishing-sandbox"
"""The image that `sandbox/Containerfile` makes."""


class ClientArguments(TypedDict):
    """Arguments of `SocialPublishing`."""

    api_token: str
    base_url: str
    media_url: str


class SandboxContainer(DockerContainer):
    """A container of the sandbox, on two free ports of this machine.

    The sandbox names itself in its responses, so it has the same ports inside and outside.

    Args:
        options: further options of `social-publishing-sandbox serve`, such as
            `"--rate-limit", "off"`.

    Attributes:
        api_ports: of the main and of the media API.
        control_token: the token of the routes below `/_sandbox`.
    """

    def __init__(self, image: str = IMAGE, *options: str) -> None:
        super().__init__(image)
        self.waiting_for(LogMessageWaitStrategy('"base_url"'))
        with socket.socket() as one, socket.socket() as other:
            for listener in (one, other):
                listener.bind(("127.0.0.1", 0))
            self.api_ports = (one.getsockname()[1], other.getsockname()[1])
        self.control_token = secrets.token_urlsafe(18)
        main, media = self.api_ports
        for port in self.api_ports:
            self.with_bind_ports(port, port)
        self.command = ["serve", "--json", "--host", "0.0.0.0", "--port", str(main)]
        self.command += [
            "--media-port",
            str(media),
            "--control-token",
            self.control_token,
            *options,
        ]
        self.with_command(self.command)

    def client_arguments(self) -> ClientArguments:
        """Return the arguments of `SocialPublishing` for the owner of the sandbox's world."""
        return client_arguments(self.get_logs()[0].decode())


def client_arguments(log: str) -> ClientArguments:
    """Return the arguments of a client, from what `serve --json` has printed."""
    printed: dict[str, Any] = json.loads(next(line for line in log.splitlines() if line[:1] == "{"))
    return {
        "api_token": printed["tokens"]["owner"],
        "base_url": printed["base_url"],
        "media_url": printed["media_url"],
    }
