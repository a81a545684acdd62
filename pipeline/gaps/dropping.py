"""Drop what is assumed of a gap that the service documents now, in the files where it stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.config import Config, Source
from pipeline.gaps.documented import Documented, documented
from pipeline.gaps.uses import ids, objects, use
from pipeline.openapi.bundle import bundle
from pipeline.openapi.documents import Document, Pointer, load, pointer_text, read_text
from pipeline.openapi.editing import without
from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.overlay.applying import apply
from pipeline.openapi.overlay.model import ASSUMPTION, Action
from pipeline.openapi.overlay.query import nearest
from pipeline.openapi.overlay.reading import load_overlay
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.openapi.wording import near

_SEGMENT = re.compile(r"\.[\w*-]+|\[(?:'[^']*'|[^\]])*\]")

_Listed = tuple[str, int]
"""A name in a target, and how often the target has it before."""


@dataclass
class _Drops:
    """What goes of each file, and the gaps of which something is left."""

    places: dict[Path, list[Pointer]] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    dropped: set[str] = field(default_factory=set)
    files: set[Path] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)  # of the parameters that have the gaps
    selected: dict[Path, dict[int, set[_Listed]]] = field(default_factory=dict)  # out of a target
    nodes: list[tuple[str, Pointer]] = field(default_factory=list)  # that have a gap no more

    def add(self, path: Path, pointer: Pointer) -> None:
        self.places.setdefault(path, []).append(pointer)


def drop(config: Config, gaps: Collection[str]) -> dict[Path, str | None]:
    """Return files without what they assume of gaps and the documents say now; None for one to go.

    A gap of which nothing is assumed any more goes from the register and from the documents, too.
    What is assumed goes last: written in this order, a call that was ended is repeated and goes on.
    Raises PipelineError where the documents say nothing of what is assumed.
    """
    drops = _Drops()
    for source in config.sources:
        _of_source(source, gaps, drops)
    register = load(config.gaps) if config.gaps else None
    entries = as_list(as_dict(register.data).get("gaps")) if register else []
    known = [str(as_dict(entry).get("id")) for entry in entries]
    if missing := dict.fromkeys(gap for gap in gaps if gap not in drops.dropped):
        raise PipelineError(*(_nothing_dropped(gap, register, known) for gap in missing))
    done = drops.dropped - drops.left
    for path in drops.files:
        document = load(path)
        for pointer in _marks(document, done):
            drops.add(path, pointer)
        for gap, node in drops.nodes:
            for pointer in _marks(document, {gap} - done):
                if node[: pointer.index("x-gap")] == pointer[: pointer.index("x-gap")]:
                    drops.add(path, pointer)
    for index, gap in enumerate(known):
        if config.gaps and gap in done:
            drops.add(config.gaps, ("gaps", index))
    texts = {
        path: _edited(path, drops.places.get(path, []), drops.selected.get(path, {}))
        for path in (*drops.places, *drops.selected)
    }
    for source in config.sources:
        for path in (*source.overlay_files(), *source.confirmed_files()):
            was = texts[path] if path in texts else read_text(path)
            if was is not None and (named := _by_name(was, drops.names, done)) != was:
                texts[path] = named
    overlays = [path for source in config.sources for path in source.overlays]
    if gone := [path for path in overlays if texts.get(path, "") is None]:
        texts[config.file] = _unnamed(config.file, gone)
    edited, said = {*drops.places, *drops.selected}, {*drops.files, config.gaps}

    def turn(path: Path) -> tuple[bool, ...]:
        return texts[path] is None, path == config.file, path in edited, path not in said

    return {path: texts[path] for path in sorted(texts, key=turn)}


def _unnamed(config: Path, overlays: Collection[Path]) -> str:
    """Return the text of the configuration, in which some overlays are not named any more."""

    def kept(found: re.Match[str]) -> str:
        return found[0] * (config.parent / found[3] not in overlays)

    return re.sub(r"""(,\s*)?(["'])([^"'\n]+)\2(?(1)|\s*,?\s*)""", kept, read_text(config))


def _nothing_dropped(gap: str, register: Document | None, known: Collection[str]) -> Finding:
    if register and gap not in known:
        return Finding(f"gap {gap} is not registered here{near(gap, known)}", register.at(()))
    text = "the documents state nothing about what is assumed; to correct an assumption, write"
    return Finding(f"gap {gap}: {text} a confirmed overlay")


def _of_source(source: Source, gaps: Collection[str], drops: _Drops) -> None:
    """Take down what goes of the overlays of one document."""
    before = bundle(source.path, [], source.allow_files)
    drops.files |= {*before.files}
    for _, node in objects(before.data):
        if {"in", "name"} <= node.keys():
            drops.names |= dict.fromkeys(ids(node.get("x-gap")), node["name"])
    overlays = {path: load_overlay(path) for path in source.overlay_files()}
    known = [load_overlay(path) for path in source.confirmed_files()]
    _, changes = apply(before, [*overlays.values()], confirmed=known, strict=False)
    said = documented(before, changes)
    marked = use(before, ()).marked
    used = [change.action for change in changes]
    of_gone = False
    for path, overlay in overlays.items():
        for index, action in enumerate(overlay.actions):
            if ASSUMPTION not in action.words or action.gap is None or action.gap not in gaps:
                continue
            own = [each for each in said if each.action is action]
            selected = {each.pointer for each in changes if each.action is action}
            if action.gap in marked and {each.target for each in own} < selected and own:
                _deselect(action, own, selected, drops.selected.setdefault(path, {}), index)
                drops.left.add(action.gap)
                drops.dropped.add(action.gap)
                drops.nodes += [(action.gap, each.target) for each in own]
                continue
            if action.gap not in marked or _is_all(action, own):
                drops.add(path, ("actions", index))
                drops.dropped.add(action.gap)
                of_gone = of_gone or not any(action is each for each in used)
                continue
            drops.left.add(action.gap)
            for each in own:
                drops.add(path, ("actions", index, "update", *each.path))
                drops.dropped.add(action.gap)
    for path, overlay in overlays.items() if of_gone else ():
        for index, action in enumerate(overlay.actions):
            is_idle = not action.words and not any(action is each for each in used)
            if is_idle and "did you mean" not in nearest(action.target, before.data):
                drops.add(path, ("actions", index))  # it was about what the document has lost


def _deselect(
    action: Action,
    said: Collection[Documented],
    selected: Collection[Pointer],
    names: dict[int, set[_Listed]],
    index: int,
) -> None:
    """Take down which names go of the target of an action, of which some places are documented.

    Raises:
        PipelineError: The target does not list the places by their names, or a place has a part
            of the assumption left.
    """
    gone = {each.target for each in said}
    kept = {each for each in selected if each not in gone}
    segments = _SEGMENT.findall(action.target)
    for target in sorted(gone, key=str):
        own = [
            (str(part), "".join(segments[:at]).count(f"'{part}'"))
            for at, (part, segment) in enumerate(zip(target, segments, strict=False))
            if f"'{part}'" in segment and all(part != other[at] for other in kept)
        ]
        if len(own) != 1 or not _is_all(action, [e for e in said if e.target == target]):
            reason = "is documented of some places that this target selects: take these out of it"
            places = ", ".join(pointer_text(each) for each in sorted(gone, key=str))
            text = f"what is assumed here {reason} by hand: {places}"
            raise PipelineError(Finding(text, action.position))
        names.setdefault(index, set()).update(own)


def _is_all(action: Action, said: Collection[Documented]) -> bool:
    """Return whether nothing of an action is left without some of its parts."""
    gone = {each.path for each in said}

    def left(value: Any, at: Pointer) -> bool:
        if at in gone:
            return False
        if isinstance(value, dict) and value:
            said = [key for key in value if key != "description"] or ["description"]
            return any(left(value[key], (*at, key)) for key in said)
        if isinstance(value, list) and value:
            return any(left(each, (*at, index)) for index, each in enumerate(value))
        return True

    return not left(action.update, ())


def _marks(document: Document, gaps: Collection[str]) -> Iterator[Pointer]:
    """Yield the places at which a file names gaps in `x-gap`."""
    for pointer, node in objects(document.data):
        word = node.get("x-gap")
        gone = [index for index, id in enumerate(ids(word)) if id in gaps]
        if gone and len(gone) == len(ids(word)):
            yield (*pointer, "x-gap")
        else:
            yield from ((*pointer, "x-gap", index) for index in gone)


def _by_name(text: str, names: Mapping[str, str], gaps: Collection[str]) -> str:
    """Return an overlay whose targets select by its name what they selected by a gap that goes."""
    for gap in sorted({*gaps} & names.keys()):
        query = re.compile(rf"\?\s*@\['x-gap'\]\s*==\s*'{re.escape(gap)}'")
        text = query.sub(f"?@.name == '{names[gap]}'", text)
    return text


def _edited(
    path: Path, places: list[Pointer], selected: Mapping[int, Collection[_Listed]]
) -> str | None:
    """Return the text of a file without some places; None where no action of an overlay is left.

    Args:
        selected: the names that no longer stand in the targets of actions, by their indices.
    """
    document = load(path)
    whole = {place for place in places if len(place) == 2 and place[0] == "actions"}
    if whole and len(whole) == len(document.data["actions"]):
        return None
    lines = read_text(path).splitlines(keepends=True)
    for index, names in selected.items():
        start = document.positions["actions", index, "target"].line - 1
        ends = (document.positions["actions", index, key] for key in ("update", ASSUMPTION))
        end = min(each.line - 1 for each in ends if each.line - 1 > start)
        text = "".join(lines[start:end])
        for name, before in sorted(names, key=lambda each: -each[1]):
            found = [*re.finditer(re.escape(f"'{name}'"), text)][before]
            head, tail = text[: found.start()], text[found.end() :]
            follows = re.match(r",[ \n]*", tail)
            head = head if follows else re.sub(r",[ \n]*$", "", head)
            text = head + tail[follows.end() if follows else 0 :]
        lines[start:end] = [text, *[""] * (end - start - 1)]
    return without("".join(lines), places, str(path))
