# Generated from spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Files for posts.

Each `build_…` function checks the arguments of an operation and makes its request, without sending
it; the methods of both clients send what it makes.
Each `plan_…` function puts several requests together, or makes one of what was read.
"""

from __future__ import annotations

from functools import cached_property

from .._runtime.engine.effects import Call
from .._runtime.engine.resource import AsyncResource, Resource
from .._runtime.plans.polling import Awaited, Polling
from .._runtime.request.multipart import FilePart, NamedFileInput
from .._runtime.request.progress import Progress
from .._runtime.request.request import Request, prepare
from .._runtime.request.validation import Parameter
from .._runtime.response.raw import RawResponse
from ..models.media import MediaStatus, MediaUrlUpload
from ..models.shared import Id, Media

__all__ = [
    "AsyncMediaResource",
    "MediaResource",
    "build_upload",
    "build_upload_from_url",
    "build_status",
    "plan_upload",
    "plan_upload_from_url",
    "plan_wait_until_ready",
]


def build_upload(file: NamedFileInput, *, progress: Progress | None = None) -> Request[Media]:
    """Build a request of `media.upload`."""
    return prepare(
        operation="media.upload",
        server="media",
        method="POST",
        path="/upload",
        files=[
            FilePart(
                "file",
                file,
                "file",
                progress=progress,
                extensions="heic avif webp jpeg png jpg gif pdf srt mp4 mov mpeg webm avi mp3".split(),
                max_bytes=2_147_483_648,
            )
        ],
        returns=Media,
        retry_safety="unsafe",
    )


def plan_upload(
    file: NamedFileInput,
    *,
    progress: Progress | None = None,
    wait: bool = False,
) -> Call[Media]:
    """Plan the requests of `media.upload`."""
    return Awaited(
        "media.upload",
        lambda: build_upload(file, progress=progress),
        wait,
        lambda response: plan_wait_until_ready(response.id),
        busy="is_processing",
    )


def build_upload_from_url(file_url: str) -> Request[Media]:
    """Build a request of `media.upload_from_url`."""
    return prepare(
        operation="media.upload_from_url",
        server="media",
        method="POST",
        path="/upload/url/sync",
        json=MediaUrlUpload(file_url=file_url),
        returns=Media,
        retry_safety="unsafe",
    )


def plan_upload_from_url(file_url: str, *, wait: bool = False) -> Call[Media]:
    """Plan the requests of `media.upload_from_url`."""
    return Awaited(
        "media.upload_from_url",
        lambda: build_upload_from_url(file_url),
        wait,
        lambda response: plan_wait_until_ready(response.id),
        busy="is_processing",
    )


def build_status(media_id: str) -> Request[MediaStatus]:
    """Build a request of `media.status`."""
    return prepare(
        operation="media.status",
        server="media",
        method="GET",
        path="/status/{mediaId}",
        path_parameters=[Parameter("mediaId", media_id, Id, "media_id")],
        returns=MediaStatus,
        retry_safety="safe",
    )


def plan_wait_until_ready(media_id: str) -> Call[Media]:
    """Plan the requests of `media.wait_until_ready`."""
    return Polling(
        "media.wait_until_ready",
        lambda: build_status(media_id),
        result="data",
        busy={"status": "processing", "data.is_processing": True},
        failed="error",
    )


class MediaResource(Resource):
    """Files for posts."""

    _name = "media"

    @cached_property
    def with_raw_response(self) -> MediaResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return MediaResourceWithRawResponse(self._client)

    def upload(
        self,
        file: NamedFileInput,
        *,
        progress: Progress | None = None,
        wait: bool = False,
    ) -> Media:
        """Upload a file.

        A file has at most 2048 MB. While `is_processing` is true, it is being processed.

        If waiting fails, the error still names the stored file.

        Args:
            file: The file, at most 2048 MB. "At most 2,147,483,648 bytes" is assumed
                (upload.bytes). "file extension case: ignored" is assumed (upload.extensionCase). At
                most 2,147,483,648 bytes; extension one of heic, avif, webp, jpeg, png, jpg, gif,
                pdf, srt, mp4, mov, mpeg, webm, avi, mp3.
            progress: Called during the upload with the bytes sent so far and the total (None if
                unknown).
            wait: Wait until a file is ready: 15 minutes at most, or as long as the deadline.
                `media.wait_until_ready` does the same later.

        Returns:
            The stored file.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: While it waits: There is no such object (404).
            PayloadTooLargeError: The file is too large (413).
            UnprocessableEntityError: The file is not accepted (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            ProcessingFailed: The service reports a failure.
            DeadlineExceeded: Not ready within the deadline, or within 15 minutes without one;
                `last` is the latest response.
            OutcomeUnknown: The write may have been carried out, but no response says so: check
                before you repeat it.

        Example:
            >>> client.media.upload("launch.mp4")

        POST /upload (§4.7). Partly assumed: see `api.md`.
        """
        return self._client.send(plan_upload(file, progress=progress, wait=wait))

    def upload_from_url(
        self,
        file_url: str,
        *,
        wait: bool = False,
    ) -> Media:
        """Upload a file by its address.

        The service downloads the file from an address and stores it.

        If waiting fails, the error still names the stored file.

        Args:
            file_url: URL from which the service downloads the file. That it is required is assumed
                (uploadMediaFromUrl.required).
            wait: Wait until a file is ready: 15 minutes at most, or as long as the deadline.
                `media.wait_until_ready` does the same later.

        Returns:
            The stored file.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            BadRequestError: The address does not work (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: While it waits: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            ProcessingFailed: The service reports a failure.
            DeadlineExceeded: Not ready within the deadline, or within 15 minutes without one;
                `last` is the latest response.
            OutcomeUnknown: The write may have been carried out, but no response says so: check
                before you repeat it.

        Example:
            >>> client.media.upload_from_url("https://files.example.com/launch.mp4")

        POST /upload/url/sync (§4.7). Partly assumed: see `api.md`.
        """
        return self._client.send(plan_upload_from_url(file_url, wait=wait))

    def status(self, media_id: str) -> MediaStatus:
        """Read the processing status of a file.

        Gives the state of a file. The response has a field `error`, and so have the bodies of
        errors. That the request itself failed shows in the HTTP status alone. This is assumed
        (media.statusError).

        Args:
            media_id: Identifier of the file, such as the asynchronous upload returns.

        Returns:
            The state of the file.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.media.status("9032915132417572871")

        GET /status/{mediaId} (§4.7). Partly assumed: see `api.md`.
        """
        return self._client.send(build_status(media_id))

    def wait_until_ready(self, media_id: str) -> Media:
        """Wait until a file is ready.

        Polls `media.status` with growing pauses until it is ready or has failed; 15 minutes at most
        without a deadline.

        Args:
            media_id: Identifier of the file, such as the asynchronous upload returns.

        Returns:
            The file, once it is ready.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            ProcessingFailed: The service reports a failure.
            DeadlineExceeded: Not ready within the deadline, or within 15 minutes without one;
                `last` is the latest response.

        Example:
            >>> client.media.wait_until_ready("9032915132417572871")

        GET /status/{mediaId}, until it is ready (§4.7). Partly assumed: see `api.md`.
        """
        return self._client.send(plan_wait_until_ready(media_id))


class AsyncMediaResource(AsyncResource):
    """Files for posts."""

    _name = "media"

    @cached_property
    def with_raw_response(self) -> AsyncMediaResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return AsyncMediaResourceWithRawResponse(self._client)

    async def upload(
        self,
        file: NamedFileInput,
        *,
        progress: Progress | None = None,
        wait: bool = False,
    ) -> Media:
        """Upload a file.

        A file has at most 2048 MB. While `is_processing` is true, it is being processed.

        If waiting fails, the error still names the stored file.

        Args:
            file: The file, at most 2048 MB. "At most 2,147,483,648 bytes" is assumed
                (upload.bytes). "file extension case: ignored" is assumed (upload.extensionCase). At
                most 2,147,483,648 bytes; extension one of heic, avif, webp, jpeg, png, jpg, gif,
                pdf, srt, mp4, mov, mpeg, webm, avi, mp3.
            progress: Called during the upload with the bytes sent so far and the total (None if
                unknown).
            wait: Wait until a file is ready: 15 minutes at most, or as long as the deadline.
                `media.wait_until_ready` does the same later.

        Returns:
            The stored file.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: While it waits: There is no such object (404).
            PayloadTooLargeError: The file is too large (413).
            UnprocessableEntityError: The file is not accepted (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            ProcessingFailed: The service reports a failure.
            DeadlineExceeded: Not ready within the deadline, or within 15 minutes without one;
                `last` is the latest response.
            OutcomeUnknown: The write may have been carried out, but no response says so: check
                before you repeat it.

        Example:
            >>> await client.media.upload("launch.mp4")

        POST /upload (§4.7). Partly assumed: see `api.md`.
        """
        return await self._client.send(plan_upload(file, progress=progress, wait=wait))

    async def upload_from_url(
        self,
        file_url: str,
        *,
        wait: bool = False,
    ) -> Media:
        """Upload a file by its address.

        The service downloads the file from an address and stores it.

        If waiting fails, the error still names the stored file.

        Args:
            file_url: URL from which the service downloads the file. That it is required is assumed
                (uploadMediaFromUrl.required).
            wait: Wait until a file is ready: 15 minutes at most, or as long as the deadline.
                `media.wait_until_ready` does the same later.

        Returns:
            The stored file.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            BadRequestError: The address does not work (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: While it waits: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            ProcessingFailed: The service reports a failure.
            DeadlineExceeded: Not ready within the deadline, or within 15 minutes without one;
                `last` is the latest response.
            OutcomeUnknown: The write may have been carried out, but no response says so: check
                before you repeat it.

        Example:
            >>> await client.media.upload_from_url("https://files.example.com/launch.mp4")

        POST /upload/url/sync (§4.7). Partly assumed: see `api.md`.
        """
        return await self._client.send(plan_upload_from_url(file_url, wait=wait))

    async def status(self, media_id: str) -> MediaStatus:
        """Read the processing status of a file.

        Gives the state of a file. The response has a field `error`, and so have the bodies of
        errors. That the request itself failed shows in the HTTP status alone. This is assumed
        (media.statusError).

        Args:
            media_id: Identifier of the file, such as the asynchronous upload returns.

        Returns:
            The state of the file.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> await client.media.status("9032915132417572871")

        GET /status/{mediaId} (§4.7). Partly assumed: see `api.md`.
        """
        return await self._client.send(build_status(media_id))

    async def wait_until_ready(self, media_id: str) -> Media:
        """Wait until a file is ready.

        Polls `media.status` with growing pauses until it is ready or has failed; 15 minutes at most
        without a deadline.

        Args:
            media_id: Identifier of the file, such as the asynchronous upload returns.

        Returns:
            The file, once it is ready.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            ProcessingFailed: The service reports a failure.
            DeadlineExceeded: Not ready within the deadline, or within 15 minutes without one;
                `last` is the latest response.

        Example:
            >>> await client.media.wait_until_ready("9032915132417572871")

        GET /status/{mediaId}, until it is ready (§4.7). Partly assumed: see `api.md`.
        """
        return await self._client.send(plan_wait_until_ready(media_id))


class MediaResourceWithRawResponse(Resource):
    """Files for posts. Each method returns the whole response."""

    _name = "media"

    def upload(
        self,
        file: NamedFileInput,
        *,
        progress: Progress | None = None,
    ) -> RawResponse[Media]:
        """Upload a file."""
        return self._client.send(build_upload(file, progress=progress).raw)

    def upload_from_url(self, file_url: str) -> RawResponse[Media]:
        """Upload a file by its address."""
        return self._client.send(build_upload_from_url(file_url).raw)

    def status(self, media_id: str) -> RawResponse[MediaStatus]:
        """Read the processing status of a file."""
        return self._client.send(build_status(media_id).raw)


class AsyncMediaResourceWithRawResponse(AsyncResource):
    """Files for posts. Each method returns the whole response."""

    _name = "media"

    async def upload(
        self,
        file: NamedFileInput,
        *,
        progress: Progress | None = None,
    ) -> RawResponse[Media]:
        """Upload a file."""
        return await self._client.send(build_upload(file, progress=progress).raw)

    async def upload_from_url(self, file_url: str) -> RawResponse[Media]:
        """Upload a file by its address."""
        return await self._client.send(build_upload_from_url(file_url).raw)

    async def status(self, media_id: str) -> RawResponse[MediaStatus]:
        """Read the processing status of a file."""
        return await self._client.send(build_status(media_id).raw)
