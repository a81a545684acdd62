"""The command line: generate a client of each document, check it, call it, report what is wrong."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec

from generality import results
from generality.described import Described
from generality.results import Result
from generality.trials import Outcome, Trials
from pipeline import stages
from pipeline.fetching import fetch
from pipeline.openapi.problems import PipelineError
from release.tree import place

ROOT: Final = Path(__file__).parents[3]
DOCS: Final = ROOT / "docs" / "generality"
LIST: Final = Path(__file__).parent / "documents.toml"
_SECONDS: Final = 1800  # that one step may take
# Imports everything of a package, in a process that holds nothing else.
_IMPORT: Final = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for name in package.__all__:
    getattr(package, name)
for each in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    if "._runtime." not in each.name:
        importlib.import_module(each.name)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Generate clients of public documents, call every operation, and judge what leaves and comes.

    Exits with 1 where anything that is carried is wrong, and with 2 where a document is missing.
    """
    parser = argparse.ArgumentParser(
        prog="python tests/contract/generality", description=main.__doc__
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME",
        help="a document of documents.toml, a file or an address; all of the list without any",
    )  # fmt: skip
    parser.add_argument(
        "--material", type=Path, metavar="DIR",
        help="take documents from here, by their names, instead of fetching them",
    )  # fmt: skip
    into = parser.add_mutually_exclusive_group()
    into.add_argument(
        "--into", type=Path, default=ROOT / ".bench" / "generality", metavar="FOLDER",
        help="where results.json and the tables go (default: .bench/generality)",
    )  # fmt: skip
    into.add_argument(
        "--docs", action="store_const", const=DOCS, dest="into", help="into the documentation"
    )
    parser.add_argument(
        "--work", type=Path, metavar="FOLDER", help="keep the clients here; a temporary one if not"
    )
    parser.add_argument(
        "--readers", action="store_true",
        help="generate alone, and count where the two readers of a document agree",
    )  # fmt: skip
    parser.add_argument("--no-types", action="store_true", help="keep what mypy and pyright said")
    parser.add_argument("--prism", action="store_true", help="ask Prism, too; it needs npm")
    parser.add_argument("--peers", action="store_true", help="try other generators, too")
    parser.add_argument(
        "--random", type=int, default=3, metavar="N", help="calls at random of each operation (3)"
    )
    parser.add_argument("--seed", type=int, default=1, help="the seed of what is random (1)")
    parser.add_argument("--redraw", action="store_true", help="try nothing: write the tables anew")
    for step, values in (("--calls", 2), ("--prism-calls", 3)):
        parser.add_argument(step, nargs=values, type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.calls:
        _print(_trials(given, *given.calls).run())
        return 0
    if given.prism_calls:
        from generality.prism import said

        program, file, home = given.prism_calls
        trials = _trials(given, file, home)
        trials.run()
        _print(said(program, trials))
        return 0
    known = listed()
    found = results.load(given.into)
    if not given.redraw:
        with tempfile.TemporaryDirectory() as temporary:
            work = (given.work or Path(temporary)).resolve()
            names = [*(given.names or known)]
            for at, name in enumerate(names):
                stem = name if name in known else Path(name).stem
                before, said_of = found.get(stem), known.get(name, {})
                with stages.shown(len(names), at):
                    stages.stage(f"trying {stem}")
                    found[stem] = _tried(given, stem, said_of, name, work / stem, before)
                print(results.terminal(stem, found[stem]), flush=True)
                # After each: a long run that is interrupted keeps what was found.
                _write(given.into, found, known)
    _write(given.into, found, known)
    if any(each.missing for each in found.values()):
        return 2
    return 0 if all(each.is_fine for each in found.values()) else 1


def listed() -> dict[str, dict[str, str]]:
    """Return the documents of the list: title and address, by name."""
    return tomllib.loads(LIST.read_text(encoding="utf-8"))


def _write(folder: Path, found: Mapping[str, Result], known: Mapping[str, Any]) -> None:
    ordered = {name: found[name] for name in (*known, *found) if name in found}
    for name, text in results.pages(ordered).items():
        place(folder / name, text.encode())


def _tried(
    given: argparse.Namespace,
    name: str,
    said: Mapping[str, str],
    source: str,
    work: Path,
    before: Result | None,
) -> Result:
    """Return what one document comes to."""
    result = Result(title=said.get("title", name))
    try:
        file = _document(given, name, said.get("url", source), work)
    except (OSError, PipelineError) as error:
        if given.readers and before is not None:
            return before
        return replace(result, missing=f"missing: {' '.join(str(error).split())[:200]}")
    document = Described.of_file(file)
    result = replace(
        result,
        version=str(document.data.get("info", {}).get("version", "")),
        operations=len(document.operations),
    )
    home = work / "client"
    try:
        result = _generated(result, file, home)
        if given.readers:
            return replace(before or result, readers=result.readers)
        package = next(each for each in (home / "generated/client/src").iterdir() if each.is_dir())
        _run([sys.executable, "-c", _IMPORT, package.name], package.parent)
        if not given.no_types:
            result = _checked(result, home / "generated/client", package.name)
        elif before is not None:
            result = replace(result, mypy=before.mypy, pyright=before.pyright)
        result = _called(given, result, file, home)
    except (OSError, subprocess.SubprocessError) as error:
        if given.readers and before is not None:
            return before
        return replace(result, failed=f"failed: {' '.join(str(error).split())[-300:]}")
    if given.prism:
        from generality.prism import asked

        result = replace(result, prism=asked(file, home, given.seed))
    elif before is not None:
        result = replace(result, prism=before.prism)
    if given.peers:
        from generality.peers import tried

        return replace(result, peers=tried(file, len(document.operations), work))
    return replace(result, peers=before.peers) if before else result


def _document(given: argparse.Namespace, name: str, source: str, work: Path) -> Path:
    """Return the file of a document.

    Raises:
        OSError, PipelineError: it cannot be had.
    """
    if given.material:
        local = sorted(given.material.resolve().glob(f"{name}.*"))
        if local:
            return local[0]
    if "://" not in source:
        if not Path(source).is_file():
            raise FileNotFoundError(f"{source} is no file, and no name of documents.toml")
        return Path(source).resolve()
    if given.material:
        raise FileNotFoundError(f"{name} is not in the folder of material")
    data = fetch(source, work)
    file = work / f"{name}{'.json' if data.lstrip()[:1] == b'{' else '.yaml'}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def _generated(result: Result, file: Path, home: Path) -> Result:
    if not (home / "pyproject.toml").exists():
        _run([sys.executable, "-m", "pipeline", "init", file, "-o", home], ROOT)
    began = _processor_time()
    config = home / "pyproject.toml"
    _run([sys.executable, "-m", "pipeline", "generate", "--config", config], ROOT)
    seconds = _processor_time() - began
    manifest = json.loads((home / "generated/MANIFEST.json").read_bytes())
    left_out = {
        route: re.sub(r"^\S+:\d+:\d+: (error: )?", "", reasons[0])
        for route, reasons in manifest["left_out"].items()
    }
    readers = Counter[str]()
    for counts in manifest["readers"].values():
        readers.update(counts)
    return replace(result, seconds=round(seconds, 1), left_out=left_out, readers=readers)


def _processor_time() -> float:
    """Return the seconds that programs which were run have used: the same under any load."""
    times = os.times()
    return times.children_user + times.children_system


def _checked(result: Result, folder: Path, package: str) -> Result:
    """Return a result with the errors that mypy and pyright find in a package, both strict."""
    mypy = _said([sys.executable, "-m", "mypy", "--strict", f"src/{package}"], folder)
    pyright = _said([sys.executable, "-m", "pyright", "--project", "."], folder)
    return replace(
        result,
        mypy=_number(r"Found (\d+) error", mypy, "Success: no issues"),
        pyright=_number(r"(\d+) errors?,", pyright, "0 errors"),
    )


def _number(pattern: str, text: str, none: str) -> int:
    if none in text:
        return 0
    found = re.search(pattern, text)
    if found is None:
        raise OSError(text[-500:])
    return int(found[1])


def _called(given: argparse.Namespace, result: Result, file: Path, home: Path) -> Result:
    """Return a result with what the calls came to; they are made in a process of their own."""
    program = [sys.executable, Path(__file__).parent, "--calls", file, home]
    options = ["--random", given.random, "--seed", given.seed]
    outcome = msgspec.json.decode(_run([*program, *options], ROOT), type=Outcome)
    return replace(
        result,
        calls=outcome.calls,
        right=outcome.right,
        wrong=tuple(f"{e.operation} | {e.trial} | {e.problem}" for e in outcome.wrong),
        undrawn=tuple(outcome.undrawn),
    )


def _trials(given: argparse.Namespace, file: Path, home: Path) -> Trials:
    """Return the calls of one client, to be made in this process."""
    source = home / "generated/client/src"
    sys.path.insert(0, str(source))
    package = next(each.name for each in source.iterdir() if each.is_dir())
    effective = tuple((home / "generated/openapi").glob("*.json"))
    return Trials(Described.of_file(file), package, effective, given.random, given.seed)


def _print(value: object) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(value))


def _run(command: Sequence[object], folder: Path) -> bytes:
    """Run a program, and return what it wrote; a failure is an OSError."""
    done = subprocess.run(
        list(map(str, command)), cwd=folder, capture_output=True, timeout=_SECONDS,
        env={**os.environ, "PYTHONPATH": str(folder)}, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode:
        raise OSError((done.stdout + done.stderr).decode("utf-8", "replace")[-1000:])
    return done.stdout


def _said(command: Sequence[object], folder: Path) -> str:
    """Return what a program says, whatever its exit status is."""
    done = subprocess.run(
        list(map(str, command)), cwd=folder, capture_output=True, timeout=_SECONDS, text=True
    )
    return done.stdout + done.stderr
