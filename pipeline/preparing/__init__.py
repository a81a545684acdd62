"""Make of any honest document one that can be read: OpenAPI 3.1 or 3.2, valid, with clear names.

    revision → lifting, mending, naming → prepare

Each step changes what stands there and says so in a note; what it cannot mend is left to the lint.
A document in this project's manner is held to that manner instead: nothing is mended in it.
"""

from __future__ import annotations

from collections.abc import Collection

from pipeline.openapi.documents import Document
from pipeline.openapi.problems import Finding
from pipeline.preparing.lifting import lift
from pipeline.preparing.mending import mend
from pipeline.preparing.naming import name
from pipeline.preparing.revision import Revision

__all__ = ["prepare"]


def prepare(document: Document, overlays: Collection[str] = ()) -> tuple[Document, list[Finding]]:
    """Return a document, with its overlays, as it is linted and read; and notes on what changed.

    Args:
        overlays: the files of its overlays. Their words are ours; those of a document itself may
            be somebody else's words of the same name, and are mended like everything else.

    Raises:
        PipelineError: it is no OpenAPI document of a version that is read.
    """
    revision = Revision(document)
    lift(revision)
    if "x-sections" not in revision.data:
        mend(revision, overlays)
        name(revision)
    return revision.document, revision.notes
