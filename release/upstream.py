"""Documents that somebody else keeps: fetched, taken over whole, and generated from."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline import steps
from pipeline.codegen.write import write
from pipeline.commands import writable
from pipeline.fetching import fetch
from pipeline.openapi.documents import decoded, loads
from pipeline.openapi.problems import Finding, PipelineError, Position
from pipeline.tables import TableReader
from release.config import Release
from release.tree import place, restoring

HELP = "Fetch documents that changed upstream, and regenerate."


@dataclass(frozen=True)
class Original:
    """A file of the project whose original is kept elsewhere.

    Attributes:
        name: the file's path below the root of the project, as it is configured.
        source: the address or path of the original, as it is configured.
        path: where the file is, or will be.
        before: its bytes; None where there is no such file yet.
        after: the bytes of the original, with a newline at their end.
    """

    name: str
    source: str
    path: Path
    before: bytes | None
    after: bytes

    @property
    def lines(self) -> tuple[int, int]:
        """Return how many lines come in, and how many go."""
        old, new = (
            (data or b"").decode(errors="replace").splitlines()
            for data in (self.before, self.after)
        )
        _, _, *lines = [*difflib.unified_diff(old, new, n=0, lineterm="")] or ("", "")
        marks = [line[0] for line in lines]  # behind the two that name the files
        return marks.count("+"), marks.count("-")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "--check", action="store_true", help="only report changes; exit status 1 if there are any"
    )
    parser.add_argument(
        "--markdown", type=writable, metavar="FILE",
        help="also write what changed as Markdown; no file if nothing did",
    )  # fmt: skip


def run(options: argparse.Namespace, release: Release) -> int:
    """Take over every original that differs, then generate.

    Either all files are taken over, and the folders that are generated belong to them; or, where
    one cannot be had or the pipeline refuses what came, every file is as it was.

    Raises:
        PipelineError: the configuration is wrong, an original cannot be had or is neither YAML nor
            JSON, or nothing can be generated from it.
    """
    if not release.upstream:
        print(f"{release.file}: [tool.release.upstream] names no file; nothing to look for.")
        return 0
    originals = fetch_all(release)
    changed = [each for each in originals if each.before != each.after]
    for original in originals:
        print(f"{original.name}: {_what_changed(original)} ({original.source})")
    if not changed:
        return 0
    if options.check:
        print("nothing was written: take it over with `python -m release upstream`")
    else:
        take_over(release, changed)
    if options.markdown is not None:
        rows = [f"| `{each.name}` | {each.source} | {_what_changed(each)} |" for each in changed]
        text = "\n".join(["| file | taken from | what changed |", "|---|---|---|", *rows, ""])
        options.markdown.write_text(text, encoding="utf-8", newline="\n")
    return 1 if options.check else 0


def fetch_all(release: Release) -> list[Original]:
    """Get every original, in the order of the configuration.

    Raises:
        PipelineError: all that is wrong, with the line of the configuration or the place in the
            original.
    """
    originals, problems = [], list(_misplaced(release))
    if problems:
        raise PipelineError(*problems)
    for name, source in release.upstream.items():
        path = release.root / name
        try:
            data = fetch(source, release.root)
            loads(decoded(data, source), source)
        except PipelineError as error:
            at = _position(release, name)
            problems += [
                each if each.position else Finding(f"{name}: {each.message}", at, "upstream")
                for each in error.findings
            ]
            continue
        after = data if data.endswith(b"\n") else data + b"\n"
        before = path.read_bytes() if path.exists() else None
        originals.append(Original(name, source, path, before, after))
    if problems:
        raise PipelineError(*problems, Finding("nothing was taken over"))
    return originals


def take_over(release: Release, changed: list[Original]) -> None:
    """Write these files and everything that is generated; on any failure, put the files back.

    Raises:
        PipelineError: nothing can be generated from them.
    """
    try:
        with restoring(each.path for each in changed):
            for each in changed:
                place(each.path, each.after)
            files, _ = steps.generate(release.pipeline)
            written = write(steps.folders(release.pipeline, files))
    except PipelineError as error:
        refused = _keep(changed, release.state / "upstream")
        reason = f"nothing can be generated from this, and all is as it was; it is in {refused}"
        raise PipelineError(*error.findings, Finding(reason)) from None
    for line in (line for each in written.values() for lines in each for line in lines):
        print(line)
    print("what that means to users, and the version that it needs: `nox -s changes`")


def _keep(refused: list[Original], folder: Path) -> Path:
    """Write what was refused where people can look at the lines that are named."""
    for each in refused:
        path = folder / each.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(each.after)
    return folder


def _misplaced(release: Release) -> Iterator[Finding]:
    """Yield names that are no file to take over, and originals that are the file itself."""
    written = [path.resolve() for path in (release.pipeline.output, *release.pipeline.copies)]
    places: dict[Path, str] = {}
    for name, source in release.upstream.items():
        path = (release.root / name).resolve()
        if not path.is_relative_to(release.root) or ".git" in path.parts:
            reason = "must be a file below the folder of the project"
        elif path.is_dir():
            reason = "is a folder; name the file in it"
        elif path == release.file.resolve():
            reason = "is the configuration itself"
        elif any(path.is_relative_to(folder) for folder in written):
            reason = "is generated; name its source"
        elif path in places:
            reason = f"is the same file as {places[path]!r}"
        elif "://" not in source and path == (release.root / source).resolve():
            reason = "is its own original"
        else:
            places[path] = name
            continue
        text = f"tool.release.upstream: {name!r} {reason}"
        yield Finding(text, _position(release, name), "config")


def _position(release: Release, name: str) -> Position:
    return TableReader(release.file).position(f'tool.release.upstream."{name}"')


def _what_changed(original: Original) -> str:
    if original.before == original.after:
        return "unchanged"
    added, removed = original.lines
    return f"{'new, ' if original.before is None else ''}+{added} -{removed} lines"
