"""Where the operations of a document are: the addresses of its servers."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

from pipeline.openapi.objects import as_dict, as_list

# Hosts that nobody has (RFC 2606): a document that names one leaves the address open.
_RESERVED = re.compile(r"(^|\.)(invalid|test|example|example\.(com|net|org))$")

ANYWHERE = "https://host.invalid"
"""What stands for a base address that only the caller of a client knows."""


def filled(server: Mapping[str, Any]) -> str:
    """Return the address of a server as it is written, its variables filled."""
    url = str(server.get("url", ""))
    for name, variable in as_dict(server.get("variables")).items():
        url = url.replace(f"{{{name}}}", str(as_dict(variable).get("default", "")))
    return url


def why_no_address(server: Mapping[str, Any]) -> str:
    """Return why nothing can be sent to a server; empty where something can, or may."""
    url = server.get("url")
    if not isinstance(url, str):
        return "must be a text"
    try:
        _ = urlsplit(re.sub(r"\{[^{}]*\}", "1", url)).port
    except ValueError as error:
        return f"is no address: {error}"
    return ""


def address(servers: Any, base: str = "") -> str | None:
    """Return the address of the first server, its variables filled; None where it is not known."""
    try:
        url = urljoin(base, filled(next(map(as_dict, as_list(servers)), {})))
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


def own_servers(
    document: Any, path_item: Mapping[str, Any], operation: Mapping[str, Any]
) -> tuple[dict[str, Any], ...] | None:
    """Return the servers of an operation; none for those of its document, None if not known.

    Variables that they do not describe are those of the document.
    """
    servers = operation.get("servers") or path_item.get("servers")
    general = as_dict(document).get("servers")
    if not servers or servers == general:
        return ()
    first = next(map(as_dict, as_list(general)), {})
    variables = as_dict(first.get("variables"))
    own = [
        {**each, "variables": {**variables, **as_dict(each.get("variables"))}}
        for each in map(as_dict, as_list(servers))
    ]
    base = address(general) or ANYWHERE
    known = tuple(each for each in own if address([each], base) is not None)
    if not own or own[0] not in known:
        return None
    shared = [str(as_dict(each).get("url", "")).rstrip("/") for each in as_list(general)] or [""]
    url = str(own[0].get("url", ""))
    with contextlib.suppress(ValueError):
        if all(urljoin(each, url).rstrip("/") == each for each in shared):
            return ()
    return known
