"""The apps extension: a plan as a page in the assistant's program, with a button for the yes."""

from __future__ import annotations

from importlib import resources
from typing import Any

import mcp_types as types
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError

from .. import html
from ..plans import Plan

EXTENSION = "io.modelcontextprotocol/ui"
SHOWS = "plan_changes"
"""The tool whose result the page shows."""

_URI = "ui://social-publishing/plan"
_FORM = "text/html;profile=mcp-app"
_CONTENT = "social-publishing/plan"
_NOT_FOUND = -32602

_Context = ServerRequestContext[Any, Any]

META: dict[str, Any] = {"ui": {"resourceUri": _URI}}
BUTTON = types.Tool(
    name="approve_plan",
    title="Apply",
    description="The button of the page: a person's yes to the plan that it shows.",
    input_schema={
        "type": "object",
        "properties": {"plan_id": {"type": "string"}, "key": {"type": "string"}},
        "required": ["plan_id", "key"],
        "additionalProperties": False,
    },
    annotations=types.ToolAnnotations(destructive_hint=True, open_world_hint=True),
    _meta={"ui": {"resourceUri": _URI, "visibility": ["app"]}},
)
"""What the page calls, and no model: hosts do not list it."""


def is_shown(ctx: _Context) -> bool:
    """Return whether the client of a request shows pages."""
    capabilities = ctx.session.client_capabilities
    known = ((capabilities.extensions if capabilities else None) or {}).get(EXTENSION)
    forms = known.get("mimeTypes") if isinstance(known, dict) else None
    return known is not None and (not isinstance(forms, list) or _FORM in forms)


def content(page: bytes, plan: Plan, key: str) -> dict[str, Any]:
    """Return what the page gets beside a result, and no model.

    Args:
        page: The plan as a page.
        key: What the button brings along: it counts once, for this plan; empty where there is no
            button.
    """
    return {_CONTENT: {"page": page.decode(), "plan_id": plan.short_id, "key": key}}


async def listed(ctx: _Context, params: Any) -> types.ListResourcesResult:
    """List the page, where it is shown."""
    page = types.Resource(uri=_URI, name="plan", title="Plan", mime_type=_FORM)
    return types.ListResourcesResult(resources=[page] if is_shown(ctx) else [])


async def read(ctx: _Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    """Return the page; a plan comes to it with a result."""
    if str(params.uri) != _URI:
        raise MCPError(_NOT_FOUND, "There is no such resource.")
    text = resources.files(html).joinpath("plan_in_host.html").read_text(encoding="utf-8")
    borders: dict[str, Any] = {"ui": {"prefersBorder": True}}
    page = types.TextResourceContents(uri=_URI, mime_type=_FORM, text=text, _meta=borders)
    return types.ReadResourceResult(contents=[page])
