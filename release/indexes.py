"""Package indexes: by which name one is meant, what it holds, and how a file gets there."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import logging
import os
import re
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urljoin, urlsplit, urlunsplit
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from packaging.version import InvalidVersion, Version

from pipeline.openapi.problems import Finding, PipelineError
from release.config import Repository

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

    from pypi_simple import DistributionPackage, PyPISimple
    from twine.settings import Settings

LOCAL: Final = "local"

_SECONDS: Final = 30.0  # for one response of an index
_ENOUGH: Final = 180.0  # seconds for an index to show what it has taken


@dataclass(frozen=True)
class Target:
    """An index to publish to.

    Attributes:
        repository: its name and its addresses.
        section: its name in the configuration of twine, or nothing where it has none there.
        open: it wants neither a user name nor a password.
        auth: the user name and the password to read it with, where it is to have them.
    """

    repository: Repository
    section: str = ""
    open: bool = False
    auth: tuple[str, str] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """Return the name for messages; no password is in it."""
        return without_secrets(self.repository.name)

    @property
    def index(self) -> str:
        """Return the address to read it at, with user name and password where it needs them."""
        if self.auth is None:
            return self.repository.index
        parts = urlsplit(self.repository.index)
        user, password = (quote(each, safe="") for each in self.auth)
        return urlunsplit(parts._replace(netloc=f"{user}:{password}@{parts.netloc}"))


def find_target(name: str, index: str | None, known: Mapping[str, Repository]) -> Target:
    """Find an index: by a name of the project's or of twine's, or by an address to upload to.

    Args:
        name: of the index; `local` is served by `serve` instead.
        index: the address to read it at, where that is not known otherwise.
        known: the indexes of the project's own.

    Raises:
        PipelineError: nothing has that name, or where to read it is not known.
    """
    from pypi_simple import PYPI_SIMPLE_ENDPOINT
    from twine import exceptions, utils

    if name in known:
        own = known[name]
        return Target(Repository(name, own.upload, index or own.index), _section(name, own.upload))
    if "://" in name:
        if urlsplit(name).scheme not in ("http", "https"):
            raise PipelineError(Finding(f"--repository {name}: is not an http or https address"))
        return Target(Repository(name, name, _needed(index, name)))
    try:
        config = utils.get_repository_from_config(utils.DEFAULT_CONFIG_FILE, name)
    except exceptions.InvalidConfiguration as error:
        if "Missing" not in str(error):
            reason = _first(error).rstrip(".")
            raise PipelineError(Finding(f"{utils.DEFAULT_CONFIG_FILE}: {reason}")) from None
        names = ", ".join(dict.fromkeys([LOCAL, *known, *_sections()]))
        raise PipelineError(
            Finding(
                f"--repository {name}: no index has this name; known are {names}; others "
                "come into [tool.release.repositories.NAME] of pyproject.toml, or into ~/.pypirc"
            )
        ) from None
    upload = str(config["repository"])
    reading = {
        utils.DEFAULT_REPOSITORY: PYPI_SIMPLE_ENDPOINT,
        utils.TEST_REPOSITORY: urljoin(utils.TEST_REPOSITORY, "/simple/"),
    }
    return Target(Repository(name, upload, index or _needed(reading.get(upload), name)), name)


def _needed(index: str | None, name: str) -> str:
    if not index:
        question = f"--repository {without_secrets(name)}: at which address is this index read?"
        raise PipelineError(Finding(f"{question} Give --index URL, such as https://host/simple"))
    return index


def _sections() -> Mapping[str, object]:
    from twine import utils

    try:
        return utils.get_config(utils.DEFAULT_CONFIG_FILE)
    except Exception:  # whatever is wrong in it: its text may hold a password
        return {}


def _section(name: str, upload: str) -> str:
    """Return the section of twine's configuration that belongs to an index of the project."""
    found = _sections().get(name)
    return name if isinstance(found, dict) and found.get("repository") == upload else ""


def without_secrets(address: str) -> str:
    """Return an address without a password; any other name as it is."""
    from twine.utils import sanitize_url

    return sanitize_url(address) if "://" in address else address


def login(target: Target) -> Settings:
    """Return twine's settings for an index, with the user name and the password that it finds.

    Raises:
        PipelineError: there are none, or a certificate that is named is not there.
    """
    import requests
    from twine.exceptions import NonInteractive, TwineException
    from twine.settings import Settings

    parser = argparse.ArgumentParser()
    Settings.register_argparse_arguments(parser)
    chosen = (
        ["--repository", target.section]
        if target.section
        else ["--repository-url", target.repository.upload]
    )
    if target.open:
        chosen += ["--username", "", "--password", ""]
    options = parser.parse_args([*chosen, "--non-interactive", "--disable-progress-bar"])
    if target.section:
        options.repository_url = None  # that of the environment is for another index
    try:
        settings = Settings.from_argparse(options)
        logging.getLogger("twine.repository").setLevel(logging.ERROR)  # it warns of every retry
        settings.check_repository_url()
        if not target.open:
            _ = settings.username, settings.password
        return settings
    except NonInteractive as error:
        place = f"a section [{target.name}] of ~/.pypirc, " if "://" not in target.name else ""
        raise PipelineError(
            Finding(
                f"{target.name}: no user name or password ({_first(error)}). They come from "
                f"TWINE_USERNAME and TWINE_PASSWORD, {place}or keyring, as for twine"
            )
        ) from None
    except TwineException as error:
        raise PipelineError(Finding(f"{target.name}: {_first(error)}")) from None
    except requests.RequestException as error:
        reason = f"no password, and asking for a token of this CI run failed: {_reason(error)}"
        raise PipelineError(Finding(f"{target.name}: {reason}")) from None


def readable(target: Target, settings: Settings) -> Target:
    """Return the index, read with the credentials for uploading where both are on one host."""
    upload, index = (
        urlsplit(each)[:2] for each in (target.repository.upload, target.repository.index)
    )
    if target.open or upload != index or not (settings.username and settings.password):
        return target
    return replace(target, auth=(settings.username, settings.password))


def upload(file: Path, target: Target, settings: Settings) -> None:
    """Upload a file.

    Raises:
        PipelineError: the index refused it, with its reason.
    """
    import requests
    from twine.exceptions import TwineException
    from twine.package import PackageFile

    repository = settings.create_repository()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            response = repository.upload(PackageFile.from_filename(str(file), None))
    except TwineException as error:
        raise PipelineError(Finding(f"{target.name}: {_first(error)}")) from None
    except requests.RequestException as error:
        raise PipelineError(Finding(f"{target.name}: {_reason(error)}")) from None
    finally:
        repository.close()
    if response.status_code // 100 == 2:
        return
    reason = f"{response.status_code} {response.reason}"
    if response.is_redirect:
        reason += f": it sends on to {without_secrets(response.headers.get('location', ''))}"
    elif response.status_code in (401, 403):
        reason += ": the user name, the password or the token is not accepted for this"
    elif body := " ".join(re.sub(r"<[^>]*>", " ", response.text).split()):
        reason += f": {body[:300]}"
    raise PipelineError(Finding(f"{target.name}: {reason}"))


def _first(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def holds(target: Target, name: str, version: Version) -> dict[str, str]:
    """Return the files of a version that an index has, with their SHA-256.

    Raises:
        PipelineError: the index cannot be read.
    """
    from pypi_simple import (
        NoSuchProjectError,
        PyPISimple,
        UnsupportedContentTypeError,
        UnsupportedRepoVersionError,
    )
    from requests import RequestException

    place = without_secrets(target.repository.index)
    try:
        with PyPISimple(target.repository.index, auth=target.auth) as client:
            client.s.headers["Cache-Control"] = "no-cache"
            page = client.get_project_page(name, timeout=_SECONDS)
            return {
                each.filename: _digest(client, each)
                for each in page.packages
                if _is(each.version, version)
            }
    except NoSuchProjectError:
        return {}
    except RequestException as error:
        status = error.response.status_code if error.response is not None else 0
        reason = str(status) if status else _reason(error)
        if status in (401, 403):
            reason += ": reading it needs a name and a password, or others; ~/.netrc can have them"
        text = f"{target.name}: cannot be read at {place}: {reason}"
        raise PipelineError(Finding(text)) from None
    except (UnsupportedContentTypeError, UnsupportedRepoVersionError, ValueError) as error:
        raise PipelineError(
            Finding(f"{target.name}: {place} is not an index of packages: {_first(error)}")
        ) from None


def _reason(error: Exception) -> str:
    """Return why there is no connection, without what each layer has wrapped around it."""
    text = " ".join(str(error).split())
    inner = re.findall(r"\[(?:Errno|SSL)[^]]*\] ([^'\")]+)", text)
    return inner[-1] if inner else text.rpartition("): ")[2] or type(error).__name__


def _is(text: str | None, version: Version) -> bool:
    try:
        return text is not None and Version(text) == version
    except InvalidVersion:
        return False


def _digest(client: PyPISimple, package: DistributionPackage) -> str:
    """Return the SHA-256 of a file: as the index states it, or else of what it sends."""
    if known := package.digests.get("sha256"):
        return known
    response = client.s.get(package.url, timeout=_SECONDS)
    response.raise_for_status()
    return hashlib.sha256(response.content).hexdigest()


def wait_for(
    target: Target, version: Version, files: Mapping[str, Sequence[str]], enough: float = _ENOUGH
) -> None:
    """Wait until an index shows files.

    Args:
        files: names of files, by their distributions.
        enough: seconds after which it is given up.

    Raises:
        PipelineError: it does not show all of them in that time.
    """
    end = time.monotonic() + enough
    pause = 0.5
    while True:
        missing = [
            file
            for name, wanted in files.items()
            for file in sorted(set(wanted) - set(holds(target, name, version)))
        ]
        if not missing:
            return
        if time.monotonic() + pause > end:
            names = ", ".join(missing)
            reason = f"took the files, but does not show {names} after {enough:.0f} s"
            raise PipelineError(Finding(f"{target.name}: {reason}; look again later"))
        time.sleep(pause)
        pause = min(pause * 1.5, 10.0)


@contextlib.contextmanager
def serve(folder: Path) -> Generator[Target]:
    """Serve a folder as an index of this machine alone, for as long as the block lasts."""
    import pypiserver  # type: ignore[import-untyped]

    logging.getLogger("pypiserver").setLevel(logging.CRITICAL)
    app = pypiserver.app(
        roots=[folder], authenticate=[], password_file=".", disable_fallback=True,
        backend_arg="simple-dir", hash_algo="sha256",
    )  # fmt: skip
    with listening(app) as address:
        yield Target(Repository(LOCAL, address, f"{address}simple/"), open=True)


@contextlib.contextmanager
def listening(app: WSGIApplication) -> Generator[str]:
    """Serve an application to this machine alone, and give its address.

    It lives inside this process, on a port that is free, and ends with it in any case.
    """
    server = make_server("127.0.0.1", 0, app, server_class=_Server, handler_class=_Quiet)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        with _directly("127.0.0.1"):
            yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextlib.contextmanager
def _directly(host: str) -> Generator[None]:
    """Keep a proxy that the environment names away from a host."""
    before = {name: os.environ.get(name) for name in ("NO_PROXY", "no_proxy")}
    os.environ.update(
        {name: ",".join(filter(None, (value, host))) for name, value in before.items()}
    )
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass
