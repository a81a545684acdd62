"""What is released, and to where: `[tool.release]` beside `[tool.pipeline]`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from packaging.version import InvalidVersion, Version

from pipeline.config import Config, load_config
from pipeline.openapi.problems import PipelineError
from pipeline.tables import TableReader, load_toml, tool_table


@dataclass(frozen=True)
class Package:
    """One distribution of the release.

    Attributes:
        name: of the distribution, as users install it.
        path: the folder with its `pyproject.toml`.
        examples: Markdown pages in that folder whose code is run where the package is installed.
        beside: distributions of the same release that those examples need beside it.
        extras: for each extra a line of Python that needs it, and without it fails with its name.
    """

    name: str
    path: Path
    examples: tuple[str, ...]
    beside: tuple[str, ...]
    extras: Mapping[str, str]


@dataclass(frozen=True)
class Repository:
    """An index by its two addresses: where files are uploaded, and where they are read."""

    name: str
    upload: str
    index: str


@dataclass(frozen=True)
class Release:
    """A whole release.

    Attributes:
        file: the configuration file, as it was given.
        pipeline: the configuration of what is generated.
        version: of every package, from `[project]`, the one place where it stands.
        packages: in the order in which they are published.
        changelog: the file that gets the entry of a release.
        around: the command, before `--`, that runs another one with a service to talk to.
        repositories: indexes of the project's own, by their names.
        upstream: files of the project, by their paths below its root, with the address or path
            where somebody else keeps the original.
    """

    file: Path
    pipeline: Config
    version: Version
    packages: tuple[Package, ...]
    changelog: Path
    around: tuple[str, ...]
    repositories: Mapping[str, Repository]
    upstream: Mapping[str, str]

    @property
    def root(self) -> Path:
        """Return the folder of the project."""
        return self.file.resolve().parent

    @property
    def dist(self) -> Path:
        """Return the folder that `build` fills, and that `install-check` and `publish` read."""
        return self.root / "dist"

    @property
    def state(self) -> Path:
        """Return the folder for what is used on this machine only: local index, environments."""
        return self.root / ".release"


_TABLE: Final[dict[str, type[Any]]] = {
    "changelog": str,
    "around": list,
    "packages": dict,
    "repositories": dict,
    "upstream": dict,
}
_PACKAGE: Final[dict[str, type[Any]]] = {
    "path": str,
    "examples": list,
    "beside": list,
    "extras": dict,
}
_REPOSITORY: Final[dict[str, type[Any]]] = {"upload": str, "index": str}


def load_release(file: Path) -> Release:
    """Read `[tool.release]`, `[tool.pipeline]` and the version of a TOML file.

    Raises:
        PipelineError: the file cannot be read, or a member is missing, unknown or of another type;
            all of them are named.
    """
    data = load_toml(file)
    reader = TableReader(file)
    optional = {"around", "repositories", "upstream"}
    table = reader.table(tool_table(data, "release"), "tool.release", _TABLE, optional)
    project = reader.table(data.get("project"), "project", {"version": str}, set(), others=True)
    packages = tuple(
        _package(reader, file.parent, name, entry)
        for name, entry in table.get("packages", {}).items()
    )
    if "packages" in table and not packages:
        reader.say("tool.release.packages", "must name at least one package")
    _check_beside(reader, packages)
    repositories = {}
    for name, entry in table.get("repositories", {}).items():
        place = f"tool.release.repositories.{name}"
        known = reader.table(entry, place, _REPOSITORY, set())
        repositories[name] = Repository(name, known.get("upload", ""), known.get("index", ""))
    upstream = table.get("upstream", {})
    for name, address in upstream.items():
        if not isinstance(address, str):
            reader.say(f'tool.release.upstream."{name}"', f"must be a text, got {address!r}")
    around = reader.texts(table, "tool.release", "around", "texts")
    version = Version("0")
    try:
        version = Version(project.get("version", "0"))
    except InvalidVersion:
        reader.say("project.version", f"{project['version']!r} is no version")
    try:
        pipeline = load_config(file)
    except PipelineError as error:
        raise PipelineError(*dict.fromkeys([*reader.findings, *error.findings])) from None
    if reader.findings:
        raise PipelineError(*reader.findings)
    return Release(
        file=file,
        pipeline=pipeline,
        version=version,
        packages=packages,
        changelog=file.parent / table["changelog"],
        around=tuple(around),
        repositories=repositories,
        upstream=upstream,
    )


def _package(reader: TableReader, root: Path, name: str, entry: Any) -> Package:
    place = f"tool.release.packages.{name}"
    known = reader.table(entry, place, _PACKAGE, {"examples", "beside", "extras"})
    extras = known.get("extras", {})
    for extra, line in extras.items():
        if not isinstance(line, str):
            reader.say(f"{place}.extras.{extra}", f"must be a text, got {line!r}")
    return Package(
        name=name,
        path=root / known.get("path", ""),
        examples=tuple(reader.texts(known, place, "examples")),
        beside=tuple(reader.texts(known, place, "beside", "names")),
        extras=extras,
    )


def _check_beside(reader: TableReader, packages: tuple[Package, ...]) -> None:
    names = [package.name for package in packages]
    for package in packages:
        for other in package.beside:
            if other not in names:
                place = f"tool.release.packages.{package.name}.beside"
                reader.say(place, f"{other!r} is no package; known are {', '.join(names)}")
