"""A file with rules of one's own for redaction.

fields: [customer_name]                    # whatever is in a field with this name
patterns:                                  # whatever matches, in any text
- {name: contract, regex: "C-[0-9]{6}"}
headers: [x-request-id]                    # headers that are kept besides the usual ones
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from social_publishing_sandbox.recording.model import RecordingError
from social_publishing_sandbox.recording.redaction import NEVER_ALLOWED, Rules
from social_publishing_sandbox.state import yamls
from social_publishing_sandbox.state.reading import ReadingError, Value


def load(path: Path) -> Rules:
    """Read a file with rules."""
    try:
        fields = yamls.read(path).fields("", "fields patterns headers")
        return Rules(
            tuple(_names(fields.get("fields"))),
            tuple(map(_pattern, fields["patterns"].items() if "patterns" in fields else ())),
            tuple(_names(fields.get("headers"), NEVER_ALLOWED)),
        )
    except ReadingError as error:
        raise RecordingError(str(error)) from None


def _names(node: Value | None, never: Collection[str] = ()) -> Iterator[str]:
    for item in node.items() if node else ():
        name = item.text()
        if not re.search(r"[^\W_]", name):
            item.fail("expected a name with letters or digits")
        if name.lower() in never:
            item.fail("this header carries secrets and is never kept")
        yield name


def _pattern(node: Value) -> tuple[str, re.Pattern[str]]:
    fields = node.fields("name regex", "")
    name = fields["name"].text()
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        fields["name"].fail("expected lower-case letters, digits and dashes")
    try:
        pattern = re.compile(fields["regex"].text())
    except re.error as error:
        fields["regex"].fail(f"not a regular expression: {error}")
    if pattern.search(""):
        fields["regex"].fail("matches the empty text")
    return name, pattern
