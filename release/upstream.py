"""Documents that somebody else keeps: fetched, taken over whole, and generated from."""

from __future__ import annotations

import argparse

from pipeline import steps
from pipeline.codegen.write import write
from pipeline.commands import writable
from pipeline.fetching import fetch
from pipeline.openapi.documents import decoded, loads
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.tables import TableReader
from release.config import Release
from release.tree import place, restoring

HELP = "Fetch documents that changed upstream, and regenerate."


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
    """
    originals = fetch_all(release)
    changed = {}
    for name, data in originals.items():
        path = release.root / name
        same = path.exists() and path.read_bytes() == data
        print(f"{name}: {'unchanged' if same else 'changed'} ({release.upstream[name]})")
        if not same:
            changed[name] = data
    if not changed:
        return 0
    if options.check:
        print("nothing was written: take it over with `python -m release upstream`")
    else:
        take_over(release, changed)
    if options.markdown is not None:
        rows = "".join(f"| `{name}` | {release.upstream[name]} |\n" for name in changed)
        text = f"| file | taken from |\n|---|---|\n{rows}"
        options.markdown.write_text(text, encoding="utf-8", newline="\n")
    return 1 if options.check else 0


def fetch_all(release: Release) -> dict[str, bytes]:
    """Get every original, with a newline at its end, by the name of the project's file."""
    originals, problems = {}, []
    written = [path.resolve() for path in (release.pipeline.output, *release.pipeline.copies)]
    for name, source in release.upstream.items():
        path = (release.root / name).resolve()
        try:
            if not path.is_relative_to(release.root) or any(map(path.is_relative_to, written)):
                raise PipelineError(Finding("must be in the project, and not be generated"))
            data = fetch(source, release.root)
            loads(decoded(data, source), source)
            originals[name] = data if data.endswith(b"\n") else data + b"\n"
        except PipelineError as error:
            at = TableReader(release.file).position(f'tool.release.upstream."{name}"')
            problems += [
                item if item.position else Finding(f"{name}: {item.message}", at, "upstream")
                for item in error.findings
            ]
    if problems:
        raise PipelineError(*problems, Finding("nothing was taken over"))
    return originals


def take_over(release: Release, changed: dict[str, bytes]) -> None:
    """Write these files and everything that is generated; on any failure, put the files back."""
    files = {release.root / name: data for name, data in changed.items()}
    try:
        with restoring(files):
            for path, data in files.items():
                place(path, data)
            made, _ = steps.generate(release.pipeline)
            written = write(steps.folders(release.pipeline, made))
    except PipelineError as error:
        refused = release.state / "upstream"
        for name, data in changed.items():
            place(refused / name, data)
        reason = f"nothing can be generated from this, and all is as it was; it is in {refused}"
        raise PipelineError(*error.findings, Finding(reason)) from None
    for line in (line for each in written.values() for lines in each for line in lines):
        print(line)
    print("what that means to users, and the version that it needs: `nox -s changes`")
