"""Select what a client supports of an effective document, and report what is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from pipeline.codegen.ir import Api
from pipeline.config import Config, Operations, Source
from pipeline.following import under_references
from pipeline.lint import lint
from pipeline.openapi.documents import Document, found
from pipeline.openapi.leaving_out import LeftOut, leave_out, selected
from pipeline.openapi.model import DocumentModel, Operation
from pipeline.openapi.objects import as_list
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.tables import TableReader

if TYPE_CHECKING:
    from pipeline.codegen.parser import Reading
    from pipeline.codegen.readers import Agreement

_FOUND_BEFORE: Final = ("bundle", "documented")  # rules of errors that the lint finds in no part


@dataclass(frozen=True)
class SupportedApi:
    """The part of a document that a client supports, and what was left out."""

    document: Document
    api: Api
    left_out: tuple[LeftOut, ...]
    notes: tuple[Finding, ...]
    agreement: Agreement


def select_supported(
    config: Config, source: Source, document: Document, findings: Sequence[Finding]
) -> SupportedApi:
    """Return the part of a document that a client supports, given its findings.

    Raises PipelineError for errors outside of operations, and for every unsupported operation if
    the configuration does not allow leaving any out.
    """
    original, said = document, [finding for finding in findings if finding.severity == "note"]
    if source.include != source.exclude:
        document = selected(document, _wanted(config, source, document))
        own = [each for each in findings if each.rule in _FOUND_BEFORE]
        own = [each for each in own if not _is_gone(each, original, document)]
        findings = under_references(document, [*own, *lint(document)])
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors and config.on_uncarried == "refuse":
        raise PipelineError(*errors)
    first, refused = first_reading(document, strict=document.is_native and not errors)
    # With it comes the parser, which commands that only look at documents can do without.
    from pipeline.codegen.reader import read

    left_out: list[LeftOut] = []
    notes = [*refused]
    while True:
        errors = [finding for finding in findings if finding.severity == "error"]
        if not errors:
            try:
                api, read_notes, agreement = read(document, source.name, first, config.decimals)
                break
            except PipelineError as error:
                errors = list(error.findings)
        if config.on_uncarried == "refuse":
            raise PipelineError(*errors)
        try:
            document, lost, unused = leave_out(document, errors)
        except PipelineError as error:
            # What belongs to no operation may be wrong only since some are left out.
            causes = [reason for each in left_out for reason in each.reasons]
            raise PipelineError(*dict.fromkeys([*causes, *error.findings])) from None
        left_out += lost
        notes += unused
        findings = lint(document)
    selectable = DocumentModel(original).operations
    if not api.operations and ((left_out and selectable) or not api.webhooks):
        if left_out:
            why = f"all {len(left_out)} operations are left out"
        elif selectable:
            why = f"`include` and `exclude` select none of {len(selectable)} operations"
        else:
            why = "the document has no operation; write them under `paths`, each below its method"
        text = f"the client would have no method: {why}"
        notes.append(Finding(text, document.at(("paths",)), "empty", "note"))
    if left_out:
        order = {each.route: index for index, each in enumerate(selectable)}
        left_out.sort(key=lambda each: order.get(each.route, len(order)))
    if original.is_native and agreement.differences:
        raise PipelineError(*(replace(each, severity="error") for each in agreement.differences))
    said = [note for note in said if not _is_gone(note, original, document)]
    every = (*notes, *dict.fromkeys([*said, *findings]), *read_notes, *agreement.differences)
    return SupportedApi(document, api, tuple(left_out), every, agreement)


def _is_gone(note: Finding, before: Document, after: Document) -> bool:
    """Return whether a note is about an operation or a component that is left out."""
    pointer = note.pointer or ()
    part = pointer[: 4 if pointer[:2] == ("components", "pathItems") else 3]
    return found(before.data, part) is not None and found(after.data, part) is None


def require_first_reader() -> None:
    """Import the first reader.

    Raises:
        PipelineError: it is not installed, or in a version that it does not work with.
    """
    try:
        import pipeline.codegen.parser  # noqa: F401
    except ImportError as error:
        text = (
            "openapi-python-client is needed to read a document; install it with `pip install "
            f"openapi-python-client`: {error}"
        )
        raise PipelineError(Finding(text)) from error


def first_reading(document: Document, *, strict: bool = False) -> tuple[Reading, list[Finding]]:
    """Return what the first reader reads, or why it refuses the document; raise that if `strict`.

    It reads once, before anything is left out, so that places stay the same.
    """
    require_first_reader()
    from pipeline.codegen.parser import Reading, read

    try:
        return read(DocumentModel(document)), []
    except PipelineError as error:
        if strict:
            raise
        return Reading(), [
            replace(each, message=f"{each.message}; it is read here alone", severity="note")
            for each in error.findings
        ]


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
