"""From an effective document to what a client carries of it; the rest is left out by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pipeline.codegen.ir import Api
from pipeline.config import Config, Operations, Source
from pipeline.lint import lint
from pipeline.openapi.documents import Document
from pipeline.openapi.leaving_out import LeftOut, leave_out, selected
from pipeline.openapi.model import DocumentModel, Operation
from pipeline.openapi.objects import as_list
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.tables import TableReader


@dataclass(frozen=True)
class SupportedApi:
    """The part of a document that a client carries, and what was left out of it."""

    document: Document
    api: Api
    left_out: tuple[LeftOut, ...]
    notes: tuple[Finding, ...]


def select_supported(
    config: Config, source: Source, document: Document, findings: Sequence[Finding]
) -> SupportedApi:
    """Return what a client carries of a document that has these findings.

    Raises PipelineError for what belongs to no operation, or, where the configuration refuses to
    leave out anything, for all that cannot be carried.
    """
    # This loads the parser, which commands that only look at documents can do without.
    from pipeline.codegen.reader import read

    original = document
    if source.include != source.exclude:
        document = selected(document, _wanted(config, source, document))
        findings = lint(document)
    left_out: list[LeftOut] = []
    notes: list[Finding] = []
    while True:
        errors = [finding for finding in findings if finding.severity == "error"]
        if not errors:
            try:
                api, read_notes = read(document, source.name, config.decimals)
                break
            except PipelineError as error:
                errors = list(error.findings)
        if config.on_uncarried == "refuse":
            raise PipelineError(*errors)
        document, lost, unused = leave_out(document, errors)
        left_out += lost
        notes += unused
        findings = lint(document)
    if left_out and not api.operations:
        text = f"the client has no method: all {len(left_out)} operations are left out"
        notes.append(Finding(text, document.at(()), "empty", "note"))
    if left_out:
        operations = DocumentModel(original).operations
        order = {each.route: index for index, each in enumerate(operations)}
        left_out.sort(key=lambda each: order[each.route])
    return SupportedApi(document, api, tuple(left_out), (*notes, *findings, *read_notes))


def _wanted(config: Config, source: Source, document: Document) -> Callable[[Operation], bool]:
    """Return whether the configuration wants an operation."""
    operations = DocumentModel(document).operations
    problems = []
    for member, selection in (("include", source.include), ("exclude", source.exclude)):
        for kind, patterns in vars(selection).items():
            for pattern in patterns:
                one = Operations(**{kind: (pattern,)})
                if not any(_selects(one, each) for each in operations):
                    place = f"tool.pipeline.documents.{source.name}.{member}"
                    text = f"{place}: no operation has {pattern!r} among its {kind}"
                    at = TableReader(config.file).position(place)
                    problems.append(Finding(text, at, "config"))
    if problems:
        raise PipelineError(*problems)
    everything = source.include == Operations()
    return lambda each: (
        (everything or _selects(source.include, each)) and not _selects(source.exclude, each)
    )


def _selects(selection: Operations, operation: Operation) -> bool:
    own = {
        "tags": as_list(operation.value.get("tags")),
        "paths": [operation.path],
        "operations": [operation.value.get("operationId")],
    }
    return any(
        fnmatchcase(str(name), pattern)
        for kind, patterns in vars(selection).items()
        for pattern in patterns
        for name in own[kind]
    )
