"""Media: files as they come in, what they are, and pictures of them (parts 2.11 and 4.7)."""

from __future__ import annotations

from social_publishing_sandbox.filetypes import EXTENSIONS, MediaType
from social_publishing_sandbox.media.drawing import draw, draw_avatar, sample_pdf, sample_video
from social_publishing_sandbox.media.facts import Facts, inspect
from social_publishing_sandbox.media.fetching import FetchFailed, fetch
from social_publishing_sandbox.media.forms import BadForm, FormLimits, read_form
from social_publishing_sandbox.media.names import extension
from social_publishing_sandbox.media.pictures import Unreadable
from social_publishing_sandbox.media.storing import NoSpace, Upload
from social_publishing_sandbox.media.thumbnails import thumbnail

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
    "draw_avatar",
    "extension",
    "fetch",
    "inspect",
    "read_form",
    "sample_pdf",
    "sample_video",
    "thumbnail",
]
