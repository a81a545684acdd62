"""Finds the token and the addresses: in profiles, the keyring and the environment.

A profile named on the command line wins over the environment, which wins over the default profile.
Commands report which one they use.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from .files import make_folder, replacing

PREFIX = "SOCIAL_PUBLISHING_"
DEFAULT = "default"

_VALUES = ("api_token", "base_url", "media_url")
_NEEDED = _VALUES[:2]  # the address of the media API is for its own calls only
_SERVICE = "social-publishing"


class SignInError(Exception):
    """The token or an address of the service is missing."""

    documentation = "docs/month-from-a-spreadsheet.md#install-and-sign-in"


class ProfileError(Exception):
    """The profiles file cannot be read or written."""

    documentation = "docs/month-from-a-spreadsheet.md#install-and-sign-in"


class Account(NamedTuple):
    """The account to call the service with.

    Attributes:
        api_token, base_url, media_url: The arguments of the client; empty if unknown.
        sources: The source of each, in words.
        notes: Notes for a person about it.
        profile: The profile that the token comes from; empty where it comes from elsewhere.
        group: The group that this profile means where none is named; empty for none.
    """

    api_token: str
    base_url: str
    media_url: str
    sources: Mapping[str, str]
    notes: tuple[str, ...] = ()
    profile: str = ""
    group: str = ""

    def __repr__(self) -> str:
        return f"Account({self.base_url!r}, {self.media_url!r})"

    def checked(self) -> Account:
        """Return the account if the service can be called with it.

        Raises:
            SignInError: The token or an address is missing.
        """
        missing = [PREFIX + name.upper() for name in _NEEDED if not getattr(self, name)]
        if missing:
            known = len(missing) < len(_NEEDED)
            raise SignInError(
                f"{'half signed in' if known else 'not signed in'}: run social-publishing auth "
                f"login, or set {', '.join(missing)}. --sandbox needs no account"
            )
        return self


def config_folder() -> Path:
    """Return the folder of the profiles: `SOCIAL_PUBLISHING_CONFIG`, or the user's."""
    named = os.environ.get(f"{PREFIX}CONFIG")
    if named:
        return Path(named)
    import platformdirs

    return platformdirs.user_config_path("social-publishing")


def state_folder() -> Path:
    """Return the folder of what is remembered: `SOCIAL_PUBLISHING_CONFIG`, or that of the user."""
    named = os.environ.get(f"{PREFIX}CONFIG")
    if named:
        return Path(named)
    import platformdirs

    return platformdirs.user_state_path("social-publishing")


def sandbox_file() -> Path:
    """Return the path of the state of `--sandbox`, beside the profiles."""
    return config_folder() / "sandbox.db"


def _file() -> Path:
    return config_folder() / "profiles.json"


def load() -> dict[str, dict[str, str]]:
    """Return the profiles by name.

    Raises:
        ProfileError: Their file cannot be read, or is damaged.
    """
    import msgspec

    path = _file()
    try:
        kind = dict[str, dict[str, dict[str, str]]]
        return msgspec.json.decode(path.read_bytes(), type=kind)["profiles"]
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ProfileError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, RecursionError):
        raise ProfileError(f"{path}: is damaged: remove it, and sign in again") from None


def _write(profiles: Mapping[str, Mapping[str, str]]) -> None:
    path = _file()
    try:
        make_folder(path.parent)
        with replacing(path, 0o600) as new:
            new.write_text(
                json.dumps({"profiles": profiles}, indent=1) + "\n", encoding="utf-8", newline="\n"
            )
    except OSError as error:
        raise ProfileError(f"{path}: cannot be written: {error.strerror or error}") from None


def _keyring() -> Any:
    """Return the keyring of the user; None where there is none that keeps anything."""
    try:
        import keyring
        from keyring.backends import chainer, fail, null
    except ImportError:
        return None
    backend = keyring.get_keyring()
    if isinstance(backend, fail.Keyring | null.Keyring):
        return None
    if isinstance(backend, chainer.ChainerBackend) and not backend.backends:
        return None
    return backend


def keyring_name() -> str | None:
    """Return the name of the keyring for tokens; None without one."""
    keyring = _keyring()
    return str(keyring.name) if keyring else None


def check_name(name: str) -> None:
    """Refuse what cannot be the name of a profile.

    Raises:
        ProfileError: It has other characters than a name, or too many.
    """
    if not re.fullmatch(r"[\w.-]{1,64}", name):
        raise ProfileError(
            f"{name[:64]!r} cannot be the name of a profile: use letters, digits, . _ and -"
        )


def save(name: str, token: str, base_url: str, media_url: str) -> str:
    """Save a profile: its token in the keyring, or else in a file that only the user can read.

    Returns:
        Where the token is, in words.
    """
    check_name(name)
    profiles = load()
    known = profiles.get(name, {})
    profile = {"base_url": base_url, "media_url": media_url}
    if "group" in known and known.get("base_url") == base_url:
        profile["group"] = known["group"]
    where = f"the file {_file()} (mode 0600; no keyring was found)"
    keyring = _keyring()
    if keyring:
        try:
            keyring.set_password(_SERVICE, name, token)
            where = f"the keyring ({keyring.name})"
        except Exception as error:  # whatever a backend raises: locked, refused, gone
            keyring = None
            where = f"the file {_file()} (mode 0600; the keyring refused: {type(error).__name__})"
    if not keyring:
        profile["api_token"] = token
    _write({**profiles, name: profile})
    return where


def set_group(name: str, group: str | None) -> None:
    """Keep the group that a profile means where none is named; None keeps none."""
    profiles = load()
    profiles[name] = {key: value for key, value in profiles[name].items() if key != "group"}
    if group:
        profiles[name]["group"] = group
    _write(profiles)


def forget(name: str) -> bool:
    """Delete a profile and its token; return whether it existed."""
    profiles = load()
    known = profiles.pop(name, None)
    keyring = _keyring()
    if keyring:
        with suppress(Exception):  # there was none, or the backend cannot
            keyring.delete_password(_SERVICE, name)
    if known is None:
        return False
    _write(profiles)
    return True


def account_of(named: str | None) -> Account:
    """Return the account to use, with the source of each value."""
    profiles = load()
    if named and named not in profiles:
        known = f"; there are {', '.join(profiles)}" if profiles else "; there are no profiles yet"
        raise SignInError(f"there is no profile {named!r}{known}")
    name = named or (DEFAULT if DEFAULT in profiles else next(iter(profiles), ""))
    profile = dict(profiles.get(name, {}))
    places = dict.fromkeys(profile, f"profile {name}")
    if profile and "api_token" not in profile and (keyring := _keyring()):
        try:
            profile["api_token"] = keyring.get_password(_SERVICE, name) or ""
            places["api_token"] = f"profile {name}, in the keyring"
        except Exception as error:
            raise SignInError(
                f"cannot read the token of profile {name} from the keyring: {type(error).__name__}"
            ) from None
    values, sources, shadowed = {}, {}, []
    for value in _VALUES:
        variable = PREFIX + value.upper()
        outside = os.environ.get(variable, "")
        if outside and (not named or not profile.get(value)):
            values[value], sources[value] = outside, f"environment, {variable}"
            if profile.get(value) not in (None, "", outside):
                shadowed.append(variable)
        else:
            values[value] = profile.get(value, "")
            sources[value] = places.get(value, "nowhere") if values[value] else "nowhere"
    notes = (
        (f"using {', '.join(shadowed)} from the environment instead of profile {name}",)
        if shadowed
        else ()
    )
    owner = name if sources["api_token"].startswith("profile ") else ""
    group = profile.get("group", "") if owner else ""
    return Account(**values, sources=sources, notes=notes, profile=owner, group=group)
