"""Media: files as they come in, what they are, and pictures of them (§2.11, §4.7)."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

from social_publishing_sandbox.state.file_types import EXTENSIONS, MediaType

if TYPE_CHECKING:
    from social_publishing_sandbox.api.media.drawing import draw, sample_pdf, sample_video
    from social_publishing_sandbox.api.media.facts import Facts, inspect
    from social_publishing_sandbox.api.media.fetching import FetchFailed, fetch
    from social_publishing_sandbox.api.media.forms import BadForm, FormLimits, read_form
    from social_publishing_sandbox.api.media.names import extension
    from social_publishing_sandbox.api.media.pictures import Unreadable
    from social_publishing_sandbox.api.media.storing import NoSpace, Upload
    from social_publishing_sandbox.api.media.thumbnails import thumbnail

__all__ = [
    "EXTENSIONS",
    "BadForm",
    "Facts",
    "FetchFailed",
    "FormLimits",
    "MediaType",
    "NoSpace",
    "Unreadable",
    "Upload",
    "draw",
    "extension",
    "fetch",
    "inspect",
    "read_form",
    "sample_pdf",
    "sample_video",
    "thumbnail",
]

_HOMES: Final = {
    "BadForm": "forms",
    "Facts": "facts",
    "FetchFailed": "fetching",
    "FormLimits": "forms",
    "NoSpace": "storing",
    "Unreadable": "pictures",
    "Upload": "storing",
    "draw": "drawing",
    "extension": "names",
    "fetch": "fetching",
    "inspect": "facts",
    "read_form": "forms",
    "sample_pdf": "drawing",
    "sample_video": "drawing",
    "thumbnail": "thumbnails",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for: without files there is no need of pictures and an HTTP client."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
