"""Names that stand for identifiers: those of groups and accounts that the service has told of.

No operation lists groups or accounts (§4.8, `endpoints.missing`). So the names in every response
are remembered, for each profile and token apart, in a file that only the user can read.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from .files import make_folder, replacing

Kind = Literal["group", "account", "label", "user"]

_ID = re.compile("[0-9]{1,20}")
_NESTED = (dict, list)
_MOST = 20  # that a message lists
# What only a group, an account, a post's labels, or a user has (§2.2, §2.6 to §2.8).
_TELLING = (b'"timezone"', b'"socialNetwork"', b'"labels"', b'"email"')


class UnknownNameError(ValueError):
    """A name stands for nothing that is known, or for more than one thing."""

    documentation = "docs/command-line.md#names-instead-of-ids"


class Known(NamedTuple):
    """A group, an account, a label or a user, as the service has told of it.

    Attributes:
        network: The network of an account; empty for a group.
        username: What the network calls an account; empty where it is not known.
        group: The identifier of the group of an account; empty for a group.
        other: The name on the network, where people gave the account another one.
    """

    kind: Kind
    id: str
    name: str
    network: str = ""
    username: str = ""
    group: str = ""
    other: str = ""

    @property
    def label(self) -> str:
        """What people read: `Kornblume Bakery`, `Kornblume Bakery (instagram)`."""
        name = next(
            filter(None, (" ".join(t.split()) for t in (self.name, self.username))), self.id
        )
        return f"{name} ({self.network})" if self.network else name

    @property
    def spellings(self) -> set[str]:
        """All that stands for it, in the form in which names are compared."""
        mention = f"@{self.username.removeprefix('@')}" * bool(self.username)
        given = [*filter(None, (self.name, self.other, self.username, mention))]
        if self.network:
            given += [f"{name} ({self.network})" for name in given]
        return {_plain(each) for each in given}


def listed(known: Sequence[Known]) -> str:
    """Return the first of several in words, each with its id, and how many more there are."""
    named = ", ".join(f"{each.label} ({each.id})" for each in known[:_MOST])
    more = len(known) - _MOST
    return f"{named}, and {more} more (social-publishing names)" if more > 0 else named


class Names:
    """The names that one account of the service has told of."""

    def __init__(self, path: Path | None = None) -> None:
        """Read the names that are kept in a file; None keeps them in memory alone."""
        self._path = path
        self._known = _read(path)
        self._told: dict[str, Known | None] = {}

    def __iter__(self) -> Iterator[Known]:
        every = self._known.values()
        return iter(
            sorted(every, key=lambda each: (each.kind != "group", _plain(each.label), int(each.id)))
        )

    def get(self, identifier: str | None) -> Known | None:
        """Return what is known by an identifier."""
        return self._known.get(identifier or "")

    def label(self, identifier: str) -> str:
        """Return the name of an identifier; itself where none is known."""
        known = self._known.get(identifier)
        return known.label if known else identifier

    def labels(self, ids: object) -> str:
        """Return a list of identifiers in words: names, as far as known, before the ids."""
        found = ((each, self.get(each)) for each in (ids if isinstance(ids, list) else ()))
        return ", ".join(f"{known.label} {each}" if known else each for each, known in found)

    def resolve(self, kind: Kind, text: str, group: str | None = None) -> str:
        """Return the identifier that a name, or an identifier, stands for.

        Args:
            group: The group whose accounts come before those of others.

        Raises:
            UnknownNameError: None is known by it, or several are.
        """
        if _ID.fullmatch(text.strip()):
            return text.strip()
        found = [each for each in self if each.kind == kind and _plain(text) in each.spellings]
        found = [each for each in found if group and each.group == group] or found
        if len(found) == 1:
            return found[0].id
        shown = " ".join(text.split())[:60]
        if found:
            named = ", ".join(f"{each.label} ({each.id})" for each in found)
            raise UnknownNameError(f"{shown!r} may be any of {named}: write the id")
        raise UnknownNameError(
            f"no {kind} is known by the name {shown!r}. {self._advice(kind, text, group)}"
        )

    def several(self, kind: Kind, text: str, group: str | None = None) -> list[str]:
        """Return the identifiers of a list: names with commas, ids with commas or spaces between.

        Raises:
            UnknownNameError: A name is not known, or stands for several.
        """
        with suppress(UnknownNameError):  # a name may have a comma
            return [self.resolve(kind, text, group)] if text.strip() else []
        parts = [part.strip() for part in re.split(r"[,;|\n]", text)]
        found: list[str] = []
        for part in filter(None, parts):
            words = part.split()
            are_ids = all(map(_ID.fullmatch, words))
            found += words if are_ids else [self.resolve(kind, part, group)]
        return found

    def _advice(self, kind: Kind, text: str, group: str | None) -> str:
        import difflib

        known = [each for each in self if each.kind == kind]
        known.sort(key=lambda each: not group or each.group != group)  # its own come first
        by_spelling = {spelling: each for each in known for spelling in each.spellings}
        near = difflib.get_close_matches(_plain(text), by_spelling, 1)
        if near:
            one = by_spelling[near[0]]
            return f"Did you mean {one.label!r} ({one.id})?"
        if known:
            return f"Known are {listed(known)}."
        if kind in ("label", "user"):
            return "A name is known once the service has told it: write the id"
        if kind == "group":
            return (
                "A name is known once the service has told it: use the id once, as in "
                "social-publishing names ID. No operation lists groups (§4.8, endpoints.missing); "
                "the group_id of an account, or of a calendar note, is one"
            )
        return (
            "A name is known once the service has told it: social-publishing names GROUP reads "
            "those of a group"
        )

    def learn(self, body: bytes) -> None:
        """Remember the groups and accounts in the body of a response."""
        if any(mark in body for mark in _TELLING):
            with suppress(ValueError, RecursionError):
                self.add(json.loads(body))

    def add(self, value: Any) -> None:
        """Remember the groups and accounts in a value of JSON, at any depth."""
        for found in _found(value):
            if self._known.get(found.id) != found:
                self._known[found.id] = self._told[found.id] = found

    def forget(self, identifier: str) -> None:
        """Forget one that the service does not have any more."""
        if self._known.pop(identifier, None):
            self._told[identifier] = None

    def save(self) -> None:
        """Write what is new, beside what others have written meanwhile; it may fail silently."""
        if not self._told or self._path is None:
            return
        every = {**_read(self._path), **self._told}
        kept = [each._asdict() for each in every.values() if each]
        with suppress(OSError):
            make_folder(self._path.parent)
            with replacing(self._path, 0o600) as new:
                text = json.dumps({"names": kept}, ensure_ascii=False, indent=1)
                new.write_text(
                    text + "\n", encoding="utf-8", newline="\n", errors="backslashreplace"
                )
        self._told = {}


def names_path(folder: Path, *account: str) -> Path:
    """Return the file of the names of one account: its profile, address and token name it."""
    digest = hashlib.sha256("\n".join(account).encode()).hexdigest()[:16]
    return folder / "names" / f"{digest}.json"


def _read(path: Path | None) -> dict[str, Known]:
    """Return what a file holds; nothing where it is damaged, since all of it can be told again."""
    if path is None:
        return {}
    try:
        entries = [Known(**each) for each in json.loads(path.read_bytes())["names"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return {each.id: each for each in entries if _is_sound(each)}


def _is_sound(known: Known) -> bool:
    is_text = all(isinstance(member, str) for member in known)
    return is_text and known.kind in get_args(Kind) and bool(_ID.fullmatch(known.id))


def _found(value: Any) -> Iterator[Known]:
    """Yield the groups and accounts in a value of JSON."""
    left: list[tuple[str, Any]] = [("", value)]
    while left:
        of, one = left.pop()
        if isinstance(one, list):
            left += ((of, each) for each in one if isinstance(each, _NESTED))
        elif isinstance(one, dict):
            left += ((name, each) for name, each in one.items() if isinstance(each, _NESTED))
            if known := _known(one, of):
                yield known


def _known(one: dict[str, Any], of: str) -> Known | None:
    def text(*names: str) -> str:
        values = (one.get(name) for name in names)
        return next((each for each in values if isinstance(each, str) and each.strip()), "")

    if not isinstance(id := one.get("id"), str) or not _ID.fullmatch(id):
        return None
    if text("socialNetwork"):
        name, network = text("custom_name", "name"), text("socialNetwork")
        other = text("name") if text("custom_name") else ""
        return Known("account", id, name, network, text("username"), text("group_id"), other)
    if text("timezone") and text("name"):
        return Known("group", id, text("name"))
    if text("name") and (of == "labels" or text("email")):
        kind: Kind = "label" if of == "labels" else "user"
        return Known(kind, id, text("name"), group=text("group_id"))
    return None


def _plain(text: str) -> str:
    """Return a name in the form in which names are compared."""
    folded = unicodedata.normalize("NFKC", text).casefold()  # which may take letters apart
    return " ".join(unicodedata.normalize("NFKC", folded).split())
