"""A request as a value: made by one pure function for each operation, sent by either client."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, NoReturn, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from ..core.errors import ArgumentError, ClientError
from ..core.named_tuples import NamedTuple
from .bodies import JSON, NO_BODY, NO_PAYLOAD, BodyOption, FieldEncoding, choose_body
from .multipart import FilePart, Multipart
from .validation import Checker, Parameter, Window

if TYPE_CHECKING:
    from ..response.raw import RawResponse
    from .write_back import WriteBack

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

# safe: changes nothing. idempotent: doing it twice leaves what doing it once leaves.
# unsafe: a second time may do it a second time.
RetrySafety = Literal["safe", "idempotent", "unsafe"]


class Request(msgspec.Struct, Generic[T_co], frozen=True):
    """One call of the service, complete but for the address and the token.

    Attributes:
        operation: the method that it stands for, such as `books.lend`.
        server: which of the client's base addresses it goes to.
        method: the HTTP method.
        path: the path below the base address, percent-encoded; begins with a slash.
        query: the query string, percent-encoded; empty when there is none.
        headers: header fields of this operation alone.
        cookie: cookies of this operation alone, as they stand in a header field; empty for none.
        body: the body: bytes, or a multipart body that is read as it leaves.
        content_type: the media type of the body; None without one.
        returns: the type of the response; None when no body is documented.
        accept: the media types of its responses, those of errors among them.
        by_status: the types of responses with statuses that have another one; None where they
            have no body; `2` stands for all of 2xx.
        keyed_by: the field that makes a mapping of a response that came as a list.
        retry_safety: what sending it a second time may do.
        security: what it needs of the user, if that is its own: any of these, each as arguments of
            the client; an empty one needs nothing.
        probe: the reads that show whether it was carried out, where its response was lost.
        cautions: what the caller is warned of before it is sent.
    """

    operation: str
    server: str
    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes | Multipart | None
    content_type: str | None
    returns: Any
    keyed_by: str | None
    retry_safety: RetrySafety
    accept: str = JSON
    by_status: Mapping[int, Any] = {}
    security: tuple[tuple[str, ...], ...] | None = None
    probe: Probe | None = None
    cautions: tuple[Caution, ...] = ()
    cookie: str = ""

    @property
    def target(self) -> str:
        """The path with the query string."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def raw(self) -> RawRequest[RawResponse[T_co]]:
        """The same request, for the whole response: status, header fields, bytes."""
        return RawRequest(self)

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        if isinstance(self.body, Multipart):
            fields["body"] = _LeftBehind()
        return type(self), tuple(fields.values())


class Caution(NamedTuple):
    """Something that a caller is warned of, in words that follow the name of the operation."""

    category: type[Warning]
    text: str


class Probe(msgspec.Struct, frozen=True):
    """The reads that show what a write has written.

    Attributes:
        reads: the requests; what they return counts, of lists each item.
        back: how the arguments of the write are made of what is read.
        key: the field of what is read that is its identifier.
        ids: the identifiers of what is written; none where they are not known beforehand.
        of: for a write about several objects, the argument that names them.
        done: for a write about several objects, the field of its response that is the list of
            those that were written.
        unread: the arguments that are read, but do not show what was sent.
    """

    reads: Sequence[Request[Any]]
    back: WriteBack
    key: str
    ids: Sequence[str] = ()
    of: str | None = None
    done: str | None = None
    unread: Sequence[str] = ()


def for_slices(
    build: Callable[[Sequence[str]], Request[T]], values: Sequence[str], size: int
) -> list[Request[T]]:
    """Return a request for every slice of at most so many values; none where there are none."""
    return [build(values[at : at + size]) for at in range(0, len(values), size)]


class _LeftBehind:
    """Stands for a multipart body that did not come along in a pickle: its files may be open."""

    length = None
    replayable = started = False

    def __iter__(self) -> NoReturn:
        raise ClientError("the files of a request cannot be pickled: build the request again")

    __aiter__ = __iter__


class RawRequest(msgspec.Struct, Generic[T], frozen=True):
    """A request whose whole response is wanted: status, header fields, bytes."""

    request: Request[Any]

    @property
    def operation(self) -> str:
        """The method that it stands for."""
        return self.request.operation

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """Warnings for the caller before it is sent."""
        return self.request.cautions


def prepare(
    *,
    operation: str,
    server: str,
    method: str,
    path: str,
    retry_safety: RetrySafety,
    returns: Any = None,
    path_parameters: Iterable[Parameter] = (),
    query: Iterable[Parameter] = (),
    headers: Iterable[Parameter] = (),
    idempotency_key: str = "",
    cookies: Iterable[Parameter] = (),
    any_of: Mapping[str, Any] | None = None,
    window: Window | None = None,
    json: msgspec.Struct | Parameter | UnsetType = UNSET,
    form: msgspec.Struct | Parameter | UnsetType = UNSET,
    body_required: bool = True,
    refuse_empty: bool = False,
    files: Sequence[FilePart] = (),
    encoding: Mapping[str, FieldEncoding] | None = None,
    content: bytes | str | FilePart | UnsetType = UNSET,
    content_type: str | Parameter | UnsetType | None = None,
    bodies: Sequence[BodyOption] = (),
    accept: str = JSON,
    accept_errors: str = "",
    offers: Mapping[str, Any] | None = None,
    by_status: Mapping[int, Any] | None = None,
    keyed_by: str | None = None,
    security: tuple[tuple[str, ...], ...] | None = None,
    probe: Callable[[], Probe] | None = None,
    cautions: Iterable[tuple[object, Caution]] = (),
) -> Request[Any]:
    """Check every argument and put the request together. Nothing is sent.

    Args:
        path: the path with its `{name}` places; a query in it is sent before that of arguments.
        idempotency_key: the header by which the service knows a repetition; a new value is made
            where none is given.
        any_of: arguments by their names, at least one of which must be given.
        json: the body as a model, or as a single argument of another type.
        form: the fields of a form, like `json`; with `files`, or that media type, it is sent as
            multipart, else urlencoded.
        body_required: whether a model of which no field was given is a body, too.
        refuse_empty: whether a `json` model of which no field was given is a mistake.
        encoding: how fields of a form are written whose manner is not the usual one.
        content: a body that is sent as it is; a text as UTF-8, a file as it is read.
        content_type: the media type of the body where it is not the usual one, or the argument
            that chooses it, under the range that allows it; of `bodies`, the wanted one, or UNSET.
        bodies: what the body may be, the usual one first; they take the place of the arguments from
            `json` to `content`.
        accept_errors: the media types of errors that are asked for beside those of `offers`.
        offers: what is returned for each media type that the caller may ask for, by `accept`; it
            takes the place of `returns`.
        probe: makes the reads that show whether it was carried out, where its response was lost.
        cautions: arguments, each with what a caller is warned of who gives it as true.

    The others are the attributes of `Request`.

    Raises:
        ArgumentError: one or more arguments are not what the documents allow; it names them all.
    """
    checker = Checker()
    filled, _, fixed = checker.path(path, path_parameters).partition("?")
    query_string = checker.query(query)
    if fixed:
        query_string = _with_fixed(query_string, fixed)
    header_fields = checker.headers(headers) if headers else {}
    if idempotency_key and idempotency_key not in header_fields:
        from uuid import uuid4  # few services want it

        header_fields[idempotency_key] = str(uuid4())  # once, for all attempts
    cookie = checker.cookies(cookies) if cookies else ""
    if any_of:
        checker.any_of(any_of)
    if window is not None:
        checker.window(window)
    if bodies:
        option, payload, content_type = choose_body(checker, bodies, content_type)
    elif json is UNSET and form is UNSET and content is UNSET and not files:
        option, payload = NO_BODY, NO_PAYLOAD
    else:
        option = BodyOption(
            json=json,
            form=form,
            body_required=body_required,
            files=files,
            encoding=encoding,
            content=content,
        )
        payload = option.checked(checker)
        is_empty = payload.json == {} and not checker.problems
        if refuse_empty and is_empty and isinstance(json, msgspec.Struct):
            checker.refuse(
                json.__struct_fields__[0], "nothing is to change: give this or any other field"
            )
    if isinstance(content_type, Parameter):
        given = content.value if isinstance(content, FilePart) else content
        content_type = None if given is UNSET else checker.media_type(content_type)
    if offers is not None:
        if isinstance(accept, str) and accept in offers:  # pyright: ignore[reportUnnecessaryIsInstance]
            returns = offers[accept]
            accept = ", ".join(filter(None, [accept, accept_errors]))
        else:
            checker.refuse("accept", f"expected one of {', '.join(offers)}, got {accept!r}")
    if checker.problems:
        raise ArgumentError(operation, tuple(checker.problems))
    media_type = content_type if isinstance(content_type, str) else None
    body, body_type = option.encode(payload, media_type, operation)
    probed = probe() if probe else None
    return Request(
        operation=operation,
        server=server,
        method=method,
        path=filled,
        query=query_string,
        headers=header_fields,
        body=body,
        content_type=body_type,
        returns=returns,
        keyed_by=keyed_by,
        retry_safety=retry_safety,
        accept=accept,
        by_status=by_status or {},
        security=security,
        probe=probed if probed and probed.reads else None,
        cautions=tuple(caution for value, caution in cautions if value is True),
        cookie=cookie,
    )


def _with_fixed(query: str, fixed: str) -> str:
    """Return a query with the fixed one of a path before it; what an argument gives counts."""
    given = {pair.partition("=")[0] for pair in query.split("&")}
    kept = [pair for pair in fixed.split("&") if pair.partition("=")[0] not in given]
    return "&".join(filter(None, [*kept, query]))
