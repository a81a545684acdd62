"""Why a request is refused; the operation's document decides the status and the body (§7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum


class Reason(Enum):
    """A reason, with the statuses that can express it, the most fitting first.

    An operation responds with the first of them that it documents, or with one whose description
    says so; with the first of all where it documents none. Only a bad token ever gives a 401.
    """

    UNAUTHORIZED = (401, 403)
    FORBIDDEN = (403, 404, 422, 400)
    NOT_FOUND = (404, 410, 422, 400, 403)
    INVALID = (422, 400, 404)
    CONFLICT = (400, 409, 422)
    TOO_LARGE = (413, 422, 400)
    UNREACHABLE = (400, 422)

    def is_said(self, description: str) -> bool:
        """Return whether the description of a response says this."""
        return any(each in description.lower() for each in _SAID.get(self.name, ()))


_SAID = {
    "FORBIDDEN": ("may not", "not allowed", "permission", "forbidden", "no access"),
    "NOT_FOUND": ("no such", "not found", "does not exist", "unknown", "gone", "not there"),
    "INVALID": ("valid", "not accepted", "does not fit"),
    "CONFLICT": ("conflict", "the request is refused", "already"),
    "TOO_LARGE": ("too large", "too big"),
    "UNREACHABLE": ("does not work", "cannot be fetched", "unreachable", "cannot be reached"),
}
"""How documents say it, in small letters."""


class Refusal(Exception):
    """A request is refused; the message is a sentence that explains why.

    Attributes:
        errors: sentences by the name of the field or parameter that is at fault.
        cites: the reasons: sections of the service's specification such as `§4.2`, and gaps such as
            `createLabel.names`, if it is assumed. There the service may respond otherwise.
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        errors: Mapping[str, list[str]] | None = None,
        *,
        cites: str | Iterable[str],
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.errors = dict(errors or {})
        self.cites = (cites,) if isinstance(cites, str) else tuple(dict.fromkeys(cites))


class Problems:
    """Fields at fault, to be refused together; what each of them rests on is asked for."""

    def __init__(self) -> None:
        self.errors: dict[str, list[str]] = {}
        self._cites: list[str] = []

    def add(self, field: str, sentence: str, *, cites: str | Iterable[str]) -> None:
        """Note what is wrong with a field; the same sentence counts once."""
        sentences = self.errors.setdefault(field, [])
        if sentence not in sentences:
            sentences.append(sentence)
        self._cites += (cites,) if isinstance(cites, str) else cites

    def refuse(self) -> None:
        """Refuse the request if any field is at fault."""
        if self.errors:
            raise invalid(self.errors, cites=self._cites)


def not_found(what: str, field: str | None = None, *, cites: str) -> Refusal:
    """Return a 404 refusal: there is no such object, or this user must not know of it."""
    message = f"There is no such {what}."
    return Refusal(Reason.NOT_FOUND, message, {field: [message]} if field else None, cites=cites)


def forbidden(message: str, *, cites: str | Iterable[str]) -> Refusal:
    """Return a 403 refusal."""
    return Refusal(Reason.FORBIDDEN, message, cites=cites)


def invalid(errors: Mapping[str, list[str]], *, cites: str | Iterable[str]) -> Refusal:
    """Return a 422 refusal of values; its message has the first sentence and counts the others."""
    sentences = [sentence for each in errors.values() for sentence in each]
    more = len(sentences) - 1
    message = sentences[0] + (f" (and {more} more error{'s' * (more > 1)})" if more else "")
    return Refusal(Reason.INVALID, message, errors, cites=cites)
