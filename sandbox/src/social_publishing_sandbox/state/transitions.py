"""How a post moves from state to state, read from what the documents assume (§3)."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from social_publishing_sandbox.state.documents import Document, Json

_AS_RELEASE: Final = "as setPostsDraft"


class Transitions:
    """The table of transitions, and what the fields of a post update do to the state.

    Attributes:
        code: the codes of the states by name.
        name: the names of the states by code.
        precedence: the fields of an update that bear on the state, the strongest first.
    """

    def __init__(self, document: Document) -> None:
        self.code = document.codes("PostStatus")
        self.name = {code: name for name, code in self.code.items()}
        self._rows: list[Json] = document.assume.get("transitions", [])
        update = document.assume.get("updatePost", {})
        self.precedence: list[str] = update.get("precedence", [])
        self._effects: Json = {
            "should_skip": {"true": "SKIPPED", **update.get("shouldSkip", {})},
            "isDraft": update.get("isDraft", {}),
            "isPublishNow": update.get("isPublishNow", {}),
        }
        self.awaiting_date = frozenset(
            self.code[name]
            for row in self._rows
            if row["by"] == "clock" and row.get("at") == "publication_date"
            for name in row["from"]
        )
        """The states that the clock ends at the publication date."""

    def next(self, status: int, by: str, true: Collection[str] = ()) -> int | None:
        """Return the state that the first fitting row leads to, or None where none fits.

        Args:
            status: the state that it is in.
            by: an operation, `clock` or `control`.
            true: the conditions (`when`) that hold.
        """
        for row in self._from(status, by):
            if all(each in true for each in _conditions(row)):
                return self.code[row["to"]]
        return None

    def way_out(self, status: int) -> str:
        """Return where `is_draft` false takes a post out of this state, in a sentence; empty where
        it takes it nowhere.
        """
        ways = [
            " with ".join([row["to"], *filter(None, [" and ".join(_conditions(row))])])
            for row in self._from(status, "setPostsDraft")
        ]
        return f"is_draft false leads to {', else to '.join(ways)}" if ways else ""

    def _from(self, status: int, by: str) -> list[Json]:
        return [row for row in self._rows if row["by"] == by and self.name[status] in row["from"]]

    def effect(self, field: str, value: bool, status: int) -> int | str | None:
        """Return what a field of a post update does to a post in this state.

        Returns:
            The code of the state that it leads to; or, where it does what `setPostsDraft` does with
            `is_draft` false, the name of the state out of which that takes the post; or None where
            it does nothing.
        """
        words = self._effects.get(field, {}).get("true" if value else "false", "nothing")
        if words == _AS_RELEASE:
            return self.name[status]
        if match := re.fullmatch(rf"from (\w+) {_AS_RELEASE}, else nothing", words):
            return "DRAFT" if self.name[status] == match[1] else None
        return self.code.get(words)


def _conditions(row: Json) -> list[str]:
    when = row.get("when", [])
    return [when] if isinstance(when, str) else when
