"""Tables of a TOML file: their members, checked, and the lines on which they stand."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from pipeline.openapi.problems import Finding, PipelineError, Position


def load_toml(file: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        PipelineError: the file cannot be read, or is no TOML.
    """
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise PipelineError(
            Finding(f"cannot read the configuration: {error}", Position(str(file), 1, 1), "config")
        ) from None
    except tomllib.TOMLDecodeError as error:
        line, column = re.findall(r"\d+", str(error).rpartition("(")[2]) or (1, 1)
        reason = str(error).rpartition(" (")[0] or str(error)
        raise PipelineError(
            Finding(reason, Position(str(file), int(line), int(column)), "config")
        ) from None


def tool_table(data: dict[str, Any], name: str) -> Any:
    """What stands under `[tool.NAME]`, whatever that is; None where nothing does."""
    tools = data.get("tool")
    return tools.get(name) if isinstance(tools, dict) else None


class TableReader:
    """Reads tables of a TOML file, and collects what is wrong in them, each with its line."""

    def __init__(self, file: Path) -> None:
        self.findings: list[Finding] = []
        self.file = file
        self._lines = file.read_text(encoding="utf-8").splitlines()

    def say(self, place: str, message: str) -> None:
        """Note what is wrong at a place, such as `tool.pipeline.client.version`."""
        self.findings.append(Finding(f"{place}: {message}", self.position(place), "config"))

    def position(self, place: str) -> Position:
        """The line that sets a member, or that begins its table; TOML readers keep no positions.

        A last member that is no bare name stands in double quotes, as in the file.
        """
        parts = re.fullmatch(r'(?:(.*)\.)?("[^"]*"|[^."]*)', place)
        table, member = parts.groups("") if parts else ("", place)
        current, header = "", 1
        for number, line in enumerate(self._lines, 1):
            if heading := re.match(r"\s*\[([^\]]+)\]", line):
                current = heading[1].strip()
                if current in (table, place):
                    header = number
            elif current == table and re.match(rf"\s*{re.escape(member)}\s*=", line):
                return Position(str(self.file), number, line.index(member) + 1)
        return Position(str(self.file), header, 1)

    def texts(self, table: dict[str, Any], place: str, name: str, what: str = "paths") -> list[str]:
        """A member of a table that is a list of texts; empty where it is missing or wrong."""
        found: list[Any] = table.get(name, [])
        if all(isinstance(path, str) for path in found):
            return found
        self.say(f"{place}.{name}", f"must be a list of {what}")
        return []

    def table(
        self,
        value: Any,
        place: str,
        members: dict[str, type[Any]],
        optional: set[str],
        others: bool = False,
    ) -> dict[str, Any]:
        """Those members of a table that are known and of the type that is wanted.

        What is unknown is wrong, unless there may be `others`.
        """
        if not isinstance(value, dict):
            self.say(place, "is missing" if value is None else "must be a table")
            return {}
        result = {}
        for name, item in value.items():
            if name not in members:
                if others:
                    continue
                self.say(f"{place}.{name}", f"is unknown; known are {', '.join(members)}")
            elif not isinstance(item, members[name]):
                words: dict[type[Any], str] = {str: "text", list: "list", dict: "table"}
                self.say(f"{place}.{name}", f"must be a {words[members[name]]}, got {item!r}")
            else:
                result[name] = item
        for name in members:
            if name not in value and name not in optional:
                self.say(f"{place}.{name}", "is missing")
        return result
