"""What each surface shows of a gap before and after its confirmation: one row of the table."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import asking
import confirmed
from confirmed import PROJECT

SURFACES: Final = ("client", "sandbox", "command", "tools", "texts")
PAGE: Final = PROJECT / "docs/trust/register.md"
PRINTS: Final = "prints what comes"
UNSEEN: Final[dict[str, str]] = {
    "error.fields": "it looks accounts up before it writes",
    "errors.getPostMetrics": "it finds posts first",
    "errors.getSocialAccount": "it reads accounts with their group",
    "errors.listPostActivities": "it reads posts first",
    "errors.updatePost": "it reads posts first",
    "getGroup.include": "it asks for accounts by name",
    "include.fields": "no tool includes comments",
    "include.values": "no tool includes comments",
    "listPosts.socialAccountIds": "it finds posts by group",
    "notes.extraDay": "no tool shows it",
    "paging.parameters": "tools follow the links of pages",
    "post.weightedLength": "no tool shows it",
    "success.getGroup": "it looks groups up by name",
    "success.getPostMetrics": "it finds posts first",
    "success.getSocialAccount": "it reads accounts with their group",
    "success.updatePost": "it shows what the post became",
    "text.emoji": "no tool shows it",
    "user.presence": "no tool shows it",
}
"""What tools that call an operation do not show of it, by gap."""

UNTYPED: Final[dict[str, str]] = {
    "page.nulls": "a field that may be missing may be null",
}
"""Why the types of a client are the same whatever is true, by gap."""

UNSENT: Final[dict[str, str]] = {
    "bulk.empty": "an empty list sends nothing",
    "deletePosts.required": "it sends identifiers in any case",
    "requests.accept": "it accepts JSON alone",
}
"""Why a client and a command cannot send what a probe sends by itself, by gap."""

REFUSES: Final[dict[str, str]] = {
    "createLabel.required": "it refuses a label without a name",
    "rescheduleCalendarNote.required": "it refuses a move to no date",
    "uploadMediaFromUrl.required": "it refuses an upload without an address",
}
"""What the sandbox goes on to refuse, since nobody says what it would mean, by gap."""


class Project:
    """A project in which some gaps are confirmed, what it generates and what looks at it see."""

    def __init__(self, folder: Path, gaps: Iterable[str], asked: Iterable[str]) -> None:
        self.files, self.pages = confirmed.generate(confirmed.confirmed(folder, gaps))
        sources = [folder / "generated/client/src"]
        sources += [PROJECT / each for each in ("sandbox/src", "cli/src", "")]
        done = subprocess.run(
            [sys.executable, str(Path(asking.__file__)), str(folder)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sources))},
            input=json.dumps(
                {
                    "gaps": {each: confirmed.places(each) for each in asked},
                    "codes": confirmed.codes(),
                }
            ),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        self.seen: dict[str, dict[str, str]] = json.loads(done.stdout.splitlines()[-1])

    @cached_property
    def plain(self) -> dict[str, str]:
        """The files, each in one line."""
        return {path: " ".join(text.split()) for path, text in self.files.items()}


class Row:
    """A gap, what became of its surfaces, and what is wrong with them."""

    def __init__(self, gap: str, before: Project, after: Project) -> None:
        self.gap, self.before, self.after = gap, before, after
        self.wrong: list[str] = []
        self.cells = dict.fromkeys(SURFACES, "asked")
        seen, was = after.seen[gap], before.seen[gap]
        if "assistant" in seen:
            self._ways(was, seen)
        else:
            self._types(was, seen)
        self.wrong += [f"{gap}: {each}" for each in self._stale()]

    def __str__(self) -> str:
        return " | ".join((f"| `{self.gap}`", *self.cells.values())) + " |"

    def _ways(self, was: dict[str, str], seen: dict[str, str]) -> None:
        """Hold every way of a probe to the confirmation."""
        for way in ("client", "awaited", "command"):
            if seen[way].startswith("not asked: "):
                self.cells[way] = seen[way].removeprefix("not asked: ")
            elif "failed:" in seen[way] or seen[way] == was[way]:
                self._report(f"{way} shows {seen[way]}, and before {was[way]}")
        if seen["client"] != seen["awaited"]:
            self._report(f"the clients differ: {seen['client']}, {seen['awaited']}")
        if self.gap in UNSENT:
            self.cells |= dict.fromkeys(("client", "command", "tools"), UNSENT[self.gap])
        tools, before = (_assumes_alone(self.gap, each["assistant"]) for each in (seen, was))
        if "failed:" in tools:
            self._report(f"tools show {tools}")
        elif tools.startswith("not asked: "):
            self.cells["tools"] = tools.partition("\n")[0].removeprefix("not asked: ")
        elif self.gap in UNSEEN:
            self.cells["tools"] = UNSEEN[self.gap]
        elif tools == before and self.gap not in UNSENT:
            self._report(f"tools show what they did: {tools[:600]}")

    def _types(self, was: dict[str, str], seen: dict[str, str]) -> None:
        """Hold the types and texts of a gap to the confirmation."""
        if seen["client"] != seen["awaited"].replace("Async", ""):
            self._report("the clients differ")
        if confirmed.is_of_words(self.gap):
            self.cells["client"] = "its docstring"
            self.cells["sandbox"] = "its document"
        else:
            if self.gap in UNTYPED:
                self.cells["client"] = UNTYPED[self.gap]
            elif seen["client"] == was["client"]:
                self._report(f"the client takes {seen['client'][:400]}, as before")
            misfits = [
                each for each in re.findall(r'fits": "(.*?)"', seen["sandbox"]) if each != "[]"
            ]
            if misfits:
                self._report(f"the sandbox's response does not fit: {misfits}")
            if "(" in seen["sandbox"] and seen["sandbox"] == was["sandbox"]:
                self.cells["sandbox"] = REFUSES.get(self.gap, "")
            if not self.cells["sandbox"]:
                self._report(f"the sandbox takes {seen['sandbox']}, as before")
        if seen["command"] == was["command"]:
            self.cells["command"] = PRINTS
        if self.gap not in self.before.seen["tools"]["listed"]:
            self.cells["tools"] = "no tool names it"

    def _report(self, text: str) -> None:
        self.wrong.append(f"{self.gap}: {text}")

    def _stale(self) -> Iterable[str]:
        """Yield what still states the guess: a label, a row, or a text that was written for it."""
        gap, after = self.gap, self.after
        label = re.compile(rf"assumed (?:in |by )?\(\[?{re.escape(gap)}\b(?!\.)")
        listed = re.compile(rf"(?:Assumed|Not known): [^\n]*\[{re.escape(gap)}\]")
        stamp = re.compile(rf'"x-assumed": \[[^\]]*"{re.escape(gap)}"')
        for path, text in after.files.items():
            for mark in (label, listed, stamp):
                if mark.search(after.plain[path] if mark is not listed else text):
                    yield f"{path} still has it as assumed"
        if re.search(rf"{re.escape(gap)}\b(?!\.)", after.seen["tools"]["listed"]):
            yield "what assistants read of tools still names it"
        if f"confirmed:** Support said so of {gap}." not in after.files["GAPS.md"]:
            yield "GAPS.md does not show it as confirmed"
        if f"confirmed: Support said so of {gap}." not in after.files["client/api.md"]:
            yield "api.md does not show it as confirmed"
        for name in ("main", "media"):
            entry = json.loads(after.files[f"openapi/{name}.json"])["x-gaps"].get(gap, {})
            if entry.get("because") or entry.get("basis"):
                yield f"x-gaps of {name} still gives a reason of the guess"
        actions = [each for several in confirmed.confirmation(gap).values() for each in several]
        written = " ".join(_plain(each) for action in actions for each in _texts(action["update"]))
        for text in {each for action in actions for each in _texts(action["update"])}:
            for path in ("client/api.md", "openapi/"):
                files = [each for each in after.plain if each.startswith(path)]
                if not any(_plain(text).rstrip(".") in after.plain[each] for each in files):
                    yield f"{path} does not say {text!r}"
        for name, changes in confirmed.assumed().get(gap, {}).items():
            for text in {each for change in changes for each in _texts(change.action.update)}:
                if text in written or text in _documented(name):
                    continue
                for path in after.files:
                    if text in self.before.plain[path] and text in after.plain[path]:
                        yield f"{path} still says {text!r}"
        named = {each.partition(":")[0] for each in after.pages if f" {gap} is confirmed" in each}
        for page in _pages():
            for paragraph in page.read_text(encoding="utf-8").split("\n\n"):
                is_of = f"`{gap}`" in paragraph and "assum" in paragraph.lower()
                is_of |= f"(`{gap}`)" in paragraph
                if is_of and not any(each.endswith(page.name) for each in named):
                    yield f"nothing names docs/{page.name}, which names it"


def table(rows: Iterable[Row]) -> str:
    """Return the table of gaps and surfaces."""
    head = f"| gap | {' | '.join(SURFACES)} |\n{'|---' * (1 + len(SURFACES))}|\n"
    return head + "".join(f"{row}\n" for row in rows)


def _assumes_alone(gap: str, text: str) -> str:
    """Leave out the other gaps that tools name as assumed: they say nothing of this one."""
    named = r" Assumed, not documented: ([\w.]+(?:, [\w.]+)*)\."
    return re.sub(named, lambda found: " Assumed." * (gap in found[1].split(", ")), text)


@cache
def _pages() -> list[Path]:
    return [each for each in (PROJECT / "docs").glob("*.md")]


def _plain(text: str) -> str:
    return " ".join(text.split())


@cache
def _documented(name: str) -> str:
    return _plain((PROJECT / "spec" / f"{name}.yaml").read_text(encoding="utf-8"))


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key in ("description", "summary") and isinstance(each, str) and len(each) > 30:
                yield _plain(each)
            else:
                yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
