"""Classes as pages tell of them, out of their source; and types with links to their headings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from generate_support import operation, operations, project, view_of

from pipeline.codegen import TEMPLATES
from pipeline.codegen.prose import linked
from pipeline.codegen.render import render
from pipeline.codegen.views.signatures import CallView, MemberView, Sources

SHELF = '''
from .marks import Mark

LONGEST = 1 << 4
Name: TypeAlias = "str | Callable[[], str]"

class _Base:
    """What both are made of.

    Attributes:
        marks: what is on it,
            on several lines.
    """

    def __init__(self, marks: list[Mark]) -> None: ...

    def close(self) -> None:
        """Close it."""

class Shelf(_Base, Generic[T]):
    """A shelf.

    It has: two paragraphs.

    Attributes:
        size, length: in metres.
        name: what it is called: "A".

    Raises:
        ValueError: it is too long.

    And a last word.
    """

    size: int = LONGEST
    name: Name

    @property
    def full(self) -> bool:
        """Whether it is.

        Really."""

    async def put(self, book: str, *, at: int = 0) -> None:
        """Put a book on it."""

    def _hidden(self) -> None: ...

class Made:
    """Made by arguments.

    Args:
        kind: which one.
    """

    def __new__(cls, kind: Literal['a', 'b'] = 'a', /, *, more: int = 3): ...
'''
MARKS = '''
class Mark(NamedTuple):
    """A mark.

    Attributes:
        text: it.
    """

    text: str
'''


@pytest.fixture(scope="module")
def sources() -> Sources:
    return Sources({"rooms.shelf": SHELF, "rooms.marks": MARKS})


def test_a_class_with_what_it_inherits(sources: Sources) -> None:
    found = sources.signature("rooms.shelf", "Shelf")
    assert found is not None
    assert found.doc == "A shelf.\n\nIt has: two paragraphs.\n\nAnd a last word."
    assert found.members == (
        # What a constructor takes need not be what the attribute is.
        MemberView("marks", "", "", "what is on it, on several lines."),
        MemberView("size, length", "int", "1 << 4", "in metres."),
        MemberView("name", "Name", "", 'what it is called: "A".'),
    )
    assert found.methods == (
        CallView("full", "Whether it is. Really."),
        CallView("put(book, at=…)", "Put a book on it."),
        CallView("close()", "Close it."),
    )


def test_arguments_where_they_are_what_is_documented() -> None:
    found = Sources({"shelf": SHELF}).signature("shelf", "Made")
    assert found is not None
    assert found.members == (MemberView("kind", 'Literal["a", "b"]', '"a"', "which one."),)


def test_names_of_types_and_names_from_elsewhere(sources: Sources) -> None:
    assert sources.aliases("rooms.shelf") == {"Name": "str | Callable[[], str]"}
    mark = sources.signature("rooms.shelf", "Mark")
    assert mark is not None and mark.members == (MemberView("text", "str", "", "it."),)
    assert sources.signature("rooms.shelf", "T") is None


@pytest.mark.parametrize(
    ("code", "cell", "text"),
    [
        ("int", False, "`int`"),
        ("Book", False, "[`Book`](#class-book)"),
        ("Found[Book]", False, "`Found[`[`Book`](#class-book)`]`"),
        ("Book | None", True, "[`Book`](#class-book)` \\| None`"),
        ('Literal["Book", "a\\"Book"]', False, '`Literal["Book", "a\\"Book"]`'),
        ("Bookcase", False, "`Bookcase`"),
        ("Book | Book", False, "[`Book`](#class-book)` | `[`Book`](#class-book)"),
    ],
)
def test_types_with_links(code: str, cell: bool, text: str) -> None:
    assert linked(code, {"Book": "class-book"}, cell=cell) == text


LIST = operation(
    answer={"$ref": "#/components/schemas/Book"},
    parameters=[
        {"name": "shelf", "in": "query", "required": True, "description": "A | B.",
         "schema": {"type": "string", "maxLength": 3}}
    ],
)  # fmt: skip
BOOK = {
    "type": "object", "description": "A book.", "x-section": "2", "required": ["title"],
    "properties": {
        "title": {"type": "string", "description": "Its name | title."},
        "colour": {"$ref": "#/components/schemas/Colour"},
    },
}  # fmt: skip
COLOUR = {
    "type": "integer", "description": "A colour", "x-extensible-enum": [1, 2],
    "x-enum-varnames": ["RED", "BLUE"],
}  # fmt: skip


def test_models_and_codes_are_in_the_page(tmp_path: Path) -> None:
    document = operations({"/books": {"get": LIST}}, Book=BOOK, Colour=COLOUR)
    page = render(view_of(project(tmp_path, document)), TEMPLATES)["api.md"]
    assert page.partition("## Models and codes")[2].partition("### class")[2] == BOOKS
    assert "| `shelf` | `str` | required | A \\| B. At most 3 characters. |" in page
    assert "Returns [`Book`](#class-book)" in page


BOOKS = """\
 Book

A book. §2.

| field | type | meaning |
|---|---|---|
| `title` | `str` | Its name \\| title. |
| `colour` | [`Colour`](#class-colour)` \\| None` | A colour. |

### class Colour

A colour.

The known values of an open set.

| name | value |
|---|---|
| `RED` | `1` |
| `BLUE` | `2` |

"""


def test_an_example_gives_no_argument_that_the_stream_sets(tmp_path: Path) -> None:
    asked = {"question": {"type": "string", "example": "why"}}
    asked |= {name: {"type": "boolean", "example": False} for name in ("stream", "deep")}
    body = {"type": "object", "required": [*asked], "properties": asked}
    answer = {"schema": {"type": "object", "properties": {"text": {"type": "string"}}}}
    made = operation("answer", **{"x-stream": {"sets": {"stream": True}}})
    made["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    offered = dict.fromkeys(("application/json", "text/event-stream"), answer)
    made["responses"]["200"] = {"description": "It.", "content": offered}
    document = operations({"/answers": {"post": made}})
    page = render(view_of(project(tmp_path, document)), TEMPLATES)["api.md"]
    calls = re.findall(r"client\.things\.(answer(?:_stream)?)\((.*)\)", page)
    given = {name: set(re.findall(r"(\w+)=", call)) for name, call in calls}
    assert given == {"answer": {*asked}, "answer_stream": {*asked} - {"stream"}}
