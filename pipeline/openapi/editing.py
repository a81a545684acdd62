"""Take members and items out of a YAML file, and leave every other line as it is."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import yaml

from pipeline.openapi.documents import Pointer, loads, lookup
from pipeline.openapi.problems import Finding, PipelineError, Position

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def without(text: str, pointers: Iterable[Pointer], name: str) -> str:
    """Return a YAML text without some members and items; what they leave empty goes with them.

    Raises PipelineError if what is left does not read as it should: the place is for a person.
    """
    data = loads(text, name).data
    first_first = sorted(pointers, key=lambda at: [(isinstance(part, int), part) for part in at])
    for pointer in reversed(first_first):
        pointer = _with_empty(data, pointer)
        expected = _removed(data, pointer)
        text = _cut(text, pointer)
        try:
            data = loads(text, name).data
        except PipelineError:
            data = None
        if data != expected:
            place = loads(text, name).at(pointer) if data else Position(name, 1, 1)
            reason = f"{'.'.join(map(str, pointer))} cannot be taken out here: do it by hand"
            raise PipelineError(Finding(reason, place))
    return text


def _with_empty(data: Any, pointer: Pointer) -> Pointer:
    """Return the outermost place that would hold nothing else than what goes."""
    while len(pointer) > 1:
        around = lookup(data, pointer[:-1])
        rest = around.keys() - {"description"} if isinstance(around, dict) else around
        if len(rest) > 1 or isinstance(pointer[-2], int) or len(pointer) == 2:
            return pointer
        pointer = pointer[:-1]
    return pointer


def _removed(data: Any, pointer: Pointer) -> Any:
    result = copy.deepcopy(data)
    del lookup(result, pointer[:-1])[pointer[-1]]
    return result


def _cut(text: str, pointer: Pointer) -> str:
    """Return a text without the entry at a pointer."""
    node: Any = yaml.compose(text, Loader=_Loader)
    for part in pointer[:-1]:
        node = _entries(node)[_index(node, part)][1]
    entries, index = _entries(node), _index(node, pointer[-1])
    first, value = entries[index]
    following = entries[index + 1][0].start_mark.index if index + 1 < len(entries) else None
    if node.flow_style:
        if following is not None:
            return text[: first.start_mark.index] + text[following:]
        begin = entries[index - 1][1].end_mark.index if index else first.start_mark.index
        return text[:begin] + text[value.end_mark.index :]
    start = text.rfind("\n", 0, first.start_mark.index) + 1
    before = text[start : first.start_mark.index].strip()
    if before and isinstance(node, yaml.MappingNode) and following is not None:
        return text[: first.start_mark.index] + text[following:]  # beside the dash of its item
    end = text.find("\n", _end(value)) + 1 or len(text)
    if following is None and index:  # the blank lines before the last one go with it
        kept = text[:start].rstrip("\n") + "\n"
        return kept + text[end:]
    while text[end : end + 1] == "\n":
        end += 1
    return text[:start] + text[end:]


def _entries(node: Any) -> list[tuple[Any, Any]]:
    """Return key and value of each member; of a list, each item twice."""
    if isinstance(node, yaml.MappingNode):
        return list(node.value)
    return [(item, item) for item in node.value]


def _index(node: Any, part: str | int) -> int:
    if isinstance(node, yaml.MappingNode):
        return [key.value for key, _ in node.value].index(str(part))
    return int(part)


def _end(node: Any) -> int:
    """Return where the last character of a node stands."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index) - 1
