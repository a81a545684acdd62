"""Which operation of which document an exchange belongs to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from pipeline.evidence.exchanges import Exchange, origin_of
from pipeline.evidence.values import is_code
from pipeline.openapi.documents import Document
from pipeline.openapi.model import DocumentModel, Operation
from pipeline.openapi.objects import Node

_TEMPLATE: Final = re.compile(r"\{[^{}]*\}")
_Base: TypeAlias = tuple[str, str]
"""Where an address leads, and its path."""


class Spot(NamedTuple):
    """Where something was seen: a file, the number of an exchange in it, and its request line."""

    file: str
    number: int
    request: str


@dataclass(frozen=True, eq=False)
class Call:
    """An exchange with the operation, of the document of a name, that it belongs to.

    `foreign` is true for a client that does not take its names from the documents.
    """

    exchange: Exchange
    document: str
    operation: Operation
    foreign: bool

    @property
    def ok(self) -> bool:
        return 200 <= self.exchange.status < 300

    @property
    def line(self) -> str:
        """The request line without its values: `GET /books?author`."""
        names = "&".join(dict.fromkeys(shown_name(name) for name, _ in self.exchange.query))
        return f"{self.operation.route}{'?' if names else ''}{names}"

    @property
    def spot(self) -> Spot:
        return Spot(self.exchange.file, self.exchange.number, self.line)


class Routes:
    """The operations of all documents."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._patterns = {
            name: [(each, _pattern(each.path)) for each in DocumentModel(document).operations]
            for name, document in documents.items()
        }

    def find(self, document: str, method: str, route: str) -> Operation | None:
        """Return the operation of a request; the one with fewer placeholders where several fit."""
        fitting = (
            operation
            for operation, pattern in self._patterns[document]
            if operation.method.upper() == method and pattern.fullmatch(route)
        )
        return min(fitting, key=lambda each: each.path.count("{"), default=None)

    def place(self, exchanges: Sequence[Exchange], addresses: Mapping[str, str]) -> list[Exchange]:
        """Return those exchanges that belong to a document: those of HAR files by its address."""
        bases = [(name, _base(address)) for name, address in addresses.items()]
        bases.sort(key=lambda item: -len(item[1][1]))  # of two on one host, the longer is meant
        placed = [self._placed(each, bases) if each.origin else each for each in exchanges]
        return [each for each in placed if each.document is not None]

    def _placed(self, exchange: Exchange, bases: Sequence[tuple[str, _Base]]) -> Exchange:
        fitting = [
            replace(exchange, document=name, route=exchange.path[len(path) :] or "/")
            for name, (origin, path) in bases
            if exchange.origin == origin and f"{exchange.path}/".startswith(f"{path}/")
        ]
        # Documents may share an address: then it is the one that has the operation.
        known = (e for e in fitting if self.find(e.document or "", e.method, e.route))
        return next(known, fitting[0] if fitting else exchange)


def query_of(operation: Operation) -> dict[str, Node]:
    """Return the parameters of the query of an operation, by their names."""
    nodes = (node for node in operation.parameters if node.value.get("in") == "query")
    return {str(node.value.get("name")): node for node in nodes}


def _pattern(path: str) -> re.Pattern[str]:
    pieces = _TEMPLATE.split(path)
    return re.compile("[^/]+".join(map(re.escape, pieces)))


def _base(address: str) -> _Base:
    parts = urlsplit(address)
    return origin_of(parts), parts.path.rstrip("/")


def shown_name(name: str) -> str:
    """Return the name of a parameter, or `…` where it may be personal."""
    return name if is_code(re.sub(r"[\[\]$]|^_+", "", name)) and len(name) < 50 else "…"
