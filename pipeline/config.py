"""Configuration of a run: the documents, the client, the output folders."""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from packaging.version import InvalidVersion, Version

from pipeline.openapi.documents import real_path
from pipeline.openapi.problems import Finding, PipelineError, Position
from pipeline.openapi.typed import Must
from pipeline.tables import TableReader, load_toml, tool_table


@dataclass(frozen=True)
class Operations:
    """Select operations of a document: those that any of these names; `*` stands for any text."""

    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()


def _form(pattern: str, description: str) -> Must:
    return Must(
        description, pattern=f"^({pattern})$", maxLength=100, **{"not": {"enum": keyword.kwlist}}
    )


_NAME: Final = "[A-Za-z_][A-Za-z0-9_]*"
_Name = Annotated[str, _form(_NAME, "a Python name of at most 100 characters")]
_Distribution = Annotated[
    str,
    _form(
        "[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?",
        "the name of a distribution, of at most 100 characters",
    ),
]
_Line = Annotated[
    str,
    Must(
        "a line of at most 300 characters, none of them a control character",
        pattern=r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$",
        maxLength=300,
    ),
]
_Path = Annotated[Path, Must("a path", pattern=r"^[^\u0000]+$")]
_Label = Annotated[str, Must("a name of 1 to 32 characters", pattern=r"\S", maxLength=32)]
OnUncarried = Literal["skip", "refuse"]
_Address = Annotated[
    str,
    Must(
        "an address that begins with https:// or http://; in braces, it has {version} alone",
        pattern=r"^https?://[^\s/<>\"(){}]+([^\s{}]|\{version\})*$",
    ),
]


@dataclass(frozen=True)
class ClientConfig:
    """Name and describe the generated package.

    Attributes:
        environment: what the names of its environment variables begin with.
        title: what its docstrings call the service; its class where it is left out.
        urls: addresses that an index shows, by their names; `{version}` in one is that of the
            release. The pages of the package link to that of its methods where `Reference` says
            where it is, or `Documentation` what it is below.
        sandbox: a distribution, and its command that has `run -- COMMAND…`, with which the first
            example can be tried; empty where there is none.
        errors: a page, or its address, that explains each error below its name, if there is one.
            A page is below the address of the `Documentation` where `urls` has one; in an address,
            `{version}` is that of the release.
    """

    distribution: _Distribution
    package: _Name
    class_name: _Name
    summary: _Line
    license: _Line
    environment: Annotated[str, _form(_NAME, "the prefix of a variable, of at most 100 characters")]
    version: str = ""
    title: _Line = ""
    urls: dict[_Label, _Address] = field(default_factory=dict)
    sandbox: _Distribution = ""
    errors: _Line = ""

    @property
    def explains(self) -> str:
        """Where errors are explained, up to the name of one; empty where nothing explains them.

        An address ends with `#`, behind which the name is in lower case. Without any address it is
        a command that every installation of the package can run.
        """
        if not self.errors or "://" in self.errors:
            return f"{self.errors}#" if self.errors else ""
        below = self.urls.get("Documentation", "").rstrip("/")
        page = f"{below}/{Path(self.errors).stem}.html#"
        return page if below else f"python -m pydoc {self.package}.errors."

    @property
    def reference(self) -> str:
        """The address of the page that has every method; empty where it has none."""
        if "Reference" in self.urls:
            return self.urls["Reference"]
        below = self.urls.get("Documentation", "")
        return f"{below.rstrip('/')}/api.md" if below else ""


_DocumentName = Annotated[
    str, Must("a name of letters, digits, `_` and `-`", pattern="^[A-Za-z0-9_-]+$")
]


@dataclass(frozen=True)
class _Document:
    path: _Path
    overlays: tuple[_Path, ...] = ()
    confirmed: _Path | None = None
    names: _Path | None = None
    address: _Name = "base_url"
    include: Operations = Operations()
    exclude: Operations = Operations()
    allow_files: tuple[_Path, ...] = ()


@dataclass(frozen=True)
class Source(_Document):
    """One document and everything that is laid over it.

    Attributes:
        overlays: files, or folders of files, in the order in which they are laid over it.
        confirmed: the folder of the user's own overlays.
        names: the file of names that had to be decided; None where none are kept.
        address: the client's argument for the base address of the document's server.
        include: the operations that the client has; all where it names none.
        allow_files: folders beside its own from which the document may have files.
        name: what the document is called in messages, and the base of its effective file's name.
    """

    name: str = field(kw_only=True)

    def paths(self) -> list[Path]:
        """Return everything that is named here: the document, files and folders."""
        others = (self.confirmed, self.names)
        return [self.path, *self.overlays, *(path for path in others if path)]

    def overlay_files(self) -> list[Path]:
        """Return the overlay files in order; those of a folder in the order of their names."""
        return [file for path in self.overlays for file in _files(path)]

    def confirmed_files(self) -> list[Path]:
        """Return the user's own overlay files, in the order of their names."""
        return _files(self.confirmed) if self.confirmed else []


@dataclass(frozen=True)
class _Table:
    documents: Annotated[dict[_DocumentName, _Document], Must(minProperties=1)]
    output: _Path
    client: ClientConfig
    gaps: _Path | None = None
    assume: _Path | None = None
    prose: tuple[_Path, ...] = ()
    code: tuple[_Path, ...] = ()
    copies: tuple[_Path, ...] = ()
    commands: _Path | None = None
    pages: tuple[_Path, ...] = ()
    license_file: _Path | None = None
    on_uncarried: OnUncarried = "skip"
    decimals: tuple[str, ...] = ()


@dataclass(frozen=True)
class Config(_Table):
    """A whole run.

    Attributes:
        gaps: the register of gaps, or None where a project keeps none.
        assume: the schema of the words of `x-assume`, or None where there are none.
        prose: Markdown files, or folders of them, that may speak of what is assumed.
        code: folders of Python files written by hand, which may name what a document has no more.
        copies: folders that get a copy of the effective documents, the classes of their objects
            and the version of the release, and hold nothing else.
        commands: the folder that gets the catalogue of commands, and holds nothing else, if there
            is a command line.
        pages: pages of the documentation that the command line shows; they go into its catalogue.
        license_file: the text of the licence that the generated package carries, if it is given.
        on_uncarried: `skip` leaves out what no client can carry; `refuse` ends the run.
        decimals: the formats whose numbers and texts are exact decimal numbers.
        file: the configuration file, as it was given.
    """

    file: Path = field(kw_only=True)
    sources: tuple[Source, ...] = field(kw_only=True)


_OVERLAYS: Final = (".yaml", ".yml", ".json")


def load_config(file: Path) -> Config:
    """Read `[tool.pipeline]` of a TOML file. Paths in it are relative to the file.

    Where the client's table has no version, it is that of the file's own `[project]`.

    Raises:
        PipelineError: the file cannot be read, or a member is missing, unknown or of another type;
            all of them are named.
    """
    data = load_toml(file)
    reader = TableReader(file)
    table = reader.read(tool_table(data, "pipeline"), "tool.pipeline", _Table)
    if table is None:
        raise PipelineError(*dict.fromkeys(reader.findings))
    sources = tuple(
        replace(
            Source(**vars(entry), name=name),
            path=Path(os.path.normpath(entry.path)),
            names=entry.names or file.parent / f"names/{name}.yaml",
        )
        for name, entry in table.documents.items()
    )
    if len({source.address for source in sources}) != len(sources):
        reader.report("tool.pipeline.documents", "every document needs its own `address`")
    own = table.client.version
    version = checked_version(reader, own) if own else project_version(reader, data)
    inputs = [file, *(path for path in (table.gaps, table.assume, table.license_file) if path)]
    inputs += [path for source in sources for path in source.paths()]
    written = [("output", table.output), *(("copies", path) for path in table.copies)]
    written += [("commands", table.commands)] if table.commands else []
    _check_folders(reader, written, inputs)
    _check_strays(reader, sources)
    if reader.findings:
        raise PipelineError(*dict.fromkeys(reader.findings))
    title = table.client.title or table.client.class_name
    urls = {name: url.replace("{version}", version) for name, url in table.client.urls.items()}
    errors = table.client.errors.replace("{version}", version)
    client = replace(table.client, version=version, title=title, urls=urls, errors=errors)
    return Config(**{**vars(table), "client": client}, file=file, sources=sources)


def project_version(reader: TableReader, data: dict[str, Any]) -> str:
    """Return the version of `[project]`; report one that no index writes so."""
    project = data.get("project")
    given = project.get("version", "") if isinstance(project, dict) else ""
    return checked_version(reader, given, "project.version")


def checked_version(
    reader: TableReader, given: str, place: str = "tool.pipeline.client.version"
) -> str:
    """Return a version; report one that no index writes so."""
    try:
        if (written := str(Version(given))) != given:
            reader.report(place, f"{given!r} is written {written!r}")
    except (InvalidVersion, TypeError):
        reader.report(place, f"{given!r} is not a version" if given else "is missing")
    return given


def _check_folders(
    reader: TableReader, written: Sequence[tuple[str, Path]], inputs: Sequence[Path]
) -> None:
    """Every folder that is written, given with its member, must be one that can be lost."""
    for number, (member, folder) in enumerate(written):
        if any(_is_in(path, folder) for path in inputs):
            reason = "must be a separate folder without source files"
        elif any(_is_in(folder, other) or _is_in(other, folder) for _, other in written[:number]):
            reason = "must not overlap another output folder"
        else:
            continue
        name = os.path.relpath(folder, reader.file.parent)
        reader.report(f"tool.pipeline.{member}", f"{name!r} {reason}")


def _check_strays(reader: TableReader, sources: Sequence[Source]) -> None:
    """Report overlays beside those that are read, which would change nothing."""
    named = {path for each in sources for path in (*each.overlays, each.confirmed) if path}
    around = {path.parent for path in named}
    around |= {folder.parent for folder in around if folder.name == "confirmed"}
    project = real_path(reader.file.parent)  # where any file may lie
    found = {
        file
        for folder in around
        if real_path(folder) != project
        for file in folder.rglob("*")
        if file.suffix in _OVERLAYS and file.is_file()
    }
    read = {real_path(path) for path in named}
    for file in sorted(found):
        if {real_path(file), real_path(file.parent)} & read:
            continue
        if _is_overlay(file):
            confirmed = [str(each.confirmed) for each in sources if each.confirmed]
            folders = f"move it to {' or '.join(confirmed)}, or " if confirmed else ""
            text = f"no document reads this overlay: {folders}name it in `overlays` of a document"
            reader.findings.append(Finding(text, Position(str(file), 1, 1), "config"))


def _is_overlay(file: Path) -> bool:
    with file.open("rb") as content:
        return bool(re.search(rb"""^[{\s]*["']?overlay["']?\s*:""", content.read(4096), re.M))


def _is_in(path: Path, folder: Path) -> bool:
    return real_path(path).is_relative_to(real_path(folder))


def _files(path: Path) -> list[Path]:
    """The overlay files of a folder; what is neither one nor a note about them is refused."""
    if not path.is_dir():
        return [path]
    listed = sorted(file for file in path.iterdir() if not file.name.startswith("."))
    files = [file for file in listed if file.is_file() and file.suffix in _OVERLAYS]
    strange = [
        file
        for file in listed
        if file not in files and file.suffix != ".md"
        if file.suffix != ".txt" or (file.is_file() and _is_overlay(file))
    ]
    reason = f"overlays end in {', '.join(_OVERLAYS)}, and subfolders are not searched"
    if strange:
        said = {each: "it is no file" if each.suffix in _OVERLAYS else reason for each in strange}
        raise PipelineError(
            *(
                Finding(f"not an overlay: {why}", Position(str(each), 1, 1), "config")
                for each, why in said.items()
            )
        )
    return files
