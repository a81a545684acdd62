"""Makes pages that need no script and no other host, in light, in dark and on paper."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import Any


def rendered(template: str, filters: dict[str, Callable[..., Any]], **values: Any) -> bytes:
    """Return a page of a template in this folder; every value is escaped."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    folder = resources.files(__package__)
    made = Environment(
        autoescape=True,
        loader=FunctionLoader(lambda name: folder.joinpath(name).read_text(encoding="utf-8")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(filters)
    return made.get_template(template).render(values).encode("utf-8", "replace")
