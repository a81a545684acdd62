"""Texts of documents as people read them in docstrings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.codegen import prose
from pipeline.codegen.prose import WIDTH, without_html, wrap


def test_paragraphs_and_items_begin_on_lines_of_their_own() -> None:
    text = """a: One
    sentence.

    Another:
    * an item that
      goes on
    - another
    1. the first
    2) the second"""
    assert wrap(text, hanging=4) == [
        "a: One sentence.",
        "",
        "    Another:",
        "    * an item that goes on",
        "    - another",
        "    1. the first",
        "    2) the second",
    ]
    first, second = wrap("- " + "word " * 20, WIDTH - 60)
    assert first.startswith("- word") and second.startswith("  word")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("<b>Scope: </b><code>a:read</code>", "Scope: `a:read`"),
        ("a<br/>b", "a\n\nb"),
        ("<p class='x'>One</p>", "One"),
        ("<ul><li>One</li> <li>Two</li></ul>", "- One \n- Two"),
        ('See <a target="_blank" href="https://a.invalid">this page</a>.',
         "See this page (https://a.invalid)."),
        ("<tr><td>a</td> <td>b</td></tr>", "a, b"),
        ("1 &lt; 2 &amp;&nbsp;3", "1 < 2 &\xa03"),
        ("`<b>` is bold, `&amp;` an ampersand", "`<b>` is bold, `&amp;` an ampersand"),
        ("if a<b and c>d, say <your name>", "if a<b and c>d, say <your name>"),
        ("R&D, a & b; AT&T;", "R&D, a & b; AT&T;"),
    ],
)  # fmt: skip
def test_html_becomes_plain_text(text: str, plain: str) -> None:
    assert without_html(text).strip() == plain


@given(st.text("ab<>/&;`p \n", max_size=40))
def test_any_text_can_be_wrapped(text: str) -> None:
    assert all(len(line) <= WIDTH for line in wrap(text, 8, 4))


@pytest.mark.parametrize("end", [*".!?:", ""])
def test_how_a_sentence_ends_and_where_a_note_stands(end: str) -> None:
    assert prose.sentence(f"Its start{end} ") == f"Its start{end or '.'}"
    ends = end if end in ".!?" else ""
    assert (
        prose.noted(f"Its start{end}", "assumed") == f"Its start{end[len(ends) :]} (assumed){ends}"
    )


def test_notes_on_the_first_sentence_stay_with_it() -> None:
    """One that says "This" is of the sentence before it; others are of the whole text."""
    this, other = "This is assumed (a.b).", "Null is assumed (a.c)."
    for text, first in (
        (f"One. {this} Two. {other}", f"One. {this} {other}"),
        (f"One. Two. {this}", "One."),
        ("", ""),
    ):
        assert prose.first_sentence(text) == first
