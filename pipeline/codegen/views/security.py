"""Views of what shows the service who the user is: arguments of a client, and who needs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pipeline.codegen import names
from pipeline.codegen.ir import Api, Operation
from pipeline.codegen.joining import is_native
from pipeline.codegen.views.view_models import CredentialView
from pipeline.openapi.problems import Finding
from pipeline.openapi.security import place_of, schemes, token_urls, wanted

_TOKEN: Final = "api_token"  # every bearer token: one service gives them all
_RENEWED: Final = ("oauth2", "openIdConnect")
# The other arguments of a client.
OPTIONS: Final = frozenset({
    "timeout", "deadline", "retries", "pacing", "headers", "drift", "on_drift", "on_wait",
    "on_progress", "lost_writes", "max_response_bytes", "max_response_seconds", "middleware",
    "rate_key", "rate_store", "http_client",
})  # fmt: skip

Needs = tuple[tuple[str, ...], ...]


class Security:
    """What the operations of all documents need of the user, as arguments of the client.

    The names of its environment variables begin with `environment`. A request that says nothing
    else needs any of the sets of arguments in `default`; `notes` say which have other names than
    schemes.
    """

    def __init__(self, apis: Sequence[Api], environment: str) -> None:
        self._arguments: dict[str, dict[str, str]] = {}
        self._views: list[CredentialView] = []
        notes: list[Finding] = []
        known: dict[str, CredentialView] = {}

        def view(argument: str, place: str, wire: str) -> CredentialView:
            return CredentialView(argument, place, wire, f"{environment}_{argument.upper()}")

        for api in sorted(apis, key=lambda each: not is_native(each)):
            own = self._arguments[api.source] = {}
            for name, scheme in schemes(api.raw).items():
                place = place_of(scheme)
                if place is None:
                    continue
                own[name] = "" if place == "connection" else _argument(name, place)
                wire = str(scheme.get("name", "")) if scheme.get("type") == "apiKey" else ""
                credential = view(own[name], place, wire)
                if known.get(own[name], credential) != credential:
                    moved = names.numbered(names.snake(f"{api.source}_{own[name]}"), known)
                    text = f"the client has two credentials of the name {own[name]}: {moved}"
                    text += f"; another name for the security scheme {name} says it better"
                    notes.append(Finding(text, rule="python-name", severity="note"))
                    own[name], credential = moved, view(moved, place, wire)
                known.setdefault(own[name], credential)
                self._views.append(credential)
        self.notes = tuple(notes)
        self._needs = {
            (operation.source, operation.pointer): self._all_needs(api, operation)
            for api in apis
            for operation in api.operations
        }
        every = {each for some in self._needs.values() for each in some}
        self.default: Needs = tuple(sorted(every)) or ((),)  # without operations: nothing
        used = {argument for each in self.default for argument in each}
        arguments = {each.argument: each for each in self._views if each.argument in used}
        if _TOKEN in used:
            arguments.setdefault(_TOKEN, view(_TOKEN, "bearer", ""))
        urls = {
            self._arguments[api.source].get(name): (api.source, *token_urls(scheme))
            for api in reversed(apis)
            for name, scheme in reversed(schemes(api.raw).items())
            if scheme.get("type") in _RENEWED
        }
        self.credentials = tuple(
            replace(e, renews=True, renewed_at=urls[e.argument]) if e.argument in urls else e
            for e in arguments.values()
        )
        self.renews = any(each.renews for each in self.credentials)

    @property
    def unusual(self) -> Needs | None:
        """The default, unless any one credential will do."""
        single = {(each.argument,) for each in self.credentials}
        return None if set(self.default) == single else self.default

    def needs(self, operation: Operation) -> Needs | None:
        """Return what an operation needs; None where it is the default."""
        needed = self._needs[operation.source, operation.pointer]
        return None if tuple(sorted(needed)) == self.default else needed

    def _all_needs(self, api: Api, operation: Operation) -> Needs:
        """Return what an operation needs; without `security`, any scheme is offered, none required.

        What no request can carry by itself is up to the caller's middleware.
        """
        own, said = self._arguments[api.source], wanted(api.raw, operation.raw)
        if said is None:
            there = filter(None, dict.fromkeys(own.values())) if own else [_TOKEN]
            return (*((name,) for name in there), ())
        carried = (each for each in said if all(name in own for name in each))
        needs = (tuple(filter(None, (own[name] for name in each))) for each in carried)
        return tuple(dict.fromkeys(needs)) or ((),)


def _argument(scheme: str, place: str) -> str:
    name = _TOKEN if place == "bearer" else names.snake(scheme)
    return f"{name}_" if name in OPTIONS or name.endswith("_url") else name
