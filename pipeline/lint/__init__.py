"""Find what is wrong with an effective document, before anything is generated from it.

A document is read once into a list of nodes (its schemas, parameters, operations …); each rule
then looks at the nodes that concern it. An `error` is what cannot be generated from; a `note` is
what generated code does not carry or what a document of one's own should do better.

A document whose root has `x-sections` is written in this project's manner, and is held to it: each
thing is described, each keyword known, each example right. In other documents these findings are
notes.

    run → one module a family of rules, its `RULES` at the end → lint
"""

from __future__ import annotations

from typing import Final

from pipeline.lint import (
    calls,
    carried,
    descriptions,
    examples,
    operations,
    python_names,
    references,
    standard,
    words,
    write_backs,
)
from pipeline.lint.assumed import assumed
from pipeline.lint.run import Run
from pipeline.lint.words import rate_limits
from pipeline.openapi.documents import Document
from pipeline.openapi.problems import Finding, in_order

__all__ = ["assumed", "lint", "rate_limits"]

_FAMILIES: Final = (
    standard, references, operations, descriptions, examples, words, calls,
    write_backs, carried, python_names,
)  # fmt: skip


def lint(document: Document) -> list[Finding]:
    """Return everything that is wrong with a bundled OpenAPI 3.1 document, in order of position.

    Never raises for a document that is wrong, whatever its shape.
    """
    run = Run(document)
    for family in _FAMILIES:
        for rule in family.RULES:
            rule(run)
    return in_order(run.findings)
