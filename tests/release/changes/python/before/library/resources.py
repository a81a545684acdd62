# ruff: noqa: F401, F821
from ._methods import AsyncMethod, AsyncPagedMethod, Method, PagedMethod, Resource
from ._request import Call, Pages, Request
from .models import Book, BookInput


def build_list(*, shelf: str | UnsetType = UNSET) -> Request[Page]: ...
def plan_list(
    *, shelf: str | UnsetType = UNSET, page: int | UnsetType = UNSET
) -> Pages[Book, Page]: ...
def build_add(
    title: str, *, pages: int | UnsetType = UNSET, note: str | UnsetType = UNSET
) -> Request[Book]: ...
def build_move(book_id: str, shelf: str | UnsetType = UNSET) -> Request[Book]: ...
def build_drop(book_id: str) -> Request[None]: ...
def made_of(book: Book) -> BookInput: ...


class BooksResource(Resource):
    list = PagedMethod(build_list, plan_list)
    add = Method(build_add)
    move = Method(build_move)
    drop = Method(build_drop)
    add_arguments = staticmethod(made_of)


class AsyncBooksResource(Resource):
    list = AsyncPagedMethod(build_list, plan_list)
    add = AsyncMethod(build_add)
    move = AsyncMethod(build_move)
    drop = AsyncMethod(build_drop)
    add_arguments = staticmethod(made_of)
