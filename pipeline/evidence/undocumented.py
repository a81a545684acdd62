"""What traffic has and no document has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.evidence.documented import Documented
from pipeline.evidence.exchanges import Exchange
from pipeline.evidence.routes import Spot, plain_route
from pipeline.evidence.verdicts import Traffic
from pipeline.gaps.uses import ids
from pipeline.openapi.documents import Pointer


@dataclass(frozen=True)
class Undocumented:
    """Something that no document has, or that one has otherwise, with the gaps marked there.

    The kind is `query parameter`, `field`, `status` and so on; its text holds nothing personal.
    """

    kind: str
    text: str
    gaps: tuple[str, ...]
    count: int
    first: Spot


def undocumented(traffic: Traffic, unmatched: Sequence[Exchange]) -> list[Undocumented]:
    """Return everything undocumented, each once, by kind and text."""
    by_text: dict[tuple[str, str], list[tuple[Spot, tuple[str, ...]]]] = {}
    words = {
        piece
        for document in traffic.effective.values()
        for path in document.data.get("paths", {})
        for piece in path.split("/")
    }
    for exchange in unmatched:
        # 404 and 405 come for a path that does not exist: a mistake is no operation.
        if exchange.status not in (404, 405) and exchange.method != "HEAD":
            line = plain_route(exchange, words)
            place = Spot(exchange.file, exchange.number, line)
            by_text.setdefault(("operation", f"{line}: {exchange.status}"), []).append((place, ()))
    for seen in traffic.with_overlays:
        call = seen.call
        if seen.problem and (call.ok or not seen.sent or seen.problem == "query parameter"):
            gaps = _gaps(traffic.effective[call.document], seen.nodes)
            by_text.setdefault((seen.problem, seen.text), []).append((call.spot, gaps))
    result = []
    for (kind, text), places in sorted(by_text.items()):
        first, gaps = min(places)
        result.append(Undocumented(kind, text, gaps, len(places), first))
    return result


def _gaps(document: Documented, nodes: Iterable[Pointer]) -> tuple[str, ...]:
    """Return the gaps that are marked at nodes, or at the schema around their items."""
    for node in nodes:
        while node and node[-1] in ("items", "additionalProperties", "schema"):
            node = node[:-1]
        # A code and a parameter belong to all codes and to the operation.
        around = (
            node[:-1] if "responses" in node[-2:] else node[:-2] if "parameters" in node else node
        )
        for at in (node, around):
            value = document.node(at)
            marked = ids(value.get("x-gap")) if isinstance(value, dict) else []
            if marked:
                return tuple(marked)
    return ()
