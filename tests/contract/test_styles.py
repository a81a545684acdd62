"""The styles of array parameters: what the client writes, the sandbox and the evidence read."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st
from social_publishing._runtime.request.styles import in_query

from pipeline.openapi.parameters import values_in
from social_publishing_sandbox.api.validation import parameters
from social_publishing_sandbox.state.documents import Document

STYLES = [
    (style, explode)
    for style in ("form", "spaceDelimited", "pipeDelimited", "deepObject")
    for explode in (None, True, False)
]


@pytest.mark.parametrize(("style", "explode"), STYLES)
@given(
    items=st.one_of(
        st.lists(st.text("abc-_.%+&é", min_size=1), min_size=1),
        st.lists(st.integers(-9, 2**60), min_size=1),
    )
)
def test_a_right_request_of_every_style_is_read(
    style: str, explode: bool | None, items: list[Any]
) -> None:
    kind = "integer" if isinstance(items[0], int) else "string"
    schema = {"type": "array", "items": {"type": kind}}
    node: dict[str, Any] = {"name": "ids", "in": "query", "style": style, "schema": schema}
    node |= {} if explode is None else {"explode": explode}
    usual = style in ("form", "deepObject")
    query = "&".join(in_query("ids", items, style, usual if explode is None else explode))
    assert parameters(_operation(node), {}, query.encode(), {}) == {"ids": items}
    texts = values_in(node, parse_qsl(query), is_array=True)
    assert texts == list(map(str, items))


def _operation(parameter: dict[str, Any]) -> Any:
    operation = {"operationId": "list", "parameters": [parameter], "responses": {}}
    servers = [{"url": "https://x.example/v1"}]
    document = Document("main", {"servers": servers, "paths": {"/things": {"get": operation}}})
    return document.operations["list"]
