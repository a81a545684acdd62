"""Text for people: paragraphs, sentences, docstrings, limits in words."""

from __future__ import annotations

import html
import io
import itertools
import re
import textwrap
import tokenize
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

WIDTH = 100
_ITEM = r"(?:[-*•]|\d+[.)]) +(?=\S)"
_ENDS = r"(?:\s[^<>]*=[^<>]*|\s*)/?>"  # with what a tag ends
_TAG = (
    r"/?(?:a|b|br|code|div|em|h[1-6]|i|img|kbd|li|ol|p|pre|small|span|strong|sub|sup|table|tbody|td"
    r"|th|thead|tr|tt|u|ul)" + _ENDS
)
_HTML = (
    ("</?(?:code|tt|kbd)>", "`"),
    (r"<a\b[^<>]*?href=[\"']?([^\"'> ]+)[^<>]*>(.*?)</a>", r"\2 (\1)"),
    (rf"<li{_ENDS}\s*", "\n- "),
    (r"</t[dh]>\s*(?=<t[dh]\b)", ", "),
    (rf"</?(?:p|br|div|h[1-6]|ul|ol|table|tr){_ENDS}", "\n\n"),
    (f"<{_TAG}", ""),
)
ASSUMED = re.compile(r".*assumed \(([\w.-]+)\)\.")
"""A sentence that says what is assumed, with its gap: "Null is assumed (updatePost.null)." """
_FINEST = (("%f", "microsecond"), ("%S", "second"), ("%M", "minute"), ("%H", "hour"))


def wrap(text: str, indent: int = 0, hanging: int = 0) -> list[str]:
    """Return a text as lines, each paragraph and each item of a list wrapped.

    After the first line, everything is `hanging` deeper.
    """
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", without_html(text).strip()):
        lines += [""] * bool(lines)
        for piece in re.split(rf"\n(?=\s*{_ITEM})", paragraph):
            marker = re.match(_ITEM, piece.strip())
            inner = len(marker[0]) if marker else 0
            lines += textwrap.wrap(
                " ".join(piece.split()),
                width=WIDTH - indent,
                initial_indent=" " * (hanging if lines else 0),
                subsequent_indent=" " * (hanging + inner),
                break_long_words=False,
                break_on_hyphens=False,
            )
    return lines


def without_html(text: str) -> str:
    """Return a text with what its HTML means: paragraphs, items and code of Markdown."""
    if not re.search(rf"<{_TAG}|&#?\w+;", text):
        return text
    pieces = re.split(r"(`[^`\n]+`)", text)  # what is code already shows its tags
    for index in range(0, len(pieces), 2):
        for tag, meant in _HTML:
            pieces[index] = re.sub(tag, meant, pieces[index], flags=re.DOTALL)
        pieces[index] = html.unescape(pieces[index])
    return "".join(pieces)


def docstring(sections: Iterable[Iterable[str]], indent: int) -> str:
    """Return the literal of a docstring: sections of lines, with an empty line between them."""
    lines: list[str] = []
    for section in sections:
        paragraph = list(section)
        if paragraph:
            lines += [*([""] if lines else []), *paragraph]
    text = "\n".join(lines).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if re.search(r'(?<!\\)(\\\\)*"$', text):  # a quote that is not escaped yet
        text = text[:-1] + '\\"'
    pad = " " * indent
    body = textwrap.indent(text, pad)[indent:]
    return f'"""{body}"""' if "\n" not in body else f'"""{body}\n{pad}"""'


def inside(text: str) -> str:
    """Return a text as one line in the middle of a docstring's literal."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"' if '""' in text else '"')


def sentence(text: str) -> str:
    """Return the text with a full stop."""
    text = text.strip()
    return text if not text or text[-1] in ".!?:" else text + "."


def noted(text: str, note: str) -> str:
    """Return a text with a note in brackets before its full stop: "Its start (assumed)." """
    text = text.strip()
    if not text:
        return f"{note.capitalize()}."
    end = text[-1] if text[-1] in ".!?" else ""
    return f"{text.removesuffix(end)} ({note}){end}"


def uncited(text: str) -> str:
    """Return a text without the sections that it cites in brackets: "(§4.1, §8)"."""
    return re.sub(r"\s*\(§[\d.]+(?:, §[\d.]+)*\)", "", text)


def linked(code: str, anchors: Mapping[str, str], *, cell: bool = False) -> str:
    """Return code in Markdown, in which names lead to headings; a `cell` is one of a table."""
    pieces: list[str] = []
    end = 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.NAME and token.string in anchors:
            between = code[end : token.start[1]]
            pieces += [f"`{between}`"] * bool(between)
            pieces.append(f"[`{token.string}`](#{anchors[token.string]})")
            end = token.end[1]
    text = "".join([*pieces, *[f"`{code[end:]}`"] * bool(code[end:])])
    return text.replace("|", "\\|") if cell else text


def listed(names: Sequence[str]) -> str:
    """Return names as one reads them: "a, b and c"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, each on one line."""
    return re.split(r"(?<=[.!?])\s+", " ".join(text.split())) if text.strip() else []


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, and the notes on what is assumed of it, on one line."""
    first, *others = sentences(text) or [""]
    notes = [
        each
        for before, each in itertools.pairwise([first, *others])
        if ASSUMED.fullmatch(each) and (before == first or not each.startswith("This "))
    ]
    return " ".join([first, *notes])


def with_linked_gaps(text: str, gaps: Collection[str]) -> str:
    """Return a page in Markdown on which notes on what is assumed lead to the list of gaps."""

    def link(note: re.Match[str]) -> str:
        return f"assumed ([{note[1]}](#gaps))." if note[1] in gaps else note[0]

    return re.sub(ASSUMED.pattern.removeprefix(".*"), link, text)


def limits(schema: Mapping[str, Any], sign: str = "character") -> str:
    """Return the limits of a schema in words: "At most 50 characters." A length counts signs."""
    phrases = []
    for word, unit in (("Length", sign), ("Items", "item"), ("Properties", "member")):
        for end, text in (("min", "at least"), ("max", "at most")):
            if (many := schema.get(f"{end}{word}")) is not None:
                phrases.append(f"{text} {many} {unit}{'' if many == 1 else 's'}")
    for word, text in (
        ("minimum", "at least"),
        ("exclusiveMinimum", "more than"),
        ("maximum", "at most"),
        ("exclusiveMaximum", "less than"),
        ("multipleOf", "a multiple of"),
    ):
        if word in schema:
            phrases.append(f"{text} {schema[word]}")
    if "x-max-bytes" in schema:
        phrases.append(f"at most {schema['x-max-bytes']:,} bytes")
    if "x-file-extensions" in schema:
        exact = ", in small letters" if schema.get("x-file-extension-case") == "exact" else ""
        phrases.append(f"extension one of {', '.join(schema['x-file-extensions'])}{exact}")
    if "x-datetime-format" in schema:
        zone = schema.get("x-timezone")
        unit = next((unit for mark, unit in _FINEST if mark in schema["x-datetime-format"]), "day")
        phrases.append(f"sent to the {unit}" + (f", in {zone}" if zone else ""))
    if "x-boolean-format" in schema:
        true, _, false = schema["x-boolean-format"].partition("/")
        phrases.append(f"sent as `{true}` for true and `{false}` for false")
    if schema.get("format") == "iana-timezone":
        phrases.append("a name of the IANA time zone database")
    text = "; ".join(phrases)
    return text[:1].upper() + text[1:] + "." if text else ""
