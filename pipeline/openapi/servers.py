"""Where the operations of a document are: the addresses of its servers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

from pipeline.openapi.objects import as_dict, as_list

# Hosts that nobody has (RFC 2606): a document that names one leaves the address open.
_RESERVED = re.compile(r"(^|\.)(invalid|test|example|example\.(com|net|org))$")


def address(servers: Any, base: str = "", variables: Mapping[str, Any] | None = None) -> str | None:
    """Return the address of the first server, its variables filled; None where it is not known."""
    server = next(map(as_dict, as_list(servers)), {})
    url = str(server.get("url", ""))
    for name, variable in {**(variables or {}), **as_dict(server.get("variables"))}.items():
        url = url.replace(f"{{{name}}}", str(as_dict(variable).get("default", "")))
    try:
        url = urljoin(base, url)
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"[{}?#\s]", url):
        return None
    return url.rstrip("/")


def default_address(servers: Any) -> str:
    """Return the address that a client has by itself; empty where the document leaves it open."""
    documented = address(servers) or ""
    return "" if _RESERVED.search(urlsplit(documented).hostname or "") else documented


def own_address(
    document: Any, path_item: Mapping[str, Any], operation: Mapping[str, Any]
) -> str | None:
    """Return the address of an operation; empty for that of its document, None if not known.

    Variables that it does not describe are those of the document.
    """
    servers = operation.get("servers") or path_item.get("servers")
    general = as_dict(document).get("servers")
    if not servers or servers == general:
        return ""
    base = address(general) or ""
    first = next(map(as_dict, as_list(general)), {})
    own = address(servers, base, as_dict(first.get("variables")))
    return "" if own == base and own else own
