"""The register of gaps: what a service does not show, and what was decided about it.

A register is a YAML file with a list `gaps`. Each has an `id`; documents say `x-gap: ID` where
they stand for something that is not shown, and overlays say it in `x-assumption` or
`x-confirmed`. A gap is decided in one of two ways: `overlay`, it is filled by at least one action,
or `open`, it is left as it is, for a reason.
"""

from __future__ import annotations

from pipeline.gaps.alike import alike
from pipeline.gaps.checking import check
from pipeline.gaps.contradictions import contradictions
from pipeline.gaps.documented import said_now
from pipeline.gaps.dropping import drop
from pipeline.gaps.labelling import labelled
from pipeline.gaps.pages import markdown
from pipeline.gaps.register import Gap, Register, load_register
from pipeline.gaps.rows import embed
from pipeline.gaps.uses import Use, use

__all__ = [
    "Gap",
    "Register",
    "Use",
    "alike",
    "check",
    "contradictions",
    "drop",
    "embed",
    "labelled",
    "load_register",
    "markdown",
    "said_now",
    "use",
]
