# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Everything that can go wrong, as one tree.

SocialPublishingError
├── ConfigurationError      the client lacks a token or an address
├── ArgumentError           an argument was refused; nothing was sent (a ValueError too)
├── RateLimitReached        the rate leaves no room now, and waiting was ruled out
├── DeadlineExceeded        the time for the whole call is over
├── PartialFailure          some requests of a call failed
├── ProcessingFailed        the awaited processing failed
└── ExchangeError               a request that was sent, or should have been
    ├── OutcomeUnknown          a write may have been carried out: look before it is repeated
    ├── TransportError          no complete response arrived
    │   ├── ConnectionFailed    the connection could not be made, or broke
    │   └── RequestTimedOut     nothing came within the timeout
    ├── ResponseTooLarge        the response is larger than allowed
    ├── PagingError             a list cannot be read to its end
    ├── DecodeError             a success, but not of the documented shape
    │   └── DriftError          readable, but differs, and `drift="raise"`
    └── StatusError             a status outside 200 to 299
        ├── BadRequestError             400: the service cannot process the request
        ├── AuthenticationError         401: the token is missing or not accepted
        ├── PermissionDeniedError       403: the token does not allow this
        ├── NotFoundError               404: there is no such object, or you may not see it
        ├── ConflictError               409: conflicts with the current state
        ├── PayloadTooLargeError        413: the request is too large
        ├── UnsupportedMediaTypeError   415: the media type is not accepted
        ├── UnprocessableEntityError    422: an argument does not fit
        ├── RateLimitError              429: too many requests in a short time
        └── ServerError                 5xx: the service failed
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from ._runtime.core import errors as _runtime
from ._runtime.core.errors import (
    ArgumentError,
    ArgumentProblem,
    AssumedNameWarning,
    Batch,
    ConfigurationError,
    ConnectionFailed,
    DeadlineExceeded,
    DecodeError,
    DriftError,
    Exchange,
    ExchangeError,
    LimitationWarning,
    PagingError,
    PartialFailure,
    ProcessingFailed,
    RateLimitReached,
    RequestTimedOut,
    ResponseTooLarge,
    TransportError,
)
from ._runtime.request.outcome import (
    OutcomeUnknown,
)
from ._runtime.response.error_bodies import error_body

if TYPE_CHECKING:
    from .models.media import MediaError
    from .models.shared import GeneralError, MessageError, ValidationError

__all__ = [
    "ArgumentError",
    "ArgumentProblem",
    "AssumedNameWarning",
    "Batch",
    "ConfigurationError",
    "ConnectionFailed",
    "DeadlineExceeded",
    "DecodeError",
    "DriftError",
    "Exchange",
    "ExchangeError",
    "LimitationWarning",
    "OutcomeUnknown",
    "PagingError",
    "PartialFailure",
    "ProcessingFailed",
    "RateLimitReached",
    "RequestTimedOut",
    "ResponseTooLarge",
    "TransportError",
    "ServerError",
    "SocialPublishingError",
    "StatusError",
    "BadRequestError",
    "AuthenticationError",
    "PermissionDeniedError",
    "NotFoundError",
    "ConflictError",
    "PayloadTooLargeError",
    "UnsupportedMediaTypeError",
    "UnprocessableEntityError",
    "RateLimitError",
]

SocialPublishingError = _runtime.ClientError


class StatusError(_runtime.StatusError):
    """The service responded with a status outside 200 to 299.

    What a body does not have is None. `data` holds the JSON object of the body, `exchange.body` its
    bytes.
    """

    _message_fields = (
        "message",
        "error",
    )

    @property
    def message(self) -> str | None:
        """Message of the error."""
        return self._text("message", "error")

    @property
    def errors(self) -> Mapping[str, Any] | None:
        """The errors. The type array is assumed (error.fields). The type of the entries is assumed
        (error.fields).
        """
        return self._object("errors")

    @property
    def title(self) -> str | None:
        """Title of the error."""
        return self._text("title")

    @property
    def e_code(self) -> str | None:
        """Code of the error. Which values there are is assumed (error.code)."""
        return self._text("e_code")

    @property
    def body(self) -> Any:
        """The body as its documented type; None where it is another one."""
        return error_body(self.exchange, _bodies().get(self.exchange.operation, {}))


class BadRequestError(StatusError):
    """Status 400: the service cannot process the request."""

    if TYPE_CHECKING:

        @property
        def body(self) -> GeneralError | MediaError | MessageError | ValidationError | None:
            """The body as its documented type; None where it is another one."""


class AuthenticationError(StatusError):
    """Status 401: the token is missing or not accepted."""

    if TYPE_CHECKING:

        @property
        def body(self) -> MessageError | None:
            """The body as its documented type; None where it is another one."""


class PermissionDeniedError(StatusError):
    """Status 403: the token does not allow this."""

    if TYPE_CHECKING:

        @property
        def body(self) -> MediaError | MessageError | None:
            """The body as its documented type; None where it is another one."""


class NotFoundError(StatusError):
    """Status 404: there is no such object, or you may not see it."""

    if TYPE_CHECKING:

        @property
        def body(self) -> MediaError | MessageError | ValidationError | None:
            """The body as its documented type; None where it is another one."""


class ConflictError(StatusError):
    """Status 409: conflicts with the current state."""

    if TYPE_CHECKING:

        @property
        def body(self) -> GeneralError | MediaError | MessageError | ValidationError | None:
            """The body as its documented type; None where it is another one."""


class PayloadTooLargeError(StatusError):
    """Status 413: the request is too large."""

    if TYPE_CHECKING:

        @property
        def body(self) -> GeneralError | MediaError | MessageError | ValidationError | None:
            """The body as its documented type; None where it is another one."""


class UnsupportedMediaTypeError(StatusError):
    """Status 415: the media type is not accepted."""

    if TYPE_CHECKING:

        @property
        def body(self) -> GeneralError | MediaError | MessageError | ValidationError | None:
            """The body as its documented type; None where it is another one."""


class UnprocessableEntityError(StatusError):
    """Status 422: an argument does not fit."""

    if TYPE_CHECKING:

        @property
        def body(self) -> GeneralError | MediaError | MessageError | ValidationError | None:
            """The body as its documented type; None where it is another one."""


class RateLimitError(StatusError):
    """Status 429: too many requests in a short time."""

    if TYPE_CHECKING:

        @property
        def body(self) -> MediaError | MessageError | None:
            """The body as its documented type; None where it is another one."""


class ServerError(StatusError):
    """Status 500 to 599: the service failed."""


@cache
def _bodies() -> dict[str, dict[int, Any]]:
    """Return the types of bodies, of each operation by status: 4 is all of 4xx, 0 every other."""
    from ._runtime.core.models import one_of
    from .models.media import MediaError
    from .models.shared import GeneralError, MessageError, ValidationError

    return {
        "posts.list": {
            401: MessageError,
            403: MessageError,
            422: ValidationError,
            429: MessageError,
            0: one_of[MessageError | ValidationError],
        },
        "posts.update": {
            401: MessageError,
            403: MessageError,
            404: MessageError,
            422: ValidationError,
            429: MessageError,
            0: one_of[MessageError | ValidationError],
        },
        "posts.get_many": {
            401: MessageError,
            422: ValidationError,
            429: MessageError,
        },
        "posts.delete_many": {
            401: MessageError,
            403: MessageError,
            422: ValidationError,
            429: MessageError,
            0: one_of[MessageError | ValidationError],
        },
        "posts.set_draft": {
            401: MessageError,
            403: MessageError,
            422: ValidationError,
            429: MessageError,
            0: one_of[MessageError | ValidationError],
        },
        "posts.metrics": {
            401: MessageError,
            404: MessageError,
            429: MessageError,
            0: MessageError,
        },
        "posts.activities": {
            401: MessageError,
            403: MessageError,
            404: MessageError,
            429: MessageError,
            0: MessageError,
        },
        "groups.get": {
            400: GeneralError,
            401: MessageError,
            403: MessageError,
            404: MessageError,
            429: MessageError,
            0: one_of[GeneralError | MessageError],
        },
        "groups.replace": {
            400: GeneralError,
            401: MessageError,
            403: MessageError,
            404: MessageError,
            422: ValidationError,
            429: MessageError,
            0: one_of[GeneralError | MessageError | ValidationError],
        },
        "social_accounts.get": {
            401: MessageError,
            403: MessageError,
            404: MessageError,
            429: MessageError,
            0: MessageError,
        },
        "social_accounts.move_to_group": {
            401: MessageError,
            403: MessageError,
            404: MessageError,
            422: ValidationError,
            429: MessageError,
            0: one_of[MessageError | ValidationError],
        },
        "calendar_notes.list": {
            401: MessageError,
            403: MessageError,
            422: ValidationError,
            429: MessageError,
            0: one_of[MessageError | ValidationError],
        },
        "calendar_notes.replace": {
            400: GeneralError,
            401: MessageError,
            403: MessageError,
            404: MessageError,
            422: ValidationError,
            429: MessageError,
            0: one_of[GeneralError | MessageError | ValidationError],
        },
        "calendar_notes.delete": {
            401: MessageError,
            403: MessageError,
            404: MessageError,
            422: ValidationError,
            429: MessageError,
            0: one_of[MessageError | ValidationError],
        },
        "calendar_notes.reschedule": {
            401: MessageError,
            403: MessageError,
            404: MessageError,
            422: ValidationError,
            429: MessageError,
            0: one_of[MessageError | ValidationError],
        },
        "labels.create": {
            400: GeneralError,
            401: MessageError,
            403: MessageError,
            404: MessageError,
            422: ValidationError,
            429: MessageError,
            0: one_of[GeneralError | MessageError | ValidationError],
        },
        "labels.delete": {
            401: MessageError,
            403: MessageError,
            404: MessageError,
            429: MessageError,
            0: MessageError,
        },
        "widgets.posts_overview": {
            401: MessageError,
            403: MessageError,
            404: MessageError,
            429: MessageError,
            0: MessageError,
        },
        "media.upload": {
            401: MessageError,
            403: MediaError,
            413: MediaError,
            422: MediaError,
            429: MediaError,
            0: one_of[MediaError | MessageError],
        },
        "media.upload_from_url": {
            400: MediaError,
            401: MessageError,
            403: MediaError,
            422: MediaError,
            429: MediaError,
            0: one_of[MediaError | MessageError],
        },
        "media.status": {
            401: MessageError,
            404: MediaError,
            429: MediaError,
            0: one_of[MediaError | MessageError],
        },
    }


BY_STATUS: dict[int, type[StatusError]] = {
    0: StatusError,
    5: ServerError,
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: PayloadTooLargeError,
    415: UnsupportedMediaTypeError,
    422: UnprocessableEntityError,
    429: RateLimitError,
}
"""The exception of each status; 5 stands for all of 5xx, 0 for every other."""

# Tracebacks and pickles show the names that users import.
_runtime.ClientError.__name__ = _runtime.ClientError.__qualname__ = "SocialPublishingError"
for _name in __all__:
    globals()[_name].__module__ = __name__
    if issubclass(globals()[_name], SocialPublishingError):
        globals()[_name].documentation = "python -m pydoc social_publishing.errors." + _name
