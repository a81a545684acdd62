"""What programs of assistants install: a one-click bundle (`.mcpb`), and the `server.json` of it.

Both name the published packages at the version of the release; neither holds code of them.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

from pipeline.openapi.documents import read_text
from pipeline.openapi.problems import Finding, PipelineError
from release.config import Release, Server

FOLDER: Final = "bundle"
"""The folder of these files. It lies beside `dist/`, all of which goes to an index."""

_SCHEMA: Final = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
_LONGEST: Final = 100  # characters of a description in a registry
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)

_START: Final = '''\
"""Starts the server of the packages that uv has installed from pyproject.toml."""

import sys

from {module} import {function}

sys.argv[1:] = {arguments!r}
sys.exit({function}())
'''


def bundles(release: Release) -> dict[str, bytes]:
    """Return the files of a release for programs of assistants, by name; none without a server.

    Raises:
        PipelineError: the description of the package does not prove whose server it is.
    """
    server = release.server
    if server is None:
        return {}
    package = next(each for each in release.packages if each.name == server.package)
    proof = f"mcp-name: {server.name}"
    readme = package.path / "README.md"
    if proof not in read_text(readme):
        reason = f"a registry takes {server.name} only if this file has the text '{proof}'"
        raise PipelineError(Finding(f"{readme}: {reason}"))
    if len(server.description) > _LONGEST:
        reason = f"has {len(server.description)} characters; a registry takes {_LONGEST}"
        raise PipelineError(Finding(f"{release.file}: tool.release.server.description: {reason}"))
    short, version = server.name.rpartition("/")[2], str(release.version)
    return {
        f"{short}-{version}.mcpb": _zipped(
            {
                "manifest.json": _json(_manifest(server, short, version)),
                "pyproject.toml": _project(server, short, version),
                "server.py": _start(server),
            }
        ),
        "server.json": _json(_registered(server, version)),
    }


def _manifest(server: Server, short: str, version: str) -> dict[str, Any]:
    settings = {name.lower(): each for name, each in server.settings.items()}
    return {
        "manifest_version": "0.4",
        "name": short,
        "display_name": server.title,
        "version": version,
        "description": server.description,
        "author": {"name": server.author},
        "server": {
            "type": "uv",
            "entry_point": "server.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "server.py"],
                "env": {name: f"${{user_config.{name.lower()}}}" for name in server.settings},
            },
        },
        "tools_generated": True,
        "user_config": {
            name: {
                "type": each.type,
                "title": each.title,
                "description": each.description,
                "required": each.required,
                **({"sensitive": True} if each.secret else {}),
                **({} if each.required else {"default": False if each.type == "boolean" else ""}),
            }
            for name, each in settings.items()
        },
        "license": server.license,
    }


def _requirement(server: Server, version: str) -> str:
    extras = f"[{','.join(server.extras)}]" if server.extras else ""
    return f"{server.package}{extras}=={version}"


def _project(server: Server, short: str, version: str) -> bytes:
    text = (
        f'[project]\nname = "{short}-bundle"\nversion = "{version}"\nrequires-python = ">=3.11"\n'
        f'dependencies = ["{_requirement(server, version)}"]\n'
    )
    return text.encode()


def _start(server: Server) -> bytes:
    module, _, function = server.entry_point.partition(":")
    text = _START.format(module=module, function=function, arguments=[*server.arguments])
    return text.encode()


def _registered(server: Server, version: str) -> dict[str, Any]:
    return {
        "$schema": _SCHEMA,
        "name": server.name,
        "title": server.title,
        "description": server.description,
        "version": version,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": server.package,
                "version": version,
                "runtimeHint": "uvx",
                "runtimeArguments": [
                    {"type": "named", "name": "--from", "value": _requirement(server, version)}
                ],
                "packageArguments": [
                    {"type": "positional", "value": each} for each in server.arguments
                ],
                "transport": {"type": "stdio"},
                "environmentVariables": [
                    {
                        "name": name,
                        "description": each.description,
                        "format": each.type,
                        "isRequired": each.required,
                        "isSecret": each.secret,
                    }
                    for name, each in server.settings.items()
                ],
            }
        ],
    }


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def _zipped(files: dict[str, bytes]) -> bytes:
    """Return an archive, of the same bytes on every machine."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system, info.external_attr = 3, 0o644 << 16
            archive.writestr(info, content)
    return made.getvalue()


def write(release: Release, files: Mapping[str, bytes]) -> list[str]:
    """Write files into their folder in place of earlier ones, and return a line for each."""
    folder, lines = release.root / FOLDER, []
    for old in folder.glob("*.mcpb"):
        old.unlink()
    for name, content in files.items():
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
        lines.append(f"{FOLDER}/{name}  {hashlib.sha256(content).hexdigest()}")
    return lines
