"""Reads what `generate` writes for this package: commands, tools, and what is assumed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any


@cache
def catalogue(of: str = "commands") -> Mapping[str, Any]:
    """Return the catalogue of commands, by resource, of tools, by name, or of what is assumed."""
    entries: Mapping[str, Any] = json.loads(_read(f"{of}.json"))
    return entries


def network_title(network: str) -> str:
    """Return what a network is called, as far as the documents say."""
    known = catalogue("assumed")["main"]["x-assume"].get("networks", {})
    return str(known.get(network, {}).get("title", network))


def assumed(gap: str) -> str:
    """Return a gap as long as it is assumed; empty if it is confirmed or documented."""
    return gap if gap in catalogue("assumed")["main"].get("x-assumed", ()) else ""


def version() -> str:
    """Return the version of the command, which is that of the client."""
    return _read("VERSION").strip()


def _read(name: str) -> str:
    try:
        return _folder().joinpath(name).read_text("utf-8")
    except FileNotFoundError:  # a build that took along the modules alone
        raise ModuleNotFoundError(f"no catalogue/{name}", name=__package__) from None


def _folder() -> Traversable:
    return resources.files(__package__).joinpath("catalogue")
