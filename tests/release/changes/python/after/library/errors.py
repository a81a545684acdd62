class LibraryError(Exception):
    message: str


class Lost(LibraryError): ...


class Gone(Lost):
    when: str
