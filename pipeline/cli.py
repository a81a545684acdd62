"""The command line: `python -m pipeline generate`, `check`, `lint`, `gaps`, `overlay`."""

from __future__ import annotations

import argparse
import io
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline.config import load_config
from pipeline.documents import dumps, load
from pipeline.overlay import Overlay, apply, load_overlay, log_lines
from pipeline.problems import Finding, PipelineError, Position


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. What is wrong goes to standard error; the result is the exit status.

    0: done. 1: something in the files is wrong, or not current. 2: the command itself is wrong.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None where the caller has closed it
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        return status
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except PipelineError as error:
        print(error, file=sys.stderr)
        print(f"{_count(len(error.findings), 'problem')}; nothing was written.", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 1
    except OSError as error:
        print(f"{error.filename or 'error'}: {error.strerror or error}", file=sys.stderr)
        return 1


def _generate(options: argparse.Namespace) -> int:
    from pipeline.steps import folders, generate
    from pipeline.write import write

    config = load_config(options.config)
    files, notes = generate(config)
    _show_notes(notes, options.verbose)
    written = folders(config, files)
    for folder, said in write(written).items():
        for line in said:
            print(line)
        state = f"{len(said)} changed" if said else "all current"
        print(f"{folder}: {len(written[folder])} files, {state}.")
    return 0


def _check(options: argparse.Namespace) -> int:
    from pipeline.steps import folders, generate
    from pipeline.write import compare

    config = load_config(options.config)
    files, notes = generate(config)
    _show_notes(notes, options.verbose)
    status = 0
    for folder, made in folders(config, files).items():
        if said := compare(made, folder):
            print("\n".join(said), file=sys.stderr)
            print(f"{folder} is not current: run `python -m pipeline generate`.", file=sys.stderr)
            status = 1
        else:
            print(f"{folder}: {len(made)} files, all current.")
    return status


def _lint(options: argparse.Namespace) -> int:
    from pipeline.normalize import normalize
    from pipeline.steps import effective

    made = effective(load_config(options.config))
    findings = list(made.findings)
    if not any(finding.severity == "error" for finding in findings):
        for document in made.documents.values():
            try:
                findings += normalize(document).notes
            except PipelineError as error:
                findings += error.findings
    for finding in dict.fromkeys(findings):
        print(f"{finding.severity}: {finding}")
    errors = sum(finding.severity == "error" for finding in findings)
    counts = (_count(errors, "error"), _count(len(findings) - errors, "note"))
    print(f"{_count(len(made.documents), 'document')}: {', '.join(counts)}.")
    return 1 if errors else 0


def _gaps(options: argparse.Namespace) -> int:
    from pipeline.gaps import table
    from pipeline.steps import effective

    config = load_config(options.config)
    if config.register is None:
        place = Position(str(config.file), 1, 1)
        raise PipelineError(Finding("tool.pipeline.gaps: no register is configured", place))
    made = effective(config)
    assert made.register is not None
    width = shutil.get_terminal_size((140, 24)).columns
    print(table(made.register, made.documents, made.changes, width))
    return 0


def _overlay(options: argparse.Namespace) -> int:
    document = load(options.document)
    overlays: list[Overlay] = []
    problems: list[Finding] = []
    for path in options.overlays:
        try:
            overlays.append(load_overlay(path))
        except PipelineError as error:
            problems += error.findings
    if problems:
        raise PipelineError(*problems)
    notes: list[Finding] = []
    result, changes = apply(document, overlays, strict=not options.lenient, notes=notes)
    text = _as_text(result.data, options.output)
    if options.output is None:
        print(text, end="")
    else:
        options.output.write_text(text, encoding="utf-8")
    for line in log_lines(changes):
        print(line, file=sys.stderr)
    _show_notes(notes, verbose=True)
    return 0


def _as_text(data: object, output: Path | None) -> str:
    """JSON for a file that ends in .json, else YAML, which JSON texts and all are a part of."""
    if output is not None and output.suffix == ".json":
        return dumps(data)
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: object) -> bool:
            return True

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
        style = "|" if "\n" in value else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Dumper.add_representer(str, text)
    result: str = yaml.dump(data, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100)
    return result


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _show_notes(notes: Sequence[Finding], verbose: bool) -> None:
    if verbose:
        for note in notes:
            print(f"note: {note}", file=sys.stderr)
    elif notes:
        print(f"{_count(len(notes), 'note')}, which --verbose shows.", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pipeline",
        description="Turn OpenAPI documents and overlays into a typed Python client.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text)

    for name, text, run in (
        ("generate", "Write client, documents and register; copy the documents.", _generate),
        ("check", "Tell whether all that `generate` writes is current; write nothing.", _check),
        ("lint", "Tell everything that is wrong in documents, overlays and register.", _lint),
        ("gaps", "Show the register: every gap, its decision, and where it lands.", _gaps),
    ):
        sub = command(name, text)
        sub.add_argument(
            "--config", type=Path, default=Path("pyproject.toml"), metavar="FILE",
            help="TOML file with the table [tool.pipeline] (default: %(default)s)",
        )  # fmt: skip
        if name in ("generate", "check"):
            sub.add_argument("-v", "--verbose", action="store_true", help="show the notes")
        sub.set_defaults(run=run)
    overlay = command("overlay", "Apply OpenAPI Overlays (1.0, 1.1, 1.2) to a document.")
    overlay.add_argument("document", type=Path, metavar="DOCUMENT")
    overlay.add_argument("overlays", type=Path, nargs="+", metavar="OVERLAY")
    overlay.add_argument(
        "-o", "--output", type=Path, metavar="FILE",
        help="where the result goes (default: standard output); JSON when FILE ends in .json",
    )  # fmt: skip
    overlay.add_argument(
        "--lenient", action="store_true", help="a target that matches nothing is no error"
    )
    overlay.set_defaults(run=_overlay)
    return parser
