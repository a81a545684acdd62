"""The command line: `python -m pipeline` and `init`, `generate`, `check`, `lint` and others."""

from __future__ import annotations

import argparse
import gc
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pipeline.causes import causes
from pipeline.commands import count, status, steady
from pipeline.config import Config, load_config
from pipeline.openapi.documents import dumps, load
from pipeline.openapi.overlay import Overlay, apply, load_overlay, log_lines
from pipeline.openapi.problems import Finding, PipelineError, Position, in_order

if TYPE_CHECKING:
    from pipeline.steps import Effective

_FEW: Final = 20  # changed files that are listed without being asked for


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. What is wrong goes to standard error; the result is the exit status.

    0: done. 1: something in the files is wrong, or not current. 2: the command itself is wrong.
    """
    steady()
    options = _parser().parse_args(arguments)
    return status(lambda: options.run(options), footer="nothing was written")


def command() -> int:
    """Run the command of this process."""
    # Nearly everything that a run makes is there until it ends, which is soon: to look through all
    # of it for cycles, again and again, would take a quarter of the time and free nothing.
    gc.disable()
    return main()


def _generate(options: argparse.Namespace) -> int:
    from pipeline.codegen.write import write
    from pipeline.steps import folders, generate

    config = load_config(options.config)
    files, notes = generate(config)
    _show_notes(notes, options.verbose)
    written = folders(config, files)
    for folder, (changed, left_alone) in write(written).items():
        listed = options.verbose or len(changed) <= _FEW
        for line in [*(changed if listed else ()), *left_alone]:
            print(line)
        state = f"{len(changed)} changed" if changed else "all current"
        more = "" if listed else "; --verbose lists them"
        print(f"{folder}: {len(written[folder])} files, {state}{more}.")
    return 0


def _check(options: argparse.Namespace) -> int:
    from pipeline.codegen.write import compare
    from pipeline.steps import folders, generate

    config = load_config(options.config)
    files, notes = generate(config)
    _show_notes(notes, options.verbose)
    stale = False
    for folder, made in folders(config, files).items():
        if differences := compare(made, folder):
            print("\n".join(differences), file=sys.stderr)
            print(f"{folder} is not current: run `python -m pipeline generate`.", file=sys.stderr)
            stale = True
        else:
            print(f"{folder}: {len(made)} files, all current.")
    return 1 if stale else 0


def _lint(options: argparse.Namespace) -> int:
    from pipeline.carrying import carry
    from pipeline.steps import effective

    config = load_config(options.config)
    made = effective(config)
    findings = list(made.general)
    for source in config.sources:
        document, found = made.documents[source.name], made.found[source.name]
        try:
            carried = carry(config, source, document, found)
        except PipelineError as error:
            findings += [*found, *error.findings]
        else:
            findings += carried.notes
            findings += [reason for each in carried.left_out for reason in each.reasons]
    findings = in_order(dict.fromkeys(findings))
    for cause in causes(findings):
        print("\n".join(cause.lines(options.all)))
    errors = sum(finding.severity == "error" for finding in findings)
    counts = (count(errors, "error"), count(len(findings) - errors, "note"))
    print(f"{count(len(made.documents), 'document')}: {', '.join(counts)}.")
    return 1 if errors else 0


def _gaps(options: argparse.Namespace) -> int:
    from pipeline.gaps import table
    from pipeline.steps import effective

    needing = {
        "--output": options.output, "--address": options.address, "--client": options.client,
        "--json": options.json, "--strict": options.strict,
    }  # fmt: skip
    lost = [name for name, value in needing.items() if value]
    if lost and not options.evidence:
        print(f"{', '.join(lost)}: only with --evidence", file=sys.stderr)
        return 2
    config = load_config(options.config)
    if config.register is None:
        place = Position(str(config.file), 1, 1)
        raise PipelineError(Finding("tool.pipeline.gaps: no register is configured", place))
    made = effective(config)
    assert made.register is not None
    width = shutil.get_terminal_size((140, 24)).columns
    if options.evidence:
        return _evidence(options, config, made, width)
    print(table(made.register, made.documents, made.changes, width))
    return 0


def _evidence(options: argparse.Namespace, config: Config, made: Effective, width: int) -> int:
    from pipeline.evidence import data, text, weigh, write

    errors = [finding for finding in made.findings if finding.severity == "error"]
    if errors:
        raise PipelineError(*errors)
    report = weigh(
        config,
        made,
        options.evidence,
        addresses=_addresses(options.address, made),
        client=options.client,
    )
    written = []
    if options.output is not None:
        written = write(report, options.output)
    if options.json:
        print(dumps(data(report)), end="")
    else:
        print(text(report, width))
    _show_proposed(report.proposals, written, options.output)
    return 1 if options.strict and report.speaks_against else 0


def _show_proposed(
    entries: Mapping[str, Mapping[str, object]], written: Sequence[Path], folder: Path | None
) -> None:
    """Show, beside what is for programs, where proposals are or would go."""
    for path in written:
        print(
            f"wrote {path}: read it before you move it to the confirmed overlays", file=sys.stderr
        )
    for name, found in entries.items():
        if found and folder is None:
            known = f"{count(len(found), 'gap')} of {name} are confirmed"
            print(f"{known}: -o DIR writes DIR/{name}/traffic.yaml", file=sys.stderr)
    if folder is not None and not written:
        print("nothing to propose, so nothing was written", file=sys.stderr)


def _addresses(given: Sequence[str], made: Effective) -> dict[str, str]:
    """The base addresses that are given as NAME=URL."""
    found = {}
    for each in given:
        name, _, address = each.partition("=")
        if name not in made.documents:
            known = ", ".join(made.documents)
            raise PipelineError(Finding(f"--address {each}: no document {name}; known are {known}"))
        try:
            parts = urlsplit(address)
            usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            usable = False
        if not usable:
            raise PipelineError(Finding(f"--address {each}: no address such as https://host/path"))
        found[name] = address
    return found


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


def _init(options: argparse.Namespace) -> int:
    from pipeline.starting import start

    for file in start(options.source, options.output):
        print(f"wrote {file}")
    config = options.output / "pyproject.toml"
    print(f"Read both, then: python -m pipeline generate --config {config}")
    print(f"and: pip install {options.output / 'generated/client'}")
    return 0


def _propose(options: argparse.Namespace) -> int:
    from pipeline.proposing import propose
    from pipeline.steps import effective

    documents = effective(load_config(options.config)).documents
    known = ", ".join(documents)
    if options.document is None and len(documents) > 1:
        raise PipelineError(Finding(f"name one of the documents: {known}"))
    name = options.document or next(iter(documents))
    if name not in documents:
        raise PipelineError(Finding(f"no document {name}; known are {known}"))
    text = propose(documents[name])
    if not text:
        print("nothing to propose, so nothing was written", file=sys.stderr)
    elif options.output is None:
        print(text, end="")
    elif options.output.exists():
        raise PipelineError(Finding(f"{options.output} is there already, and is not overwritten"))
    else:
        options.output.write_text(text, encoding="utf-8")
        print(f"wrote {options.output}: read it, then list it among the overlays of {name}")
    return 0


def _as_text(data: object, output: Path | None) -> str:
    """JSON for a file that ends in .json, else YAML, which JSON texts and all are a part of."""
    if output is not None and output.suffix == ".json":
        return dumps(data)
    from pipeline.openapi.yamls import dump

    return dump(data)


def _show_notes(findings: Sequence[Finding], verbose: bool) -> None:
    """Show what is left out, by its causes, and notes or how many there are."""
    left_out = [finding for finding in findings if finding.severity == "left out"]
    notes = [finding for finding in findings if finding.severity == "note"]
    for finding in (each for each in notes if each.rule == "empty"):
        print(finding, file=sys.stderr)
    for cause in causes([*left_out, *(notes if verbose else [])]):
        print("\n".join(cause.lines()), file=sys.stderr)
    if left_out:
        number = count(len(left_out), "operation")
        print(f"{number} left out; README.md and MANIFEST.json have the list.", file=sys.stderr)
    if notes and not verbose:
        print(f"{count(len(notes), 'note')}, which --verbose shows.", file=sys.stderr)


def _add_evidence(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "evidence", "Compare recorded traffic with the register instead, and propose overlays."
    )
    group.add_argument(
        "--evidence", type=Path, nargs="+", default=[], metavar="RECORDING",
        help="recordings (.yaml), HAR files (.har), or folders of them",
    )  # fmt: skip
    group.add_argument(
        "-o", "--output", type=Path, metavar="DIR",
        help="write proposed overlays to DIR/NAME/traffic.yaml; nothing is overwritten",
    )  # fmt: skip
    group.add_argument(
        "--address", action="append", default=[], metavar="NAME=URL",
        help="base address of a document in HAR files (default: inferred from its paths)",
    )  # fmt: skip
    group.add_argument(
        "--client", choices=("own", "other"),
        help="whose traffic it is: own (the generated client's) or other (another client's) "
        "(default: by its user agent; own if there is none)",
    )  # fmt: skip
    group.add_argument("--json", action="store_true", help="print JSON")
    group.add_argument(
        "--strict", action="store_true", help="exit with status 1 if an assumption is refuted"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pipeline" if sys.argv[0].endswith("__main__.py") else None,
        description="Turn OpenAPI documents and overlays into a typed Python client.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text)

    for name, text, run in (
        ("generate", "Write the client, the documents and the register.", _generate),
        ("check", "Check that everything `generate` writes is current; write nothing.", _check),
        ("lint", "Report every problem in documents, overlays and the register.", _lint),
        ("gaps", "Show the register: every gap, its decision, and where it shows.", _gaps),
    ):
        sub = command(name, text)
        sub.add_argument(
            "--config", type=Path, default=Path("pyproject.toml"), metavar="FILE",
            help="TOML file with the table [tool.pipeline] (default: %(default)s)",
        )  # fmt: skip
        if name == "lint":
            sub.add_argument("-a", "--all", action="store_true", help="show every finding")
        if name in ("generate", "check"):
            sub.add_argument(
                "-v", "--verbose", action="store_true", help="show every note and every file"
            )
        if name == "gaps":
            _add_evidence(sub)
        sub.set_defaults(run=run)
    proposal = command(
        "propose", "Guess which operations are lists in pages, or streams, as an overlay."
    )
    proposal.add_argument("document", nargs="?", metavar="DOCUMENT", help="its name")
    proposal.add_argument(
        "--config", type=Path, default=Path("pyproject.toml"), metavar="FILE",
        help="TOML file with the table [tool.pipeline] (default: %(default)s)",
    )  # fmt: skip
    proposal.add_argument(
        "-o", "--output", type=Path, metavar="FILE",
        help="output file (default: standard output); nothing is overwritten",
    )  # fmt: skip
    proposal.set_defaults(run=_propose)
    init = command("init", "Write a configuration and a first overlay for a document.")
    init.add_argument("source", metavar="URL-or-FILE", help="an OpenAPI document, 3.0 to 3.2")
    init.add_argument(
        "-o", "--output", type=Path, default=Path(), metavar="DIR",
        help="where they go (default: here); nothing is overwritten",
    )  # fmt: skip
    init.set_defaults(run=_init)
    overlay = command("overlay", "Apply OpenAPI Overlays (1.0, 1.1, 1.2) to a document.")
    overlay.add_argument("document", type=Path, metavar="DOCUMENT")
    overlay.add_argument("overlays", type=Path, nargs="+", metavar="OVERLAY")
    overlay.add_argument(
        "-o", "--output", type=Path, metavar="FILE",
        help="output file (default: standard output); JSON if FILE ends in .json",
    )  # fmt: skip
    overlay.add_argument("--lenient", action="store_true", help="accept targets that match nothing")
    overlay.set_defaults(run=_overlay)
    return parser
