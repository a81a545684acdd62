"""Honest confirmations of every gap that is assumed, and the project that follows them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline import steps
from pipeline.codegen.write import write
from pipeline.config import Config, load_config
from pipeline.openapi.overlay.model import Change
from pipeline.openapi.yamls import dump
from tests.support import yamls

PROJECT = Path(__file__).parents[2]
TABLE = Path(__file__).with_name("confirmations.yaml")
Actions = dict[str, list[dict[str, Any]]]
"""The actions of a gap, by document."""


@functools.cache
def made() -> steps.Effective:
    """Return the documents as they are assumed."""
    return steps.effective(load_config(PROJECT / "pyproject.toml"))


@functools.cache
def assumed() -> dict[str, dict[str, list[Change]]]:
    """Return the gaps that an assumption fills, each with its changes by document."""
    found: dict[str, dict[str, list[Change]]] = {}
    for name, changes in made().changes.items():
        for change in changes:
            if "x-assumption" in change.action.words and change.action.gap:
                found.setdefault(change.action.gap, {}).setdefault(name, []).append(change)
    return dict(sorted(found.items()))


@functools.cache
def known() -> dict[str, dict[str, Any]]:
    """Return what is written down about gaps, by gap."""
    table: dict[str, dict[str, Any]] = yamls.read(TABLE.read_text(encoding="utf-8"))
    return table


def confirmation(gap: str) -> Actions:
    """Return the actions that confirm a gap otherwise than it is assumed.

    Raises:
        LookupError: there is none yet; it says what to add.
    """
    table = known()
    family = gap.partition(".")[0]
    made_of = {"success": _success, "errors": _errors, "presence": _presence}.get(family)
    if gap not in table and made_of is None:
        where = TABLE.relative_to(PROJECT)
        raise LookupError(f"{gap}: add to {where} what could be true instead of what is assumed")
    written = table[gap] if gap in table else made_of(assumed()[gap])  # type: ignore[misc]
    actions: Actions = {}
    for place, update in written.items():
        of, _, target = (
            place.rpartition(" ") if place.startswith(("both ", "media ")) else ("", "", place)
        )
        if of:
            of, _, target = place.partition(" ")
        for name in assumed().get(gap, ("main",)) if of in ("", "both") else (of,):
            action = {"target": target, "update": update}
            action["x-confirmed"] = {"gap": gap, "evidence": f"Support said so of {gap}."}
            actions.setdefault(name, []).append(action)
    return actions


def gaps() -> list[str]:
    """Return the gaps that are assumed, and those left open that have a confirmation here."""
    return sorted({*assumed(), *known()})


def places(gap: str) -> dict[str, list[str]]:
    """Return what a gap is about: schemas, with a property where it is of one; and operations."""
    schemas, operations = set(), set()
    for name, changes in assumed().get(gap, {}).items():
        paths = made().documents[name].data["paths"]
        for change in changes:
            at = change.pointer
            if at[:2] == ("components", "schemas"):
                schemas.add(
                    ".".join(map(str, (at[2], *(at[4:5] if at[3:4] == ("properties",) else ()))))
                )
            elif at[:1] == ("paths",) and len(at) > 2:
                operations.add(paths[at[1]][at[2]]["operationId"])
    for actions in confirmation(gap).values():
        for action in actions:
            if found := re.search(
                r"schemas(?:\.(\w+)|\[(.*?)\])(?:\.properties\.(\w+)|\.properties\[(.*?)\])?",
                action["target"],
            ):
                one, several, field, fields = found.groups()
                for schema in [one] if one else re.findall(r"\w+", several):
                    own = [field] if field else re.findall(r"\w+", fields or "")
                    schemas |= {f"{schema}.{each}" for each in own} or {schema}
    return {"schemas": sorted(schemas), "operations": sorted(operations)}


def codes() -> list[str]:
    """Return the codes that confirmations name."""
    found = re.findall(r"'x-extensible-enum': \[(.*?)\]", str(known()))
    return sorted({each for line in found for each in re.findall(r"'(.*?)'", line)})


_WORDS = {"description", "summary", "x-section"}


def is_of_words(gap: str) -> bool:
    """Return whether a gap, and its confirmation, are of descriptions alone."""
    said = [change.action.update for each in assumed().get(gap, {}).values() for change in each]
    said += [each["update"] for actions in confirmation(gap).values() for each in actions]
    return all(isinstance(each, dict) and each.keys() <= _WORDS for each in said)


def _success(changes: Mapping[str, list[Change]]) -> dict[str, Any]:
    """Another code; and a body where none was."""
    bodies = {"deleteLabel": "Label", "moveSocialAccount": "SocialAccount", "deletePosts": "Posts"}
    bodies["deleteCalendarNote"] = "CalendarNote"
    (change,) = next(iter(changes.values()))
    gap = str(change.action.gap)
    (response,) = change.action.update.values()
    body = bodies.get(gap.partition(".")[2])
    if body:
        response = {"$ref": f"#/components/responses/{body}"}
    written = {change.action.target: {"200" if body else "202": response}}
    if body == "Posts":  # a list that several requests give together needs its key
        written[change.action.target.removesuffix(".responses")] = {"x-batch": {"key": "id"}}
    return written


def _errors(changes: Mapping[str, list[Change]]) -> dict[str, Any]:
    """Codes that differ: nothing to find is 410, what is not allowed 409, a wrong value 400."""
    others = {"404": "410", "403": "409", "422": "406", "413": "406", "400": "418"}
    (change,) = next(iter(changes.values()))
    responses = change.action.update
    return {
        change.action.target: {others.get(code, code): each for code, each in responses.items()}
    }


def _presence(changes: Mapping[str, list[Change]]) -> dict[str, Any]:
    """The last of the fields may be missing after all."""
    every = next(iter(changes.values()))
    return {each.action.target: {"required": each.action.update["required"][:-1]} for each in every}


def confirmed(folder: Path, gaps: Iterable[str]) -> Config:
    """Return the configuration of a project in which these gaps are confirmed."""
    config = load_config(PROJECT / "pyproject.toml")
    actions: Actions = {}
    for gap in gaps:
        for name, several in confirmation(gap).items():
            actions.setdefault(name, []).extend(several)
    sources = []
    for source in config.sources:
        (path := folder / "confirmed" / source.name).mkdir(parents=True)
        if source.name in actions:
            head = {"overlay": "1.1.0", "info": {"title": "What support said", "version": "1"}}
            text = dump({**head, "actions": actions[source.name]})
            (path / "support.yaml").write_text(text, encoding="utf-8")
        sources.append(replace(source, confirmed=path))
    return replace(
        config,
        sources=tuple(sources),
        output=folder / "generated",
        copies=(folder / "documents",),
        commands=folder / "catalogue",
    )


def generate(config: Config) -> tuple[dict[str, str], list[str]]:
    """Write a project, and return its files; and the pages that are named."""
    files, findings = steps.generate(config)
    write(steps.folders(config, files))
    return files, [str(each) for each in findings if each.rule == "page"]
