# ruff: noqa: F821
from typing import Annotated

__all__ = ["Book", "BookInput", "Genre", "Shelf"]


class Genre(TextCode):
    NOVEL = "novel"
    POEM = "poem"


class Book(ResponseModel, kw_only=True):
    id: str
    title: str | None = MISSING
    pages: int | None = MISSING
    rating: int | float | None = MISSING
    shelf: str | None = field(default=MISSING, name="shelfId")

    def to_dict(self) -> dict[str, object]: ...


class BookInput(RequestModel, kw_only=True):
    title: Annotated[str, Meta(max_length=50)]
    pages: int | UnsetType = UNSET
    note: str | UnsetType = UNSET
    shelf: str | UnsetType = UNSET


class Shelf(ResponseModel, kw_only=True):
    id: str
