"""Views of the servers that a document offers: their names, and variables of their addresses."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import urlsplit

from pipeline.codegen import names, prose
from pipeline.codegen.views.security import OPTIONS
from pipeline.codegen.views.view_models import ServerChoiceView, VariableView
from pipeline.openapi.objects import as_dict, as_list
from pipeline.openapi.servers import address, default_address

_ANY_HOST = re.compile(r"https?://\{[^{}]*\}(?=[:/]|$)")  # which `base_url` says better
_MOST_WORDS = 3  # of a description that is a name


def server_choice(
    servers: Any,
    prefix: str,
    taken: Collection[str],
    *,
    base: str,
    name: str,
    others: Sequence[ServerChoiceView | None],
) -> ServerChoiceView | None:
    """Return what chooses the address of a document; None where there is no choice.

    A server has the name that its document gives it, or one made of its description or its host.

    Args:
        prefix: what the arguments of another document than the first begin with.
        taken: the other arguments of the client.
        base: what relative addresses are resolved against; without one they are none.
        name: what the argument for the name of a server begins with, after the prefix.
        others: the choices of the same document before this one, the general one first: a variable
            has one argument in all of them, and the name of a general server counts in all.
    """
    addresses: dict[str, str] = {}
    known: list[bool] = []
    variables: dict[str, Any] = {}
    for server in map(as_dict, as_list(servers)):
        url = str(server.get("url", "")).rstrip("/")
        is_open = _ANY_HOST.match(url) and not default_address([server])
        known.append(address([server], base) is not None and not is_open)
        if not known[-1] or url in addresses.values():
            continue
        addresses[names.numbered(_name(server, url), addresses)] = url
        for wire, variable in as_dict(server.get("variables")).items():
            if f"{{{wire}}}" in url:
                variables.setdefault(wire, as_dict(variable))
    used = {*taken, *OPTIONS}
    general = others[0] if others else None
    named = dict(general.addresses).keys() if general and general.argument else set[str]()
    follows = general.argument if general and addresses.keys() & named else ""
    # Where the first address is open, each other one is a choice beside what the caller gives.
    is_own = len(addresses) > known[:1].count(True) and not addresses.keys() <= named
    argument = names.numbered(f"{prefix}{name}server", used) if is_own else ""
    of_others = {
        each.name: each.argument for choice in others if choice for each in choice.variables
    }
    views = []
    for wire, variable in variables.items():
        own = of_others.get(wire) or names.numbered(prefix + names.snake(wire), used | {argument})
        used.add(own)
        default = str(variable.get("default", ""))
        allowed = tuple(dict.fromkeys(map(str, as_list(variable.get("enum")))))
        doc = prose.first_sentence(str(variable.get("description") or "")).rstrip(".")
        about = f"`{{{wire}}}` in the address{': ' * bool(doc)}{doc}. Default: `{default}`"
        views.append(VariableView(wire, own, default, allowed, about))
    if not argument and not views and not follows:
        return None
    return ServerChoiceView(argument, tuple(addresses.items()), tuple(views), follows)


def _name(server: dict[str, Any], url: str) -> str:
    if isinstance(given := server.get("name"), str) and given.isprintable() and given:
        return given
    host = urlsplit(re.sub(r"\{[^{}]*\}[.-]?", "", url)).hostname or ""
    said = (prose.uncited(str(server.get("description") or "")), host.partition(".")[0])
    telling = [each for each in map(names.words, said) if re.search("[A-Za-z]", "".join(each))]
    if host and not telling:  # an address of numbers, which tell more than one of them
        return host
    words = next((each for each in telling if len(each) <= _MOST_WORDS), ["server"])
    name = "_".join(word.lower() for word in words)
    return name.removesuffix("_server") or name
