"""Write YAML."""

from __future__ import annotations

from typing import Any

import yaml

from pipeline.openapi.wording import visible

_Base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Dumper(_Base):  # type: ignore[misc]  # whichever of the two it is
    def ignore_aliases(self, data: object) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    style = '"' if visible(value) != value else "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def dump(data: Any, width: int = 100) -> str:
    """Return a value as YAML that reads back as it was: keys keep their order, long texts wrap.

    Unseen characters are escaped.
    """
    result: str = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=width)
    return visible(result)
