"""The one configuration of a run: which documents, which client, where it goes."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from pipeline.openapi.problems import Finding, PipelineError, Position
from pipeline.tables import TableReader, load_toml, tool_table


@dataclass(frozen=True)
class Source:
    """One document and everything that is laid over it.

    Attributes:
        name: what the document is called in messages, and the base of its effective file's name.
        path: the handwritten document.
        overlays: files, or folders of files, in the order in which they are laid over it.
        confirmed: the folder of the user's own overlays.
        address: the client's argument for the base address of the document's server.
    """

    name: str
    path: Path
    overlays: tuple[Path, ...]
    confirmed: Path | None
    address: str

    def paths(self) -> list[Path]:
        """Everything that is named here: the document, files and folders."""
        return [self.path, *self.overlays, *([self.confirmed] if self.confirmed else [])]

    def overlay_files(self) -> list[Path]:
        """The overlay files in their order; the files of a folder in the order of their names."""
        return [file for path in self.overlays for file in _files(path)]

    def confirmed_files(self) -> list[Path]:
        """The user's own overlay files, in the order of their names."""
        return _files(self.confirmed) if self.confirmed else []


@dataclass(frozen=True)
class ClientConfig:
    """What the generated package is called and says of itself.

    Attributes:
        environment: what the names of its environment variables begin with.
        title: what its docstrings call the service.
        urls: addresses that an index shows, by their names. The pages of the package link to that
            of its methods where `Reference` says where it is, or `Documentation` what it is below.
        sandbox: a distribution, and its command that has `run -- COMMAND…`, with which the first
            example can be tried; empty where there is none.
    """

    distribution: str
    package: str
    class_name: str
    version: str
    summary: str
    license: str
    environment: str
    title: str
    urls: Mapping[str, str] = field(default_factory=dict)
    sandbox: str = ""

    @property
    def reference(self) -> str:
        """The address of the page that has every method; empty where it has none."""
        if "Reference" in self.urls:
            return self.urls["Reference"]
        below = self.urls.get("Documentation", "")
        return f"{below.rstrip('/')}/api.md" if below else ""


@dataclass(frozen=True)
class Config:
    """A whole run.

    Attributes:
        file: the configuration file, as it was given.
        sources: the documents, in their order.
        register: the register of gaps, or None where a project keeps none.
        output: the folder that is generated, whole.
        copies: folders that get a copy of the effective documents and the version of the release,
            and hold nothing else.
        license_file: the text of the licence that the generated package carries, if it is given.
    """

    file: Path
    sources: tuple[Source, ...]
    register: Path | None
    output: Path
    client: ClientConfig
    copies: tuple[Path, ...] = ()
    license_file: Path | None = None


_OVERLAYS = (".yaml", ".yml", ".json")
_SOURCE: dict[str, type[Any]] = {"path": str, "overlays": list, "confirmed": str, "address": str}
_CLIENT: dict[str, type[Any]] = {
    name: dict if name == "urls" else str for name in ClientConfig.__dataclass_fields__
}
_OPTIONAL = {"title", "urls", "sandbox", "version"}
_LONGEST_LABEL = 32  # characters; indexes refuse longer ones
_NAME = r"[A-Za-z_]\w*"
_DISTRIBUTION = r"[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?"
_FORMS = {
    "distribution": (_DISTRIBUTION, "name of a distribution"),
    "package": (_NAME, "Python name"),
    "class_name": (_NAME, "Python name"),
    "environment": (_NAME, "prefix of a variable"),
    "sandbox": (_DISTRIBUTION, "name of a distribution"),
}
_TABLE: dict[str, type[Any]] = {
    "documents": dict,
    "gaps": str,
    "output": str,
    "copies": list,
    "client": dict,
    "license_file": str,
}


def load_config(file: Path) -> Config:
    """Read `[tool.pipeline]` of a TOML file. Paths in it are relative to the file.

    Where the client's table has no version, it is that of the file's own `[project]`.

    Raises:
        PipelineError: the file cannot be read, or a member is missing, unknown or of another type;
            all of them are named.
    """
    data = load_toml(file)
    reader = TableReader(file)
    given, optional = tool_table(data, "pipeline"), {"gaps", "copies", "license_file"}
    table = reader.table(given, "tool.pipeline", _TABLE, optional)
    client = reader.table(table.get("client"), "tool.pipeline.client", _CLIENT, _OPTIONAL)
    if isinstance(table.get("client"), dict):
        client["version"] = _version(reader, table["client"], data.get("project"))
    documents = table.get("documents")
    sources = []
    for name, entry in (documents if isinstance(documents, dict) else {}).items():
        place = f"tool.pipeline.documents.{name}"
        entry = reader.table(entry, place, _SOURCE, {"overlays", "confirmed", "address"})
        overlays = reader.texts(entry, place, "overlays")
        sources.append(
            Source(
                name=name,
                path=file.parent / entry.get("path", ""),
                overlays=tuple(file.parent / path for path in overlays),
                confirmed=file.parent / entry["confirmed"] if "confirmed" in entry else None,
                address=entry.get("address", "base_url"),
            )
        )
    if isinstance(documents, dict) and not documents:
        reader.say("tool.pipeline.documents", "must name at least one document")
    addresses = [source.address for source in sources]
    if len(set(addresses)) != len(addresses):
        reader.say("tool.pipeline.documents", "every document needs an `address` of its own")
    for name, (form, what) in _FORMS.items():
        if isinstance(client.get(name), str) and not _fits(form, client[name]):
            reader.say(f"tool.pipeline.client.{name}", f"{client[name]!r} is no {what}")
    _check_urls(reader, client.get("urls", {}))
    for source in sources:
        place = f"tool.pipeline.documents.{source.name}"
        if not _fits(r"[\w-]+", source.name):
            reader.say(place, "a name is made of letters, digits, `_` and `-`")
        if not _fits(_NAME, source.address):
            reader.say(f"{place}.address", f"{source.address!r} is no Python name")
    register = file.parent / table["gaps"] if "gaps" in table else None
    license_file = file.parent / table["license_file"] if "license_file" in table else None
    inputs = [file, *(path for path in (register, license_file) if path)]
    inputs += [path for source in sources for path in source.paths()]
    written = [("output", table["output"])] if "output" in table else []
    written += [("copies", path) for path in reader.texts(table, "tool.pipeline", "copies")]
    _check_folders(reader, written, inputs)
    if reader.findings:
        raise PipelineError(*dict.fromkeys(reader.findings))
    client.setdefault("title", client["class_name"])
    return Config(
        file=file,
        sources=tuple(sources),
        register=register,
        output=file.parent / table["output"],
        client=ClientConfig(**client),
        copies=tuple(file.parent / path for path in table.get("copies", [])),
        license_file=license_file,
    )


def _version(reader: TableReader, client: dict[str, Any], project: Any) -> str:
    """The client's own version, or that of the project; as every index writes it."""
    given, place = client.get("version"), "tool.pipeline.client.version"
    if given is None:
        given, place = (
            project.get("version") if isinstance(project, dict) else None,
            "project.version",
        )
    if given is None:
        reader.say(place, "is missing")
    elif not isinstance(given, str):
        reader.say(place, f"must be a text, got {given!r}")
    else:
        try:
            if (written := str(Version(given))) != given:
                reader.say(place, f"{given!r} is written {written!r}")
        except InvalidVersion:
            reader.say(place, f"{given!r} is no version")
        return given
    return ""


def _fits(form: str, text: str) -> bool:
    return re.fullmatch(form, text, re.ASCII) is not None and not keyword.iskeyword(text)


def _check_urls(reader: TableReader, urls: Mapping[str, Any]) -> None:
    for name, address in urls.items():
        place = f"tool.pipeline.client.urls.{name}"
        if not name.strip() or len(name) > _LONGEST_LABEL:
            reader.say(place, f"a name has 1 to {_LONGEST_LABEL} characters")
        if not isinstance(address, str) or not re.fullmatch(r"https?://[^\s/<>\"()]+\S*", address):
            reader.say(place, f"{address!r} is no address: it begins with https:// or http://")


def _check_folders(
    reader: TableReader, written: Sequence[tuple[str, str]], inputs: Sequence[Path]
) -> None:
    """Every folder that is written, given with its member, must be one that can be lost."""
    root = reader.file.parent
    for number, (member, name) in enumerate(written):
        folder = root / name
        others = [root / other for _, other in written[:number]]
        if any(_is_in(path, folder) for path in inputs):
            reason = "must be a folder of its own, without any source in it"
        elif any(_is_in(folder, other) or _is_in(other, folder) for other in others):
            reason = "must lie apart from every other folder that is written"
        else:
            continue
        reader.say(f"tool.pipeline.{member}", f"{name!r} {reason}")


def _is_in(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def _files(path: Path) -> list[Path]:
    """The overlay files of a folder; what is neither one nor a note about them is refused."""
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if not file.name.startswith("."))
    files = [file for file in found if file.is_file() and file.suffix in _OVERLAYS]
    strange = [file for file in found if file not in files and file.suffix not in (".md", ".txt")]
    reason = f"no overlay: overlays end in {', '.join(_OVERLAYS)}, and folders are not looked into"
    if strange:
        places = [Position(str(each), 1, 1) for each in strange]
        raise PipelineError(*(Finding(reason, place, "config") for place in places))
    return files
