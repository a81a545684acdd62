"""Proof that a client of any OpenAPI document behaves: what leaves, and what is read.

Nothing here reads views, templates or what the pipeline makes of a document. What a call has to be
comes from the document alone, as it was published; of the package only its public names are used.
"""
