"""What a run of the contract tests is asked for on the command line."""

from __future__ import annotations

import os
import random
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TARGETS = ("sandbox", "replay", "live")


@dataclass(frozen=True)
class Options:
    """What is tested against, and how thoroughly.

    Attributes:
        target: `sandbox` for everything that needs nothing else; `replay`; `live`.
        folder: the recordings to replay; None for those of this project.
        examples: random cases for each operation and kind, besides those that cover it.
        seed: where the random cases start from.
        allow_writes: whether the live service may be written to.
        record: where to keep what passes between the client and the live service.
        report: where to write reports for people and for CI.
    """

    target: str
    folder: Path | None
    examples: int
    seed: int
    allow_writes: bool
    record: Path | None
    report: Path | None = None

    def keep(self, page: str) -> None:
        """Write the page of what was sent and what came, if reports are asked for."""
        if self.report is not None:
            self.report.mkdir(parents=True, exist_ok=True)
            (self.report / "contract.html").write_text(page, encoding="utf-8")

    @property
    def command(self) -> str:
        """The command that runs the same cases again."""
        target = " ".join([self.target, *([shlex.quote(str(self.folder))] if self.folder else [])])
        chosen = "" if target == "sandbox" else f" --target {target}"
        return f"nox -s contract --{chosen} --examples {self.examples} --seed {self.seed}"


@dataclass(frozen=True)
class Plan:
    """How many cases are made at random, and from which seed."""

    examples: int = 10
    seed: int = 1


def add_options(parser: Any) -> None:
    """Declare the options of the contract tests to pytest."""
    group = parser.getgroup("contract", "the contract tests (tests/contract)")
    group.addoption(
        "--target",
        nargs="+",
        default=["sandbox"],
        metavar=("sandbox|replay|live", "DIR"),
        help="what to test against: the sandbox (the default), recordings in DIR, or the service",
    )
    group.addoption(
        "--examples", type=int, default=10, metavar="N", help="random cases for each operation"
    )
    group.addoption("--seed", type=int, metavar="S", help="where the random cases start from")
    group.addoption(
        "--allow-writes",
        action="store_true",
        help="live: also write what leaves things as they are",
    )
    group.addoption(
        "--report",
        type=Path,
        metavar="DIR",
        help="write junit.xml and contract.html to DIR, and what Schemathesis reports",
    )
    group.addoption("--record", type=Path, metavar="DIR", help="live: keep what passes in DIR")


def options_of(config: Any) -> Options:
    """Return the options of a run.

    Raises:
        ValueError: they do not go together; the text says which and why.
    """
    name, *rest = config.getoption("--target")
    if name not in TARGETS:
        raise ValueError(f"--target: {name!r} is none of {', '.join(TARGETS)}")
    if (rest and name != "replay") or len(rest) > 1:
        raise ValueError(f"--target {name}: {rest[-1]!r} is one word too many")
    folder = Path(rest[0]) if rest else None
    if folder is not None and not folder.exists():
        raise ValueError(f"--target replay: there is no {folder}")
    if config.getoption("--examples") < 0:
        raise ValueError(f"--examples: {config.getoption('--examples')} is less than 0")
    for option in ("--allow-writes", "--record"):
        if config.getoption(option) and name != "live":
            raise ValueError(f"{option} is for --target live")
    for option in ("--record", "--report"):
        place = config.getoption(option)
        if place is not None and place.exists() and not place.is_dir():
            raise ValueError(f"{option}: {place} is a file; name a folder")
    seed = config.getoption("--seed")
    if seed is None:
        # A run in CI tries what the last one tried; yours looks further.
        seed = 1 if os.environ.get("CI") else random.SystemRandom().randrange(1_000_000)
    return Options(
        name,
        folder,
        config.getoption("--examples"),
        seed,
        config.getoption("--allow-writes"),
        config.getoption("--record"),
        config.getoption("--report"),
    )
