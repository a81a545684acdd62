"""Read file names from headers, and make them safe to show and to store."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 255
"""How many characters a file name keeps; most file systems hold no more."""


def decode(header: bytes) -> str:
    """Return the text of a header: UTF-8, as browsers send it, else Latin-1."""
    try:
        return header.decode()
    except UnicodeDecodeError:
        return header.decode("latin-1")


def parameters(header: str) -> tuple[str, dict[str, str]]:
    """Return the lower-case value of a header such as Content-Disposition, and its parameters.

    Of a parameter that is there twice the last counts; `filename*` (RFC 5987), which has no place
    in a form (RFC 7578, §4.2), is passed over.
    """
    from python_multipart.multipart import parse_options_header  # uploads alone need it

    # As bytes: of a text it takes Latin-1 alone, and file names have other letters.
    kind, options = parse_options_header(header.encode())
    by_name = {decode(name).strip().lower(): decode(value) for name, value in options.items()}
    return decode(kind).strip(), by_name


def safe_name(name: str) -> str:
    """Return the last component of a name, without folders, cut to `LONGEST` characters.

    Use the result to show and to store a name, never as a path to write to.
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


def extension(name: str, *, exact: bool = False) -> str:
    """Return a file name's extension without its dot, in lower case unless it is to be `exact`;
    empty when it has none.
    """
    stem, _, suffix = name.rpartition(".")
    return (suffix if exact else suffix.lower()) if stem else ""
