"""Operations on media (§4.7): receive files, and process them for a while."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from social_publishing_sandbox.api import validation
from social_publishing_sandbox.api.media import names, showing
from social_publishing_sandbox.api.media.storing import Upload
from social_publishing_sandbox.api.request import Request
from social_publishing_sandbox.api.transport import chunks
from social_publishing_sandbox.state import access, times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.file_types import MediaType, file_type
from social_publishing_sandbox.state.refusals import Reason, Refusal, invalid, not_found
from social_publishing_sandbox.state.service import Call, Service, stamp

_API: Final = 7  # `MediaOrigin`, §2.11
_BYTES_A_SECOND: Final = 8 << 20
"""How fast files are processed, on the sandbox's clock; the service documents none."""

_STATES: Final = ("processing", "ready", "failed")
"""The words of the states of a file, where the documents have no others."""

_PICTURES: Final = ThreadPoolExecutor(1, "pictures")
"""Decodes one picture at a time: each takes up to four bytes a pixel of memory."""


def install(service: Service) -> None:
    """Let the clock end the processing of files."""
    service.on("processed", _processed)


async def upload(service: Service, call: Call, request: Request) -> Json:
    """Take a file from a form, as a stream to disk."""
    from social_publishing_sandbox.api.media import forms

    file = _file_schema(service)
    request.note = "a form that was refused"
    access.check_may_write(call)
    stored = await forms.read_form(
        request.content_type,
        chunks(request.receive),
        service.files,
        max_bytes=_max_bytes(service),
        extensions=frozenset(file["x-file-extensions"]),
        exact=file.get("x-file-extension-case") == "exact",
        content_length=request.content_length,
    )
    request.note = f"a form with the file {stored.filename} of {stored.size:,} bytes"
    return await _take(service, call, stored)


async def upload_from_url(service: Service, call: Call, request: Request) -> Json:
    """Download a file from an allowed host and store it, as if it had been uploaded."""
    from social_publishing_sandbox.api.media import fetching

    content = await request.content()
    access.check_may_write(call)
    given = validation.body(call.operation, request.content_type, content)
    address = given.get("file_url")
    if address is None:
        sentence = "There must be the address of a file."
        raise invalid({"file_url": [sentence]}, cites="uploadMediaFromUrl.required")
    call._replace(body=given).check_read()
    settings, file = service.settings, _file_schema(service)
    limited = call.operation.document.assume.get("uploadFromUrlLimits") == "as uploadMedia"
    stored = await fetching.fetch(
        address,
        service.files,
        allowed_hosts=settings.fetch_hosts,
        allow_private=settings.fetch_private,
        max_bytes=_max_bytes(service) if limited else sys.maxsize,
        extensions=frozenset(file["x-file-extensions"]) if limited else None,
        exact=file.get("x-file-extension-case") == "exact",
    )
    return await _take(service, call, stored)


def _file_schema(service: Service) -> Json:
    return service.contract.media.member("MediaUpload", "file")


def _max_bytes(service: Service) -> int:
    limit: int = _file_schema(service).get("x-max-bytes", 2048 << 20)
    return limit


async def _take(service: Service, call: Call, stored: Upload) -> Json:
    """Look at a file that has arrived, and keep it."""
    extension = names.extension(stored.filename)
    picture = stored.path.with_suffix(".jpg")
    kind = file_type(extension)[0]
    workers = _PICTURES if kind is MediaType.IMAGE else None  # None: the loop's own
    try:
        facts, problem = await asyncio.get_running_loop().run_in_executor(
            workers, _look, stored.path, extension, picture
        )
        with service.store.lock:
            service.tick()
            if service.store.users.get(call.user["id"]) is None:
                # The sandbox was given another world while the file came.
                sentence = "The token is no longer valid."
                raise Refusal(Reason.UNAUTHORIZED, sentence, cites="§5")
            with _new_folder(service.files) as folder, service.change():
                doc = _keep(service, call, stored, facts, problem, picture, folder)
    except BaseException:
        for path in (stored.path, picture):
            path.unlink(missing_ok=True)
        raise
    service.emit("media", {"id": doc["id"]})
    return showing.show(service, doc)


def _look(path: Path, extension: str, picture: Path) -> tuple[Json, str | None]:
    """Return the facts about a file and what is wrong with it; make an image's thumbnail."""
    from social_publishing_sandbox.api.media import facts as reading
    from social_publishing_sandbox.api.media.pictures import Unreadable, thumbnail

    kind, mime_type = file_type(extension)
    try:
        facts = reading.inspect(path, extension)
        if kind is MediaType.IMAGE and "width" in facts:
            thumbnail(path, picture)
    except Unreadable as error:
        return {"type": int(kind), "mime_type": mime_type}, str(error)
    return facts, None


def _keep(
    service: Service,
    call: Call,
    stored: Upload,
    facts: Json,
    problem: str | None,
    picture: Path,
    folder: Path,
) -> Json:
    """Store a file with its facts (§2.11)."""
    identifier = service.new_id()
    extension = names.extension(stored.filename)
    name = f"{identifier}.{extension}"
    shutil.move(stored.path, folder / name)
    doc: Json = {
        "id": identifier,
        "organization_id": service.organization["id"],
        "user_id": call.user["id"],
        **facts,
        "client_name": stored.filename,
        "file_name": name,
        "extension": extension,
        "size": stored.size,
        "origin": _API,
        "is_media_library": False,
        "is_processing": True,
        "created_at": stamp(service),
        "updated_at": stamp(service),
        "_folder": folder.name,
        "_thumbnail": "",
        "_ready": {},
    }
    if picture.exists():
        shutil.move(picture, folder / showing.THUMBNAIL)
        doc["_ready"] = {"_thumbnail": showing.THUMBNAIL}
    if problem:
        doc["_ready"] = {"_error": problem}
    doc["_ready_at"] = service.now() + _duration(service, doc)
    plan(service, doc)
    service.store.media.put(doc)
    return doc


def plan(service: Service, doc: Json) -> None:
    """Plan the end of the processing of a file (§3): as it says itself, or at the usual time."""
    at = doc.get("_ready_at")
    if at is None:
        at = service.now() + _duration(service, doc)
    service.plan(at, "processed", doc["id"])


@contextlib.contextmanager
def _new_folder(files: Path) -> Iterator[Path]:
    """Make a folder for a file, which goes again if the file cannot be kept.

    Its name owes nothing to the file's identifier: that comes again after a return to a snapshot,
    while a later snapshot may still want the file that had it.
    """
    folder = Path(tempfile.mkdtemp(prefix="media-", dir=files))
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _duration(service: Service, doc: Json) -> int:
    """Return milliseconds that the processing of a file takes."""
    if service.settings.processing is not None:
        return round(service.settings.processing * times.SECOND)
    size: int = doc.get("size", 0)
    return times.SECOND + size * times.SECOND // _BYTES_A_SECOND


def _processed(service: Service, media_id: str) -> None:
    """Finish the processing of a file, as ready or failed (`media.transitions`)."""
    doc = service.store.media.get(media_id)
    if doc:
        _finish(service, doc)
        service.store.media.put(doc)
        service.emit("media", {"id": media_id})


def _finish(service: Service, doc: Json) -> None:
    """Give a file what its processing found (§2.11)."""
    doc.update(doc.pop("_ready", {}))
    doc.pop("_ready_at", None)
    doc.pop("is_processing", None)
    doc["updated_at"] = stamp(service)


async def status(service: Service, call: Call, request: Request) -> Json:
    """Return how far a file's processing is (§2.12); the words are assumed (`media.status`)."""
    with service.store.lock:
        service.tick()
        doc = service.store.media.get(call.id)
        if doc is None:
            raise not_found("file", cites="ids.unknown")
        if service.assume.get("statusOfUploads") is False and doc.get("origin") == _API:
            raise not_found("file", cites="media.statusOfUpload")
        words: Json = {each: each for each in _STATES} | service.assume.get("mediaStatus", {})
        shown: Json = {"media_id": doc["id"]}
        if doc.get("_error"):
            shown |= {"status": words["failed"], "error": doc["_error"]}
        elif doc.get("is_processing"):
            shown |= {"status": words["processing"], "data": showing.show(service, doc)}
        else:
            shown |= {"status": words["ready"], "data": showing.show(service, doc)}
    return shown


STREAMING: Final[Mapping[str, Callable[[Service, Call, Request], Awaitable[Any]]]] = {
    "uploadMedia": upload,
    "uploadMediaFromUrl": upload_from_url,
    "getMediaStatus": status,
}
"""The operations of the media API; they read their bodies themselves."""
