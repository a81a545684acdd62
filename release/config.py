"""Configuration of releases and their indexes: `[tool.release]` beside `[tool.pipeline]`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from packaging.version import Version

from pipeline.config import Config, load_config, project_version
from pipeline.openapi.problems import PipelineError
from pipeline.openapi.typed import Must
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

    upload: str
    index: str


@dataclass(frozen=True)
class Setting:
    """A variable that a person sets for a server.

    Attributes:
        title: what people read.
        type: `string` or `boolean`.
        secret: whether nobody else may see it.
    """

    title: str
    description: str
    type: Literal["string", "boolean"] = "string"
    required: bool = False
    secret: bool = False


@dataclass(frozen=True)
class Server:
    """The server for assistants that a release brings along.

    Attributes:
        name: in a registry: the namespace, a slash, and the name.
        package: the distribution that has it.
        entry_point: what starts it, `module:function`; its arguments follow.
        settings: variables of its environment, by name.
    """

    name: str
    title: str
    description: str
    author: str
    license: str
    package: str
    entry_point: str
    arguments: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    settings: dict[str, Setting] = field(default_factory=dict)


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
        server: the server for assistants; None if there is none.
    """

    file: Path
    pipeline: Config
    version: Version
    packages: tuple[Package, ...]
    changelog: Path
    around: tuple[str, ...]
    repositories: Mapping[str, Repository]
    server: Server | None = None

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


@dataclass(frozen=True)
class _Package:
    path: str
    examples: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    extras: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Table:
    changelog: str
    packages: Annotated[dict[str, _Package], Must(minProperties=1)]
    around: tuple[str, ...] = ()
    repositories: dict[str, Repository] = field(default_factory=dict)
    server: Server | None = None


def load_release(file: Path) -> Release:
    """Read `[tool.release]`, `[tool.pipeline]` and the version of a TOML file.

    Raises:
        PipelineError: the file cannot be read, or a value is missing or wrong.
    """
    data = load_toml(file)
    reader = TableReader(file)
    table = reader.read(tool_table(data, "release"), "tool.release", _Table)
    version = project_version(reader, data)
    if table is not None:
        _check_beside(reader, table.packages)
        if table.server and table.server.package not in table.packages:
            known = ", ".join(table.packages)
            reason = f"{table.server.package!r} is no package; known are {known}"
            reader.report("tool.release.server.package", reason)
    try:
        pipeline = load_config(file)
    except PipelineError as error:
        raise PipelineError(*dict.fromkeys([*reader.findings, *error.findings])) from None
    if reader.findings or table is None:
        raise PipelineError(*reader.findings)
    root = file.parent
    return Release(
        file=file,
        pipeline=pipeline,
        version=Version(version),
        packages=tuple(
            Package(name, root / entry.path, entry.examples, entry.beside, entry.extras)
            for name, entry in table.packages.items()
        ),
        changelog=root / table.changelog,
        around=table.around,
        repositories=table.repositories,
        server=table.server,
    )


def _check_beside(reader: TableReader, packages: Mapping[str, _Package]) -> None:
    for name, package in packages.items():
        for other in package.beside:
            if other not in packages:
                place = f"tool.release.packages.{name}.beside"
                reader.report(place, f"{other!r} is no package; known are {', '.join(packages)}")
