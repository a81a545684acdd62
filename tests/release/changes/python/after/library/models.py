# ruff: noqa: F821
from typing import Annotated

__all__ = ["Book", "BookInput", "Genre"]


class Genre(TextCode):
    NOVEL = "novel"
    POEM = "verse"
    PLAY = "play"


class Book(ResponseModel, kw_only=True):
    id: str
    name: str | None = MISSING
    pages: str | None = MISSING
    rating: float | None = MISSING
    shelf: str | None = field(default=MISSING, name="shelf_id")

    def to_dict(self) -> dict[str, object]: ...


class BookInput(RequestModel, kw_only=True):
    title: Annotated[str, Meta(max_length=40)]
    pages: int | UnsetType = UNSET
    shelf: str
    year: int | UnsetType = UNSET
    isbn: str
