"""Replace each secret in a recording by a placeholder of its own.

The same secret becomes the same placeholder throughout a recording, so that several users stay
apart: `<token-1>`, `email-1@example.invalid`, `+0000000001`, `<password-1>`. Redacting twice
changes nothing.

Identifiers, moments, epochs and counts are no telephone numbers (§2.1 to §2.4): a number is
one when it is written like one (`+49 170 …`, `(555) 123-4567`, `0170 …`) or stands in a field that
is named like one. Numbers in JSON are left alone unless their field is named like a secret.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, unquote

from social_publishing_sandbox.recording import escapes
from social_publishing_sandbox.recording.model import (
    Body,
    Content,
    Interaction,
    Json,
    Multipart,
    Part,
    RecordingError,
    Text,
    with_contents,
)

PLACEHOLDER = re.compile(r"<[a-z][a-z0-9-]*-\d+>|email-\d+@example\.invalid|\+0\d{9}(?!\d)")
"""Every placeholder, as it stands in a text."""
PLACEHOLDER_IN_TARGET = re.compile(
    r"%3C[a-z][a-z0-9-]*-\d+%3E|email-\d+@example\.invalid|%2B0\d{9}(?!\d)"
)
"""Every placeholder, as it stands in a request target."""

ALLOWED_HEADERS = frozenset(
    {"accept", "content-type", "location", "retry-after"}
    | {f"x-ratelimit-{name}" for name in ("limit", "remaining", "reset")}
)
NEVER_ALLOWED = frozenset({"authorization", "cookie", "proxy-authorization", "set-cookie"})

_FIELD_KINDS = {
    "email": "email",
    "emailaddress": "email",
    "phone": "phone",
    "phonenumber": "phone",
    "mobile": "phone",
    "telephone": "phone",
}
_SECRET_FIELDS = (
    *("access_token", "api_key", "api_token", "auth_token", "authorization", "bearer_token"),
    *("client_secret", "cookie", "email", "email_address", "id_token", "mobile", "passwd"),
    *("password", "phone", "phone_number", "private_key", "refresh_token", "secret", "session_id"),
    *("telephone", "token"),
)
_SECRET_QUERY_ITEMS = (  # what gives access to a file behind a signed address
    *("key_pair_id", "policy", "sig", "signature", "x_amz_credential", "x_amz_security_token"),
    *("x_amz_signature", "x_goog_credential", "x_goog_signature"),
)

_LOCAL = r"[\w.!#$*^+~-]"
_EMAIL = re.compile(
    # Not from inside of an escape: what is left of it would be none, and the address another one.
    r"(?!(?<=%)[0-9A-Fa-f]{2})(?!(?<=\\)(?:u[0-9A-Fa-f]{4}|[bfnrt]))"
    rf"(?:\"[^\"@\n]{{1,64}}\"|(?<!{_LOCAL}){_LOCAL}+)@"
    r"(?!\dx\.(?:png|jpe?g|gif|webp|avif|svg)\b)"  # `photo@2x.png` is a picture for a fine screen
    r"(?:[\w-]{1,63}\.){1,8}\w[\w-]{1,62}"
)
_GAP = r"[\s().\-/+‐‑–]"  # in a form, a plus sign is a space
_SIGN = r"[\s.\-+]"
_PHONE = re.compile(
    # With a country's code; none begins with 0, as every placeholder does.
    rf"(?<![\w+])(?:\+(?={_GAP}{{0,2}}[1-9])|00(?=[1-9]))(?:{_GAP}{{0,3}}\d){{7,15}}(?!\w)"
    rf"|(?<![\w.-])0(?!00)\d{{2,4}}(?:{_SIGN}|/)?\d{{3,}}(?:{_SIGN}\d{{2,}})*(?!\w)"  # 0170 1234567
    rf"|(?<![\w.])\(0\d{{1,4}}\)(?:{_SIGN}|/)?\d{{2,}}(?:{_SIGN}\d{{2,}})*(?!\w)"  # (030) 123456
    rf"|(?<![\w.+-])0[1-9](?:{_SIGN}\d\d){{4}}(?!\w)"  # 01 23 45 67 89
    rf"|(?<![\w.+-])(?:1{_SIGN})?(?:\(\d{{3}}\){_SIGN}?|\d{{3}}{_SIGN})\d{{3}}{_SIGN}\d{{4}}(?![\w-])"
    r"|(?<=tel:)\d{7,15}(?!\w)|(?<=wa\.me/)\d{7,15}(?!\w)"
)
_LOGIN = re.compile(r"(?<=://)[^/\s?#@\"'<>]+(?=@)")
_BEARER = re.compile(r"\bBearer[ :]+([\w.~+/-]{4,}=*)", re.IGNORECASE)
_WEB_TOKEN = re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*")

_NO_VALUES = ("null", "true", "false")
_LONG = 12  # a shorter secret is replaced only where it is a whole word
_SHORTEST = 4


@dataclass(frozen=True, slots=True)
class Rules:
    """Redactions and kept headers, in addition to the built-in rules.

    Attributes:
        fields: names of fields whose values are secrets.
        patterns: patterns of secrets in any text, each with the name of its placeholders.

    Raises:
        RecordingError: a field's name has no letters or digits, or a pattern's name has others than
            lower-case letters, digits and dashes.
    """

    fields: tuple[str, ...] = ()
    patterns: tuple[tuple[str, re.Pattern[str]], ...] = ()
    headers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        wrong = [name for name in self.fields if not _folded(name)]
        wrong += [each for each, _ in self.patterns if not re.fullmatch("[a-z][a-z0-9-]*", each)]
        if wrong:
            raise RecordingError(f"a rule for redaction cannot be named {wrong[0]!r}")


class Redactor:
    """Replaces secrets by placeholders; remembers which secret became which.

    `learned` grows whenever a secret becomes known that may stand in what was redacted before.
    """

    def __init__(self, rules: Rules | None = None) -> None:
        rules = rules or Rules()
        self.learned = 0
        self._headers = ALLOWED_HEADERS | {name.lower() for name in rules.headers}
        self._numbers: dict[str, dict[str, int]] = {}
        self._secrets: dict[str, str] = {}
        self._forms: list[_Form] = []
        self._form_pattern: re.Pattern[str] | None = None
        self._fields = frozenset(map(_folded, (*_SECRET_FIELDS, *rules.fields)))
        names = "|".join(map(_spelled, sorted(self._fields)))
        items = "|".join(map(_spelled, sorted({*self._fields, *map(_folded, _SECRET_QUERY_ITEMS)})))
        self._quoted_field = re.compile(rf"[\"']({names})[\"']\s*:\s*[\"']?([^\"',}}\]\s]+)", re.I)
        self._query_item = re.compile(rf"[?&;]({items})=([^&;#\s\"'<>]+)", re.I)
        self._form_item = re.compile(rf"(?:^|[?&;\s])({items})=([^&;#\s\"'<>]+)", re.I)
        custom = [self._custom(name, pattern) for name, pattern in rules.patterns]
        self._finders: list[escapes.Finder] = [
            self._known,
            *custom,
            self._kind("login", _LOGIN),
            self._token(_BEARER, 1),
            self._token(_WEB_TOKEN, 0),
            self._named(self._quoted_field),
            self._named(self._query_item),
            self._kind("email", _EMAIL),
            self._kind("phone", _PHONE),
        ]
        self._form_finders = [self._named(self._form_item), *self._finders]

    def authorization(self, value: str) -> str:
        """Return the value of an `Authorization` header (§5) with its credentials replaced.

        What it carries is from now on a secret wherever it stands.
        """
        scheme, space, credentials = value.strip().partition(" ")
        if not space:
            return self._learn("token", scheme)
        return f"{scheme} {self._learn('token', credentials.strip())}"

    def interaction(self, interaction: Interaction) -> Interaction:
        """Return an interaction without secrets."""
        request, response = interaction.request, interaction.response
        # First of all: what is in them is a secret wherever else it stands.
        headers, target = self.headers(request.headers), self.target(request.target)
        asked = replace(request, target=target, headers=headers, body=self.body(request.body))
        headers, content = self.headers(response.headers), response.body
        content = content and self.content(content)
        return Interaction(asked, replace(response, headers=headers, body=content))

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """Return the headers that are kept, redacted; every other one is dropped.

        A multipart boundary is dropped too: it differs from request to request.
        """
        kept: dict[str, str] = {}
        for name, value in headers.items():
            if name == "authorization":
                kept[name] = self.authorization(value)
            elif name in self._headers and name not in NEVER_ALLOWED:
                kept[name] = self.text(value)
        if kept.get("content-type", "").lower().startswith("multipart/"):
            kept["content-type"] = kept["content-type"].partition(";")[0].strip()
        return dict(sorted(kept.items()))

    def text(self, text: str) -> str:
        """Return a text without secrets, however they are escaped in it."""
        return escapes.replace(text, self._finders)

    def form(self, text: str) -> str:
        """Return a text that may be made of `name=value`, such as a form, without secrets."""
        text = escapes.replace(text, self._form_finders)
        return escapes.replace(text, self._form_finders, plus_is_space=True)

    def target(self, target: str) -> str:
        """Return a request target without secrets; placeholders are percent-encoded in it."""
        finders = [_encoded(finder) for finder in self._finders]
        target = escapes.replace(target, finders)
        return escapes.replace(target, finders, plus_is_space=True)

    def json(self, value: Any, field: str = "") -> Any:
        """Return a JSON value without secrets, in keys too; in a field of a secret, all is one."""
        if isinstance(value, list):
            return [self.json(item, field) for item in value]
        if isinstance(value, dict):
            return {
                self.text(key): self.json(item, field or self._secret(key))
                for key, item in value.items()
            }
        if field and isinstance(value, str | int | float) and not isinstance(value, bool):
            return self._value(field, str(value))
        return self.text(value) if isinstance(value, str) else value

    def _secret(self, name: str) -> str:
        """Return the folded name of a field that holds a secret; of another one, nothing."""
        return folded if (folded := _folded(name)) in self._fields else ""

    def body(self, body: Body | None) -> Body | None:
        """Return a body without secrets."""
        if isinstance(body, Multipart):
            return Multipart(tuple(map(self._part, body.parts)))
        return with_contents(body, self.content)

    def content(self, content: Content) -> Content:
        """Return a content without secrets."""
        if isinstance(content, Json):
            return Json(self.json(content.value))
        if isinstance(content, Text):
            return Text(self.form(content.text))
        return content

    def _part(self, part: Part) -> Part:
        name, content = self._secret(part.name), part.content
        if isinstance(content, Json):
            content = Json(self.json(content.value, name))
        elif isinstance(content, Text):
            text = content.text
            content = Text(self._value(name, text) if name else self.form(text))
        filename = part.filename and self.text(part.filename)
        kind = part.content_type and self.text(part.content_type)
        return Part(self.text(part.name), filename, kind, content)

    def _value(self, name: str, value: str) -> str:
        if not value.strip() or PLACEHOLDER.fullmatch(value):
            return value
        kind = _FIELD_KINDS.get(name) or re.sub(r"[^a-z0-9]|^[0-9]+", "", name) or "secret"
        return self._learn(kind, value)

    def _placeholder(self, kind: str, value: str) -> str:
        same = value.casefold() if kind == "email" else value
        if kind == "phone":
            same = re.sub(r"\D", "", value) or value
        numbers = self._numbers.setdefault(kind, {})
        number = numbers.setdefault(same, len(numbers) + 1)
        if kind == "email":
            return f"email-{number}@example.invalid"
        return f"+0{number:09}" if kind == "phone" else f"<{kind}-{number}>"

    def _learn(self, kind: str, value: str) -> str:
        """Return the placeholder of a value that is a secret wherever else it stands."""
        if PLACEHOLDER.fullmatch(value):
            return value
        known = self._secrets.get(value)
        if known is not None:
            return known
        placeholder = self._placeholder(kind, value)
        if len(value) >= _SHORTEST:
            self._secrets[value] = placeholder
            forms = [*self._forms, *_forms(value, placeholder)]
            self._forms = sorted(forms, key=lambda form: -len(form.core))
            self._form_pattern = re.compile("|".join(f"({form.pattern})" for form in self._forms))
            self.learned += 1
        return placeholder

    def _known(self, text: str) -> Iterator[escapes.Hit]:
        if self._form_pattern is not None:
            for match in self._form_pattern.finditer(text):
                form = self._forms[(match.lastindex or 1) - 1]
                start = match.start()
                if form.shared and start and _IN_BASE64.match(text, start - 1):
                    start -= 1
                yield start, match.end(), form.placeholder

    def _custom(self, name: str, pattern: re.Pattern[str]) -> escapes.Finder:
        def find(text: str) -> Iterator[escapes.Hit]:
            made = [match.span() for match in PLACEHOLDER.finditer(text)]
            for match in pattern.finditer(text):
                start, end = match.span()
                if start < end and not any(a <= start and end <= b for a, b in made):
                    yield start, end, self._placeholder(name, match[0])

        return find

    def _kind(self, kind: str, pattern: re.Pattern[str]) -> escapes.Finder:
        """Find whatever matches, which is a secret where it stands."""
        return _finder(pattern, 0, lambda match: self._placeholder(kind, match[0]))

    def _token(self, pattern: re.Pattern[str], group: int) -> escapes.Finder:
        """Find tokens, which are secrets wherever else they stand."""
        return _finder(pattern, group, lambda match: self._learn("token", match[group]))

    def _named(self, pattern: re.Pattern[str]) -> escapes.Finder:
        """Find what stands behind the name of a secret: `"name": "value"`, `name=value`."""
        return _finder(pattern, 2, lambda match: self._value(_folded(match[1]), match[2]))


def _finder(
    pattern: re.Pattern[str], group: int, replacement: Callable[[re.Match[str]], str]
) -> escapes.Finder:
    """Find a group of a pattern; what is no value, or is a placeholder already, is left."""

    def find(text: str) -> Iterator[escapes.Hit]:
        for match in pattern.finditer(text):
            value = match[group]
            if value not in _NO_VALUES and not PLACEHOLDER.fullmatch(unquote(value)):
                yield match.start(group), match.end(group), replacement(match)

    return find


def _encoded(find: escapes.Finder) -> escapes.Finder:
    def encoded(text: str) -> Iterator[escapes.Hit]:
        for start, end, placeholder in find(text):
            yield start, end, quote(placeholder, safe="@")

    return encoded


def _folded(name: str) -> str:
    """Return a name as names are compared: `api_key`, `apiKey` and `API-Key` are one."""
    return re.sub(r"[\W_]", "", name).lower()


def _spelled(name: str) -> str:
    return "[_-]?".join(map(re.escape, name))


@dataclass(frozen=True, slots=True)
class _Form:
    """A way in which a secret can be written.

    Attributes:
        core: the characters that are the secret's own.
        pattern: matches them, and what follows of an encoding.
        shared: the character before them holds bits of the secret, too.
    """

    core: str
    pattern: str
    placeholder: str
    shared: bool = False


_IN_BASE64 = re.compile(r"[A-Za-z0-9+/_-]")


def _forms(secret: str, placeholder: str) -> Iterator[_Form]:
    """Return a secret as it is, and in base64, wherever in an encoded text it begins."""
    literal = re.escape(secret)
    if len(secret) < _LONG:
        literal = rf"(?<!\w){literal}(?!\w)"
    yield _Form(secret, literal, placeholder)
    data = secret.encode()
    for before in range(3):  # bytes, of which three make four characters
        start, end = -(-before * 8 // 6), (before + len(data)) * 8 // 6
        core = base64.b64encode(bytes(before) + data).decode()[start:end]
        if len(core) >= _LONG:
            either = re.escape(core).replace(r"\+", "[+-]").replace("/", "[/_]")
            follows = f"{_IN_BASE64.pattern}?" if (before + len(data)) % 3 else ""
            yield _Form(core, f"{either}{follows}={{0,2}}", placeholder, before > 0)
