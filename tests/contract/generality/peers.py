"""Other generators, on the same documents: what they carry, if it can be imported."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from benchmarks.peers import (
    ATTRS,
    HTTPX,
    OPENAPI_GENERATOR,
    PYDANTIC,
    URLLIB3,
    Missing,
    Peer,
    installed,
)
from generality.results import Second

_ROOT: Final = Path(__file__).parents[3]
_SECONDS: Final = 900
# Prints how many modules below a folder can be imported.
_COUNT: Final = """
import importlib, pathlib, sys
folder, below = pathlib.Path(sys.argv[1]), sys.argv[2]
count = 0
for file in sorted(folder.glob(below)):
    if file.name != "__init__.py":
        importlib.import_module(".".join(file.relative_to(folder).with_suffix("").parts))
        count += 1
print(count)
"""


def tried(file: Path, operations: int, work: Path) -> Mapping[str, Second]:
    """Return what other generators make of a document."""
    made = {}
    for name, make in (
        ("openapi-python-client", _stock),
        ("OpenAPI Generator", _openapi_generator),
    ):
        made[name] = _tried(make, file, operations, work / "peers" / make.__name__)
    return made


def _tried(make: Callable[[Path, Path], int], file: Path, operations: int, folder: Path) -> Second:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # A callback is a method, too.
        return Second(operations, min(operations, make(file, folder)))
    except Missing as reason:
        return Second(operations, why=f"not here: {reason}")
    except ImportError as error:
        return Second(operations, why=f"cannot be imported: {error}")
    except (OSError, subprocess.SubprocessError) as error:
        return Second(operations, why=f"fails: {_reason(error)}")


def _reason(error: Exception) -> str:
    lines = str(error).strip().splitlines() or ["nothing said"]
    wrong = [line for line in lines if re.match(r"\w*(Error|Exception)\b", line.strip())]
    return (wrong or lines)[-1].strip()[:90]


def _imported(peer: Peer, folder: Path, below: str) -> int:
    """Import the modules of a package, and return how many there are; ImportError if it fails."""
    try:
        return int(_run([peer.python, "-c", _COUNT, folder, below], folder))
    except OSError as error:
        raise ImportError(_reason(error)) from None


def _stock(file: Path, folder: Path) -> int:
    """The stock openapi-python-client, in the version whose parser the pipeline uses."""
    wanted = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [pinned] = [e for e in wanted["dependencies"] if e.startswith("openapi-python-client==")]
    peer = installed(pinned, ATTRS, HTTPX)
    settings = folder / "settings.yaml"
    settings.write_text("post_hooks: []\npackage_name_override: stock\n", encoding="utf-8")
    _run(
        [peer.python, "-m", "openapi_python_client", "generate", "--path", file,
         "--config", settings, "--meta", "none", "--output-path", folder / "stock", "--overwrite"],
        folder,
    )  # fmt: skip
    return _imported(peer, folder, "stock/api/*/*.py")


def _openapi_generator(file: Path, folder: Path) -> int:
    """OpenAPI Generator, for `python`."""
    peer = installed(OPENAPI_GENERATOR, PYDANTIC, URLLIB3, "python-dateutil")
    program = peer.python.parent / "openapi-generator-cli"
    _run(
        [peer.python, program, "generate", "--generator-name", "python", "--skip-validate-spec",
         "--input-spec", file, "--output", folder, "--package-name", "made"],
        folder,
    )  # fmt: skip
    _imported(peer, folder, "made/api/*.py")
    methods = {  # an operation with two tags is a method of two classes
        each
        for api in (folder / "made/api").glob("*.py")
        for each in re.findall(r"^    def ([a-z]\w*)\(", api.read_text(encoding="utf-8"), re.M)
    }
    others = ("_with_http_info", "_without_preload_content", "_serialize")
    return sum(not each.endswith(others) for each in methods)


def _run(command: list[str | Path], folder: Path) -> str:
    """Run a program, and return what it wrote; a failure is an OSError."""
    done = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", timeout=_SECONDS,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )  # fmt: skip
    if done.returncode:
        raise OSError(done.stdout)
    return done.stdout
