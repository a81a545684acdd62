"""The body of a request: one of those that the documents offer, checked and turned into bytes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ..core.named_tuples import NamedTuple
from ..core.type_guards import is_list, is_mapping
from .multipart import FilePart, Multipart, Part, Streamed
from .styles import encode_json, in_query, plain_text
from .validation import Checker, Parameter, is_in_range

JSON = "application/json"
MULTIPART = "multipart/form-data"
URLENCODED = "application/x-www-form-urlencoded"


class FieldEncoding(NamedTuple):
    """How a field of a form is written: as in a query, or by its media type in a multipart body."""

    style: str = "form"
    explode: bool = True
    content_type: str = ""


class Payload(NamedTuple):
    """What a body holds, once it is checked; all UNSET where there is none."""

    json: Any = UNSET
    form: Any = UNSET
    content: bytes | str | UnsetType = UNSET
    parts: Sequence[Part] = ()


class BodyOption(msgspec.Struct, frozen=True):
    """One of the bodies that a request may have.

    Attributes:
        media_type: its media type, or a range of them.
        sent: the media type that leaves, where that is another one.
        arguments: the arguments that it can carry, by their names.
        required: the names of those that it needs, with blanks between them.
        kind: the class of `content`.

    The others are arguments of `prepare`, but a class in the place of a model is made of those that
    it carries.
    """

    media_type: str = ""
    sent: str = ""
    arguments: Mapping[str, Any] = {}
    required: str = ""
    json: type[msgspec.Struct] | msgspec.Struct | Parameter | UnsetType = UNSET
    form: type[msgspec.Struct] | msgspec.Struct | Parameter | UnsetType = UNSET
    body_required: bool = True
    files: Sequence[FilePart] = ()
    encoding: Mapping[str, FieldEncoding] | None = None
    content: Any = UNSET
    kind: Any = bytes | str

    def checked(self, checker: Checker) -> Payload:
        """Return what it holds; problems are recorded, not raised."""
        parts = [part for file in self.files for part in file.parts(checker)]
        beside = {file.name for file in self.files}
        before = len(checker.problems)
        json, form = (self._checked(checker, each, beside) for each in (self.json, self.form))
        is_form = form is UNSET or is_mapping(form)
        if not is_form and len(checker.problems) == before:
            got = type(form).__name__
            checker.refuse("body", f"expected a mapping, the fields of the form, got {got}")
        if parts and is_mapping(form):  # a file wins over another member of its name
            sent = {part.given.name for part in parts}
            form = {name: value for name, value in form.items() if name not in sent}
        if isinstance(self.content, FilePart):
            value = self.content.value
            if isinstance(value, bytes) and self.content.progress is None:
                return Payload(content=value)
            return Payload(parts=self.content.parts(checker))
        if self.content is not UNSET and not isinstance(self.content, self.kind):
            wanted = {str: "text", bytes: "bytes"}.get(self.kind, "text or bytes")
            checker.refuse("body", f"expected {wanted}, got {type(self.content).__name__}")
        return Payload(json, form, self.content, parts)

    def _checked(self, checker: Checker, value: Any, beside: Collection[str]) -> Any:
        """Return the JSON value of what was given as a model or as a single argument."""
        if isinstance(value, Parameter):
            given = value.value
            return UNSET if given is UNSET else checker.wire(given, value.type, value.argument)
        if isinstance(value, UnsetType):
            return UNSET
        if isinstance(value, type):
            files = {file.argument for file in self.files}
            known = self.arguments.keys() & {each.name for each in msgspec.structs.fields(value)}
            values = {name: self.arguments[name] for name in known}
            value = value(**values | dict.fromkeys(known & files, UNSET))
        members = checker.fields(value, beside)
        return members if members or self.body_required else UNSET

    def encode(
        self, payload: Payload, content_type: str | None, operation: str
    ) -> tuple[bytes | Multipart | None, str | None]:
        """Return the body, and its media type; None for both where there is none."""
        fields = payload.form
        if payload.json is not UNSET:
            return encode_json(payload.json), content_type or JSON
        if payload.parts and isinstance(self.content, FilePart):
            streamed = Streamed(payload.parts[0], operation, content_type)
            return streamed, streamed.content_type
        of_parts = content_type if (content_type or "").startswith("multipart/") else None
        if payload.parts or (fields is not UNSET and (self.files or of_parts)):
            given = {} if fields is UNSET else _form_fields(fields, self.encoding or {})
            types = {name: each.content_type for name, each in (self.encoding or {}).items()}
            body = Multipart(given, payload.parts, operation, types, of_parts or MULTIPART)
            return body, body.content_type
        if fields is not UNSET:
            return _urlencoded(fields, self.encoding or {}), content_type or URLENCODED
        content = payload.content
        if isinstance(content, UnsetType):
            return None, None
        content = content.encode() if isinstance(content, str) else content
        return content, content_type or "application/octet-stream"

    def type_for(self, wanted: Any) -> str:
        """Return the media type that leaves if the caller wants one; empty if it is not of it."""
        if wanted is UNSET or wanted == self.media_type:
            return self.sent or ("" if "*" in self.media_type else self.media_type)
        return wanted if "*" in self.media_type and is_in_range(wanted, self.media_type) else ""


NO_BODY, NO_PAYLOAD = BodyOption(), Payload()


def choose_body(
    checker: Checker, options: Sequence[BodyOption], wanted: Any
) -> tuple[BodyOption, Payload, str | None]:
    """Return the body of the wanted media type, or the first that carries what was given."""
    given = [
        name
        for name, value in {k: v for each in options for k, v in each.arguments.items()}.items()
        if value is not UNSET
    ]
    offers = [(each, each.type_for(wanted)) for each in options if each.type_for(wanted)]
    if not offers:
        names = ", ".join(each.media_type for each in options)
        checker.refuse("content_type", f"expected one of {names}, got {wanted!r}")
        return NO_BODY, NO_PAYLOAD, None
    if not given and not options[0].body_required:
        return NO_BODY, NO_PAYLOAD, None
    trials: list[tuple[int, Checker]] = []
    for option, media_type in offers:
        trial = Checker()
        foreign = [name for name in given if name not in option.arguments]
        for name in foreign:
            trial.refuse(name, f"cannot be sent as {option.media_type}")
        for name in option.required.split():
            if option.arguments[name] is UNSET:
                trial.refuse(name, "is required")
        payload = option.checked(trial)
        if not trial.problems:
            return option, payload, media_type
        trials.append((len(foreign), trial))
    checker.problems += dict.fromkeys(min(trials, key=lambda each: each[0])[1].problems)
    return NO_BODY, NO_PAYLOAD, None


def _form_fields(
    values: Mapping[str, Any], encoding: Mapping[str, FieldEncoding]
) -> dict[str, list[str]]:
    """Return the texts of each field: one for each item of a list, unless that is JSON itself."""
    return {
        name: [encode_json(value).decode()]
        if name in encoding and encoding[name].style == "json"
        else [plain_text(item) for item in (value if is_list(value) else [value])]
        for name, value in values.items()
    }


def _urlencoded(values: Mapping[str, Any], encoding: Mapping[str, FieldEncoding]) -> bytes:
    from urllib.parse import urlencode

    usual = {name: value for name, value in values.items() if name not in encoding}
    pairs = [urlencode(_form_fields(usual, {}), doseq=True)] if usual else []
    for name, value in values.items():
        if name in encoding:
            pairs += in_query(name, value, encoding[name].style, encoding[name].explode)
    return "&".join(pairs).encode()
