"""Each operation has a method four times: of both clients, with a result and with a raw response.

All four send what its pure function builds, whichever of its arguments is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from inspect import Parameter, signature
from typing import Any

import pytest
from calls import CALLS, ID, OTHER, TOKEN, Call, operation_of
from server import Server
from social_publishing import ArgumentError, AsyncSocialPublishing, SocialPublishing

from tests.support.both import awaited, now, run
from tests.support.documents import Argument
from tests.support.examples import example

pytestmark = pytest.mark.filterwarnings(r"ignore:(posts|calendar_notes)\.delete")
CLIENTS = {"sync": SocialPublishing, "asyncio": AsyncSocialPublishing}


def variants(call: Call) -> Iterator[Call]:
    """Yield a call with two identifiers in its path, and then with each other argument as well."""
    args = (ID, OTHER)[: len(call.args)]
    yield Call(call.method, args, call.kwargs)
    operation = operation_of(call.method)
    arguments = {_key(each.python): each for each in operation.arguments.values()}
    for name, parameter in signature(call.build).parameters.items():
        if parameter.kind is Parameter.KEYWORD_ONLY and (argument := arguments.get(_key(name))):
            value = _value(operation.document, argument)
            yield Call(call.method, args, {name: value, **call.kwargs})


def _key(name: str) -> str:
    return name.replace("_", "").lower()


def _value(document: Any, argument: Argument) -> Any:
    value = example(document, argument.schema, argument.name)
    is_moment = isinstance(value, str) and re.match("[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]", value)
    return datetime.fromisoformat(value.rstrip("Z")).replace(tzinfo=UTC) if is_moment else value


@pytest.mark.parametrize("backend", CLIENTS)
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)
def test_each_copy_of_a_method_sends_what_is_built(
    server: Server, call: Call, backend: str
) -> None:
    async def main() -> None:
        client = CLIENTS[backend](
            api_token=TOKEN, base_url=server.base_url, media_url=server.media_url,
            retries=0, pacing="off",
        )  # fmt: skip
        async with awaited(client) as opened:
            for one in variants(call):
                request = one.request()
                resource = getattr(client, one.method.partition(".")[0])
                raw = resource.with_raw_response
                built = await opened.send(request)
                plain = await now(one.of(client))
                response = await now(one.raw(raw))
                sent = [(e.method, e.target, e.parts or e.body) for e in server.requests]
                assert len(sent) == 3 and sent[0] == sent[1] == sent[2], one.kwargs
                assert isinstance(plain, type(built))
                assert response.status == server.answered[0].status
                server.requests.clear()
                server.answered.clear()

    run(backend, main)


@pytest.mark.parametrize("backend", CLIENTS)
def test_each_argument_of_each_method_is_checked_by_its_name(server: Server, backend: str) -> None:
    """An error names the method that was called, and the argument; nothing is sent."""
    client = CLIENTS[backend](
        api_token=TOKEN, base_url=server.base_url, media_url=server.media_url
    )  # fmt: skip
    asked = 0
    for call in CALLS:
        resource, _, name = call.method.partition(".")
        names = [*signature(getattr(getattr(client, resource), name)).parameters]
        given = {**dict(zip(names, call.args, strict=False)), **call.kwargs}
        for name in names:
            wrong = Call(call.method, (), {**given, name: object()})
            with pytest.raises(ArgumentError) as caught:
                run(backend, _called, client, wrong)
            assert caught.value.operation == call.method, (call.method, name)
            assert name in [each.argument for each in caught.value.problems], (call.method, name)
            asked += 1
    assert asked > 80 and server.requests == []


async def _called(client: Any, call: Call) -> None:
    await now(call.of(client))
