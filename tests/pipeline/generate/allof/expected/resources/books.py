def build_get_book(isbn: str) -> Request[AudioBook]:
    return prepare(
        operation="books.get_book",
        server="document",
        method="GET",
        path="/books/{isbn}",
        path_parameters=[Parameter("isbn", isbn, str, "isbn")],
        returns=AudioBook,
        retry_safety="safe",
    )
