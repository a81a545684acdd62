"""What programs of assistants install: the same bytes each time, and it starts the server."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from pipeline.openapi.problems import PipelineError
from release import bundling
from release.config import Release, Server, load_release
from social_publishing_sandbox import Sandbox

HERE = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def release() -> Release:
    return load_release(HERE / "pyproject.toml")


def of(release: Release, ending: str) -> bytes:
    [content] = [data for name, data in bundling.bundles(release).items() if name.endswith(ending)]
    return content


def unpacked(release: Release, folder: Path) -> dict[str, Any]:
    """Unpack the bundle, and return its manifest."""
    with zipfile.ZipFile(BytesIO(of(release, ".mcpb"))) as archive:
        assert archive.testzip() is None
        # As a program unpacks it that keeps modes.
        assert {each.external_attr >> 16 for each in archive.infolist()} == {0o644}
        archive.extractall(folder)
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return manifest


def test_the_bundle_asks_for_what_the_server_needs_and_starts_it(
    release: Release, tmp_path: Path
) -> None:
    manifest = unpacked(release, tmp_path)
    assert manifest["manifest_version"] == "0.4" and manifest["server"]["type"] == "uv"
    assert {"name", "version", "description", "author", "server"} <= manifest.keys()
    assert (tmp_path / manifest["server"]["entry_point"]).is_file()
    assert f"=={release.version}" in (tmp_path / "pyproject.toml").read_text()
    asked = manifest["user_config"]
    assert asked["social_publishing_api_token"]["sensitive"] is True
    assert all(each["title"] and each["description"] for each in asked.values())
    assert all("default" in each for each in asked.values() if not each["required"])
    config = manifest["server"]["mcp_config"]
    with Sandbox(clock="frozen") as sandbox:
        given = {
            "social_publishing_api_token": sandbox.token,
            "social_publishing_base_url": sandbox.base_url,
        }
        values = {  # as a host fills them in
            name: str(given.get(text[14:-1], asked[text[14:-1]].get("default"))).lower()
            for name, text in config["env"].items()
        }
        found = {}
        for allows in ("false", "true"):
            home = {"HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
            values["SOCIAL_PUBLISHING_ALLOW_WRITES"] = allows
            found[allows] = tools({**os.environ, **values, **home}, tmp_path / "server.py")
    assert "find_posts" in found["false"] and "apply_plan" not in found["false"]
    assert found["true"] == [*found["false"], "apply_plan"]


def tools(environment: dict[str, str], server: Path) -> list[str]:
    """Start a server as a host does, and return the names of its tools."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}}
    hello["clientInfo"] = {"name": "host", "version": "1"}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}},
    ]
    with subprocess.Popen(
        [sys.executable, str(server)], env=environment, cwd=server.parent, encoding="utf-8",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout
        print(*map(json.dumps, lines), sep="\n", file=process.stdin, flush=True)
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        assert process.wait(600) == 0
    return [tool["name"] for tool in answers[1]["result"]["tools"]]


def test_the_registry_learns_where_the_package_is_and_what_it_needs(release: Release) -> None:
    found = json.loads(of(release, "server.json"))
    assert found["$schema"].startswith("https://static.modelcontextprotocol.io/schemas/")
    assert found["name"].count("/") == 1 and len(found["description"]) <= 100
    [package] = found["packages"]
    assert (package["registryType"], package["transport"]) == ("pypi", {"type": "stdio"})
    assert package["version"] == found["version"] == str(release.version)
    secret = [each["name"] for each in package["environmentVariables"] if each["isSecret"]]
    assert secret == ["SOCIAL_PUBLISHING_API_TOKEN"]
    scripts = (HERE / "cli" / "pyproject.toml").read_text()
    assert f"\n{package['identifier']} = " in scripts, "uvx starts it by this name"


def test_each_build_has_the_same_bytes_and_a_release_without_a_server_none(
    release: Release,
) -> None:
    assert bundling.bundles(release) == bundling.bundles(release) != {}
    assert bundling.bundles(dataclasses.replace(release, server=None)) == {}


def test_what_no_registry_takes_is_refused(release: Release) -> None:
    assert isinstance(release.server, Server)
    longest = dataclasses.replace(release.server, description="x" * 100)
    assert bundling.bundles(dataclasses.replace(release, server=longest))
    for change, why in (
        ({"name": "io.github.other/thing"}, "README.md: .*mcp-name: io.github.other/thing"),
        ({"description": "x" * 101}, "description: has 101 characters"),
    ):
        server = dataclasses.replace(release.server, **change)  # type: ignore[arg-type]
        with pytest.raises(PipelineError, match=why):
            bundling.bundles(dataclasses.replace(release, server=server))
