"""Read the form of an upload, `multipart/form-data` with one part `file`, straight to disk."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable, Callable, Collection
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from python_multipart import MultipartParser
from python_multipart.exceptions import FormParserError

from social_publishing_sandbox.api.media import names
from social_publishing_sandbox.api.media.storing import Incoming, TooLarge, Upload
from social_publishing_sandbox.state.refusals import Reason, Refusal
from social_publishing_sandbox.state.wording import listed, megabytes

# The parser logs what it also raises; without a handler, logging would print it.
logging.getLogger("python_multipart").addHandler(logging.NullHandler())


class BadForm(Refusal):
    """A form is refused: broken, too large, or without an acceptable file."""

    def __init__(self, sentence: str, cites: str = "§4.7", reason: Reason = Reason.INVALID) -> None:
        super().__init__(reason, sentence, {"file": [sentence]}, cites=cites)


# They keep a broken sender from filling the memory; the file's limit is the service's (§8).
FIELD_BYTES: Final = 1 << 20
"""All parts that are not the file, together; what comes after the form counts, too."""
PARTS: Final = 100
HEADER_BYTES: Final = 8192
"""All headers of one part."""


async def read_form(
    content_type: str | None,
    chunks: AsyncIterable[bytes],
    into: Path,
    *,
    max_bytes: int = 2048 << 20,
    extensions: Collection[str] | None = None,
    exact: bool = False,
    content_length: int | None = None,
) -> Upload:
    """Read the form of `POST {media_url}/upload` (§4.7) and store its part `file`.

    Memory stays the same whatever the size of the file. Nothing more is read once it is clear that
    the form is refused, and nothing of it stays on disk.

    Args:
        chunks: the request's body, cut anywhere.
        into: an existing folder; the file gets a name of its own there.
        max_bytes: how large the file may be.
        extensions: lower-case extensions that the file's name may have; None: any.
        exact: compare extensions case-sensitively.
        content_length: bytes that the request announces; too many are refused unread.
    """
    boundary = _boundary(content_type)
    most = max_bytes + FIELD_BYTES + PARTS * (HEADER_BYTES + 200)
    if content_length is not None and content_length > most:
        raise _too_large(max_bytes)
    with ExitStack() as stack:
        form = _Form(extensions, exact, lambda: stack.enter_context(Incoming(into, max_bytes)))
        parser = MultipartParser(
            boundary,
            {
                "on_part_begin": form.part_begins,
                "on_header_field": form.header_name,
                "on_header_value": form.header_value,
                "on_header_end": form.header_ends,
                "on_headers_finished": form.headers_end,
                "on_part_data": form.data,
                "on_end": form.ends,
            },
            max_header_count=HEADER_BYTES,  # the bytes are what counts
            max_header_size=1 << 20,  # the form counts them, a chunk at a time
        )
        position = 0
        async for chunk in chunks:
            if form.ended:
                form.count(len(chunk))
                continue
            try:
                parser.write(chunk)
            except FormParserError as error:
                raise form.broken(position + max(0, getattr(error, "offset", 0))) from error
            except TooLarge as error:
                raise _too_large(max_bytes) from error
            position += len(chunk)
            if form.file is not None:
                await form.file.drain()
        file = form.finished(position)
        await file.finish()
        return Upload(file.path, form.filename, form.content_type, file.size)


def _too_large(max_bytes: int) -> BadForm:
    return BadForm(f"The file is larger than {megabytes(max_bytes)}.", "§8", Reason.TOO_LARGE)


def _boundary(content_type: str | None) -> bytes:
    kind, parameters = names.parameters(content_type or "")
    if kind != "multipart/form-data":
        said = f"not {kind[:80]}" if kind else "and the request has no Content-Type"
        raise BadForm(f"A file must be sent as multipart/form-data, {said}.")
    boundary = parameters.get("boundary", "").encode("utf-8", "replace")
    if not 1 <= len(boundary) <= 70:
        said = "one of more than 70 bytes" if boundary else "none"
        raise BadForm(f"The Content-Type must name a boundary, and has {said}.")
    return boundary


class _Form:
    """A form as far as it has arrived. The parser calls these methods as it comes by."""

    def __init__(
        self,
        extensions: Collection[str] | None,
        exact: bool,
        new_file: Callable[[], Incoming],
    ) -> None:
        self.file: Incoming | None = None
        self.filename = ""
        self.content_type: str | None = None
        self.ended = False
        self._extensions = extensions
        self._exact = exact
        self._new_file = new_file
        self._parts = 0
        self._field_bytes = 0
        self._in_file = False
        self._headers: dict[str, str] = {}
        self._header_bytes = 0
        self._name = bytearray()
        self._value = bytearray()

    def part_begins(self) -> None:
        self._parts += 1
        if self._parts > PARTS:
            sentence = f"The form has more than {PARTS} parts."
            raise BadForm(sentence, "upload.form", Reason.TOO_LARGE)
        self._in_file = False
        self._headers = {}
        self._header_bytes = 0

    def header_name(self, data: bytes, start: int, end: int) -> None:
        self._count_header(end - start)
        self._name += data[start:end]

    def header_value(self, data: bytes, start: int, end: int) -> None:
        self._count_header(end - start)
        self._value += data[start:end]

    def header_ends(self) -> None:
        name = names.decode(bytes(self._name)).lower()
        if name in self._headers:
            raise BadForm(f"{self._part} has the header {name} twice.", "upload.form")
        self._headers[name] = names.decode(bytes(self._value)).strip()
        self._name.clear()
        self._value.clear()

    def headers_end(self) -> None:
        kind, disposition = names.parameters(self._headers.get("content-disposition", ""))
        if kind != "form-data" or "name" not in disposition:
            raise BadForm(
                f"{self._part} has no Content-Disposition of the form "
                'form-data; name="…"; filename="…".'
            )
        if disposition["name"] == "file":
            self._file_begins(disposition.get("filename"))

    def data(self, data: bytes, start: int, end: int) -> None:
        if self._in_file and self.file is not None:
            self.file.add(memoryview(data)[start:end])
        else:
            self.count(end - start)

    def ends(self) -> None:
        self.ended = True

    def count(self, more: int) -> None:
        """Count bytes that do not belong to the file."""
        self._field_bytes += more
        if self._field_bytes > FIELD_BYTES:
            raise BadForm(
                f"The form has more than {megabytes(FIELD_BYTES)} beside the file.",
                "upload.form",
                Reason.TOO_LARGE,
            )

    def broken(self, position: int) -> BadForm:
        if self._parts == 0:
            return BadForm("The body does not begin with the boundary that its Content-Type names.")
        return BadForm(
            f"The form is not valid multipart/form-data: {self._part.lower()} is broken "
            f"at byte {position + 1} of the body."
        )

    def finished(self, length: int) -> Incoming:
        """Return the file, once the body has come to its end after `length` bytes."""
        if length == 0:
            raise BadForm("The body is empty: there is no form.")
        if not self.ended:
            raise BadForm("The form is cut off: the boundary at its end is missing.")
        if self.file is None:
            raise BadForm("The form has no part named file.")
        if self.file.size == 0:
            raise BadForm("The file is empty.", "upload.content")
        return self.file

    @property
    def _part(self) -> str:
        return f"Part {self._parts} of the form"

    def _count_header(self, more: int) -> None:
        self._header_bytes += more
        if self._header_bytes > HEADER_BYTES:
            raise BadForm(
                f"{self._part} has more than {HEADER_BYTES} bytes of headers.",
                "upload.form",
                Reason.TOO_LARGE,
            )

    def _file_begins(self, filename: str | None) -> None:
        if self.file is not None:
            raise BadForm("The form has more than one part named file.", "upload.content")
        if filename is None:
            raise BadForm(
                "The part named file has no file name: it must be sent as a file, not as a text."
            )
        try:
            self.filename = names.safe_name(filename)
        except ValueError as error:
            raise BadForm(f"The name of the file {error}.", "upload.form") from error
        extension = names.extension(self.filename, exact=self._exact)
        if self._extensions is not None and extension not in self._extensions:
            raise BadForm(f"The file must have one of the extensions {listed(self._extensions)}.")
        encoding = self._headers.get("content-transfer-encoding", "binary").lower()
        if encoding not in {"binary", "8bit", "7bit"}:
            sentence = f"The file is sent in the encoding {encoding}; it must be sent as it is."
            raise BadForm(sentence, "upload.form")
        self.content_type = self._headers.get("content-type")
        self.file = self._new_file()
        self._in_file = True
