"""Tables of a TOML file: their members, checked, and the lines on which they stand."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pipeline.openapi import typed
from pipeline.openapi.documents import DEEPEST, lines_of, slip
from pipeline.openapi.objects import is_deeper
from pipeline.openapi.problems import Finding, PipelineError, Position

T = TypeVar("T")


def load_toml(file: Path) -> dict[str, Any]:
    """Read a TOML file; raises PipelineError where it cannot be read, or is none."""
    try:
        text = file.read_text(encoding="utf-8")
        data = tomllib.loads(text)
        if is_deeper(data, DEEPEST):
            raise RecursionError
        return data
    except FileNotFoundError:
        raise PipelineError(
            Finding(
                "there is no configuration: name one with --config FILE; `init` makes one for a "
                "document",
                Position(str(file), 1, 1),
                "config",
            )
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        inside = file / "pyproject.toml"
        hint = f": name {inside}" if inside.is_file() else ""
        raise PipelineError(
            Finding(
                f"cannot read the configuration: {reason}{hint}",
                Position(str(file), 1, 1),
                "config",
            )
        ) from None
    except RecursionError:
        lines = [len(re.findall(r"[\[{.]", line)) for line in lines_of(text)]
        place = Position(str(file), lines.index(max(lines)) + 1, 1)
        said = f"nested more than {DEEPEST} levels deep"
        raise PipelineError(Finding(said, place, "config")) from None
    except tomllib.TOMLDecodeError as error:
        if known := slip(text, str(file)):
            raise PipelineError(replace(known, rule="config")) from None
        line, column = re.findall(r"\d+", str(error).rpartition("(")[2]) or (1, 1)
        reason = str(error).rpartition(" (")[0] or str(error)
        if file.suffix != ".toml":
            reason = f"this is no TOML: name a configuration, such as pyproject.toml ({reason})"
        raise PipelineError(
            Finding(reason, Position(str(file), int(line), int(column)), "config")
        ) from None


def tool_table(data: dict[str, Any], name: str) -> Any:
    """Return what stands under `[tool.NAME]`, of any type; None where nothing does."""
    tools = data.get("tool")
    return tools.get(name) if isinstance(tools, dict) else None


class TableReader:
    """Reads tables of a TOML file, and collects what is wrong in them, each with its line."""

    def __init__(self, file: Path) -> None:
        self.findings: list[Finding] = []
        self.file = file
        self._lines = lines_of(file.read_text(encoding="utf-8"))

    def report(self, place: str, message: str) -> None:
        """Report what is wrong at a place, such as `tool.pipeline.client.version`."""
        self.findings.append(Finding(f"{place}: {message}", self.position(place), "config"))

    def position(self, place: str) -> Position:
        """Return the line that sets a member, or begins its table; TOML readers keep no positions.

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

    def read(self, value: Any, place: str, type_: type[T]) -> T | None:
        """Return a table as a value of a type; None, with what is wrong, where it is no such one.

        The place is that of the table, such as `tool.pipeline`. Paths are relative to the file.
        """
        if value is None:
            self.report(place, "is missing")
            return None
        problems = list(typed.problems(type_, value))
        for path, problem in problems:
            text = problem.replace("an object", "a table").replace("an array", "a list")
            names = [name for name in path if isinstance(name, str)]
            names = [f'"{name}"' if "." in name or "/" in name else name for name in names]
            member = ".".join([place, *names])
            shown = "".join(f"[{index}]" for index in path if isinstance(index, int))
            self.findings.append(
                Finding(f"{member}{shown}: {text}", self.position(member), "config")
            )
        return None if problems else typed.value_of(type_, value, self.file.parent)
