"""Media: files as they come in, what they are, and pictures of them (parts 2.11 and 4.7)."""

from __future__ import annotations

from .drawing import draw, draw_avatar, sample_pdf, sample_video
from .facts import KINDS, Facts, MediaType, inspect
from .fetching import FetchFailed, fetch
from .forms import BadForm, FormLimits, body, read_form
from .names import extension
from .pictures import Unreadable
from .storing import NoSpace, Upload
from .thumbnails import thumbnail

__all__ = [
    "KINDS",
    "BadForm",
    "Facts",
    "FetchFailed",
    "FormLimits",
    "MediaType",
    "NoSpace",
    "Unreadable",
    "Upload",
    "body",
    "draw",
    "draw_avatar",
    "extension",
    "fetch",
    "inspect",
    "read_form",
    "sample_pdf",
    "sample_video",
    "thumbnail",
]
