"""Names of parameters that words take from a gap: `page: gap.paging.parameters`."""

from __future__ import annotations

import re
from typing import Any, Final

from pipeline.gaps.contradictions import PLACEHOLDER
from pipeline.openapi.objects import as_dict, as_list

_SIZE: Final = re.compile("per|size|limit|count", re.IGNORECASE)
# `offset`, `skip`, `from`: how many entries are left out.
_ENTRIES: Final = re.compile("offset|skip|start|from", re.IGNORECASE)
_RESTS_ON_PAGE: Final = ("page", "current", "last")


def name_pages(data: Any) -> None:
    """Give `x-paging` the parameter that fills the gap which its `page` names.

    Where none does, or the pages are asked for in another way, the list has no numbers of pages: a
    parameter that says how many entries to skip is its `offset`, and a text is made by the service
    alone, which puts it into the address of the next page.
    """
    for item in as_dict(as_dict(data).get("paths")).values():
        for operation in as_dict(item).values():
            word = as_dict(as_dict(operation).get("x-paging"))
            page = word.get("page")
            if not isinstance(page, str) or not page.startswith(PLACEHOLDER):
                continue
            parameters = map(as_dict, as_list(as_dict(operation).get("parameters")))
            filling = [each for each in parameters if page.removeprefix(PLACEHOLDER) in _gaps(each)]
            named = min(filling, key=_is_of_size, default=None)
            if named and _is_counted(named) and not word.keys() & {"cursor", "offset"}:
                wire = str(named.get("name"))
                if not _ENTRIES.search(wire):
                    word["page"] = wire
                    named.setdefault("x-python-name", "page")
                    continue
                word["offset"] = wire
            for key in _RESTS_ON_PAGE:
                word.pop(key, None)


def _is_of_size(parameter: dict[str, Any]) -> bool:
    """Return whether a parameter says how long a page is, as far as its name tells."""
    name = str(parameter.get("name"))
    is_page = "page" in (name.lower(), parameter.get("x-python-name"))
    return not is_page and _SIZE.search(name) is not None


def _is_counted(parameter: dict[str, Any]) -> bool:
    """Return whether a parameter takes a number, as far as its schema tells."""
    kinds = as_dict(parameter.get("schema")).get("type")
    return "string" not in (kinds if isinstance(kinds, list) else [kinds])


def _gaps(node: dict[str, Any]) -> list[Any]:
    return [gap for stamp in ("x-assumed", "x-confirmed") for gap in as_list(node.get(stamp))]
