"""Compare recorded traffic with the register of gaps: how an assumption becomes knowledge.

A response is evidence of the service. A request is evidence as far as it worked: what a client
sends by itself proves nothing about a name, as long as the service shows no sign that it knows it.
A gap is confirmed only if every exchange that shows it fits, and every part of what is assumed
was shown; no verdict depends on the order of exchanges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, Literal

from pipeline.config import Config
from pipeline.evidence import reading
from pipeline.evidence.documented import Documented
from pipeline.evidence.exchanges import Exchange
from pipeline.evidence.facts import contradicted
from pipeline.evidence.page import page
from pipeline.evidence.proposing import FILE, propose, texts
from pipeline.evidence.report import Report, text
from pipeline.evidence.routes import Call, Routes
from pipeline.evidence.trying import sound
from pipeline.evidence.verdicts import Traffic, verdicts
from pipeline.gaps.uses import uses
from pipeline.openapi.bundle import bundle
from pipeline.openapi.files import put
from pipeline.openapi.media_types import successes
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.steps import Effective

Client = Literal["own", "other"]
_WHOSE: Final = {
    "own": "It counts as traffic of the generated client, which sends the assumed names.",
    "other": "It counts as traffic of other clients, whose names are independent evidence.",
    "mixed": "Some of it is traffic of other clients, according to their user agents.",
}


def weigh(
    config: Config,
    made: Effective,
    places: Sequence[Path],
    *,
    addresses: Mapping[str, str],
    client: Client | None = None,
    checks: bool = True,
) -> Report:
    """Read traffic and compare it with the register.

    Args:
        made: the effective documents, from a project that keeps a register.
        places: recordings, HAR files, and folders of them.
        addresses: base addresses of documents in HAR files.
        client: whose traffic it is: that of the generated client or another one's; by default a
            client with a user agent that is not the generated one's is another one.
        checks: whether what is proposed is laid over the documents, linted and weighed itself.
    """
    bases = {
        source.name: f"{source.address.removesuffix('_url')}_path" for source in config.sources
    }
    read, passed = reading.read(places, bases)
    return weigh_exchanges(
        config, made, read, passed, addresses=addresses, client=client, checks=checks
    )


def weigh_exchanges(
    config: Config,
    made: Effective,
    read: Sequence[Exchange],
    passed: Counter[str],
    *,
    addresses: Mapping[str, str],
    client: Client | None = None,
    checks: bool = True,
) -> Report:
    """Compare exchanges with the register, as `weigh` does.

    Args:
        passed: what was passed over before, by the reason.
    """
    assert made.register is not None
    passed = Counter(passed)
    routes = Routes(made.documents, addresses)
    placed = [(each, place) for each in read if (place := routes.place(each))]
    total = len(read) + passed.total()
    if elsewhere := len(read) - len(placed):
        passed["sent to other addresses"] = elsewhere
    if not total:
        raise PipelineError(Finding("it contains no exchange", None, "evidence"))
    if not placed:
        text = "no exchange belongs to a document"
        if passed:
            text += f"; passed over: {', '.join(f'{n} {why}' for why, n in sorted(passed.items()))}"
        if read and not addresses:
            text += "; for HAR files, give its address: --address NAME=URL"
        raise PipelineError(Finding(text, None, "evidence"))
    calls = []
    own = f"{config.client.distribution}/"
    effective = {name: Documented(document) for name, document in made.documents.items()}
    for exchange, (name, operation) in placed:
        if operation is not None:
            foreign = bool(exchange.agent) and not exchange.agent.startswith(own)
            foreign = foreign if client is None else client == "other"
            at = (*operation.pointer, "responses")
            types = effective[name].media_types(at, successes(operation.responses))
            calls.append(Call(exchange, name, operation, foreign, types))
    traffic = Traffic(
        calls,
        effective,
        {
            source.name: Documented(bundle(source.path, allowed=source.allow_files))
            for source in config.sources
        },
    )
    used = uses(made.documents, made.changes)
    judged = verdicts(made.register, used, traffic)
    facts = contradicted(traffic, judged)
    proposals, lacking = propose(judged, facts, used, traffic)
    new = [
        v.gap.id
        for v in judged
        if v.state != "confirmed" and v.gap.id in {*chain(*proposals.values())}
    ]
    if checks and new:
        again = partial(
            weigh_exchanges,
            config,
            read=read,
            passed=passed,
            addresses=addresses,
            client=client,
            checks=False,
        )
        proposals, refused = sound(config, proposals, new, again)
        lacking |= refused
    kinds = {call.foreign for call in calls}
    return Report(
        files=sorted({exchange.file for exchange, _ in placed}),
        exchanges=total,
        matched=len(calls),
        operations=len({(call.document, call.operation.pointer) for call in calls}),
        passed=passed,
        own=_WHOSE["mixed" if len(kinds) == 2 else "other" if kinds == {True} else "own"],
        verdicts=judged,
        facts=facts,
        calls=calls,
        known={
            one.title: one.route
            for each in traffic.effective.values()
            for one in each.model.operations
        },
        proposals=proposals,
        lacking=lacking,
        homes={source.name: source.confirmed for source in config.sources if source.confirmed},
    )


def write(report: Report, folder: Path) -> list[Path]:
    """Write the proposed overlay of each document, `NAME/traffic.yaml`, below a folder.

    Raises:
        PipelineError: one of the files is there already; nothing was written.
    """
    files = {
        folder / name / FILE: text for name, text in texts(report.proposals, report.files).items()
    }
    there = [path for path in files if path.exists()]
    if there:
        raise PipelineError(
            *(Finding(f"{path} already exists, and is not overwritten") for path in there)
        )
    try:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            put(path, content.encode())
    except BaseException:
        for path in files:
            path.unlink(missing_ok=True)
        raise
    return list(files)


__all__ = ["Client", "Report", "page", "text", "weigh", "weigh_exchanges", "write"]
