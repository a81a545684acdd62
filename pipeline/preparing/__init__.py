"""Make of any honest document one that can be read: OpenAPI 3.1 or 3.2, valid, with clear names.

    draft → lifting, mending, naming → prepare

Each step changes what stands there and says so in a note; what it cannot mend is left to the lint.
A document in this project's manner is held to that manner instead: nothing is mended in it.
"""

from __future__ import annotations

from pipeline.openapi.documents import Document
from pipeline.openapi.problems import Finding
from pipeline.preparing.draft import Draft
from pipeline.preparing.lifting import lift
from pipeline.preparing.mending import mend
from pipeline.preparing.naming import name

__all__ = ["prepare"]


def prepare(document: Document) -> tuple[Document, list[Finding]]:
    """Return a document, with its overlays, as it is linted and read; and notes on what changed.

    Raises:
        PipelineError: it is no OpenAPI document of a version that is read.
    """
    draft = Draft(document)
    lift(draft)
    if "x-sections" not in draft.data:
        mend(draft)
        name(draft)
    return draft.document, draft.notes
