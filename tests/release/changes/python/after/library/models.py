# ruff: noqa: F821
from typing import Annotated

__all__ = ["Book", "BookInput", "Genre"]


class Genre(TextCode):
    NOVEL = "novel"
    POEM = "verse"
    PLAY = "play"


class Book(ResponseModel, kw_only=True):
    id: str
    name: Maybe[str] = UNSET
    pages: Maybe[str] = UNSET
    rating: Maybe[float] = UNSET
    shelf: Maybe[str] = field(default=UNSET, name="shelf_id")

    def to_dict(self) -> dict[str, object]: ...


class BookInput(RequestModel, kw_only=True):
    title: Annotated[str, Meta(max_length=40)]
    pages: int | UnsetType = UNSET
    shelf: str
    year: int | UnsetType = UNSET
    isbn: str
