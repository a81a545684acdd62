"""A Postgres server for a test, on a free port of this machine."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.support.valkey import SECONDS, free_port

USER = "postgres"
FOLDERS = [str(each) for each in Path("/usr/lib/postgresql").glob("*/bin")]  # of Debian, on no path
PROGRAMS = {
    name: shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *FOLDERS]))
    for name in ("initdb", "postgres")
}


def missing() -> str:
    """Return why no server can be started here; nothing if one can."""
    if None in PROGRAMS.values():
        return "no server: install postgresql"
    if os.getuid() == 0:  # a server refuses to be root
        import pwd

        try:
            pwd.getpwnam(USER)
        except KeyError:
            return f"root cannot start a server, and there is no user {USER}"
    return ""


@contextmanager
def postgres_server() -> Iterator[dict[str, str]]:
    """Run a server that keeps nothing; yields the variables by which clients find it."""
    folder, port = Path(tempfile.mkdtemp(prefix="postgres-")), free_port()
    other: dict[str, Any] = {}
    if os.getuid() == 0:
        shutil.chown(folder, USER)
        other = {"user": USER, "group": USER, "extra_groups": []}
    process = None
    try:
        made = [PROGRAMS["initdb"], "-D", folder / "data", "-U", USER, "-A", "trust", "-N"]
        subprocess.run(made, check=True, capture_output=True, cwd=folder, **other)
        settings = [f"port={port}", "listen_addresses=127.0.0.1", "unix_socket_directories="]
        settings += ["fsync=off", "max_connections=300"]
        options = [word for each in settings for word in ("-c", each)]
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(
                [PROGRAMS["postgres"], "-D", folder / "data", *options],
                stdout=log, stderr=log, cwd=folder, **other,
            )  # fmt: skip
        variables = {"PGHOST": "127.0.0.1", "PGPORT": f"{port}", "PGUSER": USER, "PGDATABASE": USER}
        _wait(variables, folder / "log")
        yield variables
    finally:
        if process is not None:
            process.send_signal(signal.SIGINT)  # ends connections that are left, too
            with suppress(subprocess.TimeoutExpired):
                process.wait(SECONDS)
            process.kill()
        shutil.rmtree(folder, ignore_errors=True)


def _wait(variables: dict[str, str], log: Path) -> None:
    import psycopg

    there = f"host={variables['PGHOST']} port={variables['PGPORT']} user={USER} dbname={USER}"
    until = time.monotonic() + 3 * SECONDS
    while time.monotonic() < until:
        with suppress(psycopg.OperationalError), psycopg.connect(there, connect_timeout=2):
            return
        time.sleep(0.05)
    raise AssertionError(f"the server did not start: {log.read_text()}")
