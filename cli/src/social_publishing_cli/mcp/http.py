"""The server over streamable HTTP, on this machine alone: a token for each person, own plans."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import JSONResponse

from ..files import make_folder, replacing
from ..plans import PlanError, plans_folder
from ..session import Session
from .server import Assistants, interruptible
from .service import Options

HOST = "127.0.0.1"
_FILE = "people.json"
_PATIENCE = 1  # seconds that open connections have after an interrupt

_App = Callable[[Any, Any, Any], Any]


def people_of(folder: Path, named: Sequence[str], note: Callable[[str], object]) -> dict[str, str]:
    """Return the digest of each person's token; who has none yet gets one, which is told once.

    Args:
        folder: The folder of plans; it keeps digests alone.

    Raises:
        PlanError: The file of digests cannot be read or written.
    """
    path = folder / _FILE
    try:
        known: Any = json.loads(path.read_bytes()) if path.exists() else {}
        if not isinstance(known, dict) or not all(isinstance(v, str) for v in known.values()):
            raise ValueError("it is no list of people")
        new = {name: secrets.token_urlsafe(32) for name in named if name not in known}
        known |= {name: _digest(token) for name, token in new.items()}
        if new:
            make_folder(folder)
            with replacing(path, 0o600) as file:
                text = json.dumps(known, indent=1, ensure_ascii=False)
                file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        reason = error.strerror or error
        raise PlanError(f"{_FILE}: cannot be read or written: {reason}") from None
    except (ValueError, RecursionError) as error:
        raise PlanError(f"{_FILE}: {error}: move it away to give everybody a new token") from None
    for name, token in new.items():
        note(f"token of {name}, shown only now: {token}")
    return {name: known[name] for name in named}


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def guarded(apps: Mapping[str, _App]) -> _App:
    """Return an application that passes a request on to that of the person whose token it has.

    Args:
        apps: The application of each person, by the digest of the token.
    """

    async def app(scope: Any, receive: Any, send: Any) -> None:
        scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
        given = _digest(token.strip()) if scheme.lower() == "bearer" else ""
        found = [one for digest, one in apps.items() if hmac.compare_digest(digest, given)]
        if not found:
            message = {"error": "This server needs its own token: Authorization: Bearer TOKEN."}
            refused = JSONResponse(message, 401, {"www-authenticate": "Bearer"})
            await refused(scope, receive, send)
            return
        await found[0](scope, receive, send)

    return app


def listening(port: int) -> socket.socket:
    """Return a socket of this machine that listens.

    Raises:
        OSError: The port is in use.
    """
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
        made.listen()  # whoever reads the address may connect at once
    except OSError:
        made.close()
        raise
    return made


def serve(session: Session, options: Options, named: Sequence[str], at: socket.socket) -> None:
    """Serve people's assistants until Ctrl-C.

    Args:
        named: The people.
        at: Where it listens.

    Raises:
        PlanError: The tokens cannot be read or written.
    """
    port = at.getsockname()[1]
    people = people_of(plans_folder(options.journals), named, session.note)
    hosts = [f"{name}:{port}" for name in (HOST, "localhost")]
    security = TransportSecuritySettings(
        allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
    )
    served: list[Assistants] = []

    async def run() -> None:
        async with AsyncExitStack() as stack:
            apps: dict[str, _App] = {}
            for name, digest in people.items():
                assistants = Assistants(session, replace(options, person=name))
                served.append(assistants)
                app = assistants.server.streamable_http_app(transport_security=security)
                await stack.enter_async_context(assistants.server.session_manager.run())
                apps[digest] = app
            config = uvicorn.Config(
                guarded(apps),
                lifespan="off",
                log_level="warning",
                server_header=False,
                timeout_graceful_shutdown=_PATIENCE,
            )
            session.note(f"serving {', '.join(people)} at http://{HOST}:{port}/mcp; Ctrl-C ends it")
            await uvicorn.Server(config).serve(sockets=[at])

    with interruptible(session):
        try:
            anyio.run(run)
        finally:
            for assistants in served:
                assistants.close()
