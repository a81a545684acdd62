"""How the command was installed, for advice that fits: by pip, pipx or `uv tool`."""

from __future__ import annotations

import re
import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

DISTRIBUTION = "social-publishing-cli"


def extra(name: str) -> list[str]:
    """Return what an extra of the command needs; the extra itself where no metadata is there."""
    try:
        known = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        known = []
    marked = re.compile(rf"extra == ['\"]{name}['\"]")
    found = [each.partition(";")[0].strip() for each in known if marked.search(each)]
    return found or [f"{DISTRIBUTION}[{name}]"]


def missing(error: ModuleNotFoundError) -> str:
    """Say of a library that is not there how to install all that the command needs."""
    name = (error.name or "").partition(".")[0]
    if getattr(sys, "frozen", False):
        return f"this program was built without {name}: add --collect-all {name} to pyinstaller"
    if name == "social_publishing_cli":
        return f"the installation is damaged ({error}): install {DISTRIBUTION} again"
    distribution = {"mcp_types": "mcp", "social_publishing": "social-publishing"}.get(name, name)
    return f"the library {name} is not installed: {how_to_add(distribution)}"


def why_no_sandbox(error: ImportError) -> str:
    """Say why the sandbox cannot be used: its package is missing, or cannot be imported."""
    if error.name == "social_publishing_sandbox" and isinstance(error, ModuleNotFoundError):
        added = how_to_add("social-publishing-sandbox")
        return f"needs a package: {added} (in a clone of the repository: ./sandbox)"
    return f"cannot import social_publishing_sandbox: {error}"


def how_to_add(*requirements: str) -> str:
    """Return the command line that adds packages to where this command is installed."""
    words = shlex.join(requirements)
    if Path(sys.prefix, "pipx_metadata.json").exists():
        return f"pipx inject {DISTRIBUTION} {words}"
    if Path(sys.prefix, "uv-receipt.toml").exists():
        return f"uv pip install --python {shlex.quote(sys.prefix)} {words}"
    return f"pip install {words}"
