"""Which operation of which document an exchange belongs to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from pipeline.evidence.exchanges import Exchange, origin_of
from pipeline.evidence.values import is_code
from pipeline.openapi.documents import Document
from pipeline.openapi.model import DocumentModel, Operation
from pipeline.openapi.objects import Node
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.openapi.servers import filled

_TEMPLATE: Final = re.compile(r"\{[^{}]*\}")
_FIRST: Final = re.compile(r"[A-Za-z][A-Za-z_.-]{0,39}")
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
        self._paths = {name: _server_paths(document) for name, document in documents.items()}

    def find(self, document: str, method: str, route: str) -> Operation | None:
        """Return the operation of a request; the one with fewer placeholders where several fit."""
        fitting = (
            operation
            for operation, pattern in self._patterns[document]
            if operation.method.upper() == method and pattern.fullmatch(route)
        )
        return min(fitting, key=lambda each: each.path.count("{"), default=None)

    def place(
        self, exchanges: Sequence[Exchange], addresses: Mapping[str, str]
    ) -> tuple[list[Exchange], dict[str, str]]:
        """Return those exchanges that belong to a document, and the base addresses inferred for it.

        Raises PipelineError where several addresses are as likely as each other.
        """
        bases = {name: _base(address) for name, address in addresses.items()}
        guessed = self._guess([each for each in exchanges if each.origin], bases)
        # Of two bases on one host, the longer path is meant.
        ordered = sorted((bases | guessed).items(), key=lambda item: -len(item[1][1]))
        placed = [self._placed(each, ordered) if each.origin else each for each in exchanges]
        matched = [each for each in placed if each.document is not None]
        return matched, {name: "".join(base) for name, base in guessed.items()}

    def _placed(self, exchange: Exchange, bases: Sequence[tuple[str, _Base]]) -> Exchange:
        fitting = [
            replace(exchange, document=name, route=exchange.path[len(path) :] or "/")
            for name, (origin, path) in bases
            if exchange.origin == origin and f"{exchange.path}/".startswith(f"{path}/")
        ]
        # Documents may share an address: then it is the one that has the operation.
        known = (e for e in fitting if self.find(e.document or "", e.method, e.route))
        return next(known, fitting[0] if fitting else exchange)

    def _guess(self, exchanges: Sequence[Exchange], known: Mapping[str, _Base]) -> dict[str, _Base]:
        """Return the base address of each document: that below which the most requests fit."""
        guessed = {}
        for name, paths in self._paths.items():
            if name in known:
                continue
            counts = Counter(base for each in exchanges for base in self._bases(name, paths, each))
            most = max(counts.values(), default=0)
            best = sorted(base for base, count in counts.items() if count == most)
            if len(best) > 1:
                either = " or ".join("".join(base) for base in best[:3])
                text = f"is the base address of {name} {either}? Say it with --address {name}=URL"
                raise PipelineError(Finding(text, None, "evidence"))
            if best:
                guessed[name] = best[0]
        return guessed

    def _bases(self, name: str, paths: Sequence[str], exchange: Exchange) -> Iterator[_Base]:
        for path in paths:
            start = exchange.path.find(f"{path}/")
            while start >= 0:
                end = start + len(path)
                if self.find(name, exchange.method, exchange.path[end:]):
                    yield exchange.origin, exchange.path[:end]
                start = exchange.path.find(f"{path}/", start + 1) if path else -1


def query_of(operation: Operation) -> dict[str, Node]:
    """Return the parameters of the query of an operation, by their names."""
    nodes = (node for node in operation.parameters if node.value.get("in") == "query")
    return {str(node.value.get("name")): node for node in nodes}


def _pattern(path: str) -> re.Pattern[str]:
    pieces = _TEMPLATE.split(path)
    return re.compile("[^/]+".join(map(re.escape, pieces)))


def _server_paths(document: Document) -> list[str]:
    """Return the paths of a document's servers, the longest first."""
    servers = document.data.get("servers", ())
    paths = {urlsplit(filled(each)).path.rstrip("/") for each in servers}
    return sorted(paths or {""}, key=lambda path: (-len(path), path))


def _base(address: str) -> _Base:
    parts = urlsplit(address)
    return origin_of(parts), parts.path.rstrip("/")


def shown_name(name: str) -> str:
    """Return the name of a parameter, or `…` where it may be personal."""
    return name if is_code(re.sub(r"[\[\]$]|^_+", "", name)) and len(name) < 50 else "…"


def plain_route(exchange: Exchange, words: Collection[str]) -> str:
    """Return the request line of an exchange that belongs to no operation, without its values.

    Of its path, the pieces after the first may name a person: only `words` are shown.
    """
    first, *rest = exchange.route.strip("/").split("/")
    pieces = [first if _FIRST.fullmatch(first) else "…"]
    pieces += [piece if piece in words else "…" for piece in rest]
    return f"{exchange.method} /{'/'.join(pieces)}"
