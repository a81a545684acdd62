"""Make of any honest document one that can be read: OpenAPI 3.1 or 3.2, valid, with clear names.

    revision → credentials, corners, error_responses → mending
    revision → gap_names, outdated, lifting, mending, methods → naming → prepare;  gone

Each step changes what stands there and says so in a note; what it cannot mend is left to the lint.
A document in this project's manner is held to that manner instead: nothing is mended in it.
"""

from __future__ import annotations

from collections.abc import Collection

from pipeline.codegen.pins import Pins
from pipeline.openapi.documents import Document
from pipeline.openapi.problems import Finding
from pipeline.preparing.gap_names import name_pages
from pipeline.preparing.gone import leave_out_gone
from pipeline.preparing.lifting import lift
from pipeline.preparing.mending import mend
from pipeline.preparing.methods import Named
from pipeline.preparing.naming import name
from pipeline.preparing.outdated import leave_out_examples, leave_out_methods
from pipeline.preparing.revision import Revision

__all__ = ["Named", "Pins", "leave_out_gone", "prepare"]


def prepare(
    document: Document,
    overlays: Collection[str] = (),
    named: Named | None = None,
    pins: Pins | None = None,
    confirmed: Collection[str] = (),
) -> tuple[Document, list[Finding]]:
    """Return a document, with its overlays, as it is linted and read; and notes on what changed.

    Words of its overlays are ours; those of a document itself may be somebody else's words of the
    same name, and are mended like everything else. Examples that the `confirmed` ones among them
    have made wrong are left out. What other documents have named, and the names
    that are kept, are added to.
    """
    revision = Revision(document)
    name_pages(revision.data)
    if confirmed:
        leave_out_examples(revision, confirmed)
    lift(revision)
    named = Named() if named is None else named
    if document.is_native:
        leave_out_methods(revision)
        named.add(revision.run.operations)
    else:
        mend(revision, overlays)
        name(revision, named, Pins() if pins is None else pins)
    return revision.document, revision.notes
