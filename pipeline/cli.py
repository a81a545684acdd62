"""The command line: `python -m pipeline` and `init`, `generate`, `check`, `lint` and others."""

from __future__ import annotations

import argparse
import gc
import json
import shutil
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pipeline.causes import causes
from pipeline.codegen.write import MANIFEST
from pipeline.commands import Parser, chosen, count, save, status, steady
from pipeline.config import Config, load_config
from pipeline.openapi.documents import dumps, load
from pipeline.openapi.files import put
from pipeline.openapi.overlay.applying import apply
from pipeline.openapi.overlay.model import log_lines
from pipeline.openapi.overlay.reading import load_overlay
from pipeline.openapi.problems import Finding, PipelineError, Position, in_order, made_of_each
from pipeline.openapi.wording import as_typed, program, visible
from pipeline.stages import deep

if TYPE_CHECKING:
    from pipeline.steps import Effective

_FEW: Final = 20  # changed files that are listed without being asked for
_LOST: Final = 10  # causes by which something is lost
_EACH: Final = ("empty", "renamed")  # rules whose notes are always shown, one by one
_NOTHING: Final = "nothing to propose, so nothing was written"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and return its exit status; errors go to standard error.

    0: success. 1: a file is wrong or stale. 2: wrong usage.
    """
    steady()

    options = argparse.Namespace(run=None)

    def run() -> int:
        vars(options).update(vars(chosen(_parser(), arguments)))
        with deep():
            result: int = options.run(options)
        return result

    def footer() -> str:
        return "" if options.run in (_check, _lint) else "; nothing was written"

    return status(run, footer)


def command() -> int:
    """Run the command with the arguments of this process."""
    # Nearly everything that a run makes is there until it ends, which is soon: to look through all
    # of it for cycles, again and again, would take a quarter of the time and free nothing.
    gc.disable()
    return main()


def _made(options: argparse.Namespace) -> tuple[dict[Path, Mapping[str, str]], dict[Path, str]]:
    """Return what a run makes, each folder and each file of names, and show its notes."""
    from pipeline.stages import shown
    from pipeline.steps import folders, generate, kept_names

    config = _config(options)
    with shown(3 * len(config.sources) + 2):
        files, notes = generate(config)
    _show_notes(notes, options.verbose, shown=("page", "left-behind", "custom"))
    if options.verbose:
        for name, number in json.loads(files[MANIFEST])["readers"].items():
            print(
                f"{name}: openapi-python-client and the reader here agree in {number['agree']}"
                f" places, differ in {number['differ']}; {number['silent']} are read by the "
                "latter alone.",
                file=sys.stderr,
            )
    return folders(config, files), kept_names(config, files)


def _generate(options: argparse.Namespace) -> int:
    from pipeline.codegen.write import write, write_file

    with _dropped(options):
        made, names = _made(options)
        written = write(made, options.force)
    for folder, (changed, left_alone) in written.items():
        listed = options.verbose or len(changed) <= _FEW
        for line in [*(changed if listed else ()), *left_alone]:
            print(line)
        state = f"{len(changed)} changed" if changed else "all current"
        more = "" if listed else "; --verbose lists them"
        print(f"{folder}: {len(made[folder])} files, {state}{more}.")
    for path, text in names.items():
        if write_file(path, text):
            print(f"{path}: records the names in use; commit it.")
    return 0


@contextmanager
def _dropped(options: argparse.Namespace) -> Iterator[None]:
    """Drop what is assumed of gaps that are documented; take it back where the block fails."""
    from pipeline.codegen.write import write_file
    from pipeline.gaps import drop

    texts = drop(_config(options), options.drop_assumed) if options.drop_assumed else {}
    before = {path: path.read_bytes().decode() for path in texts}
    try:
        for path, text in texts.items():
            write_file(path, text or "")
        yield
    except BaseException:
        for path, text in before.items():
            write_file(path, text)
        raise
    for path, text in texts.items():
        print(f"{'removed' if text is None else 'changed'} {path}")


def _check(options: argparse.Namespace) -> int:
    from pipeline.codegen.write import compare, other_tools

    written, names = _made(options)
    stale: list[Path] = []
    mixed: list[Path] = []
    for folder, made in written.items():
        if differences := compare(made, folder):
            print("\n".join(differences), file=sys.stderr)
            is_stale = any(not line.startswith("left over ") for line in differences)
            (stale if is_stale else mixed).append(folder)
        else:
            print(f"{folder}: {len(made)} files, all current.")
    for path, text in names.items():
        if text != (path.read_text(encoding="utf-8") if path.exists() else ""):
            stale.append(path)
    for path in stale:
        print(f"{path} is not current: run `{as_typed('generate')}`.", file=sys.stderr)
    for folder in mixed:
        print(f"{folder} has files that nothing generates: keep them elsewhere.", file=sys.stderr)
    for folder, made in written.items():
        if folder in stale and (tools := other_tools(made, folder)):
            print(f"{folder} was made with {tools}: see constraints.txt.", file=sys.stderr)
    return 1 if stale or mixed else 0


def _lint(options: argparse.Namespace) -> int:
    from pipeline.steps import build_package, effective

    config = _config(options)
    made = effective(config)
    try:
        built = build_package(config, made)  # whatever `generate` refuses
    except PipelineError as error:
        findings = [*made.findings, *error.findings]
    else:
        findings = [each for each in built.notes if each.severity != "left out"]
        findings += [reason for each in built.left_out for reason in each.reasons]
    findings = in_order(dict.fromkeys(findings))
    undescribed = [finding for finding in findings if finding.rule == "description"]
    for cause in causes(each for each in findings if options.all or each not in undescribed):
        print("\n".join(cause.lines(options.all)))
    if undescribed and not options.all:
        print(f"{count(len(undescribed), 'description')} missing; --all shows where.")
    errors = sum(finding.severity == "error" for finding in findings)
    counts = (count(errors, "error"), count(len(findings) - errors, "note"))
    print(f"{count(len(made.documents), 'document')}: {', '.join(counts)}.")
    return 1 if errors else 0


def _gaps(options: argparse.Namespace) -> int:
    from pipeline.evidence import page, text, weigh, write
    from pipeline.gaps.by_operation import page as by_operation
    from pipeline.steps import effective

    if not options.evidence and not options.page:
        print("gaps: give --evidence RECORDING, or --page FILE", file=sys.stderr)
        raise SystemExit(2)
    config = _config(options)
    if config.gaps is None:
        place = Position(str(config.file), 1, 1)
        raise PipelineError(
            Finding(
                "tool.pipeline.gaps: no register is configured; set it to the path of one", place
            )
        )
    made = effective(config)
    errors = [finding for finding in made.findings if finding.severity == "error"]
    if errors:
        raise PipelineError(*errors)
    if options.page and made.register is not None:
        shown_page = by_operation(made.register, made.documents, made.changes, config.file.parent)
        save(options.page, shown_page, page=True)
        print(f"wrote {options.page}", file=sys.stderr)
    if not options.evidence:
        return 0
    addresses = _addresses(options.address, made)
    report = weigh(config, made, options.evidence, addresses=addresses, client=options.client)
    if options.output is None:
        shown = [
            f"traffic confirms or corrects {count(len(gaps), 'gap')} of {name}:"
            f" -o DIR writes DIR/{name}/traffic.yaml"
            for name, gaps in report.proposals.items()
        ]
    else:
        written = write(report, options.output)
        shown = [
            f"wrote {path}: read it before you move it to the confirmed overlays"
            for path in written
        ] or [_NOTHING]
    if options.html is not None:
        save(options.html, page(report, {}), page=True)
        shown.append(f"wrote {options.html}")
    print(visible(text(report, shutil.get_terminal_size((140, 24)).columns, every=options.all)))
    if not options.all:
        shown.append("--all shows everything that was seen, and every overlay")
    for line in shown:
        print(line, file=sys.stderr)
    return 1 if options.strict and report.speaks_against else 0


def _addresses(given: Sequence[str], made: Effective) -> dict[str, str]:
    """Return the base addresses given as NAME=URL."""
    addresses = {}
    for pair in given:
        name, _, address = pair.partition("=")
        if name not in made.documents:
            known = ", ".join(made.documents)
            raise PipelineError(Finding(f"--address {pair}: no document {name}; known are {known}"))
        try:
            parts = urlsplit(address)
            usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            usable = False
        if not usable:
            raise PipelineError(
                Finding(f"--address {pair}: must be an address such as https://host/path")
            )
        addresses[name] = address
    return addresses


def _overlay(options: argparse.Namespace) -> int:
    from pipeline.openapi.yamls import dump

    document = load(options.document)
    overlays = made_of_each(options.overlays, load_overlay)
    notes: list[Finding] = []
    result, changes = apply(document, overlays, strict=not options.lenient, notes=notes)
    if options.output is None:
        print(dump(result.data), end="")
    else:
        is_json = options.output.suffix.lower() == ".json"
        text = dumps(result.data) if is_json else dump(result.data)
        save(options.output, text, (options.document, *options.overlays))
    for line in log_lines(changes):
        print(line, file=sys.stderr)
    _show_notes(notes, verbose=True)
    return 0


def _init(options: argparse.Namespace) -> int:
    from pipeline.proposing import count_lists
    from pipeline.stages import shown
    from pipeline.starting import start

    with shown(5):
        made = start(options.source, options.output, options.allow_files)
    for file in made.files:
        print(f"wrote {file}")
    where = "" if options.output == Path() else f" --config {options.output / 'pyproject.toml'}"
    for cause in causes(made.problems):
        print("\n".join(cause.lines()), file=sys.stderr)
    if made.built is None:
        print("`generate` refuses this until an overlay fixes it.", file=sys.stderr)
    else:
        package = made.built.package
        number = sum(len(each.operations) for each in package.resources)
        every = number + len(package.left_out)
        what = count(number, "operation") if every == number else f"{number} of {every} operations"
        resources = count(len(package.resources), "resource")
        print(f"{what} in {resources}.")
        _show_notes(made.built.notes, verbose=False, shown=("read-only",))
        lists = sum(map(count_lists, made.built.effective.documents.values()))
        if lists:
            what = "a paged list" if lists == 1 else "paged lists"
            guess = f"`{as_typed('propose', where)}` guesses the details."
            print(f"{count(lists, 'operation')} may be {what}: {guess}")
        named = sum(len(each.made) for each in made.built.effective.pins.values())
        if named:
            print(
                f"{count(named, 'name')} had to be chosen: review them in names/, and commit "
                "that folder."
            )
    print(f"Read the files, then: {as_typed('generate', where)}")
    print(f"and: pip install {options.output / 'generated/client'}")
    return 0


def _propose(options: argparse.Namespace) -> int:
    from pipeline.proposing import propose
    from pipeline.steps import effective

    documents = effective(_config(options)).documents
    known = ", ".join(documents)
    if options.document is None and len(documents) > 1:
        raise PipelineError(Finding(f"give the name of one document: {known}"))
    name = options.document or next(iter(documents))
    if name not in documents:
        raise PipelineError(Finding(f"no document {name}; known are {known}"))
    text = propose(documents[name])
    if not text:
        print(_NOTHING, file=sys.stderr)
    elif options.output is None:
        print(text, end="")
    elif options.output.exists():
        raise PipelineError(Finding(f"{options.output} already exists, and is not overwritten"))
    else:
        put(options.output, text.encode())
        print(f"wrote {options.output}: read it, then list it among the overlays of {name}")
    return 0


def _show_notes(findings: Sequence[Finding], verbose: bool, shown: Collection[str] = ()) -> None:
    """Show what is left out, by its causes, and notes or how many; those of `shown` always.

    So are the first that say what is lost.
    """
    left_out = [finding for finding in findings if finding.severity == "left out"]
    notes = [
        finding
        for finding in findings
        if finding.severity == "note" and (verbose or finding.rule != "description")
    ]
    for finding in (each for each in notes if each.rule in _EACH):
        print(finding, file=sys.stderr)
    lost = [each for each in notes if each.loses and each.rule not in (*_EACH, *shown)]
    named = {id(each) for cause in causes(lost)[:_LOST] for each in cause.findings}
    rest = [
        each
        for each in notes
        if each.rule not in _EACH and (verbose or each.rule in shown or id(each) in named)
    ]
    for cause in causes([*left_out, *rest]):
        print("\n".join(cause.lines()), file=sys.stderr)
    if left_out:
        number = count(len(left_out), "operation")
        print(f"{number} left out; the client's README lists them.", file=sys.stderr)
    hidden = [each for each in notes if each.rule not in _EACH and each not in rest]
    if hidden:
        more = "more " if len(hidden) < len(notes) else ""
        what = count(len(hidden), f"{more}note")
        print(f"{what}, which `generate --verbose` shows.", file=sys.stderr)


def _config(options: argparse.Namespace) -> Config:
    """Return the configuration, with what the options of a command add."""
    config = load_config(options.config)
    allowed = tuple(options.allow_files)
    sources = (replace(each, allow_files=each.allow_files + allowed) for each in config.sources)
    return replace(config, sources=tuple(sources))


def _folder(text: str) -> Path:
    """Read the argument of an option that names a folder."""
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no folder")
    return Path(text)


class _Version(argparse.Action):
    """Shows the version, which is read only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import packages_distributions, version

        package = __name__.partition(".")[0]
        installed = packages_distributions().get(package)
        number = version(installed[0]) if installed else "unknown: it runs from a checkout"
        print(f"openapi-pipeline, version {number}")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=program(),
        description="Generate a typed Python client from OpenAPI documents and overlays.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    # fmt: off
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, text, run in (
        ("generate", "Write the client, the documents and the register.", _generate),
        ("check", "Check that the output of `generate` is current; write nothing.", _check),
        ("lint", "Report every problem in documents, overlays and the register.", _lint),
        ("gaps", "Show the register as a page; compare recorded traffic with it, propose overlays.",
         _gaps),
        ("propose", "Guess which operations are paged lists or streams; print an overlay.",
         _propose),
        ("init", "Write a configuration and a first overlay for a document.", _init),
        ("overlay", "Apply OpenAPI Overlays (1.0, 1.1, 1.2) to a document.", _overlay),
    ):
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(run=run)
        add = sub.add_argument
        if name not in ("init", "overlay"):
            add("--config", type=Path, default=Path("pyproject.toml"), metavar="FILE",
                help="TOML file with the table [tool.pipeline] (default: %(default)s)")
        if name != "overlay":
            add("--allow-files", type=_folder, action="append", default=[], metavar="DIR",
                help="another folder from which a document may include files; repeatable")
        if name == "generate":
            add("--drop-assumed", action="append", default=[], metavar="GAP",
                help="drop assumptions about a gap that the documents now state; repeatable")
            add("--force", action="store_true",
                help="replace generated files even where somebody edited them")
        if name in ("generate", "check"):
            add("-v", "--verbose", action="store_true", help="show every note and every file")
        elif name == "lint":
            add("-a", "--all", action="store_true", help="show every finding")
        elif name == "gaps":
            add("--evidence", type=Path, nargs="+", default=[], metavar="RECORDING",
                help="recordings (.yaml), HAR files (.har), or folders of them")
            add("--page", type=Path, metavar="FILE",
                help="write what is documented, assumed, confirmed and open, by operation, as an "
                     "HTML page; needs no --evidence")
            add("-o", "--output", type=Path, metavar="DIR",
                help="write proposed overlays to DIR/NAME/traffic.yaml; nothing is overwritten")
            add("--address", action="append", default=[], metavar="NAME=URL",
                help="base address of a document, which HAR files need")
            add("--client", choices=("own", "other"),
                help="which client sent the traffic: own (the generated one) or other (default: "
                     "by its user agent; own if there is none)")
            add("-a", "--all", action="store_true",
                help="show everything that was seen of each gap, and every overlay")
            add("--html", type=Path, metavar="FILE",
                help="write the report, with a table of requests and responses, as an HTML page")
            add("--strict", action="store_true",
                help="exit with status 1 if traffic contradicts an assumption or a document")
        elif name == "propose":
            add("document", nargs="?", metavar="DOCUMENT",
                help="its name in the configuration; needed if that has several")
            add("-o", "--output", type=Path, metavar="FILE",
                help="output file (default: standard output); nothing is overwritten")
        elif name == "init":
            add("source", metavar="URL-or-FILE", help="an OpenAPI document, 3.0 to 3.2")
            add("-o", "--output", type=Path, default=Path(), metavar="DIR",
                help="folder for the new files (default: here); nothing is overwritten")
        else:
            add("document", type=Path, metavar="DOCUMENT")
            add("overlays", type=Path, nargs="+", metavar="OVERLAY")
            add("-o", "--output", type=Path, metavar="FILE",
                help="output file (default: standard output); JSON if FILE ends in .json")
            add("--lenient", action="store_true", help="accept targets that match nothing")
    # fmt: on
    return parser
