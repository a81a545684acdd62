"""Package indexes: by which name one is meant, what it holds, and how a file gets there."""

from __future__ import annotations

import contextlib
import html
import json
import logging
import netrc
import os
import re
import textwrap
import threading
import time
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote, urlsplit
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from pipeline.openapi.problems import Finding, PipelineError
from pipeline.openapi.wording import some
from release.config import Repository
from release.environments import uv

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

LOCAL: Final = "local"

_PUBLIC: Final = {
    "pypi": Repository("https://upload.pypi.org/legacy/", "https://pypi.org/simple/"),
    "testpypi": Repository("https://test.pypi.org/legacy/", "https://test.pypi.org/simple/"),
}
_ENOUGH: Final = 180.0  # seconds for an index to show what it has taken
NO_LOGIN: Final = (
    "set UV_PUBLISH_TOKEN to a token of this index first, or UV_PUBLISH_USERNAME and "
    "UV_PUBLISH_PASSWORD; neither is set"
)
# Where uv finds a login by itself: a workflow that the index trusts, or a keyring.
_FOUND: Final = re.compile(
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN|.*_ID_TOKEN|BUILDKITE|CIRCLECI|UV_KEYRING_PROVIDER"
)
_LOGIN: Final = ("UV_PUBLISH_USERNAME", "UV_PUBLISH_PASSWORD", "UV_PUBLISH_TOKEN")
_RETRIES: Final = "UV_HTTP_RETRIES"
# Without one, uv waits a quarter of an hour for an index that takes a connection and says nothing.
_TIMEOUTS: Final = ("UV_HTTP_TIMEOUT", "UV_UPLOAD_HTTP_TIMEOUT", "UV_REQUEST_TIMEOUT")
_READING: Final = "30"  # seconds without a byte, as where uv installs; an upload may take longer
_LONGEST: Final = 300  # characters of what an index says


class Taken(PipelineError):
    """An index has files of these names with other bytes."""


@dataclass(frozen=True)
class Target:
    """An index to publish to.

    Attributes:
        name: for messages; no password is in it.
        index: the address to read it at, with user name and password where it needs them.
        login: variables with which uv uploads, in place of those that it has.
    """

    name: str
    upload: str = field(repr=False)
    index: str = field(repr=False)
    login: Mapping[str, str | None] = field(default_factory=dict, repr=False)


def find_target(name: str, known: Mapping[str, Repository]) -> Target:
    """Find an index by a name of the project's or of everybody's; `local` is served by `serve`.

    Raises:
        PipelineError: no index has this name.
    """
    indexes = {**_PUBLIC, **known}
    if name in indexes:
        return readable(Target(name, indexes[name].upload, indexes[name].index))
    problem = f"unknown index; known are {', '.join([LOCAL, *known, *_PUBLIC])};"
    problem += " add others to [tool.release.repositories.NAME] in pyproject.toml"
    raise PipelineError(Finding(f"--repository {without_secrets(name)}: {problem}"))


def without_secrets(address: str) -> str:
    """Return an address without user name and password; any other name as it is."""
    return re.sub(r"(?<=://)[^/@]*@", "", address)


def readable(target: Target) -> Target:
    """Return the index, read with the credentials for uploading where both are on one host."""
    upload, index = urlsplit(target.upload), urlsplit(target.index)
    user, password, token = (os.environ.get(name, "") for name in _LOGIN)
    user, password = ("__token__", token) if token else (user, password)
    user = unquote(upload.username or "") or user
    password = unquote(upload.password or "") or password
    place = upload.netloc.rpartition("@")[2]
    if (upload.scheme, place) != (index.scheme, index.netloc) or not (user and password):
        return target
    login = f"{quote(user, safe='')}:{quote(password, safe='')}"
    return replace(target, index=index._replace(netloc=f"{login}@{place}").geturl())


def has_login(target: Target) -> bool:
    """Return whether there is anything to upload to an index with; whether it is right is unknown.

    It is in the environment, in the address, or where uv looks by itself.
    """
    given = {**os.environ, **target.login}
    user, password, token = (given.get(name) for name in _LOGIN)
    found = (name for name in os.environ if _FOUND.fullmatch(name) and os.environ[name])
    return (
        bool(token or (user and password) or urlsplit(target.upload).password)
        or any(found)
        or _is_kept(target.upload)
    )


def _is_kept(address: str) -> bool:
    """Return whether there is a login in a netrc file, or among those that `uv auth` has kept."""
    with contextlib.suppress(OSError, netrc.NetrcParseError):
        if netrc.netrc(os.environ.get("NETRC")).authenticators(urlsplit(address).hostname or ""):
            return True
    asked = ("auth", "helper", "--preview-features", "auth-helper", "--protocol=bazel", "get")
    return "Authorization" in uv(*asked, text=json.dumps({"uri": address})).stdout


def upload(file: Path, target: Target) -> None:
    """Upload a file, unless the index has it."""
    _publish(target, [file])


def present(target: Target, files: Iterable[Path]) -> set[str]:
    """Return the names of those files that the index has."""
    output = _publish(target, files, "--dry-run")
    return set(re.findall(r"^File (\S+) already exists", output, re.MULTILINE))


def reach(target: Target, file: Path) -> None:
    """See that an index responds, for one file: of one that is down, uv would wait for each.

    uv tries a second time, and not as often as when there is something to lose.
    """
    with contextlib.suppress(Taken):
        _publish(target, [file], "--dry-run", retries=os.environ.get(_RETRIES, "1"))


def _publish(
    target: Target, files: Iterable[Path], *options: str, retries: str | None = None
) -> str:
    addresses = ("--publish-url", target.upload, "--check-url", target.index)
    command = ("publish", "--no-cache", *options, *addresses, *map(str, files))
    variables = dict(target.login)
    if retries is not None:
        variables[_RETRIES] = retries
    if "--dry-run" in options and not any(map(os.environ.get, _TIMEOUTS)):
        variables[_TIMEOUTS[0]] = _READING
    try:
        return uv(*command, variables=variables).stderr
    except PipelineError as error:
        said = without_secrets(str(error))
    if names := re.findall(r"do not match for `([^`]+)`", said):
        raise Taken(Finding(f"{target.name}: has {some(sorted(names))} with other bytes"))
    errors = re.split(r"^(?:.*: )?error: ", said.partition("\nFound issues")[0], flags=re.MULTILINE)
    causes = (
        re.split(r"^ +cause: ", each, flags=re.MULTILINE)[-1] for each in errors[1:] or errors
    )
    reason = "; ".join(dict.fromkeys(map(_brief, causes)))
    if asked := re.search(r"Failed to query check URL.*?Failed to fetch: (\S+)", said, re.DOTALL):
        reason = f"{asked[1]} cannot be read: {reason}. See that this machine reaches it"
    elif "credentials" in reason or re.search(r"\b40[13]\b", reason):
        reason = (
            "check UV_PUBLISH_TOKEN, or UV_PUBLISH_USERNAME and UV_PUBLISH_PASSWORD: this account "
            f"may not upload here. The index says: {reason}"
        )
    raise PipelineError(Finding(f"{target.name}: {reason}"))


def _brief(said: str) -> str:
    """Return what an index says, without the tags of a page, and no more than one reads."""
    text = re.sub(
        r"<(head|style|script)\b.*?</\1\s*>|<[^>]*>", " ", said, flags=re.DOTALL | re.IGNORECASE
    )
    return textwrap.shorten(html.unescape(text), _LONGEST, placeholder=" …")


def wait_for(target: Target, files: Iterable[Path], enough: float = _ENOUGH) -> None:
    """Wait until an index shows files.

    Raises:
        PipelineError: it does not after `enough` seconds.
    """
    end = time.monotonic() + enough
    while missing := {file.name for file in files} - present(target, files):
        if time.monotonic() > end:
            reason = f"accepted the files, but does not list {', '.join(sorted(missing))}"
            raise PipelineError(
                Finding(f"{target.name}: {reason} after {enough:.0f} s; try again later")
            )
        time.sleep(min(2.0, enough / 10))


def application(folder: Path) -> WSGIApplication:
    """Return an index of the archives in a folder, which anybody may upload to."""
    import pypiserver  # type: ignore[import-untyped]

    logging.getLogger("pypiserver").setLevel(logging.CRITICAL)
    app: WSGIApplication = pypiserver.app(
        roots=[folder], authenticate=[], password_file=".", disable_fallback=True,
        backend_arg="simple-dir", hash_algo="sha256",
    )  # fmt: skip
    return app


@contextlib.contextmanager
def serve(folder: Path) -> Generator[Target]:
    """Serve a folder as an index of this machine alone, for as long as the block lasts."""
    # It asks for no password, but uv does.
    anybody = dict(zip(_LOGIN, ("anybody", "anything", None), strict=True))
    with listening(application(folder)) as address:
        yield Target(LOCAL, address, f"{address}simple/", anybody)


@contextlib.contextmanager
def listening(app: WSGIApplication) -> Generator[str]:
    """Serve an application to this machine alone, and give its address.

    It lives inside this process, on a port that is free, and ends with it in any case.
    """
    server = make_server("127.0.0.1", 0, app, server_class=_Server, handler_class=_Quiet)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass
