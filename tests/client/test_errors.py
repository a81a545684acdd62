"""Errors: one tree, whose errors show what came."""

from __future__ import annotations

import inspect
import re

import pytest
import social_publishing
from calls import CALLS, Call, operation_of
from server import Response, Server
from social_publishing import (
    NotFoundError,
    SocialPublishing,
    SocialPublishingError,
    StatusError,
    errors,
)


def test_status_error_of_a_file_is_no_error_of_the_request(
    client: SocialPublishing, server: Server
) -> None:
    """§7: the status answer carries `error` in a success, too: the HTTP status tells."""
    server.answers += [
        Response(200, {"media_id": "1", "status": "failed", "error": "codec", "data": None}),
        Response(404, {"error": "unknown"}),
        Response(404, {"error": "not_found", "message": "There is no such file."}),
    ]
    status = client.media.status("1")
    assert (status.error, status.data) == ("codec", None)
    for message in ("unknown", "There is no such file."):
        with pytest.raises(NotFoundError) as caught:
            client.media.status("1")
        assert caught.value.message == message and str(caught.value).endswith(f": {message}")


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)
def test_an_error_has_the_body_that_is_documented_for_its_status(
    call: Call, client: SocialPublishing, server: Server
) -> None:
    found, wanted = {}, {}
    operation = operation_of(call.method)
    for status, response in operation.responses.items():
        schema = operation.document.resolve(response.schema or {})
        if not status.isdigit() or int(status) < 400 or "properties" not in schema:
            continue
        wanted[status] = {*schema["properties"]}
        server.answers.append(Response(int(status), dict.fromkeys(schema["properties"], "no")))
        with pytest.raises(StatusError) as caught:
            call.of(client.with_options(retries=0))
        found[status] = {*type(caught.value.body).__struct_encode_fields__}
    assert found == wanted != {}


def test_the_tree_at_the_top_of_the_file_is_the_tree_of_classes() -> None:
    """errors.py draws its tree; so does the README. Both are the classes that exist."""
    drawn = re.findall(r"^([│ ├└─]*)(\w+)", inspect.getdoc(errors) or "", re.MULTILINE)
    drawn = [(len(lines) // 4, name) for lines, name in drawn if name in errors.__all__]
    assert drawn[0] == (0, "SocialPublishingError")
    path: list[str] = []
    parents = {}
    for depth, name in drawn:
        path[depth:] = [name]
        parents[name] = path[depth - 1] if depth else "Exception"
    public = {
        name
        for name in errors.__all__
        if isinstance(getattr(errors, name), type)
        and issubclass(getattr(errors, name), SocialPublishingError)
    }
    assert set(parents) == public
    for name, parent in parents.items():
        kind = getattr(errors, name)
        nearest = next(
            base.__name__
            for base in kind.__mro__[1:]
            if base.__name__ in {*public, "Exception"} and base.__name__ != name
        )
        assert nearest == parent
        assert getattr(social_publishing, name) is kind
    with open(social_publishing.__path__[0] + "/../../README.md", encoding="utf-8") as file:
        block = re.search(r"```\n(SocialPublishingError\n.*?)```", file.read(), re.DOTALL)
    assert block is not None
    there = [
        (len(lines) // 4, name)
        for lines, name in re.findall(r"^([│ ├└─]*)(\w+)", block[1], re.MULTILINE)
    ]
    assert there == drawn
