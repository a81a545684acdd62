"""The little Markdown of the gaps' texts, as HTML."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup, escape

_CODE: Final = re.compile("`([^`]+)`")


def marked_up(text: str) -> Markup:
    """The text with what stands between backticks as code; all else is plain text."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))
