"""How a request shows who sends it: the security schemes of a document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.references import followed

Place = Literal["bearer", "basic", "header", "query", "cookie", "connection"]


def place_of(scheme: Any) -> Place | None:
    """Return where a scheme puts its secret; None where no client can.

    The certificates of mutual TLS belong to the connection, not to a request.
    """
    match as_dict(scheme):
        case {"type": "oauth2" | "openIdConnect"}:
            return "bearer"
        case {"type": "http", "scheme": str(name)} if name.lower() in ("bearer", "basic"):
            return "bearer" if name.lower() == "bearer" else "basic"
        case {"type": "apiKey", "name": str(), "in": "header" | "query" | "cookie" as place}:
            typed_place: Place = place
            return typed_place
        case {"type": "mutualTLS"}:
            return "connection"
    return None


def slot_of(scheme: Any) -> tuple[str, str] | None:
    """Return what of a request a scheme writes: one of its headers, say; None where it is none."""
    match place_of(scheme):
        case "bearer" | "basic":
            return "header", "authorization"
        case "header":
            return "header", scheme["name"].lower()
        case "query" | "cookie" as place:
            return place, scheme["name"]
    return None


def schemes(document: Any) -> dict[str, Any]:
    """Return the schemes of a document by their names, references among its components followed."""
    components = as_dict(as_dict(as_dict(document).get("components")).get("securitySchemes"))
    found = {name: followed(document, scheme)[1] for name, scheme in components.items()}
    return {name: scheme for name, scheme in found.items() if isinstance(scheme, dict)}


def wanted(document: Any, operation: Mapping[str, Any]) -> list[tuple[str, ...]] | None:
    """Return what an operation needs: any of these sets of schemes; None where nothing is said."""
    requirements = operation.get("security", as_dict(document).get("security"))
    if requirements is None:
        return None
    return [tuple(as_dict(each)) for each in as_list(requirements)] or [()]


def token_urls(scheme: Any) -> tuple[str, str]:
    """Return where OAuth 2 gives a program a token, and where it renews one; empty if not known.

    An address without a host is one of the server that the client uses.
    """
    flows = as_dict(as_dict(scheme).get("flows"))
    own = as_dict(flows.get("clientCredentials")).get("tokenUrl")
    flow = next((e for e in map(as_dict, flows.values()) if "refreshUrl" in e), {})
    others = [flow.get("refreshUrl"), *(as_dict(each).get("tokenUrl") for each in flows.values())]
    refresh = next((each for each in others if isinstance(each, str) and each), "")
    token, again = (
        each if isinstance(each, str) and not re.match(r"(?!https?://)\w[\w+.-]*:", each) else ""
        for each in (own, refresh)
    )
    return token, again
