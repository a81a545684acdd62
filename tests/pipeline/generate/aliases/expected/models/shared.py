# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Models that several resources use."""

from collections.abc import Sequence
from typing import Annotated

from .._runtime.core.models import Meta

__all__ = [
    "Id",
    "Ids",
]

Id = Annotated[str, Meta(pattern=r"^\d+$")]
"""A number in a text."""

Ids = Annotated[Sequence[Id], Meta(max_length=2)]
"""Several."""
