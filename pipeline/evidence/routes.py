"""Which operation of which document an exchange belongs to."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from pipeline.evidence.exchanges import Exchange, origin_of
from pipeline.evidence.values import is_code
from pipeline.openapi.documents import Document
from pipeline.openapi.media_types import bare, is_json
from pipeline.openapi.model import DocumentModel, Operation

_TEMPLATE: Final = re.compile(r"\{[^{}]*\}")


class Spot(NamedTuple):
    """Where something was seen: a file, the number of an exchange in it, and its request line."""

    file: str
    number: int
    request: str


@dataclass(frozen=True, eq=False, repr=False)
class Call:
    """An exchange with the operation, of the document of a name, that it belongs to.

    `foreign` is true for a client that does not take its names from the documents; `types` are the
    media types that a success is documented with.
    """

    exchange: Exchange
    document: str
    operation: Operation
    foreign: bool
    types: Collection[str] = ()

    @property
    def ok(self) -> bool:
        """Whether the status is 2xx, and the body may be the operation's."""
        return 200 <= self.exchange.status < 300 and not self.is_other

    @property
    def is_other(self) -> bool:
        """Whether a status 2xx has a body of somebody else, such as a login page, or a cut one."""
        body = self.exchange.response
        is_named = any("*" in name or bare(name) == body.media_type for name in self.types)
        is_known = is_named or (not self.types and body.media_type != "text/html")
        is_success = 200 <= self.exchange.status < 300
        return is_success and body.kind == "other" and (is_json(body.media_type) or not is_known)

    @property
    def line(self) -> str:
        """The request line without its values: `GET /books?author`."""
        names = "&".join(dict.fromkeys(shown_name(name) for name, _ in self.exchange.query))
        return f"{self.operation.route}{'?' if names else ''}{names}"

    @property
    def spot(self) -> Spot:
        """Where the exchange stands, and its request line."""
        return Spot(self.exchange.file, self.exchange.number, self.line)


class Routes:
    """The operations of all documents, and the addresses of those that HAR files are about."""

    def __init__(self, documents: Mapping[str, Document], addresses: Mapping[str, str]) -> None:
        self._patterns = {
            name: [(each, _pattern(each.path)) for each in DocumentModel(document).operations]
            for name, document in documents.items()
        }
        self._bases = [(name, _base(address)) for name, address in addresses.items()]
        self._bases.sort(key=lambda item: -len(item[1][1]))  # of two on one host, the longer one

    def find(self, document: str, method: str, route: str) -> Operation | None:
        """Return the operation of a request; the one with fewer placeholders where several fit."""
        fitting = (
            operation
            for operation, pattern in self._patterns[document]
            if operation.method.upper() == method and pattern.fullmatch(route)
        )
        return min(fitting, key=lambda each: each.path.count("{"), default=None)

    def place(self, exchange: Exchange) -> tuple[str, Operation | None] | None:
        """Return the document that an exchange belongs to, and the operation there.

        Documents may share an address: then it is the one that has the operation.
        """
        fitting = [
            (name, exchange.path[len(path) :] or "/")
            for name, (origin, path) in self._bases
            if exchange.origin == origin and f"{exchange.path}/".startswith(f"{path}/")
        ]
        if exchange.document is not None:
            fitting = [(exchange.document, exchange.route)]
        found = [(name, self.find(name, exchange.method, route)) for name, route in fitting]
        return next((each for each in found if each[1]), found[0] if found else None)


def _pattern(path: str) -> re.Pattern[str]:
    pieces = _TEMPLATE.split(path)
    return re.compile("[^/]+".join(map(re.escape, pieces)))


def _base(address: str) -> tuple[str, str]:
    """Return where an address leads, and its path."""
    parts = urlsplit(address)
    return origin_of(parts), parts.path.rstrip("/")


def shown_name(name: str) -> str:
    """Return the name of a parameter, or `…` where it may be personal."""
    return name if is_code(re.sub(r"[\[\]$]|^_+", "", name)) and len(name) < 50 else "…"
