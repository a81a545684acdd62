"""Stored objects as the documents show them: every documented field, in the documented order.

What is stored is sparse. A field without a value is null where the documents allow null, empty or
false where it is a list or a flag, and otherwise left out, or null where the sandbox is set to
send nulls (`nulls.unmarked` in the register of gaps).
"""

from __future__ import annotations

from typing import Any, Final

from social_publishing_sandbox.state.documents import Document, Json

STORED_RELATIONS: Final = ("comments", "tasks", "approvals")
"""The relations of a post that are kept with it; the world format has them in the post, too."""

POST_RELATIONS: Final = ("user", "socialAccounts", "details", "media", "labels", *STORED_RELATIONS)
"""The relations of a post (§2.2)."""

_RELATIONS: Final = {
    "Post": POST_RELATIONS,
    "Group": ("socialAccounts", "socialAccountsCount"),
    "SocialAccount": ("user",),
    "PostDetail": ("firstComment", "link_preview"),
}
"""The members of a schema that are there only when they are given."""

_ZEROS: Final = {"Post": ("publication_delay_between", "content_weighted_length")}
"""The whole numbers of a schema that are 0 without a value; others are then unset."""

ABSENT: Final = object()
"""Stands for a member that is not there at all."""

_UNSET: Final = object()  # a field that has no value


class View:
    """How one kind of object is shown.

    Args:
        document: the document with the schema.
        schema: the schema's name.
        nulls: unset fields are sent as null.
    """

    def __init__(self, document: Document, schema: str, *, nulls: bool = False) -> None:
        relations, zeros = _RELATIONS.get(schema, ()), _ZEROS.get(schema, ())
        self._template: Json = {}
        for name, node in document.schema(schema)["properties"].items():
            kind = document.resolve(node)
            if name in relations:
                value: Any = ABSENT
            elif _nullable(document, kind):
                value = None
            elif kind.get("type") == "array":
                value = []
            elif kind.get("type") == "boolean":
                value = False
            else:
                value = 0 if name in zeros else None if nulls else _UNSET
            self._template[name] = value
        self._optional = tuple(
            name for name, value in self._template.items() if value is _UNSET or value is ABSENT
        )

    def __call__(self, doc: Json, relations: Json | None = None) -> Json:
        """Return the object with these relations, in the documented order.

        Args:
            relations: `ABSENT` takes a member away.
        """
        template = self._template
        shown = {**template, **doc, **relations} if relations else {**template, **doc}
        if len(shown) > len(template):  # with members that only the sandbox knows
            for name in doc:
                if name not in template:
                    del shown[name]
        for name in self._optional:
            if shown[name] is _UNSET or shown[name] is ABSENT:
                del shown[name]
        for name, value in (relations or {}).items():
            if value is ABSENT:
                shown.pop(name, None)
        return shown


def _nullable(document: Document, kind: Json) -> bool:
    types = kind.get("type")
    if isinstance(types, list):
        return "null" in types
    return any(document.resolve(each).get("type") == "null" for each in kind.get("anyOf", ()))
