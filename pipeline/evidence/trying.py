"""Try proposed overlays: laid over the documents, linted, and compared with the same traffic."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from pathlib import Path

from pipeline.config import Config
from pipeline.evidence.proposing import FILE, Proposals, texts
from pipeline.evidence.report import Report
from pipeline.openapi.files import naming
from pipeline.openapi.problems import PipelineError
from pipeline.steps import Effective, build_package, effective


def sound(
    config: Config,
    proposals: Proposals,
    doubtful: Collection[str],
    again: Callable[[Effective], Report],
) -> tuple[Proposals, dict[str, str]]:
    """Return the proposals after which documents are right, and traffic is not against them.

    The `doubtful` gaps for which that fails are left out, and returned with the reason; `again`
    compares the traffic with other documents.
    """
    refused: dict[str, str] = {}

    def narrow(gaps: list[str]) -> None:
        """Find those that make no document: half by half."""
        found = _made(config, only(proposals, gaps)) if gaps else ""
        if not isinstance(found, str) or not gaps:
            return
        if half := len(gaps) // 2:
            narrow(gaps[:half])
            narrow(gaps[half:])
        else:
            refused[gaps[0]] = f"what was seen does not make a valid document: {found}"

    if isinstance(made := _made(config, proposals), str):
        narrow(list(doubtful))
        made = _made(config, without(proposals, refused))
    for verdict in again(made).verdicts if not isinstance(made, str) else ():
        is_tried = verdict.gap.id in doubtful and verdict.gap.id not in refused
        if is_tried and verdict.state in ("refuted", "contradictory"):
            refused[verdict.gap.id] = "no tried overlay agrees with all traffic"
    return without(proposals, refused), refused


def without(proposals: Proposals, gaps: Collection[str]) -> Proposals:
    """Return the proposals for all gaps but some."""
    return only(proposals, [gap for own in proposals.values() for gap in own if gap not in gaps])


def only(proposals: Proposals, gaps: Iterable[str]) -> Proposals:
    """Return the proposals for some gaps."""
    chosen = {*gaps}
    own = {
        name: {gap: actions for gap, actions in by_gap.items() if gap in chosen}
        for name, by_gap in proposals.items()
    }
    return {name: by_gap for name, by_gap in own.items() if by_gap}


def _made(config: Config, proposals: Proposals) -> Effective | str:
    """Return the documents with proposed overlays, or what is wrong with them."""
    with tempfile.TemporaryDirectory() as folder:
        sources = []
        for source in config.sources:
            own = Path(folder, source.name)
            own.mkdir()
            for file in source.confirmed_files():
                shutil.copy(file, own)
            if by_gap := proposals.get(source.name):
                text = texts({source.name: by_gap})[source.name]
                with naming(own / FILE):
                    (own / FILE).write_text(text, encoding="utf-8", newline="\n")
            sources.append(replace(source, confirmed=own))
        tried = replace(config, sources=tuple(sources))
        try:
            made = effective(tried, causes=False)  # they stand in a file that is gone then
            errors = [finding for finding in made.findings if finding.severity == "error"]
            if not errors:
                build_package(tried, made)
        except PipelineError as error:
            errors = [*error.findings]
    return errors[0].message if errors else made
