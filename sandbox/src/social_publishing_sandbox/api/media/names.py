"""File names that came from elsewhere: read from headers, and made safe to show and to store."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

LONGEST = 255
"""How many characters a file name keeps; most file systems hold no more."""

_PARAMETER = re.compile(
    r""";\s* (?P<name>[^\s=;"]+) \s*=\s*
    (?: "(?P<quoted>(?:[^"\\]|\\.)*)" | (?P<token>[^\s;"]*) ) \s*""",
    re.VERBOSE | re.DOTALL,
)


def decode(header: bytes) -> str:
    """Return the text of a header: UTF-8, as browsers send it, else Latin-1."""
    try:
        return header.decode()
    except UnicodeDecodeError:
        return header.decode("latin-1")


def parameters(header: str) -> tuple[str, dict[str, str]]:
    """Return the lower-case value of a header such as Content-Disposition, and its parameters."""
    value = header.partition(";")[0]
    by_name: dict[str, str] = {}
    at = len(value)
    while at < len(header.rstrip(" \t;")):
        match = _PARAMETER.match(header, at)
        if match is None:
            raise ValueError(f"cannot be read from character {at + 1} on")
        name = match["name"].lower()
        if name in by_name:
            raise ValueError(f"has the parameter {name} twice")
        quoted = match["quoted"]
        # Only these two are escapes: a path such as C:\images\cat.png is sent as it is.
        by_name[name] = match["token"] if quoted is None else re.sub(r'\\(["\\])', r"\1", quoted)
        at = match.end()
    return value.strip().lower(), by_name


def file_name(disposition: dict[str, str]) -> str | None:
    """Return the file name among the parameters of a Content-Disposition; `filename*` (RFC 5987)
    counts more than `filename`.
    """
    extended = disposition.get("filename*")
    if extended is None:
        return disposition.get("filename")
    charset, quote, rest = extended.partition("'")
    _, second_quote, encoded = rest.partition("'")
    if not (quote and second_quote):
        raise ValueError("has a filename* that is not charset'language'name")
    try:
        return unquote(encoded, encoding=charset, errors="strict")
    except (LookupError, UnicodeDecodeError) as error:
        raise ValueError(f"has a filename* that is not text in {charset!r}") from error


def safe_name(name: str) -> str:
    """Return the last component of a name, without folders, cut to `LONGEST` characters.

    What it gives is a name to show and to remember. It is still no path to write to.
    """
    last = re.split(r"[/\\]", name)[-1].strip()
    if any(unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} for character in last):
        raise ValueError("has control characters")
    if last.strip(".") == "":
        raise ValueError("is empty")
    if len(last) <= LONGEST:
        return last
    stem, dot, suffix = last.rpartition(".")
    if not stem or len(suffix) > 16:
        return last[:LONGEST]
    return stem[: LONGEST - len(dot + suffix)] + dot + suffix


def extension(name: str) -> str:
    """Return a file name's extension in lower case, without its dot; empty when it has none."""
    stem, _, suffix = name.rpartition(".")
    return suffix.lower() if stem else ""
