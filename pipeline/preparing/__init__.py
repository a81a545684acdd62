"""Make of any honest document one that can be read: OpenAPI 3.1 or 3.2, valid, with clear names.

    revision → lifting, mending, naming → prepare

Each step changes what stands there and says so in a note; what it cannot mend is left to the lint.
A document in this project's manner is held to that manner instead: nothing is mended in it.
"""

from __future__ import annotations

from pipeline.openapi.documents import Document
from pipeline.openapi.problems import Finding
from pipeline.preparing.lifting import lift
from pipeline.preparing.mending import mend
from pipeline.preparing.naming import name
from pipeline.preparing.revision import Revision

__all__ = ["prepare"]


def prepare(document: Document) -> tuple[Document, list[Finding]]:
    """Return a document, with its overlays, as it is linted and read; and notes on what changed.

    Raises:
        PipelineError: it is no OpenAPI document of a version that is read.
    """
    revision = Revision(document)
    lift(revision)
    if "x-sections" not in revision.data:
        mend(revision)
        name(revision)
    return revision.document, revision.notes
