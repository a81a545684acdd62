"""Loads the documents for other tools into other tools, and calls the service with what two made.

    python tests/contract/foreign.py [FOLDER]

It installs the tools into FOLDER (a temporary one where it is left out), in the versions below, by
pip and npm. For each tool and document it prints whether the tool took all operations, and exits
with 1 where one did not.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "sandbox/src"))

PLAIN = ROOT / "generated/openapi/plain"
DOCUMENTS = ("main", "media")
PYTHON_TOOLS = ("fastmcp==4.1.2", "openapi-python-client==0.29.1", "ruff", "schemathesis==4.32.5")
NODE_TOOLS = (
    "@hey-api/openapi-ts@0.95.0",
    "@stoplight/prism-cli@5.14.2",
    "openapi-typescript@7.13.0",
    "tsx@4.23.15",
    "typescript@5.9.3",
)
METHODS = {"get", "put", "post", "patch", "delete"}
GROUP = "9032915132417572866"

_FASTMCP = """
import asyncio, json, sys, httpx
from fastmcp import FastMCP
document = json.load(open(sys.argv[1]))
made = FastMCP.from_openapi(document, client=httpx.AsyncClient(base_url="http://127.0.0.1:9"))
print(len(asyncio.run(made.list_tools())))
"""
_SCHEMATHESIS = """
import json, sys, schemathesis
schema = schemathesis.openapi.from_dict(json.load(open(sys.argv[1])))
print(sum(1 for each in schema.get_all_operations() if hasattr(each, "ok") and each.ok()))
"""
_STOCK = """
import os, sys
sys.path.insert(0, sys.argv[1])
from social_publishing_main_api_client import AuthenticatedClient
from social_publishing_main_api_client.api.groups import get_group
client = AuthenticatedClient(os.environ["BASE"], token=os.environ["TOKEN"])
print(get_group.sync(sys.argv[2], client=client).name)
"""
_TYPESCRIPT = """
import { client } from './hey-main/client.gen';
import { getGroup } from './hey-main/sdk.gen';
client.setConfig({ baseUrl: process.env.BASE, auth: () => process.env.TOKEN });
const { data } = await getGroup({ path: { group: '%s' } });
console.log((data as any).name);
"""


class Tools:
    """The tools, installed in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "python/bin"
        if not self.bin.exists():
            venv.create(folder / "python", with_pip=True)
            self.run(str(self.bin / "pip"), "install", "-q", *PYTHON_TOOLS)
        if not (folder / "node_modules").exists():
            (folder / "package.json").write_text('{"private": true, "type": "module"}')
            self.run("npm", "install", "--silent", "--no-audit", "--no-fund", *NODE_TOOLS)

    def run(self, *command: str, **variables: str) -> str:
        """Run a program in the folder, and return what it wrote; a failure is an exception."""
        path = os.pathsep.join([str(self.bin), os.environ["PATH"]])
        ended = subprocess.run(
            command, cwd=self.folder, env={**os.environ, "PATH": path, **variables},
            capture_output=True, text=True, timeout=600,
        )  # fmt: skip
        if ended.returncode:
            raise RuntimeError((ended.stdout + ended.stderr)[-2000:])
        return ended.stdout

    def node(self, name: str, *arguments: str, **variables: str) -> str:
        """Run a tool of node."""
        return self.run(str(self.folder / "node_modules/.bin" / name), *arguments, **variables)

    def python(self, program: str, *arguments: str, **variables: str) -> str:
        """Run a program in Python beside the tools of Python."""
        return self.run(
            str(self.bin / "python"), "-W", "ignore", "-c", program, *arguments, **variables
        )


def operations(document: Path) -> int:
    """Count the operations of a document."""
    paths = json.loads(document.read_text(encoding="utf-8"))["paths"].values()
    return sum(len(METHODS & item.keys()) for item in paths)


def openapi_typescript(tools: Tools, document: Path) -> int:
    made = tools.folder / f"{document.stem}.ts"
    tools.node("openapi-typescript", str(document), "-o", str(made))
    tools.node("tsc", "--noEmit", "--strict", "--skipLibCheck", str(made))
    text = made.read_text(encoding="utf-8")
    return sum(f"    {each}: {{" in text for each in _ids(document))


def hey_api(tools: Tools, document: Path) -> int:
    made = tools.folder / f"hey-{document.stem}"
    client = ("-c", "@hey-api/client-fetch")
    tools.node("openapi-ts", "-i", str(document), "-o", str(made), *client)
    text = (made / "sdk.gen.ts").read_text(encoding="utf-8")
    return sum(f"export const {each} = " in text for each in _ids(document))


def stock(tools: Tools, document: Path) -> int:
    made = tools.folder / f"stock-{document.stem}"
    shutil.rmtree(made, ignore_errors=True)
    tools.run(
        str(tools.bin / "openapi-python-client"), "generate", "--path", str(document),
        "--output-path", str(made), "--fail-on-warning",
    )  # fmt: skip
    [package] = [each for each in made.iterdir() if (each / "api").is_dir()]
    files = [each for each in (package / "api").rglob("*.py") if each.name != "__init__.py"]
    return len(files)


def fastmcp(tools: Tools, document: Path) -> int:
    return int(tools.python(_FASTMCP, str(document)).split()[-1])


def schemathesis(tools: Tools, document: Path) -> int:
    return int(tools.python(_SCHEMATHESIS, str(document)).split()[-1])


def prism(tools: Tools, document: Path) -> int:
    """Serve a mock of the document, and ask it for one operation."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = str(tools.folder / "node_modules/.bin/prism")
    process = subprocess.Popen(
        [program, "mock", str(document), "-h", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        route = f"/groups/{GROUP}" if document.stem.startswith("main") else f"/status/{GROUP}"
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}{route}",
            headers={"Authorization": "Bearer x", "Accept": "application/json"},
        )
        end = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(request, timeout=10) as response:
                    json.load(response)
                    return operations(document)
            except OSError:
                if time.monotonic() > end or process.poll() is not None:
                    raise
                time.sleep(0.2)
    finally:
        process.kill()
        process.wait()


def _ids(document: Path) -> list[str]:
    paths = json.loads(document.read_text(encoding="utf-8"))["paths"].values()
    return [item[method]["operationId"] for item in paths for method in METHODS & item.keys()]


TOOLS: Mapping[str, Callable[[Tools, Path], int]] = {
    "openapi-typescript": openapi_typescript,
    "hey-api": hey_api,
    "openapi-python-client": stock,
    "fastmcp": fastmcp,
    "schemathesis": schemathesis,
    "prism": prism,
}


def calls(tools: Tools) -> dict[str, str]:
    """Read a group from the sandbox with the clients that two tools made, and return its name."""
    from social_publishing_sandbox import Sandbox

    found = {}
    with Sandbox() as sandbox:
        variables = {"BASE": sandbox.base_url, "TOKEN": sandbox.token}
        folder = str(tools.folder / "stock-main")
        found["openapi-python-client"] = tools.python(_STOCK, folder, GROUP, **variables).strip()
        program = tools.folder / "call.ts"
        program.write_text(_TYPESCRIPT % GROUP)
        found["hey-api"] = tools.node("tsx", str(program), **variables).strip()
    return found


def main() -> int:
    """Try every tool with every document."""
    if shutil.which("npm") is None:
        print("skipped: npm is not installed here")
        return 0
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        tools = Tools(Path(sys.argv[1] if len(sys.argv) > 1 else temporary).resolve())
        for name, take in TOOLS.items():
            for stem in DOCUMENTS:
                document = PLAIN / f"{stem}.json"
                expected = operations(document)
                try:
                    said = f"{take(tools, document)} of {expected} operations"
                except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
                    said = f"failed: {error}"
                wrong += said != f"{expected} of {expected} operations"
                print(f"{name:24}{stem:12}{said}", flush=True)
        for name, group in calls(tools).items():
            wrong += group != "Kornblume Bakery"
            print(f"{name:36}reads {group!r}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
