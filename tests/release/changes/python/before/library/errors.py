class LibraryError(Exception):
    message: str


class Lost(LibraryError, ValueError): ...
